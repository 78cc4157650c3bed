package resolve

import (
	"slices"
	"strings"

	"sextant/internal/code"
)

// cIsObject reports whether an expression is a variable that holds an object
// itself, rather than a reference to one: its type is no other than it seems.
func cIsObject(s Scope, e *Expr) bool {
	if e.Op == OpNew {
		return true
	}
	if e.Op != OpName {
		return false
	}
	fact := cLocal(s.File, s.At, s.Pos, e.Name)
	return fact != nil && (fact.Kind == code.FactVar || fact.Kind == code.FactParam) && !strings.ContainsAny(fact.Type, "*&")
}

// cOn is v as a call on an object of a class.
func cOn(w *World, v Verdict, class Ref) Verdict {
	if v.Outcome != Settled {
		return v
	}
	if owner, ok := cOwner(w, v.Target); ok && owner == class {
		return v
	}
	return v.On(class)
}

// cOnSelf is v, the verdict on a call without a receiver: one on *this, where it
// is a member's.
func cOnSelf(s Scope, v Verdict) Verdict {
	if v.Outcome != Settled || v.Strategy != SameType && v.Strategy != Inherited {
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
func (cfamily) Implementations(w *World, r Ref) (out []Ref) {
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

func (cfamily) Definition(w *World, r Ref) Ref { return cDefinition(w, r) }

// cOwner is the class of a member function, also of one defined outside of it.
func cOwner(w *World, r Ref) (Ref, bool) {
	if !cIsFunction(r) || r.Symbol().Kind == code.KindConstructor {
		return Ref{}, false
	}
	if cInClass(r) {
		return r.Parent(), true
	}
	for _, class := range cClassesAround(w, r.File, r.Index) {
		return class, true
	}
	return Ref{}, false
}

// cIsVirtual reports whether a member function of a class, or one that it
// overrides, is declared virtual.
func cIsVirtual(w *World, class, r Ref) bool {
	return slices.ContainsFunc(append([]Ref{class}, cAncestors(w, class)...), func(c Ref) bool {
		return slices.ContainsFunc(cDeclaredIn(c, r), func(m Ref) bool { return HasModifier(m.Symbol(), "virtual") })
	})
}

// cDeclaredIn is the member functions of a class that have r's name and
// signature.
func cDeclaredIn(class, r Ref) (out []Ref) {
	for _, i := range class.File.Children(class.Index) {
		if m := class.File.Ref(i); m.Symbol().Name == r.Symbol().Name && cIsFunction(m) && cSameSignature(m.Symbol(), r.Symbol()) {
			out = append(out, m)
		}
	}
	return out
}

type cAncestorsKey Ref

// cAncestors is the bases of a class, and theirs, near ones first.
func cAncestors(w *World, class Ref) []Ref {
	return Derive(w, cAncestorsKey(class), func() []Ref {
		return Descendants(class, func(c Ref) []Ref { return cBases(w, c) })
	})
}

func (cfamily) Overridden(w *World, r Ref) (out []Ref) {
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
func (cfamily) Admits(w *World, receiver, impl Ref) bool {
	class, ok := cOwner(w, impl)
	return !ok || class == receiver || slices.Contains(cAncestors(w, class), receiver)
}

func (cfamily) Constructors(w *World, class Ref) []Ref {
	return ImplicitConstructors(class, func(c Ref) []Ref { return cBases(w, c) })
}

func (cfamily) Heirs(w *World, t Ref) []Ref {
	return Below(w, t, func(base Ref) []Ref {
		return w.SubtypesWhere(base, func(sub Ref) bool { return slices.Contains(cBases(w, sub), base) })
	})
}
