package callgraph

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// strategyDispatch is the strategy of an edge of possible dispatch.
const strategyDispatch = "dispatch"

// confident returns the confidence of a possible call of what overrides base, where
// the call is of base with a confidence: no more certain than either. Without a
// base it is that of the call.
func (base *overriding) confident(confidence float64) float64 {
	if base == nil {
		return confidence
	}
	return min(confidence, base.confidence)
}

// dispatched finds what the settled calls of a symbol may run in the place of
// what they settle on: one edge for each such declaration, from the first site
// that may run it. Of a method without a body that is asked about it finds what
// implements it.
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
			if !w.links.r.MayConstruct(l.target, base.ref, &l.call) {
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

// askDispatch notes what servers could say of what implements a method.
func (w *walk) askDispatch(d *dispatching) {
	if q := d.question; q != nil && !slices.ContainsFunc(w.asks, func(a tracedAsk) bool { return a.question == *q }) {
		w.asks = append(w.asks, tracedAsk{*q, len(w.edges)})
	}
}

// dispatchEdge returns the edge of a call site to what may run at it in the place of
// what it settles on.
func (w *walk) dispatchEdge(t task, l *link, to *overriding) tracedEdge {
	possible := *l
	possible.confidence, possible.strategy = to.confident(l.confidence), to.strategy
	possible.provenance = "calls " + l.target.Symbol().QualifiedName + "; " + to.ref.Symbol().QualifiedName + " " + to.provenance
	e := w.callEdge(t, w.node(to.ref, t.depth+1), &possible, false)
	via := *to
	via.ref = l.target
	e.throughBase(&via)
	return e
}

// implementing finds what implements a method without a body.
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

// implementedBy returns the edge from a method without a body to what implements it,
// found from either. Its site is where the latter is declared: no call stands
// here.
func (w *walk) implementedBy(t task, other *tracedNode, how *overriding, up bool) tracedEdge {
	declared, impl := t.node, other
	if up {
		declared, impl = impl, declared
	}
	at := impl.ref.Symbol().Span
	at.EndLine = at.StartLine
	e := w.callEdge(t, other, &link{call: code.Call{Callee: impl.ref.Symbol().Name, Span: at, NameSpan: at}, file: impl.ref.File.Path,
		strategy: how.strategy, provenance: how.provenance, confidence: how.confidence, by: how.by}, up)
	e.call, e.declares, e.Kind, e.Via = code.Call{}, true, code.EdgeDynamic, declared.SymbolLabel
	e.key.kind = e.Kind
	if how.by == "" {
		e.question = how.question
	}
	return e
}

// bodiless reports whether a method is declared for others to implement, and
// has no body of its own, is a property, for which objects are given one, or a
// constructor, which may run a base's.
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
	return abstract(ref) && s.Body[1] == 0 || slices.Contains(s.Modifiers, "abstract") || slices.ContainsFunc(s.Annotations, isAbstract)
}
