package cfamily

import (
	"bytes"

	"sextant/l2meta/syntax"
)

// mask blanks text that only the preprocessor understands. It replaces each byte by a blank, so
// that offsets stay the same. The C grammars parse the text before preprocessing, and an
// unexpected macro spoils the declaration around it: after "class EXPORT Cache {", members are
// parsed as an initializer. It blanks:
//
//   - macros among the keywords of a declaration (EXPORT, WINAPI, __init,
//     GUARDED_BY(mu)), recognized by upper case or a leading "__", and by a
//     place where no type or variable name can be;
//   - macros with numbers as arguments, between a type and a function or after
//     its parameters (printflike(1, 2));
//   - branches of a conditional that open a brace or parenthesis which another
//     branch closes; the first branch is kept.
//
// Only the parser sees the blanks; names, signatures and spans come from the original text.
func mask(text []byte) []byte {
	m := &masker{text: text}
	m.lex()
	m.macros()
	if m.out == nil {
		return text
	}
	return m.out
}

// token is a token of C. Its kind is 'i' for an identifier, 'l' for a literal, 'c' for "::", and
// the character itself for any other punctuation.
type token struct {
	kind       byte
	start, end int
	first      bool // whether it is the first token on its line
}

// masker holds the state while mask reads one text.
type masker struct {
	text   []byte
	out    []byte // the text with blanks; nil until something is blanked
	tokens []token
	groups []group
	open   []byte // the open brackets: '(', '[', '{', and '=' for the brace of an initializer
}

// group is a preprocessor conditional, from #if to #endif, whose end was not reached yet.
type group struct {
	directives [][2]int // byte ranges of #if, #else and so on
	branches   []branch
	inside     bool // inside parentheses or an initializer, where the grammar supports no conditional
}

// branch is the part of a conditional between two of its directives.
type branch struct {
	from, token int    // byte offset of its text, and index of its first token
	depth, low  int    // number of open brackets at its end, and the least number inside it
	open        []byte // number of open brackets at its end, and the lowest number inside it
}

func (m *masker) blank(from, to int) {
	if m.out == nil {
		m.out = bytes.Clone(m.text)
	}
	for i := from; i < to; i++ {
		if m.out[i] != '\n' && m.out[i] != '\r' {
			m.out[i] = ' '
		}
	}
}

// lex splits the text into tokens, and handles preprocessor conditionals on the way.
func (m *masker) lex() {
	t, first := m.text, true
	for i := 0; i < len(t); {
		b := t[i]
		switch {
		case b == '\n':
			first = true
			i++
			continue
		case b == ' ' || b == '\t' || b == '\r' || b == '\f' || b == '\v' || b == '\\':
			i++
			continue
		case b == '/' && i+1 < len(t) && t[i+1] == '/':
			i = m.lineEnd(i)
			continue
		case b == '/' && i+1 < len(t) && t[i+1] == '*':
			i = after(t, i+2, "*/")
			continue
		case b == '#' && first:
			end := m.lineEnd(i)
			m.directive(i, end)
			i = end
			continue
		}
		start := i
		i = m.token(i, first)
		first = false
		if i <= start {
			i = start + 1
		}
	}
}

// after returns the index after the next occurrence of end at or after i.
func after(t []byte, i int, end string) int {
	if i >= len(t) {
		return len(t)
	}
	if at := bytes.Index(t[i:], []byte(end)); at >= 0 {
		return i + at + len(end)
	}
	return len(t)
}

// lineEnd returns the index of the line break that ends the logical line of i. A block comment that
// starts on that line may end on a later one; none starts in a string or behind "//".
func (m *masker) lineEnd(i int) int {
	t, line := m.text, false
	for ; i < len(t); i++ {
		if !line && t[i] == '/' && i+1 < len(t) && t[i+1] == '*' {
			i = after(t, i+2, "*/") - 1
			continue
		}
		line = line || t[i] == '/' && i+1 < len(t) && t[i+1] == '/'
		if !line && (t[i] == '"' || t[i] == '\'') {
			i = quoteEnd(t, i) - 1
			continue
		}
		if t[i] != '\n' {
			continue
		}
		if back := bytes.TrimRight(t[max(0, i-2):i], "\r"); len(back) == 0 || back[len(back)-1] != '\\' {
			return i
		}
	}
	return len(t)
}

