package store

import (
	"fmt"
	"reflect"
	"sync"
	"testing"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// cached returns the bytes of pages that the connections of db cache, all at rest.
func cached(t *testing.T, db *DB) (bytes int64) {
	t.Helper()
	tls := libc.NewTLS()
	defer tls.Close()
	out := libc.Xcalloc(tls, 2, 4)
	defer libc.Xfree(tls, out)
	for _, s := range append(db.idle[:len(db.idle):len(db.idle)], db.conn) {
		err := s.conn.Raw(func(c any) error {
			handle := uintptr(reflect.ValueOf(c).Elem().FieldByName("db").Uint())
			if rc := sqlite3.Xsqlite3_db_status(tls, handle, sqlite3.SQLITE_DBSTATUS_CACHE_USED,
				out, out+4, 0); rc != 0 {
				return fmt.Errorf("code %d", rc)
			}
			bytes += int64(*at[int32](out))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return bytes
}

// ReturnMemory frees the pages of all connections, and they answer as before.
func TestReturnMemory(t *testing.T) {
	db, err := Open(t.Context(), Options{Dir: t.TempDir(), Schemas: []Schema{{Name: "t", Version: 1,
		SQL: "CREATE TABLE IF NOT EXISTS big(id INTEGER PRIMARY KEY, x)"}}})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	const rows, rowBytes = 2000, 3000
	err = db.Update(t.Context(), func(tx *Tx) error {
		for range rows {
			if _, err := tx.Exec(t.Context(), "INSERT INTO big(x) VALUES(zeroblob(?))", rowBytes); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	sum := func(v *View) (n int64, err error) {
		_, err = v.QueryRow(t.Context(), "SELECT sum(length(x)) FROM big", nil, &n)
		return n, err
	}
	// A View that waits for the others makes each read on a connection of its own.
	readers := cap(db.slots)
	var begun, all sync.WaitGroup
	begun.Add(readers)
	for range readers {
		all.Go(func() {
			err := db.View(t.Context(), func(v *View) error {
				begun.Done()
				begun.Wait()
				_, err := sum(v)
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	const one = readerCache << 10
	before := cached(t, db)
	if before < int64(readers)*one*3/4+rows*rowBytes*3/4 {
		t.Fatalf("only %d bytes are cached", before)
	}
	ReturnMemory()
	if after := cached(t, db); after > one/8 {
		t.Errorf("%d bytes are cached, %d before", after, before)
	}
	err = db.View(t.Context(), func(v *View) error {
		if n, err := sum(v); err != nil || n != rows*rowBytes {
			t.Errorf("sum %d, %v", n, err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
