package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"sextant/internal/navigate/contract"
	"sextant/jit"
)

// partingTime is the time that Bounded waits after the deadline that it gave to ask, so that ask can
// notice by itself that its time is over.
const partingTime = 25 * time.Millisecond

// refusalOfFull returns the refusal that says what to do if err says that the disk has no room for the index.
// It returns any other error unchanged.
func refusalOfFull(err error) error {
	var full *jit.FullError
	if !errors.As(err, &full) {
		return err
	}
	return contract.CondIndexFailed.Refuse("", nil, "The index cannot take up what has changed: %s.", full.Advice())
}

// Bounded returns the result of ask, or of late if ask has not finished when the time limit is
// over. Work that cannot be interrupted continues afterwards, and its result is dropped. A panic of
// ask is raised again in the caller or, if it comes too late, logged.
func Bounded[A any](ctx context.Context, s *Engine, limit time.Duration, ask func(context.Context) (A, error),
	late func() A) (A, error) {
	type result struct {
		answer   A
		err      error
		panicked any
	}
	limited, cancel := context.WithDeadline(ctx, contract.LastMoment(time.Now(), limit))
	done := make(chan result, 1)
	answer := func(context.Context) {
		defer cancel()
		var r result
		defer func() {
			if p := recover(); p != nil {
				r.panicked = fmt.Sprintf("%v\n%s", p, debug.Stack())
			}
			done <- r
		}()
		r.answer, r.err = ask(limited)
	}
	if !s.Spawn(answer) {
		cancel()
		return *new(A), context.Canceled
	}
	over := func(err error) bool { return err != nil && errors.Is(limited.Err(), context.DeadlineExceeded) }
	last, _ := limited.Deadline()
	timer := time.NewTimer(time.Until(last) + partingTime)
	defer timer.Stop()
	select {
	case r := <-done:
		if r.panicked != nil {
			panic(r.panicked)
		}
		if over(r.err) {
			return late(), nil
		}
		return r.answer, refusalOfFull(r.err)
	case <-timer.C:
		go func() {
			if r := <-done; r.panicked != nil {
				slog.Error("a call panicked after its deadline", "panic", r.panicked)
			}
		}()
		return late(), nil
	}
}
