package l3lsp

import (
	"context"
	"errors"
	"slices"
	"time"
)

const (
	// readyPoll is the interval at which the canary, a call with a known target, is queried while a
	// server loads.
	readyPoll = 100 * time.Millisecond
	// canaryPatience is the time for which batches wait for a server that has read its folders
	// but resolves the canary, a call with a known target, incorrectly. After that, each batch
	// queries the canary once and continues in any case, because the canary itself may be wrong.
	canaryPatience = 20 * time.Second
	// noDeadline is the longest time that a batch without a deadline waits for a server to be
	// ready.
	noDeadline = 2 * time.Minute
)

// awaitReady waits until the server has read its folders and resolves the canary, a call with a
// known target. It waits at most half of the time until the deadline; answers of a server that is
// not ready can still confirm candidates. It returns the state of the server and, unless the
// state is Ready, the reason.
func (a *asking) awaitReady(ctx context.Context) (State, string, error) {
	s, c := a.session, a.batch.Canary
	if s.ready() {
		return Ready, "", nil
	}
	if c == nil {
		return Indexing, "no call with a known target is available to test it", nil
	}
	half := time.Now().Add(noDeadline)
	if deadline, ok := ctx.Deadline(); ok {
		half = time.Now().Add(time.Until(deadline) / 2)
	}
	for {
		right, err := a.try(ctx, c)
		if err != nil {
			return Indexing, "it is reading its folders", err
		}
		state, detail, patient := s.judge(right)
		if state == Ready || !patient || time.Now().After(half) {
			return state, detail, nil
		}
		if err := pause(ctx, readyPoll); err != nil {
			return state, detail, err
		}
	}
}

// judge records whether the server resolved the canary, a call with a known target. It returns
// the state of the server and, unless the state is Ready, the reason. patient reports whether it
// is worthwhile to query the canary again.
func (s *session) judge(right bool) (state State, detail string, patient bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch settled := s.settled(); {
	case settled && right:
		s.canary, s.proven = true, true
		return Ready, "", false
	case !settled:
		return Indexing, "it is reading its folders", true
	}
	if s.tried.IsZero() {
		s.tried = time.Now()
	}
	return Indexing, "it does not resolve a call whose target is known", time.Since(s.tried) < canaryPatience
}

// try queries the canary and reports whether the server found its target.
func (a *asking) try(ctx context.Context, c *Canary) (right bool, err error) {
	v, err := a.session.docs.show(a.batch.Language, c.Path, c.Text)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, v.close()) }()
	text := newLines(c.Text)
	answer, err := a.request(ctx, Definitions, c.Path, text.position(c.Offset))
	if err != nil {
		return false, err
	}
	line := int(text.position(c.TargetOffset).Line) + 1
	right = slices.ContainsFunc(answer.Locations, func(l Location) bool { return l.Path == c.Path && l.Line == line })
	return right, nil
}
