package jvm

import (
	"strconv"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// javaSays records the type of a local variable, or the value of a "var". part selects a part of
// the value: "#each" is one of its elements.
func javaSays(w *syntax.Walk, name, typ syntax.Node, text string, value syntax.Node, part string) {
	switch {
	case name < 0:
	case w.Line(typ) != "var":
		w.Fact(code.FactVar, w.Encloser, w.Str(name), text, name)
	case value >= 0:
		w.Fact(code.FactAssign, w.Encloser, w.Str(name), w.Line(value)+part, name)
	}
}

// javaLocal records a local variable. Its scope is the rest of the enclosing block.
func javaLocal(w *syntax.Walk, n syntax.Node) {
	typ := w.Field(n, "type")
	boundIn(w, w.Parent(n), w.End(n), func() {
		for v := range w.All(n, "declarator") {
			name, value := w.Field(v, "name"), w.Field(v, "value")
			javaSays(w, name, typ, javaTypeText(w, typ, v), value, "")
			if w.Is(value, "object_creation_expression") && !w.Has(value, "class_body") {
				w.Made(name, "new "+w.Line(w.Field(value, "type"))+"()")
			}
		}
	})
	w.Children(n)
}

// javaFinish determines the local variables that are assigned only once.
func javaFinish(w *syntax.Walk) {
	w.FinishMade(func(n syntax.Node) syntax.Node {
		switch {
		case w.Is(n, "assignment_expression") && w.Is(w.Field(n, "left"), "identifier"):
			return w.Field(n, "left")
		case w.Is(n, "update_expression"):
			return w.Child(n, "identifier")
		}
		return syntax.None
	})
}

func javaForEach(w *syntax.Walk, n syntax.Node) {
	typ := w.Field(n, "type")
	boundIn(w, n, w.Start(w.Field(n, "body")), func() {
		javaSays(w, w.Field(n, "name"), typ, javaTypeText(w, typ, n), w.Field(n, "value"), "#each")
	})
	w.Children(n)
}

// javaResource records a resource of a try statement. Its scope is the rest of the list and the
// block after it.
func javaResource(w *syntax.Walk, n syntax.Node) {
	typ := w.Field(n, "type")
	body := w.Field(w.Within(n, "try_with_resources_statement"), "body")
	boundIn(w, body, w.End(n), func() {
		javaSays(w, w.Field(n, "name"), typ, javaTypeText(w, typ, n), w.Field(n, "value"), "")
	})
	w.Children(n)
}

func javaCatch(w *syntax.Walk, n syntax.Node) {
	name := w.Field(n, "name")
	boundIn(w, w.Parent(n), w.Start(n), func() {
		for t := range w.Named(w.Child(n, "catch_type")) {
			w.Fact(code.FactVar, w.Encloser, w.Str(name), w.Line(t), name)
		}
	})
}

// javaTested returns the node in which a name of a type test is in scope: the block around the
// test. Without control flow analysis this is approximate.
func javaTested(w *syntax.Walk, n syntax.Node) syntax.Node {
	for p := w.Parent(n); p >= 0; p = w.Parent(p) {
		if w.Is(p, "block", "constructor_body", "class_body", "switch_block_statement_group", "switch_rule", "lambda_expression") {
			return p
		}
	}
	return syntax.None
}

// javaInstanceof records the name that a type test binds: x instanceof Square s.
func javaInstanceof(w *syntax.Walk, n syntax.Node) {
	if name := w.Field(n, "name"); name >= 0 {
		boundIn(w, javaTested(w, n), w.End(n), func() {
			w.Fact(code.FactVar, w.Encloser, w.Str(name), w.Line(w.Field(n, "right")), name)
		})
	}
	w.Children(n)
}

// javaPattern records the name that a pattern binds: "Square s".
func javaPattern(w *syntax.Walk, n syntax.Node) {
	typ, name := syntax.None, syntax.None
	for c := range w.Named(n) {
		switch {
		case w.Is(c, "modifiers", "annotation", "marker_annotation"):
		case typ < 0:
			typ = c
		default:
			name = c
		}
	}
	if w.Is(name, "identifier") && w.Line(typ) != "var" {
		boundIn(w, javaTested(w, n), w.End(n), func() {
			w.Fact(code.FactVar, w.Encloser, w.Str(name), w.Line(typ), name)
		})
	}
	w.Children(n)
}

// javaLambda records the parameters of a lambda: with their declared types, or as the values that
// the enclosing call passes.
func javaLambda(w *syntax.Walk, n syntax.Node) {
	argument := javaArgument(w, n)
	i := 0
	say := func(name syntax.Node, typ string) {
		if typ != "" && typ != "var" {
			w.Fact(code.FactVar, w.Encloser, w.Str(name), typ, name)
		} else {
			w.Fact(code.FactAssign, w.Encloser, w.Str(name), literalOf(argument, strconv.Itoa(i)), name)
		}
		i++
	}
	boundIn(w, n, w.Start(n), func() {
		list := w.Field(n, "parameters")
		if w.Is(list, "identifier") {
			say(list, "")
		}
		for p := range w.Named(list) {
			switch {
			case w.Is(p, "identifier"):
				say(p, "")
			case w.Is(p, "formal_parameter"):
				say(w.Field(p, "name"), javaParameter(w, p).Type)
			}
		}
	})
	w.Children(n)
}

// javaArgument returns the position of n among the arguments of a call, or -1.
func javaArgument(w *syntax.Walk, n syntax.Node) (i int) {
	list := w.Parent(n)
	if !w.Is(list, "argument_list") || !w.Is(w.Parent(list), "method_invocation", "object_creation_expression") {
		return -1
	}
	for a := range w.Named(list) {
		if a == n {
			return i
		}
		i++
	}
	return -1
}

func javaCall(w *syntax.Walk, n syntax.Node) {
	name, object, args := w.Field(n, "name"), w.Field(n, "object"), w.CountNamed(w.Field(n, "arguments"))
	switch outer := w.Child(n, "super"); {
	case outer >= 0 && outer != object: // Type.super.name()
		w.CallAs(code.CallSuper, n, name, w.Str(name), w.Between(object, outer), args)
	case w.Is(object, "super"):
		w.Call(code.CallSuper, n, name, object, args)
	default:
		w.Call(code.CallPlain, n, name, object, args)
	}
	passes(w, name, w.Line(w.Field(n, "type_arguments")), argumentTexts(w, w.Field(n, "arguments"), func(a syntax.Node) string { return javaShort(w, a) }), "")
	w.Children(n)
}

// javaShort returns an argument without the parts that do not affect its type, such as the body of
// a function or the arguments of a constructor; "" if it needs no shortening.
func javaShort(w *syntax.Walk, a syntax.Node) string {
	switch {
	case w.Is(a, "lambda_expression"):
		return "() -> 0"
	case w.Is(a, "object_creation_expression"):
		return "new " + w.Line(w.Field(a, "type")) + "()"
	}
	return ""
}

// javaConstructorCall records this(…) and super(…).
func javaConstructorCall(w *syntax.Walk, n syntax.Node) {
	w.Call(code.CallSuper, n, w.Field(n, "constructor"), w.Field(n, "object"), w.CountNamed(w.Field(n, "arguments")))
	w.Children(n)
}

// javaNew records new T(…), and visits the body of an anonymous class as a part of the enclosing
// symbol.
func javaNew(w *syntax.Walk, n syntax.Node) {
	name, receiver := javaSplit(w, w.Field(n, "type"))
	if first := n + 1; !w.Is(first, "new") && w.IsNamed(first) && !w.Is(first, "annotation", "marker_annotation") {
		receiver = first // outer.new Inner()
	}
	w.Call(code.CallNew, n, name, receiver, w.CountNamed(w.Field(n, "arguments")))
	thisIn(w, w.Child(n, "class_body"), w.Line(w.Field(n, "type")), w.Field(n, "type"))
	w.Children(n)
}

// javaReference records T::f, x::f and T::new.
func javaReference(w *syntax.Walk, n syntax.Node) {
	first, last := syntax.None, syntax.None
	for c := range w.Tree.Children(n) {
		if first < 0 {
			first = c
		}
		if w.Is(c, "identifier", "new") {
			last = c
		}
	}
	if w.Is(last, "new") && w.Is(first, "array_type") {
		return // int[]::new calls no constructor
	}
	if w.Is(last, "new") {
		name, receiver := javaSplit(w, first)
		w.Call(code.CallReference, n, name, receiver, 0)
	} else if last != first {
		w.Call(code.CallReference, n, last, first, 0)
	}
	w.Visit(first)
}
