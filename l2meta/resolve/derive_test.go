package resolve

import (
	"context"
	"slices"
	"testing"

	"sextant/internal/budget"
)

// TestDeriveStopsWithItsContext checks that no derivation begins once the context has ended, so
// that a chain of nested derivations ends early.
func TestDeriveStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	w := newWorld(ctx, nil, NewCache(Languages{}, nil), 1)
	made := 0
	var chain func(n int) int
	chain = func(n int) int {
		return Derive(w, n, func() int {
			if made++; n == 3 {
				cancel()
			}
			return chain(n+1) + 1
		})
	}
	if chain(0); made != 4 || w.Err() == nil {
		t.Errorf("%d derivations, error %v", made, w.Err())
	}
}

// TestDetachedValuesOutliveFiles checks that a value that refers to no file is derived once for
// each generation, even if the values that refer to files are dropped meanwhile, and that its
// look-ups are recorded wherever it is used.
func TestDetachedValuesOutliveFiles(t *testing.T) {
	cache, made := NewCache(Languages{}, nil), 0
	derive := func(generation int64, recorded bool) (value int, leaves []leaf) {
		w := &World{ctx: t.Context(), derivations: derivations{snap: cache.newSnapshot(generation)}}
		if recorded {
			w.snap.reads = newRecorder()
		}
		value = DeriveDetached(w, "key", func() int {
			made++
			w.noteFile(7)
			return made
		})
		if recorded {
			leaves = w.snap.reads.take()
		}
		return value, leaves
	}
	for _, c := range []struct {
		what       string
		generation int64
		recorded   bool
		want       int
	}{
		{"the first", 1, false, 1},
		{"once more", 1, false, 1},
		{"the first whose look-ups are needed", 1, true, 2},
		{"once more with look-ups", 1, true, 2},
		{"without look-ups again", 1, false, 2},
		{"of the next generation", 2, true, 3},
		{"of a past generation", 1, true, 4},
		{"of the next generation again", 2, true, 3},
	} {
		got, leaves := derive(c.generation, c.recorded)
		if got != c.want {
			t.Errorf("%s: value %d, want %d", c.what, got, c.want)
		}
		if want := []leaf{fileLeaf(7)}; c.recorded && !slices.Equal(leaves, want) {
			t.Errorf("%s: look-ups %v, want %v", c.what, leaves, want)
		}
	}
}

// TestDetachedValuesAreBounded checks that detached values take at most their part of the budget,
// and that a value which depends on a range of base names is not kept.
func TestDetachedValuesAreBounded(t *testing.T) {
	b := budget.New(1 << 20)
	cache, made := NewCache(Languages{}, b), 0
	w := &World{ctx: t.Context(), derivations: derivations{snap: cache.newSnapshot(1)}}
	for i := range 100 {
		DeriveDetached(w, i, func() []byte { made++; return make([]byte, 16<<10) })
		if held, _ := b.Held(); held > 1<<20/detachedShare+countEvery {
			t.Fatalf("%d bytes are held after %d values", held, i+1)
		}
	}
	ranged := func() {
		w := &World{ctx: t.Context(), derivations: derivations{snap: cache.newSnapshot(1)}}
		w.snap.reads = newRecorder()
		DeriveDetached(w, "ranged", func() int { made++; w.noteRange("a", "b"); return 0 })
	}
	made = 0
	if ranged(); made != 1 {
		t.Fatalf("%d derivations", made)
	}
	if ranged(); made != 2 {
		t.Errorf("a value that depends on a range was kept: %d derivations", made)
	}
}

// TestUsedDetachedValuesStay checks that a value which is used again and again is kept, and that
// values which are not used again are dropped.
func TestUsedDetachedValuesStay(t *testing.T) {
	w := &World{ctx: t.Context(), derivations: derivations{snap: NewCache(Languages{}, budget.New(1<<20)).newSnapshot(1)}}
	derive := func(key int) (made bool) {
		w.snap.shed() // as when a file is dropped
		DeriveDetached(w, key, func() []byte { made = true; return make([]byte, 16<<10) })
		return made
	}
	derive(0)
	for key := range 100 {
		if derive(0) {
			t.Fatalf("after %d others the value in use is derived again", key)
		}
		derive(1 + key)
	}
	if !derive(1) {
		t.Error("a value that nobody used is still there")
	}
}

// TestBoundsCostOnlyTheirEvaluation checks that a derivation is kept if an evaluation that it runs
// through apart reaches a bound, but not if it reaches the bound itself.
func TestBoundsCostOnlyTheirEvaluation(t *testing.T) {
	w := newWorld(t.Context(), nil, NewCache(Languages{}, nil), 1)
	made := map[string]int{}
	endless := func() {
		n := 0
		for w.Enter() {
			n++
		}
		for range n {
			w.Leave()
		}
	}
	derive := func(name string, evaluate func()) {
		Derive(w, name, func() int { made[name]++; evaluate(); return 0 })
	}
	for range 2 {
		derive("around", func() { w.apart(func() { derive("within", endless) }) })
		derive("itself", endless)
	}
	if made["around"] != 1 || made["within"] != 1 || made["itself"] != 2 {
		t.Errorf("derivations: %v", made)
	}
	derive("within", endless) // it was not kept
	if made["within"] != 2 {
		t.Errorf("derivations: %v", made)
	}
}
