package main

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"sextant/l1fts"
)

// marker finds the parts of a line to highlight for a query: literals and regular
// expressions where they match, and the words of the query in all their forms. For
// "index", it highlights the first part of IndexedFile. It affects only the
// display, not which lines match.
type marker struct {
	literals []string
	exprs    []*regexp.Regexp
	stems    map[string]bool // stems of the query's words
	whole    map[string]bool // identifiers of the query, in the form that the function folded returns
}

// newMarker returns the marker of a query. It marks nothing if the query does
// not parse.
func newMarker(query string) marker {
	m := marker{stems: map[string]bool{}, whole: map[string]bool{}}
	q, err := l1fts.Parse(query)
	if err != nil {
		return m
	}
	m.literals = q.Must
	for _, r := range q.Regex {
		if expr, err := regexp.Compile(r.String()); err == nil {
			m.exprs = append(m.exprs, expr)
		}
	}
	for _, word := range strings.FieldsFunc(q.Text, notWord) {
		m.whole[folded(word)] = true
		for _, p := range parts(word) {
			if part := strings.ToLower(word[p[0]:p[1]]); len(part) > 1 && !smallWords[part] {
				m.stems[stem(part)] = true
			}
		}
	}
	return m
}

// smallWords are words of a query that are never highlighted.
var smallWords = map[string]bool{"the": true, "is": true, "are": true, "was": true, "be": true, "of": true,
	"in": true, "on": true, "to": true,
	"a": true, "an": true, "and": true, "or": true, "for": true, "by": true, "it": true, "with": true, "where": true,
	"what": true, "how": true,
	"who": true, "when": true, "which": true, "why": true, "does": true, "do": true, "that": true, "this": true,
	"from": true, "as": true, "at": true}

// spans returns the byte ranges of line to highlight, in order and without
// overlaps.
func (m marker) spans(line string) [][2]int {
	var found [][2]int
	for _, lit := range m.literals {
		for at := 0; lit != ""; {
			i := strings.Index(line[at:], lit)
			if i < 0 {
				break
			}
			found = append(found, [2]int{at + i, at + i + len(lit)})
			at += i + len(lit)
		}
	}
	for _, expr := range m.exprs {
		for _, f := range expr.FindAllStringIndex(line, -1) {
			found = append(found, [2]int{f[0], f[1]})
		}
	}
	if len(m.whole) > 0 {
		found = m.words(line, found)
	}
	slices.SortFunc(found, func(a, b [2]int) int { return a[0] - b[0] })
	var apart [][2]int
	for _, f := range found {
		if n := len(apart); n > 0 && f[0] <= apart[n-1][1] {
			apart[n-1][1] = max(apart[n-1][1], f[1])
		} else if f[1] > f[0] {
			apart = append(apart, f)
		}
	}
	return apart
}

// words appends to found the byte ranges of line to highlight for words: of identifiers that the
// query names whole, and of the parts of other identifiers that have the stem of a word of the
// query, such as indexed in indexed_file for "index".
func (m marker) words(line string, found [][2]int) [][2]int {
	for at := 0; at < len(line); {
		from := strings.IndexFunc(line[at:], func(r rune) bool { return !notWord(r) })
		if from < 0 {
			break
		}
		from += at
		to := strings.IndexFunc(line[from:], notWord)
		if to < 0 {
			to = len(line)
		} else {
			to += from
		}
		word := line[from:to]
		at = to
		if f := folded(word); m.whole[f] && !smallWords[f] {
			found = append(found, [2]int{from, to})
			continue
		}
		for _, p := range parts(word) {
			if m.stems[stem(strings.ToLower(word[p[0]:p[1]]))] {
				found = append(found, [2]int{from + p[0], from + p[1]})
			}
		}
	}
	return found
}

func notWord(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// folded returns an identifier in lower case without underscores, so that the
// results for maxSize and max_size are equal.
func folded(word string) string { return strings.ToLower(strings.ReplaceAll(word, "_", "")) }

// parts returns the byte ranges of the words in an identifier, split at
// underscores and where the case changes: HTTPServer_v2 has HTTP, Server and
// v2.
func parts(word string) (list [][2]int) {
	runes, offsets := []rune{}, []int{}
	for i, r := range word {
		runes, offsets = append(runes, r), append(offsets, i)
	}
	offsets = append(offsets, len(word))
	start := 0
	cut := func(end int) {
		if end > start {
			list = append(list, [2]int{offsets[start], offsets[end]})
		}
		start = end
	}
	for i, r := range runes {
		switch {
		case r == '_':
			cut(i)
			start = i + 1
		case i > start && unicode.IsUpper(r) &&
			(!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])):
			cut(i)
		}
	}
	cut(len(runes))
	return list
}

// endings are suffixes that stem removes, longest first.
var endings = []string{"izations", "ization", "ations", "ation", "ingly", "ments", "ment", "ings", "ions", "ing",
	"ies", "ers", "ion", "ed", "es", "er", "ly", "s", "e", "y"}

// stem returns the common beginning of the forms of a lower-case word: index
// for indexes and indexing. It is coarser than the stemmer of the index; at
// worst, one word too many is highlighted.
func stem(word string) string {
	for _, end := range endings {
		if cut, ok := strings.CutSuffix(word, end); ok && len(cut) >= 3 {
			if n := len(cut); n > 3 && cut[n-1] == cut[n-2] {
				cut = cut[:n-1] // a doubled consonant, as in running or stopped
			}
			return cut
		}
	}
	return word
}

// marked returns line with the matches of m highlighted.
func (s style) marked(line string, m marker) string {
	if !s.on {
		return line
	}
	var b strings.Builder
	at := 0
	for _, f := range m.spans(line) {
		b.WriteString(line[at:f[0]])
		b.WriteString(s.mark(line[f[0]:f[1]]))
		at = f[1]
	}
	b.WriteString(line[at:])
	return b.String()
}
