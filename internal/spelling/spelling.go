// Package spelling finds the known name that a misspelt name was meant to be.
//
// An edit is one letter inserted, dropped or replaced, or two neighbours
// swapped: "Handel" is one edit from "Handle".
package spelling

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxEdits bounds the edits between a misspelt name and a known one in Nearest.
const maxEdits = 2

// Nearest returns the known name that is the fewest edits away from name; if there are several,
// the first of them. It returns "" if every known name is more than maxEdits away, or at least as
// many edits as name has letters.
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

// Word is a possibly misspelt name, prepared for comparison with many others.
type Word struct {
	letters []rune
	allowed int // number of edits up to which a name counts as near
}

// NewWord prepares name for comparison. Case, '_' and '-' are ignored:
// parse_config equals parseConfig.
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
	// A name with half of its letters wrong is a different word: find is not
	// main.
	w.allowed = max(min(w.allowed, (len(w.letters)-1)/2), 0)
	return w
}

// Letters returns the fewest and the most letters of a name that Edits may accept. '_' and '-' do
// not count.
func (w Word) Letters() (least, most int) {
	return len(w.letters) - w.allowed, len(w.letters) + w.allowed
}

// Edits returns the number of edits between the word and name. It reports false if there are too
// many for a slip: more than one in a word of up to three letters, two in one of up to eight, three
// in a longer one, or half of the letters or more.
func (w Word) Edits(name string) (edits int, near bool) {
	n := utf8.RuneCountInString(name) - strings.Count(name, "_") - strings.Count(name, "-")
	if least, most := w.Letters(); n < least || n > most {
		return 0, false
	}
	edits = distance(w.letters, []rune(fold(name)), w.allowed)
	return edits, edits <= w.allowed
}

// fold returns name in lower case without '_' and '-'.
func fold(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

// distance returns the optimal string alignment distance of a and b. If that is more than most, it
// returns any number above most.
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
