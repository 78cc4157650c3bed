package callgraph_test

import (
	"maps"
	"slices"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// TestServiceByName checks that the graph of a service's name or folder has the calls of other services to it, and its
// calls to them, although the compose file declares its name, too; and that these are not those of a part of the
// service, of a function with its name, or of a graph within services.
func TestServiceByName(t *testing.T) {
	files := maps.Clone(shop)
	files["compose.yaml"] = "services:\n  web:\n    build: web\n  cart:\n    build: cart\n"
	files["cart/test_client.py"] = "import cart_pb2_grpc\n\ndef test_get():\n" +
		"    cart_pb2_grpc.CartStub(None).GetItem(None)\n"
	b := navigatetest.Of(t, files)
	edges := func(label, direction string, within bool) (out []string) {
		t.Helper()
		cross := !within
		a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: label},
			Direction: contract.Direction(direction), CrossService: &cross})
		if a.Status != contract.StatusOK {
			t.Fatalf("%s: %+v", label, a.Outcome)
		}
		name := map[string]string{}
		for _, n := range a.Nodes {
			name[n.SymbolID] = n.SymbolLabel
		}
		for _, e := range a.Edges {
			out = append(out, string(e.Kind)+" "+name[e.Src]+" -> "+name[e.Dst]+" "+e.Via)
		}
		return out
	}
	const method = " /shop.Cart/GetItem"
	for label, node := range map[string]string{"cart": "cart", "cart/": "cart", "cart/...": "cart/..."} {
		if got, want := edges(label, "callers", false), []string{"grpc show -> " + node + method}; !slices.Equal(got, want) {
			t.Errorf("callers of %s: %q; want %q", label, got, want)
		}
	}
	got, want := edges("web/", "callees", false), []string{"grpc web -> Cart.GetItem" + method}
	if !slices.Equal(got, want) {
		t.Errorf("callees of web: %q; want %q", got, want)
	}
	if got := edges("cart", "callers", true); len(got) > 0 {
		t.Errorf("within services, the callers of cart are %q", got)
	}
	if got := edges("cart", "callees", false); len(got) > 0 {
		t.Errorf("callees of cart: %q", got)
	}
	b.Write("web/cart.go", "package main\n\nfunc cart() {}\n\nfunc buy() { cart() }\n")
	if got, want := edges("cart", "callers", false), []string{"call buy -> cart "}; !slices.Equal(got, want) {
		t.Errorf("callers of the function cart: %q; want %q", got, want)
	}
}
