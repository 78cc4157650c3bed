package callgraph_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"sextant/internal/code"
	"sextant/internal/navigate/callgraph"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// edgeText returns a text that identifies an edge.
func edgeText(e contract.Edge) string {
	return fmt.Sprintf("%s %s %s %s:%d %s", e.Src, e.Dst, e.Kind, e.Site.File, e.Site.StartLine, e.Provenance)
}

// follow sends r and the next request of each answer until none is left. It returns the
// edges and the number of pages.
func follow(b *navigatetest.Bench, r contract.GraphRequest) (all []string, pages int) {
	b.T.Helper()
	for {
		a := b.Graph(r)
		if a.Status != contract.StatusOK {
			b.T.Fatalf("page %d: %+v", pages, a.Outcome)
		}
		for _, e := range a.Edges {
			all = append(all, edgeText(e))
		}
		if pages++; a.Truncated == nil {
			return all, pages
		}
		if a.Cursor == "" || a.Truncated.Next == nil ||
			a.Truncated.Omitted < 1 && a.Truncated.Cause != contract.CauseDeadline {
			b.T.Fatalf("a cut answer without its continuation: %+v", a.Truncated)
		}
		r = *a.Truncated.Next.Args.(*contract.GraphRequest)
		if pages > 1000 {
			b.T.Fatal("the cursor does not come to an end")
		}
	}
}

func counted(list []string) map[string]int {
	n := map[string]int{}
	for _, s := range list {
		n[s]++
	}
	return n
}

// TestCursorWalksEveryEdgeOnce compares pages of all kinds with one large answer: cut by
// the limit, by the budget and by the deadline.
func TestCursorWalksEveryEdgeOnce(t *testing.T) {
	b := navigatetest.Indexed(t, "net/http")
	base := contract.GraphRequest{SymbolRef: contract.SymbolRef{File: "server.go", SymbolLabel: "Server.Serve"},
		Depth: 2, DeadlineMs: contract.MaxDeadline}
	for _, direction := range []string{"callers", "callees", "both"} {
		for _, detail := range []string{"compact", "full"} {
			r := base
			r.Direction, r.Detail = contract.Direction(direction), contract.Detail(detail)
			whole := r
			whole.Limit, whole.MaxTokens = contract.MaxEdgeLimit, contract.MaxMaxTokens
			want, _ := follow(b, whole)
			if len(want) < 3 {
				t.Fatalf("%s, %s: only %d edges", direction, detail, len(want))
			}
			for _, limit := range []int{7, 50} {
				r.Limit = limit
				got, pages := follow(b, r)
				if !maps.Equal(counted(got), counted(want)) {
					t.Errorf("%s, %s, limit %d: %d edges on %d pages, want %d", direction, detail, limit,
						len(got), pages, len(want))
				}
				if pages < len(want)/limit {
					t.Errorf("%d edges came on %d pages of %d", len(want), pages, limit)
				}
			}
			r.Limit, r.MaxTokens = 100, 1500
			if got, pages := follow(b, r); !maps.Equal(counted(got), counted(want)) || pages < 2 && len(want) > 20 {
				t.Errorf("%s, %s, by budget: %d edges on %d pages, want %d", direction, detail,
					len(got), pages, len(want))
			}
		}
	}
	r := base
	// A short deadline ends most pages. Each request for the next page has a longer one.
	r.Limit, r.DeadlineMs, r.MaxTokens = contract.MaxEdgeLimit, 30, contract.MaxMaxTokens
	want, _ := follow(b, contract.GraphRequest{SymbolRef: base.SymbolRef, Depth: 2, Limit: contract.MaxEdgeLimit,
		DeadlineMs: contract.MaxDeadline, Delivery: contract.Delivery{MaxTokens: contract.MaxMaxTokens}})
	if got, _ := follow(b, r); !maps.Equal(counted(got), counted(want)) {
		t.Errorf("by deadline: %d edges, want %d", len(got), len(want))
	}
}

