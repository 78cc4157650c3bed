package callgraph

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// dispatched returns an edge to each declaration, such as an override, that the resolved calls in t's
// symbol may run instead of their targets. The edge starts at the first call site that may run it. If the
// requested symbol is a method without a body, edges to its implementations are added.
func (w *walk) dispatched(t task) (out []tracedEdge, err error) {
	c := &w.counted().Outgoing
	known := map[edgeKey]bool{}
	for i := range t.settled {
		l := &t.settled[i]
		d, err := w.links.dispatch(l.target, l.receiver)
		if err != nil {
			return nil, err
		}
		w.askDispatch(&d)
		for j := range d.to {
			base := &d.to[j]
			if !w.links.r.MayRunAt(l.target, base.ref, &l.call) {
				continue
			}
			base.question = d.question
			e := w.dispatchEdge(t, l, base)
			key := edgeKey{dst: e.key.dst, file: e.Via}
			if known[key] {
				continue
			}
			if c.Dynamic++; w.suppressed(e.Confidence, t, l) {
				c.Suppressed++
				continue
			}
			known[key] = true
			out = append(out, e)
		}
	}
	if t.depth == 0 && bodiless(t.node.ref) {
		more, err := w.implementing(t)
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	slices.SortStableFunc(out, compareFound)
	return out, nil
}

// askDispatch queues d.question, which asks a language server for the implementations of
// a method. Each question is queued once.
func (w *walk) askDispatch(d *dispatching) {
	if q := d.question; q != nil && !slices.ContainsFunc(w.asks, func(a tracedAsk) bool { return a.question == *q }) {
		w.asks = append(w.asks, tracedAsk{*q, len(w.edges)})
	}
}

// dispatchEdge returns the edge from the call site l to a declaration, to, which the call may run instead
// of its target.
func (w *walk) dispatchEdge(t task, l *link, to *overriding) tracedEdge {
	possible := *l
	possible.confidence, possible.strategy = to.confident(l.confidence), to.strategy
	possible.provenance = "calls " + l.target.Symbol().QualifiedName + "; " +
		to.ref.Symbol().QualifiedName + " " + to.provenance
	e := w.callEdge(t, w.node(to.ref, t.depth+1), &possible, false)
	via := *to
	via.ref = l.target
	e.throughBase(&via)
	return e
}

// implementing returns the edges from a method without a body to its implementations.
func (w *walk) implementing(t task) (out []tracedEdge, err error) {
	d, err := w.links.dispatch(t.node.ref, resolve.Ref{})
	if err != nil {
		return nil, err
	}
	w.askDispatch(&d)
	c := &w.counted().Outgoing
	for i := range d.to {
		to := &d.to[i]
		to.question = d.question
		c.Dynamic++
		if to.confidence < *w.req.MinConfidence {
			c.Suppressed++
			continue
		}
		out = append(out, w.implementedBy(t, w.node(to.ref, t.depth+1), to, false))
	}
	return out, nil
}

// implementedBy returns the edge from a method without a body to an implementation. With
// up set, t is the implementation and other the method. No call makes this edge, so its
// site is the implementation's declaration.
func (w *walk) implementedBy(t task, other *tracedNode, how *overriding, up bool) tracedEdge {
	declared, impl := t.node, other
	if up {
		declared, impl = impl, declared
	}
	at := impl.ref.Symbol().Span
	at.EndLine = at.StartLine
	e := w.callEdge(t, other, &link{call: code.Call{Callee: impl.ref.Symbol().Name, Span: at, NameSpan: at},
		file:     impl.ref.File.Path,
		strategy: how.strategy, provenance: how.provenance, confidence: how.confidence, by: how.by}, up)
	e.call, e.declares, e.Kind, e.Via = code.Call{}, true, code.EdgeDynamic, declared.SymbolLabel
	e.key.kind = e.Kind
	if how.by == "" {
		e.question = how.question
	}
	return e
}

// bodiless reports whether calling a symbol may run code of another: it is an abstract
// method, a property or field that holds a function, or a constructor, which may run that
// of its base class.
func bodiless(ref resolve.Ref) bool {
	if ref.Index < 0 {
		return false
	}
	s := ref.Symbol()
	switch s.Kind {
	case code.KindProperty, code.KindField, code.KindConstructor:
		return true
	case code.KindMethod:
	default:
		return false
	}
	isAbstract := func(a string) bool { return strings.HasSuffix(a, "abstractmethod") }
	return abstract(ref) && s.Body[1] == 0 || slices.Contains(s.Modifiers, "abstract") ||
		slices.ContainsFunc(s.Annotations, isAbstract)
}
