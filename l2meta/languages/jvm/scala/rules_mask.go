package scala

import (
	"bytes"
	"regexp"

	"sextant/l2meta/syntax"
)

var (
	// braceParameter matches { x: T => …, a parameter of a function literal with a type but
	// without parentheses.
	braceParameter = regexp.MustCompile(`(?:\{|=>)\s*(?:implicit\s+)?[a-z_][\w$]*(\s*:\s*[\w$.\[\], ]+?)\s*=>`)
	// openOperator matches an operator at the end of a line, after which the expression
	// continues.
	openOperator = regexp.MustCompile(`(?m)^[^\n]*[\w\])}"'] +[!#%&*+\-/:<>?\\^|~]+([ \t\r]*\n)`)
	scalaOperand = regexp.MustCompile(`^[\w("{]`)
)

// mask returns the text to parse, which is as long as the original. It replaces two things by
// blanks that the grammar does not support: the type in { x: T => …, and a line break after an
// operator, where the grammar ends the expression.
func mask(text []byte) []byte {
	var types [][]int
	// searches again from the arrow, which may precede another parameter
	for at := 0; ; at = types[len(types)-1][1] - len("=>") {
		m := braceParameter.FindSubmatchIndex(text[at:])
		if m == nil {
			break
		}
		types = append(types, []int{at + m[0], at + m[1], at + m[2], at + m[3]})
	}
	lines := openOperator.FindAllSubmatchIndex(text, -1)
	if len(types)+len(lines) == 0 {
		return text
	}
	out := bytes.Clone(text)
	for _, m := range types {
		syntax.Blank(out[m[2]:m[3]])
	}
	for _, m := range lines {
		line, next := bytes.TrimSpace(text[m[0]:m[2]]), bytes.TrimSpace(text[m[3]:min(m[3]+syntax.MaxLine, len(text))])
		if !scalaOperand.Match(next) || bytes.Contains(line, []byte("//")) || bytes.HasPrefix(line, []byte("*")) ||
			bytes.Contains(line, []byte("/*")) || bytes.HasSuffix(line, []byte("*/")) {
			continue
		}
		for i := m[2]; i < m[3]; i++ {
			out[i] = ' '
		}
	}
	return out
}

// masked returns the type that mask removed after the name of a parameter: the original text
// between the name and "=>". It returns "" if there is none.
func masked(w *syntax.Walk, name syntax.Node) string {
	rest := w.Text[w.End(name):]
	arrow := bytes.Index(rest, []byte("=>"))
	if arrow < 0 {
		return ""
	}
	typ, ok := bytes.CutPrefix(bytes.TrimSpace(rest[:arrow]), []byte(":"))
	if !ok {
		return ""
	}
	return syntax.OneLine(typ)
}
