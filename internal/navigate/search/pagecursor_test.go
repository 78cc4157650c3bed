package search_test

import (
	"errors"
	"fmt"
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
