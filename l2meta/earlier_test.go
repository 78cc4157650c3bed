package l2meta_test

import (
	"fmt"
	"testing"

	"sextant/internal/code"
	"sextant/internal/store"
	"sextant/l2meta"
)

// TestEarlierFacts reads the facts of files at earlier positions of the log: a file that changed
// twice, one that was added, one that was removed, and one that did not change.
func TestEarlierFacts(t *testing.T) {
	db := openIndex(t)
	file := func(path, function string) int64 {
		return write(t, db, &code.File{Path: path, Parsed: true,
			Symbols: []code.Symbol{{Kind: code.KindFunction, Name: function, QualifiedName: function, Parent: -1}}})
	}
	update := func(fn func(tx *store.Tx) error) {
		t.Helper()
		if err := db.Update(t.Context(), fn); err != nil {
			t.Fatal(err)
		}
	}
	end := func() (l l2meta.Log) {
		t.Helper()
		err := db.View(t.Context(), func(v *store.View) (err error) {
			l, err = l2meta.Index{}.LogEnd(t.Context(), v)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	name := func(at l2meta.Log, id int64) (name string) {
		t.Helper()
		err := db.View(t.Context(), func(v *store.View) error {
			f, known, err := l2meta.Index{}.Earlier(t.Context(), v, at, id)
			switch {
			case !known:
				name = "unknown"
			case len(f.Symbols) > 0:
				name = f.Symbols[0].Name
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return name
	}
	twice, gone, stays := file("twice.go", "first"), file("gone.go", "gone"), file("stays.go", "stays")
	if before := end(); before != (l2meta.Log{}) || name(before, twice) != "unknown" {
		t.Errorf("without a log: %v", before)
	}
	start := func() l2meta.Log {
		t.Helper()
		update(func(tx *store.Tx) error { return l2meta.Index{}.StartLog(t.Context(), tx) })
		return end()
	}
	at := start()
	file("twice.go", "second")
	update(func(tx *store.Tx) error { return l2meta.Index{}.Delete(t.Context(), tx, gone) })
	added := file("added.go", "added")
	later := end()
	file("twice.go", "third")
	for _, c := range []struct {
		at   l2meta.Log
		id   int64
		want string
	}{
		{at, twice, "first"}, {at, gone, "gone"}, {at, stays, "stays"}, {at, added, ""},
		{later, twice, "second"}, {later, gone, ""}, {later, added, "added"}, {end(), twice, "third"},
		{l2meta.Log{ID: "another"}, twice, "unknown"},
	} {
		if got := name(c.at, c.id); got != c.want {
			t.Errorf("facts of file %d at %v: %q, want %q", c.id, c.at, got, c.want)
		}
	}
	update(func(tx *store.Tx) error { return l2meta.Index{}.EndLog(t.Context(), tx) })
	if now := end(); now.ID != "" || name(later, twice) != "unknown" {
		t.Errorf("after its end: %v", now)
	}
	if at = start(); at.ID == later.ID {
		t.Error("the next log has the name of the last")
	}
	file("twice.go", "fourth")
	update(func(tx *store.Tx) error {
		_, err := tx.Exec(t.Context(), "INSERT INTO earlier(n, file_id, data) VALUES(4999, ?, x'')", stays)
		return err
	})
	for i := range 3 {
		file("twice.go", fmt.Sprint("more", i))
	}
	if now := end(); now.ID != "" || name(at, twice) != "unknown" {
		t.Errorf("a log without bounds: %v", now)
	}
}
