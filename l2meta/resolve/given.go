package resolve

import (
	"cmp"
	"slices"

	"sextant/internal/code"
	"sextant/l2meta"
)

// This file finds the functions that a property holds: props.onDone(1) settles on the property, and
// runs one of the functions that objects are given there:
//
//	f({ onDone: save })    save, where f takes an object that has the property
//	o.onDone = save        save, where o has it
//	{ onDone() {} } as T   the method, where T declares onDone

// giving is a Settler of a language whose properties hold functions and are call targets.
type giving interface {
	// HoldsFunction reports whether calls settle on a property, or on a method without a body, for
	// which objects are given a function.
	HoldsFunction(w *World, property Ref) bool
	// Given resolves a FactGiven of f to the property and the function that it names; zero Refs
	// where one is unknown.
	Given(w *World, f *File, fact *code.Fact) (property, function Ref)
}

// placing is a Settler of a language whose objects may receive functions by position: struct ops o
// = { open, read }.
type placing interface {
	// GivenBy returns the names, of types for instance, under which facts give a property a
	// function by position.
	GivenBy(w *World, property Ref) []string
}

// KeptBy returns the names of the functions whose arguments may become the value of member: the
// constructor's, which is the type's name, and those of the methods for which keeps reports true.
func KeptBy(member Ref, keeps func(method Ref) bool) (out []string) {
	class := member.Parent()
	if !class.Valid() || !IsType(class.Symbol().Kind) {
		return nil
	}
	out = append(out, class.Symbol().Name)
	for _, i := range class.File.Children(class.Index) {
		method := class.File.Ref(i)
		if k := method.Symbol().Kind; k.Callable() && k != code.KindConstructor && keeps(method) {
			out = append(out, method.Symbol().Name)
		}
	}
	return out
}

// ParameterAt returns the parameter that receives the argument at a place. It returns nil if
// the function has no such parameter.
func ParameterAt(function *code.Symbol, place code.Place) *code.Parameter {
	at, ok := place.Index()
	if name, named := place.Name(); named {
		at = slices.IndexFunc(function.Parameters, func(p code.Parameter) bool { return p.Name == name })
	} else if !ok {
		return nil
	}
	if at < 0 || at >= len(function.Parameters) {
		return nil
	}
	return &function.Parameters[at]
}

// maxGiving bounds the files that are searched for functions of one property, and the functions
// found. MaxSubtypes bounds methods in the same way.
const maxGiving = MaxSubtypes

type givenKey struct {
	file  int64
	start int
	name  string
}

// gift is a resolved FactGiven; both Refs are zero if it did not resolve.
type gift struct{ property, function Ref }

func (w *World) gift(l giving, f *File, fact *code.Fact) gift {
	return Derive(w, givenKey{f.ID, fact.Span.StartByte, fact.Name}, func() (g gift) {
		w.apart(func() { g.property, g.function = l.Given(w, f, fact) })
		if !g.property.Valid() || !g.function.Valid() ||
			!w.spells(fact, g.function) {
			return gift{}
		}
		return g
	})
}

// spells reports whether a FactGiven names the function by a name under which givenTo searches. An
// edge under another name would be found from one end only.
func (w *World) spells(fact *code.Fact, function Ref) bool {
	if fact.Type == "" {
		return true
	}
	names := l2meta.GivenNames(fact)
	last, name := names[len(names)-1], function.Symbol().Name
	return last == name || slices.Contains(w.aliases(name), last)
}

type heldKey symbolAt

// givenFor returns the functions that objects are given for a property, by path and position.
func givenFor(w *World, property Ref) []Ref {
	l, ok := w.languages.of(property.File).(giving)
	if !ok || !mayHold(property.Symbol()) {
		return nil
	}
	return DeriveRefs(w, heldKey(property.at()), func() (out []Ref) {
		if !l.HoldsFunction(w, property) {
			return nil
		}
		for _, name := range w.givenNames(l, property) {
			functions, _ := w.refsAt(w.giftsUnder(l, property, name)[property.at()])
			for _, function := range functions {
				if function != property && len(out) < maxGiving && !slices.Contains(out, function) {
					out = append(out, function)
				}
			}
		}
		return out
	})
}

type giftsUnderKey struct{ language, name string }

// giftsUnder returns the functions that facts of a name give to each property, for a property of the
// language: by path and position. Minified scripts have thousands of properties of one name, each
// with as many facts, so the facts are resolved once for all of them.
func (w *World) giftsUnder(l giving, property Ref, name string) map[symbolAt][]symbolAt {
	return DeriveDetached(w, giftsUnderKey{property.File.Language, name}, func() map[symbolAt][]symbolAt {
		out := map[symbolAt][]symbolAt{}
		files := w.givers(property, name)
		for _, f := range files[:min(len(files), maxGiving)] {
			for _, fact := range f.gifts()[name] {
				g := w.gift(l, f, fact)
				if !g.property.Valid() {
					continue
				}
				if at := g.property.at(); len(out[at]) <= maxGiving {
					out[at] = append(out[at], g.function.at())
				}
			}
		}
		return out
	})
}

// givenNames returns the names under which facts give a property functions: its own, and those of
// placing languages.
func (w *World) givenNames(l giving, property Ref) []string {
	names := []string{property.Symbol().Name}
	if l, ok := l.(placing); ok {
		for _, by := range l.GivenBy(w, property) {
			for _, name := range append([]string{by}, w.aliases(by)...) {
				if !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	return names
}

// mayHold reports whether a declaration has no body of its own: a field, a property, or a method
// without a body.
func mayHold(s *code.Symbol) bool {
	return holdsValue(s.Kind) || s.Kind == code.KindMethod && s.Body[1] == 0
}

func holdsValue(k code.Kind) bool { return k == code.KindField || k == code.KindProperty }

// givenTo returns the properties for which objects are given function.
func givenTo(w *World, function Ref) (out []Ref) {
	l, ok := w.languages.of(function.File).(giving)
	if !ok {
		return nil
	}
	add := func(g gift) {
		if g.function == function && !slices.Contains(out, g.property) {
			out = append(out, g.property)
		}
	}
	s := function.Symbol()
	for _, fact := range function.File.gifts()[s.Name] {
		if fact.Type == "" && fact.Span.StartByte == s.NameSpan.StartByte {
			add(w.gift(l, function.File, fact))
		}
	}
	for _, name := range append([]string{s.Name}, w.aliases(s.Name)...) {
		for _, f := range w.givers(function, name) {
			for _, fact := range f.gifts()[name] {
				if fact.Type != "" {
					add(w.gift(l, f, fact))
				}
			}
		}
	}
	return out
}

// givers returns the files, by path, that may give a function to a property of that name, or give a
// function of that name to a property.
func (w *World) givers(of Ref, name string) (out []*File) {
	for _, id := range w.Giving(name) {
		if place, ok := w.place(id); !ok || !w.languages.Together(place.Language, of.File.Language) {
			continue
		}
		if f := w.ByID(id); f != nil {
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b *File) int { return cmp.Compare(a.Path, b.Path) })
	return out
}

type giftsKey struct{}

// gifts returns the FactGiven facts of a file, by each name that they mention.
func (f *File) gifts() map[string][]*code.Fact {
	return Memo(f, giftsKey{}, func() map[string][]*code.Fact {
		out := map[string][]*code.Fact{}
		for i := range f.AllFacts() {
			if fact := &f.AllFacts()[i]; fact.Kind == code.FactGiven {
				for _, name := range l2meta.GivenNames(fact) {
					out[name] = append(out[name], fact)
				}
			}
		}
		return out
	})
}
