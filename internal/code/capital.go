package code

import (
	"unicode"
	"unicode/utf8"
)

// Capitalized returns name with its first letter in upper case, Decapitalized in lower case. Names need not be ASCII.
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
