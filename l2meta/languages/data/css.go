package data

import (
	"bytes"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// cssRules declares style rules under their selectors, custom properties, variables, mixins,
// functions and keyframes.
//
// CSS, SCSS and Less have blocks, statements, strings and comments in common, and little else.
// The reader works on these, because the available grammar supports only CSS.
func cssRules() *syntax.Rules {
	return &syntax.Rules{File: cssFile}
}

// cssBlock is a block, { … }, whose closing brace was not read yet.
type cssBlock struct {
	symbol int // symbol of the block; -1 if the block is not declared, as for @media
	body   int // offset of its opening brace
	outer  int // value of w.Encloser outside of the block
	// quiet is set if nothing inside the block is declared: @keyframes x { … }, font: { … }.
	quiet bool
}

type cssReader struct {
	w      *syntax.Walk
	text   []byte
	at     int
	to     int
	from   int // offset of the current statement
	parens int
	blocks []cssBlock
	doc    syntax.TextDoc
	noURL  int // offset up to which no unquoted url(…) ends on its line
}

func cssFile(w *syntax.Walk, root syntax.Node) {
	r := cssReader{w: w, text: w.Text, at: w.Start(root), to: w.End(root)}
	r.from = r.at
	for r.at < r.to {
		r.step()
	}
	r.statement()
	w.Out.BadBytes += len(r.blocks)
	for len(r.blocks) > 0 {
		r.close(r.to)
	}
}

// step reads one token at r.at and moves r.at past it.
func (r *cssReader) step() {
	c := r.text[r.at]
	switch {
	case c == '/' && r.startsComment():
		r.comment()
		return
	case c == '"' || c == '\'':
		r.str(c)
		return
	case c == '\\':
		r.at++
	case (c == '#' || c == '@') && r.at+1 < r.to && r.text[r.at+1] == '{':
		r.interpolation()
		return
	case c == '(':
		r.parens++
		if r.at >= 3 && bytes.EqualFold(r.text[r.at-3:r.at], []byte("url")) {
			r.url()
		}
	case c == ')':
		r.parens = max(r.parens-1, 0)
	case c == '{':
		r.open()
	case c == '}':
		r.statement()
		if len(r.blocks) == 0 {
			r.w.Out.BadBytes++
		} else {
			r.close(r.at + 1)
		}
		r.from = r.at + 1
	case c == ';' && r.parens == 0:
		r.statement()
		r.from = r.at + 1
	}
	r.at++
}

// startsComment reports whether a comment starts at r.at. The slashes of `//` start one only after
// white space or a bracket; otherwise they are part of a URL, as in url(http://a).
func (r *cssReader) startsComment() bool {
	if r.at+1 >= r.to {
		return false
	}
	if r.text[r.at+1] == '*' {
		return true
	}
	return r.text[r.at+1] == '/' &&
		(r.at == 0 || syntax.IsSpace(r.text[r.at-1]) || strings.IndexByte("{};,(", r.text[r.at-1]) >= 0)
}

func (r *cssReader) comment() {
	start, end := r.at, r.to
	mark, skip := "\n", 0
	if r.text[r.at+1] == '*' {
		mark, skip = "*/", 2
	}
	if i := bytes.Index(r.text[start+2:r.to], []byte(mark)); i >= 0 {
		end = start + 2 + i + skip
	}
	r.at = end
	if from, to := syntax.Trimmed(r.text, r.from, start); from == to {
		r.from = end
		r.doc.Add(r.text, start, end)
	}
}

// str skips a string. An unterminated one ends at the end of its line.
func (r *cssReader) str(quote byte) {
	for r.at++; r.at < r.to && r.text[r.at] != '\n'; r.at++ {
		if r.text[r.at] == quote {
			r.at++
			return
		}
		if r.text[r.at] == '\\' {
			r.at++
		}
	}
	r.at = min(r.at, r.to)
}

// url skips an unquoted URL up to the parenthesis that closes url(…). It skips nothing if the
// parenthesis is not on the same line.
func (r *cssReader) url() {
	i := r.at + 1
	for i = max(i, r.noURL); i < r.to && r.text[i] != '\n' && r.text[i] != '"' && r.text[i] != '\''; i++ {
		if r.text[i] == ')' {
			r.at = i - 1
			return
		}
	}
	r.noURL = i
}

// interpolation skips #{…} and @{…}, which end on the same line.
func (r *cssReader) interpolation() {
	depth := 0
	for r.at++; r.at < r.to && r.text[r.at] != '\n'; r.at++ {
		switch r.text[r.at] {
		case '{':
			depth++
		case '}':
			depth--
		}
		if depth == 0 {
			r.at++
			return
		}
	}
}

// open begins a block at the brace at r.at. The prelude of the block, such as "@mixin m($a)" or a
// selector, is the text before the brace.
func (r *cssReader) open() {
	r.parens = 0
	b := cssBlock{symbol: -1, body: r.at, outer: r.w.Encloser,
		quiet: len(r.blocks) > 0 && r.blocks[len(r.blocks)-1].quiet}
	if from, to := syntax.Trimmed(r.text, r.from, r.at); to > from && !b.quiet && !r.w.TooDeep() {
		b.quiet = r.declare(&b, from, to)
	}
	r.blocks = append(r.blocks, b)
	r.from = r.at + 1
}

func (r *cssReader) close(end int) {
	b := r.blocks[len(r.blocks)-1]
	r.blocks = r.blocks[:len(r.blocks)-1]
	if b.symbol >= 0 {
		r.w.CloseText(b.symbol, b.body, end)
	}
	r.w.Encloser = b.outer
	r.parens = 0
}

// declare declares the block with the prelude text[from:to], such as "@mixin m($a)". It reports
// whether nothing inside of the block is to be declared.
func (r *cssReader) declare(b *cssBlock, from, to int) (quiet bool) {
	d := syntax.TextDecl{Kind: code.KindConfig, Start: from, End: to, NameStart: from, NameEnd: to}
	d.Signature = syntax.OneLine(r.text[from:to])
	d.Name = d.Signature
	if r.text[from] == '@' {
		word, nameStart := cssWord(r.text, from, to)
		d.NameStart, d.NameEnd = cssName(r.text, nameStart, to)
		d.Name = string(r.text[d.NameStart:d.NameEnd])
		switch word {
		case "@mixin":
			d.Kind = code.KindMacro
			d.Parameters = cssParameters(string(r.text[d.NameEnd:to]))
		case "@function":
			d.Kind = code.KindFunction
			d.Parameters = cssParameters(string(r.text[d.NameEnd:to]))
		case "@property":
			d.Kind = code.KindVariable
		case "@include":
			r.include(from, to)
			return false
		default:
			if !strings.HasSuffix(word, "keyframes") {
				return false
			}
			quiet = true
		}
	} else if r.text[to-1] == ':' { // nested properties: font: { family: … }
		return true
	} else if name, end := cssMixin(r.text, from, to); end > 0 {
		d.Kind, d.Name, d.NameEnd = code.KindMacro, name, end
		d.Parameters = cssParameters(strings.ReplaceAll(cssArguments(string(r.text[end:to])), ";", ","))
	}
	if d.Name == "" {
		return quiet
	}
	d.Doc = r.doc.Before(r.text, from)
	b.symbol = r.w.DeclareText(d)
	r.w.Encloser = b.symbol
	return quiet
}

// cssMixin returns the name of a Less mixin, ".m" for ".m($a)", and the offset after it. It returns
// "" and 0 for a selector.
func cssMixin(text []byte, from, to int) (name string, end int) {
	if text[from] != '.' && text[from] != '#' {
		return "", 0
	}
	for end = from + 1; end < to && cssIdent(text[end]); end++ {
	}
	if end == from+1 || end >= to || text[end] != '(' {
		return "", 0
	}
	return string(text[from:end]), end
}

// cssArguments returns the parenthesized part at the start of s.
func cssArguments(s string) string {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return s[:i+1]
			}
		}
	}
	return s
}

