package navigate

import (
	"bytes"
	"context"
	"math"
	"regexp"
	"slices"
	"strings"

	"sextant/l1fts/embed"
)

const (
	// rereadDepth is how many candidates are read before they are ordered for
	// good: some 4 ms, and below them hardly anything rises into the first ten.
	rereadDepth = 60
	// mostRead bounds what is read of one of them, in bytes.
	mostRead = 16 << 10
	// mostAbove is how many lines of comment above a symbol are read.
	mostAbove = 30
	// usualLines is the length from which a function counts as one of some length.
	usualLines = 31
	// usualCalls is how many lines with calls are as many as one needs that does
	// something.
	usualCalls = 8
	// What a candidate is taken for until it is read.
	usualHeld, usualLength, usualBusy = 0.5, 6.5, 0.6
)

// reread orders the first candidates by how much of what the query says they
// hold together, which BM25, a sum over terms, does not tell. Those that are not
// read stay behind them.
func (r *search) reread(ctx context.Context, files *reader, found []candidate) error {
	if len(r.terms) < 2 {
		return nil
	}
	for i := range found {
		c := &found[i]
		f, err := files.file(ctx, c.path)
		if isGone(err) {
			continue // told when it is rendered
		}
		if err != nil {
			return err
		}
		c.covered, c.line = r.covered(c, f), r.lineCovered(c, f)
		if r.told() {
			r.hold(c, f)
		}
		r.score(c)
	}
	slices.SortFunc(found, compareCandidates)
	if r.prose() && r.req.GroupBy != "file" {
		spreadNames(found)
	}
	return nil
}

// lineCovered is the share of what the query says that one line of c holds.
func (r *search) lineCovered(c *candidate, f *shownFile) (best float64) {
	for l := c.start; l <= min(c.end, f.lines.Count()); l++ {
		best = max(best, r.share(cutLine(lineText(f.text, f.lines, l), 0)))
	}
	return best
}

// hold tells how much of the query c holds as a whole: the comment above it, its
// name, owner, path and text.
func (r *search) hold(c *candidate, f *shownFile) {
	first, last := c.lines()
	d := embed.Document{Path: c.path}
	if c.row != nil {
		s := &c.row.Symbol
		d.Name, d.Signature = s.Name, strings.TrimSuffix(s.QualifiedName, s.Name)+" "+s.Signature
		first = commentAbove(f, first)
	}
	start, end := f.lines.Lines(first, last)
	body := f.text[start:min(end, start+mostRead)]
	d.Body = string(body)
	c.held, c.length, c.busy = r.asked.Held(d), math.Log(float64(1+len(body))), c.calling(f)
}

// commentAbove is the first of the lines of comment and annotation that end
// above a line; that line itself where none do.
func commentAbove(f *shownFile, line int) int {
	for n := 0; line > 1 && n < mostAbove; n++ {
		text := bytes.TrimSpace(lineText(f.text, f.lines, line-1))
		if len(text) == 0 || !strings.ContainsRune("/*#@[-", rune(text[0])) {
			break
		}
		line--
	}
	return line
}

// lines are those of the symbol that c is, or of its chunk.
func (c *candidate) lines() (first, last int) {
	if c.row != nil {
		return c.row.Symbol.Span.StartLine, c.row.Symbol.Span.EndLine
	}
	return c.start, c.end
}

// size is how much c does, by the logarithm of its lines, 1 for a function of
// usualLines. Getters and forwarders bear the words of what others do.
func (c *candidate) size() float64 {
	first, last := c.lines()
	return min(math.Log(float64(2+last-first))/math.Log(usualLines), 1)
}

// calling is the logarithm of how many lines of c call something, 1 for
// usualCalls: a table of values has many lines, and does nothing. A call is taken
// to be a name before a parenthesis, behind the first line.
func (c *candidate) calling(f *shownFile) float64 {
	first, last := c.lines()
	n := 0
	for l := first + 1; l <= min(last, f.lines.Count()) && n < usualCalls; l++ {
		if callLine.Match(lineText(f.text, f.lines, l)) {
			n++
		}
	}
	return min(math.Log(float64(1+n))/math.Log(usualCalls), 1)
}

var callLine = regexp.MustCompile(`[\w!?>]\(`)
