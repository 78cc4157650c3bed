package search

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/search/rank"
	"sextant/l1fts"
)

const (
	// previewLines is the largest number of lines of a preview.
	previewLines = 5
	// shortPreview is the largest number of lines of a preview after the first few results.
	shortPreview = 3
	// previewWidth is the largest number of bytes of a line in a preview or a match. A minified
	// bundle is a single line.
	previewWidth = 240
)

// preview returns the text and the span of a window of lines. The window is between first and last, has
// no more than most lines, and is the one with the most distinct terms; among equals, one at first or
// with more matching lines is preferred. Terms are in lower case.
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
		// The number of distinct terms decides; of equal windows, one with more matching lines is better.
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
	// excerptLines is the largest number of lines of an excerpt, which results in the text format
	// have.
	excerptLines = 3
	// leading is the number of results, from the first on, whose excerpts have up to excerptLines
	// lines. Of 325 questions 240 had their answer there, and 22 in the other five results of the
	// page. leadingWeak is the same for an answer without a good match.
	leading, leadingWeak = 5, 3
	// laterLines is the largest number of lines of an excerpt after the leading results, and after the first
	// page: a caller that gets there looks through many results.
	laterLines = 1
	// wholeNear is the largest number of lines of a body that is shown in full, so that no
	// further call is needed. It applies to the first few results, among which the caller mostly
	// finds the answer. wholeFar applies to the other results, and to those of an answer without
	// a good match.
	wholeNear, wholeFar = 20, 8
	// wholeNamed is the largest number of lines of a body that is shown in full if the query is a
	// name. It applies to the first result: callers mostly only want its place.
	wholeNamed = 8
)

// excerpt returns the most informative lines of a result for a text answer: all of a short body, else
// the lines with the words of the query. It omits the declaration, which the line above the excerpt
// names, unless no line below it says more about the query. After the leading results of the first page it
// omits it then too: the text and the span are empty.
func (d *drawing) excerpt(f *shownFile, c *candidate, index int) (string, contract.LineSpan) {
	most := d.excerptLines(index)
	if c.row == nil {
		return window(f, d.terms.decisive(f, c.start, c.end, most, ""))
	}
	span := c.row.Symbol.Span
	if span.EndLine-span.StartLine < d.whole(index) {
		return window(f, contract.Lines(span))
	}
	if d.isName() && c.exact >= rank.NamedSame {
		// Show the line with the name, not that of an annotation above it. The first statements say little
		// about the whole function.
		first := nameLine(f, c.row.Symbol)
		last := first
		if open(lineText(f.text, f.lines, first)) {
			last++
		}
		return window(f, contract.LineSpan{StartLine: first, EndLine: min(last, span.EndLine)})
	}
	first, line, name := c.start, nameLine(f, c.row.Symbol), c.row.Symbol.QualifiedName
	news := d.terms.news(f, first, line-1, name) || d.terms.news(f, max(first, line+1), c.end, name)
	if line >= first && !news || closes(f, first, c.end) {
		if d.answer.From == 0 && d.later(index) {
			return "", contract.LineSpan{}
		}
		return window(f, contract.LineSpan{StartLine: line, EndLine: min(line+most-1, span.EndLine)})
	}
	if c.end-first >= most && (news || d.terms.occur(f, first+1, c.end)) {
		first++
	}
	return window(f, d.terms.decisive(f, first, c.end, most, name))
}

// closes reports whether the lines from first to last have no more than braces or "end", as the chunk after the last
// method of a long class has.
func closes(f *shownFile, first, last int) bool {
	for l := first; l <= min(last, f.lines.Count()); l++ {
		if len(bytes.TrimSpace(lineText(f.text, f.lines, l))) > len("end") {
			return false
		}
	}
	return true
}

// nameLine returns the line with the name of a symbol, which follows those of its comment and its annotations.
func nameLine(f *shownFile, s code.Symbol) int {
	line, _ := f.lines.Position(s.NameSpan.StartByte)
	return min(max(line, s.Span.StartLine), s.Span.EndLine)
}

