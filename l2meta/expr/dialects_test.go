package expr

import (
	"fmt"
	"strings"
	"testing"
)

// The dialects of some languages, equal to those in the packages of these languages.
var (
	scriptDialect = Dialect{Generics: true, Script: true}
	pythonDialect = Dialect{Words: true}
	phpDialect    = Dialect{Casts: true}
	rustDialect   = Dialect{Composites: true, Generics: true, Arrows: true, Macros: true}
	rubyDialect   = Dialect{NewSuffix: true}
	cDialect      = Dialect{Casts: true, Generics: true, Composites: true}
	csharpDialect = Dialect{Casts: true, Generics: true, Arrows: true}
	kotlinDialect = Dialect{Generics: true, Blocks: true, Labels: true, Infix: true, Plain: true}
	javaDialect   = Dialect{Casts: true, Generics: true, Arrows: true, Plain: true}
)

// TestDialects parses expressions that only one language writes in this way.
func TestDialects(t *testing.T) {
	for _, c := range []struct {
		d          Dialect
		text, want string
	}{
		{scriptDialect, "x as unknown as Foo<A>", "(as x Foo<A>)"},
		{scriptDialect, "x satisfies Foo", "x"},
		{scriptDialect, "(x as A || y)", "(|| (as x A) y)"},
		{scriptDialect, "(x as (a: A) => B).c", "(. (as x (a: A) => B) c)"},
		{scriptDialect, "/a[/]b/g.test(x)", "(call (. <RegExp> test) x)"},
		{scriptDialect, "/a", "?"},
		{scriptDialect, "<Foo a={b}/>", "<jsx>"},
		{scriptDialect, "<Foo", "?"},
		{scriptDialect, "class { a() {} }", "<function>"},
		{scriptDialect, "async (x) => x", "<function>"},
		{scriptDialect, "async.run()", "(call (. async run))"},
		{scriptDialect, "functional(x)", "(call functional x)"},
		{scriptDialect, "(a, b): T => a", "<function>"},
		{scriptDialect, "typeof x", "(typeof x)"},
		{scriptDialect, "out.write(x)", "(call (. out write) x)"},
		{scriptDialect, "a?.[0]", "(index a <number>)"},
		{scriptDialect, "a?.(0)", "(call a <number>)"},
		{scriptDialect, "x ??= y", "(?? x y)"},
		{scriptDialect, "f<T, U[]>(x)", "(call<T,U[]> f x)"},
		{scriptDialect, "a < b && c > d", "(> (&& (< a b) c) d)"},
		{scriptDialect, "Frame<F[\"id\"]>.x", "(. (generic Frame) x)"},
		{scriptDialect, `Frame<F[""]>.x`, "(. (generic Frame) x)"},
		{scriptDialect, "(x as A && y)", "(&& (as x A) y)"},
		{scriptDialect, "(x as A == y)", "(== (as x A) y)"},
		{scriptDialect, "(x as A != y)", "(!= (as x A) y)"},
		{scriptDialect, "x as { a: B; c?: D }", "(as x { a: B; c?: D })"},
		{scriptDialect, "f(x as A, y)", "(call f (as x A) y)"},
		{scriptDialect, "c ? x as A : y", "(?: c (as x A) y)"},
		{scriptDialect, "new Foo", "(new Foo)"},
		{scriptDialect, "{ a: 1 }", "<map>"},
		{scriptDialect, "[a, ...b]", "<list a (... b)>"},
		{scriptDialect, "a /* why */ . b", "(. a b)"},
		{scriptDialect, "a // why\n.b", "(. a b)"},
		{pythonDialect, "not a.b", "(not (. a b))"},
		{pythonDialect, "lambda x: x", "<function>"},
		{pythonDialect, "func(x)", "(call func x)"},
		{pythonDialect, "new.out", "(. new out)"},
		{pythonDialect, "await f(x)", "(await (call f x))"},
		{pythonDialect, "await_all(x)", "(call await_all x)"},
		{pythonDialect, `f"a {b}"`, "<string>"},
		{pythonDialect, `"""a "b" c"""`, "<string>"},
		{pythonDialect, "a if b else c.d", "(?: b a (. c d))"},
		{pythonDialect, "a if b", "?"},
		{pythonDialect, "a not in b", "(not in a b)"},
		{pythonDialect, "(a, b)", "<tuple a b>"},
		{pythonDialect, "a // b", "(// a b)"},
		{phpDialect, `new \A\B($x)`, `(new \A\B $x)`},
		{phpDialect, "$a?->b()->c", "(-> (call (?-> $a b)) c)"},
		{phpDialect, "$a ?: $b", "(?: $a $b)"},
		{phpDialect, "(string) $a", "(as $a string)"},
		{phpDialect, "function () use ($a) { return 1; }", "<function>"},
		{phpDialect, "fn($x) => $x", "<function>"},
		{phpDialect, "fnord($x)", "(call fnord $x)"},
		{phpDialect, "clone $a", "(clone $a)"},
		{rustDialect, "vec![1, 2].len()", "(call (. <macro> len))"},
		{rustDialect, "a != b", "(!= a b)"},
		{rustDialect, `r#"a "b""#.len()`, "(call (. <string> len))"},
		{rustDialect, `b"a"`, "<string>"},
		{rustDialect, "|x| x.y", "<function>"},
		{rustDialect, "&mut x.y", "(& (mut (. x y)))"},
		{rustDialect, "f(x)?.g()?", "(? (call (?. (call f x) g)))"},
		{rustDialect, "Foo { a: 1 }", "(new Foo)"},
		{rustDialect, "x as u8", "(as x u8)"},
		{rustDialect, "a..b", "?"},
		{rustDialect, "<-x", "(<- x)"},
		{rubyDialect, "Foo::Bar.new", "(new Foo::Bar)"},
		{rubyDialect, "a&.b", "(&. a b)"},
		{rubyDialect, "@@all.first", "(. @@all first)"},
		{rubyDialect, "::Foo.bar(1)", "(call (. Foo bar) <number>)"},
		{cDialect, "(struct foo *)p", "(as p struct foo *)"},
		{cDialect, "(a) - b", "(- a b)"},
		{cDialect, "(int) -1", "(as (- <number>) int)"},
		{cDialect, "*p->q", "(* (-> p q))"},
		{cDialect, "std::vector<int>{1}", "(new std::vector<int>)"},
		{cDialect, "0x1e-2", "(- <number> <number>)"},
		{cDialect, "1e-2", "<number>"},
		{csharpDialect, "new Foo { A = 1 }", "(new Foo)"},
		{csharpDialect, "new Foo[3]", "(new Foo[])"},
		{csharpDialect, "a!.b", "(!. a b)"},
		{csharpDialect, "x is Foo", "(is x Foo)"},
		{csharpDialect, "out x", "(out x)"},
		{kotlinDialect, "xs.map { it.a }", "(call (. xs map) <function>)"},
		{kotlinDialect, "f(a) { b }", "(call f a <function>)"},
		{kotlinDialect, "f(x = a)", "(call f a)"},
		{kotlinDialect, "a to b", "(call (. a to) b)"},
		{kotlinDialect, "if (c) a else b", "(?: ? a b)"},
		{kotlinDialect, "if (c) a", "?"},
		{kotlinDialect, "a as? Foo", "(as a Foo)"},
		{kotlinDialect, "a!!.b", "(!!. a b)"},
		{kotlinDialect, "this@Outer.f()", "(call (. this@Outer f))"},
		{kotlinDialect, "function.move(out)", "(call (. function move) out)"},
		{javaDialect, "(a, b) -> a", "<function>"},
		{javaDialect, "Foo::bar", "(:: Foo bar)"},
		{javaDialect, "List.<Foo>of(a)", "?"},
		{javaDialect, "func.function(out)", "(call (. func function) out)"},
		{javaDialect, "a instanceof B", "(instanceof a B)"},
	} {
		if got := shape(Parse(c.text, c.d)); got != c.want {
			t.Errorf("%q = %s, want %s", c.text, got, c.want)
		}
	}
}

