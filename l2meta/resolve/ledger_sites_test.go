package resolve

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSitesOfAFile checks that a siteList returns each site as it was added, and stores equal
// results once.
func TestSitesOfAFile(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var w siteWriter
	var at []named
	var results []result
	for range 500 {
		r := result{callee: random.Uint32N(7), outcome: Outcome(random.IntN(3)), target: target{random.Uint32N(2), -1},
			flags: uint8(random.IntN(2)) * flagDirect}
		at, results = append(at, named{random.Uint32(), random.Uint32N(1000)}), append(results, r)
		w.add(at[len(at)-1], r)
	}
	s := w.list()
	for i, got := range s.named() {
		if got != at[i] || *s.at(i) != results[i] {
			t.Fatalf("site %d is %+v at %+v, want %+v at %+v", i, *s.at(i), got, results[i], at[i])
		}
	}
	if most := 7 * 3 * 2 * 2; len(s.results) > most || s.count() != 500 {
		t.Errorf("%d sites have %d results, want %d at most", s.count(), len(s.results), most)
	}
	if got := s.callees(); !slices.Equal(got, []uint32{0, 1, 2, 3, 4, 5, 6}) {
		t.Errorf("the callees are %v", got)
	}
	own := target{1, -1}
	var want []int
	for i, r := range results {
		if (r.callee == 2 || r.callee == 5) && (r.outcome == Open || r.outcome == Settled && r.target == own ||
			r.outcome == FuncValue) {
			want = append(want, i)
		}
	}
	if got := s.calling([]uint32{5, 2}, own); !slices.Equal(got, want) || len(want) == 0 {
		t.Errorf("sites %v may call the target, want %v", got, want)
	}
	if got := s.calling([]uint32{9}, own); got != nil {
		t.Errorf("sites %v call a name that no site calls", got)
	}
}

// TestManyResultsOfAFile checks the sites of files with so many results that an index takes one, two
// or four bytes.
func TestManyResultsOfAFile(t *testing.T) {
	for _, c := range []struct{ results, width int }{{1, 1}, {256, 1}, {257, 2}, {65536, 2}, {65537, 4}} {
		var w siteWriter
		for i := range c.results {
			w.add(named{}, result{callee: uint32(i)})
		}
		w.add(named{}, result{callee: uint32(c.results / 2)})
		s := w.list()
		if s.width() != c.width || s.count() != c.results+1 {
			t.Errorf("%d results: width %d, %d sites", c.results, s.width(), s.count())
		}
		for i, want := range []int{0, c.results - 1, c.results / 2} {
			if at := []int{0, c.results - 1, c.results}[i]; s.result(at) != want || s.at(at).callee != uint32(want) {
				t.Errorf("%d results: site %d has result %d, want %d", c.results, at, s.result(at), want)
			}
		}
	}
}
