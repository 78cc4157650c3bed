package callgraph

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/engine"
	"sextant/jit"
	"sextant/l2meta"
)

// WarnVerificationPending warns that answers of language servers may still change the
// graph.
const WarnVerificationPending = "CALL_GRAPH_VERIFICATION_PENDING"

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

// inBackground queues a job that asks the servers that this request did not wait for. The
// next request finds their verdicts. Without a resident process it does nothing.
func (g *graphing) inBackground(symbol string) {
	s := g.service
	if !s.Resident {
		return
	}
	b := s.book(g.place.Root)
	what := fmt.Sprintf("%x %d %d", fingerprint(g.req, g.place.Root.Path(), symbol), g.req.Limit, g.from())
	if !b.claim(what) {
		return
	}
	release := func() { b.release(what) }
	req := anew(g.req, g.answer.SymbolRef)
	if req.Verify = contract.VerifyWait; req.Normalize() != nil {
		release() // cannot happen: the same request has just been answered
		return
	}
	s.proving.add(backlogJob{drop: release, run: func(ctx context.Context) {
		defer release()
		ctx, cancel := context.WithTimeout(ctx, backgroundTime)
		defer cancel()
		until, _ := ctx.Deadline()
		later := &graphing{service: s, place: g.place, req: req, answer: &contract.GraphAnswer{}, sync: g.sync,
			until: until, behind: true}
		for range engine.MaxPasses {
			if done, err := later.pass(ctx); done || err != nil {
				return
			}
		}
	}})
}

// backgroundTime bounds one background job: a server reads the largest workspaces in some
// minutes.
const backgroundTime = 5 * time.Minute

// verified writes the answer's Verification: the counts of verdicts on this part, and the
// questions that are still open.
func (g *graphing) verified(part *graphPart) {
	v := &contract.Verification{State: contract.VerificationOff}
	g.answer.Verification = v
	if g.req.Verify == contract.VerifyOff {
		return
	}
	if v.State = contract.VerificationUnavailable; g.service.prover == nil {
		return
	}
	asked := map[baseKey]int{}
	p := part.walk.links.p
	for _, q := range part.questions() {
		asked[p.basis(q.language, q.path).baseKey]++
		v.Pending++
	}
	part.mark(v)
	for _, n := range part.notes() {
		if n.Type == contract.NoteRefuted {
			v.Refuted++
		}
	}
	able := g.listServers(p, asked, v)
	switch {
	case v.Pending > 0:
		v.State = contract.VerificationPartial
	case able || v.Confirmed+v.Added+v.Refuted > 0:
		v.State = contract.VerificationComplete
	}
}

// mark counts the edges that servers confirmed and added, and sets the state of edges
// with an open question to pending.
func (p *graphPart) mark(v *contract.Verification) {
	for i := range p.edges() {
		switch e := &p.edges()[i]; {
		case e.Evidence == code.Proven && e.Strategy == strategyServer:
			v.Added++
		case e.Evidence == code.Proven:
			v.Confirmed++
		case e.question != nil:
			e.State = contract.StatePending
		}
	}
}

// listServers lists the servers that the graph concerns: servers that run, have been asked,
// or are not installed. It reports whether any of them can answer.
func (g *graphing) listServers(p *proofs, asked map[baseKey]int, v *contract.Verification) (able bool) {
	for key, b := range p.bases {
		if b.server.Name == "" {
			continue
		}
		able = able || b.known
		state := contract.ServerState{Language: b.language, Root: b.asked, Server: b.server.Name, State: b.server.State,
			Detail: b.server.Detail}
		if heard, ok := g.servers[key]; ok {
			state = heard
		}
		switch {
		case !b.known:
			state.State, state.Detail = contract.ServerMissing, b.server.Detail
		case state.State == "" && asked[key] == 0:
			continue // its verdicts are all known
		case state.State == "":
			state.State = contract.ServerStarting
			if !g.service.Resident {
				state.Detail = "a command that answers once does not start it; verify wait does"
			}
		}
		v.Servers = append(v.Servers, state)
	}
	slices.SortFunc(v.Servers, func(a, b contract.ServerState) int {
		return cmp.Or(cmp.Compare(a.Language, b.Language), cmp.Compare(a.Root, b.Root))
	})
	// A server of the whole root has a basis for each service: it is listed once.
	v.Servers = slices.CompactFunc(v.Servers, func(a, b contract.ServerState) bool {
		return a.Language == b.Language && a.Root == b.Root
	})
	return able
}

// warnPending warns that the graph is not proven yet, and suggests the request to repeat.
func (g *graphing) warnPending() {
	a := g.answer
	if a.Verification.Pending == 0 {
		return
	}
	a.Warnings = append(a.Warnings, WarnVerificationPending)
	if a.Hints == nil {
		a.Hints = &contract.Hints{}
	}
	a.Hints.Retry = contract.Suggest(g.req.Next(func(r *contract.GraphRequest) {
		r.SymbolRef, r.Verify = a.SymbolRef, contract.VerifyWait
	}))
}
