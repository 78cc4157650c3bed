package cfamily

import "bytes"

// declares lists keywords that begin or continue the type and specifiers of a declaration. A macro
// before one of them is not part of an expression.
var declares = map[string]bool{
	"auto": true, "bool": true, "char": true, "class": true, "constexpr": true, "double": true, "enum": true,
	"explicit": true, "extern": true,
	"float": true, "friend": true, "inline": true, "int": true, "long": true, "namespace": true, "private": true,
	"protected": true, "public": true,
	"register": true, "short": true, "signed": true, "static": true, "struct": true, "template": true, "typedef": true,
	"typename": true, "union": true,
	"unsigned": true, "using": true, "virtual": true, "void": true, "volatile": true,
}

// controls lists keywords of statements and expressions. A name that follows such a keyword, or
// the parentheses after it, is not declared there: x in return x.
var controls = map[string]bool{
	"if": true, "while": true, "for": true, "switch": true, "return": true, "else": true, "do": true, "case": true,
	"goto": true, "new": true,
	"delete": true, "throw": true, "sizeof": true, "catch": true, "co_return": true, "co_await": true,
	"co_yield": true, "defined": true,
}

// macros blanks the macros among the tokens of declarations, such as EXPORT in EXPORT int f(void).
func (m *masker) macros() {
	kept := m.tokens[:0:0]
	for i := 0; i < len(m.tokens); i++ {
		t := m.tokens[i]
		if t.kind == 'i' && (m.isMacroName(t) || m.takesNumbers(i)) {
			last := i // index of the macro's last token: its name, or the end of its arguments
			if m.at(i+1).kind == '(' {
				last = m.closes(i + 1)
			}
			if last >= 0 {
				if end := m.macro(kept, i, last); end >= 0 {
					m.blank(t.start, m.tokens[end].end)
					i = end
					continue
				}
			}
		}
		if kept == nil {
			kept = make([]token, 0, len(m.tokens))
		}
		kept = append(kept, t)
	}
}

// macro decides whether to blank the macro at token i. last is the closing parenthesis of its
// arguments, or i if it has none. kept holds the preceding tokens that were not blanked. It
// returns the index of the last token to blank, or -1.
func (m *masker) macro(kept []token, i, last int) int {
	prev, next := token{}, m.at(last+1)
	if len(kept) > 0 {
		prev = kept[len(kept)-1]
	}
	before, behind := m.word(prev), m.word(next)
	starts := prev.kind == 0 || prev.kind == ';' || prev.kind == '}' || prev.kind == '{' || prev.kind == ':'
	bare := last == i
	if m.takesNumbers(i) && !m.isMacroName(m.tokens[i]) {
		if m.specifies(kept, last) || prev.kind == ')' && m.endsDeclarator(kept) && (next.kind == ';' || next.kind == '{') {
			return last // void printflike(1, 2) f(char *, ...); void f(char *, ...) printflike(1, 2);
		}
		return -1
	}
	switch {
	case before == "class" || before == "struct" || before == "union" || before == "enum":
		// class EXPORT Name {
		if next.kind == 'i' && !declares[behind] {
			if k := m.at(last + 2); k.kind == '{' || k.kind == ':' || k.kind == '<' || m.word(k) == "final" ||
				k.kind == ';' && before == "class" {
				return last
			}
			if m.isMacroName(next) { // two macros
				if k := m.at(last + 3); k.kind == '{' || k.kind == ':' {
					return last
				}
			}
		}
		return -1
	case declares[behind] && (bare || starts):
		// EXPORT int f(void); BEGIN_DECLS at the end of a line, too
		return last
	case starts && behind == "const" &&
		(declares[m.word(m.at(last+2))] || m.at(last+2).kind == 'i' && m.namesAfter(last+3)):
		return last // EXPORT const type *name
	case starts && bare && next.kind == 'i' && m.declares(last+1) && !m.isMacroBefore(last+1):
		return last // EXPORT type name(
	case bare && next.kind == 'i' && m.at(last+2).kind == '(' &&
		(prev.kind == '*' || prev.kind == '&' || prev.kind == 'i' && !controls[before]):
		return last // int WINAPI f(
	case !bare && m.specifies(kept, last):
		return last // void PRINTF_LIKE(1, 2) f(
	case bare && prev.kind == '(' && next.kind == '*' && m.at(last+2).kind == 'i' && m.at(last+3).kind == ')' &&
		m.at(last+4).kind == '(':
		return last // int (WINAPI *f)(
	case bare && starts && m.tokens[i].first && next.first && next.kind != '(' && next.kind != '{' &&
		next.kind != '=' && !(next.kind == 'i' && m.at(last+2).kind == '('):
		return last // BEGIN_DECLS
	case bare && (starts || prev.kind == '>' || declares[before]) &&
		(next.kind == '~' || next.kind == 'i' && m.initializes(last+2)):
		return last // EXPORT ~T(); EXPORT T(int a) : a(a) {
	case starts && m.tokens[i].first && next.first && m.isMacroName(next) &&
		(bare && m.standsAlone(last+2) || !bare && m.at(last+2).kind == 'i'):
		return last // Q_OBJECT before Q_PROPERTY(int x); WARNING(x) before EXPORT type
	case m.endsDeclarator(kept) &&
		(next.kind == ';' || next.kind == '{' || next.kind == '=' || next.kind == ':' ||
			next.kind == 'i' && m.isMacroName(next)):
		return last // int f(void) NO_THREAD_SAFETY;
	}
	return -1
}

