// Package spelling finds what a misspelt name was meant to be.
//
// Edits are letters inserted, dropped or replaced, and neighbours swapped: each
// counts as one, so that "Handel" is one edit from "Handle".
package spelling

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxEdits is how many letters of one of a few known names may be wrong.
const maxEdits = 2

// Nearest is the one of known that name becomes with the fewest edits, the
// first of several; "" where all need more than two, or as many as name has
// letters.
func Nearest(name string, known []string) (near string) {
	letters := []rune(name)
	best := min(maxEdits+1, len(letters))
	for _, k := range known {
		if n := distance(letters, []rune(k), best-1); n < best {
			near, best = k, n
		}
	}
	return near
}

// Word is a name, maybe misspelt, that others are compared with.
type Word struct {
	letters []rune
	allowed int
}

// NewWord prepares the comparison with name. Case, and '_' and '-' between
// words, make no difference: parse_config is parseConfig.
func NewWord(name string) Word {
	w := Word{letters: []rune(fold(name))}
	switch n := len(w.letters); {
	case n <= 3:
		w.allowed = 1
	case n <= 8:
		w.allowed = 2
	default:
		w.allowed = 3
	}
	// With half of its letters wrong, a word is another: find is not main.
	w.allowed = max(min(w.allowed, (len(w.letters)-1)/2), 0)
	return w
}

// Letters is how many letters names have that can be near, without '_' and '-'.
func (w Word) Letters() (least, most int) {
	return len(w.letters) - w.allowed, len(w.letters) + w.allowed
}

// Edits is how many edits make the word name. It reports false where they are
// more than a slip: one in up to three letters, two in up to eight, three in a
// longer word, and always fewer than half of the letters.
func (w Word) Edits(name string) (edits int, near bool) {
	n := utf8.RuneCountInString(name) - strings.Count(name, "_") - strings.Count(name, "-")
	if least, most := w.Letters(); n < least || n > most {
		return 0, false
	}
	edits = distance(w.letters, []rune(fold(name)), w.allowed)
	return edits, edits <= w.allowed
}

func fold(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

// distance is the optimal string alignment distance of two words; anything above
// most where it is more than that.
func distance(a, b []rune, most int) int {
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return most + 1
	}
	before, row, next := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		next[0] = i + 1
		least := next[0]
		for j := range b {
			change := row[j]
			if a[i] != b[j] {
				change++
			}
			next[j+1] = min(change, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
			least = min(least, next[j+1])
		}
		if least > most {
			return most + 1
		}
		before, row, next = row, next, before
	}
	return row[len(b)]
}
