package syntax

import (
	"strings"
	"testing"
	"time"

	"github.com/smacker/go-tree-sitter/golang"
)

// TestParsersAreCutOffByTheirOwnTime checks that a parse which is stopped by the clock continues if
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
