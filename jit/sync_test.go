package jit

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// edits are the kinds of change that a Sync must find, each alone.
var edits = []struct {
	name string
	do   func(w *world)
}{
	{"edit in place", func(w *world) { w.write("a.go", "func changed\n") }},
	{"edit of the same size", func(w *world) { w.write("a.go", "func b\n") }},
	{"edit with restored mtime", func(w *world) {
		info, err := os.Stat(w.abs("a.go"))
		w.must(err)
		w.write("a.go", "func c\n")
		w.must(os.Chtimes(w.abs("a.go"), info.ModTime(), info.ModTime()))
	}},
	{"atomic rename", func(w *world) {
		w.write("tmp~", "func d\n")
		w.must(os.Rename(w.abs("tmp~"), w.abs("a.go")))
	}},
	{"append", func(w *world) {
		f, err := os.OpenFile(w.abs("a.go"), os.O_APPEND|os.O_WRONLY, 0)
		w.must(err)
		_, err = f.WriteString("func more\n")
		w.must(err)
		w.must(f.Close())
	}},
	{"truncate", func(w *world) { w.must(os.Truncate(w.abs("a.go"), 3)) }},
	{"truncate to nothing", func(w *world) { w.must(os.Truncate(w.abs("a.go"), 0)) }},
	{"rename", func(w *world) { w.must(os.Rename(w.abs("a.go"), w.abs("sub/z.go"))) }},
	{"rename over", func(w *world) { w.must(os.Rename(w.abs("a.go"), w.abs("sub/b.go"))) }},
	{"exchange", func(w *world) {
		w.must(os.Rename(w.abs("a.go"), w.abs("x")))
		w.must(os.Rename(w.abs("sub/b.go"), w.abs("a.go")))
		w.must(os.Rename(w.abs("x"), w.abs("sub/b.go")))
	}},
	{"delete", func(w *world) { w.must(os.Remove(w.abs("a.go"))) }},
	{"new file in an old directory", func(w *world) { w.write("sub/new.go", "func n\n") }},
	{"new file in new directories", func(w *world) { w.write("x/y/z/new.go", "func n\n") }},
	{"directory rename", func(w *world) { w.must(os.Rename(w.abs("sub"), w.abs("bus"))) }},
	{"directory rename and edit", func(w *world) {
		w.must(os.Rename(w.abs("sub"), w.abs("bus")))
		w.write("bus/deep/c.go", "func edited\n")
		w.write("sub/deep/c.go", "func other\n")
	}},
	{"directory delete", func(w *world) { w.must(os.RemoveAll(w.abs("sub"))) }},
	{"directory made anew", func(w *world) {
		w.must(os.RemoveAll(w.abs("sub")))
		w.write("sub/b.go", "func reborn\n")
	}},
	{"directories exchanged", func(w *world) {
		w.must(os.Rename(w.abs("sub"), w.abs("x")))
		w.must(os.Rename(w.abs("other"), w.abs("sub")))
		w.must(os.Rename(w.abs("x"), w.abs("other")))
	}},
	{"file becomes directory", func(w *world) {
		w.must(os.Remove(w.abs("a.go")))
		w.write("a.go/inner.go", "func i\n")
	}},
	{"directory becomes file", func(w *world) {
		w.must(os.RemoveAll(w.abs("sub")))
		w.write("sub", "func s\n")
	}},
	{"file becomes link", func(w *world) {
		w.must(os.Remove(w.abs("a.go")))
		w.must(os.Symlink("sub/b.go", w.abs("a.go")))
	}},
	{"directory becomes link", func(w *world) {
		w.must(os.RemoveAll(w.abs("sub")))
		w.must(os.Symlink("other", w.abs("sub")))
	}},
	{"chmod", func(w *world) { w.must(os.Chmod(w.abs("a.go"), 0o600)) }},
	{"touch", func(w *world) { w.must(os.Chtimes(w.abs("a.go"), time.Unix(1, 0), time.Unix(1, 0))) }},
	{"text becomes binary", func(w *world) { w.write("a.go", "func\x00\n") }},
	{"hard link", func(w *world) { w.must(os.Link(w.abs("a.go"), w.abs("sub/link.go"))) }},
}

func seeds() map[string]string {
	return map[string]string{"a.go": "func a\n", "sub/b.go": "func bb\n", "sub/deep/c.go": "func ccc\n",
		"other/d.go": "func d\n", "empty.txt": ""}
}

