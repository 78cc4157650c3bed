package l2meta

import (
	"strconv"

	"sextant/internal/code"
)

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

// javaLocal holds from its declaration to the end of the block around it.
func javaLocal(w *walk, n node) {
	typ := w.field(n, "type")
	boundIn(w, w.parent(n), w.end(n), func() {
		for v := range w.all(n, "declarator") {
			name, value := w.field(v, "name"), w.field(v, "value")
			javaSays(w, name, typ, javaTypeText(w, typ, v), value, "")
			if w.is(value, "object_creation_expression") && !w.has(value, "class_body") {
				w.made(name, "new "+w.line(w.field(value, "type"))+"()")
			}
		}
	})
	w.children(n)
}

// javaFinish knows which local names hold what they are given first.
func javaFinish(w *walk) {
	w.finishMade(func(n node) node {
		switch {
		case w.is(n, "assignment_expression") && w.is(w.field(n, "left"), "identifier"):
			return w.field(n, "left")
		case w.is(n, "update_expression"):
			return w.child(n, "identifier")
		}
		return none
	})
}

func javaForEach(w *walk, n node) {
	typ := w.field(n, "type")
	boundIn(w, n, w.start(w.field(n, "body")), func() {
		javaSays(w, w.field(n, "name"), typ, javaTypeText(w, typ, n), w.field(n, "value"), "#each")
	})
	w.children(n)
}

// javaResource holds in the rest of its list and in the block behind it.
func javaResource(w *walk, n node) {
	typ := w.field(n, "type")
	body := w.field(w.within(n, "try_with_resources_statement"), "body")
	boundIn(w, body, w.end(n), func() {
		javaSays(w, w.field(n, "name"), typ, javaTypeText(w, typ, n), w.field(n, "value"), "")
	})
	w.children(n)
}

func javaCatch(w *walk, n node) {
	name := w.field(n, "name")
	boundIn(w, w.parent(n), w.start(n), func() {
		for t := range w.named(w.child(n, "catch_type")) {
			w.fact(code.FactVar, w.encloser, w.str(name), w.line(t), name)
		}
	})
}

// javaTested is where a name holds that a type test binds: behind it in the
// block around, as far as can be told without the flow of control.
func javaTested(w *walk, n node) node {
	for p := w.parent(n); p >= 0; p = w.parent(p) {
		if w.is(p, "block", "constructor_body", "class_body", "switch_block_statement_group", "switch_rule", "lambda_expression") {
			return p
		}
	}
	return none
}

// javaInstanceof records the name that a type test binds.
func javaInstanceof(w *walk, n node) {
	if name := w.field(n, "name"); name >= 0 {
		boundIn(w, javaTested(w, n), w.end(n), func() {
			w.fact(code.FactVar, w.encloser, w.str(name), w.line(w.field(n, "right")), name)
		})
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
		boundIn(w, javaTested(w, n), w.end(n), func() {
			w.fact(code.FactVar, w.encloser, w.str(name), w.line(typ), name)
		})
	}
	w.children(n)
}

// javaLambda records its parameters: with the type that is written, or as what
// the call that it is passed to gives them.
func javaLambda(w *walk, n node) {
	argument := javaArgument(w, n)
	i := 0
	say := func(name node, typ string) {
		if typ != "" && typ != "var" {
			w.fact(code.FactVar, w.encloser, w.str(name), typ, name)
		} else {
			w.fact(code.FactAssign, w.encloser, w.str(name), literalOf(argument, strconv.Itoa(i)), name)
		}
		i++
	}
	boundIn(w, n, w.start(n), func() {
		list := w.field(n, "parameters")
		if w.is(list, "identifier") {
			say(list, "")
		}
		for p := range w.named(list) {
			switch {
			case w.is(p, "identifier"):
				say(p, "")
			case w.is(p, "formal_parameter"):
				say(w.field(p, "name"), javaParameter(w, p).Type)
			}
		}
	})
	w.children(n)
}

// javaArgument is which argument of a call n is, -1 when it is none.
func javaArgument(w *walk, n node) (i int) {
	list := w.parent(n)
	if !w.is(list, "argument_list") || !w.is(w.parent(list), "method_invocation", "object_creation_expression") {
		return -1
	}
	for a := range w.named(list) {
		if a == n {
			return i
		}
		i++
	}
	return -1
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
	passes(w, name, w.line(w.field(n, "type_arguments")), argumentTexts(w, w.field(n, "arguments"), func(a node) string { return javaShort(w, a) }), "")
	w.children(n)
}

// javaShort is an argument without what does not tell its type: the body of a
// function, the arguments of a construction; "" where that is nothing.
func javaShort(w *walk, a node) string {
	switch {
	case w.is(a, "lambda_expression"):
		return "() -> 0"
	case w.is(a, "object_creation_expression"):
		return "new " + w.line(w.field(a, "type")) + "()"
	}
	return ""
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
	thisIn(w, w.child(n, "class_body"), w.line(w.field(n, "type")), w.field(n, "type"))
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
