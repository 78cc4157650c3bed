package jit

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sextant/internal/code"
	"sextant/internal/store"
)

// slowTexts is a tier that stores the text of every file as late rows. It calls
// making before each batch, and caughtUp when no file lacks late rows.
type slowTexts struct {
	making   func(ctx context.Context, files map[int64]*code.File) error
	caughtUp func()
}

var slowSchema = store.Schema{Name: "slow", Version: 1,
	SQL: "CREATE TABLE IF NOT EXISTS slow(file_id INTEGER PRIMARY KEY, text BLOB);"}

func (*slowTexts) Prepare(context.Context, *code.File) Write {
	return func(ctx context.Context, tx *store.Tx, id int64) error {
		_, err := tx.Exec(ctx, "INSERT OR REPLACE INTO slow(file_id, text) VALUES(?, NULL)", id)
		return err
	}
}

func (*slowTexts) Delete(ctx context.Context, tx *store.Tx, id int64) error {
	_, err := tx.Exec(ctx, "DELETE FROM slow WHERE file_id=?", id)
	return err
}

func (*slowTexts) Behind(ctx context.Context, v *store.View, after int64,
	max int) (files []int64, next int64, err error) {
	rows, err := v.Query(ctx, "SELECT file_id FROM slow WHERE text IS NULL AND file_id>? ORDER BY file_id LIMIT ?",
		after, max)
	if err != nil {
		return nil, 0, err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(&after); err != nil {
			return nil, 0, err
		}
		files = append(files, after)
	}
	if len(files) < max {
		after = 0
	}
	return files, after, rows.Err()
}

func (s *slowTexts) Late(ctx context.Context, _ func(context.Context, func(*store.View) error) error,
	files map[int64]*code.File) (map[int64]Write, error) {
	if s.making != nil {
		if err := s.making(ctx, files); err != nil {
			return nil, err
		}
	}
	writes := map[int64]Write{}
	for id, f := range files {
		writes[id] = func(ctx context.Context, tx *store.Tx, id int64) error {
			_, err := tx.Exec(ctx, "UPDATE slow SET text=? WHERE file_id=?", f.Text, id)
			return err
		}
	}
	return writes, nil
}

func (s *slowTexts) CaughtUp(context.Context, *store.Tx) error {
	if s.caughtUp != nil {
		s.caughtUp()
	}
	return nil
}

// newSlowWorld is like newWorld, with a root that makes late rows only in
// CatchUp: in the background, they could come in the middle of a slow test.
func newSlowWorld(t *testing.T, files int) (*world, *slowTexts) {
	slow, texts := &slowTexts{}, seeds()
	for i := range files {
		texts[fmt.Sprintf("many/f%d.go", i)] = fmt.Sprintf("func f%d\n", i)
	}
	w := newWorld(t, texts, func(o *Options) {
		o.Tiers, o.Schemas = append(o.Tiers, slow), append(o.Schemas, slowSchema)
	})
	w.untended()
	return w, slow
}

// late returns the text of every file that has its late row.
func (w *world) late() map[string]string {
	w.t.Helper()
	got := map[string]string{}
	w.must(w.r.View(w.t.Context(), func(v *View) error {
		rows, err := v.Query(w.t.Context(), "SELECT f.path, s.text FROM slow s "+
			"JOIN files f ON f.id=s.file_id WHERE s.text IS NOT NULL")
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var p, text string
			if err := rows.Scan(&p, &text); err != nil {
				return err
			}
			got[p] = text
		}
		return rows.Err()
	}))
	return got
}

func TestLateRowsComeByThemselves(t *testing.T) {
	w, slow := newSlowWorld(t, 3)
	if n := len(w.late()); n != 0 {
		t.Fatalf("%d late rows came with the others", n)
	}
	caughtUp := make(chan struct{})
	slow.caughtUp = sync.OnceFunc(func() { close(caughtUp) })
	w.r.upkeep.begun = sync.Once{}
	w.sync() // in use from now on
	<-caughtUp
	w.must(w.r.upkeep.late.Acquire(t.Context(), 1)) // until the edit is committed
	defer w.r.upkeep.late.Release(1)
	if diff := difference(w.late(), w.indexed()); diff != "" {
		t.Error(diff)
	}
}

// A file that is reindexed while its late rows are made does not get them,
// because they would be those of the old text.
func TestLateRowsAreOfTheIndexedText(t *testing.T) {
	w, slow := newSlowWorld(t, 2*trailFiles)
	edits := map[string]string{}
	slow.making = func(_ context.Context, files map[int64]*code.File) error {
		for _, f := range files { // one of each batch
			edits[f.Path] = "func edited\n"
			w.write(f.Path, edits[f.Path])
			w.sync()
			break
		}
		return nil
	}
	if err := w.r.CatchUp(t.Context()); err == nil {
		t.Error("files that changed meanwhile count as caught up")
	}
	late, indexed := w.late(), w.indexed()
	for p, text := range late {
		if text != indexed[p] {
			t.Errorf("%s: late rows of %q, the index has %q", p, text, indexed[p])
		}
	}
	if len(edits) < 2 || len(late) != len(indexed)-len(edits) {
		t.Errorf("%d of %d files have late rows, %d were edited", len(late), len(indexed), len(edits))
	}
	slow.making = nil
	w.must(w.r.CatchUp(t.Context()))
	if diff := difference(w.late(), w.indexed()); diff != "" {
		t.Error(diff)
	}
}

