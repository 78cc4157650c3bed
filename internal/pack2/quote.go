package pack2

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// textMark stands between a line's tokens and its prose.
const textMark = "--"

func isAlnum(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func isSafe(c byte) bool { return isAlnum(c) || strings.IndexByte("._/@+-", c) >= 0 }

func isNameByte(c byte) bool { return isAlnum(c) || c == '_' || c == '.' || c == '-' }

// isWord reports whether s may be a key, a tool or a status.
func isWord(s string) bool {
	for i := range len(s) {
		if !isAlnum(s[i]) && s[i] != '_' {
			return false
		}
	}
	return s != ""
}

func isName(s string) bool {
	for i := range len(s) {
		if !isNameByte(s[i]) {
			return false
		}
	}
	return s != "" && (s[0] == '_' || isAlnum(s[0]) && s[0] > '9')
}

// isPath reports whether s is written as it stands where a path may be.
func isPath(s string) bool {
	for i := range len(s) {
		if !isSafe(s[i]) {
			return false
		}
	}
	return s != ""
}

// isPlain reports whether s is written as it stands where a word may be. It
// is wider than isPath, for labels such as (*Router).Create or Map<K,V>.
func isPlain(s string) bool {
	if s == "" || s == textMark {
		return false
	}
	for _, r := range s {
		if r == ' ' || r == '"' || r == '=' || !unicode.IsPrint(r) {
			return false
		}
	}
	_, _, _, place := cutLines(s)
	return !place
}

// isProse reports whether s is written as it stands behind textMark.
func isProse(s string) bool {
	if s == "" || s[0] == ' ' || s[0] == '"' || s[len(s)-1] == ' ' {
		return false
	}
	for _, r := range s {
		if !unicode.IsPrint(r) {
			return false
		}
	}
	return true
}

// isLiteral reports whether s is a JSON number, true, false or null.
func isLiteral(s string) bool {
	switch s {
	case "":
		return false
	case "true", "false", "null":
		return true
	}
	// Most values are words and paths: do not start a JSON scanner for them.
	return (s[0] == '-' || '0' <= s[0] && s[0] <= '9') && json.Valid([]byte(s))
}

// cutLines splits the lines off a place: "a.go:41-66" is a.go, 41, 66. ok is
// false for what does not end in ":FIRST" or ":FIRST-LAST" of possible lines.
func cutLines(s string) (path string, start, end int, ok bool) {
	colon := strings.LastIndexByte(s, ':')
	if colon < 0 {
		return "", 0, 0, false
	}
	first, last, ranged := strings.Cut(s[colon+1:], "-")
	start, ok = number(first)
	end = start
	if ok && ranged {
		end, ok = number(last)
	}
	if !ok || start < 1 || end < start {
		return "", 0, 0, false
	}
	return s[:colon], start, end, true
}

// number reads a decimal number without sign and leading zeros.
func number(s string) (int, bool) {
	if s == "" || s[0] < '0' || s[0] > '9' || s[0] == '0' && len(s) > 1 {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}

// checkUTF8 refuses what a JSON string cannot carry; encoding/json would
// silently write another text.
func checkUTF8(what, s string) error {
	if !utf8.ValidString(s) {
		return fmt.Errorf("%s: %q is not UTF-8", what, s)
	}
	return nil
}

// appendString writes s as a JSON string. Unlike encoding/json it keeps < > &,
// and it escapes every character that does not print (bidirectional controls
// among them), so that what a reader sees is what is there.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, `\n`...)
		case r == '\r':
			b = append(b, `\r`...)
		case r == '\t':
			b = append(b, `\t`...)
		default:
			b = appendRune(b, r)
		}
	}
	return append(b, '"')
}

func appendRune(b []byte, r rune) []byte {
	if unicode.IsPrint(r) {
		return utf8.AppendRune(b, r)
	}
	if r > 0xffff {
		hi, lo := utf16.EncodeRune(r)
		return fmt.Appendf(b, `\u%04x\u%04x`, hi, lo)
	}
	return fmt.Appendf(b, `\u%04x`, r)
}

// appendJSON writes JSON text compactly. Strings are refused: a string has a
// form of its own.
func appendJSON(b []byte, text string) ([]byte, error) {
	var out bytes.Buffer
	if err := json.Compact(&out, []byte(text)); err != nil {
		return nil, fmt.Errorf("want JSON, have %q: %w", text, err)
	}
	if out.Bytes()[0] == '"' {
		return nil, errors.New("want a JSON value other than a string")
	}
	// Compacted, JSON has such characters within strings alone, where an
	// escape means the same.
	for _, r := range out.String() {
		b = appendRune(b, r)
	}
	return b, nil
}

// cutString splits the JSON string that s starts with off s.
func cutString(s string) (value, rest string, err error) {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			if err := json.Unmarshal([]byte(s[:i+1]), &value); err != nil {
				return "", "", fmt.Errorf("want a JSON string at %s: %w", excerpt(s), err)
			}
			return value, s[i+1:], nil
		}
	}
	return "", "", fmt.Errorf("want a closing quote after %s", excerpt(s))
}

// cutJSON splits the array or object that s starts with off s.
func cutJSON(s string) (value, rest string, err error) {
	dec := json.NewDecoder(strings.NewReader(s))
	var raw json.RawMessage
	if err := dec.Decode(&raw); err != nil {
		return "", "", fmt.Errorf("want JSON at %s: %w", excerpt(s), err)
	}
	compact, err := appendJSON(nil, string(raw))
	return string(compact), s[dec.InputOffset():], err
}

// excerpt quotes the start of s for an error.
func excerpt(s string) string {
	const most = 40 // bytes: enough to find the place, too few to flood a log
	if len(s) > most {
		s = s[:most] + "…"
	}
	return strconv.Quote(s)
}
