package navigate

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sort"

	"sextant/internal/code"
	"sextant/jit"
	"sextant/l2meta"
)

// tracer walks the call graph from one symbol, breadth first, on one snapshot.
type tracer struct {
	req      *GraphRequest
	resolver *l2meta.Resolver
	services serviceNames

	nodes   map[string]*tracedNode
	edges   map[edgeKey]*Edge
	order   []edgeKey // in which edges were found
	notes   []Note
	tests   []TestReference
	inbound l2meta.Inbound    // of the root symbol
	cut     map[string]string // id and direction → why it was not followed
	open    map[string]int    // id and direction → call sites that stay unresolved
	full    bool              // the edge limit was hit
}

// tracedNode is a node with the row that it stands for.
type tracedNode struct {
	Node
	row l2meta.Row
}

// edgeKey tells edges apart; several sites between two symbols are several
// edges.
type edgeKey struct {
	src, dst string
	file     string
	line     int
	column   int
}

func newTracer(v *jit.View, req *GraphRequest, services serviceNames) *tracer {
	return &tracer{req: req, resolver: l2meta.NewResolver(v), services: services,
		nodes: map[string]*tracedNode{}, edges: map[edgeKey]*Edge{}, cut: map[string]string{}, open: map[string]int{}}
}

// trace fills the tracer from the symbol of row.
func (t *tracer) trace(ctx context.Context, row l2meta.Row) error {
	root := t.node(row, 0)
	for _, up := range []bool{true, false} {
		if up && t.req.Direction == "callees" || !up && t.req.Direction == "callers" {
			continue
		}
		level := []*tracedNode{root}
		seen := map[string]bool{root.SymbolID: true}
		for depth := 1; depth <= t.req.Depth && len(level) > 0; depth++ {
			var next []*tracedNode
			for _, n := range level {
				found, err := t.step(ctx, n, depth, up)
				if err != nil {
					return err
				}
				for _, f := range found {
					if !seen[f.SymbolID] {
						seen[f.SymbolID] = true
						next = append(next, f)
					}
				}
			}
			level = next
		}
		for _, n := range level {
			t.cut[n.SymbolID+direction(up)] = "depth"
		}
	}
	return nil
}

func direction(up bool) string {
	if up {
		return "↑"
	}
	return "↓"
}

// step finds the neighbours of n and records the edges to them.
func (t *tracer) step(ctx context.Context, n *tracedNode, depth int, up bool) ([]*tracedNode, error) {
	found, open, err := t.neighbours(ctx, n, up)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(found, func(a, b l2meta.Resolved) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Call.Span.StartByte, b.Call.Span.StartByte))
	})
	var out []*tracedNode
	for i := range found {
		if found[i].Confidence < *t.req.MinConfidence {
			t.note(Note{Type: NoteSuppressed, SymbolID: n.SymbolID, Target: found[i].Call.Callee, File: found[i].File, Line: found[i].Call.NameSpan.StartLine,
				Detail: fmt.Sprintf("confidence %.2f is below minConfidence", found[i].Confidence)})
			continue
		}
		other, added := t.edge(&found[i], depth, up)
		if !added {
			t.cut[n.SymbolID+direction(up)] = "limit"
			break
		}
		out = append(out, other)
	}
	t.open[n.SymbolID+direction(up)] = len(open)
	for _, o := range open {
		t.note(Note{Type: NoteUnresolved, SymbolID: n.SymbolID, Target: calleeText(o.Call), File: o.File, Line: o.Call.NameSpan.StartLine, Detail: o.Reason})
	}
	return out, nil
}

func calleeText(c code.Call) string {
	if c.Receiver == "" {
		return c.Callee
	}
	return c.Receiver + "." + c.Callee
}

func (t *tracer) neighbours(ctx context.Context, n *tracedNode, up bool) ([]l2meta.Resolved, []l2meta.Open, error) {
	if !up {
		return t.resolver.Callees(ctx, n.row.FileID, n.row.Index)
	}
	in, err := t.resolver.Callers(ctx, n.row)
	if err != nil {
		return nil, nil, err
	}
	if n.Depth == 0 {
		t.inbound = in
	}
	return in.Callers, in.Unsettled, nil
}

