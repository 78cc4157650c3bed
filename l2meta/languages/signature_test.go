package languages

import (
	"testing"
)

// TestSignaturesHaveNoComments checks that the comments within a declaration are no part of its signature.
func TestSignaturesHaveNoComments(t *testing.T) {
	for name, c := range map[string]struct{ text, symbol, want string }{
		"A.java": {"class A {\n  @Old\n  // Not inlined: callers would not see it.\n  @Quiet\n" +
			"  public void set(boolean on) {\n  }\n}\n", "A.set", "public void set(boolean on)"},
		"a.ts": {"export function send(\n  to: string, // whom\n  /* how often */ times: number,\n): void {}\n",
			"send", "export function send( to: string, times: number, ): void"},
		"a.go": {"package a\n\nfunc F(a int, // first\n\tb int) error { return nil }\n", "F",
			"func F(a int, b int) error"},
		"a.py": {"def f(a,  # first\n      b):\n    pass\n", "f", "def f(a, b)"},
		"a.c":  {"int/* the sum */add(int a, int b) { return a + b; }\n", "add", "int add(int a, int b)"},
	} {
		f, err := Extract(name, []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, s := range f.Symbols {
			if s.QualifiedName == c.symbol {
				got = s.Signature
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
