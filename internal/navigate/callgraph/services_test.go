package callgraph_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// shop holds two services that talk by gRPC.
var shop = map[string]string{
	"protos/cart.proto": "syntax = \"proto3\";\npackage shop;\nservice Cart { rpc GetItem(Q) returns (A); rpc " +
		"Drop(Q) returns (A); }\nmessage Q {}\nmessage A {}\n",
	"web/go.mod": "module example.com/web\n",
	"web/main.go": "package main\n\nimport pb \"example.com/web/genproto\"\n\nfunc page() { show() }\n\n" +
		"func show() {\n\tc := pb.NewCartClient(nil)\n" +
		"\tc.GetItem(nil, nil)\n\tc.Drop(nil, nil)\n}\n",
	"cart/pyproject.toml": "[project]\nname = \"cart\"\n",
	"cart/server.py": "import cart_pb2_grpc\n\nclass Cart(cart_pb2_grpc.CartServicer):\n" +
		"    def GetItem(self, request, context):\n        return load(request)\n\n" +
		"def load(request):\n    return None\n",
}

func crossingEdges(a *contract.GraphAnswer, kind code.EdgeKind) (out []contract.Edge) {
	for _, e := range a.Edges {
		if e.Kind == kind {
			out = append(out, e)
		}
	}
	return out
}

func TestGraphCrossesServices(t *testing.T) {
	b := navigatetest.Of(t, shop)
	down := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "page"},
		Direction: contract.DirectionCallees, Depth: 4, View: contract.ViewTree})
	grpc := crossingEdges(down, code.EdgeGRPC)
	if len(grpc) != 1 {
		t.Fatalf("%d edges between services: %+v", len(grpc), down.Edges)
	}
	e := grpc[0]
	if e.Via != "/shop.Cart/GetItem" || e.Site != (contract.Site{File: "web/main.go", StartLine: 9}) ||
		e.RemoteSite == nil || *e.RemoteSite != (contract.Site{File: "cart/server.py", StartLine: 4, EndLine: 5}) ||
		e.Evidence != code.Syntactic {
		t.Errorf("the edge is %+v to %+v", e, e.RemoteSite)
	}
	labels := []string{}
	for _, n := range down.Nodes {
		labels = append(labels, n.SymbolLabel+" in "+n.Service)
	}
	if want := []string{"load in cart", "Cart.GetItem in cart", "show in web"}; slices.ContainsFunc(want,
		func(l string) bool { return !slices.Contains(labels, l) }) {
		t.Errorf("nodes %q, want %q among them", labels, want)
	}
	for _, want := range []string{"Cart.GetItem  cart/server.py:4  [syntactic 0.94] grpc /shop.Cart/GetItem, web → cart", "1 to services without an answer here"} {
		if !strings.Contains(down.Tree, want) {
			t.Errorf("the tree lacks %q:\n%s", want, down.Tree)
		}
	}
	if !slices.ContainsFunc(down.Notes, func(n contract.Note) bool {
		return n.Type == contract.NoteUnresolvedServiceCall && n.Target == "/shop.Cart/Drop" && n.Line == 10
	}) {
		t.Errorf("no note on the call that nothing answers: %+v", down.Notes)
	}
	up := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "load"},
		Direction: contract.DirectionCallers, Depth: 4})
	if back := crossingEdges(up, code.EdgeGRPC); len(back) != 1 || back[0].Src != e.Src || back[0].Dst != e.Dst ||
		back[0].Via != e.Via {
		t.Errorf("from the handler: %+v, want %+v", back, e)
	}
	if !slices.ContainsFunc(up.Nodes, func(n contract.Node) bool { return n.SymbolLabel == "page" }) {
		t.Errorf("the trace ends before the other service's caller: %+v", up.Nodes)
	}
	no := false
	for _, r := range []contract.GraphRequest{{SymbolRef: contract.SymbolRef{SymbolLabel: "show"}},
		{SymbolRef: contract.SymbolRef{SymbolLabel: "Cart.GetItem"}}} {
		r.CrossService, r.Direction = &no, contract.DirectionBoth
		if a := b.Graph(r); len(crossingEdges(a, code.EdgeGRPC)) > 0 ||
			slices.ContainsFunc(a.Notes, func(n contract.Note) bool {
				return n.Type == contract.NoteUnresolvedServiceCall
			}) {
			t.Errorf("crossService false crosses: %+v %+v", a.Edges, a.Notes)
		}
	}
}

