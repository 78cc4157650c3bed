package jvm

import (
	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
	"slices"
)

// result returns the value of call e in the scope of p: an Order for find(1), if find returns an Order.
func (j evaluator) result(p place, e *expr.Expr) jvmValue {
	switch e.X.Op {
	case expr.OpName:
		return j.bareResult(p, e)
	case expr.OpMember:
		if v, ok := j.construction(p, e.X, e); ok {
			return v
		}
		return j.memberResult(p, j.eval(p, e.X.X), e)
	}
	return jvmValue{}
}

// bareResult returns the value of a call without a receiver, f(…).
func (j evaluator) bareResult(p place, e *expr.Expr) jvmValue {
	if v, ok := j.construction(p, e.X, e); ok {
		return v
	}
	if found := j.bareCandidates(p, e.X.Name, len(e.Args)); len(found) > 0 {
		return j.common(p, found, jvmValue{}, e)
	}
	if p.file.Language == "java" {
		return j.memberResult(p, j.baseOutside(p, e.X.Name), e)
	}
	if x := j.name(p, e.X.Name).asValue(); x.kind == resolve.Instance { // a value or an object that is invoked
		return j.memberResult(p, x, memberCall(e.X, "invoke", e.Args...))
	}
	return j.kotlin.libraryFunction(p, e)
}

// memberResult evaluates x.f(…).
func (j evaluator) memberResult(p place, x jvmValue, e *expr.Expr) jvmValue {
	switch {
	case e.X.Name == "getClass" && len(e.Args) == 0 && p.file.Language == "java":
		return of(library("java.lang", "Class", resolve.Type{Text: "?"}))
	case x.kind == resolve.Foreign:
		if j.extensions.inSight(p, x, e.X.Name, len(e.Args)) {
			return jvmValue{}
		}
		x.origin = j.givenBack(p, x, e)
		return x
	case x.typ.kind == jvmFunc:
		if e.X.Name == "invoke" {
			return of(j.types.read(x.typ.args[len(x.typ.args)-1])).via(resolve.TypedResult)
		}
		return j.extensions.result(p, x, e)
	case x.typ.kind == jvmForeign, x.typ.kind == array:
		if v := j.extensions.result(p, x, e); v.kind != resolve.Unknown {
			return v
		}
		if j.extensions.inSight(p, x, e.X.Name, len(e.Args)) {
			return jvmValue{}
		}
		return j.library.result(p, x, e).via(x.how)
	case x.typ.kind == declared:
		if found := j.methodsOf(p, x, e.X.Name, len(e.Args)); len(found) > 0 {
			return j.common(p, found, x, e).via(x.how)
		}
		if v := j.extensions.result(p, x, e); v.kind != resolve.Unknown {
			return v
		}
		if v := j.kotlin.scoped(p, x, e); v.kind != resolve.Unknown {
			return v
		}
		if v := j.generated(x, e); v.kind != resolve.Unknown {
			return v
		}
		if base, ok := j.containerOf(x); ok {
			return j.library.result(p, base, e).via(x.how)
		}
		// a library base may have the method: class Failure extends Exception
		for _, base := range j.scalaLibrary.outsideBases(x.typ) {
			if v, ok := j.library.tabledResult(p, of(base), e); ok {
				return v.via(x.how)
			}
		}
	}
	return jvmValue{}
}

// generated evaluates a call of a method that the compiler adds to a type: the accessor of a component of a
// record, and valueOf of an enumeration.
func (j evaluator) generated(x jvmValue, e *expr.Expr) jvmValue {
	m := j.members.named(x.typ.ref, e.X.Name)
	switch {
	case len(e.Args) == 0 && len(m.fields) == 1 && x.kind == resolve.Instance && isRecord(x.typ.ref):
		return j.fieldOf(x, m.fields[0]).via(resolve.TypedResult)
	case x.kind == resolve.Class && x.typ.ref.Symbol().Kind == code.KindEnum && e.X.Name == "valueOf" &&
		len(e.Args) == 1 && !m.found():
		return of(x.typ).via(resolve.TypedResult)
	}
	return jvmValue{}
}

// common evaluates a call that may refer to several candidates. If the arguments do not select one,
// the result is the type that all of them return, or unknown if they differ.
func (j evaluator) common(p place, found []candidate, x jvmValue, e *expr.Expr) jvmValue {
	found = j.overloads.byArguments(p, found, e.Args)
	if len(found) == 0 || len(found) > maxCommon {
		return jvmValue{}
	}
	v := j.resultOf(p, found[0], x, e)
	for _, c := range found[1:] {
		if !same(v.typ, j.resultOf(p, c, x, e).typ) {
			return jvmValue{}
		}
		v.typ.args = nil
	}
	return v
}

