package jvm

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/languages/jvm/facts"
	"sextant/l2meta/resolve"
)

// selected evaluates x.name without a call: a field, a nested type, a package.
func (j evaluator) selected(p place, e *expr.Expr) jvmValue {
	if e.Name == "this" || e.Name == "super" { // Outer.this, Iface.super
		v := of(j.types.read(p.typ(e.X.String())))
		if e.Name == "super" && v.typ.kind == declared && v.typ.ref.Symbol().Kind != code.KindInterface {
			return j.superOf(v) // Outer.super means the base class of an enclosing class, not that of Outer itself
		}
		v.own, v.super = e.Name == "this", e.Name == "super"
		return v
	}
	if e.Name == "class" && e.Sep == "::" {
		return of(library("kotlin.reflect", "KClass", p.typ(e.X.String())))
	}
	if e.Name == "class" {
		return of(library("java.lang", "Class", p.typ(e.X.String())))
	}
	return j.memberOf(p, j.eval(p, e.X), e.Name)
}

// memberOf evaluates x.name, where x is a package (java.util), a type or an instance. A name with a
// capital in a package outside the workspace is a type of a library.
func (j evaluator) memberOf(p place, x jvmValue, name string) jvmValue {
	switch x.kind {
	case resolve.Module:
		full := x.pkg + "." + name
		if r, ok := j.types.qualified(p.file, strings.Split(full, ".")); ok {
			return named(jvmType{kind: declared, ref: r, name: name})
		}
		if typeLike(name) {
			return named(library(x.pkg, name))
		}
		return jvmValue{kind: resolve.Module, pkg: full}
	case resolve.Foreign:
		x.origin = x.origin.Given()
		return x
	case resolve.Class:
		return j.staticMember(x, name)
	case resolve.Instance:
		switch x.typ.kind {
		case declared:
			if m := j.members.named(x.typ.ref, name); len(m.fields) > 0 {
				return j.fieldOf(x, m.fields[0]).via(x.how)
			}
			return j.extensions.property(p, x, name)
		case jvmForeign:
			if v := j.library.member(p.file.Language, x, name); v.kind == resolve.Instance {
				return v
			} else if own := j.extensions.property(p, x, name); own.kind != resolve.Unknown {
				return own
			} else {
				return v
			}
		case array:
			if name == "length" && p.file.Language == "java" {
				return of(library("java.lang", "int"))
			}
		case jvmFunc:
			return j.extensions.property(p, x, name)
		}
	}
	return jvmValue{}
}

// fieldOf returns the value of field c of x. If c has no bindings of type parameters, it binds
// them to the type arguments of x's type.
func (j evaluator) fieldOf(x jvmValue, c candidate) jvmValue {
	if c.bind == nil && x.typ.kind == declared {
		c.bind = j.types.bindOf(x.typ)
	}
	return j.field(c)
}

// staticMember evaluates T.name for a type T: a static field, an enum constant or a nested type.
func (j evaluator) staticMember(x jvmValue, name string) jvmValue {
	if x.typ.kind == jvmForeign {
		if typeLike(name) && strings.ToUpper(name) != name {
			return named(library(x.typ.module, name))
		}
		if number := facts.Boxes[x.typ.name]; number != "" && typeLike(name) {
			switch name {
			case "TYPE":
				return of(library("java.lang", "Class"))
			case "SIZE", "BYTES":
				number = "int"
			case "TRUE", "FALSE":
				number = "Boolean"
			}
			return of(library("java.lang", number)) // a constant of a number type: Long.MAX_VALUE
		}
		// a constant of a library type: Locale.ENGLISH
		if sig, ok := libraryMemberOf("java", x.typ, name, -1); ok && sig.result != "" {
			if v := of(j.types.read(sig.typed(sig.result))); v.kind != resolve.Unknown {
				return v
			}
		}
		return jvmValue{kind: resolve.Foreign, pkg: x.typ.module}
	}
	if m := j.members.named(x.typ.ref, name); len(m.fields) > 0 {
		return j.fieldOf(x, m.fields[0])
	}
	for _, companion := range j.types.companionsOf(x.typ.ref) {
		if m := j.members.named(companion, name); len(m.fields) > 0 {
			return j.field(m.fields[0])
		}
	}
	if r, ok := j.types.nested(x.typ.ref, name); ok {
		return named(j.types.unaliased(jvmType{kind: declared, ref: r, name: name}))
	}
	return jvmValue{}
}

// receiver evaluates the receiver of call c. A receiver that is itself a call, like a.b() in
// a.b().c(), is evaluated from the record of that call, because c.Receiver holds a long chain of
// calls only in shortened form.
func (j evaluator) receiver(p place, c *code.Call) jvmValue {
	if i := inner(p.file, c); i >= 0 {
		if p.file.Calls()[i].Kind == code.CallPlain {
			return j.called(p.file, i)
		}
		if strings.HasSuffix(c.Receiver, "}") && p.file.Language == "java" {
			return jvmValue{reason: "an anonymous class"}
		}
	}
	e := p.parse(c.Receiver)
	if i := inner(p.file, c); i >= 0 && e.Op == expr.OpUnknown && p.file.Calls()[i].Kind == code.CallNew { // outer.new T().f()
		return of(j.calls.newType(p, &p.file.Calls()[i])).via(resolve.TypedValue)
	}
	for e.Op == expr.OpUnary && p.file.Language == "kotlin" && !strings.HasPrefix(c.Receiver, "(") { // the grammar parses !x.f() as (!x).f()
		e = e.X
	}
	return j.eval(p, e)
}

type calledKey struct {
	file *resolve.File
	call int
}