// TestLabelsAndTexts checks the name and the source text of arguments: `name = b.c` has both.
func TestLabelsAndTexts(t *testing.T) {
	e := Parse("f(a, name = b.c, x == y) { it }", kotlinDialect)
	var got []string
	for _, a := range e.Args {
		got = append(got, fmt.Sprintf("%s|%s", a.Label, a.Text))
	}
	if all := strings.Join(got, " ; "); all != "|a ; name|name = b.c ; |x == y ; {|{ it }" {
		t.Error(all)
	}
	if e = Parse("f(a, ], b)", Dialect{}); shape(e) != "(call f a ? b)" {
		t.Errorf("an argument that is no expression: %s", shape(e))
	}
	if e = Parse("f(a b, c)", Dialect{}); shape(e) != "(call f ? c)" || e.Args[0].Text != "a b" {
		t.Errorf("an unknown argument: %s", shape(e))
	}
}

// TestExpressionsAreBounded checks the bounds on the length and the nesting of an expression.
func TestExpressionsAreBounded(t *testing.T) {
	if e := Parse(strings.Repeat("a", MaxBytes), Dialect{}); e.Op != OpName {
		t.Error("a name of the greatest length is not read")
	}
	if e := Parse(strings.Repeat("a", MaxBytes+1), Dialect{}); e.Op != OpUnknown {
		t.Error("a longer name is read")
	}
	if e := Parse(strings.Repeat("(", 100)+"a"+strings.Repeat(")", 100), Dialect{}); e.Op != OpUnknown {
		t.Error("100 parentheses are read")
	}
}

func TestExprString(t *testing.T) {
	goDialect := Dialect{Composites: true, Assertions: true, Brackets: true}
	for _, c := range []struct {
		d          Dialect
		text, want string
	}{
		{goDialect, "a.b", "a.b"}, {goDialect, "*a.b", "*a.b"}, {goDialect, "M[K, V]", "M[K, V]"},
		{goDialect, "f(x)", ""},
		{goDialect, "f(x).y", ""}, {goDialect, "!a", ""}, {goDialect, "<-a", ""},
		{scriptDialect, "Foo<A, B>.c", "Foo<A, B>.c"}, {phpDialect, `\A\B::c`, `\A\B::c`}, {phpDialect, `A\B`, `A\B`},
	} {
		if got := Parse(c.text, c.d).String(); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}
