package endpoint_test

import (
	"testing"

	"golang.org/x/tools/txtar"
	"sextant/l2meta/languages/languagetest"
)

// checkSureness checks whether the edges of an archive of testdata/idioms, given by what they request, are more than
// candidates.
func checkSureness(t *testing.T, archive string, want map[string]bool) {
	t.Helper()
	a, err := txtar.ParseFile("testdata/idioms/" + archive)
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
	for via, want := range want {
		if got, found := sure[via]; got != want || !found {
			t.Errorf("%s: sure %v, found %v, want sure %v", via, got, found, want)
		}
	}
}

// TestPortsThatAreAsked checks that the requests to a port show which service listens on it only if
// no other service answers any of them, and more than one of its routes does.
func TestPortsThatAreAsked(t *testing.T) {
	checkSureness(t, "localhost-asked.txtar", map[string]bool{"GET /orders": true, "POST /orders": true,
		"GET /levels": false, "GET /letters": false, "GET /stamps": false})
}

// TestRestOfAPath checks that a route which answers everything below one segment is only a candidate for a request to
// an unknown host, and that one below two segments is more.
func TestRestOfAPath(t *testing.T) {
	checkSureness(t, "typescript-next-rest.txtar", map[string]bool{"ANY /api/{*}": false, "ANY /api/files/{*}": true})
}

// TestForeignBase checks that a route which answers a request below an unknown address is only a candidate if no route
// answers most other requests below that address.
func TestForeignBase(t *testing.T) {
	checkSureness(t, "foreign-base.txtar", map[string]bool{"GET /v1/orgs/{}": true, "POST /v1/orgs": true,
		"GET /v1/codes/{}": false})
}

// TestRouteOfVariables checks that a route without any text is only a candidate for a request to an unknown host.
func TestRouteOfVariables(t *testing.T) {
	checkSureness(t, "common-paths.txtar", map[string]bool{"GET /{}/{}": false})
}
