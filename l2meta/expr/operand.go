package expr

import (
	"strings"
)

func (p *parser) primary() *Expr {
	p.skip()
	if p.at >= len(p.text) {
		p.bad = true
		return &Expr{}
	}
	switch c := p.text[p.at]; {
	case c == '(':
		return p.paren()
	case c == '[':
		return p.list()
	case c == '{':
		p.balanced()
		if p.d.Blocks {
			return &Expr{Op: OpLiteral, Name: "function"}
		}
		return &Expr{Op: OpLiteral, Name: "map"}
	case c == '"' || c == '\'' || c == '`':
		return p.stringLiteral()
	case c >= '0' && c <= '9':
		return p.number()
	case p.d.Script && (c == '/' || c == '<'):
		return p.scriptLiteral()
	case c == '|' && p.d.Arrows:
		p.at = len(p.text)
		return &Expr{Op: OpLiteral, Name: "function"}
	}
	if p.d.Script && p.scriptFunction() {
		return &Expr{Op: OpLiteral, Name: "function"}
	}
	for _, s := range []string{"function", "lambda", "fn", "func", "fun", "async"} {
		if at := p.at; !p.d.Plain && !p.d.Script && p.word(s) {
			if r := strings.TrimLeft(p.text[p.at:], " "); s != "async" && (s == "lambda" || !p.d.Words) &&
				(s != "fn" && s != "fun" || r != "" && strings.IndexByte("(|", r[0]) >= 0) {
				p.at = len(p.text)
				return &Expr{Op: OpLiteral, Name: "function"}
			}
			p.at = at
		}
	}
	if !p.d.Words && p.word("new") {
		return p.construction()
	}
	if p.d.Infix && p.word("if") {
		return p.choice()
	}
	return p.named()
}

// choice parses the rest of Kotlin's "if" expression after the keyword: (c) a else b.
func (p *parser) choice() *Expr {
	if !p.peek("(") {
		p.bad = true
		return &Expr{}
	}
	start := p.at
	p.balanced()
	c := &Expr{Text: p.text[start:p.at]}
	yes := p.expr()
	if !p.word("else") {
		p.bad = true
		return &Expr{}
	}
	return &Expr{Op: OpBinary, Name: "?:", Args: []*Expr{c, yes, p.expr()}}
}

// named parses an operand that starts with a name: x, \ns\f, r"text", vec![1], map[K]V{…}, x => ….
func (p *parser) named() *Expr {
	start := p.at
	global := p.take("::")
	if p.peek("\\") { // a name of PHP's global namespace: \f
		p.at++
		global = true
	}
	name := p.name()
	if name == "" {
		p.bad = true
		return &Expr{}
	}
	for p.at < len(p.text) && p.text[p.at] == '\\' { // a qualified name of PHP: ns\f
		p.at++
		name += "\\" + p.name()
	}
	if p.at < len(p.text) && len(name) <= 3 && (p.text[p.at] == '"' || p.text[p.at] == '\'') {
		e := p.stringLiteral()
		e.Type = name
		return e
	}
	if p.d.Macros && (name == "r" || name == "br") && p.peek("#") {
		return p.rawString(name)
	}
	if p.d.Brackets && name == "map" && p.peek("[") {
		p.at = start
		return p.composite()
	}
	if p.d.Macros && p.peek("!") && !p.peek("!=") {
		p.take("!")
		p.skip()
		p.balanced()
		return &Expr{Op: OpLiteral, Name: "macro", Text: p.text[start:p.at]}
	}
	if p.d.Blocks && p.at < len(p.text) && p.text[p.at] == '@' { // a label: this@Outer
		p.at++
		name += "@" + p.name()
	}
	e := &Expr{Op: OpName, Name: name}
	if global {
		e.Sep = "::"
	}
	if p.peek("=>") {
		p.at = len(p.text)
		return &Expr{Op: OpLiteral, Name: "function"}
	}
	return e
}

// rawString parses the rest of r#"…"# after its prefix.
func (p *parser) rawString(prefix string) *Expr {
	open := p.at
	for p.at < len(p.text) && p.text[p.at] == '#' {
		p.at++
	}
	end := strings.Index(p.text[p.at:], `"`+p.text[open:p.at])
	if rest := p.text[p.at:]; strings.HasPrefix(rest, `"`) && end == 0 {
		end = strings.Index(rest[1:], `"`+p.text[open:p.at]) + 1
	}
	if end <= 0 {
		p.bad = true
		return &Expr{}
	}
	p.at += end + 1 + (p.at - open)
	return &Expr{Op: OpLiteral, Name: "string", Type: prefix}
}