func TestCursorIsBoundToItsRequest(t *testing.T) {
	b := navigatetest.Indexed(t, "bufio")
	r := contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "Reader.fill"}, Limit: 2}
	first := b.Graph(r)
	if first.Cursor == "" {
		t.Fatalf("no cursor: %+v", first.Truncated)
	}
	for name, change := range map[string]func(*contract.GraphRequest){
		"another symbol":    func(r *contract.GraphRequest) { r.SymbolRef.SymbolLabel = "Reader.Peek" },
		"another depth":     func(r *contract.GraphRequest) { r.Depth = 2 },
		"another direction": func(r *contract.GraphRequest) { r.Direction = contract.DirectionCallers },
		"no cursor at all":  func(r *contract.GraphRequest) { r.Cursor = "g1.AAAA" },
		"nonsense":          func(r *contract.GraphRequest) { r.Cursor = "12.0@4" },
	} {
		other := r
		other.Path, other.Cursor = b.Dir, first.Cursor
		change(&other)
		_, err := b.Service.CallGraph(t.Context(), navigatetest.Normal(t, other))
		var invalid *contract.InvalidArguments
		if !errors.As(err, &invalid) || !strings.Contains(err.Error(), "leave cursor out") {
			t.Errorf("%s: %v; want invalid arguments that say what to do", name, err)
		}
	}
	wider := r
	wider.Cursor, wider.Limit, wider.View = first.Cursor, 50, contract.ViewTree
	if a := b.Graph(wider); a.Status != contract.StatusOK || len(a.Edges) == 0 ||
		!strings.Contains(a.Tree, "callers of Reader.fill") {
		t.Errorf("limit and view may change along a walk: %+v", a.Outcome)
	}
	b.Edit("scan.go", func(s string) string { return s + "\nfunc added() {}\n" })
	r.Cursor = first.Cursor
	a := b.Graph(r)
	if a.Status != contract.StatusNotFound || a.Reason != contract.ReasonStaleCursor || a.Hints == nil ||
		a.Hints.Retry == nil {
		t.Fatalf("after an edit: %+v", a.Outcome)
	}
	if again := b.Graph(*a.Hints.Retry.Args.(*contract.GraphRequest)); again.Status != contract.StatusOK ||
		len(again.Edges) != 2 {
		t.Errorf("the retry that it suggests: %+v", again.Outcome)
	}
}

// TestDeadlineIsKept requests a graph that no walk finishes in the time.
func TestDeadlineIsKept(t *testing.T) {
	b := navigatetest.Indexed(t, "net/http")
	r := contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "Server.Serve"}, Depth: 12, Limit: 500,
		View: contract.ViewTree, DeadlineMs: 1}
	a := b.Graph(r)
	if a.Status != contract.StatusOK || a.Truncated == nil || a.Truncated.Cause != contract.CauseDeadline ||
		!strings.Contains(a.Tree, "deadline") {
		t.Fatalf("%+v, %+v\n%s", a.Outcome, a.Truncated, a.Tree)
	}
	if len(a.Nodes) == 0 || a.Nodes[0].SymbolLabel != "Server.Serve" {
		t.Errorf("the symbol asked for is not among the nodes: %+v", a.Nodes)
	}
	next := a.Truncated.Next.Args.(*contract.GraphRequest)
	if len(a.Edges) == 0 && next.DeadlineMs <= r.DeadlineMs {
		t.Errorf("the next call has no more time than the one that came to nothing: %+v", next)
	}
	if a.InboundCoverageEvidence != nil && a.InboundCoverageEvidence.IndexComplete {
		t.Error("no callers are claimed by a walk that did not look")
	}
}

