package callgraph_test

import (
	"slices"
	"strings"
	"testing"

	"sextant/internal/compact"
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
			"export function main() { plugin() }\n" +
			"export function boot() {\n  function start() { read() }\n  return start\n}\n",
	})
	trace := func(symbol string, d contract.Direction, v contract.View) *contract.GraphAnswer {
		return b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: symbol}, Direction: d,
			View: v, Depth: 2})
	}
	ask := func(d contract.Direction, v contract.View) *contract.GraphAnswer { return trace("plugin", d, v) }
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
	if alone := trace("boot", contract.DirectionBoth, contract.ViewTree); strings.Contains(alone.Tree, "without callers") {
		t.Errorf("the title is counted as one more:\n%s", alone.Tree)
	}
}

// The function around a nested one belongs to it at every depth: its calls are among the callees, its
// callers among the callers, in the text and in the tree.
func TestNestedFunctionsBelongTogether(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{
		"plugin.ts": "export function clean() {}\nexport function read() { clean() }\n" +
			"export function plugin() {\n  return {\n    load() { read() },\n  }\n}\n" +
			"export function config() { return plugin() }\n",
		"plugin.test.ts": "import { plugin } from './plugin'\n" +
			"test('loads', () => {\n  plugin().load()\n})\n",
	})
	for _, c := range []struct {
		symbol    string
		direction contract.Direction
		text      []string
		tree      string
	}{
		{"config", contract.DirectionCallees, []string{"plugin.ts:3 plugin at 8\n  plugin.ts:2 read at 5 in load\n"},
			"\n   └─ read "},
		{"read", contract.DirectionCallers, []string{"plugin.ts:5 plugin.load\n", "  plugin.ts:8 config -> plugin\n",
			"  plugin.test.ts:3 loads -> plugin\n"}, "\n   └─ config "},
	} {
		req := contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: c.symbol}, Direction: c.direction, Depth: 2,
			Expand: []contract.Fold{contract.FoldTests}}
		text, err := compact.Text(&req, b.Graph(req))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range c.text {
			if !strings.Contains(text, want) {
				t.Errorf("%s of %s lack %q:\n%s", c.direction, c.symbol, want, text)
			}
		}
		req.View = contract.ViewTree
		if tree := b.Graph(req).Tree; !strings.Contains(tree, c.tree) || strings.Contains(tree, "earlier") {
			t.Errorf("%s of %s lack %q:\n%s", c.direction, c.symbol, c.tree, tree)
		}
	}
}