func notText(w *world) func(string) bool {
	return func(p string) bool {
		text, err := os.ReadFile(w.abs(p))
		w.must(err)
		return slices.Contains(text, 0)
	}
}

func TestSyncSeesEveryKindOfEdit(t *testing.T) {
	for _, mode := range []WatchMode{WatchOff, WatchAuto} {
		for _, e := range edits {
			name := map[WatchMode]string{WatchOff: "sweep/", WatchAuto: "watch/"}[mode] + e.name
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, seeds(), func(o *Options) { o.Watch = mode })
				w.check("the build", nil)
				if mode == WatchAuto {
					w.awaitWatcher()
				}
				e.do(w)
				w.sync()
				w.check(e.name, notText(w))
				w.write("sub2/after.go", "func after\n")
				w.sync()
				w.check("another edit", notText(w))
			})
		}
	}
}

func TestSyncReportsWhatItDid(t *testing.T) {
	w := newWorld(t, seeds(), nil)
	if rep := w.sync(); rep.Mode != ModeUnchanged || rep.Changed() || rep.FilesChecked != 5 {
		t.Errorf("with nothing changed: %+v", rep)
	}
	w.write("a.go", "func different\n")
	w.write("new.go", "func n\n")
	w.must(os.Remove(w.abs("sub/b.go")))
	rep := w.sync()
	if rep.Mode != ModeSynced || !slices.Equal(rep.Modified, []string{"a.go"}) ||
		!slices.Equal(rep.Added, []string{"new.go"}) || !slices.Equal(rep.Removed, []string{"sub/b.go"}) {
		t.Errorf("after three changes: %+v", rep)
	}
	w.must(os.Chmod(w.abs("a.go"), 0o600))
	if rep := w.sync(); rep.Changed() {
		t.Errorf("a chmod alone re-indexed: %+v", rep)
	}
}

func TestVerifyBringsUpToDate(t *testing.T) {
	w := newWorld(t, seeds(), nil)
	paths := []string{"a.go", "sub/b.go", "other/d.go", "never.go"}
	rep, err := w.r.Verify(t.Context(), paths)
	w.must(err)
	if rep.Changed() || rep.Mode != ModeVerified || rep.FilesChecked != 4 {
		t.Fatalf("with nothing changed: %+v", rep)
	}
	w.write("a.go", "func x\n")
	w.must(os.Remove(w.abs("sub/b.go")))
	w.write("never.go", "func now\n")
	rep, err = w.r.Verify(t.Context(), paths)
	w.must(err)
	if !slices.Equal(rep.Modified, []string{"a.go"}) || !slices.Equal(rep.Removed, []string{"sub/b.go"}) ||
		!slices.Equal(rep.Added, []string{"never.go"}) {
		t.Fatalf("after three changes: %+v", rep)
	}
	w.check("verify", nil)
}

// TestVerifyRemovesStrayRows checks that Verify removes a row that the table in memory lacks, so that the next
// answer does not show it.
func TestVerifyRemovesStrayRows(t *testing.T) {
	w := newWorld(t, seeds(), nil)
	w.sync()
	w.must(os.Remove(w.abs("a.go")))
	w.r.table.mu.Lock()
	w.r.table.remove("a.go")
	w.r.table.mu.Unlock()
	w.sync()
	if _, stays := w.indexed()["a.go"]; !stays {
		t.Fatal("the sweep removed the row: nothing is tested")
	}
	rep, err := w.r.Verify(t.Context(), []string{"a.go", "nowhere.go"})
	w.must(err)
	if !slices.Equal(rep.Removed, []string{"a.go"}) {
		t.Errorf("%+v", rep)
	}
	w.check("verify", nil)
}

