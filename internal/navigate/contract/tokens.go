package contract

import "unicode/utf8"

// Tokens estimates the number of tokens in text by the byte-pair vocabulary o200k. On answers of all
// tools it is within 10 % of the count (see TestTokensAreNear).
//
// Like a tokenizer with that vocabulary, it first splits the text into pieces: words with the character
// before them, groups of three digits, marks and spaces. The split is exact for ASCII, and no token
// spans two pieces. Only the number of tokens in a piece is a guess: the mean over pieces of the same
// shape and length, which is in prices. A real tokenizer would be exact for one model, but costs 4 MB of
// vocabulary and some 100 ns a byte.
func Tokens[T ~string | ~[]byte](text T) int {
	sum := 0
	for i := 0; i < len(text); {
		end, p := nextPiece(text, i)
		sum += p.price()
		i = end
	}
	return (sum + pricesPerToken/2) / pricesPerToken
}

// piece is a part of a text that a tokenizer splits off before it looks up the tokens in it.
type piece struct {
	kind pieceKind
	lead lead
	size int // number of letters, digits, marks or spaces; of wides, the price in quarters of a token
}

// pieceKind is the kind of characters in a piece.
type pieceKind uint8

const (
	lowerWord   pieceKind = iota // "name"
	capitalWord                  // "Name"
	upperWord                    // "NAME"
	mixedWord                    // "HTTPServer", which ends in lower case
	idWord                       // beside a digit: part of an id or a hash
	marks                        // "(){"
	digits                       // at most three
	spaces
	wides // outside ASCII
)

// lead is the kind of the character that precedes a word or marks and belongs to the same piece.
type lead uint8

const (
	noLead lead = iota
	spaceLead
	markLead
	escapeLead // the backslash of "\\n" in JSON, whose letter belongs to the word
)

const (
	pricesPerToken = 100
	maxPiece       = 16 // largest size of a piece in prices, in letters or marks
)

// price returns the estimated number of tokens of a piece, times pricesPerToken.
func (p piece) price() int {
	switch p.kind {
	case digits:
		return pricesPerToken
	case spaces:
		return pricesPerToken
	case wides:
		return p.size * pricesPerToken / 4
	}
	known := int(prices[p.kind][p.lead][min(p.size, maxPiece)])
	if p.size > maxPiece {
		known += (p.size - maxPiece) * known / maxPiece
	}
	return known
}

// nextPiece returns the piece that starts at text[i], and the offset at which it ends.
func nextPiece[T ~string | ~[]byte](text T, i int) (end int, p piece) {
	c := text[i]
	switch {
	case c >= utf8.RuneSelf:
		return wideRun(text, i)
	case isDigit(c):
		for end = i + 1; end < len(text) && end < i+3 && isDigit(text[end]); end++ {
		}
		return end, piece{digits, noLead, end - i}
	case isASCIILetter(c):
		return word(text, i, i)
	case c != '\n' && c != '\r' && i+1 < len(text) && isASCIILetter(text[i+1]):
		return word(text, i, i+1)
	case isBlank(c):
		return blank(text, i)
	}
	return markRun(text, i, i)
}

// word returns the piece of the word that starts at i, and the offset at which it ends. The letters
// start at from, which is i or i+1.
func word[T ~string | ~[]byte](text T, i, from int) (end int, p piece) {
	upper := from
	for upper < len(text) && isUpper(text[upper]) {
		upper++
	}
	end = upper
	for end < len(text) && (text[end] >= 'a' && text[end] <= 'z' || isLatin(text, end)) {
		end++
	}
	p.size = end - from
	switch {
	case i > 0 && isDigit(text[i-1]) && i == from || end < len(text) && isDigit(text[end]):
		p.kind = idWord
	case upper == from:
		p.kind = lowerWord
	case upper == end:
		p.kind = upperWord
	case upper == from+1:
		p.kind = capitalWord
	default:
		p.kind = mixedWord
	}
	if i < from {
		switch c := text[i]; {
		case c == '\\':
			p.lead = escapeLead
		case isBlank(c):
			p.lead = spaceLead
		default:
			p.lead = markLead
		}
	}
	return end, p
}

// markRun returns the piece of marks, with the line ends after them, that starts at i, and the
// offset at which it ends. The marks start at from, which is i or i+1.
func markRun[T ~string | ~[]byte](text T, i, from int) (end int, p piece) {
	for end = from; end < len(text) && isMark(text[end]); end++ {
	}
	p = piece{marks, noLead, end - from}
	if i < from {
		p.lead = spaceLead
	}
	for end < len(text) && (text[end] == '\n' || text[end] == '\r') {
		end++
	}
	return end, p
}

// blank returns the piece of white space that starts at i, and the offset at which it ends: after
// the last line end, or before the last space if that belongs to the next piece. A single space
// before marks is part of their piece.
func blank[T ~string | ~[]byte](text T, i int) (end int, p piece) {
	lines := i
	for end = i; end < len(text) && isBlank(text[end]); end++ {
		if text[end] == '\n' || text[end] == '\r' {
			lines = end + 1
		}
	}
	switch {
	case lines > i:
		return lines, piece{kind: spaces, size: lines - i}
	case end == len(text) || end > i+1 && !isDigit(text[end]):
		if end < len(text) {
			end--
		}
		return end, piece{kind: spaces, size: end - i}
	case text[i] == ' ' && isMark(text[end]):
		return markRun(text, i, end)
	}
	return end, piece{kind: spaces, size: end - i}
}

// wideRun returns the piece of runes outside ASCII that starts at i, and the offset at which it
// ends. A letter of two bytes, such as Cyrillic, costs half a token, a Chinese character three
// quarters, an emoji two and a half, and a byte of invalid UTF-8 one.
func wideRun[T ~string | ~[]byte](text T, i int) (end int, p piece) {
	p.kind = wides
	for end = i; end < len(text) && text[end] >= utf8.RuneSelf; {
		_, n := utf8.DecodeRuneInString(string(text[end:min(end+utf8.UTFMax, len(text))]))
		p.size += [...]int{4, 4, 2, 3, 10}[n]
		end += n
	}
	return end, p
}

// isLatin reports whether text[i] is the first or the second byte of a letter such as "ö". Each of the
// two bytes counts as a letter of a word.
func isLatin[T ~string | ~[]byte](text T, i int) bool {
	first := func(b byte) bool { return b == 0xC3 || b == 0xC4 || b == 0xC5 }
	return first(text[i]) && i+1 < len(text) && text[i+1]&0xC0 == 0x80 ||
		text[i]&0xC0 == 0x80 && i > 0 && first(text[i-1])
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

func isUpper(b byte) bool { return b >= 'A' && b <= 'Z' }

func isASCIILetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }

func isBlank(b byte) bool { return b == ' ' || b == '\n' || b == '\t' || b == '\r' }

func isMark(b byte) bool {
	return b < utf8.RuneSelf && !isASCIILetter(b) && !isDigit(b) && !isBlank(b)
}
