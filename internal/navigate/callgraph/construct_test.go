package callgraph_test

import (
	"slices"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// TestInheritedConstructor: a function that instantiates a class without a constructor
// calls the class, and by dispatch the inherited constructor.
func TestInheritedConstructor(t *testing.T) {
	b := navigatetest.Of(t,
		map[string]string{"a.py": "class Base:\n    def __init__(self, n):\n        pass\n\n\n" +
			"class Child(Base):\n    pass\n\n\ndef use():\n    return Child(1)\n"})
	made, runs := "use call Child", "use dynamic Base.__init__"
	for _, c := range []struct {
		label, direction string
		want             []string
	}{
		{"Child", "callers", []string{made}},
		{"Base.__init__", "callers", []string{runs}},
		{"Base", "callers", []string{runs}},
		{"use", "callees", []string{made, runs}},
	} {
		if got := edgesNextTo(b, c.label, c.direction); !slices.Equal(got, c.want) {
			t.Errorf("%s of %s: %q, want %q", c.direction, c.label, got, c.want)
		}
	}
}

// TestGivenFunction checks that a call of a property may run the functions that are assigned to it
// in object literals: p.onDone(1) runs save, given by `use({ onDone: save })`.
func TestGivenFunction(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{"a.ts": `interface Props { onDone: (n: number) => void }
function use(p: Props) { p.onDone(1) }
function save(n: number) {}
function give() { use({ onDone: save }) }
`})
	calls, runs, given := "use call Props.onDone", "use dynamic save", "Props.onDone dynamic save"
	for _, c := range []struct {
		label, direction string
		want             []string
	}{
		{"save", "callers", []string{given, runs}},
		{"Props.onDone", "callers", []string{calls}},
		{"Props.onDone", "callees", []string{given}},
		{"use", "callees", []string{calls, runs}},
	} {
		if got := edgesNextTo(b, c.label, c.direction); !slices.Equal(got, c.want) {
			t.Errorf("%s of %s: %q, want %q", c.direction, c.label, got, c.want)
		}
	}
}

// edgesNextTo returns the edges next to a symbol, as "caller kind callee".
func edgesNextTo(b *navigatetest.Bench, label, direction string) (out []string) {
	a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: label},
		Direction: contract.Direction(direction), Depth: 1})
	name := map[string]string{}
	for _, n := range a.Nodes {
		name[n.SymbolID] = n.SymbolLabel
	}
	for _, e := range a.Edges {
		out = append(out, name[e.Src]+" "+string(e.Kind)+" "+name[e.Dst])
	}
	slices.Sort(out)
	return out
}
