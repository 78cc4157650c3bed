package rust

import (
	"bytes"

	"sextant/l2meta/syntax"
)

// mask rewrites two constructs that the grammar does not support: it blanks "unsafe" in "unsafe extern"
// blocks of the 2024 edition, and renames calls of a macro str!, which is called like a type. Otherwise the
// code around them would be parsed wrongly. A change inside strings and comments has no effect.
func mask(text []byte) []byte {
	out := text
	put := func(at int, with string) {
		if &out[0] == &text[0] {
			out = bytes.Clone(text)
		}
		copy(out[at:], with)
	}
	for at := 0; ; {
		i := bytes.Index(text[at:], []byte("unsafe extern "))
		if i < 0 {
			break
		}
		at += i
		if line, _, _ := bytes.Cut(text[at:], []byte("\n")); bytes.HasSuffix(bytes.TrimSpace(line), []byte("{")) &&
			!bytes.Contains(line, []byte(" fn ")) {
			put(at, "      ")
		}
		at++
	}
	for at := 0; ; {
		i := bytes.Index(text[at:], []byte("str!"))
		if i < 0 {
			return out
		}
		at += i
		if at == 0 || !syntax.IsIdentByte(text[at-1]) {
			put(at, "s_r")
		}
		at++
	}
}