// paren parses (x), (x, y), (Type) x, and the parameters of an arrow function.
func (p *parser) paren() *Expr {
	start := p.at
	inside := strings.TrimSpace(p.balanced())
	if p.bad {
		return &Expr{}
	}
	// an arrow function with a result type: (x): T => …
	typed := p.d.Script && start == 0 && p.peek(":") && strings.Contains(p.text[p.at:], "=>")
	if typed || p.peek("=>") || p.d.Arrows && p.peek("->") && !p.d.Composites {
		p.at = len(p.text)
		return &Expr{Op: OpLiteral, Name: "function"}
	}
	if p.d.Casts && (looksLikeType(inside) && p.startsOperand() || primitiveTypes[inside]) {
		return &Expr{Op: OpCast, Type: inside, X: p.unary()}
	}
	end := p.at
	p.at = start + 1
	args := p.arguments(")")
	p.at = end
	if len(args) == 1 {
		return args[0]
	}
	return &Expr{Op: OpLiteral, Name: "tuple", Args: args}
}

func (p *parser) list() *Expr {
	if p.d.Brackets { // a type that begins with brackets: []T{…}, [3]T{…}
		at := p.at
		p.balanced()
		if !p.bad {
			if r := strings.TrimSpace(p.text[p.at:]); r != "" && r[0] != '.' && r[0] != '[' && r[0] != ')' {
				p.at = at
				return p.composite()
			}
		}
		p.at, p.bad = at, false
	}
	p.at++
	return &Expr{Op: OpLiteral, Name: "list", Args: p.arguments("]")}
}

// composite parses a literal that starts with its type, up to "{" or "(": []T{…}, map[K]V{…}.
func (p *parser) composite() *Expr {
	start := p.at
	for p.at < len(p.text) && p.text[p.at] != '{' && p.text[p.at] != '(' {
		if p.text[p.at] == '[' {
			p.balanced()
			continue
		}
		p.at++
	}
	if p.at >= len(p.text) {
		p.bad = true
		return &Expr{}
	}
	typ := strings.TrimSpace(p.text[start:p.at])
	p.balanced()
	return &Expr{Op: OpNew, Type: typ}
}

func (p *parser) construction() *Expr {
	typ := p.typeText()
	e := &Expr{Op: OpNew, Type: typ}
	if p.take("(") {
		e.Args = p.arguments(")")
	}
	if p.peek("{") {
		p.balanced()
	}
	if p.peek("[") && strings.HasSuffix(p.text, "]") {
		e.Type += "[]"
		p.balanced()
	}
	return e
}

// arguments parses a comma-separated list up to closing. An argument that it cannot parse becomes
// OpUnknown; the others are kept.
func (p *parser) arguments(closing string) (args []*Expr) {
	for !p.bad {
		if p.take(closing) {
			return args
		}
		start := p.at
		p.passArgument(closing)
		end := p.at
		if p.bad {
			return args
		}
		text := strings.TrimSpace(p.text[start:end])
		if text != "" {
			a := argument(text, p.d, p.depth)
			if label, value, ok := strings.Cut(text, " = "); ok && p.d.Labels && isIdentifier(label) {
				a = argument(value, p.d, p.depth)
				a.Label = label
			}
			a.Text = text
			args = append(args, a)
		}
		p.take(",")
	}
	return args
}

// argument parses the text of one argument.
func argument(text string, d Dialect, depth int) *Expr {
	p := &parser{text: text, d: d, depth: depth + 1}
	e := p.expr()
	if p.skip(); p.at < len(p.text) || p.bad {
		return &Expr{}
	}
	return e
}

