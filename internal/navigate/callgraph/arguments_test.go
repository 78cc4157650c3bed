package callgraph

import (
	"strings"
	"testing"

	"sextant/internal/code"
)

func TestArguments(t *testing.T) {
	for text, want := range map[string]string{
		`f(a, g(b, c), "x,y", 'z')`:           `a|g(b, c)|"x,y"|'z'`,
		"f(\n\ta,\n\tfunc() { return 1 },\n)": `a|func() { return 1 }`,
		`f()`:                                 ``,
		`f`:                                   ``,
		`f<T, U>(x)`:                          `x`,
		`f[int](x, y...)`:                     `x|y...`,
		`f!(a; b, c)`:                         `a; b|c`,
		`f("\"", b)`:                          `"\""|b`,
		`f(&'a x, y)`:                         `&'a x|y`,
		`f(a, b`:                              `a`,
	} {
		c := code.Call{Span: code.Span{EndByte: len(text)}, NameSpan: code.Span{EndByte: 1}}
		if got := strings.Join(argumentsOf([]byte(text), &c), "|"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	long := "f(" + strings.Repeat("é", 100) + strings.Repeat(", 1", 30) + ")"
	c := code.Call{Span: code.Span{EndByte: len(long)}, NameSpan: code.Span{EndByte: 1}}
	if got := argumentsOf([]byte(long), &c); len(got) != maxArguments+1 || len(got[0]) > maxArgument+4 ||
		got[maxArguments] != "…" {
		t.Errorf("long arguments: %q", got)
	}
	if argumentsOf([]byte("x"), &code.Call{Span: code.Span{EndByte: 50}, NameSpan: code.Span{EndByte: 1}}) != nil {
		t.Error("a call behind the end of the text has arguments")
	}
}
