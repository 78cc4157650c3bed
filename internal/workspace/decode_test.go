package workspace

import (
	"encoding/binary"
	"testing"
	"unicode/utf16"
)

// wide returns a text as UTF-16 with a byte order mark.
func wide(order binary.AppendByteOrder, text string) []byte {
	out := order.AppendUint16(nil, 0xFEFF)
	for _, u := range utf16.Encode([]rune(text)) {
		out = order.AppendUint16(out, u)
	}
	return out
}

func TestDecoded(t *testing.T) {
	const text = "class Größe { } // 😀\r\n"
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		if got := string(decoded(wide(order, text))); got != text {
			t.Errorf("%v: %q, want %q", order, got, text)
		}
	}
	for _, other := range []string{"", "\xFF", "plain", "\xEF\xBB\xBFplain", "\xFF\xFEa", "\xFF\xFE\x00\x00a\x00\x00\x00",
		"\xFF\xFE\x3D\xD8", "\xFF\xFE\x00\xDCa\x00", "\xFF\xFE\x3D\xD8a\x00"} {
		if got := string(decoded([]byte(other))); got != other {
			t.Errorf("%q became %q", other, got)
		}
	}
	if got := decoded([]byte("\xFF\xFE")); len(got) != 0 {
		t.Errorf("a mark alone became %q", got)
	}
}
