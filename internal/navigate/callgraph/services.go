package callgraph

import (
	"context"
	"time"

	"sextant/internal/code"
	"sextant/internal/navigate/callgraph/proof"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/engine"
	"sextant/l2meta/endpoint"
	"sextant/l2meta/resolve"
)

// WarnLinksPending is the code of the warning that calls between services are omitted, because
// they are still being searched for.
const WarnLinksPending = "SERVICE_LINKS_PENDING"

// leastWalk is the time that a request keeps for the graph within services when it waits for the links between
// them.
const leastWalk = time.Second

// briefWait is the time that a request waits for the links between services if they are not expected in time.
const briefWait = 50 * time.Millisecond

// crosses reports whether the request follows calls between services.
func (g *graphing) crosses() bool { return g.req.CrossService == nil || *g.req.CrossService }

// waiting returns a context for the waits of a request before its walk.
func (g *graphing) waiting(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithDeadline(ctx, g.until.Add(-min(leastWalk, time.Until(g.until)/2)))
}

// follow waits until the resolved calls of the root are those of its index. The links between services are searched
// for meanwhile.
func (g *graphing) follow(ctx context.Context) {
	limited, cancel := g.waiting(ctx)
	defer cancel()
	if g.crosses() {
		g.service.FindLinks(g.place.Root, g.sync.Generation)
	}
	g.service.Follow(limited, g.place.Root, g.sync.Generation)
}

// awaitLinks waits until the links between the services of the root are known. If that takes too
// long, the request is answered as one for the graph within services, because the walk would
// otherwise find no edge at all in the rest of the time. A later page of a graph cannot change in
// this way. A request that sets no longer deadline than the default one does not wait for a search
// that is a long one already: it did not ask for that.
func (g *graphing) awaitLinks(ctx context.Context) {
	if !g.crosses() {
		return
	}
	limited, cancel := g.waiting(ctx)
	defer cancel()
	if g.req.DeadlineMs <= contract.DefaultDeadline && g.req.Cursor == "" && g.service.LinksAreSlow(g.place.Root) {
		limited, cancel = context.WithTimeout(limited, briefWait)
		defer cancel()
	}
	if g.service.Linked(limited, g.place.Root, g.sync.Generation) || limited.Err() == nil || g.req.Cursor != "" {
		return
	}
	within := *g.req
	within.CrossService = new(bool)
	g.within, g.req = true, &within
}

// warnLinks adds a warning if links between services are omitted, and suggests the request that
// finds them.
func (g *graphing) warnLinks() {
	if !g.within {
		return
	}
	g.answer.Warnings = append(g.answer.Warnings, WarnLinksPending+":calls between services are still being searched "+
		"for, and left out here: repeat the call with a longer deadline for them")
	if g.answer.Hints == nil {
		g.answer.Hints = &contract.Hints{}
	}
	if g.answer.Hints.Retry == nil {
		g.answer.Hints.Retry = contract.Suggest(anew(g.req, g.answer.SymbolRef))
	}
	again := g.answer.Hints.Retry.Args.(*contract.GraphRequest)
	again.CrossService, again.DeadlineMs = nil, contract.LongerDeadline(g.req.DeadlineMs)
}

// crossed returns the edges from calls of t's symbol to other services, or from calls in
// other services to it.
func (w *walk) crossed(s *side, t task) (out []tracedEdge, err error) {
	if !*w.req.CrossService {
		return nil, nil
	}
	found, err := w.crossingsOf(s, t.node.ref)
	for i := range found {
		out = w.crossing(out, s, t, &found[i])
	}
	return out, err
}

// crossingsOf returns the calls of a declaration into other services or, on the side of callers, the calls that it
// handles.
func (w *walk) crossingsOf(s *side, ref resolve.Ref) ([]endpoint.Crossing, error) {
	if w.join == nil {
		w.join = engine.Joiner(w.links.Resolver, w.services)
	}
	if s.up {
		return w.join.Incoming(ref)
	}
	return w.join.Outgoing(ref)
}

// served records the routes and messages that t's symbol handles. The answer lists them for a symbol
// without callers.
func (w *walk) served(t task) error {
	if w.join == nil { // without a joiner, the walk stays within services
		return nil
	}
	list, err := w.join.Serves(t.node.ref)
	for _, s := range list {
		w.serves = append(w.serves, contract.Served{Via: s.Via, Site: contract.Site{File: s.File, StartLine: s.Line}})
	}
	return err
}

// crossing appends the edge for a call that another service handles, or notes why nothing in the workspace handles
// it.
func (w *walk) crossing(out []tracedEdge, s *side, t task, x *endpoint.Crossing) []tracedEdge {
	c, state := w.counted(), s.state[t.node.SymbolID]
	l := proof.Link{Call: x.Call, File: x.File.Path, Language: x.File.Language, Strategy: x.Strategy,
		Provenance: x.Provenance, Confidence: x.Confidence}
	if !x.Handler.Valid() {
		c.Outgoing.Unanswered++
		state.unanswered++
		w.note(contract.Note{Type: contract.NoteUnresolvedServiceCall, SymbolID: t.node.SymbolID, Target: x.Via,
			File: l.File, Line: l.Call.NameSpan.StartLine, Detail: x.Why})
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
