package compact

import (
	"strings"
	"testing"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
)

// TestEmptySideOfAPage checks that only a complete answer, not a page, states that there are no
// callers. A page that the deadline cut suggests a longer one.
func TestEmptySideOfAPage(t *testing.T) {
	answer := func() *contract.GraphAnswer {
		return &contract.GraphAnswer{Outcome: contract.Outcome{Status: contract.StatusOK}, Path: "/ws",
			CodebaseRoot: "/ws", Direction: contract.DirectionBoth, Depth: 1,
			SymbolRef: contract.SymbolRef{SymbolID: "s_1"},
			Nodes: []contract.Node{{SymbolID: "s_1", SymbolLabel: "F", File: "a.go",
				Span: contract.LineSpan{StartLine: 3, EndLine: 9}}},
			InboundCoverageEvidence: &contract.InboundCoverage{FilesConsidered: 7, IndexComplete: true}}
	}
	req := &contract.GraphRequest{DeadlineMs: 3000}
	text := func(a *contract.GraphAnswer) string {
		got, err := Text(req, a)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if got := text(answer()); !strings.Contains(got, "no callers of F (a.go:3)") ||
		!strings.Contains(got, "7 files read, no call of that name unresolved") {
		t.Errorf("a whole answer says\n%s", got)
	}
	value := answer()
	value.InboundCoverageEvidence.UsesNotTraced = true
	if got := text(value); strings.Contains(got, "unresolved") || !strings.Contains(got, "reads of it are not traced") {
		t.Errorf("of a constant it says\n%s", got)
	}
	route := answer()
	route.InboundCoverageEvidence.Serves = []string{"GET /a", "PUT /a", "GET /b", "GET /c"}
	if got := text(route); !strings.Contains(got,
		"unresolved; it answers GET /a, PUT /a, GET /b and 1 more, also to requests from outside") {
		t.Errorf("of a route's handler it says\n%s", got)
	}
	cut := answer()
	cut.Cursor = "g2.x"
	cut.Truncated = &contract.Truncation{What: "edges", Omitted: 4, Cause: contract.CauseDeadline,
		Next: contract.Suggest(&contract.GraphRequest{DeadlineMs: 12_000})}
	const first = "the deadline came before the first of the "
	if got := text(cut); got != first+
		"callers and callees of F (a.go:3)\n+4 more edges (deadline)   cursor: \"g2.x\"   deadlineMs: 12000\n" {
		t.Errorf("a page that the deadline cut says\n%s", got)
	}
	cut.Direction, cut.Truncated.Omitted = contract.DirectionCallers, 0
	if got := text(cut); !strings.HasPrefix(got, first+"callers of F (a.go:3)\n+? more edges (deadline)") {
		t.Errorf("a page that the deadline ended before anything says\n%s", got)
	}
	req.Cursor = "g2.x"
	if got := text(answer()); strings.Contains(got, "no call") {
		t.Errorf("the last page says\n%s", got)
	}
}

// TestCallersInTestsComeLast checks that production code comes before tests, whatever the names of
// the files.
func TestCallersInTestsComeLast(t *testing.T) {
	node := func(id, file string) contract.Node {
		return contract.Node{SymbolID: id, SymbolLabel: id, File: file, Depth: 1, Span: contract.LineSpan{StartLine: 1}}
	}
	root := node("F", "f.go")
	root.Depth = 0
	edge := func(src, file string, line int, test bool) contract.Edge {
		return contract.Edge{Src: src, Dst: "F", Kind: code.EdgeCall, Site: contract.Site{File: file, StartLine: line},
			Confidence: 0.99, Source: "F()", InTest: test}
	}
	a := &contract.GraphAnswer{Outcome: contract.Outcome{Status: contract.StatusOK}, Path: "/ws", CodebaseRoot: "/ws",
		Direction: contract.DirectionCallers, Depth: 1,
		SymbolRef: contract.SymbolRef{SymbolID: "F"},
		Nodes:     []contract.Node{node("TestF", "a_test.go"), root, node("Run", "z.go")},
		Edges: []contract.Edge{edge("TestF", "a_test.go", 3, true), edge("Run", "z.go", 8, false),
			edge("Run", "z.go", 9, false)}}
	got, err := Text(&contract.GraphRequest{}, a)
	if want := "callers of F (f.go:1): resolved from source\nz.go:8,9 Run: F()\na_test.go:3 TestF: F()\n"; err != nil ||
		got != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
}
