package navigate

import (
	"regexp"
	"strings"
	"testing"
)

func TestAnswersKeepTheirBudget(t *testing.T) {
	b := indexed(t, "net/http")
	for _, max := range []int{400, 1500, 8000} {
		d := Delivery{MaxTokens: max}
		answers := map[string]any{
			"search":     b.search(SearchRequest{Query: "close idle connections", Limit: 50, Detail: "full", Delivery: d}),
			"exhaustive": b.search(SearchRequest{Query: "must:Request", Scope: "mixed", Limit: 50, Delivery: d}),
			"graph":      b.graph(GraphRequest{SymbolRef: SymbolRef{File: "server.go", SymbolLabel: "conn.serve"}, Depth: 6, Limit: 500, View: "tree", Delivery: d}),
		}
		outline, err := b.service.Outline(t.Context(), normal(t, OutlineRequest{Path: b.dir, File: "server.go", Delivery: d}))
		if err != nil {
			t.Fatal(err)
		}
		answers["outline"] = outline
		for name, a := range answers {
			text, err := Encode(a)
			if err != nil {
				t.Fatal(err)
			}
			// One result is shown whatever it costs: an answer without any says nothing.
			if n := Tokens(text); n > max && max > 400 {
				t.Errorf("%s takes %d tokens of %d", name, n, max)
			}
		}
	}
}

// times are the moments in an answer, and durations, which are left out below
// a millisecond.
var times = regexp.MustCompile(`"(checkedAt|lastSyncAt|validatedAt|builtAt)":"[^"]*"|,"durationMs":\d+`)

func TestEqualRequestsGiveEqualBytes(t *testing.T) {
	b := indexed(t, "net/http")
	ask := func() string {
		var out strings.Builder
		for _, a := range []any{
			b.search(SearchRequest{Query: "read request body"}),
			b.search(SearchRequest{Query: `regex:"func \(s \*Server\)"`}),
			b.graph(GraphRequest{SymbolRef: SymbolRef{SymbolLabel: "Server.Serve"}, Depth: 3, Limit: 100, View: "mermaid", DeadlineMs: MaxDeadline}),
			b.outline("server.go"),
		} {
			text, err := Encode(a)
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
