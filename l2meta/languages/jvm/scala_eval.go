package jvm

import (
	"slices"
	"strconv"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// scalaEvaluator evaluates terms, the notation in which the extraction of Scala records expressions:
// (. (n cart) size) for cart.size.
type scalaEvaluator struct{ *jvm }

// eval returns the value of a term, such as (. (n cart) size) for cart.size, in the scope of p.
func (j scalaEvaluator) eval(p place, t *scalaTerm) jvmValue {
	if !j.enter() || !t.isList() {
		return jvmValue{}
	}
	defer j.leave()
	switch t.head() {
	case "n":
		return j.names.named(p, t.at(1).word)
	case ".":
		return j.memberValue(p, t)
	case "@":
		return j.called(p.file, t.number(1))
	case "k":
		return of(library("scala", t.at(1).word))
	case "new":
		return of(j.types.read(p.typ(t.at(1).word))).via(resolve.TypedValue)
	case "as":
		// in whole @ P(a), if only an object is called P
		if v := of(j.types.read(p.typ(t.at(1).word))); isObjectType(v.typ) {
			return j.eval(p, t.at(2)).asValue()
		} else if len(v.typ.args) > 0 || v.typ.kind != declared {
			return v.via(resolve.TypedWritten)
		} else if whole := j.eval(p, t.at(2)).asValue(); same(whole.typ, v.typ) {
			return whole // keeps the type arguments of whole
		} else {
			return v.via(resolve.TypedWritten)
		}
	case "at":
		p.pos = t.number(1)
		return j.eval(p, t.at(2))
	case "op":
		return j.arithmetic(p, t)
	case "app":
		return j.apply(p, j.eval(p, t.at(1)), &scalaCall{lists: [][]*scalaTerm{t.list[min(2, len(t.list)):]}})
	}
	return j.made(p, t)
}

// made evaluates the terms that eval leaves to it, such as (tuple A B), (fn 1 17 A) for a function, and
// (or A B) for the results of a match.
func (j scalaEvaluator) made(p place, t *scalaTerm) jvmValue {
	switch t.head() {
	case "tuple":
		out := library("scala", "Tuple")
		for _, part := range t.list[1:] {
			out.args = append(out.args, scalaTypeOf(j.eval(p, part).asValue().typ))
		}
		return of(out)
	case "or":
		return j.join(p, t.list[1:])
	case "fn":
		out := jvmType{kind: jvmFunc}
		for range t.number(1) {
			out.args = append(out.args, resolve.Type{})
		}
		p.pos = t.number(2)
		out.args = append(out.args, scalaTypeOf(j.eval(p, t.at(3)).asValue().typ))
		return of(out)
	case "each":
		return j.scalaLibrary.element(p, j.eval(p, t.at(1)).asValue())
	case "nth":
		if x := j.eval(p, t.at(2)).asValue(); x.typ.name == "Tuple" && t.number(1) < len(x.typ.args) {
			return of(j.types.read(x.typ.args[t.number(1)])).via(x.how)
		}
	case "un":
		return j.takenApart(p, t)
	case "given":
		return j.scalaOverloads.given(p, t)
	case "param":
		return j.scalaOverloads.parameter(j.types.read(p.typ(t.at(1).word)), t.at(2).word)
	case "for":
		return j.yield(p, t)
	case "sift":
		return j.sifted(p, t)
	}
	return jvmValue{}
}

// memberValue evaluates x.name, a selection without arguments.
func (j scalaEvaluator) memberValue(p place, t *scalaTerm) jvmValue {
	name := t.at(2).word
	if name == "this" || name == "super" { // Outer.this
		v := of(j.types.read(p.typ(t.at(1).at(1).word)))
		v.own, v.super = name == "this", name == "super"
		return v
	}
	return j.memberOf(p, j.eval(p, t.at(1)), name, &scalaCall{})
}

// memberOf evaluates x.name, called with the arguments of c.
func (j scalaEvaluator) memberOf(p place, x jvmValue, name string, c *scalaCall) jvmValue {
	if name == "getClass" && len(c.types) == 0 {
		return of(library("java.lang", "Class", resolve.Type{Text: "_"}))
	}
	if x.kind == resolve.Module {
		if found := j.names.inPackage(p, x.pkg, name); found.value.kind == resolve.Foreign {
			x = scalaPackageObject(x.pkg)
		}
	}
	if x.kind == resolve.Class && x.typ.kind == jvmForeign {
		if v := j.scalaLibrary.ofTables(p, x, name, c); v.kind != resolve.Unknown {
			return v
		}
	}
	if x.kind == resolve.Instance && x.typ.kind != declared {
		if v := j.scalaLibrary.result(p, x, name, c); v.kind != resolve.Unknown {
			return v
		}
		return j.views.viewed(p, x, name, c)
	}
	found := j.names.member(p, x, name)
	switch {
	case len(found.methods) > 0:
		return j.scalaOverloads.resultOf(p, found.methods, found.context, c).via(x.how)
	case found.value.kind == resolve.Function:
		return jvmValue{reason: found.value.reason}
	case found.value.kind != resolve.Unknown:
		return j.apply(p, found.value, c)
	}
	if x.kind == resolve.Instance && name == "copy" && slices.Contains(x.typ.ref.Symbol().Modifiers, "case") {
		return x
	}
	if name == "asInstanceOf" && len(c.types) == 1 {
		return of(j.types.read(p.typ(c.types[0]))).via(resolve.TypedWritten)
	}
	if base, ok := j.values.containerOfAny(x); ok {
		return j.scalaLibrary.result(p, base, name, c)
	}
	if x.kind == resolve.Instance && x.typ.kind == declared {
		for _, base := range j.scalaLibrary.outsideBases(x.typ) {
			if v := j.scalaLibrary.ofTables(p, of(base), name, c); v.kind != resolve.Unknown {
				return v
			}
		}
	}
	return j.views.viewed(p, x, name, c)
}

type scalaCalledKey struct {
	file *resolve.File
	call int
}

// called evaluates the call whose callee's name starts at byte offset pos.
func (j scalaEvaluator) called(f *resolve.File, pos int) jvmValue {
	c := scalaCallAt(f, pos)
	if c == nil {
		return jvmValue{}
	}
	return resolve.Derive(j.w, scalaCalledKey{f, c.index}, func() jvmValue {
		site := &f.Calls()[c.index]
		p := place{file: f, at: site.Caller, pos: site.NameSpan.StartByte}
		switch {
		case site.Kind == code.CallNew || site.Kind == code.CallSuper && c.receiver == nil:
			return of(j.types.read(p.typ(path(site.Receiver, site.Callee))))
		case c.receiver != nil:
			x := j.eval(p, c.receiver)
			if site.Callee == "asInstanceOf" && len(c.types) == 1 {
				return of(j.types.read(p.typ(c.types[0]))).via(resolve.TypedWritten)
			}
			return j.memberOf(p, x, site.Callee, c)
		}
		found := j.names.lookup(p, site.Callee)
		switch {
		case len(found.methods) > 0:
			return j.scalaOverloads.resultOf(p, found.methods, found.context, c)
		case found.value.kind == resolve.Function, found.value.kind == resolve.Unknown:
			return jvmValue{reason: found.value.reason}
		}
		if v := j.scalaLibrary.ofTables(p, found.object, site.Callee, c); v.kind != resolve.Unknown {
			return v
		}
		return j.apply(p, found.value, c)
	})
}

// apply evaluates x(…), where x is a value or an object. If c has no arguments, it returns x
// itself.
func (j scalaEvaluator) apply(p place, x jvmValue, c *scalaCall) jvmValue {
	if len(c.lists) == 0 && len(c.types) == 0 {
		return x
	}
	switch {
	case x.kind == resolve.Class && x.typ.kind == declared:
		found, context := j.makers(p, x)
		return j.scalaOverloads.resultOf(p, found, context, c)
	case x.kind == resolve.Class && x.typ.kind == jvmForeign:
		return j.scalaLibrary.made(p, x, c)
	// classOf[T] is a function without arguments
	case x.kind == resolve.Instance && x.typ.kind == jvmFunc && len(x.typ.args) == 1 && len(c.types) == 1:
		return of(library("java.lang", "Class", p.typ(c.types[0])))
	case x.kind == resolve.Instance && x.typ.kind == jvmFunc:
		return of(j.types.read(x.typ.args[len(x.typ.args)-1])).via(resolve.TypedResult)
	case x.kind == resolve.Instance && len(c.lists) > 0:
		return j.memberOf(p, x, "apply", c)
	case x.kind == resolve.Foreign:
		return x
	}
	return jvmValue{}
}

// makers returns the candidates for Foo(…): the apply methods of the object Foo. If Foo is a case
// class, it also returns the class, because the compiler generates an apply that constructs it.
func (j scalaEvaluator) makers(p place, x jvmValue) (found []candidate, context jvmValue) {
	of := j.names.member(p, x, "apply")
	found = slices.Clone(of.methods)
	if class := scalaClassOf(x.typ.ref); scalaIsCase(class) && !isObject(class) {
		found = append(found, candidate{ref: class})
	}
	return found, of.context
}

// scalaClassOf returns the companion class of the object r. It returns r itself if r is no object, or has
// no companion class.
func scalaClassOf(r resolve.Ref) resolve.Ref {
	if !isObject(r) {
		return r
	}
	for _, c := range r.File.Children(r.Symbol().Parent) {
		if s := &r.File.Symbols[c]; s.Name == r.Symbol().Name && s.Kind == code.KindClass &&
			!slices.Contains(s.Modifiers, "object") {
			return r.File.Ref(c)
		}
	}
	return r
}

// constructed evaluates Foo(…) for the case class r.
func (j scalaEvaluator) constructed(p place, r resolve.Ref, c *scalaCall) jvmValue {
	out := jvmType{kind: declared, ref: r, name: r.Symbol().Name}
	if names := parameters(r); len(names) > 0 {
		bind := j.scalaOverloads.inferred(p, candidate{ref: r}, c, true)
		out.args = make([]resolve.Type, len(names))
		for i, name := range names {
			out.args[i], _ = bind.Lookup(name)
		}
	}
	return of(out).via(resolve.TypedValue)
}

func scalaIsCase(r resolve.Ref) bool { return slices.Contains(r.Symbol().Modifiers, "case") }

// join evaluates terms that are alternatives, such as the branches of an if. The result has their
// common type, or their nearest common base.
func (j scalaEvaluator) join(p place, terms []*scalaTerm) (out jvmValue) {
	for _, t := range terms {
		v := j.eval(p, t).asValue()
		switch {
		case v.typ.kind == jvmForeign && (v.typ.name == "Nothing" || v.typ.name == "Null"):
			continue
		case v.kind != resolve.Instance:
			return jvmValue{}
		case out.kind == resolve.Unknown:
			out = v
			continue
		}
		typ, ok := j.base(out.typ, v.typ)
		if !ok {
			return jvmValue{}
		}
		out.typ = typ
		out = out.via(v.how)
	}
	return out
}

// base returns the nearest common base of two types, which is the type of if (c) new A else new
// B. It returns false if the workspace declares no common base.
func (j scalaEvaluator) base(a, b jvmType) (jvmType, bool) {
	switch {
	case same(a, b):
		if len(a.args) < len(b.args) || len(a.args) > 0 && j.types.read(a.args[0]).kind == unknown {
			return b, true
		}
		return a, true
	case a.kind != declared || b.kind != declared:
		return jvmType{}, false
	}
	for _, up := range j.types.ancestry(a.ref).types {
		if slices.ContainsFunc(j.types.ancestry(b.ref).types, func(o ancestor) bool { return o.ref == up.ref }) {
			out := jvmType{kind: declared, ref: up.ref, name: up.ref.Symbol().Name}
			if args, ok := j.argumentsAs(a, up.ref); ok {
				out.args = args
			}
			return out, true
		}
	}
	return jvmType{}, false
}

// argumentsAs returns the type arguments with which t extends base: [Order] for class Orders
// extends Box[Order] and base Box. It returns false if t does not extend base.
func (j scalaEvaluator) argumentsAs(t jvmType, base resolve.Ref) ([]resolve.Type, bool) {
	if t.ref == base {
		return t.args, true
	}
	for _, a := range j.types.ancestry(t.ref).types {
		if a.ref != base {
			continue
		}
		var out []resolve.Type
		own := j.types.bindOf(t)
		for _, name := range parameters(base) {
			arg, _ := a.bind.Lookup(name)
			out = append(out, rebound(arg, own, 0))
		}
		return out, true
	}
	return nil, false
}

// arithmetic evaluates t, the term (op + A B) of an operator that is probably built in, as in a + 1. If
// the type of a is declared in the workspace, the operator is a method of it.
func (j scalaEvaluator) arithmetic(p place, t *scalaTerm) jvmValue {
	a, b := j.eval(p, t.at(2)).asValue(), j.eval(p, t.at(3)).asValue()
	if a.typ.kind == declared {
		return j.memberOf(p, a, t.at(1).word, &scalaCall{lists: [][]*scalaTerm{{t.at(3)}}})
	}
	return scalaNumber(t.at(1).word, a, b)
}

var scalaNumbers = map[string]int{"Byte": 1, "Short": 2, "Char": 2, "Int": 3, "Long": 4, "Float": 5, "Double": 6}

// scalaNumber evaluates an operation of two numbers: 1 + 2L is a Long. A String plus any value is a
// String.
func scalaNumber(op string, a, b jvmValue) jvmValue {
	if op == "+" && (a.typ.name == "String" || b.typ.name == "String") {
		return of(library("scala", "String"))
	}
	wide, other := scalaNumbers[a.typ.name], scalaNumbers[b.typ.name]
	if wide == 0 || other == 0 || a.typ.kind != jvmForeign || b.typ.kind != jvmForeign {
		return jvmValue{}
	}
	name := a.typ.name
	if other > wide {
		name, wide = b.typ.name, other
	}
	if wide < 3 {
		name = "Int"
	}
	return of(library("scala", name))
}

// yield evaluates t, which is (for map G E), the result of G.map(x => E) for a generator of a for
// expression.
func (j scalaEvaluator) yield(p place, t *scalaTerm) jvmValue {
	return j.memberOf(p, j.eval(p, t.at(2)).asValue(), t.at(1).word, scalaFunctionCall(p, t.at(3)))
}

// sifted evaluates t, which is (sift G), the generator G with a guard: G.withFilter(x => guard). It returns
// G if the result of withFilter is unknown.
func (j scalaEvaluator) sifted(p place, t *scalaTerm) jvmValue {
	x := j.eval(p, t.at(1)).asValue()
	guard := &scalaTerm{list: []*scalaTerm{{word: "k"}, {word: "Boolean"}}}
	if v := j.memberOf(p, x, "withFilter", scalaFunctionCall(p, guard)); v.kind == resolve.Instance {
		return v
	}
	return x
}

// scalaFunctionCall returns the arguments of a call that passes a function with one parameter and the
// given body.
func scalaFunctionCall(p place, body *scalaTerm) *scalaCall {
	fn := &scalaTerm{list: []*scalaTerm{{word: "fn"}, {word: "1"}, {word: strconv.Itoa(p.pos)}, body}}
	return &scalaCall{lists: [][]*scalaTerm{{fn}}}
}

// takenApart evaluates a name that a pattern binds, such as b in case P(a, b). In t, which is
// (un "P" i n x), it is part i of the n parts that pattern P extracts from x.
func (j scalaEvaluator) takenApart(p place, t *scalaTerm) jvmValue {
	pattern, i, n := t.at(1).word, t.number(2), t.number(3)
	x := j.eval(p, t.at(4)).asValue()
	typ := j.types.read(p.typ(pattern))
	if typ.kind != declared {
		if v := j.namedPattern(p, pattern); v.typ.kind == declared {
			typ = v.typ
		}
	}
	if typ.kind != declared {
		return j.scalaLibrary.parts(x, pattern, i)
	}
	if scalaIsCase(typ.ref) && !isObject(typ.ref) {
		lists := scalaExplicit(typ.ref)
		if len(lists) == 0 || i >= len(lists[0].params) {
			return jvmValue{}
		}
		var bind *resolve.Binding
		if x.typ.kind == declared {
			bind = j.patternBind(typ.ref, x.typ)
		}
		return of(j.types.read(resolve.Type{Text: lists[0].params[i].Type, File: typ.ref.File, Scope: typ.ref.Index,
			Bind: bind})).via(resolve.TypedWritten)
	}
	found := j.names.member(p, named(typ), "unapply")
	if len(found.methods) != 1 {
		return jvmValue{}
	}
	given := j.scalaOverloads.resultOf(p, found.methods, found.context, &scalaCall{lists: [][]*scalaTerm{{t.at(4)}}})
	part := j.scalaLibrary.element(p, given)
	if n > 1 && part.typ.name == "Tuple" && i < len(part.typ.args) {
		return of(j.types.read(part.typ.args[i])).via(resolve.TypedResult)
	} else if n > 1 {
		return jvmValue{}
	}
	return part
}

func (j scalaEvaluator) namedPattern(p place, pattern string) jvmValue {
	return j.eval(p, scalaPathTerm(pattern))
}

// patternBind binds the type parameters of case class r, whose pattern matches a value of type x, a base
// of r or r itself: for Full[A] extends Box[A] and a value of type Box[Order], it binds A to Order.
func (j scalaEvaluator) patternBind(r resolve.Ref, x jvmType) *resolve.Binding {
	if x.ref == r {
		return j.types.bindOf(x)
	}
	var out *resolve.Binding
	for _, a := range j.types.ancestry(r).types {
		if a.ref != x.ref {
			continue
		}
		for i, name := range parameters(x.ref) {
			arg, ok := a.bind.Lookup(name)
			if ok && i < len(x.args) && slices.Contains(parameters(r), arg.Text) {
				out = &resolve.Binding{Name: arg.Text, Type: x.args[i], Next: out}
			}
		}
	}
	return out
}
