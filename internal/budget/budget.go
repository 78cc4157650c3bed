// Package budget bounds the memory that the caches of a process hold together.
// It counts bytes and chooses which cached item to drop when there is no room.
// A cache decides what an item is and how to build it again. The budget frees
// nothing itself: a cache drops an item by removing its reference, and the
// garbage collector reclaims the memory after the last reader.
//
// Items are dropped by the clock (second-chance) algorithm: the hand skips an
// item that was used since its last visit. Using an item is therefore one
// atomic store without a lock, and a single pass over a whole root does not
// evict the items that are used again and again.
package budget

import (
	"runtime"
	"sync"
	"sync/atomic"
	"weak"
)

// Budget is a limit on the bytes that several caches may hold together. It is
// safe for concurrent use. A nil Budget has no limit and counts nothing.
type Budget struct {
	mu      sync.Mutex // guards all fields below, and the fields of the items
	limit   int64
	granted int64 // bytes above limit for items that cannot be dropped
	held    int64
	fixed   int64 // the part of held whose items cannot be dropped
	ring    Item  // sentinel of the circular list of droppable items; the hand starts at ring.next
}

// Item is one cached value as the budget counts it. A nil Item belongs to a nil
// Budget; its methods do nothing.
type Item struct {
	budget   *Budget
	used     atomic.Bool // whether Use was called since the hand's last visit
	drop     func()      // nil for an item that cannot be dropped
	bytes    int64
	released bool

	prev, next *Item // nil when the item is not in the ring
}

// New returns a Budget of limit bytes.
func New(limit int64) *Budget {
	b := &Budget{limit: limit}
	b.ring.prev, b.ring.next = &b.ring, &b.ring
	return b
}

// slack determines how much space is freed at a time. If an item does not fit, items are dropped until it fits and
// 1/slack of the space for droppable items is free. Dropping many items at once saves work: a value that is derived
// from several items is lost with the first of them, and is derived again only once. Resolving the calls of 3,450 files
// took 40 s of processor time when an eighth of the limit was freed at a time, and 33 s with half.
const slack = 2

// Add counts a new item of the given size and drops other items if there is no room for it. To drop
// an item, the budget calls the item's drop function, which removes the item from its cache; the
// item then counts zero bytes until it is resized. Any goroutine that adds or resizes an item may
// run drop, possibly before Add returns. So callers of Add and Resize must hold no lock that a drop
// function acquires. A nil drop marks an item that cannot be dropped.
func (b *Budget) Add(bytes int64, drop func()) *Item {
	if b == nil {
		return nil
	}
	i := &Item{budget: b, drop: drop}
	i.Resize(bytes)
	return i
}

// For counts an item of zero bytes that belongs to owner, a record of a cache, as Add does. The budget does not keep
// owner in memory: once nothing else refers to it, the item is released. So a cache lets go of a record by forgetting
// it, although queries that still use the record may resize its item. drop must not refer to owner, which it is given.
func For[T any](b *Budget, owner *T, drop func(owner *T)) *Item {
	if b == nil {
		return nil
	}
	known := weak.Make(owner)
	i := b.Add(0, func() {
		if o := known.Value(); o != nil {
			drop(o)
		}
	})
	runtime.AddCleanup(owner, (*Item).Release, i)
	return i
}

// Use marks the item as used, so that the next search for items to drop passes over it.
func (i *Item) Use() {
	if i != nil && !i.used.Load() {
		i.used.Store(true)
	}
}

// Resize changes the size of the item. If the item grows and there is no room, other items are
// dropped. Resize does nothing after Release.
func (i *Item) Resize(bytes int64) {
	if i == nil {
		return
	}
	b := i.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	if i.drop == nil {
		b.fix(i, bytes)
		return
	}
	b.unlink(i) // so that it is not dropped to make room for itself
	if bytes > i.bytes && !i.released {
		b.room(bytes - i.bytes)
	}
	if i.released { // it may have been released while other items were dropped
		return
	}
	b.held += bytes - i.bytes
	if i.bytes = bytes; i.next == nil {
		b.link(i)
	}
}

