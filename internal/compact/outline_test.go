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

// TestOverloadsOmitTheirName checks that a declaration with the name of the one above shows its parameters.
func TestOverloadsOmitTheirName(t *testing.T) {
	declared := func(line int, name, signature string, parents ...string) contract.OutlineSymbol {
		return contract.OutlineSymbol{Name: name, Signature: signature, ParentPath: parents,
			Span: code.Span{StartLine: line, EndLine: line}}
	}
	a := &contract.OutlineAnswer{Outcome: contract.Outcome{Status: contract.StatusOK},
		Outline: &contract.Outline{Symbols: contract.List[contract.OutlineSymbol]{
			declared(1, "StoreOfRecords", "public class StoreOfRecords"),
			declared(2, "StoreOfRecords", "public StoreOfRecords()", "Store"),
			declared(3, "StoreOfRecords", "public StoreOfRecords(int size)", "Store"),
			declared(4, "StoreOfRecords", "StoreOfRecords(long size)", "Store"), // not public
			declared(5, "lookUp", "public static int lookUp(int i)", "Store"),
			declared(6, "lookUp", "public static int lookUp(long i)", "Store"),
			declared(7, "lookUp", "public static long lookUp(double i)", "Store"),
			declared(8, "lookUp", "public static long lookUp", "Store"), // a field
			declared(9, "lookUp", "public static long lookUp()"),
			declared(10, "f", "int f(int a)"), declared(11, "f", "int f(long a)"), // short
		}}}
	want := `1 public class StoreOfRecords
  2 public StoreOfRecords()
  3 …(int size)
  4 StoreOfRecords(long size)
  5 public static int lookUp(int i)
  6 …(long i)
  7 public static long lookUp(double i)
  8 public static long lookUp
9 public static long lookUp()
10 int f(int a)
11 int f(long a)
`
	if got := rendered(t, &contract.OutlineRequest{}, a); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestValuesOfSeveralLines checks that the value of a variable ends where its lines open.
func TestValuesOfSeveralLines(t *testing.T) {
	for _, c := range []struct {
		kind code.Kind
		last int // line
		text string
		want string
	}{
		{code.KindVariable, 9, `USAGE = r"""usage: find [options] path`, `USAGE = r"""…`},
		{code.KindVariable, 9, "var USAGE = `usage: find", "var USAGE = `…"},
		{code.KindVariable, 9, "var USAGE = map[string]Param{ \"a\": {1, 2}", "var USAGE = map[string]Param{…"},
		{code.KindConstant, 9, "export const USAGE: readonly string[] = [ 'a', 'b'", "export const USAGE: readonly string[] = […"},
		{code.KindConstant, 9, "const USAGE = route('/{id}', { method: 'GET'", "const USAGE = route('/{id}', {…"},
		{code.KindConstant, 9, "const USAGE = first + second", "const USAGE = first + second"},
		{code.KindConstant, 9, "const USAGE = don't { know", "const USAGE = don't { know"},
		{code.KindConstant, 1, "const USAGE = { a: 1, b: 2 }", "const USAGE = { a: 1, b: 2 }"},
		{code.KindFunction, 9, "func USAGE(a = { b: 1 })", "func USAGE(a = { b: 1 })"},
	} {
		s := contract.OutlineSymbol{Name: "USAGE", Kind: c.kind, Signature: c.text,
			Span: code.Span{StartLine: 1, EndLine: c.last}}
		if got := declaration(s); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
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
