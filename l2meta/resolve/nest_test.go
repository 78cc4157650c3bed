package resolve

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"sextant/internal/code"
	"sextant/internal/store"
	"sextant/l2meta"
)

// TestNestHoldsLikeASearch compares nests with a linear search of all stretches. Some stretches are
// empty, some start at the same byte, and some overlap without one containing the other.
func TestNestHoldsLikeASearch(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		var list []stretch
		for i := range random.IntN(12) {
			from := random.IntN(20)
			list = append(list, stretch{from: from, to: from + random.IntN(12), of: i})
		}
		n := newNest(slices.Clone(list))
		for at := range 34 {
			var want []int
			for _, s := range list {
				if s.from <= at && at < s.to {
					want = append(want, s.of)
				}
			}
			slices.SortFunc(want, func(a, b int) int { return cmp.Or(list[b].from-list[a].from, b-a) })
			if got := slices.Collect(n.holding(at)); !slices.Equal(got, want) {
				t.Fatalf("byte %d of %v: held by %v, expected %v", at, list, got, want)
			}
		}
	}
}

// BenchmarkMaker computes the Maker of a call in each of many route handlers of one file.
func BenchmarkMaker(b *testing.B) {
	for _, routes := range []int{500, 1000, 2000} {
		b.Run(fmt.Sprint(routes), func(b *testing.B) {
			var facts l2meta.Facts
			for i := range routes {
				facts.Symbols = append(facts.Symbols, code.Symbol{Kind: code.KindRoute, Name: "GET /", Parent: -1,
					Body: [2]int{i * 10, i*10 + 10}})
			}
			f := newFile(store.FileRef{Path: "app.js", Language: "javascript"}, facts)
			for b.Loop() {
				for i := range routes {
					if got := f.Maker(-1, i*10+5); got != i {
						b.Fatalf("the maker in route %d is %d", i, got)
					}
				}
			}
		})
	}
}
