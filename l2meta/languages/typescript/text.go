package typescript

import (
	"strings"

	"sextant/l2meta/expr"
	"sextant/l2meta/languages/typescript/rules"
)

func tupleParts(inside string) []string {
	parts := expr.SplitTypes(inside)
	for i, p := range parts {
		if name, typ, ok := strings.Cut(p, ":"); ok &&
			isName(strings.TrimSuffix(strings.TrimPrefix(name, "..."), "?")) {
			parts[i] = strings.TrimSpace(typ)
		}
		parts[i] = strings.TrimSuffix(parts[i], "?")
	}
	return parts
}

func isName(s string) bool {
	if s == "" {
		return false
	}
	for _, r := range s {
		if !expr.IsNameRune(r) {
			return false
		}
	}
	return true
}

// isDotted reports whether a text is a name, or names joined by dots.
func isDotted(s string) bool {
	for part := range strings.SplitSeq(s, ".") {
		if !isName(part) {
			return false
		}
	}
	return true
}

// cutConditional splits "A extends B ? X : Y" into X and Y; ok is false for other types.
func cutConditional(text string) (yes, no string, ok bool) {
	if !strings.Contains(text, " extends ") {
		return "", "", false
	}
	mark, colon, nested, depth := -1, -1, 0, 0
	for i := 0; i < len(text) && colon < 0; i++ {
		switch c := text[i]; {
		case strings.IndexByte("<[({", c) >= 0:
			depth++
		case c == '>' && i > 0 && text[i-1] == '=':
		case strings.IndexByte(">])}", c) >= 0:
			depth--
		case depth > 0:
		case c == '?' && mark < 0:
			mark = i
		case c == '?':
			nested++
		case c == ':' && mark >= 0 && nested > 0:
			nested--
		case c == ':' && mark >= 0:
			colon = i
		}
	}
	if colon < 0 || !strings.Contains(text[:mark], " extends ") {
		return "", "", false
	}
	return strings.TrimSpace(text[mark+1 : colon]), strings.TrimSpace(text[colon+1:]), true
}

// mappedOf returns T for { readonly [K in keyof T]?: T[K] }, which has the members of T. It returns
// false for other texts.
func mappedOf(text string) (string, bool) {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "{") || !strings.Contains(text, " in keyof ") || closing(text, 0) != len(text)-1 {
		return "", false
	}
	text = strings.TrimSpace(text[1 : len(text)-1])
	open := strings.IndexByte(text, '[')
	if open < 0 || strings.TrimLeft(text[:open], "+-readonly ") != "" {
		return "", false
	}
	end := closing(text, open)
	if end < 0 {
		return "", false
	}
	key, of, ok := strings.Cut(text[open+1:end], " in keyof ")
	value := strings.TrimLeft(text[end+1:], "+-?: ")
	return of, ok && isName(of) && strings.TrimRight(value, "; ") == of+"["+key+"]"
}

// arrow returns the index of the arrow of the function type at the start of the text, or -1.
func arrow(text string) int {
	if text == "" || text[0] != '(' && text[0] != '<' && !strings.HasPrefix(text, "new ") &&
		!strings.HasPrefix(text, "abstract ") {
		return -1
	}
	depth := 0
	for i := 0; i+1 < len(text); i++ {
		switch c := text[i]; {
		case c == '(' || c == '[' || c == '{' || c == '<':
			depth++
		case c == '=' && text[i+1] == '>':
			if depth == 0 {
				return i
			}
			i++
		case c == ')' || c == ']' || c == '}' || c == '>':
			depth--
		case c == '|' || c == '&':
			if depth == 0 {
				return -1
			}
		}
	}
	return -1
}

// split splits a type at the operators sep that are outside of brackets: "A" and "B" for "A | B".
func split(text string, sep byte) (out []string) {
	if strings.IndexByte(text, sep) < 0 { // most types have no operator
		return []string{strings.TrimSpace(text)}
	}
	depth, start := 0, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case strings.IndexByte("<[({", c) >= 0:
			depth++
		case c == '>' && i > 0 && text[i-1] == '=':
		case strings.IndexByte(">])}", c) >= 0:
			depth--
		case c == '"' || c == '\'' || c == '`':
			for i++; i < len(text) && text[i] != c; i++ {
			}
		case c == sep && depth == 0:
			out = append(out, strings.TrimSpace(text[start:i]))
			start = i + 1
		}
	}
	return append(out, strings.TrimSpace(text[start:]))
}

// closing returns the index of the bracket that closes the one at open; -1 if there is none.
func closing(text string, open int) int {
	depth := 0
	for i := open; i < len(text); i++ {
		switch c := text[i]; {
		case strings.IndexByte("[({", c) >= 0:
			depth++
		case strings.IndexByte("])}", c) >= 0:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// opening returns the index of the bracket that the one at end closes. It returns -1 if there is
// none.
func opening(text string, end int) int {
	depth := 0
	for i := end; i >= 0; i-- {
		switch c := text[i]; {
		case strings.IndexByte("])}", c) >= 0:
			depth++
		case strings.IndexByte("[({", c) >= 0:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// hasWord reports whether a name occurs in a type.
func hasWord(text, name string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		i += at
		at = i + len(name)
		if (i == 0 || !rules.NameByte(text[i-1])) && (at == len(text) || !rules.NameByte(text[at])) {
			return true
		}
	}
}
