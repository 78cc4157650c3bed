package resolve

import (
	"slices"

	"sextant/internal/code"
)

// csharpDispatched is v, the verdict on a call on x, with what may run at the
// site.
func csharpDispatched(w *World, s Scope, c *code.Call, x Value, v Verdict) Verdict {
	v = v.DirectlyIf(c.Receiver == "base" || x.Kind == Class || HasModifier(v.Target.Symbol(), "static", "private") || csharpMakes(s, c.Receiver))
	return csharpOn(v, csharpResolve(w, x.Type))
}

// csharpMakes reports whether an expression makes an object of just the class
// that it names, or is a local name that holds one and nothing else.
func csharpMakes(s Scope, receiver string) bool {
	e := ParseExpr(receiver, csharpDialect)
	if e.Op == OpName {
		_, ok := s.File.MadeAs(csharpLocal(s, e.Name))
		return ok
	}
	return e.Op == OpNew
}

// csharpOn is v as a call on an object of a type; a partial one has its parts
// in several places.
func csharpOn(v Verdict, t csharpType) Verdict {
	if !t.known() || slices.Contains(t.parts, v.Target.Parent()) {
		return v
	}
	return v.On(t.parts[0])
}

// csharpOnSelf is v, the verdict on a call without a receiver, as one on the
// object around.
func csharpOnSelf(w *World, s Scope, v Verdict) Verdict {
	if v.Outcome != Settled || v.Strategy != SameType && v.Strategy != Inherited {
		return v
	}
	for t := csharpAround(s.File, s.At); t >= 0; t = s.File.Type(t) {
		self := csharpResolve(w, csharpSelf(s.File.Ref(t)))
		for _, base := range csharpSupertypes(w, self) {
			if slices.Contains(base.parts, v.Target.Parent()) {
				return csharpOn(v.DirectlyIf(HasModifier(v.Target.Symbol(), "static", "private")), self)
			}
		}
	}
	return v
}

// csharpIsVirtual reports whether something may run in the place of r: what a
// class does not call virtual is hidden by others of its name, not overridden.
func csharpIsVirtual(r Ref) bool {
	return r.Parent().Symbol().Kind == code.KindInterface || HasModifier(r.Symbol(), "virtual", "abstract", "override") && !HasModifier(r.Symbol(), "sealed")
}

// csharpOverrides reports whether a method of a type that derives from r's, with
// r's name and number of parameters, stands in for it.
func csharpOverrides(m, r Ref) bool {
	if r.Parent().Symbol().Kind == code.KindInterface {
		return !HasModifier(m.Symbol(), "static")
	}
	return HasModifier(m.Symbol(), "override")
}

// csharpBelow is the types that derive from one.
func csharpBelow(w *World, t Ref) []Ref {
	return Below(w, t, func(base Ref) []Ref {
		return w.SubtypesWhere(base, func(sub Ref) bool { return csharpDerives(w, sub, base) })
	})
}

func (csharp) Admits(w *World, receiver, impl Ref) bool {
	return Related(receiver, impl.Parent(), func(t Ref) []Ref { return csharpBelow(w, t) })
}

func (csharp) Constructors(w *World, class Ref) []Ref {
	return ImplicitConstructors(class, func(c Ref) []Ref {
		bases, _ := csharpBases(w, csharpResolve(w, csharpSelf(c)))
		for _, b := range bases {
			if b.known() && !b.isInterface() {
				return b.parts
			}
		}
		return nil
	})
}

func (csharp) Heirs(w *World, t Ref) []Ref { return csharpBelow(w, t) }
