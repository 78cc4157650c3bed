package navigate

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"
)

// AnswerLimit is within what a call without a deadline of its own is answered: an
// agent gives up after a minute or two, and learns nothing then.
const AnswerLimit = 30 * time.Second

// Within is the time in which a request is to be answered.
func Within(req Request) time.Duration {
	switch r := req.(type) {
	case *GraphRequest:
		return time.Duration(r.DeadlineMs) * time.Millisecond
	case *ManageRequest:
		if r.Wait {
			return AnswerLimit + time.Duration(r.DeadlineMs)*time.Millisecond
		}
	}
	return AnswerLimit
}

// The last moment of an answer is a little after its deadline, at which it has
// stopped looking: what it found has still to be verified and written.
const (
	lastFactor = 1.1
	lastExtra  = 75 * time.Millisecond
	// partingTime is for an answer that notices the last moment by itself.
	partingTime = 25 * time.Millisecond
)

// LastMoment is when an answer that began at a time and is due within a limit is
// given up.
func LastMoment(began time.Time, limit time.Duration) time.Time {
	return began.Add(time.Duration(float64(limit)*lastFactor) + lastExtra)
}

// within answers by ask, or by late when it is not done at the last moment. What
// cannot be interrupted goes on behind the answer, and its result is dropped.
func within[A any](ctx context.Context, s *Service, limit time.Duration, ask func(context.Context) (A, error), late func() A) (A, error) {
	type result struct {
		answer   A
		err      error
		panicked any
	}
	limited, cancel := context.WithDeadline(ctx, LastMoment(time.Now(), limit))
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
	if !s.spawn(answer) {
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
		return r.answer, r.err
	case <-timer.C:
		go func() {
			if r := <-done; r.panicked != nil {
				slog.Error("a call panicked after its deadline", "panic", r.panicked)
			}
		}()
		return late(), nil
	}
}

// tooLate opens an answer that was not ready in its time.
func tooLate(tool string, limit time.Duration) Outcome {
	return CondDeadline.Outcome("%s was not ready within %v. Repeat the call: what was indexed and read meanwhile need not be done again.", tool, limit)
}
