package store

import (
	"os"
	"testing"
)

// Bytes returns the size that the file has after the WAL is folded in, no
// matter when it is called.
func TestBytesDoNotDependOnTheLog(t *testing.T) {
	opt := Options{Dir: t.TempDir(),
		Schemas: []Schema{{Name: "t", Version: 1, SQL: "CREATE TABLE IF NOT EXISTS big(x)"}}}
	bytesOf := func(db *DB) (n int64) {
		t.Helper()
		if err := db.View(t.Context(), func(v *View) (err error) {
			n, err = v.Bytes(t.Context())
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return n
	}
	db, err := Open(t.Context(), opt)
	if err != nil {
		t.Fatal(err)
	}
	empty := bytesOf(db)
	if err := db.Update(t.Context(), func(tx *Tx) error {
		_, err := tx.Exec(t.Context(), "INSERT INTO big VALUES(zeroblob(1000000))")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	before := bytesOf(db)
	if before < empty+900_000 {
		t.Errorf("%d bytes, %d when empty", before, empty)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(db.Path())
	if err != nil || info.Size() != before {
		t.Errorf("the file has %d bytes, told were %d, %v", info.Size(), before, err)
	}
	if db, err = Open(t.Context(), opt); err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if after := bytesOf(db); after != before {
		t.Errorf("%d bytes after the log was folded in, %d before", after, before)
	}
}
