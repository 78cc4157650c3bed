package compact

import (
	"fmt"
	"strings"
	"testing"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
)

// TestEmptySideOfAPage checks that only a complete answer, not a page of one, states that there are
// no callers. A page that the deadline cut suggests a longer deadline.
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
	operator := answer()
	operator.InboundCoverageEvidence.OperatorsNotTraced = true
	if got := text(operator); strings.Contains(got, "unresolved") ||
		!strings.Contains(got, "uses in expressions are not") {
		t.Errorf("of an operator it says\n%s", got)
	}
	route := answer()
	for i, via := range []string{"GET /a", "PUT /a", "GET /b", "GET /c"} {
		route.InboundCoverageEvidence.Serves = append(route.InboundCoverageEvidence.Serves, contract.Served{Via: via,
			Site: contract.Site{File: fmt.Sprintf("urls%d.py", i/2), StartLine: i + 1}})
	}
	if got := text(route); !strings.Contains(got, "unresolved; it answers GET /a (urls0.py:1), PUT /a (:2), "+
		"GET /b (urls1.py:3) and 1 more, also to requests from outside") {
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

// TestGraphLines checks the lines of edges and notes of each kind.
func TestGraphLines(t *testing.T) {
	node := func(id, file string, line, depth int) contract.Node {
		return contract.Node{SymbolID: id, SymbolLabel: id, File: file, Depth: depth,
			Span: contract.LineSpan{StartLine: line, EndLine: line + 2}}
	}
	edge := func(src, dst, file string, line int) contract.Edge {
		return contract.Edge{Src: src, Dst: dst, Kind: code.EdgeCall, Confidence: 0.99,
			Site: contract.Site{File: file, StartLine: line}}
	}
	outside, route := node("lib", "", 0, 1), node("Handle", "api/h.go", 5, 1)
	outside.External, route.Service, route.CodebaseRoot = true, "api", "/other"
	http, dynamic, proven, weak := edge("F", "Handle", "f.go", 5), edge("F", "impl", "f.go", 6),
		edge("F", "g", "f.go", 7), edge("F", "h", "f.go", 8)
	http.Kind, http.Via, http.Confidence = code.EdgeHTTP, "GET /a", 0.8
	dynamic.Kind, dynamic.Via, dynamic.Confidence = code.EdgeDynamic, "I.run", 0.7
	proven.Evidence, proven.ConfirmedBy = code.Proven, "gopls v0.20"
	proven.Arguments = []string{"a", "b"}
	weak.Confidence = 0.5
	again := edge("F", "k", "f.go", 9)
	a := &contract.GraphAnswer{Outcome: contract.Outcome{Status: contract.StatusOK}, Path: "/ws", CodebaseRoot: "/ws",
		Direction: contract.DirectionCallees, Depth: 1, SymbolRef: contract.SymbolRef{SymbolID: "F"},
		Nodes: []contract.Node{node("F", "f.go", 1, 0), route, node("impl", "i.go", 2, 1), node("g", "g.go", 3, 1),
			node("h", "g.go", 9, 1), node("k", "f.go", 30, 1), outside},
		Edges: []contract.Edge{http, dynamic, proven, weak, again, edge("F", "lib", "f.go", 10), edge("F", "k",
			"f.go", 11)},
		Folded: &contract.Folded{Tests: 2, TestFiles: 1, Filtered: 3,
			TestSites: []contract.Site{{File: "a_test.go", StartLine: 4}, {File: "a_test.go", StartLine: 4},
				{File: "a_test.go", StartLine: 9}, {File: "b_test.go", StartLine: 1}}},
		Notes: []contract.Note{
			{Type: contract.NoteUnresolved, Target: "x.run", File: "f.go", Line: 12,
				Detail: "the type of x is not known"},
			{Type: contract.NoteUnresolved, Target: "y.run", File: "z.go", Line: 3, Detail: "two fit"},
			{Type: contract.NoteUnresolved, Target: "run", Detail: "4 call sites of that name"},
			{Type: contract.NoteDynamic, Target: "done", File: "f.go", Line: 13},
			{Type: contract.NoteExternal, Target: "fmt.Println", Detail: "2 calls"},
			{Type: contract.NoteCycle, Detail: "F -> g -> F"},
			{Type: contract.NoteSuppressed, Target: "q", File: "f.go", Line: 14},
			{Type: contract.NoteSuppressed, Target: "q", File: "f.go", Line: 14, Detail: "to another target"},
			{Type: contract.NoteUnresolvedServiceCall, Target: "GET /b", File: "f.go", Line: 15, Detail: "no host"},
			{Type: contract.NoteMissingMetadata, Detail: "the file was removed"},
		},
		NotesTruncated: true, TotalNoteCount: 12, ReturnedNoteCount: 9,
		Verification: &contract.Verification{Pending: 2},
	}
	want := `callees of F (f.go:1): resolved from source
api/h.go:5 Handle at 5  [http GET /a, ? -> api, .80, in /other]
i.go:2 impl at 6  [possible, via I.run, .70]
g.go
  3 g at 7  (a, b)  [proven by gopls]
  9 h at 8  [.50]
f.go:30 k at 9,11
lib (external) at 10
+2 calls from tests in 1 file: a_test.go:4,9 b_test.go:1   expand: ["tests","dynamic"]
3 edges left out by include and exclude
note: the file was removed
unresolved: x.run 12 (the type of x is not known), y.run z.go:3 (two fit)
unresolved call sites by name: run 4
through values: done 13
no service here answers: GET /b 15 (no host)
cycles: F -> g -> F
below minConfidence or refuted: q 14
external: fmt.Println 2
3 notes left out
language servers have 2 edges to look at   verify: "wait"
`
	req := &contract.GraphRequest{Expand: []contract.Fold{contract.FoldDynamic}}
	if got := rendered(t, req, a); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// TestLongListsAreCut checks that lists of sites and of notes are cut, counted, and whole with detail full.
func TestLongListsAreCut(t *testing.T) {
	a := &contract.GraphAnswer{Outcome: contract.Outcome{Status: contract.StatusOK}, Path: "/ws", CodebaseRoot: "/ws",
		Direction: contract.DirectionCallees, Depth: 1, SymbolRef: contract.SymbolRef{SymbolID: "F"},
		Folded: &contract.Folded{Dynamic: 1, DynamicFiles: 2},
		Nodes: []contract.Node{{SymbolID: "F", SymbolLabel: "F", File: "f.go", Span: contract.LineSpan{StartLine: 1}},
			{SymbolID: "g", SymbolLabel: "g", File: "g.go", Depth: 1, Span: contract.LineSpan{StartLine: 2}}}}
	for i := range maxSites + 2 {
		a.Edges = append(a.Edges, contract.Edge{Src: "F", Dst: "g", Kind: code.EdgeCall, Confidence: 1,
			Site: contract.Site{File: "f.go", StartLine: 10 + i}})
	}
	for i := range maxNotes + 1 {
		a.Notes = append(a.Notes, contract.Note{Type: contract.NoteDynamic, Target: "v", File: "f.go", Line: 50 + i})
	}
	brief := rendered(t, &contract.GraphRequest{}, a)
	for _, want := range []string{"28,29,+2\n", "v 54, +1\n",
		"+1 possible edge in 2 files   expand: [\"dynamic\"]\n", "+3 in the lists above   detail: \"full\"\n"} {
		if !strings.Contains(brief, want) {
			t.Errorf("%q is missing:\n%s", want, brief)
		}
	}
	full := rendered(t, &contract.GraphRequest{Detail: contract.DetailFull}, a)
	if strings.Contains(full, ",+") || strings.Contains(full, ", +") || !strings.Contains(full, "30,31\n") ||
		!strings.Contains(full, "v 55\n") {
		t.Errorf("with detail full:\n%s", full)
	}
}

// TestGraphDeepens checks that callers of callers are indented below them, and that the callers of
// each symbol are written once.
func TestGraphDeepens(t *testing.T) {
	node := func(id string, depth int) contract.Node {
		return contract.Node{SymbolID: id, SymbolLabel: id, File: id + ".go", Depth: depth,
			Span: contract.LineSpan{StartLine: 1}}
	}
	edge := func(src, dst string, line int) contract.Edge {
		return contract.Edge{Src: src, Dst: dst, Kind: code.EdgeCall, Confidence: 0.99,
			Site: contract.Site{File: src + ".go", StartLine: line}}
	}
	a := &contract.GraphAnswer{Outcome: contract.Outcome{Status: contract.StatusOK}, Path: "/ws", CodebaseRoot: "/ws",
		Direction: contract.DirectionCallers, Depth: 3, SymbolRef: contract.SymbolRef{SymbolID: "F"},
		Nodes: []contract.Node{node("F", 0), node("a", 1), node("b", 1), node("top", 2), node("main", 3)},
		Edges: []contract.Edge{edge("b", "F", 4), edge("a", "F", 3), edge("top", "a", 5), edge("top", "b", 6),
			edge("main", "top", 7), edge("F", "main", 8)}}
	want := `callers of F (F.go:1), depth 3: resolved from source
a.go:3 a
  top.go:5 top
    main.go:7 main
      F.go:8 F  (callers above)
b.go:4 b
  top.go:6 top  (callers above)
`
	if got := rendered(t, &contract.GraphRequest{}, a); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// TestSourceOfASiteIsWrittenOnce checks that of several callees of one call site the first shows its source.
func TestSourceOfASiteIsWrittenOnce(t *testing.T) {
	node := func(id string, depth int) contract.Node {
		return contract.Node{SymbolID: id, SymbolLabel: id, File: id + ".go", Depth: depth,
			Span: contract.LineSpan{StartLine: 1}}
	}
	edge := func(dst string, line int, source string) contract.Edge {
		return contract.Edge{Src: "F", Dst: dst, Kind: code.EdgeCall, Confidence: 0.99, Source: source,
			Site: contract.Site{File: "F.go", StartLine: line, EndLine: line + len(dst)}}
	}
	possible := edge("disk.Put", 4, "s.Put(key(x))")
	possible.Kind, possible.Via, possible.Confidence = code.EdgeDynamic, "Put", 0.7
	a := &contract.GraphAnswer{Outcome: contract.Outcome{Status: contract.StatusOK}, Path: "/ws", CodebaseRoot: "/ws",
		Direction: contract.DirectionCallees, Depth: 1, SymbolRef: contract.SymbolRef{SymbolID: "F"},
		Nodes: []contract.Node{node("F", 0), node("Put", 1), node("disk.Put", 1), node("key", 1), node("log", 1)},
		Edges: []contract.Edge{edge("Put", 4, "s.Put(key(x))"), possible, edge("key", 4, "s.Put(key(x))"),
			edge("log", 5, "log()")}}
	want := `callees of F (F.go:1): resolved from source
Put.go:1 Put at 4: s.Put(key(x))
disk.Put.go:1 disk.Put at 4  [possible, via Put, .70]
key.go:1 key at 4
log.go:1 log at 5: log()
`
	if got := rendered(t, &contract.GraphRequest{}, a); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
