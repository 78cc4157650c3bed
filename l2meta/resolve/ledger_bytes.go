package resolve

import "unsafe"

// bytes estimates the heap memory that the ledger occupies, in bytes. Only the settler calls it, and
// nothing else changes the ledger, so it needs no lock.
func (l *ledger) bytes() int64 {
	n := l.names.bytes() + l.tokens.bytes() + l.texts.bytes() + size(l.tokenOf) + size(l.order) +
		size(l.files) + size(l.groups) + size(l.calling)
	n += perIndex * int64(len(l.byID)+len(l.byPath)+len(l.ranges)+len(l.renaming))
	for _, list := range l.overridden {
		n += perIndex + size(list)
	}
	for _, a := range l.admitted {
		n += int64(unsafe.Sizeof(receiving{})) + perIndex + size(a.list)
	}
	for _, e := range l.files {
		if e != nil {
			n += int64(unsafe.Sizeof(*e)) + int64(unsafe.Sizeof(*e.ref)) + int64(len(e.ref.Path)) + size(e.renames)
		}
	}
	for _, g := range l.groups {
		n += int64(unsafe.Sizeof(*g)) + size(g.files) + size(g.received)
	}
	if !l.lists.Keeps() {
		n += l.listBytes()
	}
	return n
}

// perIndex is the estimated size of a map entry from a short key to a number.
const perIndex = 40

// listBytes returns the bytes of the lists that the ledger's file holds, or the heap if there is no
// file.
func (l *ledger) listBytes() (n int64) {
	for _, list := range l.calling {
		n += size(list)
	}
	for _, e := range l.files {
		if e != nil {
			n += e.sites.bytes() + size(e.aside) + size(e.imports) + size(e.gives) + e.implementations.bytes()
		}
	}
	for _, g := range l.groups {
		for _, p := range g.parts() {
			n += size(p.reads.low)
		}
	}
	return n
}

func size[T any](list []T) int64 {
	var one T
	return int64(cap(list)) * int64(unsafe.Sizeof(one))
}
