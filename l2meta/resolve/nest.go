package resolve

import (
	"iter"
	"slices"
	"sort"

	"sextant/internal/code"
)

// stretch is the part of a file that belongs to one of its symbols or calls.
type stretch struct {
	from, to int // its first byte, and the first behind it
	of       int // the number of the symbol or call
	outer    int // the innermost of the nest that holds from and is not this one, -1 for none
}

// nest is stretches of a file in the order of their starts.
type nest []stretch

// newNest links stretches, whose outer need not be set. It takes over the list.
func newNest(list []stretch) nest {
	slices.SortStableFunc(list, func(a, b stretch) int { return a.from - b.from })
	for i := range list {
		outer := i - 1
		for outer >= 0 && list[outer].to <= list[i].from {
			outer = list[outer].outer
		}
		list[i].outer = outer
	}
	return list
}

// holding yields the stretches that hold a byte, the innermost first: that which
// starts last. It takes steps for the depth of the nest, not for its length.
func (n nest) holding(at int) iter.Seq[int] {
	return func(yield func(int) bool) {
		i := sort.Search(len(n), func(i int) bool { return n[i].from > at }) - 1
		for ; i >= 0; i = n[i].outer {
			if at < n[i].to && !yield(n[i].of) {
				return
			}
		}
	}
}

type routesKey struct{}

// Maker returns the symbol that makes what stands at a byte in symbol owner: owner, or the
// function without a name in it that answers a route, innermost, whose names are those
// of owner.
func (f *File) Maker(owner, at int) int {
	routes := Memo(f, routesKey{}, func() nest {
		var bodies []stretch
		for i := range f.Symbols {
			if s := &f.Symbols[i]; s.Kind == code.KindRoute {
				bodies = append(bodies, stretch{from: s.Body[0], to: s.Body[1], of: i})
			}
		}
		return newNest(bodies)
	})
	for i := range routes.holding(at) {
		if f.within(f.Symbols[i].Parent, owner) {
			return i
		}
	}
	return owner
}

// within reports whether symbol i is symbol outer or stands in it; -1 is the file.
func (f *File) within(i, outer int) bool {
	for ; i >= 0; i = f.Symbols[i].Parent {
		if i == outer {
			return true
		}
	}
	return outer < 0
}

type takersKey struct{}

// Taker returns the call that takes the argument at a byte, the innermost whose callee's
// name stands before it; nil for none.
func (f *File) Taker(at int) *code.Call {
	calls := f.Calls()
	takers := Memo(f, takersKey{}, func() nest {
		var arguments []stretch
		for i := range calls {
			if c := &calls[i]; c.Kind != code.CallReference {
				arguments = append(arguments, stretch{from: c.NameSpan.EndByte, to: c.Span.EndByte, of: i})
			}
		}
		return newNest(arguments)
	})
	for i := range takers.holding(at) {
		return &calls[i]
	}
	return nil
}
