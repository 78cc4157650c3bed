package resolve

import (
	"slices"

	"sextant/internal/code"
)

// This file finds the constructors that run where an object is made, beside the declaration that
// the text names:
//
//	class Child(Base), and Child(1)     settles on Child; runs Base.__init__
//	new Point(x), of Point(A), Point(B) settles on Point; may run either
//	Child() {}, where Base() {} exists  runs Base() first, without saying so
//
// A construction settles on the class if no single constructor is certain, so that its callers are
// found from the class.

// constructing is a Settler of a language whose classes may inherit construction from a base, or
// have several constructors.
type constructing interface {
	// Constructors returns the constructors that may run where an object of class is made, and on
	// which its construction does not settle.
	Constructors(w *World, class Ref) []Ref
	// Heirs returns the types that derive from t.
	Heirs(w *World, t Ref) []Ref
}

// delegating is a Settler of a language whose constructors implicitly run a base's constructor
// without arguments.
type delegating interface {
	// ConstructedBases returns the direct base classes of class.
	ConstructedBases(w *World, class Ref) []Ref
}

// constructorsOf returns the constructors that a call of made may run: of a class its constructors,
// of a constructor those of the bases that it runs implicitly.
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

// runsBases reports whether r is a constructor in a language whose constructors may run a base's
// implicitly.
func (w *World) runsBases(r Ref) bool {
	_, ok := w.languages.of(r.File).(delegating)
	return ok && r.Symbol().Kind == code.KindConstructor
}

// ConstructedBy returns the declarations whose calls may run a constructor: its own class, the
// classes derived from it and, in languages with implicit base constructors, the constructors of
// those.
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

// MayRunAt reports whether call or access c, which settles on base, may run ref, one of base's
// implementations. An access runs a getter or a setter, and no function that the property is given.
// For an overload of a constructor that base itself declares, the number of arguments decides:
//
//	new Point(1)   may run Point(int x), not Point(int x, int y)
func (r *Resolver) MayRunAt(base, ref Ref, c *code.Call) bool {
	if c.Kind == code.CallAccess {
		return r.w.mayAccess(ref, c)
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
	named := c.Kind == code.CallDecorator // [Key(1, Order = 2)] sets properties too
	return least <= c.Args && (named || c.Args <= most)
}

// overloaded reports whether base declares constructor, in a language in which a class may declare
// several.
func (r *Resolver) overloaded(base, constructor Ref) bool {
	return r.w.runsBases(constructor) && constructor.Parent() == base
}

// declaredConstructors returns the constructors that the body of a type declares, without static
// ones.
func declaredConstructors(t Ref) (out []Ref) {
	for _, i := range t.File.Children(t.Index) {
		if s := &t.File.Symbols[i]; s.Kind == code.KindConstructor && !HasModifier(s, "static") {
			out = append(out, t.File.Ref(i))
		}
	}
	return out
}

// ImplicitConstructors returns the constructors that a class declares. For a class without any it
// returns the base constructors that the compiler's default constructor runs. bases returns the
// direct base classes of a class.
func ImplicitConstructors(class Ref, bases func(Ref) []Ref) []Ref {
	if own := declaredConstructors(class); len(own) > 0 || len(class.Symbol().Parameters) > 0 {
		return own
	}
	return basesConstructors(class, bases)
}

// basesConstructors returns the base constructors that run before a constructor of class that names
// none: those without arguments of the nearest classes that declare one, and in turn those that
// these run.
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

// withoutArguments returns the constructors of a class that can be called without arguments; the
// one without parameters alone, if the class declares it.
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

// delegates reports whether a constructor explicitly runs another of its class or of a base first:
// super(1), this(), base(), Base(1).
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
				default: // a base by its name, not a member call x.Base(1)
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
