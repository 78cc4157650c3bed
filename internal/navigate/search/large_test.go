package search_test

import (
	"slices"
	"strings"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/engine"
	"sextant/internal/navigate/navigatetest"
)

// TestLargeFilesAreNamed checks that an exhaustive answer names the files of text that are too large for the index,
// if they may match: it says that it has every line.
func TestLargeFilesAreNamed(t *testing.T) {
	const size = 5 << 20
	b := navigatetest.Of(t, map[string]string{"a.go": "package a // needle\n",
		"logs/big.csv":  strings.Repeat("needle\n", size/7),
		"logs/blob.xyz": strings.Repeat("\x00needle\n", size/8)})
	for query, want := range map[string]string{
		"must:needle":              "logs/big.csv.",
		"must:needle path:logs/**": "logs/big.csv.",
		"must:needle path:*.go":    "",
		"must:needle lang:go":      "",
		"exclude:other path:logs":  "logs/big.csv.",
	} {
		a := b.Search(contract.SearchRequest{Query: query})
		i := slices.IndexFunc(a.Warnings, func(w contract.Warning) bool { return w.Code == engine.WarnTooLarge })
		if (i >= 0) != (want != "") || i >= 0 && !strings.Contains(a.Warnings[i].Message, ": "+want) {
			t.Errorf("%s: %+v", query, a.Warnings)
		}
	}
}
