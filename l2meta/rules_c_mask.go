package l2meta

import "bytes"

// The C grammars read the text before the preprocessor has, and a macro at a
// place where the grammar knows none costs the declaration it stands in: from
// "class EXPORT Cache {" on, members are read as an initializer. cMask blanks
// what only the preprocessor understands, byte for byte, so that offsets stay:
//
//   - macros among the keywords of a declaration (EXPORT, WINAPI, __init,
//     GUARDED_BY(mu)), told by their upper case or leading "__" and by a place
//     where no name of a type or variable could stand;
//   - branches of a conditional that open a brace or parenthesis another
//     branch closes; the first branch is kept.
//
// Only the parser sees the blanks; names, signatures and spans are read from
// the text itself.
func cMask(text []byte) []byte {
	m := &cMasker{text: text}
	m.lex()
	m.macros()
	if m.out == nil {
		return text
	}
	return m.out
}

// cToken is a token of C: kind 'i' for an identifier, 'l' for a literal, 'c'
// for "::", and the character itself for any other punctuation.
type cToken struct {
	kind       byte
	start, end int
	first      bool // of its line
}

type cMasker struct {
	text   []byte
	out    []byte // text with the blanks, nil before the first
	tokens []cToken
	groups []cGroup
	open   []byte // the brackets that are open: '(', '[', '{', and '=' for the brace of an initializer
}

// cGroup is a conditional that is open.
type cGroup struct {
	directives [][2]int
	branches   []cBranch
	inside     bool // of parentheses or an initializer, where the grammar knows no conditional
}

type cBranch struct {
	from, token int // where its text and its tokens start
	depth, low  int // brackets open at its end, and the least on the way
	open        []byte
}

func (m *cMasker) blank(from, to int) {
	if m.out == nil {
		m.out = bytes.Clone(m.text)
	}
	for i := from; i < to; i++ {
		if m.out[i] != '\n' && m.out[i] != '\r' {
			m.out[i] = ' '
		}
	}
}

func isIdentByte(b byte) bool {
	return b == '_' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b >= 0x80 || b == '$'
}

// lex splits the text into tokens, and settles its conditionals on the way.
func (m *cMasker) lex() {
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

// after is the index behind the next end at or behind i.
func after(t []byte, i int, end string) int {
	if i >= len(t) {
		return len(t)
	}
	if at := bytes.Index(t[i:], []byte(end)); at >= 0 {
		return i + at + len(end)
	}
	return len(t)
}

// lineEnd is the index of the line break that ends the logical line of i.
// A block comment that starts on it may end on a later line.
func (m *cMasker) lineEnd(i int) int {
	t := m.text
	for ; i < len(t); i++ {
		if t[i] == '/' && i+1 < len(t) && t[i+1] == '*' {
			i = after(t, i+2, "*/") - 1
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

func (m *cMasker) token(i int, first bool) int {
	t, b := m.text, m.text[i]
	tok := cToken{kind: b, start: i, end: i + 1, first: first}
	switch {
	case b >= '0' && b <= '9':
		tok.kind = 'l'
		for tok.end < len(t) && (isIdentByte(t[tok.end]) || t[tok.end] == '.' || t[tok.end] == '\'') {
			tok.end++
		}
	case isIdentByte(b):
		tok.kind = 'i'
		for tok.end < len(t) && isIdentByte(t[tok.end]) {
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

// rawStringEnd is the end of R"x(…)x" whose first quote is at i.
func rawStringEnd(t []byte, i int) int {
	paren := bytes.IndexByte(t[i:min(len(t), i+20)], '(')
	if paren < 0 {
		return i + 1
	}
	return after(t, i+paren, ")"+string(t[i+1:i+paren])+`"`)
}

func (m *cMasker) bracket(kind byte) {
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

func (m *cMasker) inInitializer() bool {
	return len(m.open) > 0 && (m.open[len(m.open)-1] == '=' || m.open[len(m.open)-1] == '(')
}

func (m *cMasker) branch(from int) cBranch {
	return cBranch{from: from, token: len(m.tokens), low: len(m.open), open: bytes.Clone(m.open)}
}

// directive is met at text[start:end].
func (m *cMasker) directive(start, end int) {
	word := bytes.TrimLeft(m.text[start+1:end], " \t")
	is := func(prefix string) bool { return bytes.HasPrefix(word, []byte(prefix)) }
	n := len(m.groups)
	switch {
	case is("if"):
		m.groups = append(m.groups, cGroup{directives: [][2]int{{start, end}}, branches: []cBranch{m.branch(end)}, inside: m.inInitializer()})
	case n == 0:
	case is("el"):
		g := &m.groups[n-1]
		last := &g.branches[len(g.branches)-1]
		last.depth = len(m.open)
		g.directives = append(g.directives, [2]int{start, end})
		m.open = append(m.open[:0], g.branches[0].open...) // every branch starts where the conditional does
		g.branches = append(g.branches, m.branch(end))
	case is("endif"):
		g := m.groups[n-1]
		g.branches[len(g.branches)-1].depth = len(m.open)
		g.directives = append(g.directives, [2]int{start, end})
		m.groups = m.groups[:n-1]
		m.settle(g, start)
	}
}

// settle ends conditional g: when the grammar cannot read it, its directives
// are blanked, and with them all branches but one where they exclude each other.
func (m *cMasker) settle(g cGroup, end int) {
	entry := len(g.branches[0].open)
	uneven := false
	for _, b := range g.branches {
		uneven = uneven || b.depth != entry || b.low < entry
	}
	if !uneven && !g.inside {
		return
	}
	for _, d := range g.directives {
		m.blank(d[0], d[1])
	}
	if len(g.branches) == 1 || !uneven && m.open != nil && len(m.open) > 0 && m.open[len(m.open)-1] == '=' {
		return
	}
	keep := 0
	if first := m.text[g.directives[0][0]:g.directives[0][1]]; bytes.Equal(bytes.TrimSpace(bytes.TrimLeft(first, "# \tif")), []byte("0")) {
		keep = 1
	}
	m.keep(g, keep, end)
}

// keep blanks all branches but one, and goes on as if only that stood there.
func (m *cMasker) keep(g cGroup, keep, end int) {
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
