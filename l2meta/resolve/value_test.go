package resolve

import (
	"fmt"
	"strings"
	"testing"

	"sextant/internal/code"
	"sextant/internal/store"
	"sextant/l2meta"
)

func TestBindingsOfTypeParameters(t *testing.T) {
	typ := func(text string) Type { return Type{Text: text} }
	b := Bind([]string{"K", "V"}, []Type{typ("string"), typ("Row"), typ("extra")}, nil)
	b = Bind([]string{"V", "T"}, []Type{typ("Cell")}, b)
	for name, want := range map[string]string{"K": "string", "V": "Cell", "T": "", "X": ""} {
		got, ok := b.Lookup(name)
		if ok != (want != "") || got.Text != want {
			t.Errorf("%s is bound to %q, %t; want %q", name, got.Text, ok, want)
		}
	}
	if got := (Type{Text: "List<V>", Scope: 3, Bind: b}).With("V"); got.Text != "V" || got.Scope != 3 || got.Bind != b {
		t.Errorf("With moves the type: %+v", got)
	}
}

func TestLocalNamesHideOuterOnes(t *testing.T) {
	l := &Local{Name: "x", Value: Value{Kind: Class}, Next: &Local{Name: "y", Value: Value{Kind: Module},
		Next: &Local{Name: "x", Value: Value{Kind: Function}}}}
	for name, want := range map[string]ValueKind{"x": Class, "y": Module} {
		if v, ok := l.Lookup(name); !ok || v.Kind != want {
			t.Errorf("%s: %v, %t", name, v.Kind, ok)
		}
	}
	if _, ok := l.Lookup("z"); ok {
		t.Error("a name that no literal binds has a value")
	}
}

func TestTheWeakestStepCounts(t *testing.T) {
	steps := []Strategy{"", TypedWritten, TypedValue, TypedResult, TypedElement, UniqueName, Alternative}
	for i, a := range steps {
		for k, b := range steps {
			if got, want := Weaker(a, b), steps[max(i, k)]; got != want {
				t.Errorf("Weaker(%q, %q) = %q, want %q", a, b, got, want)
			}
		}
	}
	if got := InstanceOf(Type{}, TypedValue).Via(TypedWritten).Via(TypedElement).Via(TypedResult).How; got !=
		TypedElement {
		t.Errorf("an element's member: %q", got)
	}
}

func TestOrigins(t *testing.T) {
	for o, want := range map[Origin][2]Origin{ // the origins of a member and of a result
		Outside: {Outside, Outside}, Holder: {Lender, Handed}, Lender: {Handed, Handed}, Handed: {Handed, Handed},
	} {
		if got := [2]Origin{o.Member(), o.Given()}; got != want {
			t.Errorf("%d: %v, want %v", o, got, want)
		}
	}
}

func TestPaths(t *testing.T) {
	for text, want := range map[string]string{
		"a::b": "a b", "::a::b": "a b", "a::<T, U>::b": "a b", "Vec<Box<dyn Fn() -> T>>::new": "Vec new",
		"a :: b": "a b", "": "",
	} {
		if got := strings.Join(SplitPath(text), " "); got != want {
			t.Errorf("SplitPath(%q) = %q, want %q", text, got, want)
		}
	}
	for _, c := range []struct {
		dir, rel, want string
		within         bool
	}{
		{"a/b", "../c", "a/c", true}, {"a", "..", "", true}, {"", ".", "", true}, {"a", "../..", "..", false},
		{"a", "../../b", "../b", false}, {"", "..b", "..b", true},
	} {
		if got, ok := JoinPath(c.dir, c.rel); got != c.want || ok != c.within {
			t.Errorf("JoinPath(%q, %q) = %q, %t", c.dir, c.rel, got, ok)
		}
	}
	if Qualified("::", "", "f") != "f" || Qualified("::", "A", "f") != "A::f" {
		t.Error("Qualified")
	}
	if w := Words(" a  b\na "); len(w) != 2 || !w["a"] || !w["b"] || w[""] {
		t.Errorf("Words: %v", w)
	}
}

// TestBindings checks which facts bind a name in a function within a class within a function.
func TestBindings(t *testing.T) {
	fact := func(kind code.FactKind, owner int, name string, at int) code.Fact {
		return code.Fact{Kind: kind, Owner: owner, Name: name, Type: fmt.Sprint(at), Scope: [2]int{at, at + 10}}
	}
	f := newFile(store.FileRef{Path: "a.x", Language: "x"}, l2meta.Facts{
		Symbols: []code.Symbol{
			{Kind: code.KindFunction, Name: "outer", Parent: -1},
			{Kind: code.KindMethod, Name: "inner", Parent: 0},
		},
	})
	list := []code.Fact{
		fact(code.FactVar, -1, "top", 1), fact(code.FactVar, -1, "x", 2),
		fact(code.FactParam, 0, "x", 20), fact(code.FactAssign, 0, "x", 21), fact(code.FactReturn, 0, "x", 22),
		fact(code.FactParam, 1, "y", 40), fact(code.FactVar, 1, "y", 50), fact(code.FactVar, 1, "y", 52),
		fact(code.FactVar, 1, "z", 70),
	}
	f.facts.make = func() *fileFacts {
		x := &fileFacts{list: list}
		for i := range list { // in the order of owners
			x.owned = append(x.owned, &list[i])
		}
		return x
	}
	for _, c := range []struct {
		at    int
		name  string
		owner int
		facts string
	}{
		{1, "y", 1, "40 50 52"}, {1, "x", 0, "20 21"}, {1, "top", -1, "1"}, {0, "y", -1, ""}, {-1, "x", -1, "2"},
	} {
		owner, facts := f.Bindings(c.at, c.name)
		var got []string
		for _, x := range facts {
			got = append(got, x.Type)
		}
		if all := strings.Join(got, " "); owner != c.owner || all != c.facts {
			t.Errorf("%s in %d: %q of %d, want %q of %d", c.name, c.at, all, owner, c.facts, c.owner)
		}
	}
	for _, c := range []struct {
		pos        int
		name, want string
	}{
		{49, "y", "40"}, {50, "y", "50"}, {51, "y", "50"}, {52, "y", "52"}, {59, "y", "52"},
		{61, "y", "52"}, {62, "y", "40"},
		{69, "z", ""}, {70, "z", "70"}, {80, "z", ""},
	} {
		got := ""
		if x := f.BlockLocal(1, c.pos, c.name); x != nil {
			got = x.Type
		}
		if got != c.want {
			t.Errorf("%s at %d: %q, want %q", c.name, c.pos, got, c.want)
		}
	}
}

func TestReexports(t *testing.T) {
	f := &File{}
	f.Imports = []code.Import{{Module: "./own", Name: "a"}}
	f.Exports = []code.Export{{Module: "./x", Name: "b", Local: "b"}, {Module: "./x", Name: "c", Local: "d"},
		{Module: "./x", Name: "*"}}
	for n, want := range []string{"./own a  false", "./x b  true", "./x d c true", "./x *  true"} {
		x := ImportEdge{File: f, Number: n}
		i := x.Import()
		if got := fmt.Sprintf("%s %s %s %t", i.Module, i.Name, i.Alias, x.Reexport()); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