func TestCountsAddUp(t *testing.T) {
	b := navigatetest.Indexed(t, "net/http")
	a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "conn.serve"},
		Direction: contract.DirectionCallees, Limit: 500, DeadlineMs: contract.MaxDeadline,
		Delivery: contract.Delivery{MaxTokens: contract.MaxMaxTokens}})
	c := a.Counts.Outgoing
	if c.Sites == 0 || c.Settled == 0 || c.External == 0 ||
		c.Sites != c.Settled+c.External+c.Builtin+c.Value+c.Unresolved {
		t.Errorf("%d sites: %+v", c.Sites, c)
	}
	calls := 0
	for _, e := range a.Edges {
		if e.Kind == code.EdgeCall {
			calls++
		}
	}
	if calls > c.Settled || calls == 0 {
		t.Errorf("%d call edges of %d settled sites", calls, c.Settled)
	}
	external := 0
	for _, n := range a.Notes {
		if n.Type == contract.NoteExternal && n.Target == "" {
			t.Errorf("an external call without its module: %+v", n)
		}
		if n.Type == contract.NoteExternal {
			external++
		}
	}
	if external == 0 {
		t.Error("no note sums up the calls that leave the workspace")
	}
	full := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "conn.serve"},
		Direction: contract.DirectionCallees, Limit: 500, Detail: contract.DetailFull, DeadlineMs: contract.MaxDeadline,
		Delivery: contract.Delivery{MaxTokens: contract.MaxMaxTokens}})
	outside, arguments := 0, 0
	for _, n := range full.Nodes {
		if n.External {
			outside++
		}
	}
	for _, e := range full.Edges {
		arguments += len(e.Arguments)
	}
	if outside == 0 || arguments == 0 || len(full.Edges) < len(a.Edges)+c.External/2 {
		t.Errorf("detail full: %d external nodes, %d arguments, %d edges", outside, arguments, len(full.Edges))
	}
}

// chain holds a cycle of three functions, a recursion, a caller of them, and the methods
// of a type.
var chain = map[string]string{
	"go.mod": "module chain\n\ngo 1.24\n",
	"a.go": "package chain\n\nfunc A() { B() }\n\nfunc B() { C(); C() }\n\nfunc C() {\n\tA()\n\tC()\n}\n\n" +
		"func Enter() { A() }\n",
	"shape.go": "package chain\n\ntype Shape struct{ n int }\n\nfunc NewShape() *Shape { return &Shape{} }\n\n" +
		"func (s *Shape) Grow() { s.step() }\n\nfunc (s *Shape) step() { A() }\n\n" +
		"type Grower interface{ Grow() }\n\nfunc Use(g Grower) { g.Grow() }\n",
	"a_test.go": "package chain\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) { A() }\n",
}

func TestCycles(t *testing.T) {
	b := navigatetest.Of(t, chain)
	a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "A"},
		Direction: contract.DirectionCallees, Depth: 12, View: contract.ViewTree})
	var details []string
	for _, n := range a.Notes {
		if n.Type == contract.NoteCycle {
			details = append(details, n.Target+": "+n.Detail)
		}
	}
	want := []string{"C: calls itself", "A: 3 symbols call each other in a circle: A, B, C"}
	slices.Sort(details)
	slices.Sort(want)
	if !slices.Equal(details, want) {
		t.Errorf("cycles: %q, want %q", details, want)
	}
	if strings.Count(a.Tree, "↺ cycle") != 2 || strings.Count(a.Tree, "\n") != 4 ||
		!strings.Contains(a.Tree, "C  a.go:7  [syntactic") || !strings.Contains(a.Tree, "×2") {
		t.Errorf("the tree:\n%s", a.Tree)
	}
}

func TestTestReferences(t *testing.T) {
	a := navigatetest.Of(t, chain).Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "B"},
		Direction: contract.DirectionCallers, Depth: 2})
	if len(a.TestReferences) != 1 || a.TestReferences[0].File != "a_test.go" || a.TestReferences[0].Label != "TestA" {
		t.Errorf("tests: %+v", a.TestReferences)
	}
}

