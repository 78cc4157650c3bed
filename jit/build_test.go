package jit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"sextant/internal/code"
	"sextant/internal/store"
)

func TestBuildIsReadyAndAccountsForEveryFile(t *testing.T) {
	w := newWorld(t, map[string]string{"a.go": "func a\n", "b.dat": "\x00\x01", ".env": "KEY=1", "pic.png": "x"},
		func(o *Options) { o.Clock = nil })
	w.must(os.Symlink("a.go", w.abs("link.go")))
	w.must(syscall.Mkfifo(w.abs("fifo"), 0o600))
	w.sync()
	s, err := w.r.Status(t.Context())
	w.must(err)
	if s.State != StateReady || s.FilesTotal != 4 || s.FilesDone != 4 || s.LastSync.IsZero() {
		t.Errorf("status %+v", s)
	}
	c := w.inventory().Coverage
	want := map[string]int{"binary": 1, "secret": 1, "unsupported": 1, "symlink": 1, "not_regular": 1}
	if c.Files != 6 || c.Indexed != 1 || fmt.Sprint(c.Skipped) != fmt.Sprint(want) {
		t.Errorf("coverage %+v, want 6 files, 1 indexed, skipped %v", c, want)
	}
	w.must(w.r.View(t.Context(), func(v *View) error {
		if got, err := Covered(t.Context(), v); err != nil || fmt.Sprint(got) != fmt.Sprint(c) {
			t.Errorf("covered %+v, %v; want %+v", got, err, c)
		}
		return nil
	}))
}

func TestMerkleNamesTheContents(t *testing.T) {
	w := newWorld(t, seeds(), nil)
	name := func() string { t.Helper(); return w.inventory().Merkle }
	first := name()
	w.write("a.go", "func x\n")
	w.sync()
	if name() == first {
		t.Error("an edit left the name as it was")
	}
	w.write("a.go", seeds()["a.go"])
	w.sync()
	if name() != first {
		t.Error("the same contents have another name")
	}
	if w.r.table.name.String() != first {
		t.Error("the name kept in memory is not that of the rows")
	}
}

// gate blocks extraction until it is opened.
type gate struct {
	open    chan struct{}
	reached chan struct{} // capacity 1
	once    sync.Once
}

func newGate() *gate {
	return &gate{open: make(chan struct{}), reached: make(chan struct{}, 1)}
}

func (g *gate) extract(path string, text []byte) (code.File, error) {
	select {
	case g.reached <- struct{}{}:
	default:
	}
	<-g.open
	return linesAsSymbols(path, text)
}

func (g *gate) release() { g.once.Do(func() { close(g.open) }) }

func TestOnlyOneBuildsAndOthersAreToldWho(t *testing.T) {
	g := newGate()
	defer g.release()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, dir: filepath.Join(dir, "root"), home: filepath.Join(dir, "home")}
	w.opt = testOptions(w.home)
	w.opt.Extract, w.opt.Version = g.extract, "v9"
	w.write("a.go", "func a\n")
	w.open()
	w.must(w.r.Start(t.Context(), "create"))
	<-g.reached
	var held *HeldError
	if err := w.r.Start(t.Context(), "create"); !errors.As(err, &held) || held.Holder.PID != os.Getpid() ||
		held.Holder.Version != "v9" {
		t.Errorf("second start: %v", err)
	}
	if rep := w.sync(); rep.Mode != ModeIndexing || !slices.Contains(rep.Warnings, WarnBuilding) {
		t.Errorf("sync while building: %+v", rep)
	}
	if s, err := w.r.Status(t.Context()); err != nil || s.State != StateIndexing || s.Action != "create" {
		t.Errorf("status while building: %+v, %v", s, err)
	}
	g.release()
	var last Progress
	w.must(w.r.Wait(t.Context(), func(p Progress) { last = p }))
	if last.State != StateReady || last.FilesDone != 1 {
		t.Errorf("last progress %+v", last)
	}
	w.check("the build", nil)
}

// TestCloseLeavesARunningExtractionBehind checks that Close does not wait for a running parse, which may take
// seconds and cannot be interrupted.
func TestCloseLeavesARunningExtractionBehind(t *testing.T) {
	for _, files := range []int{1, 3} {
		g := newGate()
		defer g.release()
		w := newWorld(t, seeds(), nil)
		w.r.opt.Extract = g.extract
		for i := range files {
			w.write(fmt.Sprintf("new/%d.go", i), "func n\n")
		}
		w.r.sweepNext()
		w.r.group.Go(func(ctx context.Context) { _, _ = w.r.Sync(ctx) })
		<-g.reached
		closed := make(chan error, 1)
		go func() { closed <- w.rs.Close() }()
		select {
		case err := <-closed:
			w.must(err)
		case <-time.After(time.Minute):
			t.Fatalf("%d files: closing waits for the extractor", files)
		}
		w.open()
		g.release()
		w.sync()
		w.check("after an extraction that was left behind", nil)
	}
}

