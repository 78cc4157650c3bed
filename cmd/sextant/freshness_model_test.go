package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// picture is the state of a workspace at one moment, found by walking it and by
// git's own reading of the ignore rules, without the code under test.
type picture struct {
	texts    map[string]string // contents of the files that searches must find
	withheld map[string]bool   // files that cannot be read, and all files below such directories
	locked   []string          // files and directories without read permission
	rules    map[string]string // contents of the ignore files

	places map[string][]string // FILE:LINE of every token and name

	checkouts  map[string]string // role of each checkout in the one around it, see partOf
	submodules []string          // outer ones first
}

// lineAt formats a place as FILE:LINE.
func lineAt(file string, line int) string { return fmt.Sprintf("%s:%d", file, line) }

// look returns the present state of the workspace dir.
func look(t testing.TB, dir string) picture {
	t.Helper()
	p := picture{texts: map[string]string{}, withheld: map[string]bool{},
		rules: map[string]string{}, places: map[string][]string{}, checkouts: map[string]string{}}
	err := filepath.WalkDir(dir, func(abs string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrPermission) {
			return nil
		}
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, abs)
		if err != nil {
			return err
		}
		if d.Name() == ".git" {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if !d.IsDir() && !d.Type().IsRegular() {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if info.Mode()&0o444 == 0 {
			p.locked = append(p.locked, rel)
		}
		under := slices.ContainsFunc(p.locked, func(l string) bool { return rel == l || strings.HasPrefix(rel, l+"/") })
		if d.IsDir() && rel != "." && !under && isRepository(abs) && p.enter(t, dir, rel) == "apart" {
			return fs.SkipDir
		}
		switch {
		case d.IsDir():
		case under:
			p.withheld[rel] = true
		default:
			text, err := os.ReadFile(abs)
			if err != nil {
				return err
			}
			p.texts[rel] = string(text)
			if d.Name() == ".gitignore" {
				p.rules[rel] = string(text)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	p.drop(t, dir)
	p.place()
	return p
}

// place records the places of every token and name.
func (p *picture) place() {
	for file, text := range p.texts {
		for i, line := range strings.Split(text, "\n") {
			for _, word := range slices.Concat(tokenPattern.FindAllString(line, -1),
				namePattern.FindAllString(line, -1)) {
				p.places[word] = append(p.places[word], lineAt(file, i+1))
			}
		}
	}
}

// ignored returns those of files that git's rules ignore. Tracked files are
// never ignored.
func ignored(t testing.TB, dir string, files []string) []string {
	t.Helper()
	if len(files) == 0 {
		return nil
	}
	cmd := gitCommand(dir, "check-ignore", "-z", "--stdin")
	cmd.Stdin = strings.NewReader(strings.Join(files, "\x00") + "\x00")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil && (cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != 1) { // 1: git ignores none of them
		t.Fatalf("git check-ignore: %v\n%s", err, stderr.String())
	}
	return strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 })
}

// lines returns the text of lines first to last (from 1) of a file. It reports
// false if the file lacks them.
func (p picture) lines(file string, first, last int) (string, bool) {
	text, ok := p.texts[file]
	lines := strings.SplitAfter(text, "\n")
	if last := len(lines) - 1; lines[last] == "" && last > 0 {
		lines = lines[:last]
	}
	if !ok || first < 1 || last < first || last > len(lines) {
		return "", false
	}
	return strings.Join(lines[first-1:last], ""), true
}

// changed returns the words and files that differ between two pictures.
func changed(before, after picture) (gone, fresh, files []string) {
	for word, at := range before.places {
		if !slices.Equal(at, after.places[word]) {
			gone = append(gone, word)
		}
	}
	for word, at := range after.places {
		if !slices.Equal(at, before.places[word]) {
			fresh = append(fresh, word)
		}
	}
	for file, text := range after.texts {
		if old, ok := before.texts[file]; !ok || old != text {
			files = append(files, file)
		}
	}
	for file := range before.texts {
		if _, ok := after.texts[file]; !ok {
			files = append(files, file)
		}
	}
	for _, s := range [][]string{gone, fresh, files} {
		slices.Sort(s) // the same seed must make the same calls
	}
	return gone, fresh, files
}

// declarations returns the line of each name that the text declares. whole
// reports whether the text consists of complete blocks, so that every parser
// must agree.
func declarations(file, text string) (at map[string]int, whole bool) {
	body, ok := blocks[filepath.Ext(file)]
	if !ok {
		return nil, false
	}
	if !body.MatchString(text) {
		return nil, false
	}
	at = map[string]int{}
	for i, line := range strings.Split(text, "\n") {
		if name := namePattern.FindString(line); name != "" {
			at[name] = i + 1
		}
	}
	return at, true
}

// blocks match any number of the blocks that editor.block writes, by extension.
var blocks = map[string]*regexp.Regexp{
	".go": regexp.MustCompile(
		`\Apackage p\n\n(// It says uq\d{7}z\.\nfunc Sym\d{7}\(\) int \{\n\treturn \d // uq\d{7}z\n\}\n)*\z`),
	".py": regexp.MustCompile(`\A(def Sym\d{7}\(\):\n    return \d  # uq\d{7}z\n)*\z`),
	".ts": regexp.MustCompile(`\A(export function Sym\d{7}\(\): number \{\n  return \d; // uq\d{7}z\n\}\n)*\z`),
}
