package expr

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

func (p *parser) skip() {
	for p.at < len(p.text) {
		switch {
		case p.text[p.at] <= ' ':
			p.at++
		case strings.HasPrefix(p.text[p.at:], "/*"):
			end := strings.Index(p.text[p.at+2:], "*/")
			if end < 0 {
				p.at = len(p.text)
				return
			}
			p.at += end + 4
		case strings.HasPrefix(p.text[p.at:], "//") && strings.Contains(p.text[p.at:], "\n"):
			p.at += strings.IndexByte(p.text[p.at:], '\n')
		default:
			return
		}
	}
}

// peek skips white space and reports whether s comes next.
func (p *parser) peek(s string) bool {
	p.skip()
	return strings.HasPrefix(p.text[p.at:], s)
}

func (p *parser) take(s string) bool {
	if !p.peek(s) {
		return false
	}
	p.at += len(s)
	return true
}

// word consumes the keyword s. It reports false if s does not come next, or continues as a longer
// name.
func (p *parser) word(s string) bool {
	if !p.peek(s) {
		return false
	}
	if r, _ := utf8.DecodeRuneInString(p.text[p.at+len(s):]); IsNameRune(r) {
		return false
	}
	p.at += len(s)
	return true
}

// IsNameRune reports whether r may be part of a name.
func IsNameRune(r rune) bool {
	return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// name consumes an identifier, with leading "@" or "#" marks; "" if there is none.
func (p *parser) name() string {
	p.skip()
	start := p.at
	for p.at < len(p.text) && (p.text[p.at] == '@' || p.text[p.at] == '#') && p.at-start < 2 {
		p.at++
	}
	from := p.at
	for p.at < len(p.text) {
		r, size := utf8.DecodeRuneInString(p.text[p.at:])
		if !IsNameRune(r) {
			break
		}
		p.at += size
	}
	if p.at == from {
		p.at = start
		return ""
	}
	return p.text[start:p.at]
}

var binaryOperators = []string{"===", "!==", "<=>", "**", "??=", "??", "?:", "||", "&&", "==", "!=", "<=", ">=", "<<",
	">>", "//", "+", "-", "*", "/", "%", "<", ">", "|", "&", "^"}
var binaryWords = []string{"or", "and", "instanceof", "is", "in", "not in"}
var castWords = []string{"as?", "as!", "as"}

// startsName reports whether an identifier comes next.
func (p *parser) startsName() bool {
	p.skip()
	r, _ := utf8.DecodeRuneInString(p.text[p.at:])
	return p.at < len(p.text) && (r == '_' || unicode.IsLetter(r)) && !p.peek("else ")
}

func (p *parser) operator() string {
	for _, s := range castWords {
		if strings.HasSuffix(s, "?") || strings.HasSuffix(s, "!") {
			if p.take(s) {
				return "cast"
			}
		} else if p.word(s) {
			return "cast"
		}
	}
	if p.word("satisfies") {
		return "satisfies"
	}
	for _, s := range binaryWords {
		if p.word(s) {
			return s
		}
	}
	if p.peek("=>") || p.peek("->") {
		return ""
	}
	if op := p.assignment(); op != "" {
		return op
	}
	for _, s := range binaryOperators {
		if p.take(s) {
			return s
		}
	}
	if p.word("if") {
		return "if"
	}
	if p.take("?") {
		return "?"
	}
	return ""
}

func (p *parser) stringLiteral() *Expr {
	start, quote := p.at, p.text[p.at]
	if rest := p.text[p.at:]; len(rest) >= 6 && (rest[:3] == `"""` || rest[:3] == `'''`) {
		if end := strings.Index(rest[3:], rest[:3]); end >= 0 {
			p.at += end + 6
			return &Expr{Op: OpLiteral, Name: "string"}
		}
	}
	for p.at++; p.at < len(p.text); p.at++ {
		switch p.text[p.at] {
		case '\\':
			p.at++
		case quote:
			p.at++
			return &Expr{Op: OpLiteral, Name: "string", Text: p.text[start:p.at]}
		}
	}
	p.bad = true
	return &Expr{}
}

func (p *parser) number() *Expr {
	start := p.at
	for p.at < len(p.text) {
		c := p.text[p.at]
		signed := (c == '+' || c == '-') && p.at > start && p.text[p.at-1]|0x20 == 'e' &&
			!strings.HasPrefix(p.text[start:], "0x")
		if c == '.' && (p.at+1 >= len(p.text) || p.text[p.at+1] < '0' || p.text[p.at+1] > '9') ||
			c != '.' && !signed && !IsNameRune(rune(c)) {
			break
		}
		p.at++
	}
	return &Expr{Op: OpLiteral, Name: "number", Text: p.text[start:p.at]}
}

// balanced consumes a text in brackets, such as (a, [b]), and returns the text between the outer
// brackets. If they are not closed, it sets bad and returns "".
func (p *parser) balanced() string {
	start, depth := p.at, 0
	for p.at < len(p.text) {
		switch c := p.text[p.at]; c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				p.at++
				return p.text[start+1 : p.at-1]
			}
		case '"', '\'', '`':
			if e := p.stringLiteral(); e.Op == OpUnknown {
				return ""
			}
			continue
		}
		p.at++
	}
	p.bad = true
	return ""
}