// cssWord returns the at-word that begins at text[from], such as "@mixin", and the offset of the
// next text that is not white space.
func cssWord(text []byte, from, to int) (word string, rest int) {
	i := from + 1
	for i < to && cssIdent(text[i]) {
		i++
	}
	word = string(text[from:i])
	for i < to && syntax.IsSpace(text[i]) {
		i++
	}
	return word, i
}

// cssName returns the start and the end of the identifier at text[from].
func cssName(text []byte, from, to int) (int, int) {
	i := from
	for i < to && (cssIdent(text[i]) || text[i] == '.') {
		i++
	}
	return from, i
}

func cssIdent(b byte) bool {
	return b == '-' || b == '_' || b >= 0x80 || '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z'
}

// cssParameters parses "($a, $b: 1, $rest...)".
func cssParameters(s string) (out []code.Parameter) {
	s = strings.TrimSpace(s)
	if !strings.HasPrefix(s, "(") {
		return nil
	}
	for _, p := range syntax.SplitTop(strings.TrimSuffix(s[1:], ")")) {
		name, value, _ := strings.Cut(p, ":")
		name = strings.TrimSpace(name)
		bare := strings.TrimSuffix(name, "...")
		if bare != "" {
			out = append(out, code.Parameter{Name: bare, Default: strings.TrimSpace(value), Variadic: bare != name})
		}
	}
	return out
}

