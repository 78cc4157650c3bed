package resolve

import (
	"context"
	"maps"
	"sync"
	"sync/atomic"
	"time"
	"weak"

	"sextant/internal/budget"
	"sextant/internal/store"
)

// Cache keeps the decoded files of one root, and the values that queries derived from them, within
// a memory budget. A file stays valid until its content hash in the index changes; a value derived
// from several files is valid for one generation of the index. It is safe for concurrent use.
type Cache struct {
	languages Languages
	budget    *budget.Budget
	partial   func(ctx context.Context, v *store.View) (bool, error) // set by WhilePartial; nil if not set
	basis     func() string                                          // set by KeepUnder; nil if not set
	keepEvery time.Duration                                          // set by KeepUnder

	listsDir     string // set by MapIn; "" if not set
	compactAfter int64  // set by CompactAfter; 0 if not set

	mu      sync.Mutex
	files   map[int64]*kept // by id, as last loaded; guarded by mu
	current *snapshot       // guarded by mu
	extents int             // number of calls of Extend in force; guarded by mu
	extra   int64           // the bytes by which they raised the budget; guarded by mu
	ahead   *snapshot       // snapshot that the Settle in progress uses; nil if there is none; guarded by mu

	detached detachedValues
	ledger   ledger
	settling sync.Mutex // held by the one Settle in progress
}

// NewCache returns an empty cache for one root, whose calls are resolved by the rules of languages.
// Its files, derived values and ledger (the stored results of calls) are counted in b; nil means no
// limit.
func NewCache(languages Languages, b *budget.Budget) *Cache {
	c := &Cache{languages: languages, budget: b, ledger: ledger{languages: languages}}
	c.detached.budget, c.detached.item = b, b.Add(0, c.detached.drop)
	return c
}

// snapshot holds the values that were derived at one generation of the index, and the files that
// they were derived from. Within one snapshot a file is one *File, so Refs compare by ==.
type snapshot struct {
	cache      *Cache
	generation int64
	item       *budget.Item // counts memo

	mu      sync.Mutex
	files   map[int64]*kept // guarded by mu
	memo    map[any]derived // derived values by key; guarded by mu
	pinned  map[any]any     // see Pin; guarded by mu
	bytes   int64           // size of memo and of the recorded look-ups; guarded by mu
	counted int64           // the part of bytes that item counts; guarded by mu
	lost    bool            // memo was emptied at least once, to free memory; guarded by mu

	// reads records on which look-ups in the index each derived value depends; nil if they are
	// not recorded. A snapshot that records them serves only one goroutine.
	reads *recorder
}

// derived is a value that was computed from files of the index, such as the subtypes of a class.
// rests records the look-ups in the index that the value depends on; it is nil if look-ups are not
// recorded.
type derived struct {
	value  any
	rests  *reading
	ranged bool // whether it depends on a look-up of the files whose base names are in a range
}

func (c *Cache) newSnapshot(generation int64) *snapshot {
	s := &snapshot{cache: c, generation: generation, files: map[int64]*kept{}, memo: map[any]derived{}}
	s.item = budget.For(c.budget, s, (*snapshot).shed) // a query may be alone in using s
	return s
}

// snapshot returns the snapshot of a generation. For a past generation it returns a fresh one that
// only the caller sees.
func (c *Cache) snapshot(generation int64) *snapshot {
	c.mu.Lock()
	old := c.current
	if old != nil && old.generation == generation {
		c.mu.Unlock()
		return old
	}
	fresh := c.newSnapshot(generation)
	if old != nil && old.generation > generation {
		c.mu.Unlock()
		return fresh
	}
	c.current = fresh
	c.mu.Unlock()
	old.release()
	return fresh
}

// extraBytes bounds the number of bytes by which work on a whole root raises the memory budget.
// It raises the budget by three quarters if that is less. Such work reads types and calls all
// over the root. With 3,454 files and 64 MB more, resolving all calls took as much processor time
// as with 128 MB more; with 40 MB more, it took 1.7 times as much. Finding the links between
// services among 57,262 files took 9.9 s with nothing more, and 3.7 s with 128 MB more.
const extraBytes = 128 << 20

// Extend raises the memory budget for work on the whole root, and returns a function that ends
// this. If several pieces of such work run at a time, they raise it once together.
func (c *Cache) Extend() (end func()) {
	c.extend(1)
	return func() { c.extend(-1) }
}

// extend changes the number of calls of Extend in force by n.
func (c *Cache) extend(n int) {
	most := c.budget.Most()
	c.mu.Lock()
	c.extents += n
	more := -c.extra
	if c.extents > 0 {
		more = 0
		if c.extra == 0 {
			more = min(extraBytes, most/4*3)
		}
	}
	c.extra += more
	c.mu.Unlock()
	c.budget.Raise(more) // may drop items, for which mu must be free
}

// settle sets the snapshot that the Settle in progress uses, or nil when that Settle ends. Settle
// resolves all calls of the root in the background.
func (c *Cache) settle(s *snapshot) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead = s
}

