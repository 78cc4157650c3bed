package callgraph

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"sextant/internal/navigate/contract"
	"sextant/jit"
	"sextant/l2meta"
)

// proves reports whether edges of this request are to be proven.
func (g *graphing) proves() bool {
	return g.service.prover != nil && g.req.Verify != contract.VerifyOff
}

// overlay returns the verdicts on the root for one walk, nil if nothing is to be proven.
func (g *graphing) overlay(ctx context.Context, v *jit.View, l *linker, generation int64) *proofs {
	if !g.proves() {
		return nil
	}
	p := &proofs{ctx: ctx, view: v, r: l.r, prover: g.service.prover, book: g.service.book(g.place.Root),
		root:     g.place.Root.Path(),
		services: g.place.Root.Services(), frozen: g.frozen, now: g.service.Clock().UnixMicro(), generation: generation,
		bases: map[baseKey]*basis{}, files: map[string]*l2meta.Verdicts{}}
	heard, err := p.book.heardOf(ctx, v)
	p.heard = heard
	p.note(err)
	return p
}

const (
	// maxRounds bounds how often a request asks servers and walks again: each round may
	// lead one symbol further.
	maxRounds = 2*contract.MaxDepth + 4
	// leastAsk is the shortest time for which a batch is sent.
	leastAsk = 20 * time.Millisecond
)

// prove asks servers about the edges of part and walks again with their verdicts, until
// no question is left or the time is over. Servers that are not ready are left to a
// background job, unless the request waits for them. took is the duration of the first
// walk.
func (g *graphing) prove(ctx context.Context, row l2meta.Row, from int, part *graphPart,
	took time.Duration) (*graphPart, error) {
	tried := attempts{}
	for range maxRounds {
		// Walking again takes about took, and writing the answer half of that.
		until := g.until.Add(-took - took/2)
		if part.stop == contract.CauseDeadline || time.Until(until) < leastAsk {
			break
		}
		list, later, err := g.inquiries(ctx, part, tried)
		if err != nil {
			return nil, err
		}
		g.later = g.later || later
		if len(list) == 0 {
			break
		}
		g.tell(list, part)
		limited, cancel := context.WithDeadline(ctx, until)
		settled, err := g.service.askAll(limited, g.service.book(g.place.Root), g.place.Root, list)
		if settled == 0 && g.req.Verify == contract.VerifyWait {
			awaitRecovery(limited, list)
		}
		cancel()
		if err := cmp.Or(ctx.Err(), err); err != nil {
			return nil, err
		}
		for _, x := range list {
			g.heard(x)
			tried.note(x)
		}
		if settled == 0 {
			continue
		}
		again, err := g.walk(ctx, row, from)
		if err != nil {
			return nil, err
		}
		if again.stop == contract.CauseDeadline {
			break // the list of the last walk is longer, and as true
		}
		part = again
	}
	g.later = g.later || len(part.questions()) > 0
	return part, nil
}

// attempts counts how often a request has sent each question.
type attempts map[spot]int

// maxAttempts bounds the attempts while the server is not ready. Each waits for half of
// the time that is left.
const maxAttempts = 3

// note counts the questions of x as sent. No repetition helps if the server was ready or
// is not installed, or without a canary, which it needs to become ready.
func (a attempts) note(x *inquiry) {
	for i := range x.questions {
		at := x.questions[i].spot()
		if a[at]++; x.state.State == contract.ServerReady ||
			x.state.State == contract.ServerMissing || x.canary == nil {
			a[at] = maxAttempts
		}
	}
}

// awaitRecovery sleeps until the first failed server is tried again, if that leaves half
// of the time to ask it.
func awaitRecovery(ctx context.Context, list []*inquiry) {
	var after time.Duration
	for _, x := range list {
		if x.recovers > 0 && (after == 0 || x.recovers < after) {
			after = x.recovers
		}
	}
	if until, ok := ctx.Deadline(); after == 0 || !ok || after > time.Until(until)/2 {
		return
	}
	timer := time.NewTimer(after)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// inquiries returns the inquiries to send now, without questions that were sent
// maxAttempts times. later reports whether servers that are not ready have more.
func (g *graphing) inquiries(ctx context.Context, part *graphPart,
	tried attempts) (list []*inquiry, later bool, err error) {
	var questions []question
	for _, q := range part.questions() {
		if tried[q.spot()] < maxAttempts {
			questions = append(questions, q)
		}
	}
	if len(questions) == 0 {
		return nil, false, nil
	}
	t := &texts{ctx: ctx, root: g.place.Root, files: map[string]*indexedText{}}
	err = g.place.Root.View(ctx, func(v *jit.View) error {
		generation, err := jit.Generation(ctx, v)
		if err != nil {
			return err
		}
		l := newLinker(ctx, v, g.service.Derived(g.place.Root), generation)
		l.p = g.overlay(ctx, v, l, generation)
		list, err = inquire(l, g.service, g.place.Root, t, questions)
		return err
	})
	if g.req.Verify == contract.VerifyWait {
		return list, false, err
	}
	now := list[:0]
	for _, x := range list {
		if x.state.State == contract.ServerReady {
			now = append(now, x)
		} else {
			later = true
		}
	}
	return now, later, err
}

// tell reports progress: the questions that are sent now.
func (g *graphing) tell(list []*inquiry, part *graphPart) {
	if g.req.Progress == nil {
		return
	}
	n := 0
	for _, x := range list {
		n += len(x.questions)
	}
	done := part.to - part.from
	g.req.Progress(contract.Progress{Done: float64(done), Total: float64(done + n),
		Message: fmt.Sprintf("asking %s about %s", list[0].server.Name, contract.Plural(n, "place"))})
}

// heard records the state of a server when it answered.
func (g *graphing) heard(x *inquiry) {
	if g.servers == nil {
		g.servers = map[baseKey]contract.ServerState{}
	}
	g.servers[x.baseKey] = x.state
}

// walk walks until from+Limit edges are known or the deadline is over. The part that it
// returns starts at edge from.
func (g *graphing) walk(ctx context.Context, row l2meta.Row, from int) (*graphPart, error) {
	var part *graphPart
	limited, cancel := context.WithDeadline(ctx, g.until)
	defer cancel()
	err := g.place.Root.View(ctx, func(v *jit.View) error {
		generation, err := jit.Generation(ctx, v)
		if err != nil {
			return err
		}
		links := newLinker(limited, v, g.service.Derived(g.place.Root), generation)
		if links.p = g.overlay(limited, v, links, generation); links.p != nil && row.FileID != 0 {
			links.p.basis(row.Language, row.Path) // so that a graph without a call to prove lists its server too
		}
		w := newWalk(links, g.req, g.place.Root.Services())
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
		case more:
			part.stop = contract.CauseLimit
		}
		// The deadline may end the walk before the edge that the cursor points at.
		part.from = min(part.from, part.to)
		return nil
	})
	return part, err
}
