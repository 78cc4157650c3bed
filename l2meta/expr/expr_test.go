package expr

import (
	"strings"
	"testing"
)

// shape writes e in prefix form.
func shape(e *Expr) string {
	args := func() string {
		var out []string
		for _, a := range e.Args {
			out = append(out, shape(a))
		}
		return strings.Join(out, " ")
	}
	switch e.Op {
	case OpName:
		return e.Name
	case OpMember:
		return "(" + e.Sep + " " + shape(e.X) + " " + e.Name + ")"
	case OpCall:
		t := ""
		if len(e.TypeArgs) > 0 {
			t = "<" + strings.Join(e.TypeArgs, ",") + ">"
		}
		return strings.TrimSpace("(call"+t+" "+shape(e.X)+" "+args()) + ")"
	case OpIndex:
		return "(index " + shape(e.X) + " " + args() + ")"
	case OpNew:
		return strings.TrimSpace("(new "+e.Type+" "+args()) + ")"
	case OpLiteral:
		return strings.TrimSpace("<"+e.Name+" "+args()) + ">"
	case OpCast:
		return "(as " + shape(e.X) + " " + e.Type + ")"
	case OpUnary, OpSuffixed:
		return "(" + e.Name + " " + shape(e.X) + ")"
	case OpBinary:
		return "(" + e.Name + " " + args() + ")"
	case OpGeneric:
		return "(generic " + shape(e.X) + ")"
	}
	return "?"
}

func TestParse(t *testing.T) {
	goDialect := Dialect{Composites: true, Assertions: true, Brackets: true}
	ts := Dialect{Generics: true, Arrows: true}
	java := Dialect{Casts: true, Generics: true, Arrows: true}
	rust := Dialect{Generics: true, Composites: true, Arrows: true}
	for _, c := range []struct {
		text string
		d    Dialect
		want string
	}{
		{"s.mux", goDialect, "(. s mux)"},
		{"f(x, y)[0].Z", goDialect, "(. (index (call f x y) <number>) Z)"},
		{"&pkg.T{A: 1}", goDialect, "(& (new pkg.T))"},
		{"[]*T{a, b}", goDialect, "(new []*T)"},
		{"map[string]T{}", goDialect, "(new map[string]T)"},
		{"x.(*T)", goDialect, "(as x *T)"},
		{"<-ch", goDialect, "(<- ch)"},
		{"m[k]#0", goDialect, "(0 (index m k))"},
		{"(await f()).b[0]", ts, "(index (. (await (call f)) b) <number>)"},
		{"new Map<string, Foo[]>()", ts, "(new Map<string, Foo[]>)"},
		{"f<T>(x)", ts, "(call<T> f x)"},
		{"f<{ a: string; b: T[] }>(x)", ts, "(call<{ a: string; b: T[] }> f x)"},
		{"a?.b!.c", ts, "(!. (?. a b) c)"},
		{"x as Foo", ts, "(as x Foo)"},
		{"a < b", ts, "(< a b)"},
		{"a ?? b", ts, "(?? a b)"},
		{"c ? a : b", ts, "(?: c a b)"},
		{"xs.map(x => x.y)", ts, "(call (. xs map) <function>)"},
		{"(Foo) bar", java, "(as bar Foo)"},
		{"((Foo<A>) bar).baz", java, "(. (as bar Foo<A>) baz)"},
		{"(a + b)", java, "(+ a b)"},
		{"new Outer.Inner(1)", java, "(new Outer.Inner <number>)"},
		{"$this->items", Dialect{}, "(-> $this items)"},
		{"Foo::bar()", Dialect{}, "(call (:: Foo bar))"},
		{`\A\B::make()`, Dialect{}, `(call (:: A\B make))`},
		{"Foo::<T>::new(a)?", rust, "(? (call (:: (generic Foo) new) a))"},
		{"x.await", rust, "(await x)"},
		{"Foo.new(1)", Dialect{NewSuffix: true}, "(new Foo <number>)"},
		{"@items", Dialect{NewSuffix: true}, "@items"},
		{"a if c else b", Dialect{}, "(?: c a b)"},
		{`f("a, b", 'c')`, Dialect{}, "(call f <string> <string>)"},
		{"f(", Dialect{}, "?"},
		{"a ] b", Dialect{}, "?"},
	} {
		if got := shape(Parse(c.text, c.d)); got != c.want {
			t.Errorf("%q = %s, want %s", c.text, got, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"a.b(c)[d]", "new T<U>(x)", "(A) b", "x?.y!!.z", "[]T{1}", "f(`", "a<b>c", "::x",
		"\\a\\b", "#", "a#each"} {
		f.Add(s, true)
	}
	f.Fuzz(func(t *testing.T, text string, all bool) {
		for _, d := range []Dialect{{},
			{Casts: all, Composites: true, Assertions: all, Generics: all, Brackets: all, Arrows: all},
			{Generics: true, NewSuffix: true}} {
			Parse(text, d)
		}
	})
}

func TestSplitTypes(t *testing.T) {
	got := strings.Join(SplitTypes("A, Map<B, C>, (x: D, y) => E, [F, G]"), "|")
	if want := "A|Map<B, C>|(x: D, y) => E|[F, G]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestScriptExpressions parses tagged templates, increments and assignments.
func TestScriptExpressions(t *testing.T) {
	for text, want := range map[string]Op{
		"tag`a${b}c`":     OpCall,
		"a.tag`x`.b":      OpMember,
		"i++":             OpUnary,
		"(a ||= [])":      OpBinary,
		"(a = b)":         OpBinary,
		"(a += b).c":      OpMember,
		"a == b":          OpBinary,
		"x => x":          OpLiteral,
		"(x) => (y = x)":  OpLiteral,
		"f(a, b = c)":     OpCall,
		"`a`":             OpLiteral,
		"a ? `b` : c ? d": OpUnknown,
	} {
		if e := Parse(text, Dialect{Generics: true, Script: true}); e.Op != want {
			t.Errorf("%s: %d, want %d", text, e.Op, want)
		}
	}
	e := Parse("tag`a${b}c${d}`", Dialect{Script: true})
	if len(e.Args) != 3 {
		t.Errorf("%d arguments, want 3: the texts and two values", len(e.Args))
	}
	if e := Parse("(a = b)", Dialect{}); e.Op != OpUnknown {
		t.Errorf("another language than a script: %d", e.Op)
	}
}
