package callgraph

import (
	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// Often a function only exists to return a function that it declares: a factory, a hook, a
// decorator. The graph therefore treats the calls in an inner function as calls of the outer one,
// too. Among callers, when it finds an inner function, it continues with the callers of the outer
// one:
//
//	function plugin() { return { load() { read() } } }
//	test("plugin", () => { plugin() })   // reaches read

// works reports whether a symbol has code that runs when it is called.
func works(n *tracedNode) bool {
	return n.ref.Valid() && n.ref.Index >= 0 && (n.kind.Callable() || n.ref.Symbol().Computed)
}

// beginNested adds the functions declared within a root, a symbol that the graph starts from, as further
// roots for callees. It does not add the function around a root, whose callers need not call the root.
func (w *walk) beginNested(root *tracedNode) {
	for _, n := range w.nested(root, 0) {
		w.nodes[n.SymbolID] = n
		for _, side := range w.sides {
			if !side.up {
				w.roots = append(w.roots, n)
				side.queue(n, 0, w.req.Depth)
			}
		}
	}
}

// queueAlong queues, at the depth of n, the functions whose edges count as those of n: among callees, the
// functions declared in n; among callers, the function around n.
func (w *walk) queueAlong(s *side, n *tracedNode, depth int) {
	if depth >= w.req.Depth || n.External || n.folder != nil || !works(n) {
		return
	}
	if !s.up {
		for _, inner := range w.nested(n, depth) {
			w.nodes[inner.SymbolID] = inner
			s.queue(inner, depth, w.req.Depth)
		}
		return
	}
	if n.class == code.ClassTest || n.kind == code.KindTest {
		return // no code calls a test
	}
	for outer := n.ref.Parent(); outer.Valid(); outer = outer.Parent() {
		around := w.node(outer, depth)
		if !works(around) {
			continue
		}
		w.nodes[around.SymbolID] = around
		n.put(around)
		s.queue(around, depth, w.req.Depth)
		w.queueAlong(s, around, depth)
		return
	}
}

// nested returns the nodes of the functions declared within the symbol of n.
func (w *walk) nested(n *tracedNode, depth int) (out []*tracedNode) {
	outer := n.ref
	span := outer.Symbol().Span
	for i := range outer.File.Symbols {
		s := &outer.File.Symbols[i]
		if i == outer.Index || !s.Kind.Callable() || s.Span.StartByte < span.StartByte ||
			s.Span.EndByte > span.EndByte || s.Span == span {
			continue
		}
		inner := w.node(resolve.Ref{File: outer.File, Index: i}, depth)
		inner.put(n)
		out = append(out, inner)
	}
	return out
}

// put records that n is declared in the function around.
func (n *tracedNode) put(around *tracedNode) {
	if n.around == nil && n != around {
		n.around, n.Within = around, around.SymbolID
	}
}
