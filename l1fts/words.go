package l1fts

import (
	"unicode"
	"unicode/utf8"
)

const (
	// maxWord is the length in bytes of the longest identifier that is indexed whole. Longer ones
	// are data (base64, hashes) or generated names; a search finds them by their parts.
	maxWord = 64
	// maxRun is the length of the longest run of word characters that is indexed at all. Longer
	// runs, such as a line of base64, have no parts worth searching for.
	maxRun = 256
)

// words calls emit with every word of text, lower-cased. An identifier is
// emitted whole, without its underscores, and in parts (HTTPServer: httpserver,
// http, server; sha256_sum: sha256sum, sha256, sha, 256, sum). A run of
// ideographs is emitted as overlapping pairs. The slice passed to emit is valid
// until emit returns. scratch is reused between calls; words returns it,
// possibly grown.
func words(text, scratch []byte, emit func(word []byte)) []byte {
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			if !isWordByte(c) {
				i++
				continue
			}
			j := i + 1
			for j < len(text) && isWordByte(text[j]) {
				j++
			}
			if j == len(text) || text[j] < utf8.RuneSelf {
				if j-i <= maxRun {
					scratch = asciiWord(text[i:j], scratch[:0], emit)
				}
				i = j
				continue
			}
		}
		var next int
		if next, scratch = unicodeWord(text, i, scratch[:0], emit); next == i {
			_, size := utf8.DecodeRune(text[i:])
			next += size
		}
		i = next
	}
	return scratch
}

func isWordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_'
}

// class is the class of an ASCII character, by which identifiers are split into parts.
type class uint8

const (
	other class = iota
	lower
	upper
	digit
)

func classOf(c byte) class {
	switch {
	case 'a' <= c && c <= 'z':
		return lower
	case 'A' <= c && c <= 'Z':
		return upper
	case '0' <= c && c <= '9':
		return digit
	}
	return other
}

// asciiWord emits an identifier whole, then its parts if it has several.
func asciiWord(ident, buf []byte, emit func([]byte)) []byte {
	for len(ident) > 0 && ident[0] == '_' {
		ident = ident[1:]
	}
	if len(ident) == 0 {
		return buf
	}
	mixed := false // whether the identifier has several parts, or letters and digits
	for i, c := range ident {
		if c == '_' {
			mixed = true
			continue
		}
		if i > 0 && !mixed {
			a, b := classOf(ident[i-1]), classOf(c)
			mixed = a != b && !(a == upper && b == lower && i == 1)
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		buf = append(buf, c)
	}
	if len(buf) <= maxWord {
		emit(buf)
	}
	if !mixed {
		return buf
	}
	whole := buf
	at := 0 // offset in whole of ident[i]
	start := 0
	for i := range ident {
		if ident[i] == '_' {
			part(whole[start:at], len(whole), emit)
			start = at
			continue
		}
		if at > start && boundary(ident, i) {
			part(whole[start:at], len(whole), emit)
			start = at
		}
		at++
	}
	part(whole[start:], len(whole), emit)
	return buf
}

// boundary reports whether a new part starts at ident[i]: at B in aB, at Bc in
// ABc, at b or B after a digit. A digit belongs to the letters before it.
func boundary(ident []byte, i int) bool {
	a, b := classOf(ident[i-1]), classOf(ident[i])
	switch {
	case a == lower && b == upper, a == digit && (b == lower || b == upper):
		return true
	case a == upper && b == upper:
		return i+1 < len(ident) && classOf(ident[i+1]) == lower && !plural(ident, i+1)
	}
	return false
}

// plural reports whether ident[i] is the s of an acronym's plural: IDs, URLs.
func plural(ident []byte, i int) bool {
	return ident[i] == 's' && (i+1 == len(ident) || classOf(ident[i+1]) != lower)
}

// part emits p, a part of an identifier of whole bytes. If p is letters followed by digits
// (sha256), it also emits the letters and the digits alone. It emits no single characters, since
// they match nearly everything.
func part(p []byte, whole int, emit func([]byte)) {
	if len(p) < 2 {
		return
	}
	if len(p) <= maxWord && len(p) < whole {
		emit(p)
	}
	n := len(p)
	for n > 0 && classOf(p[n-1]) == digit {
		n--
	}
	if n == 0 || n == len(p) {
		return
	}
	if n >= 2 && n <= maxWord {
		emit(p[:n])
	}
	if len(p)-n >= 2 && len(p)-n <= maxWord {
		emit(p[n:])
	}
}

// unicodeWord emits the word at text[i:], which has characters beyond ASCII,
// and returns the offset of its end. Such words are split at underscores only.
// Ideographs are emitted as overlapping pairs, because their scripts put no
// space between words.
func unicodeWord(text []byte, i int, buf []byte, emit func([]byte)) (next int, scratch []byte) {
	flush := func() {
		if len(buf) > 0 && len(buf) <= maxWord {
			emit(buf)
		}
		buf = buf[:0]
	}
	for i < len(text) {
		r, size := utf8.DecodeRune(text[i:])
		switch {
		case r == utf8.RuneError && size <= 1:
			flush()
			return i, buf
		case Ideograph(r):
			flush()
			i = ideographs(text, i, emit)
			continue
		case r == '_':
			flush()
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			buf = utf8.AppendRune(buf, unicode.ToLower(r))
		default:
			flush()
			return i, buf
		}
		i += size
	}
	flush()
	return i, buf
}

// Ideograph reports whether r belongs to a script that puts no spaces between words, such as
// Chinese. Runs of such characters are indexed as overlapping pairs.
func Ideograph(r rune) bool {
	return r >= 0x1100 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// ideographs emits the run of ideographs at text[i:] as overlapping pairs, or
// as itself if it is a single one, and returns the offset of its end.
func ideographs(text []byte, i int, emit func([]byte)) (next int) {
	prev, start := -1, i
	for i < len(text) {
		r, size := utf8.DecodeRune(text[i:])
		if !Ideograph(r) {
			break
		}
		if prev >= 0 {
			emit(text[prev : i+size])
		}
		prev = i
		i += size
	}
	if prev == start {
		emit(text[prev:i])
	}
	return i
}
