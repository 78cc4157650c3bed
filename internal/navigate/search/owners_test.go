package search_test

import (
	"slices"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// TestTypeOfManyMembers checks that a type is found whose members together contain the words of a
// question, although no line of the type itself contains one.
func TestTypeOfManyMembers(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{
		"a.go": `package a

type Zorb struct {
	// Pages is the number of pages that a transaction allocates.
	//
	// It never decreases.
	Pages int

	// Splits counts the nodes that a transaction splits.
	//
	// It never decreases.
	Splits int

	// Writes counts the writes performed by a transaction.
	//
	// It never decreases.
	Writes int
}

type Quux struct {
	// Done is set once a transaction has been performed.
	//
	// It is never unset.
	Done bool

	// Open counts the transactions that are performed now.
	//
	// It may decrease.
	Open int
}
`,
	})
	labels := labelsOf(b.Search(contract.SearchRequest{
		Query: "Counts pages, splits and writes of a transaction", Limit: 50}))
	if labels[0] != "Zorb" || slices.Index(labels, "Quux") <= slices.Index(labels, "Quux.Open") {
		t.Errorf("found %v, want Zorb, three of whose members are found, and Quux behind its member", labels)
	}
}

func labelsOf(a *contract.SearchAnswer) (out []string) {
	for _, r := range a.Results {
		out = append(out, r.(*contract.Group).SymbolLabel)
	}
	return out
}
