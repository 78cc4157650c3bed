package l3lsp

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestCompileCommands checks where clangd's commands come from: a database of the folder or of one right below it, with
// directories relative to the database; else they are guessed.
func TestCompileCommands(t *testing.T) {
	const own = `[{"directory": "out", "file": "a.c"}, {"directory": "/abs", "file": "b.c"}]`
	for _, c := range []struct {
		what, at, text string
		want           []string // directories
	}{
		{"at the top", "compile_commands.json", own, []string{"$WORK/out", "/abs"}},
		{"one level below", "build/compile_commands.json", own, []string{"$WORK/build/out", "/abs"}},
		{"two levels below", "a/build/compile_commands.json", own, []string{"$WORK"}},
		{"empty", "compile_commands.json", "[]", []string{"$WORK"}},
		{"broken", "compile_commands.json", own[:20], []string{"$WORK"}},
	} {
		work := t.TempDir()
		writeFile(t, work, "main.c", "", 0o600)
		writeFile(t, work, c.at, c.text, 0o600)
		var got []string
		for _, command := range commandsOf(work) {
			got = append(got, strings.Replace(command.Directory, work, "$WORK", 1))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

// TestGuessedCommands checks the sources and the include paths of a folder without a database.
func TestGuessedCommands(t *testing.T) {
	work := t.TempDir()
	for _, file := range []string{"main.c", "b.CPP", "c.h", "notes.txt", "lib/d.cc", "include/e.h", "other/f.c++",
		".git/g.c", "node_modules/h.c", "deep/src/i.cxx", "lib.c/j.txt"} {
		writeFile(t, work, file, "", 0o600)
	}
	writeFile(t, work, "compile_flags.txt", "-DA=1\n\n  -std=c99  \n", 0o600)
	var sources []string
	commands := guessed(work)
	for _, c := range commands {
		rel, _ := filepath.Rel(work, c.File)
		sources = append(sources, filepath.ToSlash(rel))
	}
	if want := []string{"b.CPP", "deep/src/i.cxx", "lib/d.cc", "main.c", "other/f.c++"}; !slices.Equal(sources, want) {
		t.Fatalf("sources %q, want %q", sources, want)
	}
	want := []string{"clang", "-DA=1", "-std=c99", "-I" + work, "-I" + filepath.Join(work, "deep", "src"),
		"-I" + filepath.Join(work, "include"), "-I" + filepath.Join(work, "lib"), "-c", filepath.Join(work, "main.c")}
	if got := commands[3]; !slices.Equal(got.Arguments, want) || got.Directory != work {
		t.Errorf("%q in %s, want %q", got.Arguments, got.Directory, want)
	}
}

// TestClangdPrepare checks that the database has the commands of all folders, that it replaces an earlier one, and that
// old ones of other processes are removed.
func TestClangdPrepare(t *testing.T) {
	cache, a, b := t.TempDir(), t.TempDir(), t.TempDir()
	writeFile(t, a, "a.c", "", 0o600)
	writeFile(t, b, "b.c", "", 0o600)
	r := setup{cache: cache}
	old, young := filepath.Join(cache, "database", "1"), filepath.Join(cache, "database", "2")
	for dir, age := range map[string]time.Duration{old: databaseAge + time.Hour, young: databaseAge - time.Hour} {
		writeFile(t, dir, "compile_commands.json", "[]", 0o600)
		when := time.Now().Add(-age)
		if err := os.Chtimes(dir, when, when); err != nil {
			t.Fatal(err)
		}
	}
	for _, folders := range [][]string{{a}, {a, b}} {
		if err := clangdPrepare(r, folders); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(clangdDatabase(r), "compile_commands.json"))
		var commands []compileCommand
		if err != nil || json.Unmarshal(text, &commands) != nil || len(commands) != len(folders) {
			t.Errorf("%d folders have %d commands: %s, %v", len(folders), len(commands), text, err)
		}
	}
	if to, err := os.Readlink(filepath.Join(clangdDatabase(r), ".cache")); to != filepath.Join(cache, "index") {
		t.Errorf("the index is %q: %v", to, err)
	}
	if regular(filepath.Join(old, "compile_commands.json")) || !regular(filepath.Join(young, "compile_commands.json")) {
		t.Error("the old database is kept, or the young one removed")
	}
	if clangdDatabase(r) == clangdDatabase(setup{cache: cache, trusted: true}) {
		t.Error("trusted and untrusted folders share a database")
	}
	if err := clangdPrepare(setup{cache: filepath.Join(a, "a.c")}, nil); err == nil {
		t.Error("a database was made below a file")
	}
}
