package compact

import (
	"strings"
	"testing"

	"sextant/internal/navigate/contract"
)

// TestPlaces checks a page of results after the first: places by file, with what else the files declare.
func TestPlaces(t *testing.T) {
	at := func(file, kind, label string, from, to int) *contract.Group {
		return &contract.Group{File: file, Span: contract.LineSpan{StartLine: from, EndLine: to}, SymbolKind: kind,
			SymbolLabel: label, Preview: "  source of " + label + "\nmore",
			PreviewSpan: &contract.LineSpan{StartLine: from, EndLine: from + 1}}
	}
	overloaded := at("b/Store.java", "method", "Store.get", 7, 9)
	overloaded.Overloads = []contract.LineSpan{{StartLine: 11, EndLine: 12}}
	notes := at("notes.md", "", "", 3, 8)
	notes.Class = "docs"
	a := &contract.SearchAnswer{Outcome: contract.Outcome{Status: contract.StatusOK}, From: 10, Query: "x y",
		Results: contract.List[contract.SearchResult]{at("plan.go", "method", "Plan.Run", 20, 29), notes, overloaded,
			at("plan.go", "method", "Plan.Add", 10, 19), at("b/Store.java", "class", "Store", 1, 30)},
		Beside: []contract.Beside{{File: "plan.go", Omitted: 2, Symbols: contract.List[contract.BesideSymbol]{
			{SymbolLabel: "decide", Kind: "function", Span: contract.LineSpan{StartLine: 31, EndLine: 40}},
			{SymbolLabel: "Plan", Kind: "struct", Span: contract.LineSpan{StartLine: 2, EndLine: 5}}}}}}
	const want = `plan.go
  2 Plan
  10-19 .Add
  20-29 .Run
  31 decide
  +2
notes.md:3-4: source of (docs)
b/Store.java
  1-30 Store
  7-9,11-12 get
`
	req := &contract.SearchRequest{Query: "x y", Cursor: "r10"}
	if got := rendered(t, req, a); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	a.GroupBy = contract.GroupByFile
	if got := rendered(t, req, a); !strings.Contains(got, "  source of Plan.Run\n") {
		t.Errorf("grouped by file:\n%s", got)
	}
	if price, first := Cost(req)(overloaded), Cost(&contract.SearchRequest{Query: "x y"})(overloaded); price >= first {
		t.Errorf("a place costs %d, a result of the first page %d", price, first)
	}
}
