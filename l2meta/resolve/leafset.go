package resolve

import (
	"cmp"
	"encoding/binary"
	"iter"
	"slices"
)

// leafSet is a set of look-ups: their leaves in ascending order, as varints of the differences, in
// some three bytes each. A ledger holds a thousand for each group of files.
type leafSet []byte

// newLeafSet returns the set of the leaves in a sorted list.
func newLeafSet(sorted []leaf) leafSet {
	out := make(leafSet, 0, 3*len(sorted)+8)
	last := leaf(0)
	for _, x := range sorted {
		out = binary.AppendUvarint(out, uint64(x-last))
		last = x
	}
	return slices.Clip(out)
}

// all yields the leaves in ascending order.
func (s leafSet) all() iter.Seq[leaf] {
	return func(yield func(leaf) bool) {
		last := leaf(0)
		for rest := []byte(s); len(rest) > 0; {
			x, n := binary.Uvarint(rest)
			if n <= 0 {
				return
			}
			last, rest = last+leaf(x), rest[n:]
			if !yield(last) {
				return
			}
		}
	}
}

// overlaps reports whether s has an element of a sorted list.
func (s leafSet) overlaps(sorted []leaf) bool {
	if len(sorted) == 0 {
		return false
	}
	for x := range s.all() {
		for x > sorted[0] {
			if sorted = sorted[1:]; len(sorted) == 0 {
				return false
			}
		}
		if x == sorted[0] {
			return true
		}
	}
	return false
}

// given is a hash of what one file contributes to the result of a look-up. Equal hashes mean equal
// contributions.
type given struct {
	leaf leaf
	hash uint32
}

// givenList is a packed list of contributions in ascending order of their leaves: for each, the
// varints of the difference of the leaves and of the hash.
type givenList []byte

// newGivenList packs a list of contributions in any order. The result is never nil.
func newGivenList(list []given) givenList {
	list = slices.SortedFunc(slices.Values(list), func(a, b given) int { return cmp.Compare(a.leaf, b.leaf) })
	out := make(givenList, 0, 8*len(list))
	last := leaf(0)
	for _, x := range list {
		out = binary.AppendUvarint(out, uint64(x.leaf-last))
		out = binary.AppendUvarint(out, uint64(x.hash))
		last = x.leaf
	}
	return append(make(givenList, 0, len(out)), out...)
}

// list unpacks the contributions.
func (p givenList) list() (out []given) {
	last := leaf(0)
	for rest := []byte(p); len(rest) > 0; {
		x, n := binary.Uvarint(rest)
		hash, m := binary.Uvarint(rest[max(n, 0):])
		if n <= 0 || m <= 0 {
			break
		}
		last, rest = last+leaf(x), rest[n+m:]
		out = append(out, given{last, uint32(hash)})
	}
	return out
}
