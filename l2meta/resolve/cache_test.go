package resolve

import (
	"runtime"
	"testing"

	"sextant/internal/budget"
	"sextant/internal/code"
	"sextant/internal/store"
	"sextant/l2meta"
)

// holdsSoon checks that b holds the given number of bytes after a few collections. Records that nothing refers to
// are released in the background.
func holdsSoon(t *testing.T, b *budget.Budget, want int64) {
	t.Helper()
	var held int64
	for range 1000 {
		runtime.GC()
		if held, _ = b.Held(); held == want {
			return
		}
		runtime.Gosched()
	}
	t.Errorf("%d bytes are held, want %d", held, want)
}

// TestReplacedVersionsGo checks that the cache counts one version of a file that is edited again and again, none of a
// file that is gone, and no values of a past generation that no query uses any more.
func TestReplacedVersionsGo(t *testing.T) {
	b := budget.New(64 << 20)
	c := NewCache(Languages{}, b)
	load := func(generation, id int64, version byte) int64 {
		ref := store.FileRef{ID: id, Path: "a.x", Language: "x", Hash: code.Hash{version}}
		f := newFile(ref, l2meta.Facts{Symbols: make([]code.Symbol, 100)})
		return c.snapshot(generation).at(ref).put(f).size.Load()
	}
	size := load(1, 1, 1)
	for version := range byte(9) {
		load(2+int64(version), 1, 2+version)
	}
	load(10, 2, 1)
	load(3, 1, 3) // by a query that has not seen the later edits
	load(11, 1, 11)
	holdsSoon(t, b, 2*size)

	c.snapshot(12)
	c.outdate(func(r store.FileRef) bool { return r.ID == 2 })
	holdsSoon(t, b, size)

	c.snapshot(5).keep("key", derived{}, 1<<20)
	holdsSoon(t, b, size)
}

// TestTheCacheFollowsTheLedger checks that the cache forgets the versions of files which an edit or a removal replaced
// in the ledger, and no others.
func TestTheCacheFollowsTheLedger(t *testing.T) {
	l, _ := written(t, "a.x: f=1", "b.x: f=1", "c.x: f=1")
	c := NewCache(Languages{}, budget.New(64<<20))
	for _, e := range l.files {
		c.at(*e.ref)
	}
	edited := *l.files[0].ref
	edited.Hash = code.Hash{9}
	(&settler{ledger: l, cache: c}).outdate([]string{"a.x", "b.x", "c.x", "new.x"},
		[][]store.FileRef{{edited}, nil, {*l.files[2].ref}, {{ID: 103, Path: "new.x"}}})
	if left := c.files[l.files[2].ref.ID]; len(c.files) != 1 || left == nil {
		t.Errorf("the cache has %d files: %v", len(c.files), c.files)
	}
}
