package endpoint_test

import (
	"testing"

	"golang.org/x/tools/txtar"
	"sextant/l2meta/languages/languagetest"
)

// TestPortsThatAreAsked checks that the requests to a port show which service listens on it only if
// no other service answers any of them, and more than one of its routes does.
func TestPortsThatAreAsked(t *testing.T) {
	a, err := txtar.ParseFile("testdata/idioms/localhost-asked.txtar")
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
	for via, want := range map[string]bool{"GET /orders": true, "POST /orders": true, "GET /levels": false,
		"GET /letters": false, "GET /stamps": false} {
		if got, found := sure[via]; got != want || !found {
			t.Errorf("%s: sure %v, found %v, want sure %v", via, got, found, want)
		}
	}
}
