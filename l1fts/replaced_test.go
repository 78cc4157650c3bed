package l1fts

import (
	"slices"
	"testing"

	"sextant/l1fts/embed"
)

// TestMemoryOfAReplacedDatabase checks that neither vectors nor frequencies of a database are used for one
// that has taken its place, as after a rebuild, whatever the generations of the two.
func TestMemoryOfAReplacedDatabase(t *testing.T) {
	const question = "where is the refund of an invoice checked"
	for _, before := range []int{60, 20, 12} {
		x, cold := New(Options{Embedder: embed.Builtin()}), New(Options{Embedder: embed.Builtin()})
		old, now := openDB(t), openDB(t)
		for i := range before {
			put(t, old, x, source(i, 0))
		}
		load(t, old, x)
		near(t, old, x, question, SearchOptions{Limit: 10})
		search(t, old, x, "refund", SearchOptions{})
		for i := range 20 {
			put(t, now, cold, source(i+3, i))
		}
		for range 2 {
			got, _ := near(t, now, x, question, SearchOptions{Limit: 10})
			want, _ := near(t, now, cold, question, SearchOptions{Limit: 10})
			if !slices.Equal(placed(got), placed(want)) {
				t.Errorf("after %d files in the old database:\n%v\n%v", before, placed(got), placed(want))
			}
			load(t, now, x)
		}
	}
}
