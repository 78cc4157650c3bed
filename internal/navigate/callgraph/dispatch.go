package callgraph

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/internal/navigate/callgraph/proof"
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
		d, err := w.links.Dispatch(l.Target, l.Receiver)
		if err != nil {
			return nil, err
		}
		w.askDispatch(&d)
		for j := range d.To {
			base := &d.To[j]
			if !w.links.Resolver.MayRunAt(l.Target, base.Ref, l.Caller.File, &l.Call) {
				continue
			}
			base.Question = d.Question
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
func (w *walk) askDispatch(d *proof.Dispatching) {
	if q := d.Question; q != nil && !slices.ContainsFunc(w.asks, func(a tracedAsk) bool { return a.Question == *q }) {
		w.asks = append(w.asks, tracedAsk{*q, len(w.edges)})
	}
}

// dispatchEdge returns the edge from the call site l to a declaration, to, which the call may run instead
// of its target.
func (w *walk) dispatchEdge(t task, l *proof.Link, to *proof.Overriding) tracedEdge {
	possible := *l
	possible.Confidence, possible.Strategy = to.Confident(l.Confidence), to.Strategy
	possible.Provenance = "calls " + l.Target.Symbol().QualifiedName + "; " +
		to.Ref.Symbol().QualifiedName + " " + to.Provenance
	e := w.callEdge(t, w.node(to.Ref, t.depth+1), &possible, false)
	via := *to
	via.Ref = l.Target
	e.throughBase(&via)
	return e
}

// implementing returns the edges from a method without a body to its implementations.
func (w *walk) implementing(t task) (out []tracedEdge, err error) {
	d, err := w.links.Dispatch(t.node.ref, resolve.Ref{})
	if err != nil {
		return nil, err
	}
	w.askDispatch(&d)
	c := &w.counted().Outgoing
	for i := range d.To {
		to := &d.To[i]
		to.Question = d.Question
		c.Dynamic++
		if to.Confidence < *w.req.MinConfidence {
			c.Suppressed++
			continue
		}
		out = append(out, w.implementedBy(t, w.node(to.Ref, t.depth+1), to, false))
	}
	return out, nil
}

// implementedBy returns the edge from a method without a body to an implementation. With up set,
// t is the implementation and other the method. The edge has no call, so its site is the
// implementation's declaration.
func (w *walk) implementedBy(t task, other *tracedNode, how *proof.Overriding, up bool) tracedEdge {
	declared, impl := t.node, other
	if up {
		declared, impl = impl, declared
	}
	at := impl.ref.Symbol().Span
	at.EndLine = at.StartLine
	e := w.callEdge(t, other, &proof.Link{Call: code.Call{Callee: impl.ref.Symbol().Name, Span: at, NameSpan: at},
		File:     impl.ref.File.Path,
		Strategy: how.Strategy, Provenance: how.Provenance, Confidence: how.Confidence, By: how.By}, up)
	e.call, e.declares, e.Kind, e.Via = code.Call{}, true, code.EdgeDynamic, declared.SymbolLabel
	e.key.kind = e.Kind
	if how.By == "" {
		e.question = how.Question
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
	return proof.Abstract(ref) && s.Body[1] == 0 || slices.Contains(s.Modifiers, "abstract") ||
		slices.ContainsFunc(s.Annotations, isAbstract)
}
