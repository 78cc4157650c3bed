package rust

import (
	"bytes"

	"sextant/l2meta/syntax"
)

// mask rewrites two constructs that the grammar does not support and that would make it parse the
// code around them wrongly. It blanks "unsafe" in "unsafe extern" blocks of the 2024 edition. It
// renames calls of a macro str!, whose name is that of a type. Changes inside strings and
// comments do no harm.
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
