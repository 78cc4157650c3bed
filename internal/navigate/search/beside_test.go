package search

import (
	"slices"
	"testing"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/search/rank"
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
	for _, r := range unshown(rows, spansOf(results, "plan.go")) {
		got = append(got, r.Symbol.QualifiedName)
	}
	if want := []string{"Plan", "decide", "Plan.Stats"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestLikelyFiles checks that the last page lists the source files of many candidates, the likeliest first: one
// candidate of the first rank counts less than three from the sixth on.
func TestLikelyFiles(t *testing.T) {
	of := func(path string, class code.Class) candidate { return candidate{path: path, class: class} }
	picked := []candidate{of("first.go", code.ClassSource), of("a_test.go", code.ClassTest)}
	for range 3 {
		picked = append(picked, of("second.go", code.ClassSource), of("a.md", code.ClassDocs))
	}
	if got := likelyFiles(picked); !slices.Equal(got, []string{"second.go", "first.go"}) {
		t.Errorf("%v", got)
	}
	for i := range 2 * filesBeside {
		picked = append(picked, of(string(rune('a'+i)), code.ClassSource))
	}
	if got := likelyFiles(picked); len(got) != filesBeside || got[0] != "second.go" {
		t.Errorf("%v", got)
	}
}

// TestLikely checks that the results of several words end, but not before what the query names, and that those of
// one word do not.
func TestLikely(t *testing.T) {
	found := make([]candidate, 2*mostRanked)
	found[mostRanked+3].exact = rank.NamedSame
	found[mostRanked+5].lifted = 1
	for _, c := range []struct {
		words []string
		by    contract.Grouping
		want  int
	}{
		{[]string{"expire", "session"}, contract.GroupBySymbol, mostRanked + 2},
		{[]string{"expire"}, contract.GroupBySymbol, len(found)},
		{[]string{"expire", "session"}, contract.GroupByFile, len(found)},
	} {
		r := &search{req: &contract.SearchRequest{GroupBy: c.by}, terms: terms{list: c.words}}
		if got := r.likely(found); len(got) != c.want {
			t.Errorf("%v by %s: %d results, want %d", c.words, c.by, len(got), c.want)
		}
	}
	if found[mostRanked].exact != rank.NotNamed {
		t.Error("the list of candidates was changed")
	}
}
