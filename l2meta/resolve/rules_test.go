package resolve

import (
	"context"
	"errors"
	"slices"
	"testing"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/expr"
)

// toy is a language whose constructors implicitly run those of base classes. bases holds the base
// classes of each class.
type toy struct {
	Plain
	bases map[Ref][]Ref
}

func (toy) Constructors(*World, Ref) []Ref              { return nil }
func (toy) Heirs(*World, Ref) []Ref                     { return nil }
func (l toy) ConstructedBases(_ *World, c Ref) []Ref    { return l.bases[c] }
func (toy) PackageDir(*World, string) (string, bool)    { return "", false }
func (toy) Imports(*World, *File, *code.Import) []*File { return nil }

// toyWorld returns a world with l as the language "x", and without an index.
func toyWorld(ctx context.Context, l toy) *World {
	return newWorld(ctx, nil, NewCache(Languages{"x": {Settler: l}}, nil), 1)
}

// TestConstructionsByArguments checks which overloads a number of arguments allows.
func TestConstructionsByArguments(t *testing.T) {
	f := symbols("a.x", "class T", "constructor T 0", "class B", "constructor B 2")
	none, one, two := code.Parameter{Name: "a"}, code.Parameter{Name: "b", Default: "1"}, code.Parameter{Name: "c",
		Variadic: true}
	class, made, base := f.Ref(0), f.Ref(1), f.Ref(3)
	r := &Resolver{toyWorld(t.Context(), toy{})}
	for _, c := range []struct {
		parameters []code.Parameter
		call       code.Call
		want       bool
	}{
		{nil, code.Call{}, true}, {nil, code.Call{Args: 1}, false},
		{[]code.Parameter{none}, code.Call{}, false}, {[]code.Parameter{none}, code.Call{Args: 1}, true},
		{[]code.Parameter{none, one}, code.Call{Args: 1}, true}, {[]code.Parameter{none, one}, code.Call{Args: 2},
			true},
		{[]code.Parameter{none, one}, code.Call{Args: 3}, false}, {[]code.Parameter{one, none}, code.Call{Args: 1},
			false},
		{[]code.Parameter{none, two}, code.Call{Args: 1}, true}, {[]code.Parameter{none, two}, code.Call{Args: 9},
			true},
		{[]code.Parameter{none, two}, code.Call{}, false},
		{[]code.Parameter{none}, code.Call{Args: -1}, true}, // not known
		{[]code.Parameter{none}, code.Call{Kind: code.CallReference}, true},
		{[]code.Parameter{none}, code.Call{Kind: code.CallDecorator, Args: 3}, true}, // named arguments set properties
		{[]code.Parameter{none, none}, code.Call{Kind: code.CallDecorator, Args: 1}, false},
	} {
		f.Symbols[1].Parameters = c.parameters
		if got := r.MayRunAt(class, made, f, &c.call); got != c.want {
			t.Errorf("%+v with %+v: %t", c.parameters, c.call, got)
		}
	}
	if !r.MayRunAt(class, base, f, &code.Call{Args: 5}) {
		t.Error("the constructor of another class is no overload")
	}
}

