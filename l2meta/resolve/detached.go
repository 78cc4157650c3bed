package resolve

import (
	"sync"

	"sextant/internal/budget"
)

// A derived value that refers to no File is detached: it is kept when files are dropped to free
// memory. Values that refer to files are dropped with them, and deriving one of those again may
// mean reading all files of a package again.

// detachedShare bounds the memory of detached values, which take at most 1/detachedShare of the
// budget.
const detachedShare = 4

// detachedValues keeps the detached values of one generation of the index. When they exceed their
// part of the budget, it drops the values that were not used since the last time that it dropped
// some.
type detachedValues struct {
	budget *budget.Budget
	item   *budget.Item // counts values

	mu         sync.Mutex
	generation int64        // guarded by mu
	used       detachedPart // values used since others were last dropped; guarded by mu
	unused     detachedPart // values not used since then, which are dropped next; guarded by mu
	counted    int64        // the bytes of values that item counts so far; guarded by mu
}

// detachedPart holds detached values by key.
type detachedPart struct {
	values map[any]detached
	bytes  int64
}

// add adds a value under a key that p does not have yet.
func (p *detachedPart) add(key any, v detached) {
	if p.values == nil {
		p.values = map[any]detached{}
	}
	p.values[key] = v
	p.bytes += v.bytes
}

// remove returns and removes a value; false if p does not have it.
func (p *detachedPart) remove(key any) (detached, bool) {
	v, ok := p.values[key]
	if ok {
		delete(p.values, key)
		p.bytes -= v.bytes
	}
	return v, ok
}

// detached is a derived value with the look-ups that it depends on, if they were recorded.
type detached struct {
	value    any
	leaves   []leaf
	recorded bool
	bytes    int64
}

// get returns the value of key at a generation. It returns false if there is none. If recorded is
// set, it also returns false for a value that was stored without the look-ups that it depends on.
func (d *detachedValues) get(generation int64, key any, recorded bool) (detached, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.generation != generation {
		return detached{}, false
	}
	v, ok := d.used.values[key]
	if !ok {
		if v, ok = d.unused.remove(key); ok {
			d.used.add(key, v)
		}
	}
	d.item.Use()
	return v, ok && (v.recorded || !recorded)
}

// put keeps a value of a generation and drops the values of earlier generations. If d already has
// values of a later generation, it does nothing.
func (d *detachedValues) put(generation int64, key any, v detached) {
	v.bytes = entryBytes(key, v.value) + int64(4*len(v.leaves))
	_, limit := d.budget.Held()
	d.mu.Lock()
	if d.generation > generation {
		d.mu.Unlock()
		return
	}
	if d.generation < generation {
		d.generation, d.used, d.unused = generation, detachedPart{}, detachedPart{}
	}
	if limit > 0 && d.used.bytes+v.bytes > limit/detachedShare/2 {
		d.used, d.unused = detachedPart{}, d.used
	}
	d.used.remove(key) // v replaces a value that was stored without its look-ups
	d.unused.remove(key)
	d.used.add(key, v)
	bytes := d.used.bytes + d.unused.bytes
	due := bytes-d.counted >= countEvery || bytes < d.counted
	if due {
		d.counted = bytes
	}
	d.mu.Unlock()
	if due {
		d.item.Resize(bytes)
	}
}

// drop drops all values.
func (d *detachedValues) drop() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.used, d.unused, d.counted = detachedPart{}, detachedPart{}, 0
}

// DeriveDetached returns the result of make for key, computed once per generation of the index,
// like Derive. The result is kept when files are dropped to free memory, so it must not refer to a
// File, directly or indirectly.
func DeriveDetached[K comparable, V any](w *World, key K, make func() V) V {
	return derive(w, key, func() V {
		store := &w.snap.cache.detached
		if d, ok := store.get(w.snap.generation, key, w.snap.reads != nil); ok {
			w.readLeaves(d.leaves)
			return d.value.(V)
		}
		v := make()
		if f := &w.frames[len(w.frames)-1]; !f.tainted && !f.ranged && w.Err() == nil {
			store.put(w.snap.generation, key,
				detached{value: v, leaves: w.snap.reads.leavesOf(f.reads.list), recorded: w.snap.reads != nil})
		}
		return v
	}, func(derived) int64 { return perMemo })
}

// refsKey is the key under which DeriveRefs stores a list of symbols. Their file ids and indexes
// are stored under its field key.
type refsKey[K comparable] struct{ key K }

// DeriveRefs returns the symbols that make returns for key, computed once per generation of the
// index, like Derive. When files are dropped to free memory, it still keeps the file ids and
// indexes of the symbols (DeriveDetached), so key must refer to no File.
func DeriveRefs[K comparable](w *World, key K, make func() []Ref) []Ref {
	return Derive(w, refsKey[K]{key}, func() []Ref {
		out, _ := w.refsAt(DeriveDetached(w, key, func() []symbolAt { return placesOf(make()) }))
		return out
	})
}

// at returns the id of r's file and r's index, which identify r without referring to the file.
func (r Ref) at() symbolAt { return symbolAt{r.File.ID, int32(r.Index)} }

func placesOf(refs []Ref) []symbolAt {
	out := make([]symbolAt, len(refs))
	for i, r := range refs {
		out[i] = r.at()
	}
	return out
}
