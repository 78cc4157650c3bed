package l3lsp

import (
	"bytes"
	"unicode/utf8"

	"go.lsp.dev/protocol"
)

// lines converts between byte offsets of one text and the protocol's
// positions: 0-based lines, and columns in UTF-16 code units.
type lines struct {
	text     []byte
	starts   []int
	disputed int // offset of the first line break that only some servers count, len(text) without one
}

// newLines returns the lines of text, which it retains.
func newLines(text []byte) *lines {
	l := &lines{text: text, starts: []int{0}, disputed: disputedBreak(text)}
	for at := 0; ; {
		i := bytes.IndexByte(text[at:], '\n')
		if i < 0 {
			return l
		}
		at += i + 1
		l.starts = append(l.starts, at)
	}
}

// disputedBreak returns the offset of the first character of text that ends a line for some servers and not for
// others, or len(text). gopls counts "\n" alone, pyright a lone "\r" as well, the TypeScript compiler also U+2028
// and U+2029, and Roslyn U+0085.
func disputedBreak(text []byte) int {
	for at := 0; ; at++ {
		i := bytes.IndexByte(text[at:], '\r')
		if i < 0 {
			break
		}
		if at += i; at+1 == len(text) || text[at+1] != '\n' {
			text = text[:at]
			break
		}
	}
	first := len(text)
	for _, char := range [...]string{"\u0085", "\u2028", "\u2029"} {
		if i := bytes.Index(text[:first], []byte(char)); i >= 0 {
			first = i
		}
	}
	return first
}

// agreed reports whether every server means by p the same place, because no disputed line break precedes it.
func (l *lines) agreed(p protocol.Position) bool {
	if l.disputed == len(l.text) {
		return true
	}
	end := l.position(l.disputed)
	return p.Line < end.Line || p.Line == end.Line && p.Character <= end.Character
}

// position returns the position of a byte offset, which is clamped to the text.
func (l *lines) position(offset int) protocol.Position {
	offset = min(max(offset, 0), len(l.text))
	line := l.lineOf(offset)
	units := 0
	for rest := l.text[l.starts[line]:offset]; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		units += utf16Units(r)
		rest = rest[size:]
	}
	return protocol.Position{Line: uint32(line), Character: uint32(units)}
}

// offset returns the byte offset of a position, which is clamped to its line
// and to the text.
func (l *lines) offset(p protocol.Position) int {
	if int(p.Line) >= len(l.starts) {
		return len(l.text)
	}
	at, end := l.starts[p.Line], l.lineEnd(int(p.Line))
	for units := int(p.Character); units > 0 && at < end; {
		r, size := utf8.DecodeRune(l.text[at:end])
		units -= utf16Units(r)
		at += size
	}
	return at
}

// line returns the text of a line, 0-based, without its line break; nil if
// there is no such line.
func (l *lines) line(n int) []byte {
	if n < 0 || n >= len(l.starts) {
		return nil
	}
	return l.text[l.starts[n]:l.lineEnd(n)]
}

// lineOf returns the 0-based line of a byte offset.
func (l *lines) lineOf(offset int) int {
	lo, hi := 0, len(l.starts)
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; l.starts[mid] <= offset {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// lineEnd returns the offset of the end of a line, without its line break.
func (l *lines) lineEnd(line int) int {
	end := len(l.text)
	if line+1 < len(l.starts) {
		end = l.starts[line+1] - 1
	}
	if end > l.starts[line] && l.text[end-1] == '\r' {
		end--
	}
	return end
}

// utf16Units returns the number of UTF-16 code units of a rune. An invalid
// UTF-8 byte counts as one unit, like the replacement character that editors
// show for it.
func utf16Units(r rune) int {
	if r >= 0x10000 {
		return 2
	}
	return 1
}