// TestBasesRunFirst checks which constructors of base classes run for a class without constructors,
// and for a constructor that calls none explicitly.
func TestBasesRunFirst(t *testing.T) {
	f := symbols("a.x", "class Leaf", "class Mid", "class Top", "constructor Top 2", "class Two", "constructor Two 4",
		"constructor Two 4", "class Own", "constructor Own 7")
	leaf, mid, top, two, own := f.Ref(0), f.Ref(1), f.Ref(2), f.Ref(4), f.Ref(7)
	f.Symbols[5].Parameters = []code.Parameter{{Name: "n"}}
	f.Symbols[6].Parameters = []code.Parameter{{Name: "n", Default: "1"}}
	bases := map[Ref][]Ref{leaf: {mid}, mid: {top}, two: {top}, own: {two}}
	direct := func(c Ref) []Ref { return bases[c] }
	at := func(list []Ref) (out []int) {
		for _, r := range list {
			out = append(out, r.Index)
		}
		return out
	}
	for _, c := range []struct {
		class Ref
		want  []int
	}{{leaf, []int{3}}, {top, []int{3}}, {two, []int{5, 6}}, {own, []int{8}}} {
		if got := at(ImplicitConstructors(c.class, direct)); !slices.Equal(got, c.want) {
			t.Errorf("%s runs %v, want %v", c.class.Symbol().Name, got, c.want)
		}
	}
	w := toyWorld(t.Context(), toy{bases: bases})
	for made, want := range map[int][]int{8: {6, 3}, 3: nil, 5: {3}} {
		if got := at(constructorsOf(w, f.Ref(made))); !slices.Equal(got, want) {
			t.Errorf("constructor %d runs %v first, want %v", made, got, want)
		}
	}
	f.Symbols[8].Modifiers = []string{"static"}
	if got := at(ImplicitConstructors(own, direct)); !slices.Equal(got, []int{6, 3}) {
		t.Errorf("a static initializer counts as a constructor: %v", got)
	}
}

// TestVerdicts checks which verdicts are direct, and which keep the type of the receiver.
func TestVerdicts(t *testing.T) {
	f := symbols("a.x", "class T", "method m 0", "property p 0", "constructor T 0", "class Sub", "function g",
		"property q 0",
		"method n 5")
	f.Symbols[6].Computed = true
	for _, c := range []struct {
		at     int
		how    Strategy
		direct bool
	}{{0, Constructed, false}, {1, TypedStatic, true}, {1, Alternative, false}, {2, TypedValue, false}, {5,
		Imported, true},
		{6, TypedValue, true}} {
		v := Resolved(f.Ref(c.at), c.how, "")
		if v.Directly().Direct != c.direct || v.DirectlyIf(true).Direct != c.direct || v.DirectlyIf(false).Direct {
			t.Errorf("%s by %s: direct %t", f.Symbols[c.at].QualifiedName, c.how, v.Directly().Direct)
		}
	}
	if Unresolved("why").Directly().Direct {
		t.Error("an open call is direct")
	}
	sub := f.Ref(4)
	for _, c := range []struct {
		at       int
		receiver Ref
		kept     bool
	}{{1, sub, true}, {1, f.Ref(0), false}, {1, Ref{}, false}, {1, f.Ref(5), false}, {0, sub, false}, {3, sub, false}} {
		if v := Resolved(f.Ref(c.at), TypedValue, "").On(c.receiver); v.Receiver.Valid() != c.kept {
			t.Errorf("%s on %v: %v", f.Symbols[c.at].QualifiedName, c.receiver.Index, v.Receiver)
		}
	}
	if Unresolved("why").On(sub).Receiver.Valid() {
		t.Error("an open call has a receiver")
	}
}

// TestRelated checks that two types are related if they share a subtype, in either order.
func TestRelated(t *testing.T) {
	f := symbols("a.x", "class A", "class B", "class C", "class D")
	a, b, c, d := f.Ref(0), f.Ref(1), f.Ref(2), f.Ref(3)
	below := func(r Ref) []Ref { return map[Ref][]Ref{a: {c}, b: {c}}[r] }
	for _, p := range []struct {
		x, y Ref
		want bool
	}{{a, a, true}, {a, c, true}, {c, a, true}, {a, b, true}, {a, d, false}, {d, b, false}} {
		if got := Related(p.x, p.y, below); got != p.want {
			t.Errorf("%d and %d: %t", p.x.Index, p.y.Index, got)
		}
	}
	if got := names(Descendants(a, func(r Ref) []Ref {
		return map[Ref][]Ref{a: {b, c}, b: {c, d},
			d: {a}}[r]
	})); got != "B C D" {
		t.Errorf("below A lie %s", got)
	}
}

