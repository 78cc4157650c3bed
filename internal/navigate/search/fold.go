package search

import (
	"bytes"
	"strings"
)

// folded finds a word in any case of its ASCII letters, without a lower-case copy of the text. It
// searches for the word's rarest byte in both cases, and compares the bytes around it.
type folded struct {
	word         []byte // in lower case
	pivot        int    // index in word of its rarest byte
	lower, upper byte   // the rarest byte in both cases
}

// byRarity lists the letters of source code, rarest first. Other bytes count as rarer than
// letters, except for those that separate words.
const byRarity = "zqjxkvywbghfmupcdlsnaoirte"

// foldWord prepares the search for a word in any case.
func foldWord(word string) folded {
	f := folded{word: lowerASCII([]byte(word))}
	best := len(byRarity) + 1
	for i, c := range f.word {
		rarity := strings.IndexByte(byRarity, c)
		if c == ' ' || c == '.' || c == '(' || c == ')' || c == ',' {
			rarity = len(byRarity)
		}
		if rarity < best {
			best, f.pivot = rarity, i
		}
	}
	if len(f.word) > 0 {
		f.lower = f.word[f.pivot]
		f.upper = f.lower
		if 'a' <= f.lower && f.lower <= 'z' {
			f.upper -= 'a' - 'A'
		}
	}
	return f
}

// each calls fn with every offset of text at which the word begins, in ascending order. An empty
// word occurs nowhere.
func (f *folded) each(text []byte, fn func(at int)) {
	if len(f.word) == 0 || len(text) < len(f.word) {
		return
	}
	last := len(text) - len(f.word) + f.pivot + 1
	lower, upper := nextByte(text[:last], f.pivot, f.lower), last
	if f.upper != f.lower {
		upper = nextByte(text[:last], f.pivot, f.upper)
	}
	for lower < last || upper < last {
		at := min(lower, upper)
		if at == lower {
			lower = nextByte(text[:last], at+1, f.lower)
		} else {
			upper = nextByte(text[:last], at+1, f.upper)
		}
		if f.at(text[at-f.pivot:]) {
			fn(at - f.pivot)
		}
	}
}

// nextByte returns the offset of the first c at or after from, or len(text).
func nextByte(text []byte, from int, c byte) int {
	if i := bytes.IndexByte(text[from:], c); i >= 0 {
		return from + i
	}
	return len(text)
}

// at reports whether text begins with the word.
func (f *folded) at(text []byte) bool {
	for i, c := range f.word {
		b := text[i]
		if 'A' <= b && b <= 'Z' {
			b += 'a' - 'A'
		}
		if b != c {
			return false
		}
	}
	return true
}

// lowerASCII returns text with A to Z in lower case; every byte keeps its offset.
func lowerASCII(text []byte) []byte {
	out := bytes.Clone(text)
	for i, c := range out {
		if 'A' <= c && c <= 'Z' {
			out[i] = c + 'a' - 'A'
		}
	}
	return out
}
