package l1fts

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// Matcher decides, from a file's bytes, what the exhaustive operators of a
// query match. It is safe for concurrent use.
type Matcher struct {
	must    [][]byte
	exclude [][]byte
	regex   []*Regex
}

// Matcher is the decision that q's must:, exclude: and regex: ask for.
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

// MatchLines reports whether text, a file's or a part of it that is whole
// lines, matches: every must: literal is in it, every regex: matches a line of
// it, and no exclude: literal is in it. The lines are those that hold a literal
// of must: or match a regex:, 1-based from the start of text, in order. They
// are what ripgrep lists for the same literal or expression; a literal that
// spans lines counts where it starts.
func (m *Matcher) MatchLines(text []byte) (lines []int, ok bool) {
	for _, s := range m.exclude {
		if bytes.Contains(text, s) {
			return nil, false
		}
	}
	for _, s := range m.must {
		n := len(lines)
		if lines = literalLines(lines, text, s); len(lines) == n {
			return nil, false
		}
	}
	for _, re := range m.regex {
		n := len(lines)
		if lines = re.lines(lines, text); len(lines) == n {
			return nil, false
		}
	}
	if len(m.must)+len(m.regex) > 1 {
		slices.Sort(lines)
		lines = slices.Compact(lines)
	}
	return lines, true
}

// literalLines appends the lines that s starts on.
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

var newline = []byte{'\n'}

// lines appends the lines of text that r matches. Go's engine is fastest on
// short inputs, so it sees one line at a time.
func (r *Regex) lines(lines []int, text []byte) []int {
	r.prefilter.eachLine(text, func(line int, text []byte) {
		if r.Matches(text) {
			lines = append(lines, line)
		}
	})
	return lines
}

// Matches reports whether line, without its newline, holds a match.
func (r *Regex) Matches(line []byte) bool {
	if !r.match.Match(line) {
		return false
	}
	if utf8.Valid(line) {
		return true
	}
	return r.strict.Match(bytes.ToValidUTF8(line, []byte(string(invalidByte))))
}
