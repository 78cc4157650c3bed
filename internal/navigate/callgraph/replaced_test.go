package callgraph_test

import (
	"slices"
	"sync"
	"testing"

	"sextant/internal/navigate"
	"sextant/internal/navigate/callgraph/proof"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// interruption is a prover without servers. It calls do when a walk first asks for one,
// which is after the walk has begun to read the index.
type interruption struct {
	proof.Prover
	once sync.Once
	do   func()
}

func (i *interruption) Server(string, string) proof.ServerInfo {
	i.once.Do(i.do)
	return proof.ServerInfo{}
}

func (i *interruption) Pool() contract.L3State { return contract.L3State{} }

// TestFileReplacedDuringTheWalk has another call index an edit while a graph is walked.
// The row of the file is up to date when the graph is verified; the walk has read the row
// before.
func TestFileReplacedDuringTheWalk(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{
		"go.mod": "module example.com/a\n",
		"a.go":   "package a\n\nfunc A() { B() }\n\nfunc B() {}\n\nfunc C() {}\n",
	})
	root, _, err := b.Roots.Resolve(t.Context(), b.Dir)
	if err != nil {
		t.Fatal(err)
	}
	interrupt := &interruption{do: func() {
		b.Write("a.go", "package a\n\nfunc A() { C() }\n\nfunc B() {}\n\nfunc C() {}\n")
		if rep, err := root.Sync(t.Context()); err != nil || len(rep.Modified) != 1 {
			t.Errorf("the edit is not indexed: %+v, %v", rep, err)
		}
	}}
	b.Service = navigate.New(navigate.Options{Roots: b.Roots, Version: "test", Prover: interrupt})
	a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{File: "a.go", SymbolLabel: "A"},
		Direction: contract.DirectionCallees})
	var callees []string
	for _, n := range a.Nodes {
		if n.SymbolLabel != "A" {
			callees = append(callees, n.SymbolLabel)
		}
	}
	if !slices.Equal(callees, []string{"C"}) {
		t.Errorf("callees of A after the edit: %v; want C", callees)
	}
}
