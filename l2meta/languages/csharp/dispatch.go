package csharp

import (
	"slices"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// dispatched completes v, the result of resolving the call x.f(…), with the receiver's type. It
// marks v as direct, which means that no override can run, if the receiver is base, a type or new
// T(), or if the method is static or private.
func dispatched(w *resolve.World, s resolve.Scope, c *code.Call, x resolve.Value, v resolve.Verdict) resolve.Verdict {
	class, made := makes(w, s, c.Receiver)
	declared := csharpResolve(w, x.Type)
	if made && class.known() && declared.known() && class.parts[0] != declared.parts[0] { // B b = new D()
		declared, made = class, false
	}
	v = v.DirectlyIf(c.Receiver == "base" || x.Kind == resolve.Class || made ||
		resolve.HasModifier(v.Target.Symbol(), "static", "private"))
	return on(v, declared)
}

// makes returns the type of the object that an expression constructs, new T(), or of the only
// object that a local name ever holds; false if the object may be of a derived type.
func makes(w *resolve.World, s resolve.Scope, receiver string) (csharpType, bool) {
	e := expr.Parse(receiver, dialect)
	if e.Op == expr.OpName {
		binder := local(s, e.Name)
		object, ok := s.File.MadeAs(binder)
		if !ok {
			return csharpType{}, false
		}
		s.At, s.Pos, e = binder.Owner, binder.Span.StartByte, expr.Parse(object, dialect)
	}
	if e.Op != expr.OpNew {
		return csharpType{}, false
	}
	return csharpResolve(w, eval(s, w, e).Type), true
}

// on returns v, the result of resolving a call, with t as the type of the receiver, because
// subtypes of t may override the target. It returns v unchanged if t itself declares the target.
func on(v resolve.Verdict, t csharpType) resolve.Verdict {
	if !t.known() || slices.Contains(t.parts, v.Target.Parent()) {
		return v
	}
	return v.On(t.parts[0])
}

// onSelf completes v, the result of resolving F(), with the type of the object on which F runs: the
// innermost type around the call that has the member F.
func onSelf(w *resolve.World, s resolve.Scope, v resolve.Verdict) resolve.Verdict {
	if v.Outcome != resolve.Settled || v.Strategy != resolve.SameType && v.Strategy != resolve.Inherited {
		return v
	}
	for t := around(s.File, s.At); t >= 0; t = s.File.Type(t) {
		self := csharpResolve(w, self(s.File.Ref(t)))
		for _, base := range supertypes(w, self) {
			if slices.Contains(base.parts, v.Target.Parent()) {
				return on(v.DirectlyIf(resolve.HasModifier(v.Target.Symbol(), "static", "private")), self)
			}
		}
	}
	return v
}

// isVirtual reports whether an override may run instead of r. A method that is not virtual is
// hidden by another of its name, not overridden.
func isVirtual(r resolve.Ref) bool {
	return r.Parent().Symbol().Kind == code.KindInterface ||
		resolve.HasModifier(r.Symbol(), "virtual", "abstract", "override") && !resolve.HasModifier(r.Symbol(), "sealed")
}

// overrides reports whether m overrides or implements r. m is in a type derived from r's, and has
// r's name and number of parameters.
func overrides(m, r resolve.Ref) bool {
	if r.Parent().Symbol().Kind == code.KindInterface {
		return !resolve.HasModifier(m.Symbol(), "static")
	}
	return resolve.HasModifier(m.Symbol(), "override")
}

// below returns the types of the workspace that derive from t, directly or indirectly.
func below(w *resolve.World, t resolve.Ref) []resolve.Ref {
	return resolve.Below(w, t, func(base resolve.Ref) []resolve.Ref {
		return w.SubtypesWhere(base, func(sub resolve.Ref) bool { return derives(w, sub, base) })
	})
}

func (Language) Admits(w *resolve.World, receiver, impl resolve.Ref) bool {
	return resolve.Related(receiver, impl.Parent(), func(t resolve.Ref) []resolve.Ref { return below(w, t) })
}

func (l Language) Constructors(w *resolve.World, class resolve.Ref) []resolve.Ref {
	return resolve.ImplicitConstructors(class, func(c resolve.Ref) []resolve.Ref { return l.ConstructedBases(w, c) })
}

func (Language) ConstructedBases(w *resolve.World, class resolve.Ref) []resolve.Ref {
	bases, _ := bases(w, csharpResolve(w, self(class)))
	for _, b := range bases {
		if b.known() && !b.isInterface() {
			return b.parts
		}
	}
	return nil
}

func (Language) Heirs(w *resolve.World, t resolve.Ref) []resolve.Ref { return below(w, t) }