// TestBuildOfAClosingRoot checks that Wait returns at once if the build could not start because the root was
// being closed.
func TestBuildOfAClosingRoot(t *testing.T) {
	w := newWorld(t, seeds(), nil)
	w.r.group.Stop()
	wantError(t, w.r.Start(t.Context(), "reindex"), ErrClosed)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	wantError(t, w.r.Wait(ctx, nil), ErrClosed)
}

func TestHalfBuiltIndexIsResumed(t *testing.T) {
	w := newWorld(t, seeds(), nil)
	// A killed builder leaves some rows, the recorded state, and no lock.
	w.must(w.r.build.write(t.Context(), Progress{State: StateIndexing, Phase: PhaseWriting}))
	w.write("late.go", "func late\n")
	halted := func(want bool) {
		t.Helper()
		if s, err := w.r.Status(t.Context()); err != nil || s.State != StateIndexing || s.Halted != want {
			t.Errorf("status %+v, %v; want halted %v", s, err, want)
		}
	}
	halted(true)
	lock, err := w.r.build.lock("create")
	w.must(err)
	halted(false) // another process is at it
	w.must(lock.Unlock())
	if rep := w.sync(); rep.Mode != ModeIndexing {
		t.Fatalf("sync of a half-built index: %+v", rep)
	}
	w.must(w.r.Wait(t.Context(), nil))
	if rep := w.sync(); rep.Mode != ModeUnchanged {
		t.Errorf("sync after the build was resumed: %+v", rep)
	}
	w.check("resuming", nil)
}

func TestBurstGoesOnInTheBackground(t *testing.T) {
	for _, files := range []int{1, 4, 40} {
		t.Run(fmt.Sprint(files), func(t *testing.T) { burst(t, files) })
	}
}

// burst checks that changed files are reported as pending if indexing them
// exceeds the budget, even if they are few.
func burst(t *testing.T, files int) {
	g := newGate()
	defer g.release()
	w := newWorld(t, seeds(), func(o *Options) {
		o.Budget = 1
		o.Clock = func() time.Time { return time.Now().Add(time.Hour) } // no key is racy
	})
	w.r.opt.Extract = g.extract
	for i := range files {
		w.write(fmt.Sprintf("new/%d.go", i), fmt.Sprintf("func n%d\n", i))
	}
	rep := w.sync()
	if rep.Pending != files || !slices.Contains(rep.Warnings, WarnPending) {
		t.Fatalf("sync within no budget: %+v", rep)
	}
	if !w.r.Dirty("new/0.go") || w.r.Dirty("a.go") {
		t.Error("Dirty does not tell which files are pending")
	}
	if rep, err := w.r.Verify(t.Context(), []string{"new/0.go"}); err != nil || rep.Pending != files {
		t.Errorf("verify within no budget: %+v, %v", rep, err)
	}
	g.release()
	w.r.opt.Budget = defaultBudget
	for w.sync().Pending > 0 {
	}
	w.check("the burst", nil)
}

func TestClearIsVerified(t *testing.T) {
	w := newWorld(t, seeds(), nil)
	dir := w.r.Dir()
	other, err := Open(t.Context(), w.opt)
	w.must(err)
	defer other.Close()
	theirs, rel, err := other.Resolve(t.Context(), w.abs("sub/b.go"))
	w.must(err)
	if rel != "sub/b.go" || theirs.Path() != w.dir {
		t.Errorf("resolved to %s, %q", theirs.Path(), rel)
	}
	wantError(t, w.rs.Clear(t.Context(), w.abs("sub")), ErrNotTracked)
	lock, err := store.TryLock(filepath.Join(dir, "op.lock"), Holder{PID: 7, Action: "create"})
	w.must(err)
	var held *HeldError
	if err := w.rs.Clear(t.Context(), w.dir); !errors.As(err, &held) || held.Holder.PID != 7 {
		t.Errorf("clear while another builds: %v", err)
	}
	w.must(lock.Unlock())
	w.must(w.rs.Clear(t.Context(), w.dir))
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the index is still there: %v", err)
	}
	_, _, err = w.rs.Resolve(t.Context(), w.dir)
	wantError(t, err, ErrNotTracked)
	_, err = w.r.Sync(t.Context())
	wantError(t, err, ErrClosed)
	_, _, err = other.Resolve(t.Context(), w.dir)
	wantError(t, err, ErrNotTracked)
	// Tracked again by the other; its handle notices that its file was removed.
	theirs, err = other.Track(t.Context(), w.dir, Policy{})
	w.must(err)
	w.must(theirs.Build(t.Context(), "create", nil))
	w.r = theirs
	w.check("clear and create", nil)
}

