package search

import (
	"math"
	"strings"
	"unicode/utf8"

	"sextant/internal/navigate/symbols"
	"sextant/l1fts"
)

// weigh sets the share of each term in the query: rare terms have a greater share, and a term that
// no chunk contains the greatest.
func (r *search) weigh(stats l1fts.Stats) {
	frequencies := make([]int64, len(r.terms))
	for i, t := range r.terms {
		for _, s := range stats.Terms {
			if stem(s.Word) == t {
				frequencies[i] = max(frequencies[i], s.Frequency)
			}
		}
	}
	r.rarity = make([]float64, len(r.terms))
	sum := 0.0
	for i, frequency := range frequencies {
		if frequency == 0 && r.between(i, frequencies) {
			continue
		}
		r.unknown = r.unknown || frequency == 0
		r.rarity[i] = math.Log(1 + float64(max(stats.Chunks, 1))/float64(1+frequency))
		sum += r.rarity[i]
	}
	for i := range r.rarity {
		r.rarity[i] /= sum
	}
}

// between reports whether a term is a pair of ideographs that overlaps with a known one. If it occurs
// nowhere, it is the end of one word and the beginning of another rather than a word.
func (r *search) between(i int, frequencies []int64) bool {
	known := func(j int) bool { return j >= 0 && j < len(r.terms) && frequencies[j] > 0 }
	return known(i-1) && overlap(r.terms[i-1], r.terms[i]) || known(i+1) && overlap(r.terms[i], r.terms[i+1])
}

// overlap reports whether two terms are pairs of ideographs that have the middle one in common.
func overlap(a, b string) bool {
	middle, size := utf8.DecodeRuneInString(b)
	return l1fts.Ideograph(middle) && len(b) > size && strings.HasSuffix(a, b[:size]) && len(a) > size
}

// share returns the share of the query's terms that a text contains, 1 for all. A text contains a
// term if one of its words, or a part of an identifier, begins with it.
func (r *search) share(text string) (share float64) {
	lower := strings.ToLower(text)
	for i, t := range r.terms {
		if beginsWord(text, lower, t) {
			share += r.rarity[i]
		}
	}
	return share
}

// beginsWord reports whether a word of text, or a part of an identifier, begins
// with term. lower is text in lower case.
func beginsWord(text, lower, term string) bool {
	if r, _ := utf8.DecodeRuneInString(term); l1fts.Ideograph(r) {
		return strings.Contains(lower, term) // no sign says where a word begins
	}
	for at := 0; ; at++ {
		i := strings.Index(lower[at:], term)
		if i < 0 {
			return false
		}
		// If lower case changes the length of the text, offsets cannot be compared.
		if at += i; len(lower) != len(text) || at == 0 || partBegins(text, at) {
			return true
		}
	}
}

func isCapital(c byte) bool { return c >= 'A' && c <= 'Z' }

// partBegins reports whether a part of an identifier begins at text[at]; at is not 0. Examples:
// readFile, HTTPServer, sha256, read_file.
func partBegins(text string, at int) bool {
	before, c := text[at-1], text[at]
	switch {
	case !symbols.IsLetter(before):
		return true
	case !isCapital(c):
		return false
	}
	return !isCapital(before) || at+1 < len(text) && symbols.IsLetter(text[at+1]) && !isCapital(text[at+1])
}
