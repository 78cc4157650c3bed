package resolve

import "sextant/internal/code"

// What a library gives is the library's, unless the workspace handed it
// something that it may hand back: context.getBean(Service.class) gives a
// Service.

// mayDeclare reports whether a file of the root declares something of that name
// that can be called on a value.
func (j *jvm) mayDeclare(name string) bool {
	type key struct{ name string }
	return Derive(j.w, key{name}, func() bool {
		rows, all := j.w.Named(name)
		for _, row := range rows {
			if row.Symbol.Name == name && jvmLanguage(row.Language) && !IsType(row.Symbol.Kind) && row.Symbol.Kind != code.KindTest {
				return true
			}
		}
		return !all
	})
}

// jvmHanded is what a container gives whose elements are not known.
func jvmHanded(x jvmValue) jvmValue {
	return jvmValue{kind: Foreign, pkg: x.typ.module, origin: Handed}
}

// lent is a property of a library's value.
func (j *jvm) lent(x jvmValue) jvmValue {
	v := jvmValue{kind: Foreign, pkg: x.typ.module}
	if j.typesCarry(x.typ.args) {
		v.origin = Handed
	}
	return v
}

// givenBack is the origin of what a call of a library's function gives: x.f(…),
// or f(…) for no x.
func (j *jvm) givenBack(p jvmPlace, x jvmValue, e *Expr) Origin {
	if x.kind == Foreign && x.origin != Outside || j.typesCarry(x.typ.args) {
		return Handed
	}
	for _, t := range e.TypeArgs {
		if j.typeCarries(p.typ(t)) {
			return Handed
		}
	}
	for _, a := range e.Args {
		if j.carries(p, a) {
			return Handed
		}
	}
	return Outside
}

// carries reports whether an argument may be of the workspace, or give
// something of it.
func (j *jvm) carries(p jvmPlace, e *Expr) bool {
	switch e.Op {
	case OpLiteral:
		return e.Name != "string" && e.Name != "number"
	case OpName:
		if e.Name == "null" || e.Name == "true" || e.Name == "false" {
			return false
		}
	}
	switch v := j.eval(p, e); v.kind {
	case Foreign:
		return v.origin != Outside
	case Instance, Class:
		return j.readCarries(v.typ)
	}
	return true
}

func (j *jvm) typesCarry(types []Type) bool {
	for _, t := range types {
		if j.typeCarries(t) {
			return true
		}
	}
	return false
}

func (j *jvm) typeCarries(t Type) bool {
	switch jvmClean(t.Text) {
	case "?", "*":
		return false
	}
	return j.readCarries(j.read(t))
}

// readCarries reports whether a value of a type may be of the workspace, or
// give something of it.
func (j *jvm) readCarries(t jvmType) bool {
	switch t.kind {
	case jvmForeign, jvmArray:
		return j.typesCarry(t.args)
	}
	return true
}
