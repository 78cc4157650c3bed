package resolve

import (
	"fmt"
	"runtime"
)

// compactAfter is the number of groups whose calls a Settle must have resolved to rebuild the ledger
// when it ends, unless CompactAfter sets another one.
const compactAfter = 500

// CompactAfter makes each Settle that resolves the calls of at least groups groups drop the cached
// files and derived values, and rebuild the ledger, so that these free their memory. 0 means the
// default.
func (c *Cache) CompactAfter(groups int) { c.compactAfter = groups }

// compactChunk is the least size in bytes of the chunks in which compact keeps packed groups. Chunks
// are so large that they share no pages of memory with other values.
const compactChunk = 1 << 20

// compact rebuilds a complete ledger without gaps in memory. While calls are resolved, its parts are
// allocated among values that are freed soon; each page on which a small part stays is kept. With
// 64,662 files the heap held 319 MB of values on 481 MB of pages.
//
// For a second or two, queries are answered without the ledger.
func (l *ledger) compact() error {
	if !l.whole(l.generation) {
		return nil
	}
	generation, log, ranges, changed := l.generation, l.log, l.ranges, make([]bool, len(l.groups))
	numbers, packed := make([]int64, len(l.groups)), chunks{}
	for i, g := range l.groups {
		numbers[i], changed[i] = g.number, g.changed
		packed.add(l.pack(g))
	}
	l.change(func() { l.contents = contents{} })
	runtime.GC() // frees the pages before they are filled again
	anew := &ledger{contents: newContents()}
	u := &ledgerReader{&anew.contents, l.languages}
	for i, number := range numbers {
		if err := u.takeGroup(number, packed.at(i)); err != nil {
			return fmt.Errorf("rebuild the ledger: %w", err)
		}
		anew.groups[i].changed = changed[i]
	}
	anew.generation, anew.log, anew.ranges = generation, log, ranges
	anew.order = anew.inOrder()
	anew.finish()
	anew.overridden, anew.dispatched = anew.replaced(), true
	l.change(func() { l.contents = anew.contents })
	return nil
}

// chunks holds byte strings one after the other, in large pieces of memory.
type chunks struct {
	parts [][]byte
	ends  []chunkEnd
}

// chunkEnd is the end of a byte string: an offset in a part.
type chunkEnd struct{ part, offset int }

func (c *chunks) add(b []byte) {
	last := len(c.parts) - 1
	if last < 0 || cap(c.parts[last])-len(c.parts[last]) < len(b) {
		c.parts = append(c.parts, make([]byte, 0, max(compactChunk, len(b))))
		last++
	}
	c.parts[last] = append(c.parts[last], b...)
	c.ends = append(c.ends, chunkEnd{last, len(c.parts[last])})
}

// at returns the byte string that was added as number i.
func (c *chunks) at(i int) []byte {
	end, from := c.ends[i], 0
	if i > 0 && c.ends[i-1].part == end.part {
		from = c.ends[i-1].offset
	}
	return c.parts[end.part][from:end.offset]
}