// TestTypeAsRoot checks that the graph of a type also has the callers of its members.
func TestTypeAsRoot(t *testing.T) {
	a := navigatetest.Of(t, chain).Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "Shape"},
		View: contract.ViewTree})
	if a.Status != contract.StatusOK || !strings.Contains(a.Tree, "and of its 2 members") ||
		!strings.Contains(a.Tree, "Shape.step") {
		t.Errorf("%+v\n%s", a.Outcome, a.Tree)
	}
	id := map[string]string{}
	for _, n := range a.Nodes {
		id[n.SymbolLabel] = n.SymbolID
	}
	inner := slices.ContainsFunc(a.Edges, func(e contract.Edge) bool {
		return e.Src == id["Shape.Grow"] && e.Dst == id["Shape.step"]
	})
	outer := slices.ContainsFunc(a.Edges, func(e contract.Edge) bool {
		return e.Src == id["Shape.step"] && e.Dst == id["A"]
	})
	if !inner || !outer {
		t.Errorf("edges of the members are missing: %+v", a.Edges)
	}
}

// TestFileAsRoot: the top-level calls of a script belong to the symbol of the file.
func TestFileAsRoot(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{"run.py": "def work():\n    pass\n\n\nwork()\n"})
	up := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "work"},
		Direction: contract.DirectionCallers})
	if len(up.Edges) != 1 || len(up.Nodes) != 2 {
		t.Fatalf("the call at the top level is not found: %+v, %+v", up.Nodes, up.Edges)
	}
	file := up.Nodes[slices.IndexFunc(up.Nodes, func(n contract.Node) bool { return n.SymbolLabel == "run.py" })]
	for _, ref := range []contract.SymbolRef{{File: "run.py", SymbolID: file.SymbolID}, {SymbolLabel: "run.py"},
		{File: "run.py", SymbolLabel: "run.py"}} {
		down := b.Graph(contract.GraphRequest{SymbolRef: ref})
		if down.Status != contract.StatusOK || len(down.Edges) != 1 || down.Edges[0].Src != file.SymbolID ||
			down.InboundCoverageEvidence == nil {
			t.Errorf("%+v: %+v, %+v", ref, down.Outcome, down.Edges)
		}
	}
}

func TestNamesWithTheirPlace(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{
		"go.mod": "module m\n\ngo 1.24\n",
		"pool/pool.go": "package pool\n\ntype Pool struct{}\n\nfunc (p *Pool) Acquire() {}\n\n" +
			"func New() *Pool { return nil }\n",
		"lake/lake.go": "package lake\n\ntype Pool struct{ Acquire int }\n\nfunc New() *Pool { return nil }\n",
		"api/pool.py":  "class Pool:\n    def acquire(self):\n        pass\n",
	})
	for label, want := range map[string]string{
		"Pool.Acquire": "pool/pool.go", // a method before a field
		"pool.New":     "pool/pool.go", "lake.New": "lake/lake.go", "pool/pool.go:New": "pool/pool.go",
		"pool.go:Pool.Acquire":      "pool/pool.go",
		"api/pool.py::Pool.acquire": "api/pool.py", "api.pool.Pool.acquire": "api/pool.py",
		"(*Pool).Acquire": "pool/pool.go", "Pool#acquire()": "api/pool.py",
	} {
		if a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: label}}); a.Status !=
			contract.StatusOK || a.SymbolRef.File != want {
			t.Errorf("%s: %+v in %q, want %s", label, a.Outcome, a.SymbolRef.File, want)
		}
	}
	a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "New"}})
	if a.Status != contract.StatusAmbiguous || len(a.Candidates) != 2 || a.Hints == nil || len(a.Hints.NextSteps) != 2 {
		t.Fatalf("New: %+v, %+v", a.Outcome, a.Hints)
	}
	if again := b.Graph(*a.Hints.NextSteps[1].Args.(*contract.GraphRequest)); again.Status != contract.StatusOK ||
		again.SymbolRef.SymbolID != a.Candidates[1].SymbolID {
		t.Errorf("the call that it suggests: %+v", again.Outcome)
	}
	if a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "Tank.Acquire"}}); a.Reason !=
		contract.ReasonMissingSymbol || len(a.Candidates) == 0 {
		t.Errorf("a wrong type: %+v, %+v; want those of the same last name", a.Outcome, a.Candidates)
	}
}

