package embed

import (
	"unicode"
	"unicode/utf8"
)

// tokeniserVersion is part of the fingerprint. Raise it with every change to
// the stems, the n-grams or the fields of a document, and train the table
// again.
const tokeniserVersion = "1"

// maxStem is the length in bytes of the longest part of an identifier that is embedded. Longer
// parts are data, such as hashes.
const maxStem = 32

// stems calls emit with the stem of every word of text. Identifiers are split
// at changes of case, underscores and digits, and lower-cased; single
// characters are dropped. The slice passed to emit is valid until emit returns.
func stems(text []byte, emit func(stem []byte)) {
	var buf [maxStem + utf8.UTFMax]byte
	for i := 0; i < len(text); {
		c := text[i]
		if c >= utf8.RuneSelf {
			i = foreignWord(text, i, buf[:0], emit)
			continue
		}
		k := kinds[c]
		if k == other {
			i++
			continue
		}
		end := partEnd(text, i, k)
		if end < len(text) && text[end] >= utf8.RuneSelf {
			i = foreignWord(text, i, buf[:0], emit)
			continue
		}
		if n := end - i; n >= 2 && n <= maxStem {
			word := buf[:n]
			for j := range word {
				word[j] = lowered[text[i+j]]
			}
			if k != digit {
				word = stem(word)
			}
			emit(word)
		}
		i = end
	}
}

// kind is the kind of an ASCII character, by which identifiers are split into parts.
type kind uint8

const (
	other kind = iota
	lower
	upper
	digit
)

// kinds maps an ASCII byte to its kind: letter in lower or upper case, digit or other. lowered maps
// it to its lower case.
var kinds, lowered = tables()

func tables() (k [256]kind, l [256]byte) {
	for c := range 256 {
		l[c] = byte(c)
		switch {
		case 'a' <= c && c <= 'z':
			k[c] = lower
		case 'A' <= c && c <= 'Z':
			k[c] = upper
			l[c] = byte(c) + 'a' - 'A'
		case '0' <= c && c <= '9':
			k[c] = digit
		}
	}
	return k, l
}

// partEnd returns the end of the part that starts at text[i] and whose first
// character is of kind k. HTTPServer has the parts HTTP and Server, sha256 has
// sha and 256, and IDs is one part.
func partEnd(text []byte, i int, k kind) int {
	j := i + 1
	if k != upper {
		for j < len(text) && kinds[text[j]] == k {
			j++
		}
		return j
	}
	for j < len(text) && kinds[text[j]] == upper {
		j++
	}
	if j == len(text) || kinds[text[j]] != lower {
		return j
	}
	acronym := j - i
	for j < len(text) && kinds[text[j]] == lower {
		j++
	}
	rest := j - i - acronym
	if acronym == 1 || rest == 1 && text[j-1] == 's' { // Server and IDs are one part each
		return j
	}
	return i + acronym - 1
}

// foreignWord emits the word at text[i:], which has letters beyond ASCII and is
// not split, and returns the offset of its end. In scripts without spaces
// between words it emits overlapping pairs of characters instead.
func foreignWord(text []byte, i int, buf []byte, emit func([]byte)) int {
	flush := func() {
		if utf8.RuneCount(buf) >= 2 {
			emit(buf)
		}
		buf = buf[:0]
	}
	var before []byte // the ideograph before this one
	for i < len(text) {
		r, size := utf8.DecodeRune(text[i:])
		if !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) {
			if r >= utf8.RuneSelf {
				i += size
			}
			break
		}
		if r >= 0x1100 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) {
			if before == nil {
				flush()
			} else {
				emit(text[i-len(before) : i+size])
			}
			before = text[i : i+size]
		} else {
			before = nil
			if len(buf) < maxStem {
				buf = utf8.AppendRune(buf, unicode.ToLower(r))
			}
		}
		i += size
	}
	flush()
	return i
}

// stem removes the ending of an English word, in place. The result need not be a word, but is the
// same for all forms: validat for validate, validates, validated, validating and validation.
func stem(w []byte) []byte {
	if n := len(w); n >= 4 && w[n-1] == 's' {
		switch {
		case w[n-2] == 's' || w[n-2] == 'u' || w[n-2] == 'i': // class, status and this keep their s
			return w
		case n >= 5 && ends(w, "ies"): // queries becomes query
			w = append(w[:n-3], 'y')
		case ends(w, "sses") || ends(w, "xes") || ends(w, "ches") || ends(w, "shes"): // boxes becomes box
			w = w[:n-2]
		default:
			w = w[:n-1]
		}
	}
	switch n := len(w); {
	case n >= 6 && ends(w, "ing"):
		return undouble(w[:n-3])
	case n >= 5 && ends(w, "ied"): // copied becomes copy
		return append(w[:n-3], 'y')
	case n >= 5 && ends(w, "ed") && w[n-3] != 'e': // sorted, but not need
		return undouble(w[:n-2])
	case n >= 7 && ends(w, "tion") || n >= 7 && ends(w, "sion"): // selection becomes select
		return w[:n-3]
	case n >= 4 && w[n-1] == 'e':
		return w[:n-1]
	}
	return w
}

// ends reports whether w ends with the text with.
func ends(w []byte, with string) bool {
	return len(w) >= len(with) && string(w[len(w)-len(with):]) == with
}

// undouble removes a consonant that was doubled before the ending: stopp(ing),
// but not call(ing).
func undouble(w []byte) []byte {
	n := len(w)
	if n >= 4 && w[n-1] == w[n-2] && w[n-1] != 'l' && w[n-1] != 's' && w[n-1] != 'e' {
		return w[:n-1]
	}
	return w
}
