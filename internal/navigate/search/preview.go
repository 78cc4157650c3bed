package search

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/search/rank"
)

const (
	// previewLines bounds the lines of a result.
	previewLines = 5
	// shortPreview bounds the lines of the results after the first few.
	shortPreview = 3
	// previewWidth bounds a line of a preview and of a match, in bytes. A minified bundle is a
	// single line.
	previewWidth = 240
)

// preview returns the text and the lines of the window with the most distinct terms, of at most
// most lines between first and last. Of equal windows it returns the earliest. Terms are in lower
// case.
func preview(text []byte, lines *code.LineIndex, first, last, most int, terms []string) (string, contract.LineSpan) {
	last = min(last, lines.Count())
	first = min(max(first, 1), max(last, 1))
	hits := make([]uint64, 0, last-first+1)
	for l := first; l <= last; l++ {
		hits = append(hits, termBits(lineText(text, lines, l), terms))
	}
	best, bestScore := 0, -1
	for i := range hits {
		var seen uint64
		count := 0
		for j := i; j < min(i+most, len(hits)); j++ {
			seen |= hits[j]
			if hits[j] != 0 {
				count++
			}
		}
		// The number of distinct terms decides; of equal windows, one that starts with a hit is
		// better.
		score := popcount(seen)*8 + min(count, 3)
		if i == 0 {
			score += 4 // the declaration itself is the most informative line
		}
		if score > bestScore {
			best, bestScore = i, score
		}
	}
	from := first + best
	to := min(from+most-1, last)
	var b strings.Builder
	for l := from; l <= to; l++ {
		if l > from {
			b.WriteByte('\n')
		}
		b.WriteString(cutLine(lineText(text, lines, l), 0))
	}
	return b.String(), contract.LineSpan{StartLine: from, EndLine: max(to, from)}
}

const (
	// excerptLines bounds the lines of a result in the text format.
	excerptLines = 3
	// wholeLines bounds the lines of a first result that is shown in full, so that no further call
	// is needed.
	wholeLines = 12
)

// excerpt returns the most informative lines of a result for a text answer: all of a short first
// result, else the lines with the words of the query. It omits the declaration, which the line
// above the excerpt names.
func (r *search) excerpt(f *shownFile, c *candidate, index int) (string, contract.LineSpan) {
	first, last, most := c.start, c.end, excerptLines
	switch {
	case c.row == nil:
	case index == 0 && c.row.Symbol.Span.EndLine-c.row.Symbol.Span.StartLine < wholeLines:
		span := c.row.Symbol.Span
		first, last, most = span.StartLine, span.EndLine, wholeLines
	case r.isName() && c.exact >= rank.NamedSame:
		// The declaration itself, not its name in the doc comment.
		first = max(c.row.Symbol.NameSpan.StartLine, c.row.Symbol.Span.StartLine)
		last = min(first+1, c.row.Symbol.Span.EndLine)
	case last-first >= most:
		first++
	}
	return preview(f.text, f.lines, first, last, most, r.terms)
}

// previewAround returns at most most lines of c around its focus.
func previewAround(f *shownFile, c *candidate, most int) (string, contract.LineSpan) {
	first := max(c.start, min(c.focus-most/2, c.end-most+1))
	return preview(f.text, f.lines, first, min(first+most-1, c.end), most, nil)
}

func lineText(text []byte, lines *code.LineIndex, line int) []byte {
	start, end := lines.Lines(line, line)
	return bytes.TrimRight(text[start:end], "\r\n")
}

// termBits returns a bit for each of the first 64 terms that occur in the line.
func termBits(line []byte, terms []string) (bits uint64) {
	if len(terms) == 0 {
		return 0
	}
	lower := strings.ToLower(string(line[:min(len(line), 4*previewWidth)]))
	for i, t := range terms[:min(len(terms), 64)] {
		if strings.Contains(lower, t) {
			bits |= 1 << i
		}
	}
	return bits
}

func popcount(x uint64) (n int) {
	for ; x != 0; x &= x - 1 {
		n++
	}
	return n
}

// cutLine shortens a line to previewWidth bytes around the byte at. It returns valid UTF-8 for any
// content.
func cutLine(line []byte, at int) string {
	if len(line) <= previewWidth {
		return strings.ToValidUTF8(string(line), "\ufffd")
	}
	from := min(max(0, at-previewWidth/3), len(line)-previewWidth)
	to := from + previewWidth
	for from > 0 && !utf8.RuneStart(line[from]) {
		from--
	}
	for to < len(line) && !utf8.RuneStart(line[to]) {
		to++
	}
	s := strings.ToValidUTF8(string(line[from:to]), "\ufffd")
	if from > 0 {
		s = "…" + s
	}
	if to < len(line) {
		s += "…"
	}
	return s
}

// queryTerms returns the words of a query for previews and the confidence: in lower case, without
// stop words, reduced to the stem of inflected forms.
func queryTerms(words string) (terms []string) {
	seen := map[string]bool{}
	for _, w := range strings.FieldsFunc(words, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }) {
		w = strings.ToLower(w)
		if len(w) < 2 || stopWords[w] {
			continue
		}
		w = stem(w)
		if !seen[w] {
			seen[w] = true
			terms = append(terms, w)
		}
	}
	return terms
}

// stem removes the commonest English endings.
func stem(w string) string {
	for _, suffix := range []string{"ing", "ies", "ed", "es", "s"} {
		if rest, ok := strings.CutSuffix(w, suffix); ok && len(rest) >= 4 {
			return rest
		}
	}
	return w
}

// stopWords are English words without meaning for code.
var stopWords = map[string]bool{
	"a": true, "an": true, "and": true, "are": true, "as": true, "at": true, "be": true, "by": true, "can": true, "do": true,
	"does": true, "for": true, "from": true, "how": true, "i": true, "if": true, "in": true, "into": true, "is": true, "it": true,
	"its": true, "me": true, "of": true, "on": true, "or": true, "our": true, "that": true, "the": true, "their": true, "there": true,
	"they": true, "this": true, "to": true, "was": true, "we": true, "what": true, "when": true, "where": true, "which": true,
	"who": true, "why": true, "will": true, "with": true, "you": true, "code": true, "show": true, "find": true,
}
