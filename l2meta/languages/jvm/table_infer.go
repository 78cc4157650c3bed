package jvm

import (
	"slices"
	"strings"

	"sextant/l2meta/expr"
	"sextant/l2meta/languages/jvm/facts"
	tables "sextant/l2meta/library"
	"sextant/l2meta/resolve"
)

// tabledResult evaluates x.f(…), a call of a library member, by the tables of the standard libraries. It
// returns false if they do not determine the result.
func (j libraryReader) tabledResult(p place, x jvmValue, e *expr.Expr) (jvmValue, bool) {
	sig, ok := libraryMemberOf(p.file.Language, x.typ, e.X.Name, len(e.Args))
	if !ok {
		return jvmValue{}, false
	}
	return j.signatureResult(p, sig, e)
}

// signatureResult evaluates a call of a member with a table entry; ok is false if the entry does
// not determine the result.
func (j libraryReader) signatureResult(p place, sig signature, e *expr.Expr) (jvmValue, bool) {
	if sig.result == "" {
		return jvmValue{}, false
	}
	_, element := sig.bind.Lookup(sig.result)
	if strings.Contains(sig.result, "$") {
		sig.bind = j.inferTabled(p, sig, e)
	}
	v := of(j.types.read(sig.typed(sig.result)))
	if element {
		v = v.via(resolve.TypedElement)
	}
	return v, v.kind != resolve.Unknown
}

// inferTabled binds the type parameters of a library method, such as $T in listOf($T...), by the
// types of the arguments of call e.
func (j libraryReader) inferTabled(p place, sig signature, e *expr.Expr) *resolve.Binding {
	inferred := map[string]jvmType{}
	for i, a := range e.Args {
		if len(sig.params) == 0 {
			break
		}
		param := sig.params[min(i, len(sig.params)-1)]
		if i >= len(sig.params) && !strings.HasSuffix(param, "...") {
			break
		}
		if !strings.Contains(param, "$") || isLambda(a) || kotlinSpreads(a) {
			continue
		}
		v := j.values.eval(p, a).asValue()
		if element, ok := strings.CutSuffix(param, "..."); ok {
			param = element
			// the array is passed itself for a variadic parameter
			if v.typ.kind == array && len(e.Args) == len(sig.params) {
				param = element + "[]"
			}
		}
		j.unify(param, v, inferred)
	}
	out := sig.bind
	if names := variables(sig); len(names) == len(e.TypeArgs) { // listOf<A>(): type arguments bind by position
		for i, name := range names {
			out = &resolve.Binding{Name: name, Type: p.typ(e.TypeArgs[i]), Next: out}
		}
		return out
	}
	for name, t := range inferred {
		if t.kind != unknown {
			out = &resolve.Binding{Name: name, Type: typeOf(t), Next: out}
		}
	}
	return out
}

// variables returns the type parameters of a member, such as $R, that occur in its result type, in
// order.
func variables(sig signature) (out []string) {
	for _, word := range strings.FieldsFunc(sig.result, func(r rune) bool {
		return r != '$' && !facts.NameByte(byte(r))
	}) {
		if strings.HasPrefix(word, "$") && word != "$this" && !slices.Contains(out, word) {
			out = append(out, word)
		}
	}
	return out
}

// unify matches a parameter type with the argument v, and records in inferred the types that the
// type parameters in param get: passing a Map<String, Order> for Map<$K, $V> makes $K String and $V
// Order. If two arguments disagree on a type parameter, it becomes their common base, or unknown.
func (j libraryReader) unify(param string, v jvmValue, inferred map[string]jvmType) {
	if strings.HasPrefix(param, "$") && !strings.ContainsAny(param, "[<") {
		before, twice := inferred[param]
		switch {
		case v.kind != resolve.Instance || v.typ.kind == jvmFunc:
		case twice:
			inferred[param] = j.values.either(of(before), v).typ
		default:
			inferred[param] = v.typ
		}
		return
	}
	if element, ok := strings.CutSuffix(param, "[]"); ok {
		if v.typ.kind == array {
			j.unify(element, of(j.types.read(v.typ.args[0])), inferred)
		}
		return
	}
	name, args := tables.Split(param)
	for i, have := range as(v.typ, name) {
		if i < len(args) && strings.Contains(args[i], "$") {
			j.unify(args[i], of(j.types.read(have)), inferred)
		}
	}
}

// as returns the type arguments that library type t has as its base called name: [A] if t is
// ArrayList<A> and name is Collection.
func as(t jvmType, name string) []resolve.Type { return asBase(t, name, 0) }

// maxBases bounds the steps from a type to its base that function as takes.
const maxBases = 16

// asBase does the work of function as, and stops after maxBases steps from a type to its base; depth is
// the number of steps taken so far.
func asBase(t jvmType, name string, depth int) []resolve.Type {
	typ := tabled(t)
	if typ == nil {
		typ = scalaTableType(t)
	}
	if typ == nil || typ.Name == name || depth > maxBases {
		return t.args
	}
	bind := resolve.Bind(typ.Params, t.args, nil)
	mark := markOf(tableOf(t))
	for _, base := range typ.Bases {
		head, args := tables.Split(base)
		of := tableOf(t).Type(head)
		if of == nil || !slices.Contains(lineageOf(of), name) {
			continue
		}
		up := library(of.Package, head)
		for _, a := range args {
			up.args = append(up.args, typed(mark, a, bind))
		}
		return asBase(up, name, depth+1)
	}
	return nil
}

// lineageOf returns the names of a library type and all its bases, nearest first.
func lineageOf(typ *tables.Type) []string {
	for _, table := range []*tables.Table{kotlinLibrary, scalaLibrary} {
		if table.Type(typ.Name) == typ {
			return table.Lineage(typ)
		}
	}
	return javaLibrary.Lineage(typ)
}

// tabledGives evaluates a parameter of a function literal, the x of xs.forEach { x -> … }, by the table
// entry of the callee: a member of x, or a top-level function of Kotlin's library. The literal is argument i
// of call e.
func (j libraryReader) tabledGives(p place, x jvmValue, e *expr.Expr, i int, parameter string) jvmValue {
	sig, ok := libraryMemberOf(p.file.Language, x.typ, e.X.Name, len(e.Args))
	if x.kind == resolve.Unknown && p.file.Language == "kotlin" {
		sig, ok = kotlinTopLevel(e.X.Name, len(e.Args))
	}
	if i == facts.TrailingLambda {
		i = len(sig.params) - 1
	}
	if !ok || i < 0 || i >= len(sig.params) {
		return jvmValue{}
	}
	sig.bind = j.inferTabled(p, sig, e)
	return j.values.parameterOf(j.types.read(sig.typed(sig.params[i])), parameter)
}