// postfix parses calls, indexes, members and other suffixes of an operand.
func (p *parser) postfix(e *Expr) *Expr {
	for !p.bad {
		p.skip()
		rest := p.text[p.at:]
		switch {
		case p.d.Assertions && strings.HasPrefix(rest, ".("):
			p.at++
			e = &Expr{Op: OpCast, X: e, Type: strings.TrimSpace(p.balanced())}
		case strings.HasPrefix(rest, "("):
			p.at++
			e = p.call(e, nil)
		case strings.HasPrefix(rest, "?.(") || strings.HasPrefix(rest, "?.["):
			p.at += 2
		case strings.HasPrefix(rest, "["):
			p.at++
			e = &Expr{Op: OpIndex, X: e, Args: p.arguments("]")}
		case p.d.Composites && strings.HasPrefix(rest, "{") && typeLike(e):
			p.balanced()
			e = &Expr{Op: OpNew, Type: e.String()}
		case p.d.Blocks && strings.HasPrefix(rest, "{") &&
			(typeLike(e) || e.Op == OpCall || p.d.Infix && e.Op == OpMember):
			start := p.at
			p.balanced()
			if e.Op != OpCall {
				e = &Expr{Op: OpCall, X: e}
			}
			e.Args = append(e.Args, &Expr{Op: OpLiteral, Name: "function", Text: p.text[start:p.at], Label: "{"})
		case p.d.Script && strings.HasPrefix(rest, "`"):
			e = p.tagged(e)
		case p.d.Script && (strings.HasPrefix(rest, "++") || strings.HasPrefix(rest, "--")):
			p.at += 2
			e = &Expr{Op: OpUnary, Name: rest[:2], X: e}
		case p.d.Generics && (strings.HasPrefix(rest, "<") || strings.HasPrefix(rest, "::<")):
			if !p.generic(&e) {
				return e
			}
		default:
			next, ok := p.member(e)
			if !ok {
				return e
			}
			e = next
		}
	}
	return e
}

func (p *parser) call(f *Expr, typeArgs []string) *Expr {
	e := &Expr{Op: OpCall, X: f, TypeArgs: typeArgs, Args: p.arguments(")")}
	if p.d.NewSuffix && f.Op == OpMember && f.Name == "new" {
		return &Expr{Op: OpNew, Type: f.X.String(), Args: e.Args}
	}
	return e
}

// generic parses <T> after an operand if a call, a member or the end follows; otherwise it consumes
// nothing and reports false.
func (p *parser) generic(e **Expr) bool {
	at := p.at
	p.take("::")
	text, ok := p.angles()
	if !ok || !(p.peek("(") || p.peek("::") || p.peek(".") || p.peek("{") || p.at == len(p.text)) {
		p.at = at
		return false
	}
	args := SplitTypes(text)
	if p.take("(") {
		*e = p.call(*e, args)
		return true
	}
	*e = &Expr{Op: OpGeneric, X: *e, TypeArgs: args}
	return true
}

var separators = []string{"?->", "?.", "!!.", "!.", "&.", "->", "::", "."}

// member parses a separator and a name, or a postfix "?", "!" or "!!". It reports false if neither
// follows.
func (p *parser) member(e *Expr) (*Expr, bool) {
	for _, s := range separators {
		if !strings.HasPrefix(p.text[p.at:], s) {
			continue
		}
		at := p.at
		p.at += len(s)
		if s == "." && strings.HasPrefix(p.text[p.at:], ".") { // ".." is a range
			p.at = at
			return e, false
		}
		if p.word("await") {
			return &Expr{Op: OpUnary, Name: "await", X: e}, true
		}
		if name := p.name(); name != "" {
			m := &Expr{Op: OpMember, X: e, Name: name, Sep: s}
			if p.d.NewSuffix && name == "new" && !p.peek("(") {
				return &Expr{Op: OpNew, Type: e.String()}, true
			}
			return m, true
		}
		p.at = at
		return e, false
	}
	rest := p.text[p.at:]
	switch {
	case p.d.Macros && strings.HasPrefix(rest, "?"):
		p.at++
		return &Expr{Op: OpUnary, Name: "?", X: e}, true
	case strings.HasPrefix(rest, "!!"):
		p.at += 2
		return e, true
	case strings.HasPrefix(rest, "!") && !strings.HasPrefix(rest, "!="):
		p.at++
		return e, true
	case rest == "?" || strings.HasPrefix(rest, "?."), strings.HasPrefix(rest, "?)"), strings.HasPrefix(rest, "?;"),
		strings.HasPrefix(rest, "??") && p.d.Arrows && p.d.Composites:
		p.at++
		return &Expr{Op: OpUnary, Name: "?", X: e}, true
	}
	return e, false
}
