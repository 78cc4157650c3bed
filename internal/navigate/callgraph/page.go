package callgraph

import (
	"cmp"
	"slices"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
)

// maxTestReferences is the limit of GraphAnswer.TestReferences in package contract.
const maxTestReferences = 50

// maxNotes is the largest number of notes in an answer. The answer's TotalNoteCount includes the notes
// that it omits.
const maxNotes = 50

// fill writes the nodes, edges and notes of this page into the answer, each list in the order that
// package contract documents.
func (p *graphPart) fill(a *contract.GraphAnswer) {
	a.Nodes, a.Edges, a.TestReferences, a.Bodies = p.nodes(), nil, nil, nil
	if p.texts != nil {
		a.Bodies = p.bodies(p.most)
	}
	for _, e := range p.edges() {
		e.InTest = inTest(&e)
		a.Edges = append(a.Edges, e.Edge)
		if t := testOf(&e); t != nil && len(a.TestReferences) < maxTestReferences {
			a.TestReferences = append(a.TestReferences, *t)
		}
	}
	slices.SortStableFunc(a.Edges, func(x, y contract.Edge) int {
		return cmp.Or(cmp.Compare(x.Src, y.Src), cmp.Compare(x.Dst, y.Dst), cmp.Compare(x.Kind, y.Kind),
			cmp.Compare(x.Site.File, y.Site.File), cmp.Compare(x.Site.StartLine, y.Site.StartLine))
	})
	slices.SortFunc(a.TestReferences, func(x, y contract.TestReference) int {
		return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line), cmp.Compare(x.Label, y.Label))
	})
	a.TestReferences = slices.Compact(a.TestReferences)
	notes := p.notes()
	a.TotalNoteCount = len(notes)
	a.Notes = notes[:min(len(notes), maxNotes)]
	a.ReturnedNoteCount, a.NotesTruncated = len(a.Notes), a.TotalNoteCount > len(a.Notes)
	a.Counts, a.Folded = p.counts(), p.foldedCounts()
	a.Sidecar = &contract.Sidecar{BuiltAt: p.builtAt, NodeCount: len(a.Nodes), EdgeCount: len(a.Edges)}
}

// nodes returns the root, the symbols that the edges of this page join, and the functions around these,
// in order of position.
func (p *graphPart) nodes() (out contract.List[contract.Node]) {
	seen := map[*tracedNode]bool{}
	add := func(n *tracedNode) {
		for ; n != nil && !seen[n]; n = n.around {
			seen[n] = true
			out = append(out, n.Node)
		}
	}
	add(p.walk.roots[0])
	for _, e := range p.edges() {
		add(e.from)
		add(e.to)
	}
	slices.SortFunc(out, func(x, y contract.Node) int {
		return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Span.StartLine, y.Span.StartLine),
			cmp.Compare(x.SymbolLabel, y.SymbolLabel), cmp.Compare(x.SymbolID, y.SymbolID))
	})
	return out
}

// testOf returns the test that makes the call of an edge to a caller, or nil if the
// caller is no test.
func testOf(e *tracedEdge) *contract.TestReference {
	src := e.from
	if e.up {
		src = e.to
	}
	if !e.up || src.class != code.ClassTest && src.kind != code.KindTest {
		return nil
	}
	return &contract.TestReference{File: e.Site.File, Line: e.Site.StartLine, Label: src.SymbolLabel}
}
