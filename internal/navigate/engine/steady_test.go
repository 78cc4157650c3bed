package engine_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/engine"
	"sextant/internal/navigate/navigatetest"
	"sextant/jit"
)

// TestAnswerStaysOnOneIndex checks that an answer is retried if another process replaced the index
// halfway, since the new one is still empty.
func TestAnswerStaysOnOneIndex(t *testing.T) {
	b := navigatetest.Indexed(t, "container/list")
	other := b.Process()
	e := engine.New(engine.Options{Roots: b.Roots, Version: "test"})
	defer e.Close()
	tries := 0
	files, err := engine.Steady(e, b.Dir, func(context.Context) (n int, err error) {
		tries++
		root, _, err := b.Roots.Resolve(t.Context(), b.Dir)
		if err != nil {
			return 0, err
		}
		if _, err := root.Sync(t.Context()); err != nil {
			return 0, err
		}
		if tries == 1 {
			other.Manage(contract.ManageRequest{Action: contract.ManageClear, Path: b.Dir})
			if _, err := other.Roots.Track(t.Context(), b.Dir, jit.Policy{}); err != nil {
				return 0, err
			}
		}
		err = root.View(t.Context(), func(v *jit.View) error {
			return v.Files(t.Context(), func(jit.FileRow) error { n++; return nil })
		})
		if tries > 1 && err == nil {
			err = root.Wait(t.Context(), nil) // the Sync of this attempt started the build
		}
		return n, err
	})(t.Context())
	if err != nil || tries < 2 {
		t.Errorf("%d tries found %d files, %v", tries, files, err)
	}
	if a := b.Search(contract.SearchRequest{Query: "must:PushFront"}); a.Status != contract.StatusOK ||
		len(a.Results) == 0 {
		t.Errorf("afterwards: %+v", a.Outcome)
	}
}

// TestClearByAnotherProcess checks that answers recognise another process's clear, and
// use its new index.
func TestClearByAnotherProcess(t *testing.T) {
	b := navigatetest.Indexed(t, "container/list")
	other := b.Process()
	for range 3 {
		if a := other.Manage(contract.ManageRequest{Action: contract.ManageClear, Path: b.Dir}); a.Status !=
			contract.StatusOK {
			t.Fatalf("clear: %+v", a.Outcome)
		}
		if a := b.Manage(contract.ManageRequest{Action: contract.ManageStatus, Path: b.Dir}); a.Status !=
			contract.StatusNotIndexed {
			t.Errorf("after the clear: %+v", a.Outcome)
		}
		if a := other.Manage(contract.ManageRequest{Action: contract.ManageCreate, Path: b.Dir,
			Wait: true}); a.Status != contract.StatusOK {
			t.Fatalf("create: %+v", a.Outcome)
		}
		if a := b.Search(contract.SearchRequest{Query: "PushFront"}); a.Status != contract.StatusOK ||
			len(a.Results) == 0 {
			t.Errorf("after the create: %+v, %d results", a.Outcome, len(a.Results))
		}
	}
}

// logged is a log handler that sends each message.
type logged chan string

func (l logged) Enabled(context.Context, slog.Level) bool { return true }
func (l logged) WithAttrs([]slog.Attr) slog.Handler       { return l }
func (l logged) WithGroup(string) slog.Handler            { return l }
func (l logged) Handle(_ context.Context, r slog.Record) error {
	l <- r.Message
	return nil
}

// TestLatePanicIsLogged checks that a panic in work that continues after its answer is logged.
func TestLatePanicIsLogged(t *testing.T) {
	b := navigatetest.Indexed(t, "container/list")
	e := engine.New(engine.Options{Roots: b.Roots, Version: "test"})
	defer e.Close()
	messages, before := make(logged, 1), slog.Default()
	slog.SetDefault(slog.New(messages))
	defer slog.SetDefault(before)
	release := make(chan struct{})
	_, err := engine.Bounded(t.Context(), e, time.Millisecond, func(context.Context) (string, error) {
		<-release
		panic("boom")
	}, func() string { return "late" })
	close(release)
	if got := <-messages; err != nil || !strings.Contains(got, "panicked") {
		t.Errorf("logged: %q, %v", got, err)
	}
}

// TestLateAnswers checks that a call which ignores its deadline and its context is answered anyway,
// and that Close waits for it.
func TestLateAnswers(t *testing.T) {
	b := navigatetest.Indexed(t, "container/list")
	e := engine.New(engine.Options{Roots: b.Roots, Version: "test"})
	defer e.Close()
	const limit = time.Millisecond
	late := func() string { return "late" }
	release, ended := make(chan struct{}), make(chan struct{})
	got, err := engine.Bounded(t.Context(), e, limit, func(context.Context) (string, error) {
		defer close(ended)
		<-release
		return "in time", nil
	}, late)
	if got != "late" || err != nil {
		t.Errorf("a call that hangs: %q, %v", got, err)
	}
	close(release)
	<-ended
	got, err = engine.Bounded(t.Context(), e, limit, func(ctx context.Context) (string, error) {
		<-ctx.Done()
		return "", ctx.Err()
	}, late)
	if got != "late" || err != nil {
		t.Errorf("a call that notices: %q, %v", got, err)
	}
	boom := errors.New("boom")
	if _, err = engine.Bounded(t.Context(), e, time.Minute, func(context.Context) (string, error) {
		return "", boom
	}, late); !errors.Is(err, boom) {
		t.Errorf("a call that fails: %v", err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err = engine.Bounded(gone, e, time.Minute, func(ctx context.Context) (string, error) {
		return "", ctx.Err()
	}, late); !errors.Is(err, context.Canceled) {
		t.Errorf("a call that was taken back: %v", err)
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("a panic is lost")
			}
		}()
		_, _ = engine.Bounded(t.Context(), e, time.Minute, func(context.Context) (string, error) {
			panic("boom")
		}, late)
	}()
	a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "List.PushFront"}, DeadlineMs: 1})
	if a.Status != contract.StatusOK && a.Reason != contract.ReasonDeadline {
		t.Errorf("a graph of one millisecond: %+v", a.Outcome)
	}
}
