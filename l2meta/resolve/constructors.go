package resolve

import (
	"slices"

	"sextant/internal/code"
)

// This file is what runs where an object is made, beside what the text names:
//
//	class Child(Base), and Child(1)     settles on Child; runs Base.__init__
//	new Point(x), of Point(A), Point(B) settles on Point; may run either
//	Child() {}, where Base() {} exists  runs Base() first, without saying so
//
// A construction of which no constructor is known for sure settles on the class,
// so that its callers are found from there.

// constructing is a language whose classes may leave construction to a base, or
// have several constructors.
type constructing interface {
	// Constructors is those that may run where an object of class is made, and on
	// which its construction does not settle.
	Constructors(w *World, class Ref) []Ref
	// Heirs is the types that derive from one.
	Heirs(w *World, t Ref) []Ref
}

// delegating is a language whose constructors run one of each base without
// arguments where they do not say which.
type delegating interface {
	// ConstructedBases is the classes right above one.
	ConstructedBases(w *World, class Ref) []Ref
}

// constructorsOf returns what may run in the place of a class, on which a
// construction settles, or beside a constructor.
func constructorsOf(w *World, made Ref) []Ref {
	l := w.languages.of(made.File)
	if made.Symbol().Kind != code.KindConstructor {
		if l, ok := l.(constructing); ok {
			return l.Constructors(w, made)
		}
		return nil
	}
	if delegates(made) || !made.Parent().Valid() {
		return nil
	}
	return basesConstructors(made.Parent(), func(c Ref) []Ref { return l.(delegating).ConstructedBases(w, c) })
}

// runsBases reports whether a symbol is a constructor that may run one of a base
// without saying so.
func (w *World) runsBases(r Ref) bool {
	_, ok := w.languages.of(r.File).(delegating)
	return ok && r.Symbol().Kind == code.KindConstructor
}

// ConstructedBy returns what may run a constructor where it is made: its own class,
// those below it and, where constructors run it without saying so, theirs.
func ConstructedBy(w *World, constructor Ref) (out []Ref) {
	l := w.languages.of(constructor.File)
	constructs, ok := l.(constructing)
	class := constructor.Parent()
	if !ok || !class.Valid() {
		return nil
	}
	heirs := constructs.Heirs(w, class)
	out = append(append(out, class), heirs...)
	if _, ok := l.(delegating); ok && takesNothing(constructor.Symbol()) {
		for _, heir := range heirs {
			out = append(out, declaredConstructors(heir)...)
		}
	}
	return out
}

// MayConstruct reports whether a call that settles on base may run a constructor
// of it: by how many arguments it passes. It may run any that is not base's own.
func (r *Resolver) MayConstruct(base, constructor Ref, c *code.Call) bool {
	if !r.overloaded(base, constructor) || c.Args < 0 || c.Kind == code.CallReference {
		return true
	}
	s := constructor.Symbol()
	least, most := 0, len(s.Parameters)
	for i := range s.Parameters {
		if p := &s.Parameters[i]; p.Variadic {
			most = c.Args
		} else if p.Default == "" {
			least = i + 1
		}
	}
	named := c.Kind == code.CallDecorator // [Key(1, Order = 2)] sets properties too
	return least <= c.Args && (named || c.Args <= most)
}

// overloaded reports whether constructor is one of those that base declares, in
// a language in which that may be several.
func (r *Resolver) overloaded(base, constructor Ref) bool {
	return r.w.runsBases(constructor) && constructor.Parent() == base
}

// declaredConstructors returns the constructors that a type writes down.
func declaredConstructors(t Ref) (out []Ref) {
	for _, i := range t.File.Children(t.Index) {
		if s := &t.File.Symbols[i]; s.Kind == code.KindConstructor && !HasModifier(s, "static") {
			out = append(out, t.File.Ref(i))
		}
	}
	return out
}

// ImplicitConstructors returns those that a class writes down; of a class without any
// what the one runs that the compiler writes for it. bases gives the classes
// right above one.
func ImplicitConstructors(class Ref, bases func(Ref) []Ref) []Ref {
	if own := declaredConstructors(class); len(own) > 0 || len(class.Symbol().Parameters) > 0 {
		return own
	}
	return basesConstructors(class, bases)
}

// basesConstructors returns the constructors above a class that run before one of its
// own that does not say which: those without arguments of the nearest classes
// that write one down, and what these run in turn.
func basesConstructors(class Ref, bases func(Ref) []Ref) (out []Ref) {
	above := func(c Ref) []Ref {
		if c != class && (len(declaredConstructors(c)) > 0 || len(c.Symbol().Parameters) > 0) {
			if own := withoutArguments(c); len(own) != 1 || delegates(own[0]) {
				return nil
			}
		}
		return bases(c)
	}
	for _, c := range Descendants(class, above) {
		out = append(out, withoutArguments(c)...)
	}
	return out
}

// withoutArguments returns the constructor that a class writes down for no arguments;
// of several that may be called so one that has no parameters.
func withoutArguments(class Ref) (out []Ref) {
	for _, c := range declaredConstructors(class) {
		if len(c.Symbol().Parameters) == 0 {
			return []Ref{c}
		}
		if takesNothing(c.Symbol()) {
			out = append(out, c)
		}
	}
	return out
}

type delegatesKey struct{}

// delegates reports whether a constructor says which one of its class or of a
// base it runs first: super(1), this(), base(), Base(1).
func delegates(constructor Ref) bool {
	return Memo(constructor.File, delegatesKey{}, func() map[int]bool {
		out := map[int]bool{}
		for i := range constructor.File.Calls() {
			c := &constructor.File.Calls()[i]
			if at := constructor.File.Callable(c.Caller); c.Kind == code.CallSuper && at >= 0 && constructor.File.Symbols[at].Kind == code.KindConstructor {
				switch c.Callee {
				case "super", "this", "base":
					out[at] = true
				default: // a base by its name, where that is no member of one
					out[at] = out[at] || c.Receiver == ""
				}
			}
		}
		return out
	})[constructor.Index]
}

// takesNothing reports whether a function may be called without arguments.
func takesNothing(s *code.Symbol) bool {
	return !slices.ContainsFunc(s.Parameters, func(p code.Parameter) bool { return !p.Variadic && p.Default == "" })
}