func TestOtherProcessesWritesAreSeen(t *testing.T) {
	w := newWorld(t, seeds(), nil)
	other, err := Open(t.Context(), w.opt)
	w.must(err)
	defer other.Close()
	theirs, _, err := other.Resolve(t.Context(), w.dir)
	w.must(err)
	if rep, err := theirs.Sync(t.Context()); err != nil || rep.Mode != ModeUnchanged {
		t.Fatalf("a second set of roots: %+v, %v", rep, err)
	}
	for i := range 5 {
		w.write("a.go", fmt.Sprintf("func a%d\n", i))
		w.write(fmt.Sprintf("n%d.go", i), "func n\n")
		w.must(os.RemoveAll(w.abs(fmt.Sprintf("n%d.go", i-1))))
		w.sync()
		rep, err := theirs.Sync(t.Context())
		w.must(err)
		if rep.Changed() || rep.Generation != w.r.table.generation() {
			t.Fatalf("the other indexed again what was indexed: %+v", rep)
		}
		if theirs.table.name != w.r.table.name {
			t.Fatal("the tables differ")
		}
	}
}

func TestConcurrentSyncsAndEdits(t *testing.T) {
	w := newWorld(t, seeds(), func(o *Options) { o.Watch = WatchAuto })
	other, err := Open(t.Context(), w.opt)
	w.must(err)
	defer other.Close()
	theirs, _, err := other.Resolve(t.Context(), w.dir)
	w.must(err)
	var wg sync.WaitGroup
	for n, r := range []*Root{w.r, theirs, w.r, theirs} {
		wg.Go(func() {
			for i := range 40 {
				p := fmt.Sprintf("s%d/f%d.go", n, i%7)
				w.write(p, fmt.Sprintf("func f%d_%d\n", n, i))
				if i%2 == 0 {
					_, err := r.Sync(t.Context())
					w.must(err)
				} else {
					_, err := r.Verify(t.Context(), []string{p})
					w.must(err)
				}
				text, row, err := r.Read(t.Context(), p)
				if err != nil || string(text) != fmt.Sprintf("func f%d_%d\n", n, i) {
					t.Errorf("%s: %q, %+v, %v", p, text, row, err)
				}
			}
		})
	}
	wg.Wait()
	w.sync()
	w.check("the storm", nil)
}

func TestCancelledSyncLeavesTheWorkDone(t *testing.T) {
	w := newWorld(t, seeds(), nil)
	w.write("a.go", "func z\n")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.r.Sync(ctx); err != nil {
		wantError(t, err, context.Canceled)
	}
	w.sync()
	w.check("a cancelled sync", nil)
}

func TestRepairOfADamagedDatabase(t *testing.T) {
	w := newWorld(t, seeds(), nil)
	rebuilt, _, err := w.r.Repair(t.Context())
	if err != nil || rebuilt {
		t.Fatalf("repair of a sound index: rebuilt %v, %v", rebuilt, err)
	}
	w.must(w.r.Rebuild(t.Context(), "reindex"))
	w.must(w.r.Wait(t.Context(), nil))
	w.check("a rebuild", nil)
}

func TestPolicyChangeReconciles(t *testing.T) {
	w := newWorld(t, seeds(), nil)
	r, err := w.rs.Track(t.Context(), w.dir, Policy{IgnorePatterns: []string{"sub/"}})
	w.must(err)
	w.r = r
	w.must(r.Build(t.Context(), "reindex", nil))
	w.check("another policy", func(p string) bool { return filepath.Dir(p) == "sub" || filepath.Dir(p) == "sub/deep" })
	list, err := w.rs.List(t.Context())
	w.must(err)
	if len(list) != 1 || !slices.Equal(list[0].Policy.IgnorePatterns, []string{"sub/"}) {
		t.Errorf("list %+v", list)
	}
}

// TestLostDatabasesAreCounted checks that Losses rises when the database of a root is given up, by a rebuild or by
// another policy, and that neither an edit nor another root raises it.
func TestLostDatabasesAreCounted(t *testing.T) {
	w := newWorld(t, seeds(), nil)
	last := w.rs.Losses(w.dir)
	rises := func(what string, want bool) {
		t.Helper()
		now := w.rs.Losses(w.abs("sub"))
		if rose := w.rs.Losses(w.dir) > last; rose != want {
			t.Errorf("%s: from %d to %d losses", what, last, w.rs.Losses(w.dir))
		}
		if last = w.rs.Losses(w.dir); now != last {
			t.Errorf("%s: a folder within has %d losses, its root %d", what, now, last)
		}
	}
	w.write("a.go", "func z\n")
	w.sync()
	rises("an edit", false)
	w.must(w.r.Rebuild(t.Context(), "reindex"))
	w.must(w.r.Wait(t.Context(), nil))
	rises("a rebuild", true)
	_, err := w.rs.Track(t.Context(), w.dir, Policy{IgnorePatterns: []string{"sub/"}})
	w.must(err)
	rises("another policy", true)
	if n := w.rs.Losses(w.home); n != 0 {
		t.Errorf("a folder of no root has %d losses", n)
	}
}
