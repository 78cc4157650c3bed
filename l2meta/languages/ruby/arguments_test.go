package ruby

import (
	"slices"
	"testing"
)

func TestArguments(t *testing.T) {
	for behind, want := range map[string][]string{
		" '/a', to: 'b#c' do |x|":            {"'/a'", "to: 'b#c'"},
		"('/a', x(1, 2)) do":                 {"'/a'", "x(1, 2)"},
		" :a, :b if c":                       {":a", ":b"},
		" :a unless b":                       {":a"},
		" :a rescue nil":                     {":a"},
		" :a and b":                          {":a"},
		" :iffy, :docile":                    {":iffy", ":docile"},
		" 'a if b', \"c do \" do":            {"'a if b'", "\"c do \""},
		" `a;b`; c":                          {"`a;b`"},
		" 'it\\'s; x'; y":                    {"'it\\'s; x'"},
		" [1, 2],\n  {a: 1; b}\n c":          {"[1, 2]", "{a: 1; b}"},
		" :a =>\n  1\n  2":                   {":a =>\n  1"},
		" :a, \\\n  :b\n  :c":                {":a", "\\\n  :b"},
		" :a\n :b":                           {":a"},
		" x(1,\n 2\n)\n y":                   {"x(1,\n 2\n)"},
		" :a) + 1":                           {":a"},
		" :a, f { |x| x if y } do":           {":a", "f { |x| x if y }"},
		" :a do":                             {":a"},
		" :a, do_it: 1":                      {":a", "do_it: 1"},
		"\t:a\tif b":                         {":a"},
		" :a, (b; c)":                        {":a", "(b; c)"},
		" \"open":                            {"\"open"},
		" :x, %i[a b], ->(r) { r.x if y }\n": {":x", "%i[a b]", "->(r) { r.x if y }"},
	} {
		if got := arguments(behind); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", behind, got, want)
		}
	}
}

func TestOption(t *testing.T) {
	args := []string{"'/only: x'", ":to => a", "via: [:get, :post]", "'as' => b", "\"on\"=>c", "\"in\" => d", ":at=>e",
		"{only: f, :but => g}", "{}"}
	for name, want := range map[string]string{"to": "a", "via": "[:get, :post]", "as": "b", "in": "d", "at": "e",
		"only": "f", "but": "g", "a": "", "on": "", "x": ""} {
		if got := option(args, name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestPositional(t *testing.T) {
	got := positional([]string{"'/a'", "to: 'b'", "ok?: 1", "bare:", ":a => 1", "'b' => 2", "\"c\"=> 3", "**rest",
		"&block",
		"-> { 1 }", "lambda { 1 }", ":sym", "x ? y : z", "A::B", "-1"})
	if want := []string{"'/a'", ":sym", "x ? y : z", "A::B", "-1"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestText(t *testing.T) {
	for arg, want := range map[string]string{"'a'": "a", `"b c"`: "b c", ":d": "d", `:"e f"`: "e f", ":'g'": "g", "h": "",
		"i(:j)": "", "1": ""} {
		if got := text(arg); got != want {
			t.Errorf("%s: %q, want %q", arg, got, want)
		}
	}
}

func TestList(t *testing.T) {
	for arg, want := range map[string][]string{
		"[:show, :create]": {"show", "create"}, "%i[show edit]": {"show", "edit"}, "%w(a-b c?)": {"a-b", "c?"},
		":show": {"show"}, "%i": {"i"}, "[]": nil, "'x'": {"x"}, "%ix": {"x"},
	} {
		if got := list(arg); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", arg, got, want)
		}
	}
}

// TestHead checks the cuts of an expression into receiver, name, arguments and block.
func TestHead(t *testing.T) {
	for text, want := range map[string][2]string{
		"a.b":                      {"a", "b"},
		"a&.b(1, (2))":             {"a", "b"},
		"a.b { |x| x.c }":          {"a", "b"},
		"a.b(1) { |x| \"}\" }":     {"a", "b"},
		"a.b('.c')":                {"a", "b"},
		"a.b do |x| x.c end":       {"a", "b"},
		"a.b(\" do \") do |x| end": {"a", "b"},
		"a.b([1, ' do ']) do end":  {"a", "b"},
		"a[1].b":                   {"a[1]", "b"},
		"'a.b'.c":                  {"'a.b'", "c"},
		"a .b":                     {"a", "b"},
		"a\\'.b":                   {},
		"a + b.c":                  {},
		"a(.b":                     {},
		"'a.b":                     {},
		"a b end":                  {},
		"a ' do end":               {},
		"a( do end":                {},
		".b":                       {},
		"b(1)":                     {"", "b"},
		"b! { 1 }":                 {"", "b!"},
		"b?":                       {"", "b?"},
		"B":                        {},
		"a.B":                      {},
		"a.b = c":                  {},
		"b do |x| x end":           {"", "b"},
		"a. b":                     {"a", "b"},
		"a &.b":                    {"a ", "b"},
		"a.b {1}.c(2)":             {"a.b {1}", "c"},
		"a.b(1).c":                 {"a.b(1)", "c"},
		"(a b).c":                  {"(a b)", "c"},
		"a.b)":                     {},
		"\"a\\\"(\".b":             {"\"a\\\"(\"", "b"},
	} {
		receiver, name, ok := split(text)
		if got := [2]string{receiver, name}; ok != (want[1] != "") || ok && got != want {
			t.Errorf("%s: %q %v, want %q", text, got, ok, want)
		}
	}
}

// TestLiteral checks which texts are literals, and of which class.
func TestLiteral(t *testing.T) {
	for text, want := range map[string]string{
		"'a'": "String", `"a"`: "String", "'a' 'b'": "", "'a'.b": "", `'a"`: "", `"a\""`: "String",
		"<<~X": "String", "<<-'X Y'": "String", "<<X": "String", "<<X.y": "", "a << X": "",
		"[1]": "Array", "[1][0]": "", "%w[a]": "Array", "%w[a].b": "", "% w": "", "%q[a]": "", "%i(a (b))": "Array",
		"%w|a|": "Array", "%w|a|.b": "", "%w[a\\] b]": "Array", "%W<a <b> c>": "Array", "%I{a}": "Array", "%w[a": "",
		"{ a: 1 }": "Hash", "{ a: 1 }.b": "", ":a": "Symbol", ":a?": "Symbol", ":a.b": "", ":A": "", ":": "",
		"1": "Integer", "-1": "Integer", "1_0": "Integer", "1.5": "Float", "1.a": "", "1..2": "", "true": "TrueClass",
		"false": "TrueClass", "truer": "",
		"-> { 1 }": "Proc", "->(a) { a }": "Proc", "-> a, b { a }": "Proc", "->(a) do a end": "Proc",
		"->(a) { a }.call": "", "->(a) do a end.call": "", "-> do a end[1]": "", "-> do a end(1)": "",
		"lambda { 1 }": "Proc", "lambda do |x| x end": "Proc", "proc { }": "Proc", "proc(&b)": "Proc", "proc(&b).call": "",
		"lambdas { 1 }": "", "-> do friend": "", "proc 1": "",
	} {
		x, ok := literal(text)
		if x.class != want || ok != (want != "") {
			t.Errorf("%s: %q %v, want %q", text, x.class, ok, want)
		}
	}
}
