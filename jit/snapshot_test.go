package jit

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"testing"
	"time"

	"sextant/internal/code"
	"sextant/internal/store"
)

func TestSnapshotAndLogGiveTheTable(t *testing.T) {
	// An hour ahead, so that no key is racy and read again.
	w := newWorld(t, seeds(), func(o *Options) { o.Clock = func() time.Time { return time.Now().Add(time.Hour) } })
	w.must(os.Symlink("a.go", w.abs("link")))
	w.write("a.go", "func changed\n")
	w.must(os.Remove(w.abs("sub/b.go")))
	w.write("ü/neu.go", "func n\n")
	w.sync()
	load := func(drop string) *table {
		t.Helper()
		if drop != "" {
			w.must(w.r.Keep(t.Context(), func(tx *store.Tx) error {
				_, err := tx.Exec(t.Context(), drop)
				return err
			}))
		}
		other, err := Open(t.Context(), w.opt)
		w.must(err)
		defer other.Close()
		r, _, err := other.Resolve(t.Context(), w.dir)
		w.must(err)
		w.must(r.refresh(t.Context()))
		return r.table
	}
	want := w.r.table
	for _, c := range []struct{ name, drop string }{
		{"snapshot and log", ""},
		{"snapshot cut off", "UPDATE table_snapshot SET data=substr(data, 1, length(data)-3)"},
		{"rows alone", "DELETE FROM table_snapshot"},
	} {
		got := load(c.drop)
		if got.gen != want.gen || got.name != want.name || got.count != want.count ||
			!maps.EqualFunc(got.dirs, want.dirs, maps.Equal[map[string]known, map[string]known]) {
			t.Errorf("%s: generation %d, %d files\n%v\nwant %d, %d\n%v",
				c.name, got.gen, got.count, got.dirs, want.gen, want.count, want.dirs)
		}
	}
}

// TestTableDecodesItsEncoding checks that a snapshot alone gives every file back. A snapshot that cannot be
// decoded is no failure of a root, since the rows replace it.
func TestTableDecodesItsEncoding(t *testing.T) {
	want := newTable()
	for i := range 300 {
		key := code.StatKey{Size: int64(i), MTime: -1, CTime: 1 << 60, Inode: 1 << 63, Mode: 0o644}
		k := known{key: key, readAt: int64(-i)}
		k.hash = store.HashText([]byte{byte(i)})
		if i%3 == 0 {
			k.skip = "binary"
		}
		want.put(fmt.Sprintf("d%d/ü%d.go", i%7, i), k)
	}
	got, err := decodeTable(want.encode())
	if err != nil {
		t.Fatal(err)
	}
	if got.count != want.count || got.name != want.name ||
		!maps.EqualFunc(got.dirs, want.dirs, maps.Equal[map[string]known, map[string]known]) {
		t.Errorf("%d files\n%v\nwant %d\n%v", got.count, got.dirs, want.count, want.dirs)
	}
}

// TestCutSnapshots checks that a snapshot that ends too early, or that has a number without an end, is an error.
func TestCutSnapshots(t *testing.T) {
	whole := newTable()
	whole.put("d/a.go", known{key: code.StatKey{Size: 1 << 40, MTime: -1}, readAt: 1, skip: "binary"})
	data := whole.encode()
	for n := 1; n < len(data); n++ {
		if _, err := decodeTable(data[:n]); err == nil {
			t.Errorf("the first %d of %d bytes are a table", n, len(data))
		}
	}
	endless := bytes.Repeat([]byte{0xff}, 16)
	for _, start := range []string{"", "\x01d", "\x01d\x01\x01a"} {
		text := append([]byte(start), endless...)
		if _, err := decodeTable(text); err == nil {
			t.Errorf("%q is a table", text)
		}
	}
	if table, err := decodeTable(nil); err != nil || table.count != 0 {
		t.Errorf("no bytes: %+v, %v", table, err)
	}
}

func FuzzDecodeTable(f *testing.F) {
	t := newTable()
	for i := range 3 {
		t.put(fmt.Sprintf("d%d/f.go", i), known{readAt: -1, skip: "binary"})
	}
	f.Add(t.encode())
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := decodeTable(data)
		if err != nil {
			return
		}
		again, err := decodeTable(got.encode())
		if err != nil || len(again.dirs) != len(got.dirs) {
			t.Fatalf("a table does not survive its own encoding: %v", err)
		}
	})
}
