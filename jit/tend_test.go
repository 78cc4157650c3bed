package jit

import (
	"context"
	"os"
	"syscall"
	"testing"
	"time"

	"sextant/internal/store"
)

// untended prevents the housekeeping from starting by itself.
func (w *world) untended() { w.r.upkeep.begun.Do(func() {}) }

func TestHousekeepingFindsWritesThatRaiseNoEvent(t *testing.T) {
	clock := newFakeClock()
	w := newWorld(t, seeds(), func(o *Options) { o.Watch, o.Clock = WatchAuto, clock.now })
	w.untended()
	w.awaitWatcher()
	f, err := os.OpenFile(w.abs("a.go"), os.O_RDWR, 0)
	w.must(err)
	defer f.Close()
	mem, err := syscall.Mmap(int(f.Fd()), 0, 7, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	w.must(err)
	copy(mem, "func m\n")
	w.must(syscall.Munmap(mem))
	if rep := w.sync(); !rep.Vouched || rep.Changed() {
		t.Skipf("this system reports writes through mmap: %+v", rep)
	}
	clock.advance(sweepEvery + time.Second)
	w.must(w.r.upkeep.housekeep(t.Context()))
	w.check("housekeeping", nil)
	if rep := w.sync(); !rep.Vouched {
		t.Errorf("after the sweep the watcher does not vouch: %+v", rep)
	}
}

func TestHousekeepingWritesTouchedKeys(t *testing.T) {
	clock := newFakeClock()
	w := newWorld(t, seeds(), func(o *Options) { o.Clock = clock.now })
	w.untended()
	clock.advance(time.Hour)
	w.must(os.Chtimes(w.abs("a.go"), time.Unix(5, 0), time.Unix(5, 0)))
	w.sync()
	clock.advance(idleAfter)
	w.must(w.r.upkeep.housekeep(t.Context()))
	var row FileRow
	w.must(w.r.View(t.Context(), func(v *View) (err error) {
		row, _, err = v.File(t.Context(), "a.go")
		return err
	}))
	if row.Key.MTime != int64(5*time.Second) || row.Key.Racy(row.ReadAt) {
		t.Errorf("the row still has the key %+v, read at %d", row.Key, row.ReadAt)
	}
	if k, _ := w.r.table.get("a.go"); k.key != row.Key {
		t.Errorf("the table has %+v", k.key)
	}
}

// merging is a tier whose Merge reports that more is left, except at every third call. Each call runs during.
type merging struct {
	texts
	calls  *int
	during func()
}

func (m merging) Merge(context.Context, *store.Tx) (bool, error) {
	*m.calls++
	m.during()
	return *m.calls%3 != 0, nil
}

func TestTiersMergeWhileIdle(t *testing.T) {
	clock, calls := newFakeClock(), 0
	var w *world
	ask := func() {
		if calls == 1 {
			w.r.syncMu.Lock()
			w.r.lastUsed = clock.now()
			w.r.syncMu.Unlock()
		}
	}
	w = newWorld(t, seeds(), func(o *Options) {
		o.Clock, o.Tiers = clock.now, []Indexer{merging{calls: &calls, during: ask}}
	})
	w.untended()
	w.sync()
	w.must(w.r.upkeep.housekeep(t.Context()))
	if calls != 0 {
		t.Fatal("merged while in use")
	}
	clock.advance(idleAfter)
	w.must(w.r.upkeep.housekeep(t.Context()))
	if calls != 1 {
		t.Errorf("merged %d times, want 1 until somebody asked", calls)
	}
	clock.advance(idleAfter)
	for range 2 {
		w.must(w.r.upkeep.housekeep(t.Context()))
	}
	if calls != 3 {
		t.Errorf("merged %d times, want 3 until nothing was left", calls)
	}
	clock.advance(inUse)
	w.write("a.go", "func x\n")
	w.must(w.r.upkeep.housekeep(t.Context()))
	if calls != 3 {
		t.Error("a root that nobody uses was tended")
	}
}

func TestLogOfChangesIsPruned(t *testing.T) {
	w := newWorld(t, seeds(), nil)
	w.must(w.r.Keep(t.Context(), func(tx *store.Tx) error {
		_, err := tx.Exec(t.Context(), "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<=?) "+
			"INSERT INTO changed_paths SELECT 1, i FROM n", maxLog)
		return err
	}))
	w.must(w.r.upkeep.pruneLog(t.Context()))
	var n int
	w.must(w.r.View(t.Context(), func(v *View) error {
		_, err := v.QueryRow(t.Context(), "SELECT count(*) FROM changed_paths", nil, &n)
		return err
	}))
	if n != 0 {
		t.Errorf("%d paths are left", n)
	}
	w.write("a.go", "func y\n")
	w.sync()
	w.check("pruning", nil)
}
