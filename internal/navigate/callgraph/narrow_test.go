package callgraph_test

import (
	"strings"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// TestNarrowPagesEnd checks that the pages of a graph end although no answer keeps to the budget, and that a page with
// the last edge is not said to be cut.
func TestNarrowPagesEnd(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{"a/a.go": "package a\n\nfunc F() { g() }\n\nfunc g() {}\n\n" +
		"func Lone() {}\n"})
	for label, edges := range map[string]int{"g": 1, "Lone": 0, "a": 0} {
		req := contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: label},
			Delivery: contract.Delivery{MaxTokens: contract.MinMaxTokens, Format: contract.FormatJSON}}
		a := b.Graph(req)
		if a.Status != contract.StatusOK || len(a.Edges) != edges || a.Truncated != nil || a.Cursor != "" {
			t.Errorf("%s: %+v, %d edges, truncated %+v, cursor %q", label, a.Outcome, len(a.Edges), a.Truncated, a.Cursor)
		}
	}
}

// TestBodiesOfLongLines checks that the body of a function in minified code does not exceed the budget.
func TestBodiesOfLongLines(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{"a.js": "function m(t){return n(t)};function n(t){return m(t)};" +
		strings.Repeat("var a=function(){return 'token'};", 3000) + "\n"})
	req := contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "m"}, Detail: contract.DetailBodies,
		Delivery: contract.Delivery{MaxTokens: 4000, Format: contract.FormatJSON}}
	a := b.Graph(req)
	if cost := contract.Cost(a); a.Status != contract.StatusOK || len(a.Bodies) != 2 || cost > req.MaxTokens {
		t.Errorf("%+v: %d bodies, %d tokens", a.Outcome, len(a.Bodies), cost)
	}
}
