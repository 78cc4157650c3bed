package services_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/languages"
)

var update = flag.Bool("update", false, "rewrite what the archives expect")

// TestFacts compares what each file of the archives in testdata/facts says of services with the last lines of
// the archive's comment: the file, the role and the text of each endpoint fact, with "|" for tabs. A comment "no: …" in
// a file marks a neighbour that must say nothing, but for texts and passed arguments, which other files may use.
func TestFacts(t *testing.T) {
	archives, err := filepath.Glob("testdata/facts/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, name := range archives {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		got := said(t, a)
		prose, want, _ := strings.Cut(string(a.Comment), "\n\n")
		if *update {
			a.Comment = []byte(prose + "\n\n" + got + "\n")
			if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
				t.Fatal(err)
			}
		} else if strings.TrimSpace(got) != strings.TrimSpace(want) {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
	}
}

// said returns a line for each endpoint fact of the files of an archive.
func said(t *testing.T, a *txtar.Archive) string {
	t.Helper()
	var lines []string
	for _, file := range a.Files {
		f, err := languages.Extract(file.Name, file.Data)
		if err != nil {
			t.Fatal(err)
		}
		var of []string
		text := strings.Split(string(file.Data), "\n")
		for i := range f.Facts {
			fact := &f.Facts[i]
			if fact.Kind != code.FactEndpoint {
				continue
			}
			line := file.Name + ": " + fact.Name + " " + strings.ReplaceAll(fact.Type, "\t", " | ")
			if !slices.Contains(of, line) {
				of = append(of, line)
			}
			may := fact.Name == l2meta.RoleText || fact.Name == l2meta.RolePass
			if !may && strings.Contains(text[fact.Span.StartLine-1], "no: ") {
				t.Errorf("a line that says nothing was read: %s", line)
			}
		}
		lines = append(lines, of...)
	}
	return strings.Join(lines, "\n")
}