// statement reads the statement before a semicolon or a closing brace: an import, the use of a
// mixin or a variable. It skips any other statement.
func (r *cssReader) statement() {
	from, to := syntax.Trimmed(r.text, r.from, min(r.at, r.to))
	if to <= from || len(r.blocks) > 0 && r.blocks[len(r.blocks)-1].quiet {
		return
	}
	switch c := r.text[from]; {
	case c == '@':
		switch word, _ := cssWord(r.text, from, to); word {
		case "@import", "@use", "@forward", "@reference", "@plugin":
			r.imports(from, to)
		case "@include":
			r.include(from, to)
		default: // a Less variable
			r.variable(from, to)
		}
	case c == '.' || c == '#':
		if name, end := cssMixin(r.text, from, to); end > 0 {
			r.w.Out.Calls = append(r.w.Out.Calls, code.Call{
				Kind: code.CallMacro, Callee: name,
				Args:   len(syntax.SplitTop(strings.Trim(cssArguments(string(r.text[end:to])), "()"))),
				Caller: r.w.Encloser, Span: r.w.Lines.Span(from, to), NameSpan: r.w.Lines.Span(from, end),
			})
		}
	case c == '$', c == '-' && from+1 < to && r.text[from+1] == '-':
		r.variable(from, to)
	}
}

// variable declares the variable of the statement text[from:to], such as "$name: value". It skips
// locals of mixins and functions.
func (r *cssReader) variable(from, to int) {
	_, end := cssName(r.text, from+1, to)
	colon := end
	for colon < to && syntax.IsSpace(r.text[colon]) {
		colon++
	}
	if colon >= to || r.text[colon] != ':' ||
		r.text[from] != '-' && r.w.Encloser >= 0 && r.w.Out.Symbols[r.w.Encloser].Kind.Callable() {
		return
	}
	r.w.DeclareText(syntax.TextDecl{
		Kind: code.KindVariable, Name: string(r.text[from:end]), Start: from, End: to, NameStart: from, NameEnd: end,
		Signature: syntax.OneLine(r.text[from:to]), Doc: r.doc.Before(r.text, from),
	})
}

// imports records every path that the @import, @use or @forward in text[from:to] loads.
func (r *cssReader) imports(from, to int) {
	rest := string(r.text[from:to])
	alias := ""
	if i := strings.LastIndex(rest, " as "); i >= 0 {
		alias, _, _ = strings.Cut(strings.TrimSpace(rest[i+4:]), " ")
	}
	_, rest, _ = strings.Cut(rest, " ")
	// the configuration after "with" contains strings that are no paths
	if head, _, ok := strings.Cut(rest, " with "); ok {
		rest = head
	}
	for {
		i := strings.IndexAny(rest, `"'`)
		if i < 0 {
			break
		}
		module, more, ok := strings.Cut(rest[i+1:], rest[i:i+1])
		if !ok {
			return
		}
		r.addImport(from, to, module, alias)
		rest, alias = more, ""
	}
	if i := strings.Index(rest, "url("); i >= 0 {
		module, _, _ := strings.Cut(rest[i+4:], ")")
		r.addImport(from, to, strings.TrimSpace(module), "")
	}
}

func (r *cssReader) addImport(from, to int, module, alias string) {
	if module == "" {
		return
	}
	i := code.Import{Module: module, Alias: alias, Scope: r.w.Encloser, Span: r.w.Lines.Span(from, to)}
	if alias == "*" {
		i.Name, i.Alias = "*", ""
	}
	r.w.Out.Imports = append(r.w.Out.Imports, i)
}

// include records the use of a mixin, @include button($a), as a call.
func (r *cssReader) include(from, to int) {
	_, start := cssWord(r.text, from, to)
	start, end := cssName(r.text, start, to)
	name := string(r.text[start:end])
	receiver := ""
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		receiver, name, start = name[:i], name[i+1:], start+i+1
	}
	if name == "" {
		return
	}
	r.w.Out.Calls = append(r.w.Out.Calls, code.Call{
		Kind: code.CallMacro, Callee: name, Receiver: receiver, Args: len(cssParameters(string(r.text[end:to]))),
		Caller: r.w.Encloser, Span: r.w.Lines.Span(from, to), NameSpan: r.w.Lines.Span(start, end),
	})
}
