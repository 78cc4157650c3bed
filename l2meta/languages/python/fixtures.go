package python

import (
	"path"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// pytest passes a fixture's value to each test parameter of the same name. It takes the nearest
// fixture: in the test's class, in its module, or in the conftest.py of its directory or of one
// above it:
//
//	def client() -> Client: ...           in conftest.py, decorated with @pytest.fixture
//	def test_get(client): client.get()    calls Client.get

// provided lists pytest's own fixtures.
var provided = resolve.Words("cache capfd capfdbinary caplog capsys capsysbinary doctest_namespace monkeypatch " +
	"pytestconfig recwarn request tmp_path tmp_path_factory tmpdir tmpdir_factory")

// fixture evaluates a parameter without annotation, of a test or of another fixture, to the value
// of the fixture with the same name. It returns the zero Value if there is no such fixture, or if
// a parametrize mark provides the value.
func fixture(w *resolve.World, f *resolve.File, function int, name string) resolve.Value {
	s := &f.Symbols[function]
	if !strings.HasPrefix(s.Name, "test") && !isFixture(s) || parametrized(f, function, name) {
		return resolve.Value{}
	}
	for at := s.Parent; ; at = f.Symbols[at].Parent {
		if r, ok := fixtureIn(f, at, name); ok && r.Index != function {
			return fixtureValue(w, r)
		}
		if at < 0 {
			break
		}
	}
	for dir := f.Dir; ; dir = code.Dir(dir) {
		if c := w.File(path.Join(dir, "conftest.py")); c != nil && c != f {
			if r, ok := fixtureIn(c, -1, name); ok {
				return fixtureValue(w, r)
			}
		}
		if dir == "" {
			break
		}
	}
	if provided[name] && pyModule(w, f, "pytest").foreign {
		return resolve.Value{Kind: resolve.Foreign, Module: "pytest"}
	}
	return resolve.Value{}
}

func isFixture(s *code.Symbol) bool {
	return slices.ContainsFunc(s.Annotations, func(a string) bool {
		name, _, _ := strings.Cut(a, "(")
		return name == "@fixture" || strings.HasSuffix(name, ".fixture")
	})
}

// parametrized reports whether @pytest.mark.parametrize, on the test or its class, provides the
// values of the parameter called name.
func parametrized(f *resolve.File, function int, name string) bool {
	for at := function; at >= 0; at = f.Symbols[at].Parent {
		for _, a := range f.Symbols[at].Annotations {
			if strings.Contains(a, "parametrize") && strings.Contains(a, name) {
				return true
			}
		}
	}
	return false
}

// fixtureIn returns the fixture called name that a class or, if at is -1, the module declares; false
// if there is none.
func fixtureIn(f *resolve.File, at int, name string) (r resolve.Ref, ok bool) {
	for _, i := range f.Children(at) {
		s := &f.Symbols[i]
		if !isFixture(s) {
			continue
		}
		given := s.Name
		for _, a := range s.Annotations {
			if _, named, is := strings.Cut(a, `name="`); is {
				given, _, _ = strings.Cut(named, `"`)
			}
		}
		if given == name {
			r, ok = f.Ref(i), true
		}
	}
	return r, ok
}

type fixtureKey struct {
	file  int64
	index int
}

// fixtureValue evaluates the result of a fixture, which is the value that it returns or yields.
func fixtureValue(w *resolve.World, r resolve.Ref) resolve.Value {
	return resolve.Derive(w, fixtureKey{r.File.ID, r.Index}, func() (v resolve.Value) {
		f := resolve.Value{Kind: resolve.Function, Ref: r}
		if r.Symbol().Returns != "" {
			v = writtenResult(w, f)
			if head, _ := container(v); head == "Iterator" || head == "Generator" || head == "Iterable" ||
				asyncIterator(v) {
				v = element(w, v)
			}
			return v.Via(resolve.TypedResult)
		}
		given := names(r.File).returns[r.Index]
		yields := slices.ContainsFunc(given, func(fact *code.Fact) bool { return fact.Name == "yield" })
		for _, fact := range given {
			if yields && fact.Name != "yield" {
				continue
			}
			x := returned(w, f, resolve.Ref{}, fact)
			if x.Kind == resolve.Unknown || v.Kind != resolve.Unknown && !same(v, x) {
				return resolve.Value{}
			}
			v = x
		}
		return v.Via(resolve.TypedResult)
	})
}
