package jvm

import (
	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// The result of a library call is external, unless the library may return something that the
// workspace passed in: context.getBean(Service.class) returns a Service.

// mayDeclare reports whether the workspace declares a member or function called name. If it does
// not, a call of that name cannot lead back to the workspace.
func (j memberFinder) mayDeclare(name string) bool {
	type key struct{ name string }
	return resolve.Derive(j.w, key{name}, func() bool {
		rows, all := j.w.Named(name)
		for _, row := range rows {
			if row.Name == name && language(row.Language) && !resolve.IsType(row.Kind) &&
				row.Kind != code.KindTest {
				return true
			}
		}
		return !all
	})
}

// handed returns the value of an element of the library container x whose element type is not known. The
// element may be an object of the workspace, so calls on it are not external.
func handed(x jvmValue) jvmValue {
	return jvmValue{kind: resolve.Foreign, pkg: x.typ.module, origin: resolve.Handed}
}

// lent returns the value of a property of the library value x, if the type of the property is not known.
// The value may be an object of the workspace if x's type has type arguments of the workspace.
func (j evaluator) lent(x jvmValue) jvmValue {
	v := jvmValue{kind: resolve.Foreign, pkg: x.typ.module}
	if j.typesCarry(x.typ.args) {
		v.origin = resolve.Handed
	}
	return v
}

// givenBack returns the origin of the result of a library call: x.f(…), or f(…) if x is empty.
// The origin is Handed if the receiver, an argument or a type argument may bring in an object of
// the workspace, so that the result may be that object.
func (j evaluator) givenBack(p place, x jvmValue, e *expr.Expr) resolve.Origin {
	if x.kind == resolve.Foreign && x.origin != resolve.Outside || j.typesCarry(x.typ.args) {
		return resolve.Handed
	}
	for _, t := range e.TypeArgs {
		if j.typeCarries(p.typ(t)) {
			return resolve.Handed
		}
	}
	for _, a := range e.Args {
		if j.carries(p, a) {
			return resolve.Handed
		}
	}
	return resolve.Outside
}

// carries reports whether an argument may be a value of the workspace, or contain one.
func (j evaluator) carries(p place, e *expr.Expr) bool {
	switch e.Op {
	case expr.OpLiteral:
		return e.Name != "string" && e.Name != "number"
	case expr.OpName:
		if e.Name == "null" || e.Name == "true" || e.Name == "false" {
			return false
		}
	}
	switch v := j.eval(p, e); v.kind {
	case resolve.Foreign:
		return v.origin != resolve.Outside
	case resolve.Instance, resolve.Class:
		return j.readCarries(v.typ)
	}
	return true
}

func (j evaluator) typesCarry(types []resolve.Type) bool {
	for _, t := range types {
		if j.typeCarries(t) {
			return true
		}
	}
	return false
}

func (j evaluator) typeCarries(t resolve.Type) bool {
	switch clean(t.Text) {
	case "?", "*":
		return false
	}
	return j.readCarries(j.types.read(t))
}

// readCarries reports whether a value of type t may be an object of the workspace, or contain
// one.
func (j evaluator) readCarries(t jvmType) bool {
	switch t.kind {
	case jvmForeign, array:
		return j.typesCarry(t.args)
	}
	return true
}
