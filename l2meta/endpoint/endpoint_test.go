package endpoint_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	"sextant/l2meta/languages"
	"sextant/l2meta/languages/languagetest"
	"sextant/l2meta/resolve"
)

// write writes the files of an archive into a folder.
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

// compare orders crossings.
func (c crossing) compare(o crossing) int {
	return strings.Compare(fmt.Sprint(c), fmt.Sprint(o))
}

// line returns a crossing in the notation of the archives.
func (c crossing) line() string {
	switch {
	case c.handler == "":
		return fmt.Sprintf("unanswered %s %s", c.site, c.via)
	case c.confidence < 0.9:
		return fmt.Sprintf("candidate %s %s -> %s %s", c.kind, c.site, c.handler, c.via)
	}
	return fmt.Sprintf("expect %s %s -> %s %s", c.kind, c.site, c.handler, c.via)
}

// TestFixtures checks that the edges between the services of small workspaces are exactly those in
// the comment of the archive, as found from the clients and from the handlers.
func TestFixtures(t *testing.T) {
	for _, file := range archives(t, "testdata/*.txtar") {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			for _, wrong := range judgeFixture(t, file) {
				t.Error(wrong)
			}
		})
	}
}

// TestIdioms does the same as TestFixtures for one small workspace per client and server library,
// named "language-library". The rules were written without knowledge of the workspaces whose names
// start with "held-".
func TestIdioms(t *testing.T) {
	known := strings.Fields(unsupported)
	for _, file := range archives(t, "testdata/idioms/*.txtar") {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wrong := judgeFixture(t, file)
			if slices.Contains(known, name) {
				if len(wrong) == 0 {
					t.Error("it is supported now: remove it from the list")
				}
				return
			}
			for _, w := range wrong {
				t.Error(w)
			}
		})
	}
}

// TestURLs does the same as TestFixtures for the ways of each language to compose a URL.
func TestURLs(t *testing.T) {
	for _, file := range archives(t, "testdata/urls/*.txtar") {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			for _, wrong := range judgeFixture(t, file) {
				t.Error(wrong)
			}
		})
	}
}

func archives(t testing.TB, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	return files
}

// judgeFixture returns the differences between the crossings of an archive and those in its
// comment.
func judgeFixture(t *testing.T, file string) []string {
	t.Helper()
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write(t, dir, a)
	root, cache := languagetest.Indexed(t, dir), resolve.NewCache(languages.All, nil)
	found, err := crossingsWithin(t.Context(), root, cache, false)
	if err != nil {
		t.Fatal(err)
	}
	prepared, err := crossingsWithin(t.Context(), root, cache, true)
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(found.in, crossing.compare)
	slices.SortFunc(prepared.in, crossing.compare)
	if !reflect.DeepEqual(prepared, found) {
		t.Errorf("%s: after Prepare, Pack and Unpack, the edges are %+v, before it %+v", file, prepared, found)
	}
	var want, got, back []string
	for line := range strings.Lines(string(a.Comment)) {
		if w := strings.TrimSpace(line); strings.HasPrefix(w, "expect ") || strings.HasPrefix(w, "candidate ") ||
			strings.HasPrefix(w, "unanswered ") {
			want = append(want, w)
		}
	}
	for _, c := range found.out {
		got = append(got, c.line())
	}
	for _, c := range found.in {
		back = append(back, c.line())
	}
	answered := slices.DeleteFunc(slices.Clone(want),
		func(w string) bool { return strings.HasPrefix(w, "unanswered ") })
	return append(compare("from the client", got, want), compare("from the handler", back, answered)...)
}

func compare(from string, got, want []string) (wrong []string) {
	for _, w := range want {
		if !slices.Contains(got, w) {
			wrong = append(wrong, from+": missing "+w)
		}
	}
	for _, g := range got {
		if !slices.Contains(want, g) {
			wrong = append(wrong, from+": not expected: "+g)
		}
	}
	return wrong
}
