package endpoint_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	"sextant/l2meta/languages/languagetest"
)

// TestInlineHandlersMakeTheirRequests checks that the requests in an anonymous handler belong to
// the symbol of its route, not to the function that registers the route. TestFixtures checks the
// edges.
func TestInlineHandlersMakeTheirRequests(t *testing.T) {
	a, err := txtar.ParseFile("testdata/inline.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write(t, dir, a)
	out, _ := crossings(t, languagetest.Indexed(t, dir))
	var made []string
	for _, c := range out {
		made = append(made, fmt.Sprintf("made %s by %s", c.site, c.caller))
	}
	for line := range strings.Lines(string(a.Comment)) {
		if want := strings.TrimSpace(line); strings.HasPrefix(want, "made ") && !slices.Contains(made, want) {
			t.Errorf("missing %q among\n%s", want, strings.Join(made, "\n"))
		}
	}
}