// Files that have changed on disk and are not reindexed yet get no late rows.
func TestLateRowsOfAnUnseenEdit(t *testing.T) {
	w, _ := newSlowWorld(t, 2)
	w.write("many/f0.go", "func unseen\n")
	w.must(os.Remove(w.abs("many/f1.go")))
	if err := w.r.CatchUp(t.Context()); err == nil {
		t.Error("files that are not what was indexed count as caught up")
	}
	if late := w.late(); late["many/f0.go"] != "" || late["many/f1.go"] != "" || late["a.go"] == "" {
		t.Errorf("late rows %q", late)
	}
	w.sync()
	w.must(w.r.CatchUp(t.Context()))
	if diff := difference(w.late(), w.onDisk(nil)); diff != "" {
		t.Error(diff)
	}
}

// TestLateRowsOfFilesThatAreGone checks that files which cannot be read get no late rows, that the error counts them,
// and that the tier counts as complete only when no file lacks its rows.
func TestLateRowsOfFilesThatAreGone(t *testing.T) {
	w, slow := newSlowWorld(t, 3)
	complete := 0
	slow.caughtUp = func() { complete++ }
	w.must(os.Remove(w.abs("many/f0.go")))
	w.write("many/f2.go", "func changed\n")
	err := w.r.CatchUp(t.Context())
	if err == nil || !strings.Contains(err.Error(), ": 2 files cannot be read") || complete != 0 {
		t.Errorf("%v, complete %d times", err, complete)
	}
	late := w.late()
	if want := len(w.indexed()) - 2; len(late) != want || late["many/f1.go"] == "" {
		t.Errorf("%d files have late rows, want %d", len(late), want)
	}
	w.sync()
	w.must(w.r.CatchUp(t.Context()))
	if diff := difference(w.late(), w.indexed()); diff != "" || complete != 1 {
		t.Errorf("complete %d times: %s", complete, diff)
	}
	w.must(w.r.CatchUp(t.Context()))
	if complete != 1 {
		t.Errorf("complete %d times, without a change between", complete)
	}
}

func TestLateRowsStayWhenTheContextEnds(t *testing.T) {
	w, slow := newSlowWorld(t, 2*trailFiles)
	ctx, cancel := context.WithCancel(t.Context())
	batches := 0
	slow.making = func(ctx context.Context, _ map[int64]*code.File) error {
		if batches++; batches == 2 {
			cancel()
		}
		return ctx.Err()
	}
	wantError(t, w.r.CatchUp(ctx), context.Canceled)
	if n := len(w.late()); n != trailFiles {
		t.Errorf("%d late rows are left of the first batch, not %d", n, trailFiles)
	}
	w.must(w.r.CatchUp(t.Context())) // no process holds the lock
}

// CatchUp returns an error while another process is doing it, and waits for
// another caller in this process.
func TestLateRowsAreMadeByOne(t *testing.T) {
	w, slow := newSlowWorld(t, trailFiles)
	lock, err := store.TryLock(filepath.Join(w.r.dir, "late.lock"), Holder{PID: 1})
	w.must(err)
	var held *HeldError
	if err := w.r.CatchUp(t.Context()); !errors.As(err, &held) {
		t.Errorf("error %v, want a *HeldError", err)
	}
	w.must(lock.Unlock())
	made := map[int64]int{}
	slow.making = func(_ context.Context, files map[int64]*code.File) error {
		for id := range files {
			made[id]++
		}
		time.Sleep(10 * time.Millisecond)
		return nil
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if err := w.r.CatchUp(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if slices.Max(slices.Collect(maps.Values(made))) != 1 || len(made) != len(w.indexed()) {
		t.Errorf("made %v", made)
	}
}

// CatchUp makes the late rows for files written by another process, and those
// for files that this process writes before it has noticed that.
func TestLateRowsBesideAnotherProcess(t *testing.T) {
	w, _ := newSlowWorld(t, 2)
	w.must(w.r.CatchUp(t.Context()))
	other := *w
	other.open()
	other.untended()
	w.write("theirs.go", "func theirs\n")
	other.sync()
	w.write("ours.go", "func ours\n")
	if _, err := w.r.Verify(t.Context(), []string{"ours.go"}); err != nil { // reads no generation
		t.Fatal(err)
	}
	w.must(w.r.CatchUp(t.Context()))
	if diff := difference(w.late(), w.onDisk(nil)); diff != "" {
		t.Error(diff)
	}
}

// TestLateRowsOfOneFileThatIsGone checks that one file without its late rows is enough for the tier to be incomplete.
func TestLateRowsOfOneFileThatIsGone(t *testing.T) {
	w, slow := newSlowWorld(t, 2)
	complete := false
	slow.caughtUp = func() { complete = true }
	w.must(os.Remove(w.abs("many/f0.go")))
	if err := w.r.CatchUp(t.Context()); err == nil || complete {
		t.Errorf("%v, complete %t", err, complete)
	}
}
