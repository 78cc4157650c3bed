package jvm

import (
	"slices"
	"strconv"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// term evaluates a term in the scope of p.
func (j scalaEvaluator) term(p place, t *scalaTerm) jvmValue {
	if !j.enter() || !t.isList() {
		return jvmValue{}
	}
	defer j.leave()
	switch t.head() {
	case "n":
		return j.scalaNamed(p, t.at(1).word)
	case ".":
		return j.scalaMemberValue(p, t)
	case "@":
		return j.scalaCalled(p.file, t.number(1))
	case "k":
		return of(library("scala", t.at(1).word))
	case "new":
		return of(j.read(p.typ(t.at(1).word))).via(resolve.TypedValue)
	case "as":
		if v := of(j.read(p.typ(t.at(1).word))); len(v.typ.args) > 0 || v.typ.kind != declared {
			return v.via(resolve.TypedWritten)
		} else if whole := j.term(p, t.at(2)).asValue(); same(whole.typ, v.typ) {
			return whole // with its type arguments
		} else {
			return v.via(resolve.TypedWritten)
		}
	case "at":
		p.pos = t.number(1)
		return j.term(p, t.at(2))
	case "op":
		return j.scalaArithmetic(p, t)
	case "app":
		return j.scalaApply(p, j.term(p, t.at(1)), &scalaCall{lists: [][]*scalaTerm{t.list[min(2, len(t.list)):]}})
	}
	return j.scalaMade(p, t)
}

// scalaMade evaluates a term that is composed of others.
func (j scalaEvaluator) scalaMade(p place, t *scalaTerm) jvmValue {
	switch t.head() {
	case "tuple":
		out := library("scala", "Tuple")
		for _, part := range t.list[1:] {
			out.args = append(out.args, scalaTypeOf(j.term(p, part).asValue().typ))
		}
		return of(out)
	case "or":
		return j.scalaJoin(p, t.list[1:])
	case "fn":
		out := jvmType{kind: jvmFunc}
		for range t.number(1) {
			out.args = append(out.args, resolve.Type{})
		}
		p.pos = t.number(2)
		out.args = append(out.args, scalaTypeOf(j.term(p, t.at(3)).asValue().typ))
		return of(out)
	case "each":
		return j.scalaElement(p, j.term(p, t.at(1)).asValue())
	case "nth":
		if x := j.term(p, t.at(2)).asValue(); x.typ.name == "Tuple" && t.number(1) < len(x.typ.args) {
			return of(j.read(x.typ.args[t.number(1)])).via(x.how)
		}
	case "un":
		return j.scalaTakenApart(p, t)
	case "given":
		return j.scalaGiven(p, t)
	case "param":
		return j.scalaParameter(j.read(p.typ(t.at(1).word)), t.at(2).word)
	case "for":
		return j.scalaYield(p, t)
	}
	return jvmValue{}
}

// scalaMemberValue evaluates x.name without arguments.
func (j scalaEvaluator) scalaMemberValue(p place, t *scalaTerm) jvmValue {
	name := t.at(2).word
	if name == "this" || name == "super" { // Outer.this
		v := of(j.read(p.typ(t.at(1).at(1).word)))
		v.own, v.super = name == "this", name == "super"
		return v
	}
	return j.scalaMemberOf(p, j.term(p, t.at(1)), name, &scalaCall{})
}

// scalaMemberOf evaluates x.name, called with the arguments of c.
func (j scalaEvaluator) scalaMemberOf(p place, x jvmValue, name string, c *scalaCall) jvmValue {
	if name == "getClass" && len(c.types) == 0 {
		return of(library("java.lang", "Class", resolve.Type{Text: "_"}))
	}
	if x.kind == resolve.Module {
		if found := j.scalaInPackage(p, x.pkg, name); found.value.kind == resolve.Foreign {
			x = scalaPackageObject(x.pkg)
		}
	}
	if x.kind == resolve.Class && x.typ.kind == jvmForeign {
		if v := j.scalaOfTables(p, x, name, c); v.kind != resolve.Unknown {
			return v
		}
	}
	if x.kind == resolve.Instance && x.typ.kind != declared {
		if v := j.scalaLibraryResult(p, x, name, c); v.kind != resolve.Unknown {
			return v
		}
		return j.scalaViewed(p, x, name, c)
	}
	found := j.scalaSelect(p, x, name)
	switch {
	case len(found.methods) > 0:
		return j.scalaResultOf(p, found.methods, found.context, c).via(x.how)
	case found.value.kind == resolve.Function:
		return jvmValue{reason: found.value.reason}
	case found.value.kind != resolve.Unknown:
		return j.scalaApply(p, found.value, c)
	}
	if x.kind == resolve.Instance && name == "copy" && slices.Contains(x.typ.ref.Symbol().Modifiers, "case") {
		return x
	}
	if name == "asInstanceOf" && len(c.types) == 1 {
		return of(j.read(p.typ(c.types[0]))).via(resolve.TypedWritten)
	}
	if base, ok := j.containerOfAny(x); ok {
		return j.scalaLibraryResult(p, base, name, c)
	}
	if x.kind == resolve.Instance && x.typ.kind == declared {
		for _, base := range j.outsideBases(x.typ) {
			if v := j.scalaOfTables(p, of(base), name, c); v.kind != resolve.Unknown {
				return v
			}
		}
	}
	return j.scalaViewed(p, x, name, c)
}

type scalaCalledKey struct {
	file *resolve.File
	call int
}

// scalaCalled evaluates the call whose callee's name starts at a byte.
func (j scalaEvaluator) scalaCalled(f *resolve.File, pos int) jvmValue {
	c := scalaCallAt(f, pos)
	if c == nil {
		return jvmValue{}
	}
	return resolve.Derive(j.w, scalaCalledKey{f, c.index}, func() jvmValue {
		site := &f.Calls()[c.index]
		p := place{file: f, at: site.Caller, pos: site.NameSpan.StartByte}
		switch {
		case site.Kind == code.CallNew || site.Kind == code.CallSuper && c.receiver == nil:
			return of(j.read(p.typ(path(site.Receiver, site.Callee))))
		case c.receiver != nil:
			x := j.term(p, c.receiver)
			if site.Callee == "asInstanceOf" && len(c.types) == 1 {
				return of(j.read(p.typ(c.types[0]))).via(resolve.TypedWritten)
			}
			return j.scalaMemberOf(p, x, site.Callee, c)
		}
		found := j.scalaLookup(p, site.Callee)
		switch {
		case len(found.methods) > 0:
			return j.scalaResultOf(p, found.methods, found.context, c)
		case found.value.kind == resolve.Function, found.value.kind == resolve.Unknown:
			return jvmValue{reason: found.value.reason}
		}
		if v := j.scalaOfTables(p, found.object, site.Callee, c); v.kind != resolve.Unknown {
			return v
		}
		return j.scalaApply(p, found.value, c)
	})
}

// scalaApply evaluates the application of a value or an object. Without arguments it returns the
// value itself.
func (j scalaEvaluator) scalaApply(p place, x jvmValue, c *scalaCall) jvmValue {
	if len(c.lists) == 0 && len(c.types) == 0 {
		return x
	}
	switch {
	case x.kind == resolve.Class && x.typ.kind == declared:
		found, context := j.scalaMakers(p, x)
		return j.scalaResultOf(p, found, context, c)
	case x.kind == resolve.Class && x.typ.kind == jvmForeign:
		return j.scalaLibraryMade(p, x, c)
	case x.kind == resolve.Instance && x.typ.kind == jvmFunc && len(x.typ.args) == 1 && len(c.types) == 1: // classOf
		return of(library("java.lang", "Class", p.typ(c.types[0])))
	case x.kind == resolve.Instance && x.typ.kind == jvmFunc:
		return of(j.read(x.typ.args[len(x.typ.args)-1])).via(resolve.TypedResult)
	case x.kind == resolve.Instance && len(c.lists) > 0:
		return j.scalaMemberOf(p, x, "apply", c)
	case x.kind == resolve.Foreign:
		return x
	}
	return jvmValue{}
}

// scalaMakers returns the candidates for Foo(…): the apply methods of the object Foo, and for a
// case class the class, as the compiler's own apply constructs it.
func (j scalaEvaluator) scalaMakers(p place, x jvmValue) (found []candidate, context jvmValue) {
	of := j.scalaSelect(p, x, "apply")
	found = slices.Clone(of.methods)
	if class := scalaClassOf(x.typ.ref); scalaIsCase(class) && !isObject(class) {
		found = append(found, candidate{ref: class})
	}
	return found, of.context
}

// scalaClassOf returns the companion class of an object, if it has one.
func scalaClassOf(r resolve.Ref) resolve.Ref {
	if !isObject(r) {
		return r
	}
	for _, c := range r.File.Children(r.Symbol().Parent) {
		if s := &r.File.Symbols[c]; s.Name == r.Symbol().Name && s.Kind == code.KindClass && !slices.Contains(s.Modifiers, "object") {
			return r.File.Ref(c)
		}
	}
	return r
}

// scalaConstructed evaluates Foo(…) for the case class r.
func (j scalaEvaluator) scalaConstructed(p place, r resolve.Ref, c *scalaCall) jvmValue {
	out := jvmType{kind: declared, ref: r, name: r.Symbol().Name}
	if names := parameters(r); len(names) > 0 {
		bind := j.scalaInferred(p, candidate{ref: r}, c, true)
		out.args = make([]resolve.Type, len(names))
		for i, name := range names {
			out.args[i], _ = bind.Lookup(name)
		}
	}
	return of(out).via(resolve.TypedValue)
}

func scalaIsCase(r resolve.Ref) bool { return slices.Contains(r.Symbol().Modifiers, "case") }

// scalaJoin returns the type of a value that is one of several terms: their common type, or their
// nearest common base.
func (j scalaEvaluator) scalaJoin(p place, terms []*scalaTerm) (out jvmValue) {
	for _, t := range terms {
		v := j.term(p, t).asValue()
		switch {
		case v.typ.kind == jvmForeign && (v.typ.name == "Nothing" || v.typ.name == "Null"):
			continue
		case v.kind != resolve.Instance:
			return jvmValue{}
		case out.kind == resolve.Unknown:
			out = v
			continue
		}
		typ, ok := j.scalaBase(out.typ, v.typ)
		if !ok {
			return jvmValue{}
		}
		out.typ = typ
		out = out.via(v.how)
	}
	return out
}

func (j scalaEvaluator) scalaBase(a, b jvmType) (jvmType, bool) {
	switch {
	case same(a, b):
		if len(a.args) < len(b.args) || len(a.args) > 0 && j.read(a.args[0]).kind == unknown {
			return b, true
		}
		return a, true
	case a.kind != declared || b.kind != declared:
		return jvmType{}, false
	}
	for _, up := range j.ancestry(a.ref).types {
		if slices.ContainsFunc(j.ancestry(b.ref).types, func(o ancestor) bool { return o.ref == up.ref }) {
			out := jvmType{kind: declared, ref: up.ref, name: up.ref.Symbol().Name}
			if args, ok := j.scalaArgumentsAs(a, up.ref); ok {
				out.args = args
			}
			return out, true
		}
	}
	return jvmType{}, false
}

// scalaArgumentsAs returns the type arguments of t seen as base.
func (j scalaEvaluator) scalaArgumentsAs(t jvmType, base resolve.Ref) ([]resolve.Type, bool) {
	if t.ref == base {
		return t.args, true
	}
	for _, a := range j.ancestry(t.ref).types {
		if a.ref != base {
			continue
		}
		var out []resolve.Type
		own := j.bindOf(t)
		for _, name := range parameters(base) {
			arg, _ := a.bind.Lookup(name)
			out = append(out, rebound(arg, own, 0))
		}
		return out, true
	}
	return nil, false
}

// scalaArithmetic evaluates an operator that is no recorded call.
func (j scalaEvaluator) scalaArithmetic(p place, t *scalaTerm) jvmValue {
	a, b := j.term(p, t.at(2)).asValue(), j.term(p, t.at(3)).asValue()
	if a.typ.kind == declared {
		return j.scalaMemberOf(p, a, t.at(1).word, &scalaCall{lists: [][]*scalaTerm{{t.at(3)}}})
	}
	return scalaNumber(t.at(1).word, a, b)
}

var scalaNumbers = map[string]int{"Byte": 1, "Short": 2, "Char": 2, "Int": 3, "Long": 4, "Float": 5, "Double": 6}

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

// scalaYield evaluates a for expression.
func (j scalaEvaluator) scalaYield(p place, t *scalaTerm) jvmValue {
	x := j.term(p, t.at(1)).asValue()
	fn := &scalaTerm{list: []*scalaTerm{{word: "fn"}, {word: "1"}, {word: strconv.Itoa(p.pos)}, t.at(2)}}
	return j.scalaMemberOf(p, x, "map", &scalaCall{lists: [][]*scalaTerm{{fn}}})
}

// scalaTakenApart returns a value that pattern P binds: (un "P" i n x).
func (j scalaEvaluator) scalaTakenApart(p place, t *scalaTerm) jvmValue {
	pattern, i, n := t.at(1).word, t.number(2), t.number(3)
	x := j.term(p, t.at(4)).asValue()
	typ := j.read(p.typ(pattern))
	if typ.kind != declared {
		if v := j.scalaNamedPattern(p, pattern); v.typ.kind == declared {
			typ = v.typ
		}
	}
	if typ.kind != declared {
		return j.scalaLibraryParts(x, pattern, i)
	}
	if scalaIsCase(typ.ref) && !isObject(typ.ref) {
		lists := scalaExplicit(typ.ref)
		if len(lists) == 0 || i >= len(lists[0].params) {
			return jvmValue{}
		}
		var bind *resolve.Binding
		if x.typ.kind == declared {
			bind = j.scalaPatternBind(typ.ref, x.typ)
		}
		return of(j.read(resolve.Type{Text: lists[0].params[i].Type, File: typ.ref.File, Scope: typ.ref.Index, Bind: bind})).via(resolve.TypedWritten)
	}
	found := j.scalaSelect(p, named(typ), "unapply")
	if len(found.methods) != 1 {
		return jvmValue{}
	}
	given := j.scalaResultOf(p, found.methods, found.context, &scalaCall{lists: [][]*scalaTerm{{t.at(4)}}})
	part := j.scalaElement(p, given)
	if n > 1 && part.typ.name == "Tuple" && i < len(part.typ.args) {
		return of(j.read(part.typ.args[i])).via(resolve.TypedResult)
	} else if n > 1 {
		return jvmValue{}
	}
	return part
}

func (j scalaEvaluator) scalaNamedPattern(p place, pattern string) jvmValue {
	return j.term(p, scalaPathTerm(pattern))
}

// scalaPatternBind binds the type parameters of case class r for a matched value of type x, which r
// extends.
func (j scalaEvaluator) scalaPatternBind(r resolve.Ref, x jvmType) *resolve.Binding {
	if x.ref == r {
		return j.bindOf(x)
	}
	var out *resolve.Binding
	for _, a := range j.ancestry(r).types {
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
