package callgraph

import (
	"bytes"
	"strings"

	"sextant/internal/code"
)

const (
	// maxArgument is the largest number of bytes shown of one argument: room for a name,
	// a condition, or the head of a function literal.
	maxArgument = 80
	// maxArguments is the largest number of arguments shown of one call.
	maxArguments = 16
)

// argumentsOf returns the arguments of call c as written in text, each on one line. At
// most maxArguments are listed; "…" follows if there are more. It returns nil for a call
// without brackets, and for a text that is shorter than the call's span.
func argumentsOf(text []byte, c *code.Call) (out []string) {
	if c.NameSpan.EndByte <= 0 || c.NameSpan.EndByte > c.Span.EndByte || c.Span.EndByte > len(text) {
		return nil
	}
	rest := text[c.NameSpan.EndByte:c.Span.EndByte]
	open := openingBracket(rest)
	if open < 0 {
		return nil
	}
	for _, part := range splitArguments(rest[open:]) {
		if part == "" {
			continue
		}
		if len(out) == maxArguments {
			return append(out, "…")
		}
		out = append(out, clipArgument(part))
	}
	return out
}

// maxSource is the largest number of bytes shown of the line of a call site.
const maxSource = 240

// lineAt returns the line of text that holds the callee's name, without indentation and cut to maxSource
// bytes around the name. It returns "" for the zero Call, which edges of imports have.
func lineAt(text []byte, c *code.Call) string {
	at := c.NameSpan.StartByte
	if c.NameSpan.EndByte <= at || at >= len(text) {
		return ""
	}
	start := bytes.LastIndexByte(text[:at], '\n') + 1
	end := len(text)
	if n := bytes.IndexByte(text[at:], '\n'); n >= 0 {
		end = at + n
	}
	line := bytes.TrimSpace(text[start:end])
	if len(line) > maxSource {
		from := max(0, min(at-start-maxSource/3, len(line)-maxSource))
		line = line[from : from+maxSource]
	}
	return strings.ToValidUTF8(string(line), "")
}

func clipArgument(s string) string {
	if len(s) <= maxArgument {
		return s
	}
	return strings.ToValidUTF8(s[:maxArgument], "") + "…"
}

// openingBracket returns the index in rest, the text behind a callee's name, of the
// bracket that opens the arguments. Type arguments may precede it: in `f<T>(x)` rest is
// `<T>(x)`. It returns -1 if the call has no brackets.
func openingBracket(rest []byte) int {
	depth := 0
	for i, b := range rest {
		switch {
		case depth == 0 && (b == '(' || b == '{'):
			return i
		case b == '<' || b == '[':
			depth++
		case b == '>' || b == ']':
			depth--
		case depth == 0 && !bytes.ContainsRune([]byte(" \t\r\n!?.:"), rune(b)):
			return -1
		}
	}
	return -1
}

// splitArguments splits a bracketed list at its top-level commas: "(a, f(b, c))" has the parts "a" and
// "f(b, c)". A comma in a string does not split either. It knows the brackets and quotes that most
// languages share, and nothing of their grammars.
func splitArguments(list []byte) (out []string) {
	depth, start := 0, 1
	quote := byte(0)
	take := func(end int) {
		out = append(out, strings.Join(strings.Fields(string(bytes.ToValidUTF8(list[start:end], nil))), " "))
		start = end + 1
	}
	for i := 0; i < len(list); i++ {
		b := list[i]
		switch {
		case quote != 0:
			if b == '\\' && quote != '`' {
				i++
			} else if b == quote || b == '\n' && quote == '\'' {
				quote = 0
			}
		case b == '"' || b == '`' || b == '\'' && !isLifetime(list[i:]):
			quote = b
		case b == '(' || b == '[' || b == '{':
			depth++
		case b == ')' || b == ']' || b == '}':
			if depth--; depth == 0 {
				take(i)
				return out
			}
		case b == ',' && depth == 1:
			take(i)
		}
	}
	return out
}

// isLifetime reports whether at, which starts with a quote, starts with a Rust lifetime such as 'a, and
// not with a quoted character such as 'a'.
func isLifetime(at []byte) bool {
	return len(at) > 2 && at[2] != '\'' && at[1] != '\\' && !bytes.ContainsRune(at[1:min(len(at), 200)], '\'')
}