// TestDefinitionBeforePrototype: a prototype of a function that another file defines is
// no second candidate.
func TestDefinitionBeforePrototype(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{"pool.h": "int acquire(int n);\n",
		"pool.c": "#include \"pool.h\"\n\nint acquire(int n) { return n; }\n",
		"over.ts": "export function pick(a: string): string;\nexport function pick(a: number): number;\n" +
			"export function pick(a: any): any { return a; }\n"})
	for label, want := range map[string]contract.LineSpan{"acquire": {StartLine: 3, EndLine: 3},
		"pick": {StartLine: 3, EndLine: 3}} {
		a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: label}})
		if a.Status != contract.StatusOK || a.SymbolRef.Span == nil || *a.SymbolRef.Span != want {
			t.Errorf("%s: %+v at %+v", label, a.Outcome, a.SymbolRef.Span)
		}
	}
}

// TestOverloadsAreToldApart: overloads in one file are candidates with their signatures,
// and the id of each selects it.
func TestOverloadsAreToldApart(t *testing.T) {
	b := navigatetest.Of(t,
		map[string]string{"Pool.java": "class Pool {\n  void take(int n) {}\n  void take(String s) { take(1); }\n}\n"})
	for _, ref := range []contract.SymbolRef{{SymbolLabel: "Pool.take"}, {File: "Pool.java", SymbolLabel: "take"}} {
		a := b.Graph(contract.GraphRequest{SymbolRef: ref})
		if a.Status != contract.StatusAmbiguous || len(a.Candidates) != 2 ||
			!strings.Contains(a.Candidates[1].Signature, "String s") {
			t.Fatalf("%+v: %+v, %+v", ref, a.Outcome, a.Candidates)
		}
		one := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{File: "Pool.java",
			SymbolID: a.Candidates[1].SymbolID}})
		if one.Status != contract.StatusOK || one.SymbolRef.Span.StartLine != 3 {
			t.Errorf("by its id: %+v at %+v", one.Outcome, one.SymbolRef)
		}
		placed := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: ref.SymbolLabel,
			File: "Pool.java", Span: &contract.LineSpan{StartLine: 2, EndLine: 2}}})
		if placed.Status != contract.StatusOK || placed.SymbolRef.Span.StartLine != 2 {
			t.Errorf("by its line: %+v at %+v", placed.Outcome, placed.SymbolRef)
		}
	}
}

func TestSuppressedEdgesAreTold(t *testing.T) {
	all, none := 0.0, 1.0
	b := navigatetest.Indexed(t, "bufio")
	r := contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "Reader.fill"}, MinConfidence: &none}
	a := b.Graph(r)
	suppressed := 0
	for _, n := range a.Notes {
		if n.Type == contract.NoteSuppressed {
			suppressed++
		}
	}
	if len(a.Edges) != 0 || suppressed == 0 || a.Counts.Inbound.Suppressed == 0 {
		t.Errorf("minConfidence 1: %d edges, %d notes, %+v", len(a.Edges), suppressed, a.Counts)
	}
	r.MinConfidence = &all
	if a := b.Graph(r); len(a.Edges) == 0 || a.Counts.Inbound.Suppressed != 0 {
		t.Errorf("minConfidence 0: %d edges, %+v", len(a.Edges), a.Counts)
	}
}

