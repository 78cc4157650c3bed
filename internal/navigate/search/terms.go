package search

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"sextant/internal/navigate/symbols"
	"sextant/l1fts"
)

// terms holds the words of a query without stop words such as "the", reduced to stems.
type terms struct {
	list    []string
	rarity  []float64 // share of each term in the query; the sum is 1
	usual   uint64    // bit i is set if term i is in one of usualShare chunks, or a keyword or stop word
	unknown bool      // whether some term occurs in no chunk
}

// usualShare is the number of chunks of which one contains a usual term, such as "return" in a query about
// the answer that a route returns. The text index gives such words no weight either (noise in l1fts/plan.go).
const usualShare = 10

// keywords lists the words of which a program's lines are full, and which questions have too, by their stems.
// In a tree of many languages and of documents, fewer than one in usualShare chunks may have one.
var keywords = setOf(stem("class"), stem("classes"), stem("function"), stem("import"), stem("new"), stem("private"),
	stem("public"), stem("return"), stem("static"))

// weigh sets the share of each term in the query: rare terms have a greater share, and a term that
// no chunk contains the greatest. A word that the text index leaves out, such as "not", has none beside others.
func (t *terms) weigh(stats l1fts.Stats) {
	frequencies := make([]int64, len(t.list))
	for i, term := range t.list {
		for _, s := range stats.Terms {
			if stem(s.Word) == term {
				frequencies[i] = max(frequencies[i], s.Frequency)
			}
		}
	}
	t.rarity = make([]float64, len(t.list))
	counts := func(term string) bool { return !l1fts.Stopped(term) }
	some, sum := slices.ContainsFunc(t.list, counts), 0.0
	for i, frequency := range frequencies {
		if frequency == 0 && t.between(i, frequencies) {
			continue
		}
		if some && !counts(t.list[i]) {
			if i < 64 {
				t.usual |= 1 << i
			}
			continue
		}
		t.unknown = t.unknown || frequency == 0
		if i < 64 && (frequency > stats.Chunks/usualShare || keywords[t.list[i]]) {
			t.usual |= 1 << i
		}
		t.rarity[i] = math.Log(1 + float64(max(stats.Chunks, 1))/float64(1+frequency))
		sum += t.rarity[i]
	}
	for i := range t.rarity {
		t.rarity[i] /= sum
	}
}

// frequent returns the bits of the usual terms that are no keywords.
func (t *terms) frequent() uint64 {
	bits := t.usual
	for i, term := range t.list[:min(len(t.list), 64)] {
		if keywords[term] {
			bits &^= 1 << i
		}
	}
	return bits
}

// between reports whether term i is a pair of ideographs that overlaps with a neighbouring pair which
// occurs in the index. If term i itself does not occur, it is probably no word but the end of one and
// the beginning of another.
func (t *terms) between(i int, frequencies []int64) bool {
	known := func(j int) bool { return j >= 0 && j < len(t.list) && frequencies[j] > 0 }
	return known(i-1) && overlap(t.list[i-1], t.list[i]) || known(i+1) && overlap(t.list[i], t.list[i+1])
}

// overlap reports whether a and b are pairs of ideographs, and the last of a is the first of b.
func overlap(a, b string) bool {
	middle, size := utf8.DecodeRuneInString(b)
	return l1fts.Ideograph(middle) && len(b) > size && strings.HasSuffix(a, b[:size]) && len(a) > size
}

// share returns the share of the query's terms that a text contains, 1 for all. A text contains a
// term if one of its words, or a part of an identifier, begins with it.
func (t *terms) share(text string) (share float64) {
	lower := strings.ToLower(text)
	for i, term := range t.list {
		if beginsWord(text, lower, term) {
			share += t.rarity[i]
		}
	}
	return share
}

// covered returns the share of the query's terms that occur in the lines of c, its qualified name or
// its path.
func (t *terms) covered(c *candidate, f *shownFile) float64 {
	start, end := f.lines.Lines(c.start, c.end)
	text := string(f.text[start:end]) + " " + c.path
	if c.row != nil {
		text += " " + c.row.Symbol.QualifiedName
	}
	return t.share(text)
}

// lineCovered returns the greatest share of the query's terms in one line of c.
func (t *terms) lineCovered(c *candidate, f *shownFile) (best float64) {
	for l := c.start; l <= min(c.end, f.lines.Count()); l++ {
		best = max(best, t.share(cutLine(lineText(f.text, f.lines, l), 0)))
	}
	return best
}

// beginsWord reports whether a word of text, or a part of an identifier, begins
// with term. lower is text in lower case.
func beginsWord(text, lower, term string) bool {
	if r, _ := utf8.DecodeRuneInString(term); l1fts.Ideograph(r) {
		return strings.Contains(lower, term) // nothing in such a text shows where a word begins
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
