package resolve

import (
	"iter"
	"slices"
	"sort"

	"sextant/internal/code"
)

// stretch is the part of a file that a symbol or a call occupies.
type stretch struct {
	from, to int // first byte, and the byte after the last
	of       int // number of the symbol or call
	outer    int // index in the nest of the innermost other stretch that contains from; -1 if there is none
}

// nest lists stretches of a file in the order of their starts.
type nest []stretch

// newNest sorts list by start, and sets the field outer of each stretch.
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

// holding yields the symbols or calls whose stretches contain byte offset at, innermost first. Its
// cost grows with the depth of nesting, not with the length of the list.
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

// Maker returns the symbol that counts as the caller of a call in symbol owner, at the byte offset
// at. It is owner, or the innermost unnamed route handler in owner around the call, as
// app.get("/x", () => { f() }) has for f(). Names in such a handler resolve like other names in
// owner.
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

// within reports whether symbol i is outer or nested in it; outer -1 is the file.
func (f *File) within(i, outer int) bool {
	for ; i >= 0; i = f.Symbols[i].Parent {
		if i == outer {
			return true
		}
	}
	return outer < 0
}

type takersKey struct{}

// Taker returns the innermost call whose arguments contain byte offset at; nil if there is none.
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
