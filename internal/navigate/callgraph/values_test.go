package callgraph_test

import (
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// TestPropertiesAreCalled checks that a property with code has callers and callees, and that the
// answer on a value states that reads are not traced.
func TestPropertiesAreCalled(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{
		"order.py": "LIMIT = 3\n\nclass Order:\n    @property\n    def total(self):\n        return add(LIMIT)\n\n" +
			"def add(x):\n    return x\n",
		"use.py": "from order import Order\n\ndef show(o: Order):\n    print(o.total)\n",
	})
	for _, c := range []struct{ label, src, dst string }{
		{"Order.total", "show", "Order.total"},
		{"Order.total", "Order.total", "add"},
		{"add", "Order.total", "add"},
		{"show", "show", "Order.total"},
	} {
		a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: c.label}})
		names := map[string]string{}
		for _, n := range a.Nodes {
			names[n.SymbolID] = n.SymbolLabel
		}
		found := false
		for _, e := range a.Edges {
			found = found || names[e.Src] == c.src && names[e.Dst] == c.dst
		}
		if !found {
			t.Errorf("the graph of %s lacks %s -> %s: %+v", c.label, c.src, c.dst, a.Edges)
		}
	}
	for label, value := range map[string]bool{"LIMIT": true, "Order": false} {
		a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: label},
			Direction: contract.DirectionCallers})
		if e := a.InboundCoverageEvidence; e == nil || e.UsesNotTraced != value {
			t.Errorf("%s: %+v", label, e)
		}
	}
}