// excerptLines returns the largest number of lines of the excerpt that the result at index has.
func (d *drawing) excerptLines(index int) int {
	if d.later(index) {
		return laterLines
	}
	return excerptLines
}

// later reports whether the result at index comes after the leading results. If the query as a whole is a text that
// results have, such as a message, the others are no leading ones.
func (d *drawing) later(index int) bool {
	first := leading
	if d.answer.Confidence == contract.Low {
		first = leadingWeak
	}
	if d.verbatim {
		first = min(first, d.holding)
	}
	return d.answer.From > 0 || index >= first
}

// open reports whether a declaration continues after its first line, as one with a long list of parameters
// does.
func open(line []byte) bool {
	line = bytes.TrimSpace(line)
	return bytes.HasSuffix(line, []byte("(")) || bytes.HasSuffix(line, []byte(","))
}

// whole returns the largest number of lines of a body that the result at index shows in full. If several
// symbols have the queried name, the caller must first choose one, by place and signature, so no body is
// shown. Nor is one shown after the leading results, where the answer is unlikely to be.
func (d *drawing) whole(index int) int {
	switch {
	case d.several, d.later(index):
		return laterLines
	case d.isName() && index == 0:
		return wholeNamed
	case d.isName():
		return excerptLines
	case index < navigated && d.answer.Confidence != contract.Low:
		return wholeNear
	}
	return wholeFar
}

// decisive returns the window with the rarest words of the query. It is between the lines first and last,
// and the parameter most bounds its number of lines. If these lines have words of the query that are neither in
// name nor usual, only those count: the line above the excerpt shows the name. Usual words that are no keywords
// decide between windows that are equal without them. Of equal windows, decisive returns the first whose first
// line has a word that counts.
func (t *terms) decisive(f *shownFile, first, last, most int, name string) contract.LineSpan {
	last = min(last, f.lines.Count())
	first = min(max(first, 1), max(last, 1))
	known, frequent := t.usual|termBits([]byte(name), t.list), t.frequent()
	hits := make([]uint64, 0, last-first+1)
	news := false
	for l := first; l <= last; l++ {
		hits = append(hits, termBits(lineText(f.text, f.lines, l), t.list))
		news = news || hits[len(hits)-1]&^known != 0
	}
	best, bestWeight := 0, -1.0
	for i := range hits {
		var seen uint64
		for _, h := range hits[i:min(i+most, len(hits))] {
			seen |= h
		}
		weight := float64(popcount(seen&frequent)) * hasUsual
		if seen &^= t.usual; news {
			seen &^= known
		}
		weight += t.weight(seen)
		if hits[i]&seen != 0 {
			weight += startsWithHit
		}
		if weight > bestWeight {
			best, bestWeight = i, weight
		}
	}
	return contract.LineSpan{StartLine: first + best, EndLine: max(min(first+best+most-1, last), first+best)}
}

// news reports whether a line from first to last has a word of the query that is neither in name nor usual.
// For "POST /seats returns 403", the line "return ok(seats.create(seat));" of Seats.create says nothing new.
func (t *terms) news(f *shownFile, first, last int, name string) bool {
	known := t.usual | termBits([]byte(name), t.list)
	for l := first; l <= min(last, f.lines.Count()); l++ {
		if termBits(lineText(f.text, f.lines, l), t.list)&^known != 0 {
			return true
		}
	}
	return false
}

// occur reports whether a line from first to last has a word of the query.
func (t *terms) occur(f *shownFile, first, last int) bool {
	for l := first; l <= min(last, f.lines.Count()); l++ {
		if termBits(lineText(f.text, f.lines, l), t.list) != 0 {
			return true
		}
	}
	return false
}

// startsWithHit is added to the weight of a window whose first line has a word of the query. It is less than
// the weight of any word, so that it only chooses among equal windows.
const startsWithHit = 1e-6

// hasUsual is added for each usual word of a window that is no keyword: more than startsWithHit, and less than the
// weight of any other word. It finds the comment of MaxValueSize, "the maximum length of a value", below that of
// MaxKeySize.
const hasUsual = 1e-5