// TestGraphCrossesByHTTP traces from a request to an anonymous handler, and on. The host
// is the value of a variable in a manifest.
func TestGraphCrossesByHTTP(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{
		"deploy/config.yaml": "kind: ConfigMap\ndata:\n  ITEMS_ADDR: \"items:8080\"\n",
		"web/pyproject.toml": "[project]\nname = \"web\"\n",
		"web/app.py": "import os\nimport requests\n\nBASE = f\"http://{os.environ['ITEMS_ADDR']}\"\n\n\n" +
			"def show(item):\n    return requests.get(f\"{BASE}/items/{item}\")\n",
		"items/package.json": `{"name": "items", "scripts": {"start": "node server.js"}}`,
		"items/server.js": "const app = require('express')();\nfunction serve() {\n" +
			"  app.get('/items/:id', (req, res) => res.json(load(req.params.id)));\n}\n" +
			"function load(id) { return id; }\n",
		"decoy/package.json": `{"name": "decoy", "scripts": {"start": "node server.js"}}`,
		"decoy/server.js": "const app = require('express')();\napp.get('/items/:id', other);\n" +
			"function other() {}\n",
		"decoy/server.test.js": "app.get('/items/:id', fake);\nfunction fake() {}\n",
	})
	a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "show"},
		Direction: contract.DirectionCallees, Depth: 2, View: contract.ViewTree})
	list := crossingEdges(a, code.EdgeHTTP)
	if len(list) != 1 || list[0].Via != "GET /items/{}" || list[0].Confidence < 0.9 || list[0].RemoteSite == nil ||
		*list[0].RemoteSite != (contract.Site{File: "items/server.js", StartLine: 3, EndLine: 3}) {
		t.Fatalf("edges %+v\n%s", list, a.Tree)
	}
	if want := "serve.GET /items/{id}  items/server.js:3  [syntactic 0.94] http GET /items/{}, web → items"; !strings.Contains(a.Tree, want) || !strings.Contains(a.Tree, "load  items/server.js:5") {
		t.Errorf("the tree lacks %q or what is behind it:\n%s", want, a.Tree)
	}
	up := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "load"},
		Direction: contract.DirectionCallers, Depth: 3})
	if back := crossingEdges(up, code.EdgeHTTP); len(back) != 1 || back[0].Src != list[0].Src {
		t.Errorf("from the handler: %+v", back)
	}
}

// bus holds a service that publishes to two others. The topic is a constant of another
// file.
var bus = map[string]string{
	"shop/pyproject.toml": "[project]\nname = \"shop\"\n",
	"shop/topics.py":      "ORDERS_TOPIC = \"orders.placed\"\n",
	"shop/app.py": "from kafka import KafkaProducer\nfrom topics import ORDERS_TOPIC\n\n" +
		"producer = KafkaProducer()\n\n\ndef place(order):\n    producer.send(ORDERS_TOPIC, order)\n",
	"mail/package.json": `{"name": "mail", "scripts": {"start": "node index.js"}}`,
	"mail/index.js": "const { Kafka } = require('kafkajs');\nconst consumer = new Kafka({}).consumer({ groupId: " +
		"'mail' });\nasync function listen() {\n  await consumer.subscribe({ topic: 'orders.placed' });\n" +
		"  confirm();\n}\nfunction confirm() {}\n",
	"stock/pom.xml": "<project><artifactId>stock</artifactId></project>\n",
	"stock/Stock.java": "import org.springframework.kafka.annotation.KafkaListener;\n\n" +
		"class Stock {\n    @KafkaListener(topics = \"orders.placed\")\n    void reserve(Order o) { take(o); }\n\n" +
		"    void take(Order o) { }\n}\n",
}

