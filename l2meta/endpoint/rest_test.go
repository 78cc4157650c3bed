package endpoint_test

import (
	"testing"

	"golang.org/x/tools/txtar"
	"sextant/l2meta/languages/languagetest"
)

// TestRestOfAPath checks that a route which answers everything below one segment is only a candidate for a request to
// an unknown host, and that one below two segments is more.
func TestRestOfAPath(t *testing.T) {
	a, err := txtar.ParseFile("testdata/idioms/typescript-next-rest.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write(t, dir, a)
	out, _ := crossings(t, languagetest.Indexed(t, dir))
	sure := map[string]bool{}
	for _, c := range out {
		sure[c.via] = c.confidence > 0.5
	}
	for via, want := range map[string]bool{"ANY /api/{*}": false, "ANY /api/files/{*}": true} {
		if got, found := sure[via]; got != want || !found {
			t.Errorf("%s: sure %v, found %v, want sure %v", via, got, found, want)
		}
	}
}
