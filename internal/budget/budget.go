// Package budget bounds the memory that the caches of a process hold together.
// It counts bytes and says which cached item goes when there is no room; what
// an item is, and how it is made again, is its cache's. It never frees what is
// in use: a cache that drops an item lets go of it, and the garbage collector
// waits for the last reader.
//
// Items are kept by the clock algorithm: one that was used since the hand last
// came by gets a second chance, so that using an item is one store and takes no
// lock, and a pass over a whole root does not push out what is asked for again
// and again.
package budget

import (
	"sync"
	"sync/atomic"
)

// Budget is the bytes that some caches may hold together. It is safe for
// concurrent use. A nil Budget has no limit and counts nothing.
type Budget struct {
	mu    sync.Mutex // guards all below, and the fields of the items
	limit int64
	held  int64
	fixed int64 // of held, by items that cannot go
	ring  Item  // the end of the list of items that can go: next is the one that the hand meets first
}

// Item is something that a cache holds. A nil Item is of a nil Budget.
type Item struct {
	budget   *Budget
	used     atomic.Bool // since the hand last came by
	drop     func()      // nil for what cannot go
	bytes    int64
	released bool

	prev, next *Item // nil when it is not in the ring
}

// New makes a budget of limit bytes.
func New(limit int64) *Budget {
	b := &Budget{limit: limit}
	b.ring.prev, b.ring.next = &b.ring, &b.ring
	return b
}

// slack is how much is dropped when there is no room: all above one in slack of
// the limit. What was derived from many items goes with the first of them, and
// is derived again once for all. Settling the calls of 3,450 files took 40 s of
// processor time with an eighth dropped at a time, and 33 with half.
const slack = 2

// Add counts an item, for which others are dropped where there is no room. drop
// lets go of it; then it counts nothing until it is resized. drop is called from
// any goroutine that adds or resizes an item, possibly before Add returns. A nil
// drop counts what cannot go. The caller holds no lock that a drop takes.
func (b *Budget) Add(bytes int64, drop func()) *Item {
	if b == nil {
		return nil
	}
	i := &Item{budget: b, drop: drop}
	i.Resize(bytes)
	return i
}

// Use says that an item is needed now.
func (i *Item) Use() {
	if i != nil && !i.used.Load() {
		i.used.Store(true)
	}
}

// Resize counts so many bytes for an item, as Add does. It does nothing for one
// that is released.
func (i *Item) Resize(bytes int64) {
	if i == nil {
		return
	}
	b := i.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	b.unlink(i) // it is not dropped to make room for itself
	if bytes > i.bytes && !i.released {
		b.room(bytes - i.bytes)
	}
	if i.released { // perhaps while others were dropped
		return
	}
	b.held += bytes - i.bytes
	if i.drop == nil {
		b.fixed += bytes - i.bytes
	}
	if i.bytes = bytes; i.drop != nil && i.next == nil {
		b.link(i)
	}
}

// Release says that an item is held no more, and never will be.
func (i *Item) Release() {
	if i == nil {
		return
	}
	i.budget.mu.Lock()
	defer i.budget.mu.Unlock()
	i.budget.remove(i)
	i.released = true
}

// Room reports whether so many bytes more could be held in so many quarters of
// the limit, beside what cannot go.
func (b *Budget) Room(bytes int64, quarters int) bool {
	if b == nil {
		return true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.fixed+bytes <= b.limit/4*int64(quarters)
}

// Raise gives so many bytes more to hold, or takes them when negative.
func (b *Budget) Raise(bytes int64) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.limit += bytes
	b.room(0)
}

// Clear drops everything that can go.
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

// Held is the bytes that are counted now, and Limit how many may be.
func (b *Budget) Held() (held, limit int64) {
	if b == nil {
		return 0, 0
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.held, b.limit
}

// room drops items until so many bytes more fit, and some to spare. It wants mu
// held, and gives it away while an item is dropped.
func (b *Budget) room(bytes int64) {
	if b.held+bytes <= b.limit {
		return
	}
	for b.held+bytes > b.limit-b.limit/slack {
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

// dropItem wants mu held, and gives it away meanwhile.
func (b *Budget) dropItem(i *Item) {
	b.remove(i)
	b.mu.Unlock()
	defer b.mu.Lock()
	i.drop()
}

// remove wants mu held.
func (b *Budget) remove(i *Item) {
	b.unlink(i)
	b.held -= i.bytes
	if i.drop == nil {
		b.fixed -= i.bytes
	}
	i.bytes = 0
}

// link puts i where the hand comes last. It wants mu held.
func (b *Budget) link(i *Item) {
	i.prev, i.next = b.ring.prev, &b.ring
	i.prev.next, i.next.prev = i, i
}

// unlink wants mu held.
func (b *Budget) unlink(i *Item) {
	if i.next == nil {
		return
	}
	i.prev.next, i.next.prev = i.next, i.prev
	i.prev, i.next = nil, nil
}
