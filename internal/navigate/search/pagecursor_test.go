package search_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"sextant/internal/compact"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// TestCursorOfAnotherQuery checks that a page does not begin in the middle of another query's matches.
func TestCursorOfAnotherQuery(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{"a.go": "package a // one two\n", "b.go": "package a // one two\n"})
	first := b.Search(contract.SearchRequest{Query: "must:one", Limit: 1})
	if first.Cursor == "" {
		t.Fatal("the first page has no cursor")
	}
	next := contract.SearchRequest{Path: b.Dir, Query: "must:one", Limit: 1, Cursor: first.Cursor}
	if a := b.Search(next); len(a.Results) != 1 || a.Cursor != "" {
		t.Errorf("the next page: %+v", a)
	}
	next.Query = "must:two"
	var invalid *contract.InvalidArguments
	if _, err := b.Service.Search(t.Context(), navigatetest.Normal(t, next)); !errors.As(err, &invalid) ||
		!strings.Contains(invalid.Error(), "belongs to another query") {
		t.Errorf("another query: %v", err)
	}
}

// TestRankCursorOfAnotherQuery checks that a page of ranked results does not leave out the best ones of another
// query.
func TestRankCursorOfAnotherQuery(t *testing.T) {
	files := map[string]string{}
	for i := range 4 {
		files[fmt.Sprintf("f%d.go", i)] = fmt.Sprintf("package a\n\n// session of a store\nfunc Open%d() {}\n", i)
	}
	b := navigatetest.Of(t, files)
	first := b.Search(contract.SearchRequest{Query: "session store", Limit: 2})
	if first.Cursor == "" {
		t.Fatal("the first page has no cursor")
	}
	next := contract.SearchRequest{Path: b.Dir, Query: "session store", Limit: 2, Cursor: first.Cursor}
	if a := b.Search(next); len(a.Results) != 2 {
		t.Errorf("the next page: %+v", a)
	}
	for _, change := range []func(*contract.SearchRequest){
		func(r *contract.SearchRequest) { r.Query = "store of sessions" },
		func(r *contract.SearchRequest) { r.Scope = contract.ScopeMixed },
		func(r *contract.SearchRequest) { r.GroupBy = contract.GroupByFile },
		func(r *contract.SearchRequest) { r.ResultMode = contract.ResultsRaw },
	} {
		other := next
		change(&other)
		var invalid *contract.InvalidArguments
		if _, err := b.Service.Search(t.Context(), navigatetest.Normal(t, other)); !errors.As(err, &invalid) ||
			!strings.Contains(invalid.Error(), "belongs to another query") {
			t.Errorf("%+v: %v", other, err)
		}
	}
}

// TestPageBehindTheLast checks that a page without results, after others with some, does not say that nothing was
// found.
func TestPageBehindTheLast(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{"a.go": "package a\n\nfunc Token() {}\n"})
	a := b.Search(contract.SearchRequest{Query: "token", Cursor: contract.RankCursor(90, 0)})
	text, err := compact.Text(&contract.SearchRequest{Path: b.Dir}, a)
	if err != nil || len(a.Results) != 0 || a.Hints != nil || !strings.Contains(text, "no more results") {
		t.Errorf("%+v, %v\n%s", a.Hints, err, text)
	}
}

// TestPagesOfOneFile checks that the pages of a file with many symbols have the lines, owners and surroundings that
// one page has.
func TestPagesOfOneFile(t *testing.T) {
	var text strings.Builder
	text.WriteString("package a\n\n// needle\n\n")
	for i := range 45 {
		fmt.Fprintf(&text, "type T%d struct {\n\tneedle int\n}\n\nfunc (t T%[1]d) m() {\n", i)
		for range i {
			text.WriteString("\tneedle()\n\tother()\n")
		}
		text.WriteString("}\n")
	}
	b := navigatetest.Of(t, map[string]string{"a.go": text.String()})
	walk := func(limit int, group contract.Grouping) (all []string) {
		req := contract.SearchRequest{Query: "must:needle", Limit: limit, Context: 1, GroupBy: group}
		req.MaxTokens = contract.MaxMaxTokens
		for {
			a := b.Search(req)
			for _, res := range a.Results {
				g := res.(*contract.Group)
				for _, l := range g.MatchedLines {
					all = append(all, fmt.Sprintf("%s:%d", g.SymbolLabel, l.Line))
				}
				for _, l := range g.ContextLines {
					all = append(all, fmt.Sprintf("%s-%d", g.SymbolLabel, l.Line))
				}
			}
			if req.Cursor = a.Cursor; a.Cursor == "" {
				return all
			}
		}
	}
	for _, group := range []contract.Grouping{contract.GroupBySymbol, contract.GroupByFile} {
		whole := walk(50, group)
		for _, limit := range []int{1, 3, 7} {
			if got := walk(limit, group); !slices.Equal(got, whole) {
				t.Errorf("by %s, %d a page: %d lines, want %d\n%v\n%v", group, limit, len(got), len(whole), got, whole)
			}
		}
	}
	longest := 0
	for _, at := range walk(50, contract.GroupBySymbol) {
		if strings.HasPrefix(at, "T44.m:") {
			longest++
		}
	}
	if longest != 44 {
		t.Errorf("%d lines of the longest method, want 44", longest)
	}
}

// TestFewMatchesAreOnePage checks that the matches of a query without a limit are on one page if they are a few more
// than the default limit, and that a limit holds.
func TestFewMatchesAreOnePage(t *testing.T) {
	for _, c := range []struct{ files, limit, shown int }{
		{2 * contract.DefaultSearchLimit, 0, 2 * contract.DefaultSearchLimit},
		{2*contract.DefaultSearchLimit + 1, 0, contract.DefaultSearchLimit},
		{contract.DefaultSearchLimit + 1, contract.DefaultSearchLimit, contract.DefaultSearchLimit},
	} {
		files := map[string]string{}
		for i := range c.files {
			files[fmt.Sprintf("a%d.go", i)] = "package a\n\nvar needle = 1\n"
		}
		a := navigatetest.Of(t, files).Search(contract.SearchRequest{Query: "must:needle", Limit: c.limit})
		if len(a.Results) != c.shown || (a.Cursor == "") != (c.shown == c.files) {
			t.Errorf("%d files, limit %d: %d results, cursor %q", c.files, c.limit, len(a.Results), a.Cursor)
		}
	}
}