// takesNumbers reports whether token i is a name with arguments of which one is a literal and the
// others are literals or names: printflike(1, 2), format(printf, 1, 2). After a type, such
// arguments are not a list of parameters.
func (m *masker) takesNumbers(i int) bool {
	if m.at(i+1).kind != '(' || controls[m.word(m.at(i))] || declares[m.word(m.at(i))] ||
		bytes.HasPrefix(m.text[m.at(i).start:], []byte("__attribute")) {
		return false
	}
	number := false
	for i += 2; ; i += 2 {
		switch k := m.at(i); {
		case k.kind == 'l' && m.text[k.start] >= '0' && m.text[k.start] <= '9':
			number = true
		case k.kind != 'i':
			return false
		}
		switch m.at(i + 1).kind {
		case ',':
		case ')':
			return number
		default:
			return false
		}
	}
}

// specifies reports whether a macro with arguments is between the type and the declarator of a
// function that is declared or defined: PRINTF_LIKE in void PRINTF_LIKE(1, 2) f(char *, ...).
// last is the index of the macro's last token.
func (m *masker) specifies(kept []token, last int) bool {
	n := len(kept)
	for n > 0 && kept[n-1].kind == '*' {
		n--
	}
	if n == 0 || kept[n-1].kind != 'i' || controls[m.word(kept[n-1])] || m.isMacroName(kept[n-1]) {
		return false
	}
	i := last + 1
	for m.at(i).kind == '*' {
		i++
	}
	if m.at(i).kind != 'i' || controls[m.word(m.at(i))] || m.at(i+1).kind != '(' {
		return false
	}
	close := m.closes(i + 1)
	if close < 0 {
		return false
	}
	switch k := m.at(close + 1); k.kind {
	case ';', '{':
		return true
	case 'i':
		return bytes.HasPrefix(m.text[k.start:], []byte("__attribute")) || m.isMacroName(k)
	}
	return false
}

// initializes reports whether token i opens the parameters of a constructor with initializers. Only a function without
// a type may have these, so the grammar fails at a macro in the place of the type.
func (m *masker) initializes(i int) bool {
	if m.at(i).kind != '(' {
		return false
	}
	last := m.closes(i)
	if last >= 0 && m.word(m.at(last+1)) == "noexcept" {
		if last++; m.at(last+1).kind == '(' {
			last = m.closes(last + 1)
		}
	}
	return last >= 0 && m.at(last+1).kind == ':'
}

// standsAlone reports whether token i opens the arguments of a macro call that no body follows:
// TEST_END before TEST_BEGIN(a) { … }. The grammar would read TEST_END as the type of a function.
func (m *masker) standsAlone(i int) bool {
	if m.at(i).kind != '(' {
		return false
	}
	last := m.closes(i)
	return last >= 0 && m.at(last+1).kind != '{'
}

// namesAfter reports whether token i, which follows the name of a type, may be the start of a
// declared name: x, *x or &x.
func (m *masker) namesAfter(i int) bool {
	k := m.at(i).kind
	return k == 'i' || k == '*' || k == '&' || k == 'c' || k == '<'
}

