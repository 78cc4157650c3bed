package search

import (
	"bytes"
	"context"
	"math"
	"regexp"
	"slices"
	"strings"

	"sextant/internal/lang"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/search/rank"
	"sextant/l1fts/embed"
)

const (
	// wordsDepth and proseDepth are the numbers of best candidates that are read before the final
	// ordering, for a query of words and of prose. Reading takes some 1 and 4 ms. Candidates
	// further down hardly ever reach the first ten.
	wordsDepth, proseDepth = 30, 60
	// mostRead is the largest number of bytes that are read from a candidate.
	mostRead = 16 << 10
	// mostAbove is the largest number of comment lines above a symbol that are read.
	mostAbove = 30
	// usualLines is the number of lines from which a function no longer counts as short.
	usualLines = 31
	// usualCalls is the number of lines with calls from which a function counts as doing work.
	usualCalls = 8
	// usualHeld, usualLength and usualBusy are the features held, length and busy of a candidate that has
	// not been read.
	usualHeld, usualLength, usualBusy = 0.5, 6.5, 0.6
)

// rereadDepth returns the number of best candidates to read before the final ordering.
func (r *search) rereadDepth() int {
	if r.wordByWord() {
		return proseDepth
	}
	return wordsDepth
}

// reread reads the first candidates and orders them by new scores, which depend on the share of the
// query that each contains. BM25, a sum over terms, does not show that share. Candidates that were
// not read stay after them.
func (r *search) reread(ctx context.Context, files *reader, found []candidate) error {
	if len(r.terms.list) < 2 {
		return nil
	}
	for i := range found {
		if err := ctx.Err(); err != nil {
			return err
		}
		c := &found[i]
		f, err := files.file(ctx, c.path)
		if isGone(err) {
			continue // the file is missing; render handles that
		}
		if err != nil {
			return err
		}
		c.covered, c.line = r.terms.covered(c, f), r.terms.lineCovered(c, f)
		c.settle()
		if r.wordByWord() {
			r.hold(c, f)
		}
		if rank.Current.Calls(r.weighed().Kind) {
			c.busy = busy(c.text(f))
		}
		r.score(c)
	}
	order(found)
	if r.prose() && r.req.GroupBy != contract.GroupByFile {
		spreadNames(found)
	}
	return nil
}

// mostRanked is the largest number of results of several words over all pages. Of 96 sentences about eight
// repositories 67 had their answer among the first ten, 77 among the first fifty, and one further down.
const mostRanked = 50

// likely drops the candidates of a query of several words after the first mostRanked. Most of them were not read, so
// that their order says little. It keeps symbols that the query names and lines with a rare literal of the query. For
// a route with known handlers it keeps these and the lines that contain the path: what shares words such as "api"
// with the path is no answer beside them.
func (r *search) likely(found []candidate) []candidate {
	if r.routed {
		return slices.DeleteFunc(found, func(c candidate) bool { return c.lifted == 0 })
	}
	if !r.manyWords() || len(found) <= mostRanked {
		return found
	}
	out := found[:mostRanked:mostRanked]
	for i := range found[mostRanked:] {
		if c := &found[mostRanked+i]; c.exact >= rank.NamedSame || c.lifted > 0 {
			out = append(out, *c)
		}
	}
	return out
}

// manyWords reports whether results are symbols that are ranked by several words.
func (r *search) manyWords() bool {
	return len(r.terms.list) > 1 && r.req.GroupBy == contract.GroupBySymbol && r.req.ResultMode != contract.ResultsRaw
}

// hold sets c.held, the share of a question's words in all of c: its comment, name, owner, path and
// text. It also sets c.length.
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

// text returns the lines of c, up to mostRead bytes.
func (c *candidate) text(f *shownFile) []byte {
	start, end := f.lines.Lines(c.lines())
	return f.text[start:min(end, start+mostRead)]
}

// commentAbove returns the first line of the comment directly above a line, at most mostAbove lines
// above it. It returns the line itself if there is no comment.
func commentAbove(f *shownFile, line int) int {
	first := lang.CommentAbove(f.row.Language, line, func(n int) ([]byte, bool) {
		if n < 1 {
			return nil, false
		}
		return lineText(f.text, f.lines, n), true
	})
	return max(first, line-mostAbove)
}

// lines returns the lines of the candidate's symbol, or of its chunk.
func (c *candidate) lines() (first, last int) {
	if c.row != nil {
		return c.row.Symbol.Span.StartLine, c.row.Symbol.Span.EndLine
	}
	return c.start, c.end
}

// size returns the logarithm of the number of lines of c, scaled to 1 for a function of usualLines
// or more. Getters and forwarders contain the words of the functions that do the work, so short
// functions rank lower.
func (c *candidate) size() float64 {
	first, last := c.lines()
	return min(math.Log(float64(2+last-first))/math.Log(usualLines), 1)
}

// busy returns the logarithm of the number of lines with a call in a symbol's text, scaled to 1 for
// usualCalls. A table of values has many lines, but does no work. A call is a name before a
// parenthesis, after the first line.
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
