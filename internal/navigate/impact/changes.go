package impact

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/jit"
	"sextant/l2meta/languages"
	"sextant/l2meta/resolve"
)

// change is a changed file with its changed symbols.
type change struct {
	jit.FileDiff
	symbols []symbol
	// top reports that code outside of symbols differs: imports, statements.
	top      bool
	parsed   bool // whether a grammar could parse the file
	late     bool // whether the time was up before the file was parsed
	language string
	test     bool            // whether the file is a test
	words    map[string]bool // words in the changed lines
}

// symbol is a changed declaration.
type symbol struct {
	code.Symbol
	state contract.ChangeState
	ref   resolve.Ref // zero if the index does not have it
}

// compareAll compares the two versions of each file, symbol by symbol, until ctx is done. Files
// that are not compared by then are marked late.
func (p *parses) compareAll(ctx context.Context, list []jit.FileDiff) []change {
	type sides struct{ was, now *parse }
	started := make([]sides, len(list))
	for i, d := range list {
		started[i] = sides{p.start(cmp.Or(d.Was, d.Path), d.Before), p.start(d.Path, d.After)}
	}
	out := make([]change, len(list))
	for i, d := range list {
		out[i] = change{FileDiff: d, words: changedWords(d.Before, d.After)}
		if s := started[i]; s.was.wait(ctx) && s.now.wait(ctx) {
			out[i].compare(&s.was.state, &s.now.state)
		} else {
			out[i].late = true
		}
	}
	return out
}

// compare sets the symbols that differ between two versions of a file.
func (c *change) compare(was, now *state) {
	c.parsed, c.language = was.parsed || now.parsed, cmp.Or(now.language, was.language)
	for key, s := range now.own {
		before, ok := was.own[key]
		switch {
		case !ok:
			c.add(s, contract.ChangeAdded)
		case before.text != s.text:
			c.add(s, contract.ChangeModified)
		}
	}
	for key, s := range was.own {
		if _, ok := now.own[key]; !ok {
			c.add(s, contract.ChangeRemoved)
		}
	}
	inner := slices.Clone(c.symbols)
	c.symbols = slices.DeleteFunc(inner, c.within)
	c.top = c.parsed && was.top != now.top
	slices.SortFunc(c.symbols, func(a, b symbol) int {
		if (a.state == contract.ChangeRemoved) != (b.state == contract.ChangeRemoved) {
			return strings.Compare(string(a.state), string(b.state)) // removed last
		}
		// const { a, b } = x declares several symbols with one span.
		return cmp.Or(a.Span.StartByte-b.Span.StartByte, a.NameSpan.StartByte-b.NameSpan.StartByte,
			strings.Compare(a.QualifiedName, b.QualifiedName), strings.Compare(string(a.Kind), string(b.Kind)),
			a.Ordinal-b.Ordinal)
	})
}

// isCode reports whether tests are searched for the words of a change: the file must be no test
// itself and, as far as known, be in a language with a grammar.
func (c *change) isCode() bool { return !c.test && (c.parsed || c.late) }

// within reports whether another changed symbol already implies that the field or variable s
// differs: a function that declares it, as self.n = 1 does in Python, or a type that was added or
// removed.
func (c *change) within(s symbol) bool {
	if s.Runs() || resolve.IsType(s.Kind) {
		return false
	}
	return slices.ContainsFunc(c.symbols, func(f symbol) bool {
		holds := f.Runs() && (f.state == contract.ChangeRemoved) == (s.state == contract.ChangeRemoved) ||
			resolve.IsType(f.Kind) && f.state == s.state && s.state != contract.ChangeModified
		return holds && f.Span.StartByte <= s.Span.StartByte && s.Span.EndByte <= f.Span.EndByte
	})
}

func (c *change) add(s ownText, state contract.ChangeState) {
	c.symbols = append(c.symbols, symbol{Symbol: s.symbol, state: state})
}

// symbolKey identifies a symbol of a file independently of its lines.
type symbolKey struct {
	kind    code.Kind
	name    string // qualified
	ordinal int
}

// ownText is a symbol with its text, without that of nested symbols.
type ownText struct {
	symbol code.Symbol
	text   string
}

// state is one version of a changed file: the text of each symbol, and top, the code outside of symbols.
type state struct {
	own      map[symbolKey]ownText
	top      string
	parsed   bool
	language string
}

// read parses one version of a file. If text is nil, the file does not exist in that version.
func read(path string, text []byte) state {
	out := state{own: map[symbolKey]ownText{}}
	if text == nil {
		return out
	}
	f, err := languages.Extract(path, text)
	if err != nil || !f.Parsed {
		return out
	}
	out.parsed, out.language = true, f.Language
	children := make([][]int, len(f.Symbols)+1) // parent → indexes of its symbols; the last entry is for parent -1
	for i := range f.Symbols {
		p := f.Symbols[i].Parent
		if p < 0 {
			p = len(f.Symbols)
		}
		children[p] = append(children[p], i)
	}
	for i := range f.Symbols {
		s := f.Symbols[i]
		own := ownText{s, without(text, s.Span.StartByte, s.Span.EndByte, f.Symbols, children[i])}
		out.own[symbolKey{s.Kind, s.QualifiedName, s.Ordinal}] = own
	}
	out.top = withoutComments(without(text, 0, len(text), f.Symbols, children[len(f.Symbols)]))
	return out
}

// without returns text[from:to] without the nested symbols, which are all[i] for each i of inner, and
// without blank lines.
func without(text []byte, from, to int, all []code.Symbol, inner []int) string {
	var out strings.Builder
	for _, i := range inner {
		s := all[i].Span
		if s.StartByte < from || s.EndByte > to {
			continue // declared elsewhere, like a method of a reopened class
		}
		out.Write(text[from:s.StartByte])
		from = s.EndByte
	}
	out.Write(text[from:to])
	return withoutBlank(out.String())
}

// withoutBlank returns text without blank lines and without white space at the ends of lines.
func withoutBlank(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, " \t\r\n"); line != "" {
			out.WriteString(line)
			out.WriteByte('\n')
		}
	}
	return out.String()
}

// commentMarks are the starts of comment lines in most languages. A doc comment is outside of its
// symbol, and a change of it changes no code.
var commentMarks = []string{"//", "/*", "*", "#", "--", `"""`}

// withoutComments returns text without the lines that begin with a comment mark.
func withoutComments(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		if !slices.ContainsFunc(commentMarks, func(m string) bool { return strings.HasPrefix(trimmed, m) }) ||
			strings.HasPrefix(trimmed, "#include") || strings.HasPrefix(trimmed, "#define") {
			out.WriteString(line)
		}
	}
	return out.String()
}

// changedWords returns the identifiers in lines that only one of two texts has.
func changedWords(before, after []byte) map[string]bool {
	count := map[string]int{}
	for line := range bytes.Lines(before) {
		count[string(bytes.TrimSpace(line))]--
	}
	for line := range bytes.Lines(after) {
		count[string(bytes.TrimSpace(line))]++
	}
	out := map[string]bool{}
	for line, n := range count {
		if n == 0 {
			continue
		}
		for _, w := range identifiers(line) {
			out[w] = true
		}
	}
	return out
}

// identifiers splits a line into names.
func identifiers(line string) []string {
	return strings.FieldsFunc(line, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r < 0x80
	})
}
