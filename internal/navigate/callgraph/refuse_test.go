package callgraph_test

import (
	"strings"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
	"sextant/jit"
)

// TestLanguagesWithoutCallsAreRefused checks that a language whose calls are not known is refused:
// nothing would support the answer "no callers" for a stored procedure.
func TestLanguagesWithoutCallsAreRefused(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{
		"db.sql":    "CREATE PROCEDURE settle_order(id INT)\nBEGIN\n  SELECT 1;\nEND;\n",
		"site.css":  ".cart { color: red; }\n",
		"App.swift": "func open() {}\n",
		"run.sh":    "#!/bin/bash\nstart() { true; }\nstart\n",
		"main.py":   "def run():\n    pass\n",
	})
	for label, in := range map[string]string{"settle_order": "db.sql", ".cart": "site.css", "open": "App.swift",
		"start": "run.sh", "site.css": "site.css"} {
		a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: label, File: in}})
		if a.Status != contract.StatusUnsupported || a.Reason != contract.ReasonUnsupportedLanguage || a.Supported ||
			len(a.Nodes) > 0 {
			t.Errorf("%s: %+v", label, a.Outcome)
		}
		if a.Hints == nil || !strings.HasPrefix(a.Hints.NextSteps[0].Args.(*contract.SearchRequest).Query, "must:") {
			t.Errorf("%s leads nowhere: %+v", label, a.Hints)
		}
	}
	for file, supported := range map[string]bool{"db.sql": false, "site.css": false, "App.swift": false,
		"run.sh": false, "main.py": true} {
		for _, s := range b.Outline(file).Outline.Symbols {
			if s.CallGraphHint.Supported != supported {
				t.Errorf("%s of %s has the hint %+v", s.SymbolLabel, file, s.CallGraphHint)
			}
		}
	}
}

// TestFileThatIsNotParsedIsRefused checks that a file on which the parser gave up is refused for
// that reason, and not as an unknown name.
func TestFileThatIsNotParsedIsRefused(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{"deep/table.go": "package deep\n",
		"main.go": "package main\n\nfunc main() {}\n"})
	root, _, err := b.Roots.Resolve(t.Context(), b.Dir)
	if err != nil {
		t.Fatal(err)
	}
	err = root.Keep(t.Context(), func(tx *jit.Tx) error {
		_, err := tx.Exec(t.Context(), "UPDATE files SET parsed=0, bad_bytes=13 WHERE path='deep/table.go'")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, label := range []string{"table.go", "deep/table.go"} {
		a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: label}})
		if a.Reason != contract.ReasonNotParsed || !strings.Contains(a.Message, "gave up on deep/table.go") ||
			len(a.Nodes) > 0 {
			t.Errorf("%s: %+v with %d nodes", label, a.Outcome, len(a.Nodes))
		}
	}
}

// TestRPCLeadsToItsEnds checks that for a method declared in a .proto file, its handlers and
// callers are suggested.
func TestRPCLeadsToItsEnds(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{
		"go.mod": "module shop\n\ngo 1.24\n",
		"pb/cart.proto": "syntax = \"proto3\";\npackage shop;\noption go_package = \"shop/pb\";\nservice Cart {\n" +
			"  rpc GetItem(Item) returns (Item);\n}\nmessage Item {}\n",
		"cart/server.go": "package main\n\nimport \"shop/pb\"\n\ntype server struct{ pb.UnimplementedCartServer " +
			"}\n\nfunc (s *server) GetItem(i *pb.Item) (*pb.Item, error) { return i, nil }\n",
		"front/client.go": "package main\n\nimport \"shop/pb\"\n\nfunc show(c pb.CartClient) { c.GetItem(nil) }\n",
	})
	a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "Cart.GetItem",
		File: "pb/cart.proto"}, Depth: 2})
	if a.Status != contract.StatusUnsupported || len(a.Candidates) != 2 ||
		a.Candidates[0].SymbolLabel != "server.GetItem" || a.Candidates[1].SymbolLabel != "show" {
		t.Fatalf("%+v, candidates %+v", a.Outcome, a.Candidates)
	}
	next := a.Hints.NextSteps[0].Args.(*contract.GraphRequest)
	if next.SymbolRef.SymbolID != a.Candidates[0].SymbolID || next.Depth != 2 {
		t.Errorf("the first step is %+v", next)
	}
	if again := b.Graph(*next); again.Status != contract.StatusOK || len(again.Edges) == 0 {
		t.Errorf("the first step leads to %+v", again.Outcome)
	}
}
