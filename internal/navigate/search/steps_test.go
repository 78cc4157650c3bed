package search_test

import (
	"fmt"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// TestGroupsAreIdentified checks that each result of a search has an id of its own, made of its
// symbol or else of its path and lines, and that a full answer suggests the requests that trace its
// calls.
func TestGroupsAreIdentified(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{
		"store/open.go": "package store\n\n// openStore opens the store.\nfunc openStore() {}\n\n" +
			"// closeStore closes the store.\nfunc closeStore() { openStore() }\n",
		"store/notes.md":  "# The store\n\nThe store is opened once.\n\n# Closing\n\nThe store closes at the end.\n",
		"other/store.txt": "store\n",
	})
	a := b.Search(contract.SearchRequest{Query: "open the store", Detail: contract.DetailFull, Scope: contract.ScopeMixed})
	seen := map[string]bool{}
	for _, r := range a.Results {
		g := r.(*contract.Group)
		place := fmt.Sprintf("%s:%d-%d", g.File, g.Span.StartLine, g.Span.EndLine)
		if g.GroupID == "" || seen[g.GroupID] || g.SymbolID == "" && g.GroupID != place {
			t.Errorf("%s has the id %q", place, g.GroupID)
		}
		seen[g.GroupID] = true
		n := g.Navigation
		if n == nil || !g.CallGraphHint.Supported {
			continue
		}
		for direction, action := range map[contract.Direction]*contract.Action{
			contract.DirectionCallers: n.NextActions.TraceCallers, contract.DirectionCallees: n.NextActions.TraceCallees} {
			if action == nil {
				t.Errorf("%s has no trace of its %s", g.SymbolLabel, direction)
				continue
			}
			if graph := action.Args.(*contract.GraphRequest); graph.Depth != 3 || graph.Direction != direction {
				t.Errorf("the trace of %s is %+v", g.SymbolLabel, graph)
			}
		}
	}
	if len(seen) < 3 {
		t.Errorf("%d results", len(seen))
	}
}
