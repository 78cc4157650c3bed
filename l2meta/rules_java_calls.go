package l2meta

import "sextant/internal/code"

// javaSays records the type of a local variable, or what "var" is given.
// part tells which part of the value: "#each" an element of it.
func javaSays(w *walk, name, typ node, text string, value node, part string) {
	switch {
	case name < 0:
	case w.line(typ) != "var":
		w.fact(code.FactVar, w.encloser, w.str(name), text, name)
	case value >= 0:
		w.fact(code.FactAssign, w.encloser, w.str(name), w.line(value)+part, name)
	}
}

func javaLocal(w *walk, n node) {
	typ := w.field(n, "type")
	for v := range w.all(n, "declarator") {
		javaSays(w, w.field(v, "name"), typ, javaTypeText(w, typ, v), w.field(v, "value"), "")
	}
	w.children(n)
}

func javaForEach(w *walk, n node) {
	typ := w.field(n, "type")
	javaSays(w, w.field(n, "name"), typ, javaTypeText(w, typ, n), w.field(n, "value"), "#each")
	w.children(n)
}

func javaResource(w *walk, n node) {
	typ := w.field(n, "type")
	javaSays(w, w.field(n, "name"), typ, javaTypeText(w, typ, n), w.field(n, "value"), "")
	w.children(n)
}

func javaCatch(w *walk, n node) {
	name := w.field(n, "name")
	for t := range w.named(w.child(n, "catch_type")) {
		w.fact(code.FactVar, w.encloser, w.str(name), w.line(t), name)
	}
}

// javaInstanceof records the name that a type test binds.
func javaInstanceof(w *walk, n node) {
	if name := w.field(n, "name"); name >= 0 {
		w.fact(code.FactVar, w.encloser, w.str(name), w.line(w.field(n, "right")), name)
	}
	w.children(n)
}

// javaPattern records the name that a pattern binds: "Square s".
func javaPattern(w *walk, n node) {
	typ, name := none, none
	for c := range w.named(n) {
		switch {
		case w.is(c, "modifiers", "annotation", "marker_annotation"):
		case typ < 0:
			typ = c
		default:
			name = c
		}
	}
	if w.is(name, "identifier") && w.line(typ) != "var" {
		w.fact(code.FactVar, w.encloser, w.str(name), w.line(typ), name)
	}
	w.children(n)
}

// javaLambda records the types that its parameters are written with.
func javaLambda(w *walk, n node) {
	for p := range w.named(w.field(n, "parameters")) {
		if w.is(p, "formal_parameter", "spread_parameter") {
			if one := javaParameter(w, p); one.Type != "var" {
				w.fact(code.FactVar, w.encloser, one.Name, one.Type, p)
			}
		}
	}
	w.children(n)
}

func javaCall(w *walk, n node) {
	name, object, args := w.field(n, "name"), w.field(n, "object"), w.countNamed(w.field(n, "arguments"))
	switch outer := w.child(n, "super"); {
	case outer >= 0 && outer != object: // Type.super.name()
		w.callAs(code.CallSuper, n, name, w.str(name), w.between(object, outer), args)
	case w.is(object, "super"):
		w.call(code.CallSuper, n, name, object, args)
	default:
		w.call(code.CallPlain, n, name, object, args)
	}
	w.children(n)
}

// javaConstructorCall records this(…) and super(…).
func javaConstructorCall(w *walk, n node) {
	w.call(code.CallSuper, n, w.field(n, "constructor"), w.field(n, "object"), w.countNamed(w.field(n, "arguments")))
	w.children(n)
}

// javaNew records new T(…), and visits the body of an anonymous class as a
// part of the enclosing symbol.
func javaNew(w *walk, n node) {
	name, receiver := javaSplit(w, w.field(n, "type"))
	if first := n + 1; !w.is(first, "new") && w.isNamed(first) && !w.is(first, "annotation", "marker_annotation") {
		receiver = first // outer.new Inner()
	}
	w.call(code.CallNew, n, name, receiver, w.countNamed(w.field(n, "arguments")))
	w.children(n)
}

// javaReference records T::f, x::f and T::new.
func javaReference(w *walk, n node) {
	first, last := none, none
	for c := range w.tree.children(n) {
		if first < 0 {
			first = c
		}
		if w.is(c, "identifier", "new") {
			last = c
		}
	}
	if w.is(last, "new") && w.is(first, "array_type") {
		return // int[]::new calls nothing
	}
	if w.is(last, "new") {
		name, receiver := javaSplit(w, first)
		w.call(code.CallReference, n, name, receiver, 0)
	} else if last != first {
		w.call(code.CallReference, n, last, first, 0)
	}
	w.visit(first)
}
