package golang_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"sextant/l2meta/languages/golang"
	"sextant/l2meta/languages/languagetest"
	"sextant/l2meta/resolve"
)

// targets returns the qualified names of the dispatched declarations, sorted.
func targets(list []resolve.Dispatch) string {
	var out []string
	for _, d := range list {
		out = append(out, d.Target.File.Dir+"."+d.Target.Symbol().QualifiedName)
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// goSymbol returns the symbol of that qualified name in a file.
func goSymbol(t *testing.T, r *resolve.Resolver, path, name string) resolve.Ref {
	t.Helper()
	f := r.World().File(path)
	if f == nil || len(f.Qualified(name)) != 1 {
		t.Fatalf("%s has not one %s", path, name)
	}
	return f.Ref(f.Qualified(name)[0])
}

func TestGoImplementationsAreStructural(t *testing.T) {
	languagetest.World(t, map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.24\n",
		"api/api.go": `package api

type Key string

type Closer interface{ Close() error }

type Store interface {
	Closer
	Get(key Key) ([]byte, error)
}
`,
		"disk/disk.go": `package disk

import a "example.com/m/api"

type base struct{}

func (*base) Close() error { return nil }

type Disk struct{ *base }

func (d Disk) Get(k a.Key) ([]byte, error) { return nil, nil }

type Text struct{ base }

func (Text) Get(k string) ([]byte, error) { return nil, nil } // another signature
`,
		"mem/mem.go": `package mem

type Mem struct{}

func (Mem) Close() error { return nil }

type Loud struct{}

func (Loud) Close(really bool) error { return nil }
`,
	}, func(r *resolve.Resolver) {
		for _, c := range []struct{ path, of, want string }{
			{"api/api.go", "Store.Get", "disk.Disk.Get"},
			{"api/api.go", "Closer.Close", "disk.base.Close mem.Mem.Close"},
			{"disk/disk.go", "Disk.Get", ""},
		} {
			got, err := r.Implementations(goSymbol(t, r, c.path, c.of), resolve.Ref{})
			if err != nil || targets(got) != c.want {
				t.Errorf("implementations of %s: got %q, %v, want %q", c.of, targets(got), err, c.want)
			}
		}
		for _, c := range []struct{ path, of, want string }{
			{"disk/disk.go", "Disk.Get", "api.Store.Get"},
			{"mem/mem.go", "Mem.Close", "api.Closer.Close"},
			{"mem/mem.go", "Loud.Close", ""},
			{"disk/disk.go", "Text.Get", ""},
		} {
			got, err := r.Overridden(goSymbol(t, r, c.path, c.of))
			if err != nil || targets(got) != c.want {
				t.Errorf("%s implements %q, %v, want %q", c.of, targets(got), err, c.want)
			}
		}
	})
}

// TestShapesAreEqualForIdenticalTypes checks for each pair of signatures that their shapes are equal
// exactly if Identical reports true.
func TestShapesAreEqualForIdenticalTypes(t *testing.T) {
	forms := []string{"()", "() error", "() string", "(byte)", "(uint8)", "(rune)", "(int32)", "(any)",
		"(interface{})", "(interface{ M() })", "(a.Key)", "(Key)", "(*Key)", "([]Key)", "([2]Key)", "([3]Key)",
		"(map[string]Key)", "(map[Key]string)", "(chan Key)", "(<-chan Key)", "(...Key)", "(func(Key) error)",
		"(func(a Key, b ...Key) (x, y error))", "(func(Key, ...Key) (error, error))", "(Key, Key)", "(a, b Key)",
		"(struct{})", "(struct{ x Key })", "(struct{ y int })", "(http.Handler)", "(http.ResponseWriter)",
		"(Box[Key])", "(Box[int])", "(Box[a.Key])", "(sync.Mutex) http.Handler", "(undeclared)"}
	source := "package m\n\nimport (\n\t\"net/http\"\n\t\"sync\"\n\n\t\"example.com/m/a\"\n)\n\n" +
		"type Key string\n\ntype Box[T any] struct{ of T }\n\nfunc generic[T any](x T) {}\n"
	for i, form := range forms {
		source += "\nfunc f" + strconv.Itoa(i) + form + "\n"
	}
	languagetest.World(t, map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.24\n", "a/a.go": "package a\n\ntype Key string\n", "m.go": source,
	}, func(r *resolve.Resolver) {
		w, unknown := r.World(), 0
		for i := range forms {
			one := goSymbol(t, r, "m.go", "f"+strconv.Itoa(i))
			shape, ok := golang.Shape(w, one)
			if !ok {
				unknown++
			}
			for j := range forms {
				other := goSymbol(t, r, "m.go", "f"+strconv.Itoa(j))
				if to, known := golang.Shape(w, other); ok && known && (shape == to) != golang.Identical(w, one, other) {
					t.Errorf("%s has shape %s and %s has %s", forms[i], shape, forms[j], to)
				}
			}
		}
		if unknown != 1 {
			t.Errorf("%d signatures have no shape, want one, of the undeclared type", unknown)
		}
		if shape, ok := golang.Shape(w, goSymbol(t, r, "m.go", "generic")); ok {
			t.Errorf("a type parameter, which is any type, has the shape %s", shape)
		}
	})
}

