package rust_test

import (
	"slices"
	"strings"
	"testing"

	"sextant/internal/code"
	"sextant/l2meta/languages"
)

// TestMacroItemsDepth checks that items are read within as many macro calls as the limit says, and that
// calls and functions in deeper ones are still read as tokens.
func TestMacroItemsDepth(t *testing.T) {
	for _, c := range []struct {
		depth  int
		module bool
	}{{1, true}, {4, true}, {5, false}, {200, false}} {
		text := strings.Repeat("cfg! { ", c.depth) + "mod x; fn f() { g(); }" + strings.Repeat(" }", c.depth)
		f, err := languages.Extract("a.rs", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		has := func(k code.Kind) bool {
			return slices.ContainsFunc(f.Symbols, func(s code.Symbol) bool { return s.Kind == k })
		}
		called := slices.ContainsFunc(f.Calls, func(c code.Call) bool { return c.Callee == "g" })
		if has(code.KindModule) != c.module || !has(code.KindFunction) || !called {
			t.Errorf("%d calls around items: symbols %+v, call of g %v", c.depth, f.Symbols, called)
		}
	}
}

// TestMacroItemsOnly checks which braces hold items.
func TestMacroItemsOnly(t *testing.T) {
	for text, want := range map[string]string{
		"m! { #[a] #[b(c)] pub(crate) mod x; }":             "x",
		"m! { const A: u8 = 1; static B: u8 = 2; }":         "A B",
		"#[outer] m! { struct A; } struct B;":               "A B",
		"m! { n!(a); struct A; }":                           "A",
		"m! { n! { struct A; } fn f() {} }":                 "A f",
		"m! { struct A; let b = 1; }":                       "",
		"m! { struct A; ; }":                                "",
		"m! { struct A; run(); }":                           "",
		"m! { struct A: u32 { const B = 1; } }":             "",
		"m! { }":                                            "",
		"m! { extern crate a; mod x; }":                     "x",
		"m! { extern \"C\" { fn f(); } mod x; }":            "f x",
		"m!(struct A;);":                                    "",
		"m! { if #[cfg(a)] { mod x; } else { mod y; } }":    "x y",
		"m! { a => { mod x; } b(c) => { mod y; } }":         "x y",
		"m! { group { mod x; } }":                           "",
		"trait T { m! { type A; } }":                        "T T.A",
		"trait T { m! { fn f(&self); const A: u8 = 1; } }":  "T T.f T.A",
		"impl A { m! { const B: u8 = 1; type C = D; } }":    "A.B A.C",
		"fn f() { m! { struct A; } }":                       "f",
		"mod a { m! { struct B; } }":                        "a a.B",
		"macro_rules! m { () => { n! { struct A; } } }":     "m",
		"struct A; m! { impl A { fn f(&self) { g() } } }":   "A A.f",
		"impl A { m! { fn f(&self) {} } } m! { struct B; }": "A.f B",
	} {
		f, err := languages.Extract("a.rs", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, s := range f.Symbols {
			names = append(names, s.QualifiedName)
			if len(s.Annotations) > 0 && !strings.HasPrefix(text, "m! { #[a]") {
				t.Errorf("%s: %s has the attributes %v", text, s.Name, s.Annotations)
			}
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: declares %q, want %q", text, got, want)
		}
	}
}