// weight returns the sum of the rarities of the query's terms whose bits are set in terms. Bit i
// is for t.list[i].
func (t *terms) weight(terms uint64) (sum float64) {
	for i := range min(len(t.list), 64) {
		switch {
		case terms>>i&1 == 0:
		case i < len(t.rarity):
			sum += max(t.rarity[i], 100*hasUsual)
		default:
			sum++ // all terms count 1 if their rarity is not known
		}
	}
	return sum
}

// window returns lines of a file, each cut to previewWidth, and their span.
func window(f *shownFile, span contract.LineSpan) (string, contract.LineSpan) {
	var b strings.Builder
	for l := span.StartLine; l <= span.EndLine; l++ {
		if l > span.StartLine {
			b.WriteByte('\n')
		}
		b.WriteString(cutLine(lineText(f.text, f.lines, l), 0))
	}
	return b.String(), span
}

// previewAround returns no more than most lines of c around c.focus, the line of a literal.
func previewAround(f *shownFile, c *candidate, most int) (string, contract.LineSpan) {
	first := max(c.start, min(c.focus-most/2, c.end-most+1))
	return preview(f.text, f.lines, first, min(first+most-1, c.end), most, nil)
}

func lineText(text []byte, lines *code.LineIndex, line int) []byte {
	start, end := lines.Lines(line, line)
	return bytes.TrimRight(text[start:end], "\r\n")
}

// termBits returns a set of bits: bit i is set if a word of the line begins with terms[i]. It considers the
// first 64 terms. A part of a name is a word: the term "end" is in sendEnd and send_end, and not in append.
func termBits(line []byte, terms []string) (bits uint64) {
	if len(terms) == 0 {
		return 0
	}
	text := string(line[:min(len(line), 4*previewWidth)])
	lower := strings.ToLower(text)
	for i, t := range terms[:min(len(terms), 64)] {
		if beginsWord(text, lower, t) {
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
// stop words, reduced to the stem of inflected forms. A run of ideographs gives its overlapping pairs,
// as they are indexed.
func queryTerms(words string) (terms []string) {
	seen := map[string]bool{}
	for _, w := range strings.FieldsFunc(words, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_'
	}) {
		w = strings.ToLower(w)
		if len(w) < 2 || stopWords[w] {
			continue
		}
		for _, term := range pairs(w) {
			if !seen[term] && !stopWords[term] {
				seen[term] = true
				terms = append(terms, term)
			}
		}
	}
	return terms
}

// pairs splits a word into terms: a run of ideographs into its overlapping pairs, such as 日本 and
// 本語 for 日本語 (a single ideograph is a term), and a run of other letters into its stem.
func pairs(word string) (out []string) {
	for word != "" {
		first, _ := utf8.DecodeRuneInString(word)
		end := strings.IndexFunc(word, func(r rune) bool { return l1fts.Ideograph(r) != l1fts.Ideograph(first) })
		if end < 0 {
			end = len(word)
		}
		run := word[:end]
		word = word[end:]
		runes := []rune(run)
		switch {
		case !l1fts.Ideograph(first):
			if len(run) >= 2 {
				out = append(out, stem(run))
			}
		case len(runes) == 1:
			out = append(out, run)
		default:
			for i := range runes[1:] {
				out = append(out, string(runes[i:i+2]))
			}
		}
	}
	return out
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

// stopWords lists English words that say nothing about code, and question words in Chinese and
// Japanese.
var stopWords = map[string]bool{
	"a": true, "an": true, "and": true, "are": true, "as": true, "at": true, "be": true, "by": true,
	"can": true, "do": true,
	"does": true, "for": true, "from": true, "how": true, "i": true, "if": true, "in": true,
	"into": true, "is": true, "it": true,
	"its": true, "me": true, "of": true, "on": true, "or": true, "our": true, "that": true, "the": true,
	"their": true, "there": true,
	"they": true, "this": true, "to": true, "was": true, "we": true, "what": true, "when": true,
	"where": true, "which": true,
	"who": true, "why": true, "will": true, "with": true, "you": true, "code": true, "show": true, "find": true,
	"如何": true, "怎么": true, "怎样": true, "什么": true, "哪里": true, "在哪": true, "哪个": true,
	"哪些": true, "何时": true, "どこ": true,
}
