package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"sextant/internal/compact"
	"sextant/internal/navigate/contract"
)

// callOne decodes the arguments of one question, waits for its turn, runs the
// tool, renders the answer and logs the event.
func (s *Server) callOne(ctx context.Context, t *tool, q question, report func(contract.Progress)) (result reply) {
	began := time.Now()
	var answer any
	defer func() {
		s.event(ctx, t, time.Since(began), answer, result)
		s.spent(t, answer, result)
	}()

	dir := "" // the folder to use, if the call has no path
	req, err := t.decode(q.args, defaults{s.opts.Format, func() string { dir = s.directory(ctx); return dir }})
	if err != nil {
		return failure(s.opts.Format, err)
	}
	format := req.Want().Format
	req.Want().Progress, req.Want().Clamped = report, append(q.clamped, req.Want().Clamped...)
	limit := contract.Within(req)
	// the time includes the wait for a turn
	ctx, cancel := context.WithDeadline(ctx, contract.LastMoment(began, limit))
	defer cancel()
	done, err := s.turn(ctx, min(s.opts.Queue, limit))
	if err != nil {
		return failure(format, err)
	}
	defer done()
	service, err := s.service(ctx)
	if err != nil {
		return failure(format, err)
	}
	err = guard(func() (err error) {
		if answer, err = t.handle(ctx, service, req); err != nil {
			return err
		}
		warnClamped(answer, req.Want().Clamped)
		if want := req.Want(); want.Implied && want.Format == contract.FormatText {
			want.RootKnown = s.rootKnown(ctx, dir)
		}
		result, err = s.rendered(req, answer)
		return err
	})
	if err != nil {
		answer = nil
		return failure(format, err)
	}
	return result
}

// WarnClamped is the code of the warning that a number was out of range and was replaced.
const WarnClamped = "ARGUMENT_CLAMPED"

// warnClamped adds a warning to an answer that lists the numbers of its request that were
// replaced.
func warnClamped(answer any, clamped []string) {
	if len(clamped) == 0 {
		return
	}
	text := strings.Join(clamped, "; ")
	warning := contract.Warning{Code: WarnClamped, Severity: contract.SeverityInfo, Message: text}
	switch a := answer.(type) {
	case *contract.SearchAnswer:
		a.Warnings.Add(warning)
	case *contract.OutlineAnswer:
		a.Warnings = append(a.Warnings, WarnClamped+":"+text)
	case *contract.GraphAnswer:
		a.Warnings = append(a.Warnings, WarnClamped+":"+text)
	case *contract.ReadAnswer:
		a.Warnings.Add(warning)
	case *contract.ManageAnswer:
		a.Warnings.Add(warning)
	}
}

// turn waits until fewer than Options.Calls calls run, but at most for longest. The
// caller must call done when its call is finished.
func (s *Server) turn(ctx context.Context, longest time.Duration) (done func(), err error) {
	busy := func(why string) error {
		return contract.CondBusy.Refuse("", nil, "%s: call again when one of the %d running calls has answered.",
			why, s.opts.Calls)
	}
	select {
	case s.waiting <- struct{}{}:
	default:
		return nil, busy(fmt.Sprintf("%d calls wait already", maxWaiting))
	}
	done = func() { <-s.running; <-s.waiting }
	select {
	case s.running <- struct{}{}: // a free turn counts, however short the wait may be
		return done, nil
	default:
	}
	timer := time.NewTimer(longest)
	defer timer.Stop()
	select {
	case s.running <- struct{}{}:
		return done, nil
	case <-ctx.Done():
		err = ctx.Err()
	case <-timer.C:
		err = busy(fmt.Sprintf("no turn within %v", longest))
	}
	<-s.waiting
	return nil, err
}

// guard runs do and converts a panic into an error.
func guard(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &panicError{value: p, stack: debug.Stack()}
		}
	}()
	return do()
}

// panicError is the error for a panic of a handler, or of the rendering of its answer. Its stack
// is logged, not sent.
type panicError struct {
	value any
	stack []byte
}

func (e *panicError) Error() string { return fmt.Sprintf("panic: %v", e.value) }

// failure returns the reply for an error.
func failure(format contract.Format, err error) reply {
	var invalid *contract.InvalidArguments
	if errors.As(err, &invalid) {
		return reply{text: invalid.Error(), isError: true}
	}
	var refusal *contract.Refusal
	if !errors.As(err, &refusal) {
		refusal = refusalOf(err)
	}
	if format == contract.FormatText {
		text, err := compact.Text(nil, refusal)
		return reply{text: cmp.Or(text, fmt.Sprint(err)), isError: true, failed: refusal}
	}
	text, encodeErr := contract.Encode(refusal)
	if encodeErr != nil {
		return reply{text: "Error: " + refusal.Message, isError: true}
	}
	return reply{text: string(text), structured: text, isError: true, failed: err}
}

// refusalOf converts an unexpected error to a refusal with one of the reasons that the contract
// defines, such as "cancelled".
func refusalOf(err error) *contract.Refusal {
	list := &contract.Hints{NextSteps: []contract.Action{*contract.Suggest(&contract.ListRequest{})}}
	var closed *openError
	switch {
	case errors.Is(err, context.Canceled):
		return contract.CondCancelled.Refuse("", nil,
			"The call was cancelled before it was answered: call again if the answer is still wanted.")
	case errors.Is(err, context.DeadlineExceeded):
		return contract.CondBusy.Refuse("", nil,
			"The time for this call was over before it could begin: call again, or give it more.")
	case errors.As(err, &closed):
		return contract.CondInternal.Refuse("", nil,
			"This server cannot work: %v. Every call fails until that is mended: tell the user; use other tools "+
				"meanwhile.", err)
	}
	return contract.CondInternal.Refuse("", list,
		"Unexpected failure: %v. Call again; if it stays, see which codebases are ready with list_codebases.", err)
}
