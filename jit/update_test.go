package jit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sextant/internal/code"
	"sextant/internal/store"
)

// TestLargeFilesAmongSmallOnesDoNotStopThePipeline indexes files that need the whole budget of bytes among
// small ones: a reader of a large file waits until the others have released all of it.
func TestLargeFilesAmongSmallOnesDoNotStopThePipeline(t *testing.T) {
	files := map[string]string{}
	var paths []string
	for i := range 12 {
		p := fmt.Sprintf("f%02d.go", i)
		files[p] = "func f\n"
		paths = append(paths, p)
	}
	w := newWorld(t, files, func(o *Options) { o.Workers = 3 })
	for _, p := range []string{"f03.go", "f07.go", "f11.go"} {
		w.must(os.Truncate(w.abs(p), flightBytes+1))
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for range 500 {
		_, err := w.r.updateOnce(ctx, paths, &changes{})
		w.must(err)
	}
}

// A slow file does not keep finished ones from being committed: an interruption would lose them,
// and the next command would begin with them again.
func TestFinishedFilesAreCommittedWhileASlowOneIsPrepared(t *testing.T) {
	committed := make(chan struct{})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	w := newWorld(t, nil, func(o *Options) {
		o.Extract = func(path string, text []byte) (code.File, error) {
			if path == "slow.go" {
				select {
				case <-committed:
				case <-ctx.Done():
				}
			}
			return linesAsSymbols(path, text)
		}
	})
	w.write("quick.go", "func quick\n")
	w.write("slow.go", "func slow\n")
	var once sync.Once
	c := &changes{onCommit: func(int) { once.Do(func() { close(committed) }) }}
	_, err := w.r.updateOnce(ctx, []string{"slow.go", "quick.go"}, c)
	if w.must(err); ctx.Err() != nil || len(w.indexed()) != 2 {
		t.Errorf("quick.go waited for slow.go; indexed: %v", w.indexed())
	}
}

// interrupting is a tier during whose work on a file its call ends.
type interrupting struct {
	texts
	end context.CancelFunc
}

func (i interrupting) Prepare(ctx context.Context, f *code.File) Write {
	i.end()
	half := *f
	half.Text = f.Text[:len(f.Text)/2]
	return i.texts.Prepare(ctx, &half)
}

// TestHalfPreparedFileIsNotKept checks that a file whose call ended while a tier prepared it counts
// as not read.
func TestHalfPreparedFileIsNotKept(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	w := newWorld(t, nil, func(o *Options) { o.Tiers = []Indexer{interrupting{end: cancel}} })
	w.write("a.go", "func whole\n")
	if f := w.r.inspect.once(ctx, "a.go"); f.state != unverified || len(f.writes) > 0 {
		t.Errorf("state %v with %d writes", f.state, len(f.writes))
	}
}

// TestAFileReadBeforeItsLastChangeIsPending changes p.go after a call has read it in
// the background, and before that call commits. A Sync that begins then leaves p.go
// to that call, and says so even if that call ends first.
func TestAFileReadBeforeItsLastChangeIsPending(t *testing.T) {
	var w *world
	reading, release := make(chan struct{}), make(chan struct{})
	w = newWorld(t, map[string]string{"p.go": "func old\n"}, func(o *Options) {
		o.Workers = 1
		o.Extract = func(path string, text []byte) (code.File, error) {
			switch path {
			case "q.go": // p.go was read before, and is committed after
				close(reading)
				<-release
			case "r.go":
				close(release)
				for w.r.pending.has("p.go") || w.r.pending.has("q.go") {
					time.Sleep(time.Millisecond)
				}
			}
			return linesAsSymbols(path, text)
		}
	})
	w.write("q.go", "func q\n")
	w.r.opt.Budget = time.Millisecond
	w.sync()
	<-reading
	w.write("p.go", "func new\n")
	w.write("r.go", "func r\n")
	w.r.opt.Budget = time.Hour
	rep := w.sync()
	whole, err := w.r.Whole(t.Context())
	if w.must(err); (rep.Pending == 0 || whole) && w.indexed()["p.go"] != "func new\n" {
		t.Errorf("%d files are pending, the index is whole: %t; it has %v", rep.Pending, whole, w.indexed())
	}
	w.sync()
	w.check("the next call", nil)
	if whole, err = w.r.Whole(t.Context()); err != nil || !whole {
		t.Errorf("whole %t, %v after the next call", whole, err)
	}
}

// TestStuck checks that reports and the status say why files that are indexed in the background cannot be, until
// they can.
func TestStuck(t *testing.T) {
	tier := &stuckTier{}
	w := newWorld(t, map[string]string{"a.go": "func a\n"}, func(o *Options) { o.Tiers = append(o.Tiers, tier) })
	stuck := func() string {
		s, err := w.r.Status(t.Context())
		w.must(err)
		return s.Stuck
	}
	tier.full.Store(true)
	w.write("a.go", "func b\n")
	if _, err := w.r.Sync(t.Context()); err == nil || stuck() == "" {
		t.Errorf("on a full disk: %v, stuck %q", err, stuck())
	}
	tier.wait = make(chan struct{})
	w.r.opt.Budget = time.Millisecond
	if rep := w.sync(); rep.Pending != 1 || rep.Stuck != "the disk of /d is full; make room there, then repeat" {
		t.Errorf("while the file waits: %d pending, stuck %q", rep.Pending, rep.Stuck)
	}
	tier.full.Store(false)
	close(tier.wait)
	w.r.opt.Budget = time.Hour
	w.sync()
	if rep := w.sync(); rep.Stuck != "" || stuck() != "" {
		t.Errorf("with room again: stuck %q, %q", rep.Stuck, stuck())
	}
	w.check("with room again", nil)
}

// stuckTier is a tier whose disk may be full. If wait is set, its writes wait for it.
type stuckTier struct {
	full atomic.Bool
	wait chan struct{}
}

func (s *stuckTier) Prepare(ctx context.Context, f *code.File) Write {
	wait := s.wait
	return func(context.Context, *store.Tx, int64) error {
		if wait != nil {
			<-wait
		}
		if s.full.Load() {
			return &FullError{Dir: "/d", Err: errors.New("13")}
		}
		return nil
	}
}

func (s *stuckTier) Delete(context.Context, *store.Tx, int64) error { return nil }
