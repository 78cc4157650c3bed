package search

import (
	"testing"

	"sextant/internal/navigate/contract"
)

// TestRepeats checks that an answer omits a window outside of symbols if a better result covers its
// lines.
func TestRepeats(t *testing.T) {
	span := func(first, last int) *contract.LineSpan { return &contract.LineSpan{StartLine: first, EndLine: last} }
	window := func(file string, first, last int) *contract.Group {
		return &contract.Group{File: file, Span: contract.LineSpan{StartLine: 1, EndLine: 500},
			PreviewSpan: span(first, last)}
	}
	better := []contract.SearchResult{
		&contract.Group{File: "a.go", SymbolID: "s_1", Span: contract.LineSpan{StartLine: 12, EndLine: 20},
			SymbolSpan: span(10, 40), PreviewSpan: span(8, 12)},
		window("b.go", 100, 104),
	}
	for _, c := range []struct {
		res  contract.SearchResult
		want bool
	}{
		{window("a.go", 15, 17), true},    // inside the symbol
		{window("a.go", 8, 10), true},     // its comment, which is shown
		{window("a.go", 39, 41), false},   // one line more
		{window("a.go", 200, 202), false}, // elsewhere
		{window("c.go", 15, 17), false},
		{window("b.go", 101, 103), true},  // covered by another window
		{window("b.go", 300, 302), false}, // not all of its lines are covered
		// a symbol of its own
		{&contract.Group{File: "a.go", SymbolID: "s_2", Span: contract.LineSpan{StartLine: 15, EndLine: 17},
			PreviewSpan: span(15, 17)}, false},
		{&contract.Chunk{File: "a.go", Span: contract.LineSpan{StartLine: 15, EndLine: 17}}, false},
	} {
		if got := repeats(c.res, better); got != c.want {
			t.Errorf("%+v: %v, want %v", c.res, got, c.want)
		}
	}
}
