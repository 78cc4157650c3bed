package cfamily

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// isObject reports whether an expression is new T, or a variable that holds an object itself rather
// than a pointer or reference. The object's class is then exactly the declared type.
func isObject(s resolve.Scope, e *expr.Expr) bool {
	if e.Op == expr.OpNew {
		return true
	}
	if e.Op != expr.OpName {
		return false
	}
	fact := local(s.File, s.At, s.Pos, e.Name)
	return fact != nil && (fact.Kind == code.FactVar || fact.Kind == code.FactParam) &&
		!strings.ContainsAny(fact.Type, "*&")
}

// on returns v, the result of resolving a call on an object of a class, with that class as the
// receiver's type. It returns v unchanged if the class itself declares the target.
func on(w *resolve.World, v resolve.Verdict, class resolve.Ref) resolve.Verdict {
	if v.Outcome != resolve.Settled {
		return v
	}
	if owner, ok := owner(w, v.Target); ok && owner == class {
		return v
	}
	return v.On(class)
}

// onSelf returns v, the result of resolving a call without a receiver. If the target is a member
// function, it adds the type of the implicit receiver *this: the enclosing class.
func onSelf(s resolve.Scope, v resolve.Verdict) resolve.Verdict {
	if v.Outcome != resolve.Settled || v.Strategy != resolve.SameType && v.Strategy != resolve.Inherited {
		return v
	}
	for _, class := range classesAround(s.W, s.File, s.At) {
		if refs, _ := members(s.W, class, v.Target.Symbol().Name, 6); len(refs) > 0 {
			return on(s.W, v, class)
		}
	}
	return v
}

// Implementations returns the overrides of a virtual member function in classes derived from its
// class.
func (Language) Implementations(w *resolve.World, r resolve.Ref) (out []resolve.Ref) {
	class, ok := owner(w, r)
	if !ok || !isVirtual(w, class, r) {
		return nil
	}
	for _, m := range named(w, r.Symbol().Name) {
		if !inClass(m) || !isFunction(m) || !sameSignature(m.Symbol(), r.Symbol()) || m.Parent() == class {
			continue
		}
		if slices.Contains(ancestors(w, m.Parent()), class) {
			out = append(out, definition(w, m))
		}
	}
	return out
}

func (Language) Definition(w *resolve.World, r resolve.Ref) resolve.Ref { return definition(w, r) }

// owner returns the class of a member function, even if it is defined outside of the class; false
// for other functions.
func owner(w *resolve.World, r resolve.Ref) (resolve.Ref, bool) {
	if !isFunction(r) || r.Symbol().Kind == code.KindConstructor {
		return resolve.Ref{}, false
	}
	if inClass(r) {
		return r.Parent(), true
	}
	for _, class := range classesAround(w, r.File, r.Index) {
		return class, true
	}
	return resolve.Ref{}, false
}

// isVirtual reports whether a member function, or one that it overrides, is declared virtual.
func isVirtual(w *resolve.World, class, r resolve.Ref) bool {
	return slices.ContainsFunc(append([]resolve.Ref{class}, ancestors(w, class)...), func(c resolve.Ref) bool {
		return slices.ContainsFunc(declaredIn(c, r), func(m resolve.Ref) bool {
			return resolve.HasModifier(m.Symbol(), "virtual")
		})
	})
}

// declaredIn returns the member functions that a class declares with r's name and signature.
func declaredIn(class, r resolve.Ref) (out []resolve.Ref) {
	for _, i := range class.File.Children(class.Index) {
		if m := class.File.Ref(i); m.Symbol().Name == r.Symbol().Name && isFunction(m) &&
			sameSignature(m.Symbol(), r.Symbol()) {
			out = append(out, m)
		}
	}
	return out
}

type ancestorsKey resolve.Ref

// ancestors returns the bases of a class and their bases, nearest first.
func ancestors(w *resolve.World, class resolve.Ref) []resolve.Ref {
	return resolve.Derive(w, ancestorsKey(class), func() []resolve.Ref {
		return resolve.Descendants(class, func(c resolve.Ref) []resolve.Ref { return bases(w, c) })
	})
}

func (Language) Overridden(w *resolve.World, r resolve.Ref) (out []resolve.Ref) {
	class, ok := owner(w, r)
	if !ok {
		return nil
	}
	for _, base := range ancestors(w, class) {
		for _, m := range declaredIn(base, r) {
			out = append(out, definition(w, m))
		}
	}
	return out
}

// Admits reports whether member function impl may run on an object whose declared class is
// receiver: whether impl's class is receiver or derives from it.
func (Language) Admits(w *resolve.World, receiver, impl resolve.Ref) bool {
	class, ok := owner(w, impl)
	return !ok || class == receiver || slices.Contains(ancestors(w, class), receiver)
}

func (l Language) Constructors(w *resolve.World, class resolve.Ref) []resolve.Ref {
	return resolve.ImplicitConstructors(class, func(c resolve.Ref) []resolve.Ref { return l.ConstructedBases(w, c) })
}

func (Language) ConstructedBases(w *resolve.World, class resolve.Ref) []resolve.Ref {
	return bases(w, class)
}

func (Language) Heirs(w *resolve.World, t resolve.Ref) []resolve.Ref {
	return resolve.Below(w, t, func(base resolve.Ref) []resolve.Ref {
		return w.SubtypesWhere(base, func(sub resolve.Ref) bool { return slices.Contains(bases(w, sub), base) })
	})
}
