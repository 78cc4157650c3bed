package csharp

import (
	"slices"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// csharpDispatched is v, the verdict on a call on x, with what may run at the
// site.
func csharpDispatched(w *resolve.World, s resolve.Scope, c *code.Call, x resolve.Value, v resolve.Verdict) resolve.Verdict {
	v = v.DirectlyIf(c.Receiver == "base" || x.Kind == resolve.Class || resolve.HasModifier(v.Target.Symbol(), "static", "private") || csharpMakes(s, c.Receiver))
	return csharpOn(v, csharpResolve(w, x.Type))
}

// csharpMakes reports whether an expression makes an object of just the class
// that it names, or is a local name that holds one and nothing else.
func csharpMakes(s resolve.Scope, receiver string) bool {
	e := resolve.ParseExpr(receiver, csharpDialect)
	if e.Op == resolve.OpName {
		_, ok := s.File.MadeAs(csharpLocal(s, e.Name))
		return ok
	}
	return e.Op == resolve.OpNew
}

// csharpOn is v as a call on an object of a type; a partial one has its parts
// in several places.
func csharpOn(v resolve.Verdict, t csharpType) resolve.Verdict {
	if !t.known() || slices.Contains(t.parts, v.Target.Parent()) {
		return v
	}
	return v.On(t.parts[0])
}

// csharpOnSelf is v, the verdict on a call without a receiver, as one on the
// object around.
func csharpOnSelf(w *resolve.World, s resolve.Scope, v resolve.Verdict) resolve.Verdict {
	if v.Outcome != resolve.Settled || v.Strategy != resolve.SameType && v.Strategy != resolve.Inherited {
		return v
	}
	for t := csharpAround(s.File, s.At); t >= 0; t = s.File.Type(t) {
		self := csharpResolve(w, csharpSelf(s.File.Ref(t)))
		for _, base := range csharpSupertypes(w, self) {
			if slices.Contains(base.parts, v.Target.Parent()) {
				return csharpOn(v.DirectlyIf(resolve.HasModifier(v.Target.Symbol(), "static", "private")), self)
			}
		}
	}
	return v
}

// csharpIsVirtual reports whether something may run in the place of r: what a
// class does not call virtual is hidden by others of its name, not overridden.
func csharpIsVirtual(r resolve.Ref) bool {
	return r.Parent().Symbol().Kind == code.KindInterface || resolve.HasModifier(r.Symbol(), "virtual", "abstract", "override") && !resolve.HasModifier(r.Symbol(), "sealed")
}

// csharpOverrides reports whether a method of a type that derives from r's, with
// r's name and number of parameters, stands in for it.
func csharpOverrides(m, r resolve.Ref) bool {
	if r.Parent().Symbol().Kind == code.KindInterface {
		return !resolve.HasModifier(m.Symbol(), "static")
	}
	return resolve.HasModifier(m.Symbol(), "override")
}

// csharpBelow is the types that derive from one.
func csharpBelow(w *resolve.World, t resolve.Ref) []resolve.Ref {
	return resolve.Below(w, t, func(base resolve.Ref) []resolve.Ref {
		return w.SubtypesWhere(base, func(sub resolve.Ref) bool { return csharpDerives(w, sub, base) })
	})
}

func (Language) Admits(w *resolve.World, receiver, impl resolve.Ref) bool {
	return resolve.Related(receiver, impl.Parent(), func(t resolve.Ref) []resolve.Ref { return csharpBelow(w, t) })
}

func (Language) Constructors(w *resolve.World, class resolve.Ref) []resolve.Ref {
	return resolve.ImplicitConstructors(class, func(c resolve.Ref) []resolve.Ref {
		bases, _ := csharpBases(w, csharpResolve(w, csharpSelf(c)))
		for _, b := range bases {
			if b.known() && !b.isInterface() {
				return b.parts
			}
		}
		return nil
	})
}

func (Language) Heirs(w *resolve.World, t resolve.Ref) []resolve.Ref { return csharpBelow(w, t) }
