package lookup

import (
	"strings"
	"unicode"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services/folding"
)

// Word is an identifier of an expression or type as written.
type Word struct {
	Text   string
	Before string // the text before it, at most 16 bytes, and the text after it
	Behind string
}

// Letter reports whether c may be a part of a name.
func Letter(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// Words returns the identifiers of a text that are outside of parentheses, braces and strings.
func Words(text string) (out []Word) {
	depth := 0
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '"' || c == '\'' || c == '`':
			i++
			for i < len(text) && text[i] != c {
				if text[i] == '\\' {
					i++
				}
				i++
			}
			i++
		case c == '(' || c == '{':
			depth++
			i++
		case c == ')' || c == '}':
			depth--
			i++
		case Letter(c):
			start := i
			for i < len(text) && Letter(text[i]) {
				i++
			}
			if depth <= 0 {
				out = append(out, Word{text[start:i], text[max(0, start-16):start], text[i:min(len(text), i+16)]})
			}
		default:
			i++
		}
	}
	return out
}

// Arguments returns the arguments of a call given as text, "f(a, b)". The text may be cut off.
func Arguments(call string) []string {
	_, rest, ok := strings.Cut(call, "(")
	if !ok {
		return nil
	}
	return folding.ListItems(rest)
}

type valuesKey struct{}

// Named returns the facts of a file on a variable, field, parameter or function called name: types
// and values as written.
func Named(f *resolve.File, name string) []*code.Fact {
	return resolve.Memo(f, valuesKey{}, func() map[string][]*code.Fact {
		all := map[string][]*code.Fact{}
		for i := range f.AllFacts() {
			fact := &f.AllFacts()[i]
			name := fact.Name
			switch fact.Kind {
			case code.FactField, code.FactVar, code.FactParam, code.FactAssign:
			case code.FactResult, code.FactReturn:
				if fact.Owner < 0 {
					continue
				}
				name = f.Symbols[fact.Owner].Name
			default:
				continue
			}
			name = name[strings.LastIndexByte(name, '.')+1:] // for example, this.client or self.stub
			all[name] = append(all[name], fact)
		}
		return all
	})[name]
}

// Values returns the facts with types and values, as written, on a name that the symbol from
// uses: those of the innermost enclosing symbol that has any, otherwise those of the whole file.
func Values(f *resolve.File, from int, name string) []*code.Fact {
	all := Named(f, name)
	for at := from; at >= 0; at = f.Symbols[at].Parent {
		var near []*code.Fact
		for _, fact := range all {
			if fact.Owner == at {
				near = append(near, fact)
			}
		}
		if len(near) > 0 {
			return near
		}
	}
	return all
}

// Imported resolves a name by the imports of a file: N to "a.b.Name" after "import Name as N". It
// returns "" if no import binds the name.
func Imported(f *resolve.File, name string) string {
	for i := range f.Imports {
		switch m := &f.Imports[i]; {
		case m.Alias == name, m.Alias == "" && m.Name == name:
			if m.Name == "" || m.Name == "*" {
				return m.Module
			}
			return m.Module + "." + m.Name
		case m.Alias == "" && m.Name == "" &&
			(m.Module == name || strings.HasSuffix(m.Module, "/"+name) || strings.HasSuffix(m.Module, "."+name)):
			return m.Module
		}
	}
	return ""
}

// Folded returns a name without case and separators, so that package, folder and namespace names of
// one thing compare equal.
func Folded(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// MaxSteps is the largest number of assignments and calls through which a value is traced to its
// origin.
const MaxSteps = 4

// sameValue lists the methods whose result is their receiver: self.client.clone() in Rust.
var sameValue = map[string]bool{"clone": true, "as_ref": true, "as_mut": true, "unwrap": true, "lock": true,
	"borrow": true, "borrow_mut": true}

// LastName returns the name that determines the value of an expression: "client" of "this.client",
// of "client.withDeadline(d)" and of "client.clone()", "getClient" of "getClient()".
func LastName(text string) string {
	list := Words(text)
	for i := len(list) - 1; i >= 0; i-- {
		w := list[i].Text
		if !(i > 0 && (strings.HasPrefix(strings.ToLower(w), "with") || sameValue[w])) && w != "await" {
			return w
		}
	}
	return ""
}

// FirstName returns the first name of an expression: "users" of "users.routes()", "router" of
// "this.router".
func FirstName(expr string) string {
	list := Words(expr)
	if len(list) > 1 && (list[0].Text == "this" || list[0].Text == "self") {
		list = list[1:]
	}
	if len(list) == 0 || strings.Contains(expr, "require(") || strings.IndexByte("\"'`", expr[0]) >= 0 {
		return ""
	}
	return list[0].Text
}

// Digits parses a decimal number; it returns -1 for other text.
func Digits(s string) (n int) {
	if s == "" {
		return -1
	}
	for _, c := range s {
		if c < '0' || c > '9' {
			return -1
		}
		n = n*10 + int(c-'0')
	}
	return n
}