// TestDescendantsAreBounded checks that Descendants ends for a type with endless subtypes.
func TestDescendantsAreBounded(t *testing.T) {
	f := symbols("a.x", "class A")
	made := 0
	got := Descendants(f.Ref(0), func(Ref) []Ref { made++; return []Ref{f.Ref(made * 2), f.Ref(made*2 + 1)} })
	if len(got) < MaxSubtypes-2 || len(got) > MaxSubtypes+2 {
		t.Errorf("%d subtypes", len(got))
	}
}

func TestParametersAt(t *testing.T) {
	f := &code.Symbol{Parameters: []code.Parameter{{Name: "a"}, {Name: "b"}}}
	for place, want := range map[code.Place]string{code.PlaceAt(0): "a", code.PlaceAt(1): "b", code.PlaceAt(2): "",
		code.PlaceNamed("b"): "b", code.PlaceNamed("c"): "", "": ""} {
		got := ""
		if p := ParameterAt(f, place); p != nil {
			got = p.Name
		}
		if got != want {
			t.Errorf("%q is received by %q, want %q", place, got, want)
		}
	}
}

func TestKeptBy(t *testing.T) {
	f := symbols("a.x", "class T", "property done 0", "method set 0", "method get 0", "constructor T 0", "field f 0",
		"variable v")
	keeps := func(m Ref) bool { return m.Symbol().Name != "get" }
	if got := KeptBy(of(t, f, "T.done"), keeps); !slices.Equal(got, []string{"T", "set"}) {
		t.Errorf("%q", got)
	}
	if got := KeptBy(of(t, f, "v"), keeps); got != nil {
		t.Errorf("outside of a type: %q", got)
	}
}

// TestDerivationsThatReferToThemselves checks that a value which depends on its own unfinished
// derivation is not kept, and that a value derived inside of it without that dependency is.
func TestDerivationsThatReferToThemselves(t *testing.T) {
	w := toyWorld(t.Context(), toy{})
	made := map[string]int{}
	var derive func(key string) int
	derive = func(key string) int {
		return Derive(w, key, func() int {
			made[key]++
			switch key {
			case "a":
				return derive("b") + derive("own") + 1
			case "b":
				return derive("a") + 1
			}
			return 10
		})
	}
	if got := derive("a"); got != 12 {
		t.Errorf("a is %d", got)
	}
	if got := derive("b"); got != 13 { // a is kept as 12
		t.Errorf("b is %d", got)
	}
	derive("a")
	if made["own"] != 1 || made["a"] != 1 || made["b"] != 2 {
		t.Errorf("made %v times", made)
	}
}

// TestEvaluationsAreBounded checks the bounds on the nesting and the number of a call site's
// evaluations, and that a value whose evaluation reaches a bound is not kept.
func TestEvaluationsAreBounded(t *testing.T) {
	w := toyWorld(t.Context(), toy{})
	for i := range maxDepth {
		if !w.Enter() {
			t.Fatalf("the bound is %d", i)
		}
	}
	if w.Enter() {
		t.Error("there is no bound on the depth")
	}
	for range maxDepth - 1 {
		w.Leave()
	}
	for i := maxDepth; i < maxSteps; i++ {
		if !w.Enter() {
			t.Fatalf("the bound is %d steps", i)
		}
		w.Leave()
	}
	made := 0
	tries := func() int {
		return Derive(w, "x", func() int { made++; w.Enter(); return made })
	}
	if tries(); tries() != 2 {
		t.Error("a value beyond the bound is kept")
	}
	if w.Leave(); !w.Enter() {
		t.Error("the next call site has no steps left")
	}
	var chain func(n int) int
	chain = func(n int) int { return Derive(w, n, func() int { return chain(n+1) + 1 }) }
	if got := chain(0); got != maxFrames {
		t.Errorf("%d derivations are nested", got)
	}
}

