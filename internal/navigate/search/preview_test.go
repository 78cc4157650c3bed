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
	if got := rare.decisive(f, 5, 5, excerptLines, ""); got.StartLine != 5 || got.EndLine != 5 {
		t.Errorf("a single line: lines %d to %d", got.StartLine, got.EndLine)
	}
	if got := rare.decisive(f, 11, 40, excerptLines, ""); got.StartLine != 11 || got.EndLine > 13 {
		t.Errorf("beyond the end: lines %d to %d", got.StartLine, got.EndLine)
	}
}

// TestPreviewWindow checks which lines a preview shows: those with the most distinct words, of equal ones
// the first, and at the top of a declaration sooner than below it.
func TestPreviewWindow(t *testing.T) {
	text := []byte("one a\ntwo\nthree b\nfour b c\nfive\nsix a b c\nseven\n")
	for _, c := range []struct {
		first, last, most int
		terms             string
		from, to          int
		shown             string
	}{
		{1, 7, 2, "a b c", 5, 6, "five\nsix a b c"},
		{1, 7, 1, "a b c", 6, 6, "six a b c"},
		{1, 7, 2, "a b", 5, 6, "five\nsix a b c"},
		{1, 7, 2, "three four", 3, 4, "three b\nfour b c"},
		{1, 7, 2, "nothing", 1, 2, "one a\ntwo"},
		{2, 5, 2, "c", 3, 4, "three b\nfour b c"},
		{1, 7, 3, "two", 1, 3, "one a\ntwo\nthree b"}, // the first line is included
		{6, 90, 5, "seven", 6, 7, "six a b c\nseven"},
		{0, 1, 5, "a", 1, 1, "one a"},
		{1, 7, 1, "seven", 7, 7, "seven"}, // the last line counts
		{1, 6, 1, "seven", 1, 1, "one a"},
	} {
		got, span := preview(text, code.NewLineIndex(text), c.first, c.last, c.most, strings.Fields(c.terms))
		if span.StartLine != c.from || span.EndLine != c.to || got != c.shown {
			t.Errorf("%q in %d to %d: %d to %d, %q; want %d to %d", c.terms, c.first, c.last, span.StartLine,
				span.EndLine, got,
				c.from, c.to)
		}
	}
}
