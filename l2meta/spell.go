package l2meta

import (
	"strconv"
	"strings"
)

func unquote(s string) string {
	if u, err := strconv.Unquote(s); err == nil {
		return u
	}
	return strings.Trim(s, "\"'`")
}

func isIdentByte(b byte) bool {
	return b == '_' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b >= 0x80 || b == '$'
}

// splitTop splits s at the commas outside of brackets.
func splitTop(s string) (parts []string) {
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

// blank overwrites text with spaces and keeps its line breaks.
func blank(text []byte) {
	for i, b := range text {
		if b != '\n' {
			text[i] = ' '
		}
	}
}
