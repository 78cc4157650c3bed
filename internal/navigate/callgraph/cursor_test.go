package callgraph

import (
	"math"
	"testing"
	"time"

	"github.com/tiktoken-go/tokenizer"
)

// TestGraphCursorText: the text of a cursor parses to the same cursor, and other texts do
// not parse.
func TestGraphCursorText(t *testing.T) {
	now := time.Date(2031, 5, 6, 7, 8, 9, 123456000, time.UTC).UnixMicro()
	for _, c := range []cursor{
		{},
		{edges: 4711, generation: 99, request: 1 << 23},
		{edges: maxWalk, generation: math.MaxUint16, request: 1<<24 - 1, frozen: now},
	} {
		if got, ok := parseCursor(c.String()); !ok || got != c {
			t.Errorf("%v became %v", c, got)
		}
		for _, text := range []string{c.String() + "1x", c.String() + " ", " " + c.String(), c.String()[1:],
			"G" + c.String()[1:]} {
			if got, ok := parseCursor(text); ok {
				t.Errorf("%q is read as %v", text, got)
			}
		}
	}
	for _, text := range []string{"", "g", "g1", "g1.2.3", "g1.2.3.", "g-1.2.3.4", "g1.2.3.-4", "g01.2.3.4",
		"g+1.2.3.4", "g1.2.3.4.5",
		"g1.65536.3.4", "g1.2.4294967296.4", "g1.2.3.99999999999999999999", "g99999999.2.3.4", "r20",
		"i3.4", "20", "g2.AQE"} {
		if got, ok := parseCursor(text); ok {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}

// TestGraphCursorIsShort bounds the tokens of a cursor, which every page of an answer repeats twice:
// an answer shows it, and the next call holds it.
func TestGraphCursorIsShort(t *testing.T) {
	judge, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		t.Fatal(err)
	}
	late := time.Date(2050, 12, 31, 23, 59, 59, 999999000, time.UTC).UnixMicro()
	longest := cursor{edges: maxWalk, generation: math.MaxUint16, request: 1<<24 - 1, frozen: late}
	if n, err := judge.Count(longest.String()); err != nil || n > 20 {
		t.Errorf("%s has %d tokens, error %v", longest, n, err)
	}
}
