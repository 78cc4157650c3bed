package cfamily

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// isObject reports whether an expression is a variable that holds an object
// itself, rather than a reference to one: its type is no other than it seems.
func isObject(s resolve.Scope, e *resolve.Expr) bool {
	if e.Op == resolve.OpNew {
		return true
	}
	if e.Op != resolve.OpName {
		return false
	}
	fact := local(s.File, s.At, s.Pos, e.Name)
	return fact != nil && (fact.Kind == code.FactVar || fact.Kind == code.FactParam) && !strings.ContainsAny(fact.Type, "*&")
}

// on returns v as a call on an object of a class.
func on(w *resolve.World, v resolve.Verdict, class resolve.Ref) resolve.Verdict {
	if v.Outcome != resolve.Settled {
		return v
	}
	if owner, ok := owner(w, v.Target); ok && owner == class {
		return v
	}
	return v.On(class)
}

// onSelf returns v, the verdict on a call without a receiver: one on *this, where it
// is a member's.
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

// Implementations of a virtual member function is those that override it in
// classes that derive from its own.
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

// owner returns the class of a member function, also of one defined outside of it.
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

// isVirtual reports whether a member function of a class, or one that it
// overrides, is declared virtual.
func isVirtual(w *resolve.World, class, r resolve.Ref) bool {
	return slices.ContainsFunc(append([]resolve.Ref{class}, ancestors(w, class)...), func(c resolve.Ref) bool {
		return slices.ContainsFunc(declaredIn(c, r), func(m resolve.Ref) bool { return resolve.HasModifier(m.Symbol(), "virtual") })
	})
}

// declaredIn returns the member functions of a class that have r's name and
// signature.
func declaredIn(class, r resolve.Ref) (out []resolve.Ref) {
	for _, i := range class.File.Children(class.Index) {
		if m := class.File.Ref(i); m.Symbol().Name == r.Symbol().Name && isFunction(m) && sameSignature(m.Symbol(), r.Symbol()) {
			out = append(out, m)
		}
	}
	return out
}

type ancestorsKey resolve.Ref

// ancestors returns the bases of a class, and theirs, near ones first.
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

// Admits: one of the two classes derives from the other. A class that derives
// from both has to say itself which of the two members is its own.
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
