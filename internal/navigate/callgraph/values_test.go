package callgraph_test

import (
	"fmt"
	"strings"
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

// TestRegisteredHandlersAreShown checks that the text about a function that takes others as values names them, unless
// they are many.
func TestRegisteredHandlersAreShown(t *testing.T) {
	for handlers, shown := range map[int]int{7: 7, 30: 0} {
		var text strings.Builder
		text.WriteString("package p\n\nfunc add(f func()) {}\n\nfunc routes() {\n")
		for i := range handlers {
			fmt.Fprintf(&text, "\tadd(handle%d)\n", i)
		}
		text.WriteString("}\n")
		for i := range handlers {
			fmt.Fprintf(&text, "\nfunc handle%d() {}\n", i)
		}
		b := navigatetest.Of(t, map[string]string{"go.mod": "module m\n", "p.go": text.String()})
		req := contract.GraphRequest{Path: b.Dir, SymbolRef: contract.SymbolRef{SymbolLabel: "routes"},
			Direction: contract.DirectionCallees, Verify: contract.VerifyOff,
			Delivery: contract.Delivery{Format: contract.FormatText}}
		answer, _ := textOf(t, b, req)
		if n := strings.Count(answer, "as a value"); n != shown {
			t.Errorf("of %d handlers %d are shown, want %d:\n%s", handlers, n, shown, answer)
		}
	}
}
