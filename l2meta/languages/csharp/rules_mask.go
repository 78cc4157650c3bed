package csharp

import (
	"bytes"
	"regexp"

	"sextant/l2meta/syntax"
)

// head matches the start of a line that declares a type, up to its name.
var head = regexp.MustCompile(`(?m)^[ \t\w\[\]().,]*?\b(?:class|struct|interface)[ \t]+@?\w+`)

// mask returns a text of the same length for the grammar, which does not know types without a
// body. In "class Empty; ", the semicolon and the following space become "{}".
func mask(text []byte) []byte {
	out := text
	for _, m := range head.FindAllIndex(text, -1) {
		if bytes.Contains(text[m[0]:m[1]], []byte("record")) {
			continue // the grammar knows records without a body
		}
		end := headEnd(text, m[1])
		if end < 0 || end+1 >= len(text) || !syntax.IsSpace(text[end+1]) {
			continue
		}
		if &out[0] == &text[0] {
			out = bytes.Clone(text)
		}
		out[end], out[end+1] = '{', '}'
	}
	return out
}

// headEnd returns the offset of the semicolon that ends a type declaration without a body, such
// as class Empty; i is the offset after the name. It returns -1 if a body or anything else
// follows.
func headEnd(text []byte, i int) int {
	depth := 0
	for ; i < len(text); i++ {
		switch b := text[i]; b {
		case '(', '<', '[':
			depth++
		case ')', '>', ']':
			depth--
		case ';':
			if depth == 0 {
				return i
			}
			return -1
		case '{', '}', '=', '/', '"':
			return -1
		case '\n':
			// Only parameters, bases and constraints may continue on the next line.
			if next := bytes.TrimLeft(text[i:min(i+syntax.MaxLine, len(text))], " \t\r\n"); depth == 0 &&
				!bytes.HasPrefix(next, []byte(":")) && !bytes.HasPrefix(next, []byte("where ")) &&
				!bytes.HasPrefix(next, []byte("(")) {
				return -1
			}
		}
	}
	return -1
}
