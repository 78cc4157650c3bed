package callgraph

import (
	"context"
	"fmt"
	"slices"
	"time"

	"sextant/internal/navigate/callgraph/proof"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/engine"
	"sextant/internal/navigate/symbols"
	"sextant/jit"
)

// graphing is one call_graph request in progress.
type graphing struct {
	service *Service
	place   *engine.Place
	req     *contract.GraphRequest
	answer  *contract.GraphAnswer
	sync    jit.Report
	moved   jit.Report // the changed files because of which the last pass is repeated
	until   time.Time  // time at which the walk stops

	frozen  int64 // cursor.frozen of the request; 0 without a cursor
	servers map[proof.BaseKey]contract.ServerState
	later   bool // whether servers that are not ready yet could prove edges, but this request does not wait for them
	behind  bool // whether this is a background job, whose answer is not sent
	within  bool // whether links between services were not known in time and are omitted
}

// once answers the request on the index as it is now. If files of the graph change meanwhile, it starts
// again, as often as engine.Passes allows. g is a copy, so that the next attempt starts from the request
// alone.
func (g graphing) once(ctx context.Context) (*contract.GraphAnswer, error) {
	// The last sixteenth of the time is left for writing the answer.
	g.until = time.Now().Add(time.Duration(g.req.DeadlineMs) * time.Millisecond * 15 / 16)
	a, s := g.req.Answer(), g.service
	p, outcome, hints, err := s.Enter(ctx, g.req.Path)
	if err != nil {
		return nil, err
	}
	if p == nil {
		a.Outcome, a.Hints = outcome, hints
		return a, nil
	}
	a.CodebaseRoot = p.Root.Path()
	g.answer, g.place = a, p
	if g.sync, err = p.Root.Sync(ctx); err != nil {
		if a.Outcome, a.Hints, err = engine.Failed(p.Root.Path(), err); err != nil {
			return nil, fmt.Errorf("call_graph: %w", err)
		}
		return a, nil
	}
	g.follow(ctx)
	for passes := engine.NewPasses(); ; {
		done, err := g.pass(ctx)
		if done || err != nil {
			s.Settle(p.Root, g.sync.Generation)
			return a, err
		}
		if !passes.Again(g.moved) {
			a.Outcome = passes.KeepsMoving("this graph")
			return a, nil
		}
	}
}

// pass makes one attempt: it finds the edges, asks language servers about them, and writes the answer. It
// returns false if a file that the graph depends on has changed meanwhile; the caller then repeats the
// pass.
func (g *graphing) pass(ctx context.Context) (bool, error) {
	a := g.answer
	a.Warnings = nil
	row, ok, err := g.root(ctx)
	if err != nil || !ok {
		return true, err
	}
	symbol := string(symbols.RowID(row))
	at, ok, err := resume(a, g.req, g.place.Root.Path(), symbol, g.sync.Generation)
	if err != nil || !ok {
		return true, err
	}
	g.frozen = at.frozen
	g.awaitLinks(ctx)
	part, err := g.trace(ctx, row, at.edges)
	if err != nil {
		return true, fmt.Errorf("call_graph: %w", err)
	}
	if slices.ContainsFunc(part.edges(), func(e tracedEdge) bool { return e.late }) {
		staleCursor(a, g.req, "Language servers have settled calls otherwise since this cursor was made")
		return true, nil
	}
	// this precedes the verification of the files, which then ensures that the texts belong to the
	// rows of the walk
	g.readTexts(ctx, part)
	check, err := g.place.Root.VerifySince(ctx, part.files(), g.sync.Generation)
	if err != nil {
		return true, fmt.Errorf("call_graph: %w", err)
	}
	if check.Changed() || g.req.Cursor != "" && check.Generation != g.sync.Generation {
		g.sync = engine.Join(g.sync, check)
		g.sync.Generation, g.moved = check.Generation, check
		return false, nil
	}
	g.write(ctx, part, row, check)
	return true, nil
}

// resume parses the cursor of a request; without one it returns the zero cursor. A text that is no cursor
// of this request is an InvalidArguments error. If the index has changed since the cursor was made, it
// returns false and sets the outcome of a.
func resume(a *contract.GraphAnswer, req *contract.GraphRequest, root, symbol string,
	generation int64) (c cursor, ok bool, err error) {
	if req.Cursor == "" {
		return c, true, nil
	}
	c, valid := parseCursor(req.Cursor)
	if !valid || c.request != cursorRequest(req, root, symbol) {
		what := "is not a cursor of call_graph"
		if valid {
			what = "belongs to another request"
		}
		return c, false, &contract.InvalidArguments{Tool: contract.ToolGraph,
			Problems: []contract.Problem{{Field: "cursor", Message: fmt.Sprintf(
				"%q %s: expected the cursor of an answer to the same path, symbolRef, direction, depth, detail, "+
					"verify, crossService, minConfidence, expand, include and exclude; "+
					`repeat the call that truncated.next of that answer holds, or leave cursor out to start over`,
				contract.Clip(req.Cursor), what)}}}
	}
	if c.generation != uint16(generation) {
		staleCursor(a, req, "Files changed since this cursor was made")
		return c, false, nil
	}
	return c, true, nil
}

// staleCursor sets the outcome for a cursor into a list of edges that has changed since, and
// suggests the request without the cursor.
func staleCursor(a *contract.GraphAnswer, req *contract.GraphRequest, why string) {
	a.Outcome = contract.CondStaleCursor.Outcome("%s, so the rest of that list is not known any more. Repeat the "+
		"call without cursor for the current edges.", why)
	a.Hints = &contract.Hints{Retry: contract.Suggest(anew(req, a.SymbolRef))}
}
