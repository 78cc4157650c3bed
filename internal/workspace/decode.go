package workspace

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// decoded returns a text of UTF-16 with a byte order mark, as Visual Studio and PowerShell write
// it, as UTF-8 without a mark. It returns any other text as it is. Bytes that only begin like
// such a mark count as another text if their number is odd, or if they contain half of a pair of
// surrogates or a NUL.
func decoded(text []byte) []byte {
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(text, []byte{0xFF, 0xFE}):
		order = binary.LittleEndian
	case bytes.HasPrefix(text, []byte{0xFE, 0xFF}):
		order = binary.BigEndian
	default:
		return text
	}
	if len(text)%2 != 0 {
		return text
	}
	out := make([]byte, 0, len(text)/2)
	for i := 2; i < len(text); i += 2 {
		r := rune(order.Uint16(text[i:]))
		if utf16.IsSurrogate(r) && i+2 < len(text) {
			i += 2
			r = utf16.DecodeRune(r, rune(order.Uint16(text[i:])))
		}
		if r == 0 || r == utf8.RuneError || utf16.IsSurrogate(r) {
			return text
		}
		out = utf8.AppendRune(out, r)
	}
	return out
}
