package search

import (
	"slices"
	"testing"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/l2meta"
)

// TestMostShown checks of which file an answer lists what else is there: of the one with three results or
// more that are symbols.
func TestMostShown(t *testing.T) {
	for _, c := range []struct {
		files []string
		want  string
	}{
		{nil, ""},
		{[]string{"a", "b", "a", "b", "a"}, "a"},
		{[]string{"a", "b", "b", "a", "c"}, ""},
		{[]string{"a", "b", "b", "a", "b", "a", "b"}, "b"},
		{[]string{"b", "a", "b", "a", "b", "a"}, "b"}, // the first of equal ones
	} {
		var results []contract.SearchResult
		for _, f := range c.files {
			results = append(results, &contract.Group{File: f, SymbolID: "id"})
		}
		results = append(results, &contract.Group{File: "text"}, &contract.Group{File: "text"}, &contract.Group{File: "text"})
		if got := mostShown(results); got != c.want {
			t.Errorf("%v: %q, want %q", c.files, got, c.want)
		}
	}
}

// TestUnshown checks that only functions and types are listed that no result shows, and no closures.
func TestUnshown(t *testing.T) {
	row := func(index, parent, first, last int, kind code.Kind, name string) l2meta.Row {
		return l2meta.Row{Index: index, Symbol: code.Symbol{Kind: kind, QualifiedName: name, Parent: parent,
			Span: code.Span{StartLine: first, EndLine: last}}}
	}
	rows := []l2meta.Row{
		row(0, -1, 1, 9, code.KindStruct, "Plan"),
		row(1, 0, 2, 2, code.KindField, "Plan.size"),
		row(2, -1, 11, 20, code.KindFunction, "decide"),
		row(3, 2, 12, 14, code.KindFunction, "decide.inner"),
		row(4, 2, 15, 16, code.KindStruct, "decide.local"),
		row(5, 4, 15, 15, code.KindMethod, "decide.local.get"),
		row(6, -1, 22, 30, code.KindMethod, "Plan.Run"),
		row(7, -1, 32, 40, code.KindMethod, "Plan.Stats"),
		row(8, -1, 42, 50, code.KindMethod, "Plan.Add"),
		row(9, -1, 52, 60, code.KindMethod, "Plan.Add"),
		row(10, -1, 62, 62, code.KindVariable, "limit"),
	}
	results := []contract.SearchResult{
		&contract.Group{File: "plan.go", Span: contract.LineSpan{StartLine: 25, EndLine: 30},
			SymbolSpan: &contract.LineSpan{StartLine: 22, EndLine: 30}}, // Run, by its end
		&contract.Group{File: "plan.go", Span: contract.LineSpan{StartLine: 42, EndLine: 50},
			Overloads: []contract.LineSpan{{StartLine: 52, EndLine: 60}}},
		&contract.Group{File: "other.go", Span: contract.LineSpan{StartLine: 32, EndLine: 40}},
	}
	var got []string
	for _, r := range unshown(rows, "plan.go", results) {
		got = append(got, r.Symbol.QualifiedName)
	}
	if want := []string{"Plan", "decide", "Plan.Stats"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
