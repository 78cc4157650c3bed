package services

import (
	"strings"
	"testing"

	"sextant/internal/code"
)

func TestBeforeType(t *testing.T) {
	for text, want := range map[string]string{
		"a: surf::Client":               "a: ",
		"const A: &'static str":         "const A: ",
		"let a: &mut Vec<u8>":           "let a: ",
		"x && y":                        "x &",
		"let a: & mut ":                 "let a: ",
		"a & b, &'static str":           "a & b, ",
		"&'a_very_long_lifetime ":       "",
		"&'a_lifetime_above_the_bound ": "&'a_lifetime_above_the_bound ",
	} {
		for _, above := range []string{"", strings.Repeat("a &&\n", 20)} {
			if got := beforeType(above + text); got != above+want {
				t.Errorf("beforeType(%q) = %q, want %q", above+text, got, above+want)
			}
		}
	}
}

// BenchmarkDefinitions finds the definitions of a file of 400 kB without an "&". Its time must grow
// with the length of the file only.
func BenchmarkDefinitions(b *testing.B) {
	text := strings.Repeat("\tvalue := first\n\tvar other Type = second\n", 10000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		d := newFolder(&code.File{Language: "go", Text: []byte(text)})
		if d.read(); len(d.defs["value"]) != 10000 {
			b.Fatal(len(d.defs["value"]))
		}
	}
}