// fix sets the size of an item that cannot be dropped. Its growth may raise the bound (see bound), so other
// items are dropped afterwards. The caller holds mu.
func (b *Budget) fix(i *Item, bytes int64) {
	if i.released {
		return
	}
	b.held += bytes - i.bytes
	b.fixed += bytes - i.bytes
	i.bytes = bytes
	b.room(0)
}

// Release stops counting the item for good.
func (i *Item) Release() {
	if i == nil {
		return
	}
	i.budget.mu.Lock()
	defer i.budget.mu.Unlock()
	i.budget.remove(i)
	i.released = true
}

// Grant lets the items that cannot be dropped take the given number of bytes more than the limit
// together. The room for the other items does not grow, but these items take less of it. A
// negative number takes back an earlier grant.
func (b *Budget) Grant(bytes int64) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.granted += bytes
	b.room(0)
}

// bound returns the number of bytes that all items may take at present. The caller holds mu.
func (b *Budget) bound() int64 { return b.limit + min(b.fixed, b.granted) }

// Room reports whether the given number of bytes of further items that cannot be dropped would
// fit into quarters/4 of the bytes that Most returns. It ignores droppable items, because all of
// them could be dropped.
func (b *Budget) Room(bytes int64, quarters int) bool {
	if b == nil {
		return true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.fixed+bytes <= (b.limit+b.granted)/4*int64(quarters)
}

// Raise adds bytes to the limit. A negative number lowers the limit, and drops
// items that no longer fit.
func (b *Budget) Raise(bytes int64) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.limit += bytes
	b.room(0)
}

// Clear drops every item that can be dropped.
func (b *Budget) Clear() {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.ring.next != &b.ring {
		b.dropItem(b.ring.next)
	}
}

// Held returns the bytes counted now and their present limit. The limit includes granted bytes as far as items
// that cannot be dropped take them. Both are 0 for a nil Budget.
func (b *Budget) Held() (held, limit int64) {
	if b == nil {
		return 0, 0
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.held, b.bound()
}

// Most returns the limit including all granted bytes; 0 for a nil Budget.
func (b *Budget) Most() int64 {
	if b == nil {
		return 0
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.limit + b.granted
}

// room makes room for the given number of bytes. If they do not fit, it drops items until they
// fit and 1/slack of the space for droppable items stays free. The caller holds mu, which is
// released while an item is dropped.
func (b *Budget) room(bytes int64) {
	if b.held+bytes <= b.bound() {
		return
	}
	for b.held+bytes > b.bound()-max(0, b.bound()-b.fixed)/slack {
		i := b.ring.next
		for ; i != &b.ring && i.used.CompareAndSwap(true, false); i = b.ring.next {
			b.unlink(i)
			b.link(i)
		}
		if i == &b.ring {
			return
		}
		b.dropItem(i)
	}
}

// dropItem removes i from the count and calls its drop. The caller holds mu,
// which is released during the call.
func (b *Budget) dropItem(i *Item) {
	b.remove(i)
	b.mu.Unlock()
	defer b.mu.Lock()
	i.drop()
}

// remove stops counting i. A later Resize counts it again, unless it was released. The caller holds
// mu.
func (b *Budget) remove(i *Item) {
	b.unlink(i)
	b.held -= i.bytes
	if i.drop == nil {
		b.fixed -= i.bytes
	}
	i.bytes = 0
}

// link inserts i at the end of the ring of droppable items, which the search for an item to drop
// reaches last. The caller holds mu.
func (b *Budget) link(i *Item) {
	i.prev, i.next = b.ring.prev, &b.ring
	i.prev.next, i.next.prev = i, i
}

// unlink takes i out of the ring of droppable items, if it is in the ring. The caller holds mu.
func (b *Budget) unlink(i *Item) {
	if i.next == nil {
		return
	}
	i.prev.next, i.next.prev = i.next, i.prev
	i.prev, i.next = nil, nil
}
