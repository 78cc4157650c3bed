package callgraph

import (
	"context"
	"time"

	"sextant/internal/navigate/callgraph/proof"
	"sextant/internal/navigate/contract"
	"sextant/jit"
	"sextant/l2meta"
)

const (
	// maxRounds is the largest number of times that a request asks language servers and then searches the
	// graph again. Each round may lead one symbol further.
	maxRounds = 2*contract.MaxDepth + 4
	// leastAsk is the least time that must be left for a batch of questions to be sent.
	leastAsk = 20 * time.Millisecond
)

// trace finds the graph around row and returns the edges whose index is at least from. It asks
// language servers about these edges and searches again with the answers, until no question is left
// or the time is over. It sets g.later if questions remain, which a background job may ask.
func (g *graphing) trace(ctx context.Context, row l2meta.Row, from int) (*graphPart, error) {
	began := time.Now()
	part, err := g.walk(ctx, row, from)
	if err != nil || !g.proves() {
		return part, err
	}
	took := time.Since(began)
	tried := attempts{}
	for range maxRounds {
		// Searching again takes about as long as the first time, took; writing the answer takes half of
		// that.
		until := g.until.Add(-took - took/2)
		if part.stop == contract.CauseDeadline || time.Until(until) < leastAsk {
			break
		}
		asked, settled, err := g.ask(ctx, part, tried, until)
		if err != nil {
			return nil, err
		}
		if asked == 0 {
			break
		}
		if settled == 0 {
			continue
		}
		again, err := g.walk(ctx, row, from)
		if err != nil {
			return nil, err
		}
		if again.stop == contract.CauseDeadline {
			break // the list of the previous walk is longer, and equally correct
		}
		part = again
	}
	g.later = g.later || len(part.questions()) > 0
	return part, nil
}

// proves reports whether this request uses language servers to confirm its edges.
func (g *graphing) proves() bool {
	return g.service.proofs != nil && g.req.Verify != contract.VerifyOff
}

// linker returns a linker on a snapshot of the index. It uses the answers of language servers if the
// request does.
func (g *graphing) linker(ctx context.Context, v *jit.View, generation int64) *proof.Linker {
	if g.proves() {
		return g.service.proofs.Linker(ctx, proof.Snapshot{Root: g.place.Root, View: v, Generation: generation}, g.frozen)
	}
	return proof.NewLinker(ctx, v, g.service.Derived(g.place.Root), generation)
}

// walk finds edges until from+Limit are known or the deadline has passed. It returns the page that starts
// at the edge with index from.
func (g *graphing) walk(ctx context.Context, row l2meta.Row, from int) (*graphPart, error) {
	var part *graphPart
	limited, cancel := context.WithDeadline(ctx, g.until)
	defer cancel()
	err := g.place.Root.ViewServices(ctx, func(v *jit.View, generation int64, services *jit.Services) (err error) {
		links := g.linker(limited, v, generation)
		links.Resolver.Until(time.Now().Add(time.Until(g.until) / 4 * 3))
		if links.Proofs != nil && row.FileID != 0 {
			links.Proofs.Basis(row.Language, row.Path) // lists the server even if the graph has no call to prove
		}
		w := newWalk(links, g.req, services)
		w.root(row)
		part = &graphPart{walk: w, from: from, generation: generation}
		more := false
		if err = w.start(row); err == nil {
			more, err = w.run(limited, from+g.req.Limit)
		}
		part.to = len(w.edges)
		switch {
		case err != nil && ctx.Err() == nil && limited.Err() != nil:
			part.stop = contract.CauseDeadline
		case err != nil:
			return err
		case w.late:
			part.stop = contract.CauseDeadline
			if from > 0 && g.mayTakeLonger() {
				part.to = min(from, part.to) // callers found in a longer time may come before these edges
			}
		case more:
			part.stop = contract.CauseLimit
		}
		// The deadline may pass before the edge is found that the cursor points at.
		part.from = min(part.from, part.to)
		return nil
	})
	return part, err
}
