package impact

import (
	"context"
	"testing"

	"sextant/internal/budget"
	"sextant/internal/navigate/engine"
	"sextant/jit"
)

// TestChangeComparedLater checks that a file which there is no time to compare is still part of the
// change: with its words, and without symbols until a later call.
func TestChangeComparedLater(t *testing.T) {
	caches := budget.New(1 << 20)
	e := engine.New(engine.Options{Budget: caches})
	defer e.Close()
	p := newParses(e)
	diffs := []jit.FileDiff{{Path: "a.go", Before: []byte("package a\n\nfunc F() int { return 1 }\n"),
		After: []byte("package a\n\nfunc F() int { return limit }\n")}}
	for range cap(p.slots) {
		p.slots <- struct{}{} // nothing can be parsed
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	c := p.compareAll(over, diffs)[0]
	if !c.late || len(c.symbols) > 0 || !c.words["limit"] || !c.isCode() {
		t.Errorf("without time: late %v, symbols %v, words %v", c.late, c.symbols, c.words)
	}
	for range cap(p.slots) {
		<-p.slots
	}
	c = p.compareAll(t.Context(), diffs)[0]
	if c.late || len(c.symbols) != 1 || c.symbols[0].Name != "F" {
		t.Errorf("with time: late %v, symbols %v", c.late, c.symbols)
	}
	e.Idle()
	if over := p.compareAll(over, diffs)[0]; over.late {
		t.Error("a file is parsed again that the call before has parsed")
	}
	if held, _ := caches.Held(); held == 0 || len(p.held) != 2 {
		t.Errorf("%d bytes are counted for %d parses", held, len(p.held))
	}
	caches.Clear()
	if len(p.held) > 0 {
		t.Errorf("%d parses are kept without a budget", len(p.held))
	}
}

// TestSymbolsOfOneSpan checks that the symbols of const { a, b } = x, which have one span, always come in the same
// order.
func TestSymbolsOfOneSpan(t *testing.T) {
	now := read("a.js", []byte("const { d, b, a, c } = await f()\n"))
	for range 20 {
		var c change
		was := state{own: map[symbolKey]ownText{}, parsed: true}
		if c.compare(&was, &now); len(c.symbols) != 4 {
			t.Fatalf("%d symbols", len(c.symbols))
		}
		var names string
		for _, s := range c.symbols {
			names += s.Name
		}
		if names != "dbac" {
			t.Fatalf("the order is %s", names)
		}
	}
}
