package callgraph

import (
	"cmp"

	"sextant/internal/code"
	"sextant/internal/navigate/callgraph/proof"
	"sextant/internal/navigate/contract"
)

// tracedEdge is an edge of the graph with its symbols and its call.
type tracedEdge struct {
	contract.Edge
	key   edgeKey
	from  *tracedNode // the symbol from which the walk found the edge
	to    *tracedNode
	depth int // distance of the symbol to from the root
	up    bool
	call  code.Call // zero if declares is set
	// declares marks an edge from a method without a body to an implementation; it has no
	// call.
	declares bool
	// question asks a language server to confirm the edge. It is nil if no server can answer, or if one
	// has answered already.
	question *proof.Question
	late     bool     // whether a server disagrees, but answered after the first page was written
	unread   *unread  // set if the calling file is not decoded yet; most other fields are then zero
	rests    []string // further files that the edge depends on, beside those of its two symbols
}

// edgeKey identifies an edge. Each call site between two symbols is an edge of its own.
type edgeKey struct {
	src, dst string
	kind     code.EdgeKind
	file     string
	at       int // byte offset of the callee's name
}

// callEdge returns the edge for the call site l: from t's symbol to other or, if up is
// set, from other to t's symbol.
func (w *walk) callEdge(t task, other *tracedNode, l *proof.Link, up bool) tracedEdge {
	src, dst := t.node, other
	if up {
		src, dst = other, t.node
	}
	e := tracedEdge{from: t.node, to: other, depth: t.depth + 1, up: up, call: l.Call, late: l.Late,
		key: edgeKey{src.SymbolID, dst.SymbolID, code.EdgeCall, l.File, l.Call.NameSpan.StartByte},
		Edge: contract.Edge{Src: src.SymbolID, Dst: dst.SymbolID, Kind: code.EdgeCall,
			Site: siteOf(l.File, l.Call.Span, l.Call.NameSpan), Confidence: l.Confidence,
			Evidence: code.Syntactic, State: contract.StateCandidate, Strategy: l.Strategy, Provenance: l.Provenance}}
	switch {
	case l.By != "":
		e.Evidence, e.State, e.ConfirmedBy = code.Proven, contract.StateConfirmed, l.By
	case l.Provable:
		e.question = proof.QuestionOf(l)
	}
	if l.Call.Kind == code.CallReference {
		// The site only passes the function as a value, as in sort.Slice(rows, less); the call
		// that runs it is elsewhere.
		e.Kind, e.Provenance = code.EdgeDynamic, "taken as a value: "+l.Provenance
		e.key.kind = e.Kind
	}
	return e
}

// siteOf returns the lines from the callee's name to the end of the call.
func siteOf(file string, call, name code.Span) contract.Site {
	s := contract.Site{File: file, StartLine: name.StartLine}
	if call.EndLine > name.StartLine {
		s.EndLine = call.EndLine
	}
	return s
}

// calleeText returns the callee of a call as written, with its receiver: "s.Close".
func calleeText(c code.Call) string {
	if c.Receiver == "" {
		return c.Callee
	}
	return c.Receiver + "." + c.Callee
}

// compareFound orders the edges of one symbol by their sites: certain callers first, then
// possible ones, then tests. In another order, tests and possible callers could use up the limit
// before the callers that explain the code.
func compareFound(a, b tracedEdge) int {
	test := func(e *tracedEdge) int { return btoi(e.up && e.to.class == code.ClassTest) }
	unsure := func(e *tracedEdge) int { return btoi(e.up && possible(e)) }
	return cmp.Or(cmp.Compare(test(&a), test(&b)), cmp.Compare(unsure(&a), unsure(&b)),
		cmp.Compare(a.key.file, b.key.file), cmp.Compare(a.key.at, b.key.at), cmp.Compare(a.Kind, b.Kind),
		cmp.Compare(a.to.File, b.to.File),
		cmp.Compare(a.to.Span.StartLine, b.to.Span.StartLine), cmp.Compare(a.key.dst, b.key.dst),
		cmp.Compare(a.key.src, b.key.src))
}

// inTest reports whether an edge leads from a caller that is a test.
func inTest(e *tracedEdge) bool {
	return e.up && (e.to.class == code.ClassTest || e.to.kind == code.KindTest)
}

// possible reports whether the call site of an edge may run another function, or the edge leads
// to one of several implementations.
func possible(e *tracedEdge) bool {
	return e.declares || e.Via != "" && e.Kind == code.EdgeCall || e.Kind == code.EdgeDynamic ||
		e.unread != nil && e.unread.base != nil
}

// asValue reports whether the call site of an edge takes its target as a value: sort.Slice(rows, less).
func asValue(e *tracedEdge) bool {
	return e.Kind == code.EdgeDynamic && e.Via == "" && !e.declares && (e.unread == nil || e.unread.base == nil)
}

// throughBase changes an edge into one of possible dispatch: its call site calls base, a method of an
// interface or base class. The edge stays confirmed only if servers confirm both the call and the
// implementation.
func (e *tracedEdge) throughBase(base *proof.Overriding) {
	e.Kind, e.Via = code.EdgeDynamic, base.Ref.Symbol().QualifiedName
	e.key.kind = e.Kind
	if base.By != "" {
		return
	}
	e.Evidence, e.State, e.ConfirmedBy = code.Syntactic, contract.StateCandidate, ""
	if e.question == nil {
		e.question = base.Question
	}
}
