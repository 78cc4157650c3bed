package compact

import (
	"strings"
	"testing"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
)

// TestCommonWordsStandOnce checks that methods in a row write the receiver that they share once, on
// a line above them, where that is shorter, and that members of a type do not.
func TestCommonWordsStandOnce(t *testing.T) {
	declared := func(from, to int, name, signature string, parents ...string) contract.OutlineSymbol {
		return contract.OutlineSymbol{Name: name, Signature: signature, ParentPath: parents,
			Span: code.Span{StartLine: from, EndLine: to}}
	}
	a := &contract.OutlineAnswer{Outcome: contract.Outcome{Status: contract.StatusOK},
		Outline: &contract.Outline{Symbols: contract.List[contract.OutlineSymbol]{
			declared(1, 9, "Conn", "type Conn struct"),
			declared(11, 13, "Close", "func (c *Conn) Close() error"),
			declared(15, 17, "Conn", "func (c *Conn) Conn() *Conn"),
			declared(19, 21, "func", "func (c *Conn) func()"),
			declared(23, 25, "Flush", "func (b *Buf) Flush()"),
			declared(27, 29, "Grow", "func (b *Buf) Grow()"),
			declared(31, 40, "Store", "public class Store"),
			declared(32, 33, "get", "public static final String get()", "Store"),
			declared(34, 35, "set", "public static final String set()", "Store"),
			declared(36, 37, "all", "public static final String all()", "Store"),
			declared(38, 39, "any", "public static final String any()", "Store"),
		}}}
	want := `1-9 type Conn struct
func (c *Conn):
  11-13 Close() error
  15-17 Conn() *Conn
  19-21 func()
23-25 func (b *Buf) Flush()
27-29 func (b *Buf) Grow()
31-40 public class Store
  32-33 public static final String get()
  34-35 public static final String set()
  36-37 public static final String all()
  38-39 public static final String any()
`
	if got := rendered(t, &contract.OutlineRequest{}, a); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestStatementOfSeveralNamesStandsOnce checks that a statement which declares several names is written once.
func TestStatementOfSeveralNamesStandsOnce(t *testing.T) {
	named := func(from, to int, name, signature string) contract.OutlineSymbol {
		return contract.OutlineSymbol{Name: name, Signature: signature,
			Span: code.Span{StartLine: from, EndLine: to}}
	}
	a := &contract.OutlineAnswer{Outcome: contract.Outcome{Status: contract.StatusOK},
		Outline: &contract.Outline{Symbols: contract.List[contract.OutlineSymbol]{
			named(1, 1, "save", "const { save, reset } = useForm()"),
			named(1, 1, "reset", "const { save, reset } = useForm()"),
			named(2, 2, "f", "int f()"), named(2, 2, "g", "int g()"),
			named(3, 3, "h", "int h()"), named(4, 4, "h", "int h()"),
		}}}
	want := "1 const { save, reset } = useForm()\n2 int f()\n2 int g()\n3 int h()\n4 int h()\n"
	if got := rendered(t, &contract.OutlineRequest{}, a); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestSignatureKeepsTheName(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"func F(a int) error", "func F(a int) error"},
		{"func F(" + strings.Repeat("a, ", 60) + ")", "func F(" + strings.Repeat("a, ", 34) + "a…"},
		{"// Don't specify " + strings.Repeat("it here ", 20) + "@Deprecated public final void F(boolean lenient)",
			"…public final void F(boolean lenient)"},
		{strings.Repeat("x", 200) + "F()", "…" + strings.Repeat("x", 20) + "F()"},
	} {
		if got := aroundName(c.text, "F("); got != c.want {
			t.Errorf("%q\n got %q\nwant %q", c.text, got, c.want)
		}
	}
	// The name of a test may be longer than the bound, and be near the beginning.
	name := strings.Repeat("n", 150)
	if got, want := aroundName("it('"+name+"')", name), "it('"+name[:maxSignature-4]+"…"; got != want {
		t.Errorf("a long name\n got %q\nwant %q", got, want)
	}
}
