package csharp

import (
	"slices"
	"testing"

	"sextant/l2meta/resolve"
)

func TestNumber(t *testing.T) {
	for text, want := range map[string]string{
		"1": "int", "12_000": "int", "999999999": "int", "1000000000": "", "1L": "long", "1l": "long", "1u": "uint",
		"1UL": "ulong", "1lu": "ulong", "1.5": "double", "1e3": "double", "1d": "double", "1.5f": "float", "1F": "float",
		"1m": "decimal", "0x1f": "", "0xFFL": "long", "0b11": "", "0b11u": "uint", "0x1d": "", "0xE": "",
	} {
		if got := number(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestOfNumber(t *testing.T) {
	for _, c := range []struct {
		text, want string
		fit        fit
	}{
		{"1", "int", exact}, {"1", "Int32", exact}, {"1", "long", maybe}, {"1", "double", maybe}, {"1", "object", toObject},
		{"1", "Object", toObject}, {"1", "string", never}, {"1", "Boolean", never}, {"1", "Func", never}, {"1", "List",
			never},
		{"1.5", "int", never}, {"1.5", "double", maybe}, {"1f", "long", never}, {"1m", "char", never}, {"1L", "int", maybe},
		{"1.5", "object", toObject}, {"1", "Unknown", maybe},
	} {
		if got := ofNumber(c.text, csharpType{name: c.want}); got != c.fit {
			t.Errorf("%s to %s: %d, want %d", c.text, c.want, got, c.fit)
		}
	}
}

func TestTakesFunction(t *testing.T) {
	one := []resolve.Type{{Text: "int"}}
	two := append(one, one...)
	for _, c := range []struct {
		name  string
		args  []resolve.Type
		arity int
		fit   fit
	}{
		{"Func", two, 1, maybe}, {"Func", two, 2, never}, {"Func", one, 0, maybe}, {"Action", one, 1, maybe},
		{"Action", nil, 0, maybe}, {"Action", one, 0, never}, {"Predicate", one, 1, maybe}, {"Predicate", one, 2, never},
		{"Comparison", one, 2, maybe}, {"Comparison", one, 1, never}, {"Func", two, -1, maybe}, {"Handler", nil, 3, maybe},
		{"int", nil, 0, never}, {"string", nil, -1, never}, {"List", one, 1, never}, {"Int64", nil, 1, never},
	} {
		if got := takesFunction(csharpType{name: c.name, args: c.args}, c.arity); got != c.fit {
			t.Errorf("%s%v with %d: %d, want %d", c.name, c.args, c.arity, got, c.fit)
		}
	}
}

func TestLambdaArity(t *testing.T) {
	for text, want := range map[string]int{
		"x => x": 1, "() => 0": 0, "(x) => x": 1, "(x, y) => x": 2, "(int x, List<int, int> y) => x": 2, "f": -1,
		"async x => x": 1,
	} {
		if got := lambdaArity(text); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		text, name string
		arguments  []string
	}{
		{"Job", "Job", nil}, {"List<int>", "List", []string{"int"}}, {"Map<K, List<V>>", "Map", []string{"K", "List<V>"}},
		{"Outer<T>.Inner", "Outer.Inner", nil}, {"Map<,>", "Map", []string{"", ""}}, {"List<>", "List", []string{""}},
		{"a<b", "a<b", nil}, {">a<", ">a<", nil},
	} {
		if name, arguments := cut(c.text); name != c.name || !slices.Equal(arguments, c.arguments) {
			t.Errorf("%s: %q %q, want %q %q", c.text, name, arguments, c.name, c.arguments)
		}
	}
}

func TestBare(t *testing.T) {
	for text, want := range map[string]string{
		"Job": "Job", "Job?": "Job", "ref Job": "Job", "ref readonly Job": "Job", "out Job": "Job", "in Job": "Job",
		"params Job[]": "Job[]", "this Job": "Job", "scoped ref Job": "Job", "this ref Job": "ref Job", "inJob": "inJob",
		"Job??": "Job", " Job ": "Job",
	} {
		if got := bare(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestCutLast(t *testing.T) {
	for _, c := range []struct {
		text, typ, name string
		ok              bool
	}{
		{"int n", "int", "n", true}, {"List<int> xs", "List<int>", "xs", true}, {"int", "int", "", false},
		{"Map<K, V>", "Map<K, V>", "", false}, {"(int, K)", "(int, K)", "", false}, {"int[, ]", "int[, ]", "", false},
		{" n", "", "n", true},
	} {
		if typ, name, ok := cutLast(c.text); typ != c.typ || name != c.name || ok != c.ok {
			t.Errorf("%s: %q %q %v, want %q %q %v", c.text, typ, name, ok, c.typ, c.name, c.ok)
		}
	}
}

func TestWords(t *testing.T) {
	for text, want := range map[string]bool{"a": true, "a1_": true, "": false, "a b": false, "a.b": false, "é": true} {
		if got := isWord(text); got != want {
			t.Errorf("isWord(%q): %v", text, got)
		}
	}
	for text, want := range map[string]bool{"0": true, "19": true, "": false, "1.0": false, "a": false, "1:": false,
		"/": false} {
		if got := isDigits(text); got != want {
			t.Errorf("isDigits(%q): %v", text, got)
		}
	}
	for text, want := range map[string]bool{"IList": true, "I": false, "Item": false, "IA": true, "IZ": true, "I_": false,
		"JList": false, "": false, "I@": false, "I[": false} {
		if got := isInterfaceName(text); got != want {
			t.Errorf("isInterfaceName(%q): %v", text, got)
		}
	}
}

func TestBranches(t *testing.T) {
	text := "a\n#if X\nb\n#elif Y\nc\n#else\nd\n#endif\n" +
		"#region r\ne\n#if Z\nf\n#if W\ng\n#else\nh\n#endif\n#endif\n#endif\ni"
	for last, want := range map[bool]string{
		false: "a\n     \nb\n       \n \n     \n \n      \n         \ne\n     \nf\n     \ng\n     \n \n      \n      \n      \ni",
		true:  "a\n     \n \n       \n \n     \nd\n      \n         \ne\n     \nf\n     \n \n     \nh\n      \n      \n      \ni",
	} {
		if got := string(branches([]byte(text), last)); got != want {
			t.Errorf("last %v: %q, want %q", last, got, want)
		}
	}
}
