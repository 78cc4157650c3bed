package search

import (
	"bytes"
	"context"
	"math"
	"regexp"
	"slices"
	"strings"

	"sextant/internal/navigate/contract"
	"sextant/l1fts/embed"
)

const (
	// wordsDepth and proseDepth bound the candidates that are read before they are
	// ordered for good: some 1 and 4 ms. Below them hardly anything rises into the
	// first ten.
	wordsDepth, proseDepth = 30, 60
	// mostRead bounds what is read of one of them, in bytes.
	mostRead = 16 << 10
	// mostAbove bounds the lines of comment that are read above a symbol.
	mostAbove = 30
	// usualLines is the length from which a function counts as one of some length.
	usualLines = 31
	// usualCalls is the number of lines with calls from which a function counts as one
	// that does something.
	usualCalls = 8
	// The features of a candidate until it is read.
	usualHeld, usualLength, usualBusy = 0.5, 6.5, 0.6
)

func (r *search) rereadDepth() int {
	if r.wordByWord() {
		return proseDepth
	}
	return wordsDepth
}

// reread orders the first candidates by the share of the query that they hold together,
// which BM25, a sum over terms, does not show. Candidates that are not read stay behind
// them.
func (r *search) reread(ctx context.Context, files *reader, found []candidate) error {
	if len(r.terms) < 2 {
		return nil
	}
	for i := range found {
		if err := ctx.Err(); err != nil {
			return err
		}
		c := &found[i]
		f, err := files.file(ctx, c.path)
		if isGone(err) {
			continue // told when it is rendered
		}
		if err != nil {
			return err
		}
		c.covered, c.line = r.covered(c, f), r.lineCovered(c, f)
		if r.wordByWord() {
			r.hold(c, f)
		}
		if r.weighed().Kind.Calls() {
			c.busy = busy(c.text(f))
		}
		r.score(c)
	}
	slices.SortFunc(found, compareCandidates)
	if r.prose() && r.req.GroupBy != contract.GroupByFile {
		spreadNames(found)
	}
	return nil
}

// lineCovered returns the share of what the query says that one line of c holds.
func (r *search) lineCovered(c *candidate, f *shownFile) (best float64) {
	for l := c.start; l <= min(c.end, f.lines.Count()); l++ {
		best = max(best, r.share(cutLine(lineText(f.text, f.lines, l), 0)))
	}
	return best
}

// hold tells how much of the query c holds as a whole: the comment above it, its
// name, owner, path and text.
func (r *search) hold(c *candidate, f *shownFile) {
	d := embed.Document{Path: c.path, Body: string(c.text(f))}
	if c.row != nil {
		s := &c.row.Symbol
		d.Name, d.Signature = s.Name, strings.TrimSuffix(s.QualifiedName, s.Name)+" "+s.Signature
		start, end := f.lines.Lines(commentAbove(f, s.Span.StartLine), s.Span.StartLine-1)
		d.Body = string(f.text[start:max(start, end)]) + d.Body
	}
	c.held, c.length = r.question.Held(d), math.Log(float64(1+len(d.Body)))
}

// text returns the lines of c, as far as they are read.
func (c *candidate) text(f *shownFile) []byte {
	start, end := f.lines.Lines(c.lines())
	return f.text[start:min(end, start+mostRead)]
}

// commentAbove returns the first of the lines of comment that end above a line; that
// line itself where none do.
func commentAbove(f *shownFile, line int) int {
	for n := 0; line > 1 && n < mostAbove; n++ {
		if !commented.Match(bytes.TrimSpace(lineText(f.text, f.lines, line-1))) {
			break
		}
		line--
	}
	return line
}

// commented matches the start of a line of comment, in the languages with symbols.
var commented = regexp.MustCompile(`^(//|/\*|\*/?(\s|$)|#|--\s|<!--)`)

// lines returns those of the symbol that c is, or of its chunk.
func (c *candidate) lines() (first, last int) {
	if c.row != nil {
		return c.row.Symbol.Span.StartLine, c.row.Symbol.Span.EndLine
	}
	return c.start, c.end
}

// size returns the logarithm of the lines of c, 1 for a function of usualLines or more.
// Getters and forwarders bear the words of the functions that do the work.
func (c *candidate) size() float64 {
	first, last := c.lines()
	return min(math.Log(float64(2+last-first))/math.Log(usualLines), 1)
}

// busy returns the logarithm of how many lines of a symbol's text call something, 1 for
// usualCalls: a table of values has many lines, and does nothing. A call is taken
// to be a name before a parenthesis, behind the first line.
func busy(text []byte) float64 {
	_, rest, _ := bytes.Cut(text, []byte{'\n'})
	n := 0
	for line := range bytes.Lines(rest) {
		if n == usualCalls {
			break
		}
		if callLine.Match(line) {
			n++
		}
	}
	return min(math.Log(float64(1+n))/math.Log(usualCalls), 1)
}

var callLine = regexp.MustCompile(`[\w!?>]\(`)
