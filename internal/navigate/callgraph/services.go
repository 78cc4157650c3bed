package callgraph

import (
	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/engine"
	"sextant/l2meta/endpoint"
)

// crossed returns the edges from calls of t's symbol to other services, or from calls in
// other services to it.
func (w *walk) crossed(s *side, t task) (out []tracedEdge, err error) {
	if !*w.req.CrossService {
		return nil, nil
	}
	if w.join == nil {
		w.join = engine.Joiner(w.links.r, w.services)
	}
	join := w.join
	if s.up {
		found, err := join.Incoming(t.node.ref)
		for i := range found {
			out = w.crossing(out, s, t, &found[i])
		}
		return out, err
	}
	found, err := join.Outgoing(t.node.ref)
	for i := range found {
		out = w.crossing(out, s, t, &found[i])
	}
	return out, err
}

// served records the routes and messages that t's symbol handles. The answer lists them for a symbol
// without callers.
func (w *walk) served(t task) error {
	if w.join == nil { // the walk stays within services
		return nil
	}
	via, err := w.join.Serves(t.node.ref)
	w.serves = append(w.serves, via...)
	return err
}

// crossing appends the edge for a call that another service handles, or notes why nothing in the workspace handles
// it.
func (w *walk) crossing(out []tracedEdge, s *side, t task, x *endpoint.Crossing) []tracedEdge {
	c, state := w.counted(), s.state[t.node.SymbolID]
	l := link{call: x.Call, file: x.File.Path, language: x.File.Language, strategy: x.Strategy,
		provenance: x.Provenance, confidence: x.Confidence}
	if !x.Handler.Valid() {
		c.Outgoing.Unanswered++
		state.unanswered++
		w.note(contract.Note{Type: contract.NoteUnresolvedServiceCall, SymbolID: t.node.SymbolID, Target: x.Via,
			File: l.file, Line: l.call.NameSpan.StartLine, Detail: x.Why})
		return out
	}
	if s.up {
		c.Inbound.Services++
	} else {
		c.Outgoing.Services++
	}
	if w.suppressed(x.Confidence, t, &l) {
		state.hidden++
		return out
	}
	other := x.Handler
	if s.up {
		other = x.Caller
	}
	e := w.callEdge(t, w.node(other, t.depth+1), &l, s.up)
	e.Kind, e.Via, e.rests = x.Kind, x.Via, x.Rests
	e.key.kind = e.Kind
	e.RemoteSite = &contract.Site{File: x.Handler.File.Path, StartLine: x.At.StartLine, EndLine: x.At.EndLine}
	return append(out, e)
}

// crosses reports whether a kind of edge leads from one service to another: gRPC, HTTP or messages.
func crosses(k code.EdgeKind) bool {
	return k == code.EdgeGRPC || k == code.EdgeHTTP || k == code.EdgeMessage
}
