package rust

import (
	"slices"
	"testing"
)

func TestPeel(t *testing.T) {
	for text, want := range map[string]string{
		"K": "K", "&K": "K", "&mut K": "K", "&'a K": "K", "&'a mut K": "K", "*const K": "K", "*mut K": "K", " & K ": "K",
		"'static K": "K", "for<'a> Fn(&'a K)": "Fn(&'a K)", "(K)": "K", "(K,)": "(K,)", "(K, V)": "(K, V)", "()": "()",
		"&&K": "K", "ref K": "K", "mutK": "mutK", "(dyn A + 'static)": "dyn A + 'static", "'a": "'a",
	} {
		if got := peel(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestSplitBounds(t *testing.T) {
	for text, want := range map[string][]string{
		"A": {"A"}, "A + B": {"A", "B"}, "A + 'static": {"A"}, "?Sized + A": {"A"}, "A<B + C> + D": {"A<B + C>", "D"},
		"Fn(A + B) -> C + D": {"Fn(A + B) -> C", "D"}, "": nil, "[A; 1 + 2]": {"[A; 1 + 2]"}, "A<B> + C<D>": {"A<B>", "C<D>"},
	} {
		if got := splitBounds(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestSplitTypes(t *testing.T) {
	for text, want := range map[string][]string{
		"A": {"A"}, "A, B": {"A", "B"}, "A<B, C>, D": {"A<B, C>", "D"}, "(A, B), [C; 2]": {"(A, B)", "[C; 2]"},
		"fn(A) -> B, C": {"fn(A) -> B", "C"}, "": {""}, "Fn(A) -> B<C, D>, E": {"Fn(A) -> B<C, D>", "E"},
	} {
		if got := splitTypes(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestIsPointer(t *testing.T) {
	for text, want := range map[string]bool{"fn()": true, "fn (A)": true, "unsafe fn()": true, `extern "C" fn(A)`: true,
		`unsafe extern "C" fn()`: true, "extern fn()": true, "fnord": false, "Fn()": false, "A": false} {
		if got := isPointer(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestIsName(t *testing.T) {
	for text, want := range map[string]bool{"a": true, "a_b": true, "_": false, "": false, "(a, b)": false,
		"A { b }": false,
		"&a":      false, "a::B": false, "[a]": false, "_a": true} {
		if got := isName(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
