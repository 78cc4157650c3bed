package search_test

import (
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// TestQuotedTextEndsThePage checks that a query that is one quoted text is answered by the lines that have it,
// without code that shares its words. A message without quotes could also be words of a question, so that the
// other results stay, without source that only repeats their headings.
func TestQuotedTextEndsThePage(t *testing.T) {
	files := crowded()
	files["odd/lock.go"] = "package odd\n\nfunc refuse() string {\n\tif true {\n\t\tprintln()\n\t}\n" +
		"\treturn \"tenant of this request is locked\"\n}\n"
	b := navigatetest.Of(t, files)
	for query, alone := range map[string]bool{`"tenant of this request is locked"`: true,
		"tenant of this request is locked": false} {
		a := b.Search(contract.SearchRequest{Query: query})
		if g := a.Results[0].(*contract.Group); g.SymbolLabel != "refuse" {
			t.Errorf("%s: first is %s", query, g.SymbolLabel)
		}
		if (len(a.Results) == 1) != alone {
			t.Errorf("%s: %d results", query, len(a.Results))
		}
	}
}
