package navigate

import (
	"regexp"
	"strings"
	"testing"
)

func TestAnswersKeepTheirBudget(t *testing.T) {
	b := Indexed(t, "net/http")
	for _, max := range []int{400, 1500, 8000} {
		d := Delivery{MaxTokens: max}
		answers := map[string]any{
			"search":     b.Search(SearchRequest{Query: "close idle connections", Limit: 50, Detail: "full", Delivery: d}),
			"exhaustive": b.Search(SearchRequest{Query: "must:Request", Scope: "mixed", Limit: 50, Delivery: d}),
			"graph":      b.Graph(GraphRequest{SymbolRef: SymbolRef{File: "server.go", SymbolLabel: "conn.serve"}, Depth: 6, Limit: 500, View: "tree", Delivery: d}),
		}
		outline, err := b.Service.Outline(t.Context(), Normal(t, OutlineRequest{Path: b.Dir, File: "server.go", Delivery: d}))
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
	b := Indexed(t, "net/http")
	ask := func() string {
		var out strings.Builder
		for _, a := range []any{
			b.Search(SearchRequest{Query: "read request body"}),
			b.Search(SearchRequest{Query: `regex:"func \(s \*Server\)"`}),
			b.Graph(GraphRequest{SymbolRef: SymbolRef{SymbolLabel: "Server.Serve"}, Depth: 3, Limit: 100, View: "mermaid", DeadlineMs: MaxDeadline}),
			b.Outline("server.go"),
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