// edge records a settled call and returns the node at its other end. It
// reports false when the limit leaves no room.
func (t *tracer) edge(r *l2meta.Resolved, depth int, up bool) (*tracedNode, bool) {
	src, dst := t.idOf(r.Caller), t.idOf(r.Target)
	key := edgeKey{src, dst, r.File, r.Call.NameSpan.StartLine, r.Call.NameSpan.StartColumn}
	other := r.Target
	if up {
		other = r.Caller
	}
	if _, known := t.edges[key]; known {
		return t.node(other, depth), true
	}
	if len(t.edges) >= t.req.Limit {
		t.full = true
		return nil, false
	}
	e := &Edge{Src: src, Dst: dst, Kind: code.EdgeCall, Site: siteOf(r.File, r.Call.Span, r.Call.NameSpan), Confidence: r.Confidence,
		Evidence: code.Syntactic, State: "candidate", Strategy: r.Strategy, Provenance: r.Provenance}
	t.edges[key] = e
	t.order = append(t.order, key)
	node := t.node(other, depth)
	if up && r.Caller.Class == code.ClassTest && len(t.tests) < maxTestReferences {
		t.tests = append(t.tests, TestReference{File: r.File, Line: e.Site.StartLine, Label: r.Caller.Symbol.QualifiedName})
	}
	return node, true
}

// maxTestReferences is the contract's.
const maxTestReferences = 50

// siteOf is where the callee's name stands, up to the end of the call.
func siteOf(file string, call, name code.Span) Site {
	s := Site{File: file, StartLine: name.StartLine}
	if call.EndLine > name.StartLine {
		s.EndLine = call.EndLine
	}
	return s
}

func (t *tracer) idOf(row l2meta.Row) string { return string(rowID(row)) }

// rowID is the symbol id of a stored row.
func rowID(row l2meta.Row) code.SymbolID {
	id, _ := code.ID(row.Path, row.Language, &row.Symbol)
	return id
}

// node finds or makes the node of a row; the smallest depth counts.
func (t *tracer) node(row l2meta.Row, depth int) *tracedNode {
	id := t.idOf(row)
	if n, ok := t.nodes[id]; ok {
		return n
	}
	n := &tracedNode{row: row, Node: Node{SymbolID: id, SymbolLabel: row.Symbol.QualifiedName, File: row.Path, Language: row.Language,
		Span: Lines(row.Symbol.Span), Depth: depth, Service: t.services.of(row.Path)}}
	t.nodes[id] = n
	return n
}

// maxNotes bounds the notes that an answer shows; all are counted.
const maxNotes = 50

func (t *tracer) note(n Note) { t.notes = append(t.notes, n) }

// files are the files that the graph rests on, sorted.
func (t *tracer) files() []string {
	set := map[string]bool{}
	for _, n := range t.nodes {
		set[n.File] = true
	}
	for _, e := range t.edges {
		set[e.Site.File] = true
	}
	out := make([]string, 0, len(set))
	for f := range set {
		if f != "" {
			out = append(out, f)
		}
	}
	sort.Strings(out)
	return out
}

// fill writes nodes, edges and notes into the answer, in the contract's order.
func (t *tracer) fill(a *GraphAnswer) {
	for _, n := range t.nodes {
		a.Nodes = append(a.Nodes, n.Node)
	}
	slices.SortFunc(a.Nodes, func(x, y Node) int {
		return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Span.StartLine, y.Span.StartLine), cmp.Compare(x.SymbolLabel, y.SymbolLabel), cmp.Compare(x.SymbolID, y.SymbolID))
	})
	for _, e := range t.edges {
		a.Edges = append(a.Edges, *e)
	}
	slices.SortFunc(a.Edges, func(x, y Edge) int {
		return cmp.Or(cmp.Compare(x.Src, y.Src), cmp.Compare(x.Dst, y.Dst), cmp.Compare(x.Kind, y.Kind),
			cmp.Compare(x.Site.File, y.Site.File), cmp.Compare(x.Site.StartLine, y.Site.StartLine))
	})
	a.Notes = dedupeNotes(t.notes)
	a.TotalNoteCount = len(a.Notes)
	a.Notes = a.Notes[:min(len(a.Notes), maxNotes)]
	a.ReturnedNoteCount, a.NotesTruncated = len(a.Notes), a.TotalNoteCount > len(a.Notes)
	slices.SortFunc(t.tests, func(x, y TestReference) int {
		return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line))
	})
	a.TestReferences = t.tests
}

func dedupeNotes(notes []Note) []Note {
	slices.SortFunc(notes, func(x, y Note) int {
		return cmp.Or(cmp.Compare(x.Type, y.Type), cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line), cmp.Compare(x.Target, y.Target), cmp.Compare(x.SymbolID, y.SymbolID))
	})
	return slices.Compact(notes)
}
