package folding

import "strings"

// Step is a call in a chain: path("/x") in b.path("/x").build().
type Step struct {
	Name string
	Args []string // arguments as written; a block after the call is the last
}

// maxSteps is the largest number of calls of a chain that are read.
const maxSteps = 40

// Chain splits an expression into its root and the calls on it, in order: s.client.R().Get("/x")
// into "s.client" and R(), Get("/x"). If there are no calls, steps is empty. The root is "" if
// the expression starts with a call.
func Chain(expr string) (root string, steps []Step) {
	expr = strings.TrimSpace(expr)
	for _, word := range []string{"await ", "new ", "&"} {
		expr = strings.TrimSpace(strings.TrimPrefix(expr, word))
	}
	if expr == "" || strings.IndexByte("\"'`", expr[0]) >= 0 { // a call on a literal: "x".call()
		end := 0
		if expr != "" {
			end = min(SkipString(expr, 0)+1, len(expr))
		}
		return expr[:end], StepsOf(expr[end:])
	}
	end := 0
	for end < len(expr) && (IsName(expr[end]) || strings.IndexByte(".:?!@", expr[end]) >= 0 ||
		strings.HasPrefix(expr[end:], "->") || end > 0 && strings.HasPrefix(expr[end-1:], "->")) {
		end++
	}
	start := end
	for start > 0 && IsName(expr[start-1]) {
		start--
	}
	if called := SkipGeneric(expr, end); called == len(expr) || expr[called] != '(' {
		if steps = StepsOf(expr[end:]); len(steps) == 0 {
			return expr, nil
		}
		return expr[:end], steps
	}
	if steps = StepsOf("." + expr[start:]); len(steps) == 0 {
		return expr, nil
	}
	return strings.TrimRight(expr[:start], ".:?!->"), steps
}

// StepsOf parses the calls at the start of text: ".a(x).b()".
func StepsOf(text string) (steps []Step) {
	for i := 0; len(steps) < maxSteps; {
		i += Blanks(text[i:])
		dot := i
		for i < len(text) && strings.IndexByte(".:?!->", text[i]) >= 0 {
			i++
		}
		if i == dot {
			return steps
		}
		i += Blanks(text[i:])
		start := i
		for i < len(text) && IsName(text[i]) {
			i++
		}
		s := Step{Name: text[start:i]}
		if s.Name == "" {
			return steps
		}
		i = SkipGeneric(text, i)
		called := i < len(text) && text[i] == '('
		if called {
			s.Args = ListItems(text[i+1:])
			i = Closing(text, i)
		}
		if block := i + Blanks(text[i:]); block < len(text) && text[block] == '{' && called {
			end := Closing(text, block)
			s.Args = append(s.Args, text[block:end])
			i = end
		}
		if called {
			steps = append(steps, s)
		}
	}
	return steps
}

// SkipGeneric returns the offset after the type arguments that start at the offset i, as in get<T>(x), or i if there
// are none.
func SkipGeneric(text string, i int) int {
	at := i
	if strings.HasPrefix(text[at:], "::<") {
		at += 2
	}
	if at >= len(text) || text[at] != '<' {
		return i
	}
	depth := 0
	for ; at < len(text) && at < i+200; at++ {
		switch text[at] {
		case '<':
			depth++
		case '>':
			if depth--; depth == 0 {
				return at + 1
			}
		case '(', ';', '{':
			return i
		}
	}
	return i
}

// Closing returns the offset after the bracket that closes the bracket at i; len(text) if none
// does.
func Closing(text string, i int) int {
	depth := 0
	for ; i < len(text); i++ {
		switch text[i] {
		case '"', '\'', '`':
			i = SkipString(text, i)
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(text)
}

// IsName reports whether a byte may belong to a name, in any of the languages.
func IsName(c byte) bool { return c == '_' || c == '$' || c >= 0x80 || IsLetter(c) }

// Blanks returns the length of the white space and line comments at the start of text.
func Blanks(text string) int {
	i := 0
	for i < len(text) {
		switch {
		case isBlank(text[i]):
			i++
		case strings.HasPrefix(text[i:], "//"):
			end := strings.IndexByte(text[i:], '\n')
			if end < 0 {
				return len(text)
			}
			i += end
		default:
			return i
		}
	}
	return i
}

// Chained returns the first argument of a call in a chain: x for the step ".to" in ".to(x).with(y)". It returns "" if
// there is none.
func Chained(chain, step string) string {
	_, rest, ok := strings.Cut(chain, step+"(")
	if !ok {
		return ""
	}
	if items := ListItems(rest); len(items) > 0 {
		return items[0]
	}
	return ""
}
