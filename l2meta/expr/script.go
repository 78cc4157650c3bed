package expr

import "strings"

// This file parses expressions that only JavaScript and TypeScript have.

var scriptWords = []string{"await", "typeof", "void", "delete", "yield"}

// scriptFunction consumes a function or class expression up to the end of the text, and reports
// whether there is one.
func (p *parser) scriptFunction() bool {
	for _, s := range []string{"function", "class", "async"} {
		at := p.at
		if !p.word(s) {
			continue
		}
		rest := strings.TrimLeft(p.text[p.at:], " ")
		if s != "async" || strings.HasPrefix(rest, "function") || strings.Contains(rest, "=>") {
			p.at = len(p.text)
			return true
		}
		p.at = at
	}
	return false
}

// scriptLiteral parses a regular expression such as /a+/g, or a JSX element such as <A/>, which
// must extend to the end of the text.
func (p *parser) scriptLiteral() *Expr {
	if p.text[p.at] == '<' {
		p.bad = !strings.HasSuffix(p.text, "/>") && !strings.Contains(p.text, "</") || !strings.HasSuffix(p.text, ">")
		p.at = len(p.text)
		return &Expr{Op: OpLiteral, Name: "jsx"}
	}
	class := false
	for p.at++; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; {
		case c == '\\':
			p.at++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			for p.at++; p.at < len(p.text) && p.text[p.at] >= 'a' && p.text[p.at] <= 'z'; p.at++ {
			}
			return &Expr{Op: OpLiteral, Name: "RegExp"}
		}
	}
	p.bad = true
	return &Expr{}
}

// tagged parses the template that calls a tag function, as in sql`a ${b}`. The call gets a list of
// texts and one unknown argument for each substitution.
func (p *parser) tagged(f *Expr) *Expr {
	start := p.at
	p.stringLiteral()
	e := &Expr{Op: OpCall, X: f, Args: []*Expr{{Op: OpLiteral, Name: "list"}}}
	for range strings.Count(p.text[start:p.at], "${") {
		e.Args = append(e.Args, &Expr{})
	}
	return e
}

// assigns maps each assignment operator to the binary operator with the same value: a ||= b has the
// value of a || b.
var assigns = []struct{ operator, like string }{{"||=", "||"}, {"&&=", "&&"}, {"??=", "??"}, {"+=", "+"}, {"=", "="}}

// assignment consumes an assignment operator and returns its binary operator; "" if there is none.
func (p *parser) assignment() string {
	if !p.d.Script || p.peek("==") || p.peek("=>") {
		return ""
	}
	for _, a := range assigns {
		if p.take(a.operator) {
			return a.like
		}
	}
	return ""
}

// castType consumes the type after the keyword "as". A TypeScript type extends to the first
// character that cannot be part of a type.
func (p *parser) castType() string {
	if !p.d.Script {
		return p.typeText()
	}
	p.skip()
	start, depth := p.at, 0
	for ; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; {
		case strings.IndexByte("([{<", c) >= 0:
			depth++
		case c == '>' && p.at > 0 && p.text[p.at-1] == '=':
		case strings.IndexByte(")]}>", c) >= 0 && depth > 0:
			depth--
		case strings.IndexByte(")]},;?:", c) >= 0 && depth == 0,
			depth == 0 && (strings.HasPrefix(p.text[p.at:], "||") || strings.HasPrefix(p.text[p.at:], "&&") ||
				strings.HasPrefix(p.text[p.at:], "==") || strings.HasPrefix(p.text[p.at:], "!=")):
			return lastCast(p.text[start:p.at])
		}
	}
	return lastCast(p.text[start:p.at])
}

// lastCast returns the last type of a repeated cast: T of "unknown as T".
func lastCast(typ string) string {
	if i := strings.LastIndex(typ, " as "); i >= 0 && strings.IndexByte(typ[i:], '}') < 0 {
		typ = typ[i+len(" as "):]
	}
	return strings.TrimSpace(typ)
}
