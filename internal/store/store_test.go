package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sextant/internal/code"
)

var notes = Schema{Name: "notes", Version: 1,
	SQL: "CREATE TABLE IF NOT EXISTS notes(file_id INTEGER PRIMARY KEY, text TEXT NOT NULL);"}

func openTest(t testing.TB, dir string) *DB {
	t.Helper()
	db, err := Open(t.Context(), Options{Dir: dir, Schemas: []Schema{notes}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func put(t *testing.T, db *DB, row FileRow) (id int64) {
	t.Helper()
	err := db.Update(t.Context(), func(tx *Tx) (err error) {
		id, err = tx.PutFile(t.Context(), row)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func TestFileRoundTrip(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "with space? and #"))
	want := FileRow{Path: "a/ü b.go", Key: code.StatKey{Size: 3, MTime: -5, CTime: 7, Inode: 1<<63 + 9, Mode: 0o644},
		ReadAt: 11, Hash: HashText([]byte("abc")), Language: "go", Class: code.ClassTest, Lines: 1, BadBytes: 2,
		Parsed: true, IndexedAt: time.UnixMilli(1234)}
	want.ID = put(t, db, want)
	other := want
	other.Path = "b.go"
	put(t, db, other)
	want.Lines = 9
	if again := put(t, db, want); again != want.ID {
		t.Errorf("the id changed from %d to %d on update", want.ID, again)
	}
	err := db.View(t.Context(), func(v *View) error {
		got, ok, err := v.File(t.Context(), want.Path)
		if !ok || got != want {
			t.Errorf("File = %+v, %v\nwant %+v", got, ok, want)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestAnyBelow(t *testing.T) {
	db := openTest(t, t.TempDir())
	put(t, db, FileRow{Path: "a/b/c.go", Language: "go", Class: code.ClassSource})
	for dir, want := range map[string]bool{"": true, "a": true, "a/b": true, "a/b/c": false, "b": false, "a/bc": false} {
		err := db.View(t.Context(), func(v *View) error {
			got, err := v.AnyBelow(t.Context(), dir)
			if got != want {
				t.Errorf("AnyBelow(%q) = %v", dir, got)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestAnyBelowUsesTheIndex(t *testing.T) {
	db := openTest(t, t.TempDir())
	err := db.View(t.Context(), func(v *View) error {
		var id, parent, unused int
		var step string
		rows, err := v.Query(t.Context(), "EXPLAIN QUERY PLAN "+anyBelow, "a")
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
				return err
			}
			if strings.HasPrefix(step, "SCAN") {
				t.Errorf("the plan has %q", step)
			}
		}
		return rows.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestFailedUpdateLeavesNothing(t *testing.T) {
	db := openTest(t, t.TempDir())
	boom := errors.New("boom")
	err := db.Update(t.Context(), func(tx *Tx) error {
		if _, err := tx.PutFile(t.Context(), FileRow{Path: "x"}); err != nil {
			return err
		}
		return boom
	})
	if !errors.Is(err, boom) {
		t.Fatalf("err = %v", err)
	}
	put(t, db, FileRow{Path: "y"})
	var paths []string
	err = db.View(t.Context(), func(v *View) error {
		return v.Files(t.Context(), func(r FileRow) error { paths = append(paths, r.Path); return nil })
	})
	if err != nil || len(paths) != 1 || paths[0] != "y" {
		t.Errorf("files = %v, %v; want only y", paths, err)
	}
}

func TestCancelledUpdateRollsBack(t *testing.T) {
	db := openTest(t, t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	err := db.Update(ctx, func(tx *Tx) error {
		_, err := tx.PutFile(ctx, FileRow{Path: "x"})
		cancel()
		return errors.Join(err, ctx.Err())
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("err = %v", err)
	}
	put(t, db, FileRow{Path: "y"}) // the connection is usable again
}

// Views one after another share a connection with its statements and pages. Only those at the same
// time use more, up to the limit.
func TestViewsShareAConnection(t *testing.T) {
	db := openTest(t, t.TempDir())
	for range 5 {
		if err := db.View(t.Context(), func(v *View) error { return nil }); err != nil {
			t.Fatal(err)
		}
	}
	if len(db.idle) != 1 {
		t.Errorf("%d connections for views one after another", len(db.idle))
	}
	var nest func(n int) error
	nest = func(n int) error {
		if n == 0 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
			defer cancel()
			if err := db.View(ctx, func(*View) error { return nil }); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("a view beyond the limit: %v", err)
			}
			return nil
		}
		return db.View(t.Context(), func(v *View) error {
			if _, _, err := v.File(t.Context(), "x"); err != nil {
				return err
			}
			return nest(n - 1)
		})
	}
	if err := nest(cap(db.slots)); err != nil {
		t.Error(err)
	}
	if len(db.idle) != cap(db.slots) {
		t.Errorf("%d connections for %d views at a time", len(db.idle), cap(db.slots))
	}
}

func TestReadersKeepTheirSnapshot(t *testing.T) {
	db := openTest(t, t.TempDir())
	put(t, db, FileRow{Path: "x", Lines: 1})
	err := db.View(t.Context(), func(v *View) error {
		before, _, err := v.File(t.Context(), "x")
		if err != nil {
			return err
		}
		put(t, db, FileRow{Path: "x", Lines: 2})
		after, _, err := v.File(t.Context(), "x")
		if before.Lines != 1 || after.Lines != 1 {
			t.Errorf("a view saw %d, then %d lines; want 1 and 1", before.Lines, after.Lines)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestGarbageIsRebuilt(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, FileName([]Schema{notes}))
	for _, suffix := range databaseSuffixes {
		noise := []byte("this is no database, but long enough to look like a file of some kind")
		if err := os.WriteFile(path+suffix, noise, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put(t, openTest(t, dir), FileRow{Path: "x"})
}

func TestRemovedUnderAnother(t *testing.T) {
	dir := t.TempDir()
	first, second := openTest(t, dir), openTest(t, dir)
	if second.Replaced() {
		t.Fatal("replaced before anything happened")
	}
	if err := removeDatabase(first.Path()); err != nil {
		t.Fatal(err)
	}
	if !second.Replaced() {
		t.Error("the second handle does not see that its file is gone")
	}
}

func TestLockNamesItsHolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "op.lock")
	lock, err := TryLock(path, Holder{PID: 42, Action: "create"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = TryLock(path, Holder{PID: 43})
	var held *HeldError
	if !errors.As(err, &held) || held.Holder.PID != 42 || held.Holder.Action != "create" {
		t.Fatalf("second TryLock: %v; want held by pid 42", err)
	}
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	if lock, err = TryLock(path, Holder{PID: 43}); err != nil {
		t.Fatalf("after unlock: %v", err)
	}
	lock.Unlock()
}

func TestCatalogOwner(t *testing.T) {
	c, err := OpenCatalog(t.Context(), t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, p := range []string{"/ws", "/ws/a", "/ws2"} {
		if err := c.Put(t.Context(), Root{Path: p}); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{"/ws/a/b": "/ws/a", "/ws/ab": "/ws", "/ws": "/ws", "/ws3": "", "/": ""} {
		got, found, err := c.Owner(t.Context(), path)
		if got.Path != want || found != (want != "") || err != nil {
			t.Errorf("Owner(%q) = %q, %v, %v; want %q", path, got.Path, found, err, want)
		}
	}
	if err := c.Delete(t.Context(), "/ws/a"); err != nil {
		t.Fatal(err)
	}
	if got, _, _ := c.Owner(t.Context(), "/ws/a/b"); got.Path != "/ws" {
		t.Errorf("after delete the owner is %q, want /ws", got.Path)
	}
}

// A Delete that waits for the lock of its root's folder does not block
// operations on other roots.
func TestDeleteHoldsUpNoOtherRoot(t *testing.T) {
	c, err := OpenCatalog(t.Context(), t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.Put(t.Context(), Root{Path: "/ws/a"}); err != nil {
		t.Fatal(err)
	}
	opening, err := lockFolder(t.Context(), c.Dir("/ws/a"))
	if err != nil {
		t.Fatal(err)
	}
	deleted := make(chan error, 1)
	go func() { deleted <- c.Delete(t.Context(), "/ws/a") }()
	patient, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for i := range 200 { // the deletion waits for the folder at some of them
		if err := c.Put(patient, Root{Path: fmt.Sprintf("/ws/b%d", i)}); err != nil {
			t.Fatalf("another root, while one is being deleted: %v", err)
		}
	}
	if err := errors.Join(opening.Close(), <-deleted); err != nil {
		t.Fatal(err)
	}
	if roots, err := c.Roots(t.Context()); err != nil || len(roots) != 200 {
		t.Errorf("%d roots are left, %v", len(roots), err)
	}
}

// RemoveUnused keeps a database of another version that a process has just
// opened.
func TestRemoveUnused(t *testing.T) {
	dir, now := t.TempDir(), time.Now()
	version := func(n int) []Schema {
		return []Schema{{Name: "t", Version: n, SQL: "CREATE TABLE IF NOT EXISTS big(x)"}}
	}
	for n := range 3 {
		db, err := Open(t.Context(), Options{Dir: dir, Schemas: version(n)})
		if err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
	old := now.Add(-time.Hour)
	for n := range 3 {
		for _, suffix := range databaseSuffixes {
			if err := os.Chtimes(filepath.Join(dir, FileName(version(n)))+suffix, old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	db, err := Open(t.Context(), Options{Dir: dir, Schemas: version(1)})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := RemoveUnused(dir, version(2), now.Add(-time.Minute)); err != nil {
		t.Fatal(err)
	}
	for n, want := range []bool{false, true, true} { // unused, opened since, its own
		if this, _ := Kept(dir, version(n)); this != want {
			t.Errorf("version %d is there: %t", n, this)
		}
	}
}

// TestBlobsAreKept checks that the driver does not use the memory of a blob again, which Blob relies on.
func TestBlobsAreKept(t *testing.T) {
	db := openTest(t, t.TempDir())
	err := db.View(t.Context(), func(v *View) error {
		var kept []Blob
		for i := range 50 {
			var b Blob
			if _, err := v.QueryRow(t.Context(), "SELECT CAST(? AS BLOB)", []any{fmt.Sprintf("blob %03d", i)}, &b); err != nil {
				return err
			}
			kept = append(kept, b)
		}
		for i, b := range kept {
			if want := fmt.Sprintf("blob %03d", i); string(b) != want {
				t.Errorf("got %q, want %q", b, want)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestCatalogWithoutItsFolder checks that a catalog whose folder was removed, as a user empties a cache, begins anew.
func TestCatalogWithoutItsFolder(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	c, err := OpenCatalog(t.Context(), home, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	err = c.Put(t.Context(), Root{Path: "/ws/a"})
	if err = errors.Join(err, os.RemoveAll(home)); err != nil {
		t.Fatal(err)
	}
	if roots, err := c.Roots(t.Context()); err != nil || len(roots) != 0 {
		t.Errorf("without its folder: %v, %v", roots, err)
	}
	err = errors.Join(os.RemoveAll(home), c.Put(t.Context(), Root{Path: "/ws/b"}))
	if roots, rootsErr := c.Roots(t.Context()); err != nil || rootsErr != nil || len(roots) != 1 || roots[0].Path != "/ws/b" {
		t.Errorf("after another root: %v, %v, %v", roots, err, rootsErr)
	}
}
