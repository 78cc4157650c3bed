// Package golden compares the results of tests with files that are kept beside them. With the flag -update, the tests
// write those files instead; read the difference before you commit it:
//
//	go test ./internal/deployable -run TestFind -update
//
// A result is kept in a file of its own ([File]), at the end of the comment of an archive of files ([Archive.Comment]),
// or in a file of the archive ([Archive.Answer]). It is a package for tests alone.
package golden

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write the golden files of the tests that run, instead of comparing with them")

// Updating reports whether tests write their golden files.
func Updating() bool { return *update }

// File compares got with the text of a golden file. With -update it writes the file, in a folder that it makes if need
// be.
func File(t testing.TB, path, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, path, []byte(got))
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	compare(t, path, got, string(want))
}

// Archive is an archive of files in txtar format, with a result of a test.
type Archive struct {
	*txtar.Archive
	path string
}

// Each runs test as a subtest for each archive whose path matches a pattern of filepath.Glob. The subtest has the name
// of the file, without its ending. Each fails if no archive matches.
func Each(t *testing.T, pattern string, test func(t *testing.T, a *Archive)) {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no archives match %s: %v", pattern, err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			test(t, &Archive{Archive: a, path: path})
		})
	}
}

// Comment compares got with that part of the archive's comment which follows its first empty line. The part before says
// what the archive is for. Space around both texts does not count.
func (a *Archive) Comment(t testing.TB, got string) {
	t.Helper()
	got = strings.TrimSpace(got)
	prose, want, _ := strings.Cut(string(a.Archive.Comment), "\n\n")
	if *update {
		a.Archive.Comment = []byte(prose + "\n\n" + got + "\n")
		write(t, a.path, txtar.Format(a.Archive))
		return
	}
	compare(t, a.path, got, strings.TrimSpace(want))
}

// Answer compares got with the text of the archive's file of that name, which must exist.
func (a *Archive) Answer(t testing.TB, name, got string) {
	t.Helper()
	for i := range a.Files {
		file := &a.Files[i]
		if file.Name != name {
			continue
		}
		if *update {
			file.Data = []byte(got)
			write(t, a.path, txtar.Format(a.Archive))
			return
		}
		compare(t, a.path+", "+name, got, string(file.Data))
		return
	}
	t.Fatalf("%s has no file %s", a.path, name)
}

func write(t testing.TB, path string, text []byte) {
	t.Helper()
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

// compare fails a test if two texts differ, with the first line that does.
func compare(t testing.TB, where, got, want string) {
	t.Helper()
	if d := Difference(got, want); d != "" {
		t.Errorf("%s differs in %s\nrun %s with -update and read the difference", where, d, t.Name())
	}
}

// Difference returns the first line in which two texts differ, as "line 3\n got: a\nwant: b". It returns "" if they are
// equal. A line that a text lacks is shown as "(none)".
func Difference(got, want string) string {
	g, w := strings.SplitAfter(got, "\n"), strings.SplitAfter(want, "\n")
	for i := range max(len(g), len(w)) {
		is, should := line(g, i), line(w, i)
		if is != should {
			return fmt.Sprintf("line %d\n got: %s\nwant: %s", i+1, is, should)
		}
	}
	return ""
}

// line returns line i, from 0, without its end; a last line without one is marked.
func line(lines []string, i int) string {
	if i >= len(lines) || i == len(lines)-1 && lines[i] == "" {
		return "(none)"
	}
	text, ended := strings.CutSuffix(lines[i], "\n")
	if !ended {
		text += " (without a line break)"
	}
	return text
}