// TestDispatch: a call of an interface's method stays a call of that method. Dynamic
// edges lead to its implementations, in both directions and no further than the depth.
func TestDispatch(t *testing.T) {
	b := navigatetest.Of(t, chain)
	label := map[string]string{}
	edges := func(a *contract.GraphAnswer) (out []string) {
		for _, n := range a.Nodes {
			label[n.SymbolID] = n.SymbolLabel
		}
		for _, e := range a.Edges {
			out = append(out, fmt.Sprintf("%s %s %s via %q", label[e.Src], e.Kind, label[e.Dst], e.Via))
		}
		slices.Sort(out)
		return out
	}
	down := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "Use"},
		Direction: contract.DirectionCallees, View: contract.ViewTree})
	want := []string{`Use call Grower.Grow via ""`, `Use dynamic Shape.Grow via "Grower.Grow"`}
	if got := edges(down); !slices.Equal(got, want) {
		t.Errorf("callees: %q, want %q", got, want)
	}
	if !strings.Contains(down.Tree, "Shape.Grow  shape.go:7  [syntactic 0.") ||
		!strings.Contains(down.Tree, "via Grower.Grow  … depth 1") {
		t.Errorf("the tree:\n%s", down.Tree)
	}
	up := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "Shape.Grow"},
		Direction: contract.DirectionCallers})
	declared := `Grower.Grow dynamic Shape.Grow via "Grower.Grow"`
	if got := edges(up); !slices.Equal(got, []string{declared, `Use dynamic Shape.Grow via "Grower.Grow"`}) {
		t.Errorf("callers: %q", got)
	}
	down = b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "Grower.Grow"},
		Direction: contract.DirectionCallees})
	if got := edges(down); !slices.Equal(got, []string{declared}) {
		t.Errorf("callees of what has no body: %q", got)
	}
	if up.InboundCoverageEvidence != nil {
		t.Error("a possible caller is a caller to reckon with")
	}
}

// TestListsGiveWayToTheTree: if only the tree fits the budget, the lists are left out,
// with a warning.
func TestListsGiveWayToTheTree(t *testing.T) {
	b := navigatetest.Indexed(t, "net/http")
	a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "conn.serve"}, Depth: 2, Limit: 60,
		View: contract.ViewTree, DeadlineMs: contract.MaxDeadline, Delivery: contract.Delivery{MaxTokens: 4000}})
	text, err := json.Marshal(a)
	if err != nil || contract.Tokens(text) > 4000 {
		t.Errorf("%v, %d tokens", err, contract.Tokens(text))
	}
	if a.Truncated == nil || a.Truncated.Cause != contract.CauseLimit || a.Truncated.Shown != 60 {
		t.Errorf("all 60 edges are in the tree, and it says %+v", a.Truncated)
	}
	if !slices.Contains(a.Warnings, callgraph.WarnListsCut) || len(a.Nodes) != 1 || len(a.Edges) != 0 ||
		strings.Count(a.Tree, "─ ") < 40 {
		t.Errorf("warnings %v, %d nodes, %d edges, tree:\n%s", a.Warnings, len(a.Nodes), len(a.Edges), a.Tree)
	}
}

// TestGraphOfEqualNames: two declarations of one qualified name, an interface's method
// and another package's, are both candidates.
func TestGraphOfEqualNames(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{
		"go.mod": "module a\n",
		"a/a.go": "package a\n\ntype Store interface {\n\tSave()\n}\n",
		"b/b.go": "package b\n\ntype Store struct{}\n\nfunc (Store) Save() {}\n",
		"c/c.cc": "void announced() {}\n",
		"c/c.h":  "void announced();\n",
		"d/d.ts": "export function over(a: string): void\nexport function over(a: number): void\n" +
			"export function over(a: any) {}\n",
	})
	a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "Store.Save"}})
	if a.Reason != contract.ReasonAmbiguousSymbol || len(a.Candidates) != 2 {
		t.Errorf("an interface's method and another: %+v, %d candidates", a.Outcome, len(a.Candidates))
	}
	for _, one := range []string{"announced", "over"} {
		if a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: one}}); a.Status !=
			contract.StatusOK {
			t.Errorf("%s: %+v, %+v", one, a.Outcome, a.Candidates)
		}
	}
}
