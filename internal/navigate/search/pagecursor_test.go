package search_test

import (
	"errors"
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

// TestPageBehindTheLast checks that a page without results, after others with some, does not say that nothing was
// found.
func TestPageBehindTheLast(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{"a.go": "package a\n\nfunc Token() {}\n"})
	a := b.Search(contract.SearchRequest{Query: "token", Cursor: contract.RankCursor(90)})
	text, err := compact.Text(&contract.SearchRequest{Path: b.Dir}, a)
	if err != nil || len(a.Results) != 0 || a.Hints != nil || !strings.Contains(text, "no more results") {
		t.Errorf("%+v, %v\n%s", a.Hints, err, text)
	}
}
