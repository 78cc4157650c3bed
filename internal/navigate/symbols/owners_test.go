package symbols

import (
	"math/rand/v2"
	"slices"
	"testing"

	"sextant/internal/code"
	"sextant/l2meta"
)

// TestOwners compares Owners with OwnerOf on random symbols, nested, adjacent and overlapping ones.
func TestOwners(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		var rows []l2meta.Row
		for range random.IntN(12) {
			first := 1 + random.IntN(20)
			rows = append(rows, l2meta.Row{Symbol: code.Symbol{Span: code.Span{StartLine: first,
				EndLine: first + random.IntN(10)}}})
		}
		slices.SortStableFunc(rows, func(a, b l2meta.Row) int { return a.Symbol.Span.StartLine - b.Symbol.Span.StartLine })
		owners := NewOwners(rows)
		for line := 1; line < 32; line += random.IntN(3) {
			if got, want := owners.Of(line), OwnerOf(rows, line); got != want {
				t.Fatalf("line %d of %+v: %d, want %d", line, rows, got, want)
			}
		}
	}
}
