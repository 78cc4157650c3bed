package resolve

import (
	"cmp"
	"slices"

	"sextant/internal/code"
	"sextant/l2meta"
)

// This file finds the functions that a property holds: the call props.onDone(1) resolves to the
// property onDone, and runs a function that source code stores in the onDone of some object:
//
//	f({ onDone: save })    save, if f takes an object that has the property
//	o.onDone = save        save, if o has the property
//	{ onDone() {} } as T   the method, if T declares onDone

// giving is implemented by the Settler (the resolver of calls) of a language in which a call such
// as props.onDone(1) resolves to a property that holds a function.
type giving interface {
	// HoldsFunction reports whether calls may resolve to property because objects can store a
	// function in it. property may also be a method without a body, as in an interface.
	HoldsFunction(w *World, property Ref) bool
	// Given resolves a FactGiven of f, such as { onDone: save }, to the property and the function
	// that is stored in it. A Ref is zero if it is unknown.
	Given(w *World, f *File, fact *code.Fact) (property, function Ref)
}

// placing is implemented by the Settler of a language whose objects may receive functions by
// position, as o does in struct ops o = { open, read }.
type placing interface {
	// GivenBy returns the names under which to find the facts that store functions in property by
	// position, for instance the name of the type: ops.
	GivenBy(w *World, property Ref) []string
}

// KeptBy returns the names of the functions that may store an argument in a member of a class. For
// the field done of class Job these are Job, as in new Job(save), and the methods of Job for which
// keeps reports true, such as onDone in job.onDone(save). It returns nil if member is in no type.
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

// ParameterAt returns the parameter that receives the argument with the given position or name. It
// returns nil if the function has no such parameter.
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

// maxGiving bounds, for one property, the number of files that are searched for stored functions,
// and the number of functions found. MaxSubtypes bounds overrides of methods in the same way.
const maxGiving = MaxSubtypes

type givenKey struct {
	file  int64
	start int
	name  string
}

// gift is a resolved FactGiven: function is stored in property, as save in onDone by o.onDone = save. Both are zero if
// the fact could not be resolved.
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

// spells reports whether a fact such as o.onDone = save contains the function's own name, or an
// alias of it. givenTo, which starts from the function, only finds such facts. So other facts are
// ignored in the opposite direction, too, and both directions of a search find the same edges.
func (w *World) spells(fact *code.Fact, function Ref) bool {
	if fact.Type == "" {
		return true
	}
	names := l2meta.GivenNames(fact)
	last, name := names[len(names)-1], function.Symbol().Name
	return last == name || slices.Contains(w.aliases(name, function.File), last)
}

type heldKey symbolAt

// givenFor returns the functions that source code stores in a property, sorted by path and
// position.
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

// giftsUnder resolves the FactGiven facts that mention name, in the languages that property's
// language calls directly. It returns the stored functions by property, sorted by path and
// position. Minified scripts have thousands of properties of one name, each with as many facts, so
// the facts are resolved once for all of these properties.
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

// givenNames returns the names under which to find the facts that store functions in a property:
// its own name and those of GivenBy, with their aliases.
func (w *World) givenNames(l giving, property Ref) []string {
	names := []string{property.Symbol().Name}
	if l, ok := l.(placing); ok {
		for _, by := range l.GivenBy(w, property) {
			for _, name := range append([]string{by}, w.aliases(by, property.File)...) {
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

// givenTo returns the properties in which source code stores function.
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
	for _, name := range append([]string{s.Name}, w.aliases(s.Name, function.File)...) {
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

// givers returns the files that may store a function in a property of that name, or a function of
// that name in a property, sorted by path. It considers only files in languages whose code and the
// code of symbol of call each other directly, such as Kotlin and Java.
func (w *World) givers(of Ref, name string) (out []*File) {
	for _, id := range w.Giving(name) {
		if f := w.Peer(id, of.File.Language); f != nil {
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b *File) int { return cmp.Compare(a.Path, b.Path) })
	return out
}

type giftsKey struct{}

// gifts returns the facts of a file about functions that are stored in properties. Each is listed
// under every name in it: o.onDone = save under onDone and save.
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