func (m *masker) token(i int, first bool) int {
	t, b := m.text, m.text[i]
	tok := token{kind: b, start: i, end: i + 1, first: first}
	switch {
	case b >= '0' && b <= '9':
		tok.kind = 'l'
		for tok.end < len(t) && (syntax.IsIdentByte(t[tok.end]) || t[tok.end] == '.' || t[tok.end] == '\'') {
			tok.end++
		}
	case syntax.IsIdentByte(b):
		tok.kind = 'i'
		for tok.end < len(t) && syntax.IsIdentByte(t[tok.end]) {
			tok.end++
		}
		if tok.end < len(t) && t[tok.end] == '"' && t[tok.end-1] == 'R' && tok.end-i <= 3 {
			tok.kind, tok.end = 'l', rawStringEnd(t, tok.end)
		}
	case b == '"' || b == '\'':
		tok.kind, tok.end = 'l', quoteEnd(t, i)
	case b == ':' && i+1 < len(t) && t[i+1] == ':':
		tok.kind, tok.end = 'c', i+2
	}
	m.bracket(tok.kind)
	m.tokens = append(m.tokens, tok)
	return tok.end
}

func quoteEnd(t []byte, i int) int {
	q := t[i]
	for i++; i < len(t); i++ {
		switch t[i] {
		case '\\':
			i++
		case q:
			return i + 1
		case '\n':
			return i
		}
	}
	return len(t)
}

// rawStringEnd returns the offset after the raw string R"x(…)x" whose first quote is at i.
func rawStringEnd(t []byte, i int) int {
	paren := bytes.IndexByte(t[i:min(len(t), i+20)], '(')
	if paren < 0 {
		return i + 1
	}
	return after(t, i+paren, ")"+string(t[i+1:i+paren])+`"`)
}

func (m *masker) bracket(kind byte) {
	switch kind {
	case '(', '[', '{':
		if kind == '{' && len(m.tokens) > 0 && (m.tokens[len(m.tokens)-1].kind == '=' || m.inInitializer()) {
			kind = '='
		}
		m.open = append(m.open, kind)
	case ')', ']', '}':
		if len(m.open) > 0 {
			m.open = m.open[:len(m.open)-1]
		}
		if n := len(m.groups); n > 0 {
			b := &m.groups[n-1].branches
			last := &(*b)[len(*b)-1]
			last.low = min(last.low, len(m.open))
		}
	}
}

func (m *masker) inInitializer() bool {
	return len(m.open) > 0 && (m.open[len(m.open)-1] == '=' || m.open[len(m.open)-1] == '(')
}

// unfinished reports whether the last token, such as "+" or "=", requires another one, so that a
// conditional after it is part of an expression.
func (m *masker) unfinished() bool {
	n := len(m.tokens)
	switch m.at(n - 1).kind {
	case ',', '=', '+', '-', '|', '&', '?', '/', '%', '^', '<', '!':
		return true
	case ':': // ":" precedes a constructor's initializers; a label has a name before it
		return m.at(n-2).kind == ')'
	}
	return false
}

// goesOn reports whether the first branch of conditional g continues the preceding text: it
// starts with an operator, or with an attribute of the preceding declarator.
func (m *masker) goesOn(g group) bool {
	first := m.at(g.branches[0].token)
	switch first.kind {
	case '|', '?', ',', '=', '/', '%', '^', '.', ')', ']', '+', '<', '>':
		return true
	case '&':
		return m.at(g.branches[0].token+1).kind == '&'
	}
	return m.at(g.branches[0].token-1).kind == ')' && m.word(first) == "__attribute__"
}

func (m *masker) branch(from int) branch {
	return branch{from: from, token: len(m.tokens), low: len(m.open), open: bytes.Clone(m.open)}
}

