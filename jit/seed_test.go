package jit

import (
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sextant/internal/code"
)

// TestWorktreeIsSeeded checks that the first index of a worktree starts as a copy of another checkout's: only
// files with other bytes are extracted, and the rows equal those of an index built without a copy.
func TestWorktreeIsSeeded(t *testing.T) {
	var extracted atomic.Int64
	w := newWorld(t, seeds(), func(o *Options) {
		o.Extract = func(path string, text []byte) (code.File, error) {
			extracted.Add(1)
			return linesAsSymbols(path, text)
		}
	})
	git := func(args ...string) { w.git(append([]string{"-C", w.dir}, args...)...) }
	git("init", "-q", "-b", "main")
	git("add", "-A")
	git("commit", "-q", "-m", "x")
	w.write("edited.go", "func here\n") // only in this checkout, and indexed
	w.write("moved.go", "func there\n")
	git("add", "moved.go")
	git("commit", "-q", "-m", "y")
	w.sync()
	side := filepath.Join(filepath.Dir(w.dir), "side")
	git("worktree", "add", "-q", "--detach", side, "HEAD")
	w.must(os.WriteFile(filepath.Join(side, "new.go"), []byte("func fresh\n"), 0o644))
	// Same size and same age: only the bytes differ.
	w.must(os.WriteFile(filepath.Join(side, "moved.go"), []byte("func THERE\n"), 0o644))
	info, err := os.Stat(w.abs("moved.go"))
	w.must(err)
	w.must(os.Chtimes(filepath.Join(side, "moved.go"), info.ModTime(), info.ModTime()))

	// Left by a killed process.
	w.must(os.MkdirAll(filepath.Join(w.rs.catalog.Dir(side), "seed-1"), 0o700))

	var before int64
	w.must(w.r.View(t.Context(), func(v *View) (err error) { before, err = Generation(t.Context(), v); return err }))
	extracted.Store(0)
	r, err := w.rs.Track(t.Context(), side, Policy{})
	w.must(err)
	if p, err := r.build.state(t.Context()); err != nil || p.State != StateNotIndexed {
		t.Errorf("before its build it is %s, %v", p.State, err)
	}
	w.must(r.Build(t.Context(), "create", nil))
	if n := extracted.Load(); n != 2 {
		t.Errorf("%d files were extracted, want 2", n)
	}
	w.must(r.View(t.Context(), func(v *View) error {
		paths, known, err := Changed(t.Context(), v, before)
		slices.Sort(paths)
		if want := []string{"edited.go", "moved.go", "new.go"}; !known || !slices.Equal(paths, want) {
			t.Errorf("changed since the other checkout's generation: %q, known %v; want %q", paths, known, want)
		}
		return err
	}))
	got := w.indexedIn(r)
	cold, err := w.rs.Track(t.Context(), side, Policy{})
	w.must(err)
	w.must(cold.Rebuild(t.Context(), "reindex"))
	w.must(cold.Wait(t.Context(), nil))
	if want := w.indexedIn(cold); !maps.Equal(got, want) || got["new.go"] != "func fresh\n" ||
		got["moved.go"] != "func THERE\n" {
		t.Errorf("seeded: %q\ncold: %q", got, want)
	}
	if _, ok := got["edited.go"]; ok {
		t.Error("a file of the other checkout is in the index")
	}
	if left, _ := filepath.Glob(filepath.Join(r.Dir(), "seed-*")); len(left) > 0 {
		t.Errorf("left over: %q", left)
	}
}

// Opening a root may take long, because it may copy the index of another
// checkout. Opening another root does not wait for that.
func TestOpeningOneRootHoldsUpNoOther(t *testing.T) {
	var gate atomic.Pointer[chan struct{}]
	reached := make(chan struct{}, 1)
	w := newWorld(t, seeds(), func(o *Options) {
		o.Clock = func() time.Time {
			if wait := gate.Load(); wait != nil && strings.Contains(string(debug.Stack()), "(*Roots).adapt") {
				reached <- struct{}{}
				<-*wait
			}
			return time.Now()
		}
	})
	w.git("init", "-q", "-b", "main")
	w.git("add", "-A")
	w.git("commit", "-q", "-m", "x")
	w.sync()
	side := filepath.Join(filepath.Dir(w.dir), "side")
	w.git("worktree", "add", "-q", "--detach", side, "HEAD")
	wait := make(chan struct{})
	gate.Store(&wait)
	tracked := make(chan error, 1)
	go func() {
		_, err := w.rs.Track(t.Context(), side, Policy{})
		tracked <- err
	}()
	<-reached
	other := make(chan error, 1)
	go func() {
		_, err := w.rs.Track(t.Context(), t.TempDir(), Policy{})
		other <- err
	}()
	select {
	case err := <-other:
		w.must(err)
	case <-time.After(20 * time.Second):
		t.Error("another root waits for the copy")
	}
	close(wait)
	w.must(<-tracked)
}

// Only the same directory in another checkout of the same repository is a seed.
func TestSeedIsOfTheSamePlace(t *testing.T) {
	w := newWorld(t, seeds(), nil)
	git := func(args ...string) { w.git(append([]string{"-C", w.dir}, args...)...) }
	git("init", "-q", "-b", "main")
	git("add", "-A")
	git("commit", "-q", "-m", "x")
	base := filepath.Dir(w.dir)
	git("worktree", "add", "-q", "--detach", base+"/side", "HEAD")
	git("clone", "-q", w.dir, base+"/clone")
	w.must(os.MkdirAll(base+"/side/sub", 0o755))
	for path, want := range map[string]string{base + "/side": w.dir, base + "/side/sub": "", base + "/clone": "",
		w.dir: "", base: ""} {
		if got := w.rs.seedOf(t.Context(), path); got != want {
			t.Errorf("%s is seeded from %q, want %q", path, got, want)
		}
	}
}
