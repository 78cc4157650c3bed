package syntax

import (
	"strconv"
	"strings"
)

// Unquote returns the value of a quoted string, or s without quotation marks if it is no Go string.
func Unquote(s string) string {
	if u, err := strconv.Unquote(s); err == nil {
		return u
	}
	return strings.Trim(s, "\"'`")
}

// IsIdentByte reports whether b may be part of an identifier, including bytes of non-ASCII letters.
func IsIdentByte(b byte) bool {
	return b == '_' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b >= 0x80 || b == '$'
}

// SplitTop splits s at the commas outside of brackets.
func SplitTop(s string) (parts []string) {
	depth, from := 0, 0
	for i := range len(s) {
		switch s[i] {
		case '(', '[', '{', '<':
			depth++
		case ')', ']', '}', '>':
			depth--
		case ',':
			if depth == 0 {
				parts = append(parts, s[from:i])
				from = i + 1
			}
		}
	}
	if strings.TrimSpace(s[from:]) != "" {
		parts = append(parts, s[from:])
	}
	return parts
}

// Blank replaces the bytes of text by spaces, except line breaks.
func Blank(text []byte) {
	for i, b := range text {
		if b != '\n' {
			text[i] = ' '
		}
	}
}
