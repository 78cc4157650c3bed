package l1fts

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"sextant/internal/code"
)

// TestClaimsAreThoseOfEachSymbolInTurn compares the owners of lines with those that result from
// writing the lines of each symbol at once, for random symbols: nested, beside each other,
// overlapping, on one line and out of order.
func TestClaimsAreThoseOfEachSymbolInTurn(t *testing.T) {
	const lines = 40
	text := []byte(strings.Repeat("// a\nb\n", lines/2))
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(seed, 1))
		f := &code.File{Language: "go", Text: text}
		for range 1 + rng.IntN(8) {
			first := 1 + rng.IntN(lines)
			f.Symbols = append(f.Symbols, code.Symbol{Parent: -1, Kind: code.KindFunction,
				Span: code.Span{StartLine: first, EndLine: min(lines, first+rng.IntN(lines))}})
		}
		if seed%4 > 0 {
			slices.SortStableFunc(f.Symbols, func(a, b code.Symbol) int { return a.Span.StartLine - b.Span.StartLine })
		}
		want := slices.Repeat([]int32{-1}, lines)
		c := &chunker{file: f, starts: lineStarts(text), own: make([]bool, len(f.Symbols))}
		for i, s := range f.Symbols {
			c.owner = want
			above := want[s.Span.StartLine-1]
			for l := c.docStart(s.Span.StartLine-1, above); l < s.Span.EndLine; l++ {
				want[l] = int32(i)
			}
		}
		c.wrap()
		c.owner = slices.Repeat([]int32{-1}, lines)
		for i := range f.Symbols {
			c.claim(i)
		}
		if c.settle(lines); !slices.Equal(c.owner, want) {
			t.Fatalf("seed %d: owners %v, want %v of %+v", seed, c.owner, want, f.Symbols)
		}
	}
}

// TestNestedClaimsAreLinear cuts a file of 200,000 nested functions. To write the lines of each at
// once took 20 s and more.
func TestNestedClaimsAreLinear(t *testing.T) {
	const n = 200_000
	f := &code.File{Language: "javascript", Text: []byte(strings.Repeat("f(){\n", n) + strings.Repeat("}\n", n))}
	for i := range n {
		f.Symbols = append(f.Symbols, code.Symbol{Parent: i - 1, Kind: code.KindFunction, Name: fmt.Sprint("f", i),
			Span: code.Span{StartLine: i + 1, EndLine: 2*n - i}})
	}
	start := time.Now()
	chunks(f)
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("%v", took)
	}
}
