package search_test

import (
	"strings"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// TestAcronymIsNotMisspelt checks that an acronym in a question is not taken for a misspelt name, and that a name of
// the same letters is.
func TestAcronymIsNotMisspelt(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{
		"a.go": "package a\n\n// HTTPS reports whether the client of HTTP requests is safe.\n" +
			"func HTTPS() bool { return false }\n",
	})
	for query, want := range map[string]bool{"where is the timeout of an HTTP client set": false,
		"where is the timeout of an HTTSP_ client set": true} {
		a := b.Search(contract.SearchRequest{Query: query})
		var names []string
		for _, n := range a.DidYouMean {
			names = append(names, n.SymbolLabel)
		}
		if (len(names) > 0) != want {
			t.Errorf("%s: did you mean %s", query, strings.Join(names, ", "))
		}
	}
}
