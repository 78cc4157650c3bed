package callgraph

import "testing"

// TestGraphCursorText: the text of a cursor parses to the same cursor, and other texts do
// not parse.
func TestGraphCursorText(t *testing.T) {
	c := cursor{generation: 1 << 40, edges: 4711, request: [6]byte{1, 2, 3, 4, 5, 6}}
	if got, ok := parseCursor(c.String()); !ok || got != c {
		t.Errorf("%v became %v", c, got)
	}
	for _, text := range []string{"", "g1.", "g1.!!", "g2.AQE", c.String() + "AA", c.String()[:8], "g1.gICAgICAgICAgAE"} {
		if got, ok := parseCursor(text); ok {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}
