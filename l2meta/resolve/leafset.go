package resolve

import (
	"cmp"
	"encoding/binary"
	"iter"
	"slices"
	"sort"

	"sextant/internal/mapped"
)

// leafSet is a set of look-ups, in three bytes for each. A ledger holds a thousand for each group of
// files. The zero value is empty.
type leafSet struct {
	low  []byte            // the lower 24 bits of the leaves, in ascending order of the leaves
	ends [leafHighs]uint32 // by the upper bits of a leaf, the number of leaves with these or lower ones
}

// leafHighs is the number of values that the upper bits of a leaf can have.
const leafHighs = leafMask>>24 + 1

// newLeafSet returns the set of the leaves in a sorted list.
func newLeafSet(sorted []leaf) (s leafSet) {
	s.low = make([]byte, 0, 3*len(sorted))
	for _, x := range sorted {
		s.low = append(s.low, byte(x>>16), byte(x>>8), byte(x))
		s.ends[x>>24]++
	}
	for i := 1; i < len(s.ends); i++ {
		s.ends[i] += s.ends[i-1]
	}
	return s
}

// keep moves s to a file; see mapped.Keep.
func (s *leafSet) keep(lists *mapped.File) { s.low = mapped.Keep(lists, s.low) }

// count returns the number of look-ups.
func (s *leafSet) count() int { return len(s.low) / 3 }

// lowAt returns the lower 24 bits of leaf i.
func (s *leafSet) lowAt(i int) leaf {
	b := s.low[3*i:]
	return leaf(b[0])<<16 | leaf(b[1])<<8 | leaf(b[2])
}

// all yields the leaves in ascending order.
func (s *leafSet) all() iter.Seq[leaf] {
	return func(yield func(leaf) bool) {
		high := 0
		for i := range s.count() {
			for uint32(i) >= s.ends[high] {
				high++
			}
			if !yield(leaf(high)<<24 | s.lowAt(i)) {
				return
			}
		}
	}
}

// has reports whether s has a leaf.
func (s *leafSet) has(x leaf) bool {
	high, low := x>>24, x&(1<<24-1)
	from, end := 0, int(s.ends[high])
	if high > 0 {
		from = int(s.ends[high-1])
	}
	i := from + sort.Search(end-from, func(i int) bool { return s.lowAt(from+i) >= low })
	return i < end && s.lowAt(i) == low
}

// overlaps reports whether s has an element of a sorted list. It takes little time if one of the two
// is short.
func (s *leafSet) overlaps(sorted []leaf) bool {
	if len(sorted) <= s.count() {
		return slices.ContainsFunc(sorted, s.has)
	}
	for x := range s.all() {
		if _, found := slices.BinarySearch(sorted, x); found {
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
