package cfamily

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// cIsObject reports whether an expression is a variable that holds an object
// itself, rather than a reference to one: its type is no other than it seems.
func cIsObject(s resolve.Scope, e *resolve.Expr) bool {
	if e.Op == resolve.OpNew {
		return true
	}
	if e.Op != resolve.OpName {
		return false
	}
	fact := cLocal(s.File, s.At, s.Pos, e.Name)
	return fact != nil && (fact.Kind == code.FactVar || fact.Kind == code.FactParam) && !strings.ContainsAny(fact.Type, "*&")
}

// cOn is v as a call on an object of a class.
func cOn(w *resolve.World, v resolve.Verdict, class resolve.Ref) resolve.Verdict {
	if v.Outcome != resolve.Settled {
		return v
	}
	if owner, ok := cOwner(w, v.Target); ok && owner == class {
		return v
	}
	return v.On(class)
}

// cOnSelf is v, the verdict on a call without a receiver: one on *this, where it
// is a member's.
func cOnSelf(s resolve.Scope, v resolve.Verdict) resolve.Verdict {
	if v.Outcome != resolve.Settled || v.Strategy != resolve.SameType && v.Strategy != resolve.Inherited {
		return v
	}
	for _, class := range cClassesAround(s.W, s.File, s.At) {
		if refs, _ := cMembers(s.W, class, v.Target.Symbol().Name, 6); len(refs) > 0 {
			return cOn(s.W, v, class)
		}
	}
	return v
}

// Implementations of a virtual member function is those that override it in
// classes that derive from its own.
func (Language) Implementations(w *resolve.World, r resolve.Ref) (out []resolve.Ref) {
	class, ok := cOwner(w, r)
	if !ok || !cIsVirtual(w, class, r) {
		return nil
	}
	for _, m := range cNamed(w, r.Symbol().Name) {
		if !cInClass(m) || !cIsFunction(m) || !cSameSignature(m.Symbol(), r.Symbol()) || m.Parent() == class {
			continue
		}
		if slices.Contains(cAncestors(w, m.Parent()), class) {
			out = append(out, cDefinition(w, m))
		}
	}
	return out
}

func (Language) Definition(w *resolve.World, r resolve.Ref) resolve.Ref { return cDefinition(w, r) }

// cOwner is the class of a member function, also of one defined outside of it.
func cOwner(w *resolve.World, r resolve.Ref) (resolve.Ref, bool) {
	if !cIsFunction(r) || r.Symbol().Kind == code.KindConstructor {
		return resolve.Ref{}, false
	}
	if cInClass(r) {
		return r.Parent(), true
	}
	for _, class := range cClassesAround(w, r.File, r.Index) {
		return class, true
	}
	return resolve.Ref{}, false
}

// cIsVirtual reports whether a member function of a class, or one that it
// overrides, is declared virtual.
func cIsVirtual(w *resolve.World, class, r resolve.Ref) bool {
	return slices.ContainsFunc(append([]resolve.Ref{class}, cAncestors(w, class)...), func(c resolve.Ref) bool {
		return slices.ContainsFunc(cDeclaredIn(c, r), func(m resolve.Ref) bool { return resolve.HasModifier(m.Symbol(), "virtual") })
	})
}

// cDeclaredIn is the member functions of a class that have r's name and
// signature.
func cDeclaredIn(class, r resolve.Ref) (out []resolve.Ref) {
	for _, i := range class.File.Children(class.Index) {
		if m := class.File.Ref(i); m.Symbol().Name == r.Symbol().Name && cIsFunction(m) && cSameSignature(m.Symbol(), r.Symbol()) {
			out = append(out, m)
		}
	}
	return out
}

type cAncestorsKey resolve.Ref

// cAncestors is the bases of a class, and theirs, near ones first.
func cAncestors(w *resolve.World, class resolve.Ref) []resolve.Ref {
	return resolve.Derive(w, cAncestorsKey(class), func() []resolve.Ref {
		return resolve.Descendants(class, func(c resolve.Ref) []resolve.Ref { return cBases(w, c) })
	})
}

func (Language) Overridden(w *resolve.World, r resolve.Ref) (out []resolve.Ref) {
	class, ok := cOwner(w, r)
	if !ok {
		return nil
	}
	for _, base := range cAncestors(w, class) {
		for _, m := range cDeclaredIn(base, r) {
			out = append(out, cDefinition(w, m))
		}
	}
	return out
}

// Admits: one of the two classes derives from the other. A class that derives
// from both has to say itself which of the two members is its own.
func (Language) Admits(w *resolve.World, receiver, impl resolve.Ref) bool {
	class, ok := cOwner(w, impl)
	return !ok || class == receiver || slices.Contains(cAncestors(w, class), receiver)
}

func (Language) Constructors(w *resolve.World, class resolve.Ref) []resolve.Ref {
	return resolve.ImplicitConstructors(class, func(c resolve.Ref) []resolve.Ref { return cBases(w, c) })
}

func (Language) Heirs(w *resolve.World, t resolve.Ref) []resolve.Ref {
	return resolve.Below(w, t, func(base resolve.Ref) []resolve.Ref {
		return w.SubtypesWhere(base, func(sub resolve.Ref) bool { return slices.Contains(cBases(w, sub), base) })
	})
}
