package resolve

import (
	"cmp"

	"sextant/internal/mapped"
)

// The lists of a ledger lie in a file that is mapped into memory, because a large root has hundreds
// of megabytes of them, and few are read between two edits. On the heap they would also hold the
// pages of the values that are freed around them: with 64,662 files, 319 MB on 481 MB of pages.

// MapIn makes the cache keep the lists of its ledger in temporary files in the folder dir. Where no
// file can be made, they are kept on the heap.
func (c *Cache) MapIn(dir string) { c.listsDir = dir }

// unusedBytes is the number of bytes in the file of a ledger that lists which were replaced have to
// leave before the others are copied to a new file, unless CompactAfter sets another one. Besides,
// they must be a third of the file.
const unusedBytes = 16 << 20

// CompactAfter makes each Settle that finds at least bytes unused bytes in the ledger's file copy
// the lists to a new file. 0 means the default.
func (c *Cache) CompactAfter(bytes int64) { c.compactAfter = bytes }

// newLists returns a new file for lists; nil if they are to be kept on the heap.
func (c *Cache) newLists() *mapped.File {
	if c.listsDir == "" {
		return nil
	}
	f, err := mapped.Create(c.listsDir)
	if err != nil {
		return nil // the heap holds the lists, too
	}
	return f
}

// renew replaces the contents of the ledger, and frees the lists of the old ones. The caller holds
// the write lock.
func (l *ledger) renew(c contents) {
	old := l.lists
	l.contents = c
	old.Close()
}

// compact copies the lists of the ledger to a new file if much of the present one is unused.
func (c *Cache) compact() {
	l := &c.ledger
	used := l.lists.Used()
	if unused := used - l.listBytes(); unused >= cmp.Or(c.compactAfter, max(unusedBytes, used/3)) {
		l.move(c.newLists())
	}
}

// move moves all lists of the ledger to another file.
func (l *ledger) move(to *mapped.File) {
	l.change(func() {
		for _, g := range l.groups {
			g.keep(to)
		}
		for i, files := range l.calling {
			l.calling[i] = mapped.Keep(to, files)
		}
		l.lists.Close()
		l.lists = to
	})
}

// keep moves the lists of g to a file; see mapped.Keep.
func (g *group) keep(lists *mapped.File) {
	for _, e := range g.files {
		e.keepCalls(lists)
		e.keepDispatch(lists)
	}
	for _, p := range g.parts() {
		p.reads.keep(lists)
	}
}

// keepCalls moves the lists that settleCalls made for e to a file.
func (e *entry) keepCalls(lists *mapped.File) {
	e.sites.keep(lists)
	e.imports, e.gives = mapped.Keep(lists, e.imports), mapped.Keep(lists, e.gives)
}

// keepDispatch moves the lists that settleDispatch made for e to a file.
func (e *entry) keepDispatch(lists *mapped.File) {
	e.implementations.keep(lists)
	e.aside = mapped.Keep(lists, e.aside)
}
