package navigate_test

import (
	"regexp"
	"strings"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

func TestAnswersKeepTheirBudget(t *testing.T) {
	b := navigatetest.Indexed(t, "net/http")
	for _, max := range []int{400, 1500, 8000} {
		d := contract.Delivery{MaxTokens: max}
		answers := map[string]any{
			"search": b.Search(contract.SearchRequest{Query: "close idle connections", Limit: 50,
				Detail: contract.DetailFull, Delivery: d}),
			"exhaustive": b.Search(contract.SearchRequest{Query: "must:Request", Scope: contract.ScopeMixed,
				Limit: 50, Delivery: d}),
			"graph": b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{File: "server.go",
				SymbolLabel: "conn.serve"}, Depth: 6, Limit: 500, View: contract.ViewTree, Delivery: d}),
		}
		outline, err := b.Service.Outline(t.Context(),
			navigatetest.Normal(t, contract.OutlineRequest{Path: b.Dir, File: "server.go", Delivery: d}))
		if err != nil {
			t.Fatal(err)
		}
		answers["outline"] = outline
		for name, a := range answers {
			text, err := contract.Encode(a)
			if err != nil {
				t.Fatal(err)
			}
			// One result is always shown, so an answer may exceed a small budget.
			if n := contract.Tokens(text); n > max && max > 400 {
				t.Errorf("%s takes %d tokens of %d", name, n, max)
			}
		}
	}
}

// times matches the timestamps in an answer, and the durations, which are omitted below a
// millisecond.
var times = regexp.MustCompile(`"(checkedAt|lastSyncAt|validatedAt|builtAt)":"[^"]*"|,"durationMs":\d+`)

func TestEqualRequestsGiveEqualBytes(t *testing.T) {
	b := navigatetest.Indexed(t, "net/http")
	ask := func() string {
		var out strings.Builder
		for _, a := range []any{
			b.Search(contract.SearchRequest{Query: "read request body"}),
			b.Search(contract.SearchRequest{Query: `regex:"func \(s \*Server\)"`}),
			b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "Server.Serve"}, Depth: 3,
				Limit: 100, View: contract.ViewMermaid, DeadlineMs: contract.MaxDeadline}),
			b.Outline("server.go"),
		} {
			text, err := contract.Encode(a)
			if err != nil {
				t.Fatal(err)
			}
			out.Write(text)
		}
		return times.ReplaceAllString(out.String(), "")
	}
	first := ask()
	for range 3 {
		if again := ask(); again != first {
			t.Fatal("the same requests gave other bytes")
		}
	}
}
