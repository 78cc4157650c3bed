package resolve

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sextant/internal/budget"
	"sextant/internal/code"
	"sextant/internal/store"
	"sextant/l2meta"
)

// symbols returns a file of a language "x" with the given symbols, each "KIND NAME" or "KIND NAME
// PARENT", where PARENT is an index into list.
func symbols(path string, list ...string) *File {
	var facts l2meta.Facts
	for i, text := range list {
		var kind, name string
		parent := -1
		if _, err := fmt.Sscan(text, &kind, &name, &parent); err != nil && len(strings.Fields(text)) != 2 {
			panic(text)
		}
		s := code.Symbol{Kind: code.Kind(kind), Name: name, QualifiedName: name, Parent: parent,
			NameSpan: code.Span{StartByte: 10 * i, EndByte: 10*i + len(name), StartLine: i/2 + 1}}
		if parent >= 0 {
			s.QualifiedName = facts.Symbols[parent].QualifiedName + "." + name
		}
		facts.Symbols = append(facts.Symbols, s)
	}
	return newFile(store.FileRef{ID: int64(len(path)), Path: path, Language: "x"}, facts)
}

// of returns the only symbol with a qualified name.
func of(t *testing.T, f *File, name string) Ref {
	t.Helper()
	found := f.Qualified(name)
	if len(found) != 1 {
		t.Fatalf("%d symbols are called %s", len(found), name)
	}
	return f.Ref(found[0])
}

// names joins the qualified names of symbols.
func names(list []Ref) string {
	var out []string
	for _, r := range list {
		out = append(out, r.Symbol().QualifiedName)
	}
	return strings.Join(out, " ")
}

func TestSymbolsOfAFile(t *testing.T) {
	f := symbols("a.x", "class T", "method f 0", "field g 0", "function f", "class Inner 0", "method f 4",
		"variable v 5")
	for name, want := range map[string]string{"f": "[1 3 5]", "g": "[2]", "none": "[]", "": "[]"} {
		if got := fmt.Sprint(f.Named(name)); got != want {
			t.Errorf("%q is the name of %s, want %s", name, got, want)
		}
	}
	for i, want := range map[int]string{-1: "[0 3]", 0: "[1 2 4]", 4: "[5]", 6: "[]"} {
		if got := fmt.Sprint(f.Children(i)); got != want {
			t.Errorf("the parts of %d are %s, want %s", i, got, want)
		}
	}
	for i, want := range map[int][2]int{ // for each symbol, the callable and the type around it
		0: {-1, -1}, 1: {1, 0}, 2: {-1, 0}, 3: {3, -1}, 4: {-1, 0}, 5: {5, 4}, 6: {5, 4}, -1: {-1, -1},
	} {
		if got := [2]int{f.Callable(i), f.Type(i)}; got != want {
			t.Errorf("around %d: %v, want %v", i, got, want)
		}
	}
	inner := of(t, f, "T.Inner")
	if m := inner.Member("f", code.KindMethod); m.Index != 5 || inner.Member("f", code.KindField).Valid() ||
		(Ref{}).Member("f", code.KindMethod).Valid() {
		t.Errorf("T.Inner.f is %d", m.Index)
	}
	if inner.Parent() != f.Ref(0) || f.Ref(0).Parent() != (Ref{}) {
		t.Error("parents")
	}
	if row := inner.Row(); row.Index != 4 || row.Path != "a.x" || row.Symbol.QualifiedName != "T.Inner" {
		t.Errorf("%+v", row)
	}
}

// TestDeclaredAtAPlace checks that Declared finds the name at a byte offset, otherwise the only
// declaration of a line.
func TestDeclaredAtAPlace(t *testing.T) {
	f := symbols("a.x", "class aa", "class bbb", "class cc") // two in line 1, one in line 2
	for _, c := range [][3]int{{0, 1, 0}, {1, 1, 0}, {2, 1, -1}, {10, 1, 1}, {12, 1, 1}, {13, 1, -1}, {99, 2, 2},
		{99, 1, -1},
		{99, 3, -1}, {20, 9, 2}} {
		if got := f.Declared(c[0], c[1]); got != c[2] {
			t.Errorf("byte %d of line %d declares %d, want %d", c[0], c[1], got, c[2])
		}
	}
}

func TestStatedFacts(t *testing.T) {
	f := symbols("a.json")
	if f.Package() != "" || f.Leaf("/a") != "" {
		t.Error("a file without facts states some")
	}
	f.Stated = []code.Fact{{Kind: code.FactField, Name: "/a/b", Type: "1"}, {Kind: code.FactPackage, Type: "p"},
		{Kind: code.FactField, Name: "/a/c", Type: "2"}, {Kind: code.FactField, Name: "/b", Type: "3"}}
	if f.Package() != "p" || f.Leaf("/a/c") != "2" || f.Leaf("/a") != "" || len(f.Leaves("/a/")) != 2 {
		t.Errorf("%q, %q, %d leaves", f.Package(), f.Leaf("/a/c"), len(f.Leaves("/a/")))
	}
}

