package search

import (
	"strings"
	"testing"

	"sextant/internal/code"
)

// TestDecisive checks which lines of a result an excerpt shows.
func TestDecisive(t *testing.T) {
	const text = `func (s *Store) expireSessions(now time.Time,
	limit int,
) error {
	for _, x := range s.list {
		s.append(x)
	}
	// A token past its deadline is dropped.
	if x.deadline.Before(now) {
		s.drop(x)
	}
	return nil
}
`
	f := &shownFile{text: []byte(text), lines: code.NewLineIndex([]byte(text))}
	for _, c := range []struct {
		terms string
		first int // of the excerpt
	}{
		{"deadline token", 7},
		{"session expire deadline", 7}, // the words of the name decide nothing
		{"session expire", 1},          // unless no other occurs
		{"drop", 7},                    // two lines have it: the first
		{"end", 1},                     // part of "append", and no word
		{"unknown", 1},                 // nowhere: the first lines
		{"list", 4},
	} {
		r := &terms{list: strings.Fields(c.terms)}
		if got := r.decisive(f, 1, 12, excerptLines, "Store.expireSessions"); got.StartLine != c.first ||
			got.EndLine != c.first+2 {
			t.Errorf("%s: lines %d to %d, want from %d", c.terms, got.StartLine, got.EndLine, c.first)
		}
	}
	rare := &terms{list: []string{"limit", "list", "deadline"}, rarity: []float64{0.05, 0.05, 0.9}}
	if got := rare.decisive(f, 1, 12, excerptLines, ""); got.StartLine != 7 {
		t.Errorf("a rare word is worth more than two common ones: lines from %d", got.StartLine)
	}
	if got := rare.decisive(f, 11, 40, excerptLines, ""); got.StartLine != 11 || got.EndLine > 13 {
		t.Errorf("beyond the end: lines %d to %d", got.StartLine, got.EndLine)
	}
}
