package l1fts

import (
	"bytes"
	"context"
	"slices"
	"unicode/utf8"
)

// Matcher evaluates the operators must:, exclude: and regex: of a query on the bytes of a file. It
// is safe for concurrent use.
type Matcher struct {
	must    [][]byte
	exclude [][]byte
	regex   []*Regex
}

// Matcher returns a Matcher for q's must:, exclude: and regex:.
func (q Query) Matcher() *Matcher {
	m := &Matcher{regex: q.Regex}
	for _, s := range q.Must {
		m.must = append(m.must, []byte(s))
	}
	for _, s := range q.Exclude {
		m.exclude = append(m.exclude, []byte(s))
	}
	return m
}

// MatchLines reports whether text, a file or some whole lines of a file, matches: it contains
// every must: literal and no exclude: literal, and each regex: matches some line. lines are the
// lines that contain a literal of must: or match a regex:, 1-based from the start of text, in
// order. They equal the lines that ripgrep lists for the same literal or expression, with --crlf or
// without. A literal that spans lines counts for its first line. The error is that of ctx, which may end within a
// line.
func (m *Matcher) MatchLines(ctx context.Context, text []byte) (lines []int, ok bool, err error) {
	for _, s := range m.exclude {
		if bytes.Contains(text, s) {
			return nil, false, nil
		}
	}
	for _, s := range m.must {
		n := len(lines)
		if lines = literalLines(lines, text, s); len(lines) == n {
			return nil, false, nil
		}
	}
	for _, re := range m.regex {
		n := len(lines)
		if lines = re.lines(ctx, lines, text); ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
		if len(lines) == n {
			return nil, false, nil
		}
	}
	if len(m.must)+len(m.regex) > 1 {
		slices.Sort(lines)
		lines = slices.Compact(lines)
	}
	return lines, true, nil
}

// First returns the offset in line at which the first match begins, 0 if no match begins on the
// line or if ctx ends before. line must not contain a newline.
func (m *Matcher) First(ctx context.Context, line []byte) int {
	first := len(line)
	for _, s := range m.must {
		// Only the first line of a literal that spans lines can be in this line.
		head, _, _ := bytes.Cut(s, newline)
		if i := bytes.Index(line, head); i >= 0 {
			first = min(first, i)
		}
	}
	for _, re := range m.regex {
		at := re.match.find(ctx, line)
		if short, ok := bytes.CutSuffix(line, carriageReturn); at < 0 && ok {
			at = re.match.find(ctx, short) // as Matches does
		}
		if at >= 0 {
			first = min(first, at)
		}
	}
	if first == len(line) {
		return 0
	}
	return first
}

// literalLines appends to lines the 1-based numbers of the lines of text on
// which s starts.
func literalLines(lines []int, text, s []byte) []int {
	line := 1
	for {
		i := bytes.Index(text, s)
		if i < 0 {
			return lines
		}
		line += bytes.Count(text[:i], newline)
		lines = append(lines, line)
		next := bytes.IndexByte(text[i:], '\n')
		if next < 0 {
			return lines
		}
		line++
		text = text[i+next+1:]
	}
}

var newline, carriageReturn = []byte{'\n'}, []byte{'\r'}

// lines appends the numbers of the lines of text that r matches, until ctx ends. It runs Go's
// engine on one line at a time, because the engine is fastest on short inputs.
func (r *Regex) lines(ctx context.Context, lines []int, text []byte) []int {
	r.prefilter.eachLine(text, func(line int, text []byte) bool {
		if r.Matches(ctx, text) {
			lines = append(lines, line)
		}
		return ctx.Err() == nil
	})
	return lines
}

// Matches reports whether line, without its newline, contains a match. If the line ends in "\r",
// the match may also be one of the line without it: `;$` matches "x;\r". It returns false if ctx ends before.
func (r *Regex) Matches(ctx context.Context, line []byte) bool {
	if r.matches(ctx, line) {
		return true
	}
	short, ok := bytes.CutSuffix(line, carriageReturn)
	return ok && r.matches(ctx, short)
}

func (r *Regex) matches(ctx context.Context, line []byte) bool {
	if !r.match.in(ctx, line) {
		return false
	}
	if utf8.Valid(line) {
		return true
	}
	return r.strict.in(ctx, bytes.ToValidUTF8(line, []byte(string(invalidByte))))
}
