package search_test

import (
	"slices"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// TestOverloadsAreOneResult checks that the overloads of a method are one result for a question, which lists
// the lines of the others, and results of their own for their name.
func TestOverloadsAreOneResult(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{"Store.java": `public class Store {
    // Removes the expired sessions of all users.
    public void remove() { sessions.clear(); }

    // Removes the expired sessions of a user.
    public void remove(User of) { sessions.drop(of); }

    // Removes the expired sessions of several users.
    public void remove(List<User> of) { of.forEach(this::remove); }

    // Removes the expired sessions of a folder.
    public void clear(Folder of) { sessions.drop(of); }
}
`})
	a := b.Search(contract.SearchRequest{Query: "removes the expired sessions of several users"})
	var methods []string
	for _, r := range a.Results {
		g := r.(*contract.Group)
		if g.SymbolKind != "method" {
			continue
		}
		methods = append(methods, g.SymbolLabel)
		if g.SymbolLabel != "Store.remove" {
			continue
		}
		span := g.Span
		if g.SymbolSpan != nil {
			span = *g.SymbolSpan
		}
		got := append(slices.Clone(g.Overloads), span)
		slices.SortFunc(got, func(a, b contract.LineSpan) int { return a.StartLine - b.StartLine })
		want := []contract.LineSpan{{StartLine: 3, EndLine: 3}, {StartLine: 6, EndLine: 6}, {StartLine: 9, EndLine: 9}}
		if !slices.Equal(got, want) {
			t.Errorf("overloads at %v, want %v", got, want)
		}
	}
	slices.Sort(methods)
	if !slices.Equal(methods, []string{"Store.clear", "Store.remove"}) {
		t.Errorf("found %v, want each name once", methods)
	}
	if a = b.Search(contract.SearchRequest{Query: "remove"}); a.Named != 3 {
		t.Errorf("%d results bear the name, want 3", a.Named)
	}
}