// TestVerifySince verifies files that another process has indexed since the caller read
// their rows.
func TestVerifySince(t *testing.T) {
	w := newWorld(t, seeds(), nil)
	paths := []string{"a.go", "other/d.go"}
	read := w.sync().Generation
	verify := func(since int64) Report {
		t.Helper()
		rep, err := w.r.VerifySince(t.Context(), paths, since)
		w.must(err)
		return rep
	}
	if rep := verify(read); rep.Changed() || rep.Generation != read {
		t.Fatalf("with nothing changed: %+v", rep)
	}
	other := *w
	other.open()
	w.write("a.go", "func x\n")
	w.write("sub/b.go", "func y\n")
	other.sync()
	rep := verify(read)
	if !slices.Equal(rep.Modified, []string{"a.go"}) || rep.Generation <= read {
		t.Fatalf("after two changes, of which one matters: %+v", rep)
	}
	paths = []string{"a.go", "other/d.go", "a.go"}
	if rep := verify(read); !slices.Equal(rep.Modified, []string{"a.go"}) {
		t.Errorf("a path that is given twice: %q", rep.Modified)
	}
	paths = paths[:2]
	if rep := verify(rep.Generation); rep.Changed() {
		t.Fatalf("after the rows were read again: %+v", rep)
	}
	if rep := verify(1); !slices.Equal(rep.Modified, paths) {
		t.Fatalf("since a generation that the log does not reach: %+v", rep)
	}
}

func TestReadIsTheIndexedText(t *testing.T) {
	w := newWorld(t, seeds(), nil)
	text, row, err := w.r.Read(t.Context(), "a.go")
	w.must(err)
	if string(text) != "func a\n" || row.Path != "a.go" || row.Lines != 1 {
		t.Errorf("read %q, row %+v", text, row)
	}
	w.write("a.go", "func b\n")
	_, _, err = w.r.Read(t.Context(), "a.go")
	wantError(t, err, ErrMoved)
	w.must(os.Remove(w.abs("a.go")))
	_, _, err = w.r.Read(t.Context(), "a.go")
	wantError(t, err, ErrMoved)
	_, _, err = w.r.Read(t.Context(), "nothing.go")
	wantError(t, err, ErrNotIndexed)
}

func TestPanicOfTheExtractorCostsOneFile(t *testing.T) {
	w := newWorld(t, map[string]string{"a.go": "func a\n", "bad.go": "PANIC\n"}, nil)
	w.check("the build", nil)
	if c := w.inventory().Coverage; c.Indexed != 2 || c.Parsed != 1 || c.ParseErrors != 1 {
		t.Errorf("coverage %+v", c)
	}
}

func TestBranchSwitch(t *testing.T) {
	for _, mode := range []WatchMode{WatchOff, WatchAuto} {
		w := newWorld(t, seeds(), func(o *Options) { o.Watch = mode })
		git := w.git
		git("init", "-q", "-b", "main")
		git("add", ".")
		git("commit", "-q", "-m", "one")
		git("checkout", "-q", "-b", "other")
		w.write("a.go", "func A\n")
		w.write("sub/only/here.go", "func h\n")
		w.must(os.RemoveAll(w.abs("other")))
		git("add", "-A")
		git("commit", "-q", "-m", "two")
		w.sync()
		w.check("commits", nil)
		if mode == WatchAuto {
			w.awaitWatcher()
		}
		for _, branch := range []string{"main", "other", "main"} {
			git("checkout", "-q", branch)
			w.sync()
			w.check("checkout "+branch, nil)
		}
	}
}

func TestHomeInsideTheRootIsNotIndexed(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, dir: dir, home: filepath.Join(dir, "cache", "sextant")}
	w.opt = testOptions(w.home)
	w.write("a.go", "func a\n")
	w.open()
	w.must(w.r.Build(t.Context(), "create", nil))
	if got := w.indexed(); len(got) != 1 || got["a.go"] == "" {
		t.Errorf("indexed %v, want a.go alone", got)
	}
}

// TestFailedSyncForgetsNoChange checks that a change which the watcher reported to a Sync that failed is found by the
// next: the watcher reports it only once.
func TestFailedSyncForgetsNoChange(t *testing.T) {
	tier := &stuckTier{}
	w := newWorld(t, seeds(), func(o *Options) { o.Watch, o.Tiers = WatchAuto, append(o.Tiers, tier) })
	w.untended()
	w.awaitWatcher()
	tier.full.Store(true)
	w.write("a.go", "func z\n")
	if rep, err := w.r.Sync(t.Context()); err == nil || !rep.Vouched {
		t.Fatalf("%v, vouched %t; want an error of the disk, and no other directory to look at", err, rep.Vouched)
	}
	tier.full.Store(false)
	if rep := w.sync(); !rep.Vouched || !slices.Equal(rep.Modified, []string{"a.go"}) {
		t.Errorf("after a Sync that failed: %+v", rep)
	}
	w.check("a Sync that failed", nil)
}