func TestMemoIsComputedOnce(t *testing.T) {
	f, made := symbols("a.x"), 0
	type key struct{}
	for range 3 {
		if got := Memo(f, key{}, func() int { made++; return made }); got != 1 {
			t.Errorf("got %d", got)
		}
	}
	type other struct{}
	if Memo(f, other{}, func() int { return 7 }) != 7 {
		t.Error("two keys share a value")
	}
}

// TestMakers checks that calls in the body of an unnamed route handler are made by the handler, if
// the symbol that contains the call contains the handler too.
func TestMakers(t *testing.T) {
	f := symbols("a.x", "function main", "route GET_/ 0", "function other", "route GET_/b 2")
	f.Symbols[1].Body, f.Symbols[3].Body = [2]int{100, 200}, [2]int{300, 400}
	for _, c := range [][3]int{{0, 150, 1}, {0, 99, 0}, {0, 100, 1}, {0, 199, 1}, {0, 200, 0}, {0, 350, 0}, {2, 350, 3},
		{-1, 150, 1}, {-1, 250, -1}} {
		if got := f.Maker(c[0], c[1]); got != c[2] {
			t.Errorf("byte %d of %d: made by %d, want %d", c[1], c[0], got, c[2])
		}
	}
	for _, c := range []struct {
		caller, symbol int
		want           bool
	}{{0, 0, true}, {1, 0, false}, {1, 1, true}, {0, -1, false}, {-1, -1, true}, {2, 0, false}} {
		if got := madeBy(f, c.caller, c.symbol); got != c.want {
			t.Errorf("a call in %d belongs to %d: %t", c.caller, c.symbol, got)
		}
	}
}

func TestPlainNames(t *testing.T) {
	f := symbols("a.x", "function f", "function g", "function f 1", "function twice", "function twice", "class g 1",
		"variable v")
	for _, c := range []struct {
		caller         int
		callee, target string
		how            Strategy
	}{
		{1, "f", "g.f", SameScope}, {2, "f", "g.f", SameScope}, {0, "f", "f", SameFile}, {-1, "f", "f", SameFile},
		{1, "g", "g", SameFile}, {0, "twice", "", ""}, {0, "v", "", ""}, {0, "none", "", ""},
	} {
		v := Plain{}.Settle(nil, f, &code.Call{Callee: c.callee, Caller: c.caller})
		target := ""
		if v.Outcome == Settled {
			target = v.Target.Symbol().QualifiedName
		}
		if target != c.target || v.Strategy != c.how || v.Outcome == Open && v.Reason == "" {
			t.Errorf("%s in %d: %q by %q (%s)", c.callee, c.caller, target, v.Strategy, v.Reason)
		}
	}
	for _, call := range []code.Call{{Callee: "f", Receiver: "x"}, {Callee: "f", Kind: code.CallMacro}} {
		if v := (Plain{}).Settle(nil, f, &call); v.Outcome != Open || v.Reason == "" {
			t.Errorf("%+v: %+v", call, v)
		}
	}
	if got := (Plain{}).CallNames(nil, of(t, f, "g.f")); !slices.Equal(got, []string{"f"}) {
		t.Errorf("g.f is called as %q", got)
	}
}

func TestSharedSteps(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"a/b", "a/c", 1}, {"a/b", "a/b", 2}, {"a", "b", 0}, {"ab/c", "a/c", 0}, {"a/b/c", "a/b", 2}, {"a", "a/b", 1},
		{"a/b/x", "a/c/x", 1}} {
		if got := SharedSteps(c.a, c.b); got != c.want {
			t.Errorf("%s and %s share %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

// TestDroppedFileIsPacked checks that a file which the budget drops while a query refers to it gives up what it can
// compute again, that it still answers afterwards, and that it can be dropped once more.
func TestDroppedFileIsPacked(t *testing.T) {
	b := budget.New(1 << 20)
	c := NewCache(Languages{}, b)
	k := c.at(store.FileRef{ID: 3, Path: "a.x", Language: "x"})
	f := k.put(symbols("a.x", "class T", "method f 0"))
	packed := f.size.Load()
	for range 2 {
		made := Memo(f, "large", func() []string { return make([]string, 1000) })
		if len(made) != 1000 || fmt.Sprint(f.Named("f")) != "[1]" || f.size.Load() < packed+16000 {
			t.Fatalf("%d values in %d bytes, f is %v", len(made), f.size.Load(), f.Named("f"))
		}
		b.Clear()
		if held, _ := b.Held(); held != 0 || f.size.Load() != packed || f.memo != nil || f.index.made.Load() != nil {
			t.Errorf("after it was dropped, the file occupies %d bytes, packed %d", f.size.Load(), packed)
		}
	}
}
