package services_test

import (
	"slices"
	"strings"
	"testing"

	"sextant/internal/code"
	"sextant/internal/golden"
	"sextant/l2meta"
	"sextant/l2meta/languages"
)

// TestFacts compares what each file of the archives in testdata/facts says of services with the last lines of
// the archive's comment: the file, the role and the text of each endpoint fact, with "|" for tabs. A comment "no: …" in
// a file marks a neighbour that must say nothing, but for texts and passed arguments, which other files may use.
func TestFacts(t *testing.T) {
	golden.Each(t, "testdata/facts/*.txtar", func(t *testing.T, a *golden.Archive) { a.Comment(t, said(t, a)) })
}

// said returns a line for each endpoint fact of the files of an archive.
func said(t *testing.T, a *golden.Archive) string {
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
