package syntax

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/smacker/go-tree-sitter/golang"
)

// TestParsersAreCutOffByTheirOwnTime checks that a parse which is stopped by the clock begins again if
// it used no processor time, and fails if it did.
func TestParsersAreCutOffByTheirOwnTime(t *testing.T) {
	g := NewGrammar(golang.GetLanguage(), &Rules{})
	text := []byte("package p\n" + strings.Repeat("func f() { g(1, 2, 3) }\n", 20_000))
	if nodes, err := g.within(text, time.Millisecond, func() time.Duration {
		return 0
	}); err != nil || len(nodes) < 20_000 {
		t.Errorf("without a processor: %d nodes, %v", len(nodes), err)
	}
	calls := 0
	busy := func() time.Duration { calls++; return time.Duration(calls) * time.Second }
	if _, err := g.within(text, time.Millisecond, busy); err == nil || calls != 2 {
		t.Errorf("with one: %v after %d looks at the time", err, calls)
	}
}

// TestInterruptedParsesGiveTheSameTree checks that the tree of a text with many errors does not depend on how busy the
// machine is. The parser keeps several readings of such a text, and drops some depending on the order in which it
// advances them.
func TestInterruptedParsesGiveTheSameTree(t *testing.T) {
	g := NewGrammar(golang.GetLanguage(), &Rules{})
	tokens := strings.Fields("func type struct { } ( ) [ ] f g x := = == , ; . * & <- chan map[string]int if for range " +
		"return go defer \"a\" `b 'c' 1 0x /* */ // case switch interface{} ...")
	idle := func() time.Duration { return 0 }
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var b strings.Builder
		for range 4000 {
			b.WriteString(tokens[rng.IntN(len(tokens))])
			b.WriteString([]string{" ", " ", "\n", ""}[rng.IntN(4)])
		}
		text := []byte(b.String())
		whole, err := g.within(text, time.Minute, idle)
		if err != nil {
			t.Fatal(err)
		}
		interrupted, err := g.within(text, 100*time.Microsecond, idle)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(whole, interrupted) {
			t.Fatalf("seed %d: %d nodes, and %d if the parser is interrupted", seed, len(whole), len(interrupted))
		}
	}
}
