package rules

import (
	"bytes"

	"sextant/l2meta/syntax"
)

// memberLines returns the offsets of white space before members that the grammar would parse as a
// continuation of the type on the previous line:
//
//	interface F {
//	  <T>(a: T): T
//	  <T, U>(a: T, b: U): U    not T<T, U>
//	  [key: string]: unknown   not U[key]
//	}
//
// A semicolon there ends the previous member, as the line break does in TypeScript.
func memberLines(text []byte) (out []int) {
	for i := 0; i < len(text); {
		end := len(text)
		if n := bytes.IndexByte(text[i:], '\n'); n >= 0 {
			end = i + n + 1
		}
		first := i
		for first < end && (text[first] == ' ' || text[first] == '\t') {
			first++
		}
		if first > i && first < end && (text[first] == '<' || text[first] == '[') && endsType(text[:i]) &&
			isMember(text[first:]) {
			out = append(out, first-1)
		}
		i = end
	}
	return out
}

// endsType reports whether a type may end at the end of text.
func endsType(text []byte) bool {
	before := bytes.TrimRight(text[max(len(text)-syntax.MaxLine, 0):], " \t\r\n")
	if len(before) == 0 {
		return false
	}
	last := before[len(before)-1]
	return syntax.IsIdentByte(last) || bytes.IndexByte([]byte(")]}>'\"`"), last) >= 0
}

// isMember reports whether text starts with a call signature with type parameters or an index
// signature. Neither can start an expression.
func isMember(text []byte) bool {
	text = text[:min(len(text), 4*syntax.MaxLine)]
	end := partner(text)
	if end < 0 {
		return false
	}
	if text[0] == '[' {
		name, _, found := bytes.Cut(text[1:end], []byte(":"))
		name = bytes.TrimSpace(name)
		return found && len(name) > 0 && bytes.IndexFunc(name, func(r rune) bool {
			return r > 127 || !syntax.IsIdentByte(byte(r))
		}) < 0
	}
	text = bytes.TrimLeft(text[end+1:], " \t")
	if len(text) == 0 || text[0] != '(' {
		return false
	}
	if end = partner(text); end < 0 {
		return false
	}
	text = bytes.TrimLeft(text[end+1:], " \t")
	return len(text) > 0 && text[0] == ':'
}

// partner returns the offset of the bracket that closes the one at the start of text, or -1.
func partner(text []byte) int {
	depth := 0
	for i, b := range text {
		switch b {
		case '(', '[', '{', '<':
			depth++
		case '>':
			if i > 0 && text[i-1] == '=' { // the ">" of an arrow, =>, closes nothing
				continue
			}
			fallthrough
		case ')', ']', '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}