// maxCommon bounds the number of overloads whose results are compared; with more, the result is
// unknown.
const maxCommon = 12

// resultOf evaluates a call of a candidate: its declared result type, with the type parameters
// bound by the receiver and the arguments, or the type that its body constructs.
func (j evaluator) resultOf(p place, c candidate, x jvmValue, e *expr.Expr) jvmValue {
	s := c.ref.Symbol()
	bind := c.bind
	for _, name := range parameters(c.ref) {
		if t, ok := j.inferred(p, c, name, e); ok {
			bind = &resolve.Binding{Name: name, Type: t, Next: bind}
		}
	}
	at := place{file: c.ref.File, at: c.ref.Index, pos: s.Span.StartByte, bind: bind}
	if s.Returns != "" {
		return of(j.types.read(at.typ(s.Returns))).via(resolve.TypedResult)
	}
	for _, fact := range c.ref.Facts() {
		if fact.Kind == code.FactReturn {
			at.bind = nil
			return resolve.Derive(j.w, givesKey(c.ref), func() jvmValue {
				return j.valueOf(at, fact.Type).asValue()
			}).via(resolve.TypedResult)
		}
	}
	return jvmValue{}
}

type givesKey resolve.Ref

// inferred returns the type argument for the type parameter called name that call e determines: for
// <T> T f(Class<T> c) and f(Order.class) it returns Order. It returns false if the call does not
// determine it.
func (j evaluator) inferred(p place, c candidate, name string, e *expr.Expr) (resolve.Type, bool) {
	if names := parameters(c.ref); len(e.TypeArgs) == len(names) {
		return p.typ(e.TypeArgs[slices.Index(names, name)]), true
	}
	for i, param := range c.ref.Symbol().Parameters {
		if i >= len(e.Args) {
			break
		}
		text := clean(param.Type)
		if text == name {
			if v := j.eval(p, e.Args[i]); v.kind == resolve.Instance {
				return typeOf(v.typ), true
			}
		}
		path, args := split(text)
		if at := slices.Index(args, name); at >= 0 && len(path) > 0 {
			if v := j.eval(p, e.Args[i]); v.kind == resolve.Instance && len(v.typ.args) == len(args) {
				return v.typ.args[at], true
			}
		}
	}
	return resolve.Type{}, false
}

// typeOf converts t back to a resolve.Type, the text of a type with its scope, such that read interprets it
// as t again.
func typeOf(t jvmType) resolve.Type {
	switch t.kind {
	case declared:
		return resolve.Type{Text: "\x00", File: t.ref.File, Scope: t.ref.Index,
			Bind: resolve.Bind(parameters(t.ref), t.args, nil)}
	case jvmForeign:
		names := make([]string, len(t.args))
		return resolve.Type{Text: "\x00" + t.module + "." + t.name, Bind: resolve.Bind(names, t.args, nil)}
	case array:
		return t.args[0].With(t.args[0].Text + "[]")
	}
	return resolve.Type{}
}

// construction evaluates T(…) in Kotlin and Scala as the construction of a T; it returns false if it
// cannot be one. In Kotlin, a function called T comes before a library type. An interface is constructed
// from a function literal, T { … }, unless its companion declares invoke.
func (j evaluator) construction(p place, name *expr.Expr, e *expr.Expr) (jvmValue, bool) {
	if p.file.Language == "java" || !typeLike(name.Name) {
		return jvmValue{}, false
	}
	path := name.String()
	if path == "" {
		return jvmValue{}, false
	}
	t := j.types.read(p.typ(path))
	switch {
	case t.kind == jvmForeign && p.file.Language == "kotlin" && !arraysMade[t.name]:
		if name.Op == expr.OpName && len(j.bareCandidates(p, name.Name, len(e.Args))) > 0 {
			return jvmValue{}, false
		}
	case t.kind != declared || isObject(t.ref):
		return jvmValue{}, false
	case t.ref.Symbol().Kind == code.KindInterface:
		if p.file.Language != "kotlin" || len(e.Args) != 1 || !isLambda(e.Args[0]) {
			return jvmValue{}, false
		}
		for _, companion := range companions(t.ref) {
			if found := j.members.choose(p.file, j.members.named(companion, "invoke").methods, 1); len(found) > 0 {
				return j.common(p, found, jvmValue{}, e), true
			}
		}
	}
	for _, a := range e.TypeArgs {
		t.args = append(t.args, p.typ(a))
	}
	return of(t).via(resolve.TypedValue), true
}

// arraysMade lists types whose constructors take a size and a function of the index: Array(3) { i
// -> … }.
var arraysMade = resolve.Words("Array List MutableList")
