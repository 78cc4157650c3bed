package callgraph_test

import (
	"slices"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// TestUncoveredLanguages checks that only languages whose code may call the symbol are reported as
// not covered: HTML for a function of JavaScript, but not style sheets, SQL or Terraform.
func TestUncoveredLanguages(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{
		"a.go":      "package a\n\nfunc loneGo() {}\n",
		"a.js":      "export function loneScript() {}\n",
		"a.scss":    "@mixin lone-mixin { color: red; }\n",
		"b.scss":    "@use 'a';\n.b { @include a.lone-mixin; }\n",
		"page.html": "<script>loneScript()</script>\n",
		"main.tf":   "resource \"a\" \"lone\" {}\n",
		"a.sql":     "CREATE FUNCTION lone_sql() RETURNS int AS 'SELECT 1' LANGUAGE sql;\n",
	})
	for label, want := range map[string][]string{"loneGo": nil, "loneScript": {"html"}} {
		a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: label},
			Direction: contract.DirectionCallers})
		if e := a.InboundCoverageEvidence; e == nil || !slices.Equal(e.UncoveredLanguages, want) {
			t.Errorf("%s: the evidence is %+v, %v", label, e, a.Status)
		}
	}
}
