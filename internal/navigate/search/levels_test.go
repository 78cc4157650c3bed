package search

import (
	"slices"
	"testing"

	"sextant/internal/navigate/contract"
)

// TestLevelsIncludeTheirBounds checks that a value at a bound has the level above it.
func TestLevelsIncludeTheirBounds(t *testing.T) {
	b := bounds{low: 1, high: 2}
	for x, want := range map[float64]contract.Level{0.99: contract.Low, 1: contract.Medium, 1.99: contract.Medium,
		2: contract.High, 3: contract.High} {
		if got := b.level(x); got != want {
			t.Errorf("%v: %s, want %s", x, got, want)
		}
	}
}

// TestPairsOfMixedWords checks the terms of words of several scripts: letters from two up, ideographs by pairs.
func TestPairsOfMixedWords(t *testing.T) {
	for word, want := range map[string][]string{"ab日本語": {"ab", "日本", "本語"}, "a日本": {"日本"}, "日a": {"日"},
		"日本": {"日本"}, "日": {"日"}, "日ab本": {"日", "ab", "本"}, "x": nil} {
		if got := pairs(word); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", word, got, want)
		}
	}
}
