package l3lsp

import (
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"go.lsp.dev/protocol"
)

func FuzzPositions(f *testing.F) {
	for _, s := range []string{"", "a\nb", "größe = 𝛑\r\nx", "\n\n", "\xff𝛑\xfe"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		l := newLines(text)
		line, start := 0, 0
		for at := 0; at < len(text); {
			r, size := utf8.DecodeRune(text[at:])
			want := protocol.Position{Line: uint32(line),
				Character: uint32(len(utf16.Encode([]rune(string(text[start:at])))))}
			if got := l.position(at); got != want {
				t.Fatalf("position(%d) of %q = %+v, want %+v", at, text, got, want)
			}
			if text[at] != '\n' && text[at] != '\r' {
				if back := l.offset(want); back != at {
					t.Fatalf("offset(%+v) of %q = %d, want %d", want, text, back, at)
				}
			}
			if at += size; r == '\n' {
				line, start = line+1, at
			}
		}
	})
}

// TestPositionsBehindALine checks that a position behind the end of a line is that end, before the line
// break of either kind, and one behind the text its end.
func TestPositionsBehindALine(t *testing.T) {
	l := newLines([]byte("ab\r\nc\n\rd"))
	for at, want := range map[protocol.Position]int{
		{Line: 0, Character: 2}: 2, {Line: 0, Character: 99}: 2, {Line: 1, Character: 99}: 5,
		{Line: 2, Character: 99}: 8,
		{Line: 7}:                8,
	} {
		if got := l.offset(at); got != want {
			t.Errorf("%+v is at %d, want %d", at, got, want)
		}
	}
}

// TestDisputedLines checks that a position is agreed up to the first line break that only some servers count.
func TestDisputedLines(t *testing.T) {
	for text, want := range map[string]int{
		"a\r\nb\r\n": 6, "a\r\nb\rc\nd": 4, "a\nb\r": 3, "a\u2028b\r": 1, "\rb\u2029": 0,
		"a\u2029b\u2028": 1, "é\u0085": 2, "": 0,
	} {
		l := newLines([]byte(text))
		if l.disputed != want {
			t.Errorf("%q: %d, want %d", text, l.disputed, want)
		}
		for at := range len(text) {
			if p := l.position(at); utf8.RuneStart(text[at]) && l.agreed(p) != (at <= want) {
				t.Errorf("%q: position %+v of %d: %v", text, p, at, l.agreed(p))
			}
		}
		if want < len(text) && l.agreed(protocol.Position{Line: 9}) {
			t.Errorf("%q: a line behind is agreed", text)
		}
	}
}