// called returns the result of the call f.Calls()[i].
func (j evaluator) called(f *resolve.File, i int) jvmValue {
	return resolve.Derive(j.w, calledKey{f, i}, func() jvmValue {
		c := &f.Calls()[i]
		p := place{file: f, at: c.Caller, pos: c.NameSpan.StartByte}
		e := expression(p, c)
		if c.Receiver == "" {
			return j.bareResult(p, e)
		}
		e.X.Op, e.X.Sep = expr.OpMember, "."
		if typeLike(c.Callee) {
			e.X.X = p.parse(c.Receiver)
			if v, ok := j.construction(p, e.X, e); ok {
				return v
			}
		}
		return j.memberResult(p, j.receiver(p, c), e)
	})
}

// expression returns call c without its receiver, as an expression. If extraction did not record the
// arguments of c, the expression has as many empty arguments as c has arguments.
func expression(p place, c *code.Call) *expr.Expr {
	e := &expr.Expr{Op: expr.OpCall, X: &expr.Expr{Op: expr.OpName, Name: c.Callee}}
	if args := passed(p, c); args != nil {
		e.Args, e.TypeArgs = args.Args, args.TypeArgs
		return e
	}
	for range max(c.Args, 0) {
		e.Args = append(e.Args, &expr.Expr{})
	}
	return e
}

// inner returns the index in f.Calls() of the call that is the receiver of c, or -1 if the receiver
// is no call.
func inner(f *resolve.File, c *code.Call) int {
	last := c.Receiver
	if last == "" || !strings.HasSuffix(last, ")") && !strings.HasSuffix(last, "}") && !strings.HasSuffix(last, "…") {
		return -1
	}
	best := -1
	at, _ := slices.BinarySearchFunc(f.Calls(), c.Span.StartByte, func(o code.Call, start int) int {
		return o.Span.StartByte - start
	})
	for i := at; i < len(f.Calls()) && f.Calls()[i].Span.StartByte == c.Span.StartByte; i++ {
		o := &f.Calls()[i]
		if o.Kind != code.CallReference && o.Kind != code.CallDecorator && o.Span.EndByte < c.NameSpan.StartByte &&
			(best < 0 || o.Span.EndByte > f.Calls()[best].Span.EndByte) {
			best = i
		}
	}
	if best < 0 {
		return -1
	}
	gap := c.NameSpan.StartByte - f.Calls()[best].Span.EndByte
	// the gap between them is more than a separator
	if gap > 3 && f.Calls()[best].Span.EndLine == c.NameSpan.StartLine {
		return -1
	}
	return best
}

// containerOf returns x as a value of the library container that its type, which the workspace
// declares, extends: as an ArrayList<Order> for class Orders extends ArrayList<Order>. It returns
// false if the type extends no container.
func (j evaluator) containerOf(x jvmValue) (jvmValue, bool) {
	for _, a := range j.types.ancestry(x.typ.ref).types {
		for _, t := range supers(a.ref) {
			if t.Bind = a.bind; a.depth == 0 {
				t.Bind = j.types.bindOf(x.typ)
			}
			if base := j.types.readIn(t, a.ref); base.kind == jvmForeign &&
				(facts.Containers[base.name] || facts.Maps[base.name]) {
				return of(base).via(x.how), true
			}
		}
	}
	return jvmValue{}, false
}

// methodsOf returns the methods of x that a call of name with args arguments may refer to. It
// returns nil if the type of x is not declared in the workspace.
func (j evaluator) methodsOf(p place, x jvmValue, name string, args int) []candidate {
	if x.typ.kind != declared {
		return nil
	}
	m := j.members.named(x.typ.ref, name)
	if x.kind == resolve.Class && !isObject(x.typ.ref) {
		for _, companion := range j.types.companionsOf(x.typ.ref) {
			m.methods = append(slices.Clone(m.methods), j.members.named(companion, name).methods...)
		}
	}
	out := j.members.choose(p.file, m.methods, args)
	for i := range out {
		if out[i].bind == nil {
			out[i].bind = j.types.bindOf(x.typ)
		}
	}
	return out
}

// marked evaluates an expression with a marker, which extraction appends to a recorded value to select a
// part of it: the x of "for (x in list)", the a of "val (a, b) = pair", the value of "val v by lazy { … }".
func (j evaluator) marked(p place, e *expr.Expr) jvmValue {
	switch e.Marker() {
	case code.MarkEach:
		x := j.eval(p, e.X)
		v := j.library.element(x, "iterator")
		if v.kind == resolve.Unknown && p.file.Language == "kotlin" && x.typ.kind == declared {
			v = j.library.element(j.extensions.result(p, x, memberCall(e.X, "iterator")), "next")
		}
		return v.via(resolve.TypedElement)
	case code.MarkBy:
		return j.kotlin.delegated(p, e.X)
	}
	if i, ok := e.Marker().Part(); ok {
		return j.component(j.eval(p, e.X), i).via(resolve.TypedElement)
	}
	return jvmValue{}
}

// component evaluates the i-th name in a destructuring of x: val (a, b) = x.
func (j evaluator) component(x jvmValue, i int) jvmValue {
	switch {
	case x.typ.kind == declared && i < len(x.typ.ref.Symbol().Parameters):
		t := x.typ.ref.Symbol().Parameters[i].Type
		return of(j.types.read(resolve.Type{Text: t, File: x.typ.ref.File, Scope: x.typ.ref.Index,
			Bind: j.types.bindOf(x.typ)}))
	case x.typ.kind == jvmForeign && i < len(x.typ.args) && products[x.typ.name]:
		return of(j.types.read(x.typ.args[i]))
	}
	return jvmValue{}
}

var products = map[string]bool{"Pair": true, "Triple": true, "Entry": true, "MutableEntry": true}
