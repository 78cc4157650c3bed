package resolve

import (
	"slices"

	"sextant/internal/code"
)

// This file is what runs where an object is made of a class that declares no
// constructor: class Child(Base), and Child(1). Such a construction settles on
// the class, so that its callers are found from there; the constructor that the
// class has from a base is what may run in its place.

// constructing is a language whose classes may leave construction to a base.
type constructing interface {
	// Constructors is those that run where an object of class is made, and on
	// which its construction does not settle.
	Constructors(w *World, class Ref) []Ref
	// Heirs is the types that derive from one.
	Heirs(w *World, t Ref) []Ref
}

// constructorsOf is what may run in the place of class, on which a construction
// settles.
func constructorsOf(w *World, class Ref) []Ref {
	if l, ok := w.languages.of(class.File).(constructing); ok {
		return l.Constructors(w, class)
	}
	return nil
}

// ConstructedBy is the classes whose construction may run a constructor: its own
// and those below it.
func ConstructedBy(w *World, constructor Ref) []Ref {
	l, ok := w.languages.of(constructor.File).(constructing)
	if class := constructor.Parent(); ok && class.Valid() {
		return append([]Ref{class}, l.Heirs(w, class)...)
	}
	return nil
}

// declaredConstructors is the constructors that a type writes down.
func declaredConstructors(t Ref) (out []Ref) {
	for _, i := range t.File.Children(t.Index) {
		if s := &t.File.Symbols[i]; s.Kind == code.KindConstructor && !HasModifier(s, "static") {
			out = append(out, t.File.Ref(i))
		}
	}
	return out
}

// ImplicitConstructors is what the constructor runs that a compiler writes for a
// class: those of the nearest classes above it that take no arguments; bases
// gives the classes right above one. None for a class that writes one down.
func ImplicitConstructors(class Ref, bases func(Ref) []Ref) (out []Ref) {
	written := func(c Ref) bool { return len(declaredConstructors(c)) > 0 || len(c.Symbol().Parameters) > 0 }
	if written(class) {
		return nil
	}
	above := func(c Ref) []Ref {
		if written(c) {
			return nil
		}
		return bases(c)
	}
	for _, c := range Descendants(class, above) {
		for _, constructor := range declaredConstructors(c) {
			if takesNothing(constructor.Symbol()) {
				out = append(out, constructor)
			}
		}
	}
	return out
}

// takesNothing reports whether a function may be called without arguments.
func takesNothing(s *code.Symbol) bool {
	return !slices.ContainsFunc(s.Parameters, func(p code.Parameter) bool { return !p.Variadic && p.Default == "" })
}