func TestErrorsAreKept(t *testing.T) {
	w := toyWorld(t.Context(), toy{})
	first := errors.New("first")
	if w.ok(first); w.ok(errors.New("second")) || w.Err() != first {
		t.Errorf("error %v", w.Err())
	}
	if got := Derive(w, "x", func() int { return 1 }); got != 0 {
		t.Errorf("after an error a value is derived: %d", got)
	}
}

// TestLookUpsOfAValue checks that the look-ups on which a value depends are recorded each once,
// also when the value is only read from the cache.
func TestLookUpsOfAValue(t *testing.T) {
	w := toyWorld(t.Context(), toy{})
	w.snap.reads = newRecorder()
	inner := func() int {
		return Derive(w, "inner", func() int {
			w.note(readDir, "d")
			w.note(readPath, "p")
			w.note(readDir,
				"d")
			return 1
		})
	}
	outer := func() int { return Derive(w, "outer", func() int { w.noteFile(7); return inner() + inner() }) }
	want := []leaf{leafOf(readDir, "d"), leafOf(readPath, "p"), fileLeaf(7)}
	slices.Sort(want)
	for range 2 {
		if outer(); !slices.Equal(w.snap.reads.take(), want) {
			t.Error("the look-ups differ")
		}
	}
	if got := w.snap.reads.take(); len(got) != 0 {
		t.Errorf("a take without look-ups gives %v", got)
	}
	w.noteRange("a", "b")
	w.noteBearing("Name")
	got := w.snap.reads.take()
	want = []leaf{rangeLeaf(rangeKey{"a", "b"}), bearingLeaf(leafOf(readNamed, "name"))}
	if slices.Sort(want); !slices.Equal(got, want) || !w.snap.reads.ranges[rangeKey{"a", "b"}] {
		t.Errorf("%v, want %v", got, want)
	}
	if leafOf(readDir, "d") == leafOf(readPath, "d") || fileLeaf(1) == fileLeaf(2) {
		t.Error("two look-ups share a hash")
	}
}

