package grep

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sextant/cmd/dev/internal/tokens"
)

// fixture writes a small repository and returns its directory.
func fixture(t *testing.T) string {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"db/db.go": "package db\n\nconst size = 4096\n\nfunc Open(path string) *DB {\n\tcheck(path)\n\treturn " +
			"&DB{}\n}\n\n" +
			"func check(path string) {\n\tpanic(\"no file of that name\")\n}\n\ntype DB struct{}\n\n" +
			"func (d *DB) Close() { check(\"\") }\n",
		"db/db_test.go": "package db\n\nfunc TestOpen(t *testing.T) {\n\tOpen(\"x\").Close()\n}\n",
		"main.go": "package main\n\nfunc main() {\n\td := db.Open(\"" + strings.Repeat("y", 200) +
			"\")\n\td.Close()\n}\n",
		".hidden/a.go": "package hidden // Open(\n",
		"picture.bin":  "\x00Open(",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestAgents checks that both agents find what can be found, and nothing else.
func TestAgents(t *testing.T) {
	repo, err := Read(fixture(t))
	if err != nil {
		t.Fatal(err)
	}
	count, err := tokens.NewCounter()
	if err != nil {
		t.Fatal(err)
	}
	at := func(file string, lines ...int) (out []tokens.Target) {
		for _, n := range lines {
			out = append(out, tokens.Target{{File: file, Line: n}})
		}
		return out
	}
	tasks := map[string]tokens.Task{
		"locate":     {Kind: tokens.Locate, Name: "Close", Symbol: "DB.Close", Targets: at("db/db.go", 16)},
		"definition": {Kind: tokens.Definition, Name: "Open", File: "main.go", Line: 4, Targets: at("db/db.go", 5)},
		"callers": {Kind: tokens.Callers, Name: "Open", Symbol: "Open", File: "db/db.go",
			Targets: append(at("main.go", 4), at("db/db_test.go", 4)...)},
		"trace": {Kind: tokens.Trace, Name: "Open", Symbol: "Open", File: "db/db.go",
			Targets: at("db/db.go", 6, 11)},
		"outline":  {Kind: tokens.Outline, File: "db/db.go", Targets: at("db/db.go", 5, 14, 16)},
		"impact":   {Kind: tokens.Impact, Name: "check", File: "db/db.go", Targets: at("db/db_test.go", 4)},
		"literal":  {Kind: tokens.Literal, Text: "no file of that name", Targets: at("db/db.go", 11)},
		"describe": {Kind: tokens.Describe, Text: "panic about the path", Targets: at("db/db.go", 10)},
	}
	for name, task := range tasks {
		for _, found := range []bool{true, false} {
			task := task
			if !found {
				task.Targets = at("db/db.go", 99)
			}
			for way, agent := range map[string]func(*Shell) tokens.Agent{
				"lean":    func(s *Shell) tokens.Agent { return s.Lean },
				"reading": func(s *Shell) tokens.Agent { return s.Reading },
			} {
				shell := &Shell{Repository: repo}
				played, err := tokens.Play(count, shell, agent(shell), []*tokens.Task{&task})
				if err != nil {
					t.Fatal(err)
				}
				if o := played.Outcomes[0]; o.Success != found || o.Tokens == 0 {
					t.Errorf("%s, %s: success %t, want %t; %+v", way, name, o.Success, found, o)
				}
			}
		}
	}
}

// TestPrintsAsRipgrep compares what is printed with ripgrep and cut, where they
// are installed.
func TestPrintsAsRipgrep(t *testing.T) {
	dir := fixture(t)
	repo, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath("rg"); err != nil {
		t.Skip("missing: rg")
	}
	var hits, around printed
	hits.hits(repo, repo.find(search{words: []string{"Open"}, pattern: regexp.MustCompile(`\bOpen\(`)}), false)
	db := &repo.files[repo.by["db/db.go"]]
	around.around(db, db.find(search{words: []string{"check"}}), 1, 2)
	for command, got := range map[string]string{
		`rg -n --sort path '\bOpen\(' | cut -c1-120`: hits.text.String(),
		`rg -n -B1 -A2 check db/db.go`:               around.text.String(),
	} {
		cmd := exec.Command("sh", "-c", command)
		cmd.Dir = dir
		want, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s\n%s\nwant\n%s", command, got, want)
		}
	}
}
