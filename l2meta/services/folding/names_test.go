package folding

import (
	"maps"
	"slices"
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

// TestDeclaredBuilders checks that a builder belongs to the name in its declaration, not to a
// longer name that ends with it, and that only texts which are appended below its declaration
// count.
func TestDeclaredBuilders(t *testing.T) {
	for _, c := range []struct {
		language, text string
		want           map[string][]int
	}{
		{"go", "var b strings.Builder; var buf bytes.Buffer; var b strings.Builder; type c strings.Builder",
			map[string][]int{"b": {21, 66}, "buf": {43}}},
		{"csharp", "var sb = new StringBuilder(); x = new StringBuilder(16);", map[string][]int{"sb": {28}}},
		{"java", "var b strings.Builder", map[string][]int{}},
	} {
		d := New(&code.File{Language: c.language, Text: []byte(c.text)})
		if got := d.declaredBuilders(); !maps.EqualFunc(got, c.want, slices.Equal) {
			t.Errorf("%q: %v, want %v", c.text, got, c.want)
		}
	}
	d := New(&code.File{Language: "go",
		Text: []byte(`b.WriteString("/x"); var b strings.Builder; b.WriteString("/y"); ` +
			`var b strings.Builder; b.WriteString("/z")`)})
	for at, want := range map[int]string{20: "", 42: "", 64: "/y", len(d.Text): "/z"} {
		if got := d.builtFrom("b", at, 0); got != want {
			t.Errorf("at %d: %q, want %q", at, got, want)
		}
	}
}

// BenchmarkDefinitions finds the definitions of a file of 400 kB without an "&". Its time must grow
// linearly with the length of the file.
func BenchmarkDefinitions(b *testing.B) {
	text := strings.Repeat("\tvalue := first\n\tvar other Type = second\n", 10000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		d := New(&code.File{Language: "go", Text: []byte(text)})
		if d.read(); len(d.defs["value"]) != 10000 {
			b.Fatal(len(d.defs["value"]))
		}
	}
}
