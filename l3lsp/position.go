package l3lsp

import (
	"bytes"
	"unicode/utf8"

	"go.lsp.dev/protocol"
)

// lines converts between byte offsets of one text and the protocol's
// positions: 0-based lines, and columns in UTF-16 code units.
type lines struct {
	text   []byte
	starts []int
}

// newLines returns the lines of text, which it retains.
func newLines(text []byte) *lines {
	l := &lines{text: text, starts: []int{0}}
	for at := 0; ; {
		i := bytes.IndexByte(text[at:], '\n')
		if i < 0 {
			return l
		}
		at += i + 1
		l.starts = append(l.starts, at)
	}
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
