package resolve

import (
	"context"
	"sync"
	"sync/atomic"
	"weak"

	"sextant/internal/budget"
	"sextant/internal/store"
)

// Cache keeps what questions on one root decoded and derived, as far as its
// budget allows. Files are kept while their content hash is the stored one;
// what was derived from several files is kept for one generation of the index.
// It is safe for concurrent use.
type Cache struct {
	languages Languages
	budget    *budget.Budget
	partial   func(ctx context.Context, v *store.View) (bool, error) // see WhilePartial; nil for an index that is whole
	basis     func() string                                          // see KeepUnder; nil for ledgers that are not kept

	mu      sync.Mutex
	files   map[int64]*kept // by id, as the last who loaded it found it; guarded by mu
	current *snapshot       // guarded by mu
	ahead   *snapshot       // of the Settle under way; guarded by mu

	ledger   ledger
	settling sync.Mutex // held by the one Settle under way
}

// NewCache makes an empty cache of a root for the calls of some languages. Its
// files, derivations and ledger are counted in b; nil is no limit.
func NewCache(languages Languages, b *budget.Budget) *Cache {
	return &Cache{languages: languages, budget: b, ledger: ledger{languages: languages}}
}

// snapshot is what was derived at one generation, and the files that it was
// derived from: within one snapshot a file is one *File, so Refs compare by ==.
type snapshot struct {
	cache      *Cache
	generation int64
	item       *budget.Item // counts memo

	mu      sync.Mutex
	files   map[int64]*kept // guarded by mu
	memo    map[any]derived // guarded by mu
	bytes   int64           // of memo and of what reads notes; guarded by mu
	counted int64           // of them, in item; guarded by mu
	lost    bool            // something of memo had to go; guarded by mu

	// reads takes note of what derivations read, nil where nobody asks. A
	// snapshot with it serves one goroutine.
	reads *recorder
}

// derived is a value with what it rests on, where that is recorded.
type derived struct {
	value any
	rests *reading
}

func (c *Cache) newSnapshot(generation int64) *snapshot {
	s := &snapshot{cache: c, generation: generation, files: map[int64]*kept{}, memo: map[any]derived{}}
	s.item = c.budget.Add(0, s.shed)
	return s
}

// snapshot returns the one of that generation. A past generation gets one of its
// own, which nobody else sees.
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

// Settle says whose derivations the Settle under way has, nil for none.
func (c *Cache) settle(s *snapshot) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead = s
}

// shed lets go of what was derived. Questions under way derive it again.
func (s *snapshot) shed() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.memo) > 0 {
		s.memo, s.lost = map[any]derived{}, true
	}
	s.bytes, s.counted = 0, 0
}

// whole reports whether nothing was shed.
func (s *snapshot) whole() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.lost
}

// release takes what was derived out of the budget. Whoever still uses the
// snapshot keeps it.
func (s *snapshot) release() {
	if s != nil {
		s.item.Release()
	}
}

// countEvery is how many bytes of derivations are counted at once.
const countEvery = 64 << 10

// keep keeps what was derived for key.
func (s *snapshot) keep(key any, d derived, bytes int64) {
	s.mu.Lock()
	s.memo[key] = d
	s.mu.Unlock()
	s.count(bytes)
}

// count counts more bytes for what was derived.
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

// kept is a file that was loaded: held while the budget allows, and known as
// long as anyone else holds it.
type kept struct {
	cache *Cache
	ref   store.FileRef
	item  *budget.Item
	file  atomic.Pointer[File] // nil when the budget took it

	mu    sync.Mutex
	known weak.Pointer[File] // guarded by mu
}

// get returns the file, nil when it has to be made again.
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

// put returns the file, f unless there was one already.
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

// drop lets go of the file. What was derived may refer to any file, and goes
// with it; else nothing would be freed.
func (k *kept) drop() {
	k.file.Store(nil)
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

// At is where the file of a lookup is kept.
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
	k.item = c.budget.Add(0, k.drop)
	c.files[ref.ID] = k
	return k
}