func TestFoldASCII(t *testing.T) {
	for name, want := range map[string]string{"abc": "abc", "aBC": "abc", "ÉA": "Éa", "": "", "A@[Z": "a@[z"} {
		if got := foldASCII(name); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestLanguages(t *testing.T) {
	l := Languages{"x": {Family: "y", ImportConfidence: 0.9, Settler: toy{}}, "y": {}, "z": {Family: "y"}}
	if !l.Together("x", "z") || !l.Together("x", "y") || l.Together("x", "other") || !l.Together("other", "other") {
		t.Error("families")
	}
	if l.ImportConfidence("x") != 0.9 || l.ImportConfidence("y") != Uncalibrated ||
		l.ImportConfidence("none") != Uncalibrated {
		t.Error("confidence of imports")
	}
	if !l.FollowsImports("x") || l.FollowsImports("y") || l.FollowsImports("none") {
		t.Error("whose imports lead to files")
	}
	if _, plain := l.of(symbols("a.x")).(toy); !plain {
		t.Error("a language has no settler")
	}
	if c := Confidence("none", UniqueName); c != Guess {
		t.Errorf("a unique name has %v", c)
	}
	if c := Confidence("none", Imported); c != Uncalibrated {
		t.Errorf("an import that was not measured has %v", c)
	}
	if c := Confidence("go", Imported); c <= Uncalibrated || c >= 1 {
		t.Errorf("an import in Go has %v", c)
	}
}

// TestObjectsMadeHere checks that a local variable holds an object constructed right there only if
// the variable is assigned once.
func TestObjectsMadeHere(t *testing.T) {
	fact := func(kind code.FactKind, owner int, name, typ string, at int) code.Fact {
		return code.Fact{Kind: kind, Owner: owner, Name: name, Type: typ, Span: code.Span{StartByte: at}}
	}
	f := symbols("a.x", "function f", "function inner 0", "function stranger")
	list := []code.Fact{
		fact(code.FactAssign, 0, "once", "new T()", 1), fact(code.FactAssign, 0, "twice", "new T()", 2),
		fact(code.FactAssign, 0, "twice", "new T()", 3), fact(code.FactAssign, 0, "other", "once", 4),
		fact(code.FactAssign, 0, "closed", "new T()", 5), fact(code.FactParam, 0, "given", "new T()", 6),
		fact(code.FactAssign, -1, "global", "new T()", 7), fact(code.FactAssign, 0, "self", "self", 8),
		fact(code.FactMade, 0, "once", "new T()", 1),
		fact(code.FactAssign, 1, "closed", "null", 9), fact(code.FactAssign, 2, "once", "null", 10),
	}
	f.facts.make = func() *fileFacts {
		x := &fileFacts{list: list}
		for i := range list {
			x.owned = append(x.owned, &list[i])
		}
		slices.SortStableFunc(x.owned, func(a, b *code.Fact) int { return a.Owner - b.Owner })
		return x
	}
	made := func(_, _ int, e *expr.Expr) bool { return e.Op == expr.OpNew }
	for text, want := range map[string]bool{"new T()": true, "once": true, "other": true, "twice": false,
		"closed": false,
		"given":  false, "global": false, "self": false, "f()": false, "none": false} {
		if got := MadeHere(f, 0, expr.Parse(text, expr.Dialect{}), expr.Dialect{}, made); got != want {
			t.Errorf("%s is made here: %t", text, got)
		}
	}
	if object, ok := f.MadeAs(&list[0]); !ok || object != "new T()" {
		t.Errorf("once is made as %q", object)
	}
	for _, binder := range []*code.Fact{nil, &list[1], &list[5]} {
		if object, ok := f.MadeAs(binder); ok {
			t.Errorf("%+v is made as %q", binder, object)
		}
	}
}

func TestKindsThatDispatch(t *testing.T) {
	for kind, want := range map[code.Kind][3]bool{ // Dispatchable, mayReplace, mayHold
		code.KindMethod: {true, true, false}, code.KindFunction: {true, true, false}, code.KindClass: {true, false,
			false},
		code.KindConstructor: {true, true, false}, code.KindField: {true, true, true}, code.KindProperty: {true,
			true, true},
		code.KindTest: {false, false, false}, code.KindMacro: {false, false, false}, code.KindVariable: {false,
			false, false},
	} {
		s := &code.Symbol{Kind: kind, Body: [2]int{1, 2}}
		if got := [3]bool{Dispatchable(s), mayReplace(s), mayHold(s)}; got != want {
			t.Errorf("%s: %v, want %v", kind, got, want)
		}
	}
	if !mayHold(&code.Symbol{Kind: code.KindMethod}) {
		t.Error("a method without a body holds no function")
	}
	if !HasModifier(&code.Symbol{Modifiers: []string{"static", "final"}}, "abstract", "final") ||
		HasModifier(&code.Symbol{Modifiers: []string{"static"}}, "abstract") || HasModifier(&code.Symbol{}, "") {
		t.Error("modifiers")
	}
}

// TestOtherNames checks the other names that a file gives to a declaration by imports, exports and
// assignments.
func TestOtherNames(t *testing.T) {
	f := &File{}
	f.Imports = []code.Import{{Name: "save", Alias: "store"}, {Name: "save"}, {Name: "other", Alias: "x"}}
	f.Exports = []code.Export{{Local: "save", Name: "kept"}, {Local: "save", Name: "save"}, {Local: "save", Name: "*"},
		{Local: "other", Name: "y"}}
	f.memo = map[any]any{aliasesKey{}: []l2meta.Alias{{Name: "held", Of: "save"}, {Name: "z", Of: "other"}}}
	if got := renamed(f, "save"); !slices.Equal(got, []string{"store", "kept", "held"}) {
		t.Errorf("%q", got)
	}
}
