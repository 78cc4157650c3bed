package l3lsp

import (
	"context"
	"errors"
	"slices"
	"time"
)

const (
	// readyPoll is how often a server that loads is asked the canary again.
	readyPoll = 100 * time.Millisecond
	// canaryPatience is how long a server that says that it has read all may
	// get its canary wrong before it is asked just once a question: the canary
	// may be ours to blame.
	canaryPatience = 20 * time.Second
	// noDeadline is what is waited for a server to become ready where the
	// asker sets no limit.
	noDeadline = 2 * time.Minute
)

// awaitReady waits until the server has read its folders and gets the canary
// right, or until half of the time is over: what it says then may still confirm.
func (a *asking) awaitReady(ctx context.Context) (State, string, error) {
	s, c := a.session, a.batch.Canary
	if s.ready() {
		return Ready, "", nil
	}
	if c == nil {
		return Indexing, "there is no call to try it with", nil
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

// judge notes how a canary went. It is worth another try while patient.
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
	return Indexing, "it does not find what is known to be there", time.Since(s.tried) < canaryPatience
}

// try asks the canary.
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
