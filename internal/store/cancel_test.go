package store

import (
	"context"
	"errors"
	"testing"
	"time"
)

// patience is the longest time that a caller in the test waits for a
// transaction. The callers' contexts end at many different points of a
// transaction.
const patience = 150 * time.Microsecond

// A caller that goes away at any moment of a transaction leaves the connections
// usable for the next caller.
func TestCallersMayGoAtAnyMoment(t *testing.T) {
	db := openTest(t, t.TempDir())
	put(t, db, FileRow{Path: "x"})
	for i := range 4000 {
		ctx, cancel := context.WithTimeout(t.Context(), patience*time.Duration(i%100)/100)
		var n int
		look := func(v *View) error {
			_, err := v.QueryRow(ctx, "SELECT count(*) FROM files", nil, &n)
			return err
		}
		var err error
		if i%4 > 0 {
			err = db.View(ctx, look)
		} else {
			err = db.Update(ctx, func(tx *Tx) error {
				if _, err := tx.Exec(ctx, "UPDATE files SET lines=lines+1"); err != nil {
					return err
				}
				return look(&tx.View)
			})
		}
		gone := ctx.Err()
		cancel()
		if err != nil && gone == nil {
			t.Fatalf("call %d, whose caller waited: %v", i, err)
		}
	}
	err := db.View(t.Context(), func(v *View) error { _, _, err := v.File(t.Context(), "x"); return err })
	if err != nil {
		t.Error(err)
	}
	put(t, db, FileRow{Path: "y"})
}

// When its caller goes away, an Update that waits for another process returns,
// and the next Update has a connection again.
func TestWaitForTheWriterEndsWithTheCaller(t *testing.T) {
	dir := t.TempDir()
	first, second := openTest(t, dir), openTest(t, dir)
	ctx, cancel := context.WithCancel(t.Context())
	err := first.Update(t.Context(), func(*Tx) error {
		waits := make(chan error, 1)
		go func() { waits <- second.Update(ctx, func(*Tx) error { return nil }) }()
		cancel()
		return <-waits
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the wait ended with %v", err)
	}
	put(t, second, FileRow{Path: "x"})
}

// Views that are running when their DB is closed finish; later ones get
// ErrClosed.
func TestCloseLetsReadersFinish(t *testing.T) {
	db := openTest(t, t.TempDir())
	put(t, db, FileRow{Path: "x"})
	err := db.View(t.Context(), func(v *View) error {
		if err := db.Close(); err != nil {
			return err
		}
		_, found, err := v.File(t.Context(), "x")
		if !found {
			t.Error("the row is gone from under a view")
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if err := db.View(t.Context(), func(*View) error { return nil }); !errors.Is(err, ErrClosed) {
		t.Errorf("a view of a closed database: %v", err)
	}
	if err := db.Update(t.Context(), func(*Tx) error { return nil }); !errors.Is(err, ErrClosed) {
		t.Errorf("an update of a closed database: %v", err)
	}
}

// A database removed while still open, and then replaced by a new one of the
// same name, does not delete the new WAL when it is closed.
func TestAReplacedDatabaseLeavesTheNewOneAlone(t *testing.T) {
	dir := t.TempDir()
	old := openTest(t, dir)
	put(t, old, FileRow{Path: "old"})
	if err := removeDatabase(old.Path()); err != nil {
		t.Fatal(err)
	}
	fresh := openTest(t, dir)
	put(t, fresh, FileRow{Path: "fresh"})
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	other := openTest(t, dir) // reads fresh's row from the WAL
	err := other.View(t.Context(), func(v *View) error {
		_, found, err := v.File(t.Context(), "fresh")
		if !found {
			t.Error("the row is missing: the log is gone")
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// A statement of a caller who has gone is not begun, and its transaction is rolled back.
func TestExecStopsWithTheCaller(t *testing.T) {
	db := openTest(t, t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	err := db.Update(ctx, func(tx *Tx) error {
		if err := tx.SetMeta(ctx, "first", "1"); err != nil {
			return err
		}
		cancel()
		return tx.SetMeta(ctx, "second", "2")
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the update ended with %v", err)
	}
	err = db.View(t.Context(), func(v *View) error {
		for _, key := range []string{"first", "second"} {
			if value, err := v.Meta(t.Context(), key); err != nil || value != "" {
				t.Errorf("%s = %q, %v", key, value, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
