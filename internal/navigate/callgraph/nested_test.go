package callgraph_test

import (
	"slices"
	"strings"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// The callees of a function include those of the functions that it declares and hands
// out; its callers do not include theirs.
func TestCalleesOfNestedFunctions(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{
		"plugin.ts": "export function read() {}\nexport function clean() {}\nfunction load() { clean() }\n" +
			"export function plugin() {\n  read()\n  async function init() { load() }\n  return {\n    init,\n" +
			"    transform(code: string) { return clean() },\n  }\n}\n" +
			"export function main() { plugin() }\n",
	})
	ask := func(d contract.Direction, v contract.View) *contract.GraphAnswer {
		return b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "plugin"}, Direction: d,
			View: v, Depth: 2})
	}
	down := ask(contract.DirectionCallees, contract.ViewTree)
	var called []string
	for _, n := range down.Nodes {
		called = append(called, n.SymbolLabel)
	}
	for _, want := range []string{"read", "load", "clean"} {
		if !slices.Contains(called, want) {
			t.Errorf("callees are %q, without %s", called, want)
		}
	}
	if !strings.Contains(down.Tree, "nested function") {
		t.Errorf("the tree does not say so:\n%s", down.Tree)
	}
	up := ask(contract.DirectionCallers, contract.ViewTree)
	if len(up.Edges) != 1 || strings.Contains(up.Tree, "nested") {
		t.Errorf("%d callers:\n%s", len(up.Edges), up.Tree)
	}
	if both := ask(contract.DirectionBoth, contract.ViewTree); strings.Contains(both.Tree, "not looked at") {
		t.Errorf("both:\n%s", both.Tree)
	}
}
