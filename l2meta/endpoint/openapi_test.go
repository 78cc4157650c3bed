package endpoint_test

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"sextant/l2meta/languages/languagetest"
)

// TestOpenAPI compares the edges of small workspaces, one for each form of a generated client or
// server, with those in the comment of the archive. If a call has several possible handlers, each
// edge must have a low confidence.
func TestOpenAPI(t *testing.T) {
	for _, file := range archives(t, "testdata/openapi/*.txtar") {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			for _, wrong := range judgeFixture(t, file) {
				t.Error(wrong)
			}
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			write(t, dir, a)
			out, _ := crossings(t, languagetest.Indexed(t, dir))
			handlers := map[string]int{}
			for _, c := range out {
				handlers[c.site]++
			}
			for _, c := range out {
				if handlers[c.site] > 1 && c.confidence > 0.5 {
					t.Errorf("%s has %d handlers, one of %.2f", c.site, handlers[c.site], c.confidence)
				}
			}
		})
	}
}