// TestGraphCrossesByMessage traces from the publishing function to every consumer and
// back. An edit of the topic's constant removes the edges.
func TestGraphCrossesByMessage(t *testing.T) {
	b := navigatetest.Of(t, bus)
	down := contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "place"},
		Direction: contract.DirectionCallees, Depth: 3, View: contract.ViewTree}
	a := b.Graph(down)
	list := crossingEdges(a, code.EdgeMessage)
	if len(list) != 2 || list[0].Via != "orders.placed" || list[1].Via != "orders.placed" ||
		list[0].Confidence < 0.9 || list[1].Confidence < 0.9 {
		t.Fatalf("edges %+v\n%s", list, a.Tree)
	}
	for _, want := range []string{"listen  mail/index.js:3  [syntactic 0.94] message orders.placed, shop → mail",
		"confirm  mail/index.js:7", "message orders.placed, shop → stock", "Stock.take  stock/Stock.java:7"} {
		if !strings.Contains(a.Tree, want) {
			t.Errorf("the tree lacks %q:\n%s", want, a.Tree)
		}
	}
	up := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "Stock.take"},
		Direction: contract.DirectionCallers, Depth: 3})
	if back := crossingEdges(up, code.EdgeMessage); len(back) != 1 || back[0].Src != list[0].Src {
		t.Errorf("from the consumer: %+v", back)
	}
	if err := os.WriteFile(filepath.Join(b.Dir, "shop/topics.py"), []byte("ORDERS_TOPIC = \"orders.dropped\"\n"),
		0o644); err != nil {
		t.Fatal(err)
	}
	a = b.Graph(down)
	if left := crossingEdges(a, code.EdgeMessage); len(left) > 0 ||
		!slices.ContainsFunc(a.Notes, func(n contract.Note) bool {
			return n.Type == contract.NoteUnresolvedServiceCall && n.Target == "orders.dropped"
		}) {
		t.Errorf("after the edit: %+v %+v", left, a.Notes)
	}
}

// TestCrossingsFollowEdits edits each file that an edge between services depends on.
func TestCrossingsFollowEdits(t *testing.T) {
	crossed := func(b *navigatetest.Bench) int {
		return len(crossingEdges(b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "show"},
			Direction: contract.DirectionCallees}), code.EdgeGRPC))
	}
	for _, edit := range []struct{ file, old, new string }{
		{"protos/cart.proto", "GetItem", "FetchItem"},
		{"web/main.go", "NewCartClient", "NewCardClient"},
		{"cart/server.py", "CartServicer", "CardServicer"},
	} {
		b := navigatetest.Of(t, shop)
		if n := crossed(b); n != 1 {
			t.Fatalf("%d edges before the edit", n)
		}
		path := filepath.Join(b.Dir, edit.file)
		if err := os.WriteFile(path, []byte(strings.Replace(shop[edit.file], edit.old, edit.new, 1)),
			0o644); err != nil {
			t.Fatal(err)
		}
		if n := crossed(b); n != 0 {
			t.Errorf("%s: the edge outlives its evidence", edit.file)
		}
		if err := os.WriteFile(path, []byte(shop[edit.file]), 0o644); err != nil {
			t.Fatal(err)
		}
		if n := crossed(b); n != 1 {
			t.Errorf("%s: the edge does not come back", edit.file)
		}
	}
}

func TestCursorAcrossServices(t *testing.T) {
	b := navigatetest.Of(t, shop)
	r := contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "page"}, Direction: contract.DirectionBoth,
		Depth: 4, Limit: 1}
	got, pages := follow(b, r)
	r.Limit = contract.MaxEdgeLimit
	want, _ := follow(b, r)
	slices.Sort(got)
	slices.Sort(want)
	if pages < 3 || !slices.Equal(got, want) {
		t.Errorf("%d pages of one edge give %q, one page %q", pages, got, want)
	}
}
