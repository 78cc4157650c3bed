package callgraph_test

import (
	"slices"
	"strings"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// parseErrors returns the PARSE_ERRORS warning of a list, "" for none.
func parseErrors(list []string) string {
	if i := slices.IndexFunc(list, func(w string) bool { return strings.HasPrefix(w, "PARSE_ERRORS:") }); i >= 0 {
		return list[i]
	}
	return ""
}

// TestGraphSaysWhatCouldNotBeParsed checks that answers on callers, callees or a name warn of a
// part of a file that the grammar could not parse, unless it cannot affect them. Calls in that part
// are not in the index.
func TestGraphSaysWhatCouldNotBeParsed(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{
		"lib.py": "def lost():\n    pass\n\n\ndef kept():\n    pass\n\n\ndef fine():\n    kept()\n",
		"broken.py": "from lib import lost, kept\n\ndef before():\n    kept()\n\n" +
			"def around(:\n    )) = lost(1 ]]] lost( ((\n",
		"other.rb": "def x(\n  lost ((( = \n",
	})
	for _, c := range []struct {
		label, direction string
		warned           bool
	}{
		{"lost", "callers", true},
		{"kept", "callers", false},
		{"before", "callees", true},
		{"fine", "callees", false},
	} {
		a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: c.label},
			Direction: contract.Direction(c.direction)})
		if a.Status != contract.StatusOK {
			t.Fatalf("%s: %+v", c.label, a.Outcome)
		}
		got := parseErrors(a.Warnings)
		if strings.Contains(got, "broken.py (") != c.warned || strings.Contains(got, "other.rb") {
			t.Errorf("%s of %s: %q", c.direction, c.label, a.Warnings)
		}
	}
}

// TestSearchSaysWhatCouldNotBeParsed checks that a declaration that the grammar could not parse is
// found as text, with a warning.
func TestSearchSaysWhatCouldNotBeParsed(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{
		"whole.py":  "def shipping_total():\n    return 1\n",
		"broken.py": "def around(:\n    )) = 1 ]]]\n    tax_total = lost( ((\n",
	})
	for query, warned := range map[string]bool{"shipping_total": false, "tax_total": true} {
		a := b.Search(contract.SearchRequest{Query: query, Limit: 1})
		at := slices.IndexFunc(a.Warnings, func(w contract.Warning) bool { return w.Code == "PARSE_ERRORS" })
		if (at >= 0) != warned || warned && !strings.Contains(a.Warnings[at].Message, "broken.py (") {
			t.Errorf("%s: %+v", query, a.Warnings)
		}
	}
}
