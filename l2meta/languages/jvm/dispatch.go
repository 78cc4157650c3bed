package jvm

import (
	"slices"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// dispatched completes the verdict v, the result of resolving call c on receiver x. It adds which
// functions the call may run: the target alone, as for super.f(), or also the overrides in
// subtypes of the receiver's type.
func (j settler) dispatched(p place, c *code.Call, x jvmValue, v resolve.Verdict) resolve.Verdict {
	if v.Outcome != resolve.Settled {
		return v
	}
	named := x.kind == resolve.Class && c.Kind != code.CallReference // T::f is called on objects
	class, made := j.makes(p, p.parse(c.Receiver))
	if made && class != x.typ.ref { // B b = new D()
		x.typ, made = jvmType{kind: declared, ref: class}, false
	}
	v = v.DirectlyIf(x.super || named || made || resolve.HasModifier(v.Target.Symbol(), "static", "private"))
	if x.typ.kind == declared {
		return v.On(x.typ.ref)
	}
	return v
}

// makes returns the exact class of the object that e evaluates to: for new D() it is D, and
// likewise for a local variable that only ever holds new D(). It returns false if the object may be
// of a subclass, or is unknown.
func (j settler) makes(p place, e *expr.Expr) (resolve.Ref, bool) {
	switch e.Op {
	case expr.OpNew: // except new T() { … }, which creates an anonymous class
		x := j.values.eval(p, e)
		return x.typ.ref, (len(e.Args) == 0 || e.Args[len(e.Args)-1].Label != "{") && x.typ.kind == declared
	case expr.OpName:
		if binder := local(p, e.Name); binder != nil {
			if object, ok := p.file.MadeAs(binder); ok {
				return j.makes(place{file: p.file, at: binder.Owner, pos: binder.Span.StartByte}, p.parse(object))
			}
		}
	case expr.OpCall:
		if x := j.values.eval(p, e.X); p.file.Language == "kotlin" && x.kind == resolve.Class &&
			x.typ.kind == declared {
			return x.typ.ref, x.typ.ref.Symbol().Kind == code.KindClass && !isObject(x.typ.ref)
		}
	}
	return resolve.Ref{}, false
}

// onSelf returns the verdict v for a call without a receiver, f(), and adds the type of the implicit
// receiver "this": the enclosing class, whose subclasses may override the target.
func (j settler) onSelf(p place, v resolve.Verdict) resolve.Verdict {
	if v.Outcome != resolve.Settled || !v.Target.Parent().Valid() ||
		v.Strategy != resolve.SameType && v.Strategy != resolve.Inherited {
		return v
	}
	if resolve.HasModifier(v.Target.Symbol(), "static", "private") {
		return v.Directly()
	}
	for at := p.file.Type(p.at); at >= 0; at = p.file.Type(at) {
		around := p.file.Ref(at)
		for _, a := range j.types.ancestry(around).types {
			if a.ref == v.Target.Parent() {
				if anonymousAt(p.file, p.at, p.pos) != nil {
					return v // the caller may be in an anonymous class
				}
				return v.On(around)
			}
		}
	}
	return v
}

// Constructors returns the constructors of a class: its own or, if a Java class declares none, those
// of its base that run instead. A Kotlin or Scala class without constructors names its base's, as in
// class A : Base(1); that is a call site of its own, so the result is empty.
func (f family) Constructors(w *resolve.World, class resolve.Ref) []resolve.Ref {
	return resolve.ImplicitConstructors(class, func(c resolve.Ref) []resolve.Ref { return f.ConstructedBases(w, c) })
}

// ConstructedBases returns the base class that the constructors of a class call without naming it:
// the superclass of a Java class, or of a Kotlin class whose constructors are in its body.
func (family) ConstructedBases(w *resolve.World, class resolve.Ref) []resolve.Ref {
	if l := class.File.Language; l != "java" && (l != "kotlin" || !constructsInBody(class)) {
		return nil
	}
	j := newJVM(w)
	for _, base := range supers(class) {
		if t := j.types.readIn(base, class); t.kind == declared && t.ref.Symbol().Kind == code.KindClass {
			return []resolve.Ref{t.ref}
		}
	}
	return nil
}

// constructsInBody reports whether a Kotlin class has constructors in its body and constructs no
// base in its head: class A : Base { constructor(n: Int) }.
func constructsInBody(class resolve.Ref) bool {
	calls := class.File.Calls()
	inHead := slices.ContainsFunc(calls, func(c code.Call) bool {
		return c.Kind == code.CallSuper && c.Caller == class.Index
	})
	return !inHead && slices.ContainsFunc(class.File.Children(class.Index), func(i int) bool {
		return class.File.Symbols[i].Kind == code.KindConstructor
	})
}

func (family) Heirs(w *resolve.World, t resolve.Ref) []resolve.Ref { return newJVM(w).members.below(t) }

// Narrowed reports whether the type of impl binds type parameters of base's type to certain types, as
// class Crates implements Depot<Crate> does.
func (family) Narrowed(w *resolve.World, base, impl resolve.Ref) bool {
	j := newJVM(w)
	return slices.ContainsFunc(j.boundIn(base.Parent(), impl.Parent()), func(t jvmType) bool { return t.kind != unknown })
}

// boundIn returns the type arguments of generic as class names it among its bases: Crate for class
// Crates implements Depot<Crate>. An argument that depends on type parameters of class is unknown. It
// returns nil if class has no such base.
func (j *jvm) boundIn(generic, class resolve.Ref) (out []jvmType) {
	for _, a := range j.types.ancestry(class).types {
		if a.ref != generic || a.ref == class {
			continue
		}
		for _, name := range parameters(generic) {
			t, _ := a.bind.Lookup(name)
			out = append(out, j.types.readIn(t, class))
		}
	}
	return out
}

type receiverKey struct {
	file    int64
	start   int
	generic resolve.Ref
}

// Receives reports whether the receiver of c may be of the type of impl: for depot.put(x), whether a
// Depot<Crate> may be a Labels, where class Labels implements Depot<Label>.
func (family) Receives(w *resolve.World, f *resolve.File, c *code.Call, base, impl resolve.Ref) bool {
	j := newJVM(w)
	if c.Receiver == "" || f.Language == "scala" {
		return true
	}
	wanted := resolve.Derive(w, receiverKey{f.ID, c.NameSpan.StartByte, base.Parent()}, func() (out []jvmType) {
		x := j.values.receiver(place{file: f, at: c.Caller, pos: c.NameSpan.StartByte}, c)
		switch {
		case x.kind != resolve.Instance || x.typ.kind != declared:
		case x.typ.ref == base.Parent():
			for _, a := range x.typ.args {
				out = append(out, j.types.read(a))
			}
		default:
			out = j.boundIn(base.Parent(), x.typ.ref)
		}
		return out
	})
	for i, have := range j.boundIn(base.Parent(), impl.Parent()) {
		if i < len(wanted) && !j.agree(have, wanted[i], 0) {
			return false
		}
	}
	return true
}

// maxBinding bounds the depth to which type arguments are compared: Box<Box<Crate>> has two.
const maxBinding = 4

// agree reports whether two type arguments may be the same type, or related ones, as wildcards allow.
func (j *jvm) agree(a, b jvmType, depth int) bool {
	switch {
	case depth > maxBinding || a.kind == unknown || b.kind == unknown || a.kind == jvmFunc || b.kind == jvmFunc:
		return true
	case a.kind == declared && b.kind == declared:
		if a.ref != b.ref {
			return resolve.Related(a.ref, b.ref, j.members.below)
		}
		for i := range min(len(a.args), len(b.args)) {
			if !j.agree(j.types.read(a.args[i]), j.types.read(b.args[i]), depth+1) {
				return false
			}
		}
		return true
	case a.kind == declared:
		return j.mayBe(a.ref, b)
	case b.kind == declared:
		return j.mayBe(b.ref, a)
	case a.kind == array || b.kind == array:
		return a.kind == b.kind || ofAnything[a.name] || ofAnything[b.name]
	}
	return primitive(a.name) == primitive(b.name) || !final[a.name] || !final[b.name]
}

// ofAnything lists the library's bases of all classes.
var ofAnything = map[string]bool{"Object": true, "Any": true, "AnyRef": true}

// mayBe reports whether values of a class of the workspace may be of a type from outside.
func (j *jvm) mayBe(class resolve.Ref, other jvmType) bool {
	bases := j.types.ancestry(class)
	return other.kind != array && !final[other.name] &&
		(ofAnything[other.name] || bases.unknown || len(bases.outside) > 0)
}
