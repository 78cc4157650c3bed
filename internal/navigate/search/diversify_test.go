package search

import (
	"slices"
	"testing"

	"sextant/internal/navigate/contract"
)

// TestDiversify checks that a file with many good candidates leaves room for others that are nearly as
// good, and not for those that are not; and that a longer list begins with the shorter ones.
func TestDiversify(t *testing.T) {
	var found []candidate
	for i, c := range []struct {
		path  string
		score float64
	}{
		{"a", 4}, {"a", 3.9}, {"a", 3.8}, {"a", 3.7}, {"a", 3.6}, {"a", 3.6}, {"b", 3.5}, {"c", 3.3}, {"a", 3.2},
		{"d", 1}, {"e", .9}, {"a", .5},
	} {
		found = append(found, candidate{path: c.path, score: c.score, start: i})
	}
	all := []int{0, 1, 2, 3, 6, 4, 5, 7, 8, 9, 10, 11}
	for limit := range 12 {
		r := &search{req: &contract.SearchRequest{Limit: limit, DisclosureLimit: 50}, answer: &contract.SearchAnswer{}}
		var got []int
		for _, c := range r.diversify(found) {
			got = append(got, c.start)
		}
		if want := all[:min(limit+spare, len(all))]; !slices.Equal(got, want) {
			t.Errorf("%d results: %v, want %v", limit, got, want)
		}
	}
}
