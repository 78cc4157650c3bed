package search_test

import (
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// TestDeclarationInWindow checks that a short declaration with the words of a query is a result of its own, and
// not the lines around it.
func TestDeclarationInWindow(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{"errors.go": `package store

import "errors"

var (
	ErrClosed = errors.New("the store is closed")
	ErrOther  = errors.New("source and target belong to different database files")
	ErrSize   = errors.New("the value is too large")
)
`})
	labels := labelsOf(b.Search(contract.SearchRequest{Query: "source and target are in different database files"}))
	if labels[0] != "ErrOther" {
		t.Errorf("found %v, want ErrOther", labels)
	}
}
