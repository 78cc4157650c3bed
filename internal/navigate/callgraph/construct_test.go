package callgraph_test

import (
	"slices"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// TestInheritedConstructor: who makes an object of a class without a constructor
// is a caller of the class, and of the constructor that runs.
func TestInheritedConstructor(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{"a.py": "class Base:\n    def __init__(self, n):\n        pass\n\n\nclass Child(Base):\n    pass\n\n\ndef use():\n    return Child(1)\n"})
	edges := func(label, direction string) (out []string) {
		a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: label}, Direction: direction, Depth: 1})
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
		if got := edges(c.label, c.direction); !slices.Equal(got, c.want) {
			t.Errorf("%s of %s: %q, want %q", c.direction, c.label, got, c.want)
		}
	}
}
