package endpoint_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	"sextant/l2meta/languages/languagetest"
)

// write puts the files of an archive into a folder.
func write(t *testing.T, dir string, a *txtar.Archive) {
	t.Helper()
	for _, f := range a.Files {
		path := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// line is a crossing as the archives write it.
func (c crossing) line() string {
	switch {
	case c.handler == "":
		return fmt.Sprintf("unanswered %s %s", c.site, c.via)
	case c.confidence < 0.9:
		return fmt.Sprintf("candidate %s %s -> %s %s", c.kind, c.site, c.handler, c.via)
	}
	return fmt.Sprintf("expect %s %s -> %s %s", c.kind, c.site, c.handler, c.via)
}

// TestFixtures compares the crossings of small workspaces with what their
// comments expect, exactly, from both ends.
func TestFixtures(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			write(t, dir, a)
			out, in := crossings(t, languagetest.Indexed(t, dir))
			var want, got, back []string
			for line := range strings.Lines(string(a.Comment)) {
				if w := strings.TrimSpace(line); strings.HasPrefix(w, "expect ") || strings.HasPrefix(w, "candidate ") || strings.HasPrefix(w, "unanswered ") {
					want = append(want, w)
				}
			}
			for _, c := range out {
				got = append(got, c.line())
			}
			for _, c := range in {
				back = append(back, c.line())
			}
			compare(t, "from the client", got, want)
			compare(t, "from the handler", back, slices.DeleteFunc(slices.Clone(want), func(w string) bool { return strings.HasPrefix(w, "unanswered ") }))
		})
	}
}

func compare(t *testing.T, what string, got, want []string) {
	t.Helper()
	for _, w := range want {
		if !slices.Contains(got, w) {
			t.Errorf("%s: missing %s", what, w)
		}
	}
	for _, g := range got {
		if !slices.Contains(want, g) {
			t.Errorf("%s: not expected: %s", what, g)
		}
	}
}
