package resolve

import (
	"slices"

	"sextant/internal/code"
)

// This file finds the constructors that run where an object is constructed, besides the declaration
// that the source text names:
//
//	class Child(Base), and Child(1)          resolves to Child; runs Base.__init__
//	new Point(x), with Point(A), Point(B)    resolves to Point; may run either constructor
//	Child() {}, where Base() {} exists       runs Base() first, although Base is not mentioned
//
// A construction resolves to the class if no single constructor is certain, so that its callers are
// found from the class.

// constructing is implemented by the Settler (the resolver of calls) of a language whose classes
// may inherit construction from a base, or have several constructors.
type constructing interface {
	// Constructors returns the constructors that may run where an object of class is constructed,
	// except the constructor that the construction resolves to.
	Constructors(w *World, class Ref) []Ref
	// Heirs returns the types that derive from t.
	Heirs(w *World, t Ref) []Ref
}

// delegating is implemented by the Settler of a language in which a constructor implicitly runs the
// constructor of its base class that takes no arguments, as in Java.
type delegating interface {
	// ConstructedBases returns the direct base classes of class.
	ConstructedBases(w *World, class Ref) []Ref
}

// constructorsOf returns the constructors that a call of made may run besides made itself. For a
// class these are its constructors; for a constructor, those of base classes that it runs
// implicitly.
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

// runsBases reports whether r is a constructor in a language in which constructors may implicitly
// run the constructor of a base class.
func (w *World) runsBases(r Ref) bool {
	_, ok := w.languages.of(r.File).(delegating)
	return ok && r.Symbol().Kind == code.KindConstructor
}

// ConstructedBy returns the declarations whose calls may run constructor: its own class and the
// classes derived from it. In languages with implicit calls of base constructors, it adds the
// constructors of the derived classes if constructor can be called without arguments. It returns
// nil if constructor is in no class or its language does not implement constructing.
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

// MayRunAt reports whether call or access c in file f, which resolves to base, may run ref, one of
// base's implementations. An access of a property runs its getter or setter, but not a function that
// is stored in the property. The type arguments of the receiver decide in languages that implement
// narrowing. If ref is one of several constructors that class base declares, the number of arguments
// decides:
//
//	new Point(1)   may run Point(int x), not Point(int x, int y)
func (r *Resolver) MayRunAt(base, ref Ref, f *File, c *code.Call) bool {
	if c.Kind == code.CallAccess && !r.w.mayAccess(ref, c) {
		return false
	}
	if r.narrowed(base, ref) && !r.receives(base, ref, f, c) {
		return false
	}
	if c.Kind == code.CallAccess {
		return true
	}
	if !r.overloaded(base, ref) || c.Args < 0 || c.Kind == code.CallReference {
		return true
	}
	s := ref.Symbol()
	least, most := 0, len(s.Parameters)
	for i := range s.Parameters {
		if p := &s.Parameters[i]; p.Variadic {
			most = c.Args
		} else if p.Default == "" {
			least = i + 1
		}
	}
	named := c.Kind == code.CallDecorator // an attribute may also set properties: [Key(1, Order = 2)]
	return least <= c.Args && (named || c.Args <= most)
}

// overloaded reports whether base is the class that declares constructor, in a language in which a
// class may declare several constructors.
func (r *Resolver) overloaded(base, constructor Ref) bool {
	return r.w.runsBases(constructor) && constructor.Parent() == base
}

// declaredConstructors returns the non-static constructors that the body of a type declares.
func declaredConstructors(t Ref) (out []Ref) {
	for _, i := range t.File.Children(t.Index) {
		if s := &t.File.Symbols[i]; s.Kind == code.KindConstructor && !HasModifier(s, "static") {
			out = append(out, t.File.Ref(i))
		}
	}
	return out
}

// ImplicitConstructors returns the constructors that class declares. If it declares none, they are
// the base constructors that the compiler's default constructor runs. bases returns the direct base
// classes of a class.
func ImplicitConstructors(class Ref, bases func(Ref) []Ref) []Ref {
	if own := declaredConstructors(class); len(own) > 0 || len(class.Symbol().Parameters) > 0 {
		return own
	}
	return basesConstructors(class, bases)
}

// basesConstructors returns the base constructors that a constructor of class runs first if it
// calls none explicitly:
//
//	Child() {}   runs Base() first, and before that the constructors that Base() itself runs implicitly
//
// On each line of inheritance these are the constructors without arguments of the nearest class
// that declares any constructor, and of the classes above it as long as these constructors call
// none explicitly.
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

// withoutArguments returns the constructors of a class that can be called without arguments. If one
// of them has no parameters at all, it returns that one alone.
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

// delegates reports whether a constructor starts with an explicit call of another constructor of
// its class or of a base class: super(1), this(), base(), Base(1).
func delegates(constructor Ref) bool {
	return Memo(constructor.File, delegatesKey{}, func() map[int]bool {
		out := map[int]bool{}
		for i := range constructor.File.Calls() {
			c := &constructor.File.Calls()[i]
			if at := constructor.File.Callable(c.Caller); c.Kind == code.CallSuper && at >= 0 &&
				constructor.File.Symbols[at].Kind == code.KindConstructor {
				switch c.Callee {
				case "super", "this", "base":
					out[at] = true
				default: // the call of a base by its name, Base(1), but not that of a member, x.Base(1)
					out[at] = out[at] || c.Receiver == ""
				}
			}
		}
		return out
	})[constructor.Index]
}

// takesNothing reports whether a function can be called without arguments.
func takesNothing(s *code.Symbol) bool {
	return !slices.ContainsFunc(s.Parameters, func(p code.Parameter) bool { return !p.Variadic && p.Default == "" })
}
