package resolve

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
)

// This file is which functions a property holds: props.onDone(1) settles on the
// property, and what runs is one of those that some object is given there:
//
//	f({ onDone: save })    save, where f takes an object that has the property
//	o.onDone = save        save, where o has it
//	{ onDone() {} } as T   the method, where T declares onDone

// giving is a language whose properties hold functions on which calls settle.
type giving interface {
	// HoldsFunction reports whether calls settle on a property, or on a method
	// without a body, that objects are given a function for.
	HoldsFunction(w *World, property Ref) bool
	// Given is the property that a FactGiven of f spells, and the function that
	// it is given; zero Refs where either is not known.
	Given(w *World, f *File, fact *code.Fact) (property, function Ref)
}

// placing is a language in which objects are given functions by the places of
// properties: struct ops o = { open, read }.
type placing interface {
	// GivenBy is the names, of types say, under which a property is given one so.
	GivenBy(w *World, property Ref) []string
}

// KeptBy returns the names by which functions are called that give a member a value:
// its type's, by which constructors are, and those of the methods for which keeps reports true.
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

// ParameterAt returns the parameter of a function for which an argument is passed: place
// is its number, or "=done" for a label; nil where the function has none.
func ParameterAt(function *code.Symbol, place string) *code.Parameter {
	at, err := strconv.Atoi(place)
	if label, ok := strings.CutPrefix(place, "="); ok {
		at = slices.IndexFunc(function.Parameters, func(p code.Parameter) bool { return p.Name == label })
	} else if err != nil {
		return nil
	}
	if at < 0 || at >= len(function.Parameters) {
		return nil
	}
	return &function.Parameters[at]
}

// maxGiving bounds the files in which functions for one property are sought, and
// how many of them may run at its calls, as MaxSubtypes does of methods.
const maxGiving = MaxSubtypes

type givenKey struct {
	file  int64
	start int
	name  string
}

// gift is a FactGiven, settled.
type gift struct{ property, function Ref }

func (w *World) gift(l giving, f *File, fact *code.Fact) gift {
	return Derive(w, givenKey{f.ID, fact.Span.StartByte, fact.Name}, func() (g gift) {
		if g.property, g.function = l.Given(w, f, fact); !g.property.Valid() || !g.function.Valid() || !w.spells(fact, g.function) {
			return gift{}
		}
		return g
	})
}

// spells reports whether a FactGiven spells the function by a name under which
// givenTo seeks it: an edge by another would be found from one end alone.
func (w *World) spells(fact *code.Fact, function Ref) bool {
	if fact.Type == "" {
		return true
	}
	names := l2meta.GivenNames(fact)
	last, name := names[len(names)-1], function.Symbol().Name
	return last == name || slices.Contains(w.aliases(name), last)
}

type heldKey Ref

// givenFor returns the functions that objects are given for a property, by path and
// place.
func givenFor(w *World, property Ref) []Ref {
	l, ok := w.languages.of(property.File).(giving)
	if !ok || !mayHold(property.Symbol()) {
		return nil
	}
	return Derive(w, heldKey(property), func() (out []Ref) {
		if !l.HoldsFunction(w, property) {
			return nil
		}
		for _, name := range w.givenNames(l, property) {
			files := w.givers(property, name)
			for _, f := range files[:min(len(files), maxGiving)] {
				for _, fact := range f.gifts()[name] {
					g := w.gift(l, f, fact)
					if g.property != property || g.function == property || slices.Contains(out, g.function) {
						continue
					}
					if out = append(out, g.function); len(out) == maxGiving {
						return out
					}
				}
			}
		}
		return out
	})
}

// givenNames returns the names under which objects are given functions for a property.
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

// mayHold reports whether a declaration says no more than that objects have a
// function by its name.
func mayHold(s *code.Symbol) bool {
	return holdsValue(s.Kind) || s.Kind == code.KindMethod && s.Body[1] == 0
}

func holdsValue(k code.Kind) bool { return k == code.KindField || k == code.KindProperty }

// givenTo returns the properties that some object is given a function for.
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

// givers returns the files that may give a property of a name a function, or a
// function of that name to a property, by path.
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

// gifts returns the FactGiven of a file by the names that they have to do with.
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