// directive handles the preprocessor directive at text[start:end]: #if begins a conditional, #else
// and #elif a branch of it, and #endif ends it.
func (m *masker) directive(start, end int) {
	m.comments(start, end)
	word := bytes.TrimLeft(m.text[start+1:end], " \t")
	is := func(prefix string) bool { return bytes.HasPrefix(word, []byte(prefix)) }
	n := len(m.groups)
	switch {
	case is("if"):
		m.groups = append(m.groups, group{directives: [][2]int{{start, end}}, branches: []branch{m.branch(end)},
			inside: m.inInitializer() || m.unfinished()})
	case n == 0:
	case is("el"):
		g := &m.groups[n-1]
		last := &g.branches[len(g.branches)-1]
		last.depth = len(m.open)
		g.directives = append(g.directives, [2]int{start, end})
		m.open = append(m.open[:0], g.branches[0].open...) // every branch starts with the brackets of the conditional
		g.branches = append(g.branches, m.branch(end))
	case is("endif"):
		g := m.groups[n-1]
		g.branches[len(g.branches)-1].depth = len(m.open)
		g.directives = append(g.directives, [2]int{start, end})
		m.groups = m.groups[:n-1]
		m.settle(g, start)
	}
}

// comments blanks the block comments in a directive of several lines, because the grammar ends the
// directive at the first line.
func (m *masker) comments(start, end int) {
	if bytes.IndexByte(m.text[start:end], '\n') < 0 {
		return
	}
	for i := start; i < end; {
		switch b := m.text[i]; {
		case b == '"' || b == '\'':
			i = quoteEnd(m.text[:end], i)
		case b == '/' && i+1 < end && m.text[i+1] == '*':
			close := min(after(m.text, i+2, "*/"), end)
			for ; i < close; i++ { // keep the "\\" that continues the line
				if rest := bytes.TrimRight(m.text[i:min(i+3, close)], "\r\n"); len(rest) != 1 || rest[0] != '\\' {
					m.blank(i, i+1)
				}
			}
		default:
			i++
		}
	}
}

// settle handles the end of conditional g, from #if to #endif. If the grammar cannot parse the
// conditional, it blanks the directives and, if the branches exclude each other, all branches but
// one.
func (m *masker) settle(g group, end int) {
	entry := len(g.branches[0].open)
	uneven := false
	for _, b := range g.branches {
		uneven = uneven || b.depth != entry || b.low < entry
	}
	if !uneven && !g.inside && !m.goesOn(g) {
		return
	}
	for _, d := range g.directives {
		m.blank(d[0], d[1])
	}
	listed := len(m.open) > 0 && (m.open[len(m.open)-1] == '=' || m.open[len(m.open)-1] == '{') && g.inside
	if len(g.branches) == 1 || listed && !uneven {
		return // the branches hold elements of a list, all of which may be present
	}
	keep := 0
	if first := m.text[g.directives[0][0]:g.directives[0][1]]; bytes.Equal(bytes.TrimSpace(bytes.TrimLeft(first,
		"# \tif")), []byte("0")) {
		keep = 1
	}
	m.keep(g, keep, end)
}

// keep blanks the text of all branches of conditional g but the one with index keep, and drops
// their tokens, as if the text had only that branch.
func (m *masker) keep(g group, keep, end int) {
	tokens := m.tokens[:g.branches[0].token:g.branches[0].token]
	open := g.branches[0].open
	for i, b := range g.branches {
		to, last := end, len(m.tokens)
		if i+1 < len(g.branches) {
			to, last = g.directives[i+1][0], g.branches[i+1].token
		}
		if i != keep {
			m.blank(b.from, to)
			continue
		}
		tokens = append(tokens, m.tokens[b.token:last]...)
	}
	m.tokens = tokens
	m.open = append(m.open[:0], open...)
	if n := len(m.groups); n > 0 {
		b := &m.groups[n-1].branches[len(m.groups[n-1].branches)-1]
		b.low = min(b.low, g.branches[keep].low)
	}
	for d := g.branches[keep].depth; len(m.open) > d; {
		m.open = m.open[:len(m.open)-1]
	}
	for d := g.branches[keep].depth; len(m.open) < d; {
		m.open = append(m.open, '{')
	}
}