func TestInterfacesOfOneShapeShareTypes(t *testing.T) {
	languagetest.World(t, map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.24\n",
		"m.go": `package m

type Stringer interface{ String() string }

type Named interface{ String() string }

type Sized interface{ String() int }

type Of[T any] interface{ String() T }

type Text struct{}

func (Text) String() string { return "" }

type Length struct{}

func (Length) String() int { return 0 }
`,
	}, func(r *resolve.Resolver) {
		for of, want := range map[string]string{"Stringer": ".Text.String", "Named": ".Text.String",
			"Sized": ".Length.String", "Of": ".Length.String .Text.String"} {
			got, err := r.Implementations(goSymbol(t, r, "m.go", of+".String"), resolve.Ref{})
			if err != nil || targets(got) != want {
				t.Errorf("implementations of %s: got %q, %v, want %q", of, targets(got), err, want)
			}
		}
	})
}

// TestPointersAreFollowedOnce asks for a member of types that point to themselves, which has no end if
// each pointer is followed, and of one that points to a struct.
func TestPointersAreFollowedOnce(t *testing.T) {
	languagetest.World(t, map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.24\n",
		"m.go": `package m

type Self *Self

type Grows[T any] *Grows[Grows[T]]

type Data struct{ run func() }

type To *Data

type Twice *To

func f(a Self, b Grows[int], c To, d Twice) {
	a.run()
	b.run()
	c.run()
	d.run()
}
`,
	}, func(r *resolve.Resolver) {
		sites, err := r.Callees(goSymbol(t, r, "m.go", "f"))
		if err != nil || len(sites) != 4 {
			t.Fatalf("%d calls, error %v", len(sites), err)
		}
		for i, want := range []string{"no member run is known", "no member run is known", "", "no member run is known"} {
			if got := sites[i].Reason; got != want {
				t.Errorf("call %d: got reason %q, want %q", i, got, want)
			}
		}
	})
}

func TestGoWithoutModule(t *testing.T) {
	languagetest.World(t, map[string]string{
		"a/a.go": "package a\n\nimport (\n\t\"fmt\"\n\t\"example.com/x/b\"\n)\n\n" +
			"func f() {\n\tg()\n\tb.F()\n\tfmt.Println()\n}\n",
		"a/g.go": "package a\n\nfunc g() {}\n",
		"b/b.go": "package b\n\nfunc F() {}\n",
	}, func(r *resolve.Resolver) {
		got := languagetest.Sites(t, r, "a/a.go")
		if s := got["g"]; s.Outcome != resolve.Settled || s.Strategy != resolve.SamePackage {
			t.Errorf("g: %+v", s.Verdict)
		}
		if s := got["F"]; s.Outcome != resolve.Open {
			t.Errorf("F of an import that nothing locates: %+v", s.Verdict)
		}
		if s := got["Println"]; s.Outcome != resolve.External || s.Module != "fmt" {
			t.Errorf("Println: %+v", s.Verdict)
		}
	})
}

// TestEvidenceNamesTheOwner checks what a verdict says of the method that a call means: whose it is, or which package is
// imported for it.
func TestEvidenceNamesTheOwner(t *testing.T) {
	languagetest.World(t, map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.24\n",
		"m.go": "package m\n\nimport \"example.com/m/far\"\n\ntype base struct{}\n\nfunc (base) shut() {}\n\n" +
			"type door struct{ base }\n\nfunc (door) open() {}\n\ntype house struct{ door }\n\n" +
			"func use(d door, h house) {\n\td.open()\n\td.shut()\n\th.base.shut()\n\tfar.Away()\n}\n\n" +
			"func deep(h house) {\n\th.shut()\n}\n",
		"far/far.go": "package far\n\nfunc Away() {}\n",
	}, func(r *resolve.Resolver) {
		list, err := r.Sites(r.World().File("m.go").ID)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for i := range list {
			got = append(got, list[i].Call.Callee+": "+list[i].Provenance)
		}
		want := []string{"open: a method of door", "shut: promoted from base", "shut: a method of base",
			"Away: imports example.com/m/far", "shut: promoted from base"}
		if !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	})
}