// declares reports whether the tokens from i on are a type and a name.
func (m *masker) declares(i int) bool {
	if controls[m.word(m.at(i))] {
		return false
	}
	for i++; m.at(i).kind == 'c' && m.at(i+1).kind == 'i'; {
		i += 2
	}
	if m.at(i).kind == '<' {
		depth := 0
		for end := i + 60; i < end; i++ {
			k := m.at(i).kind
			if k == '<' {
				depth++
			} else if k == '>' {
				if depth--; depth == 0 {
					i++
					break
				}
			} else if k == ';' || k == '{' || k == 0 {
				return false
			}
		}
	}
	for m.at(i).kind == '*' || m.at(i).kind == '&' || m.word(m.at(i)) == "const" {
		i++
	}
	if m.at(i).kind != 'i' {
		return false
	}
	switch m.at(i + 1).kind {
	case '(', ';', '=', '[', 'c', ',':
		return true
	}
	return false
}

// isMacroBefore reports whether token i is itself a macro before a function's name: in "DWORD
// WINAPI f(" the second one is blanked.
func (m *masker) isMacroBefore(i int) bool {
	return m.isMacroName(m.at(i)) && m.at(i+1).kind == 'i' && m.at(i+2).kind == '('
}

// endsDeclarator reports whether the kept tokens end in the declarator of a function ("int
// f(void)", "f() const") or of a variable ("int x").
func (m *masker) endsDeclarator(kept []token) bool {
	n := len(kept)
	if n < 2 {
		return false
	}
	typed := func(i int) bool { // typed reports whether a type may end before token i
		if i < 1 {
			return false
		}
		switch p := kept[i-1]; p.kind {
		case 'i':
			return !controls[m.word(p)]
		case '*', '&', '>', 'c', '~':
			return true
		}
		return false
	}
	switch last := kept[n-1]; {
	case last.kind == 'i':
		switch m.word(last) {
		case "const", "override", "noexcept", "final":
			return true
		}
		return !controls[m.word(last)] && !declares[m.word(last)] && typed(n-1)
	case last.kind == ']':
		return true
	case last.kind == ')':
		depth := 0
		for i := n - 1; i > 0; i-- {
			if kept[i].kind == ')' {
				depth++
			} else if kept[i].kind == '(' {
				if depth--; depth == 0 {
					name := kept[i-1]
					if name.kind == ')' && i > 3 && kept[i-2].kind == 'i' && kept[i-3].kind == '*' {
						return true // int (*f)(void)
					}
					return name.kind == 'i' && !controls[m.word(name)] && !m.isMacroName(name) && typed(i-1)
				}
			}
		}
	}
	return false
}

func (m *masker) at(i int) token {
	if i < 0 || i >= len(m.tokens) {
		return token{}
	}
	return m.tokens[i]
}

func (m *masker) word(t token) string {
	if t.kind != 'i' {
		return ""
	}
	return string(m.text[t.start:t.end])
}

// closes returns the index of the token that closes the parenthesis at token i, or -1 if none of
// the next 200 tokens does.
func (m *masker) closes(i int) int {
	depth := 0
	for end := min(len(m.tokens), i+200); i < end; i++ {
		switch m.tokens[i].kind {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// isMacroName reports whether a token looks like a macro: three or more characters in upper case,
// or a name of a compiler or system header such as __init that the grammars do not support.
func (m *masker) isMacroName(t token) bool {
	if t.kind != 'i' || t.end-t.start < 3 {
		return false
	}
	s := m.text[t.start:t.end]
	if s[0] == '_' && s[1] == '_' {
		switch string(s) {
		case "__attribute__", "__attribute", "__asm__", "__asm", "__typeof__", "__int128", "__func__", "__FILE__",
			"__LINE__", "__VA_ARGS__",
			"__inline", "__inline__", "__restrict", "__restrict__", "__thread", "__declspec", "__extension__",
			"__alignof__", "__based",
			"__cdecl", "__stdcall", "__fastcall", "__clrcall", "__thiscall", "__vectorcall", "__try", "__except",
			"__finally", "__leave",
			"__unaligned", "__volatile__", "__forceinline", "__FUNCTION__", "__PRETTY_FUNCTION__":
			return false
		}
		return true
	}
	letters := 0
	for _, b := range s {
		switch {
		case b >= 'A' && b <= 'Z':
			letters++
		case b != '_' && (b < '0' || b > '9'):
			return false
		}
	}
	return letters > 1
}