// primitiveTypes lists the types whose name in parentheses always is a cast: (byte) -1.
var primitiveTypes = map[string]bool{"byte": true, "short": true, "char": true, "int": true, "long": true,
	"float": true, "double": true}

func looksLikeType(s string) bool {
	if s == "" || s == "this" || s == "self" {
		return false
	}
	for _, r := range s {
		if !IsNameRune(r) && !strings.ContainsRune(".<>[],?*&: \\", r) {
			return false
		}
	}
	return true
}

// startsOperand reports whether an operand comes next, which makes the parentheses before it a
// cast.
func (p *parser) startsOperand() bool {
	p.skip()
	if p.at >= len(p.text) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(p.text[p.at:])
	return IsNameRune(r) || r == '(' || r == '"' || r == '\''
}

// typeText consumes the text of a type: names, qualifiers, type arguments, array and null marks.
func (p *parser) typeText() string {
	p.skip()
	start := p.at
	for p.take("*") || p.take("&") || p.take("?") {
	}
	if p.peek("(") || p.peek("{") {
		p.balanced()
		return p.text[start:p.at]
	}
	for {
		if p.take("\\") || p.take("::") {
			continue
		}
		if p.name() == "" {
			break
		}
		if p.at < len(p.text) && p.text[p.at] == '<' {
			p.angles()
		}
		if !(p.take("::") || p.take("\\") || p.takeDot()) {
			break
		}
	}
	for strings.HasPrefix(p.text[p.at:], "[]") ||
		strings.HasPrefix(p.text[p.at:], "?") && !strings.HasPrefix(p.text[p.at:], "?.") &&
			!strings.HasPrefix(p.text[p.at:], "? ") {
		p.at++
		if p.text[p.at-1] == '[' {
			p.at++
		}
	}
	return strings.TrimSpace(p.text[start:p.at])
}

// takeDot consumes a "." if a name follows it, and reports whether it did.
func (p *parser) takeDot() bool {
	if p.at+1 < len(p.text) && p.text[p.at] == '.' {
		if r, _ := utf8.DecodeRuneInString(p.text[p.at+1:]); unicode.IsLetter(r) || r == '_' {
			p.at++
			return true
		}
	}
	return false
}

// angles consumes <…> and returns the text in between. If the text cannot be a list of type
// arguments, as in a < b + c, it consumes nothing and returns false.
func (p *parser) angles() (string, bool) {
	start, depth, braces := p.at, 0, 0
	for i := p.at; i < len(p.text); i++ {
		switch c := p.text[i]; {
		case c == '{':
			braces++
		case c == '}':
			braces--
		case c == ';' && braces > 0: // separates the members of an object type
		case p.d.Script && (c == '"' || c == '\''): // a key of a type: Frame["id"]
			end := strings.IndexByte(p.text[i+1:], c)
			if end < 0 {
				return "", false
			}
			i += end + 1
		case c == '<':
			depth++
		case c == '>' && p.text[i-1] != '-' && p.text[i-1] != '=':
			if depth--; depth == 0 {
				p.at = i + 1
				return p.text[start+1 : i], true
			}
		case c == ';' || c == '"' || c == '+' || c == '|' && i+1 < len(p.text) && p.text[i+1] == '|' ||
			c == '&' && i+1 < len(p.text) && p.text[i+1] == '&':
			return "", false
		}
	}
	return "", false
}

func isIdentifier(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return !IsNameRune(r) })
}

// passArgument advances to the comma or the closing bracket that ends an argument.
func (p *parser) passArgument(closing string) {
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case c == ',' || strings.HasPrefix(p.text[p.at:], closing):
			return
		case c == '(' || c == '[' || c == '{':
			p.balanced()
			if p.bad {
				return
			}
			continue
		case c == '"' || c == '`' || c == '\'':
			if p.stringLiteral(); p.bad {
				return
			}
			continue
		case c == '<' && p.d.Generics:
			if _, ok := p.angles(); ok {
				continue
			}
		}
		p.at++
	}
	p.bad = true
}
