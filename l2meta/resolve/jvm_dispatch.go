package resolve

import "sextant/internal/code"

// dispatched is v, the verdict on a call on x, with what may run at the site.
func (j *jvm) dispatched(p jvmPlace, c *code.Call, x jvmValue, v Verdict) Verdict {
	if v.Outcome != Settled {
		return v
	}
	named := x.kind == Class && c.Kind != code.CallReference // T::f is called on objects
	v = v.DirectlyIf(x.super || named || HasModifier(v.Target.Symbol(), "static", "private") || j.makes(p, p.parse(c.Receiver)))
	if x.typ.kind == jvmDeclared {
		return v.On(x.typ.ref)
	}
	return v
}

// makes reports whether an expression makes an object of just the class that it
// names, or is a local name that holds one and nothing else.
func (j *jvm) makes(p jvmPlace, e *Expr) bool {
	switch e.Op {
	case OpNew: // but for new T() { … }, which is of a class of its own
		return len(e.Args) == 0 || e.Args[len(e.Args)-1].Label != "{"
	case OpName:
		if binder := jvmLocal(p, e.Name); binder != nil && p.file.Language != "scala" {
			object, ok := p.file.MadeAs(binder)
			return ok && j.makes(jvmPlace{file: p.file, at: binder.Owner, pos: binder.Span.StartByte}, p.parse(object))
		}
	case OpCall:
		if x := j.eval(p, e.X); p.file.Language == "kotlin" && x.kind == Class && x.typ.kind == jvmDeclared {
			return x.typ.ref.Symbol().Kind == code.KindClass && !jvmIsObject(x.typ.ref)
		}
	}
	return false
}

// onSelf is v, the verdict on a call without a receiver: one on the object
// around, which is of the class around or of one that derives from it.
func (j *jvm) onSelf(p jvmPlace, v Verdict) Verdict {
	if v.Outcome != Settled || !v.Target.Parent().Valid() || v.Strategy != SameType && v.Strategy != Inherited {
		return v
	}
	if HasModifier(v.Target.Symbol(), "static", "private") {
		return v.Directly()
	}
	for at := p.file.Type(p.at); at >= 0; at = p.file.Type(at) {
		around := p.file.Ref(at)
		for _, a := range j.ancestry(around).types {
			if a.ref == v.Target.Parent() {
				if jvmAnonymousAt(p.file, p.at, p.pos) != nil {
					return v // of an anonymous class, perhaps
				}
				return v.On(around)
			}
		}
	}
	return v
}

// Constructors of a class of Java. Those of Kotlin and Scala call their base's
// where they name it, which is a call site of its own.
func (jvmFamily) Constructors(w *World, class Ref) []Ref {
	if class.File.Language != "java" {
		return nil
	}
	j := &jvm{w: w}
	return ImplicitConstructors(class, func(c Ref) []Ref {
		for _, base := range jvmSupers(c) {
			if t := j.readIn(base, c); t.kind == jvmDeclared && t.ref.Symbol().Kind == code.KindClass {
				return []Ref{t.ref}
			}
		}
		return nil
	})
}

func (jvmFamily) Heirs(w *World, t Ref) []Ref { return (&jvm{w: w}).below(t) }
