package budget

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
)

// shelf is a cache of items by key.
type shelf struct {
	budget *Budget
	mu     sync.Mutex
	items  map[int]*Item // guarded by mu
	drops  int           // guarded by mu
}

func newShelf(b *Budget) *shelf { return &shelf{budget: b, items: map[int]*Item{}} }

func (s *shelf) put(key int, bytes int64) {
	i := s.budget.Add(bytes, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.items, key)
		s.drops++
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items[key] = i
}

func (s *shelf) has(key int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.items[key] != nil
}

func holds(t *testing.T, b *Budget, want int64) {
	t.Helper()
	if held, limit := b.Held(); held != want || held > limit {
		t.Errorf("%d bytes of %d are held, want %d", held, limit, want)
	}
}

func TestWhatWasNotUsedGoesFirst(t *testing.T) {
	b := New(80)
	one, other := newShelf(b), newShelf(b)
	for key := range 4 {
		one.put(key, 10)
		other.put(key, 10)
	}
	holds(t, b, 80)
	one.items[0].Use()
	other.items[1].Use()
	one.put(9, 10) // half of the limit is left when there is no room
	holds(t, b, 40)
	for key, kept := range map[int]bool{0: true, 1: false, 2: false, 3: false, 9: true} {
		if one.has(key) != kept {
			t.Errorf("the first shelf has %d: %v", key, !kept)
		}
	}
	if other.has(0) || !other.has(1) || other.has(2) || !other.has(3) {
		t.Error("the other cache gave something else than its oldest items")
	}
}

func TestAnItemThatGrowsPushesOthersOut(t *testing.T) {
	b := New(80)
	s := newShelf(b)
	for key := range 8 {
		s.put(key, 10)
	}
	s.items[0].Resize(20)
	if !s.has(0) {
		t.Error("an item was dropped to make room for itself")
	}
	holds(t, b, 40)
	gone := s.items[0]
	gone.Release()
	gone.Resize(1000)
	gone.Release()
	holds(t, b, 20)
}

func TestADroppedItemCountsAgain(t *testing.T) {
	b := New(80)
	drops := 0
	i := b.Add(30, func() { drops++ })
	b.Clear()
	holds(t, b, 0)
	i.Resize(40)
	holds(t, b, 40)
	b.Clear()
	holds(t, b, 0)
	if drops != 2 {
		t.Errorf("it was dropped %d times", drops)
	}
}

func TestWhatCannotGoStays(t *testing.T) {
	b := New(80)
	fixed := b.Add(60, nil)
	if b.Room(30, 4) || !b.Room(20, 4) || b.Room(1, 3) {
		t.Error("room is what the fixed items leave")
	}
	s := newShelf(b)
	for key := range 100 {
		s.put(key, 10)
		if held, limit := b.Held(); held > limit {
			t.Fatalf("%d bytes of %d", held, limit)
		}
	}
	b.Clear()
	holds(t, b, 60)
	b.Raise(-40)
	if b.Room(1, 4) {
		t.Error("there is room in less than nothing")
	}
	fixed.Release()
	holds(t, b, 0)
}

// TestGrantIsForWhatCannotGo checks that a grant makes room for items that cannot be dropped, and none for others.
func TestGrantIsForWhatCannotGo(t *testing.T) {
	b := New(80)
	b.Grant(100)
	s := newShelf(b)
	for key := range 100 {
		s.put(key, 10)
		if held, limit := b.Held(); held > limit || limit != 80 {
			t.Fatalf("%d bytes of %d", held, limit)
		}
	}
	before, _ := b.Held()
	fixed := b.Add(60, nil)
	if held, limit := b.Held(); held != before+60 || limit != 140 || b.Most() != 180 {
		t.Errorf("%d bytes of %d, at most %d; %d were held before", held, limit, b.Most(), before)
	}
	if fixed.Resize(130); !b.Room(50, 4) || b.Room(51, 4) {
		t.Error("room is what the fixed items leave of the limit and the grant")
	}
	if held, limit := b.Held(); held > limit || limit != 180 {
		t.Errorf("%d bytes of %d", held, limit)
	}
	b.Grant(-100)
	b.Clear()
	fixed.Release()
	holds(t, b, 0)
}

func TestHalfOfWhatMayGoStays(t *testing.T) {
	b := New(80)
	b.Add(60, nil)
	s := newShelf(b)
	for key := range 5 {
		s.put(key, 4)
	}
	s.put(5, 4) // no room: half of the 20 bytes beside the fixed ones are to be free
	holds(t, b, 60+8)
}

func TestNoBudget(t *testing.T) {
	var b *Budget
	i := b.Add(1<<40, nil)
	i.Use()
	i.Resize(1 << 40)
	i.Release()
	b.Raise(1)
	b.Grant(1)
	b.Clear()
	if held, _ := b.Held(); held != 0 || !b.Room(1<<60, 4) {
		t.Error("no budget counts")
	}
}

// TestManyCachesShareOneBudget uses four caches from as many goroutines. The counted bytes never exceed the
// limit, and in the end they are the sum of the items that the caches still hold.
func TestManyCachesShareOneBudget(t *testing.T) {
	const limit = 10_000
	b := New(limit)
	var all sync.WaitGroup
	shelves := make([]*shelf, 4)
	for n := range shelves {
		s := newShelf(b)
		shelves[n] = s
		all.Go(func() {
			r := rand.New(rand.NewPCG(1, uint64(n)))
			for range 5000 {
				key := r.IntN(200)
				s.mu.Lock()
				i := s.items[key]
				s.mu.Unlock()
				switch {
				case i == nil:
					s.put(key, int64(r.IntN(300)))
				case r.IntN(10) == 0:
					i.Resize(int64(r.IntN(300)))
				default:
					i.Use()
				}
				if held, _ := b.Held(); held > limit || held < 0 {
					t.Errorf("%d bytes of %d are held", held, limit)
					return
				}
			}
		})
	}
	all.Wait()
	var sum int64
	for _, s := range shelves {
		if s.drops == 0 {
			t.Error("a cache was spared")
		}
		for _, i := range s.items {
			sum += i.bytes
		}
	}
	if held, _ := b.Held(); held != sum {
		t.Errorf("%d bytes are counted, the items have %d", held, sum)
	}
}

// record is an entry of a cache that the budget counts by For.
type record struct {
	item    *Item
	dropped bool
}

// TestItemsGoWithTheirOwners checks that the budget stops counting the item of a record that nothing refers to, also
// if the record was resized after its cache had forgotten it, and that it drops the record of a cache.
func TestItemsGoWithTheirOwners(t *testing.T) {
	b := New(100)
	owned := func(bytes int64) *record {
		r := &record{}
		r.item = For(b, r, func(r *record) { r.dropped = true })
		r.item.Resize(bytes)
		return r
	}
	cached, forgotten := owned(30), owned(40)
	holds(t, b, 70)
	forgotten.item.Resize(50)
	holds(t, b, 80)
	runtime.KeepAlive(forgotten)
	forgotten = nil
	for range 1000 {
		runtime.GC()
		if held, _ := b.Held(); held == 30 {
			break
		}
		runtime.Gosched() // records are released in the background
	}
	holds(t, b, 30)
	if b.Clear(); !cached.dropped {
		t.Error("the record of the cache was not dropped")
	}
	holds(t, b, 0)
	if For(nil, cached, func(*record) {}) != nil {
		t.Error("a nil Budget counts nothing")
	}
}
