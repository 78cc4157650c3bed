package search_test

import (
	"slices"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// TestDebug checks that the debugging data is added within the budget, and that it changes nothing
// else in the answer.
func TestDebug(t *testing.T) {
	b := navigatetest.Indexed(t, "bufio")
	ask := contract.SearchRequest{Query: "read a line from a buffer", Limit: 3}
	plain := b.Search(ask)
	if plain.Hints != nil && plain.Hints.Debug != nil {
		t.Error("debug was not asked for")
	}
	for mode, candidates := range map[string]bool{"summary": false, "freshness": false, "ranking": true, "full": true} {
		ask.DebugMode = contract.DebugMode(mode)
		a := b.Search(ask)
		if a.Hints == nil || a.Hints.Debug == nil {
			t.Errorf("%s: there is nothing", mode)
			continue
		}
		d := a.Hints.Debug.(*contract.SearchDebug)
		var phases []string
		for _, p := range d.Phases {
			phases = append(phases, p.Name)
		}
		if !slices.Equal(phases, []string{"candidates", "verify", "reread", "render"}) || d.Lanes["lexical"] == 0 ||
			len(d.Filter.Classes) == 0 || len(d.Terms) == 0 {
			t.Errorf("%s: %+v", mode, d)
		}
		if got := len(d.Candidates) > len(a.Results); got != candidates {
			t.Errorf("%s: %d candidates", mode, len(d.Candidates))
		}
		if candidates && (!d.Candidates[0].Shown || d.Candidates[0].Score == 0) {
			t.Errorf("%s: the first candidate is %+v", mode, d.Candidates[0])
		}
		if !slices.EqualFunc(a.Results, plain.Results, func(x, y contract.SearchResult) bool {
			return placed(x) == placed(y)
		}) {
			t.Errorf("%s: the results are others", mode)
		}
		if spent := contract.Cost(a); spent > navigatetest.WholeAnswer {
			t.Errorf("%s: the answer costs %d", mode, spent)
		}
	}
	exact := b.Search(contract.SearchRequest{Query: "must:func", Delivery: contract.Delivery{Debug: true}})
	if d, ok := exact.Hints.Debug.(*contract.SearchDebug); !ok || len(d.Phases) != 2 {
		t.Errorf("an exhaustive answer has %+v", exact.Hints)
	}
}

// placed returns the file and lines of a result.
func placed(r contract.SearchResult) [2]any {
	file, span := r.Place()
	return [2]any{file, span}
}