// shed drops the derived values to free memory. Queries in progress derive them again.
func (s *snapshot) shed() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.memo) > 0 {
		s.memo, s.lost = map[any]derived{}, true
	}
	s.bytes, s.counted = 0, 0
}

// whole reports whether the snapshot still has all of its derived values: shed has dropped none.
func (s *snapshot) whole() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.lost
}

// release stops counting the snapshot in the budget. Queries that still use the snapshot keep it
// alive.
func (s *snapshot) release() {
	if s != nil {
		s.item.Release()
	}
}

// countEvery is the number of new bytes of derived values after which the budget's count is
// updated.
const countEvery = 64 << 10

// keep stores a derived value under key.
func (s *snapshot) keep(key any, d derived, bytes int64) {
	s.mu.Lock()
	s.memo[key] = d
	s.mu.Unlock()
	s.count(bytes)
}

// count adds bytes to the size of the derived values.
func (s *snapshot) count(bytes int64) {
	s.mu.Lock()
	s.bytes += bytes
	all, due := s.bytes, s.bytes-s.counted >= countEvery
	if due {
		s.counted = all
	}
	s.mu.Unlock()
	if due {
		s.item.Use()
		s.item.Resize(all)
	}
}

// kept is the cache's record of a loaded file. It keeps the file in memory while the budget
// allows. After the budget has dropped the file, the record still finds it without loading it
// again, as long as a query uses it.
type kept struct {
	cache *Cache
	ref   store.FileRef
	item  *budget.Item
	file  atomic.Pointer[File] // nil after the budget dropped it

	mu    sync.Mutex
	known weak.Pointer[File] // guarded by mu
}

// get returns the file; nil if it must be loaded again, or if k is nil.
func (k *kept) get() *File {
	if k == nil {
		return nil
	}
	if f := k.file.Load(); f != nil {
		k.item.Use()
		return f
	}
	k.mu.Lock()
	f := k.known.Value()
	k.mu.Unlock()
	if f != nil {
		k.hold(f)
	}
	return f
}

// outdate forgets the records of the files for which gone reports that the index no longer has them as they were
// loaded. Queries of past generations that use such a record keep it in memory.
func (c *Cache) outdate(gone func(store.FileRef) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	maps.DeleteFunc(c.files, func(_ int64, k *kept) bool { return gone(k.ref) })
}

// put keeps f and returns it, or returns the file that is already known.
func (k *kept) put(f *File) *File {
	k.mu.Lock()
	if old := k.known.Value(); old != nil {
		k.mu.Unlock()
		return old
	}
	f.item = k.item
	k.known = weak.Make(f)
	k.mu.Unlock()
	k.hold(f)
	return f
}

func (k *kept) hold(f *File) {
	if k.file.CompareAndSwap(nil, f) {
		k.item.Resize(f.size.Load())
	}
}

// drop drops the file. It also drops the derived values, because they may refer to the file and
// would keep it in memory. A query in progress may keep it all the same, so it is packed.
func (k *kept) drop() {
	k.file.Store(nil)
	k.mu.Lock()
	f := k.known.Value()
	k.mu.Unlock()
	if f != nil {
		f.pack()
	}
	c := k.cache
	c.mu.Lock()
	if c.files[k.ref.ID] == k {
		delete(c.files, k.ref.ID)
	}
	current, ahead := c.current, c.ahead
	c.mu.Unlock()
	for _, s := range []*snapshot{current, ahead} {
		if s != nil {
			s.shed()
			s.item.Resize(0)
		}
	}
}

// forget drops all files and all derived values. Queries load and derive again what they need; those
// in progress keep theirs alive.
func (c *Cache) forget() {
	c.mu.Lock()
	files, current := c.files, c.current
	c.files, c.current = nil, nil
	c.mu.Unlock()
	for _, k := range files {
		k.item.Release()
	}
	current.release()
	c.detached.drop()
	c.detached.item.Resize(0)
}

// at returns the record of the file that a look-up found. Every look-up of one file within the
// snapshot gets the same record.
func (s *snapshot) at(ref store.FileRef) *kept {
	s.mu.Lock()
	k := s.files[ref.ID]
	s.mu.Unlock()
	if k != nil {
		return k
	}
	k = s.cache.at(ref)
	s.mu.Lock()
	defer s.mu.Unlock()
	if first := s.files[ref.ID]; first != nil {
		return first
	}
	s.files[ref.ID] = k
	return k
}

func (c *Cache) at(ref store.FileRef) *kept {
	c.mu.Lock()
	defer c.mu.Unlock()
	if k := c.files[ref.ID]; k != nil && k.ref == ref {
		return k
	}
	if c.files == nil {
		c.files = map[int64]*kept{}
	}
	k := &kept{cache: c, ref: ref}
	k.item = budget.For(c.budget, k, (*kept).drop) // in the end only old snapshots refer to k
	c.files[ref.ID] = k
	return k
}
