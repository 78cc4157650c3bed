package callgraph_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

func TestLabels(t *testing.T) {
	b := navigatetest.Indexed(t, "bufio")
	g := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "(*Reader).ReadLine"}})
	if g.Status != contract.StatusOK || g.SymbolRef.SymbolLabel != "Reader.ReadLine" || g.SymbolRef.File != "bufio.go" {
		t.Errorf("a label as Go writes it: %+v, %+v", g.Outcome, g.SymbolRef)
	}
	g = b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "Reset"}})
	if g.Status != contract.StatusAmbiguous || len(g.Candidates) < 2 {
		t.Errorf("Reset: %s with %d candidates; want ambiguous", g.Status, len(g.Candidates))
	}
	g = b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "NoSuchThing"}})
	if g.Status != contract.StatusNotFound || g.Reason != contract.ReasonMissingSymbol {
		t.Errorf("NoSuchThing: %+v", g.Outcome)
	}
}

// TestNowhere checks the answer to a label without a symbol: that its file or the folder asked about
// does not exist, where that is why.
func TestNowhere(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{"a/a.go": "package a\n\nfunc F() {}\n"})
	ask := func(path, label string) *contract.GraphAnswer {
		t.Helper()
		g, err := b.Service.CallGraph(t.Context(), navigatetest.Normal(t, contract.GraphRequest{
			Path: path, SymbolRef: contract.SymbolRef{SymbolLabel: label}}))
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	missing := filepath.Join(b.Dir, "missing")
	if g := ask(missing, "F"); g.Reason != contract.ReasonMissingPath ||
		!strings.HasPrefix(g.Message, missing+" does not exist.") || len(g.Hints.NextSteps) > 0 {
		t.Errorf("F in a folder that is not there: %+v, %+v", g.Outcome, g.Hints)
	}
	g := ask(b.Dir, "missing.go:3")
	if g.Reason != contract.ReasonMissingSymbol || !strings.Contains(g.Message, `is called "missing.go".`) {
		t.Errorf("a place in a file that is not there: %+v", g.Outcome)
	}
	next, _ := g.Hints.NextSteps[0].Args.(*contract.SearchRequest)
	if next == nil || next.Query != "path:**/missing.go" {
		t.Errorf("what is suggested instead: %+v", g.Hints.NextSteps)
	}
	if g := ask(b.Dir, "Gone"); g.Reason != contract.ReasonMissingSymbol ||
		!strings.Contains(g.Message, `is called "Gone"`) {
		t.Errorf("a name that is not there: %+v", g.Outcome)
	}
}

func TestGraphSettlesWithinThePackage(t *testing.T) {
	b := navigatetest.Indexed(t, "bufio")
	g := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "Reader.fill"},
		View: contract.ViewTree, Limit: 100})
	var callers []string
	for _, n := range g.Nodes {
		if n.Depth == 1 {
			callers = append(callers, n.SymbolLabel)
		}
	}
	for _, want := range []string{"Reader.Peek", "Reader.Discard", "Reader.ReadByte", "Reader.ReadSlice",
		"Reader.WriteTo"} {
		if !slices.Contains(callers, want) {
			t.Errorf("%s calls fill, and is not among %v", want, callers)
		}
		if !strings.Contains(g.Tree, want+"  bufio.go:") {
			t.Errorf("the tree does not show %s:\n%s", want, g.Tree)
		}
	}
	for _, e := range g.Edges {
		if e.Confidence < contract.DefaultConfidence || e.Confidence >= 1 || e.Evidence.String() != "syntactic" ||
			e.State != contract.StateCandidate || e.Strategy == "" || e.Provenance == "" {
			t.Errorf("edge without honest evidence: %+v", e)
		}
	}
	silent := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "ReadWriter"},
		Direction: contract.DirectionCallers})
	if len(silent.Edges) == 0 && (silent.InboundCoverageEvidence == nil ||
		!slices.Contains(silent.Warnings, "CALL_GRAPH_INBOUND_COVERAGE_PARTIAL")) {
		t.Errorf("no callers are claimed without their coverage: %+v", silent)
	}
}
