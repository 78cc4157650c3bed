package code

import (
	"unicode"
	"unicode/utf8"
)

// Capitalized returns name with its first letter in upper case. The name need not be ASCII.
func Capitalized(name string) string { return first(name, unicode.ToUpper) }

// Decapitalized returns a name with its first letter in lower case.
func Decapitalized(name string) string { return first(name, unicode.ToLower) }

func first(name string, to func(rune) rune) string {
	r, size := utf8.DecodeRuneInString(name)
	if size == 0 || r == utf8.RuneError {
		return name
	}
	return string(to(r)) + name[size:]
}

// Folded returns text in lower case, with the same length, so that an offset in the result is an
// offset in text. It does not change letters whose lower case takes more or fewer bytes, such as
// "İ" and the Kelvin sign, nor bytes that are not UTF-8.
func Folded(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			out = append(out, c)
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if lower := unicode.ToLower(r); r != utf8.RuneError && utf8.RuneLen(lower) == size {
			out = utf8.AppendRune(out, lower)
		} else {
			out = append(out, text[i:i+size]...)
		}
		i += size
	}
	return out
}
