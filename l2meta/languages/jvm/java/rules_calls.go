package java

import (
	"strconv"

	"sextant/internal/code"
	"sextant/l2meta/languages/jvm/facts"
	"sextant/l2meta/syntax"
)

// says records the type of a local variable: text, which is its declared type. For "var" it
// records the expression of the variable's value instead. part is a code.Marker that is appended
// to this expression to select a part of the value, such as an element for the x of for (var x :
// list), or "".
func says(w *syntax.Walk, name, typ syntax.Node, text string, value syntax.Node, part string) {
	switch {
	case name < 0:
	case w.Line(typ) != "var":
		w.Fact(code.FactVar, w.Encloser, w.Str(name), text, name)
	case value >= 0:
		w.Fact(code.FactAssign, w.Encloser, w.Str(name), w.Line(value)+part, name)
	}
}

// local records a declaration of local variables. Their scope is the rest of the enclosing block.
func local(w *syntax.Walk, n syntax.Node) {
	typ := w.Field(n, "type")
	facts.BoundIn(w, w.Parent(n), w.End(n), func() {
		for v := range w.All(n, "declarator") {
			name, value := w.Field(v, "name"), w.Field(v, "value")
			says(w, name, typ, typeText(w, typ, v), value, "")
			if w.Is(value, "object_creation_expression") && !w.Has(value, "class_body") {
				w.Made(name, "new "+w.Line(w.Field(value, "type"))+"()")
			}
		}
	})
	w.Children(n)
}

// finish drops some records that a local variable holds a new object (Walk.Made), as in var a =
// new A(): those for variables that are assigned again, and so may hold another object.
func finish(w *syntax.Walk) {
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

func forEach(w *syntax.Walk, n syntax.Node) {
	typ := w.Field(n, "type")
	facts.BoundIn(w, n, w.Start(w.Field(n, "body")), func() {
		says(w, w.Field(n, "name"), typ, typeText(w, typ, n), w.Field(n, "value"), code.MarkEach.After(""))
	})
	w.Children(n)
}

// resource records a variable in the head of try (…) { … }. Its scope is the rest of the head and
// the block.
func resource(w *syntax.Walk, n syntax.Node) {
	typ := w.Field(n, "type")
	body := w.Field(w.Within(n, "try_with_resources_statement"), "body")
	facts.BoundIn(w, body, w.End(n), func() {
		says(w, w.Field(n, "name"), typ, typeText(w, typ, n), w.Field(n, "value"), "")
	})
	w.Children(n)
}

func catch(w *syntax.Walk, n syntax.Node) {
	name := w.Field(n, "name")
	facts.BoundIn(w, w.Parent(n), w.Start(n), func() {
		for t := range w.Named(w.Child(n, "catch_type")) {
			w.Fact(code.FactVar, w.Encloser, w.Str(name), w.Line(t), name)
		}
	})
}

// tested returns the node in which a name that a type test binds is in scope: the block around the
// test. This is approximate, because it ignores whether the test succeeded. It returns syntax.None
// outside of blocks.
func tested(w *syntax.Walk, n syntax.Node) syntax.Node {
	for p := w.Parent(n); p >= 0; p = w.Parent(p) {
		if w.Is(p, "block", "constructor_body", "class_body", "switch_block_statement_group", "switch_rule",
			"lambda_expression") {
			return p
		}
	}
	return syntax.None
}

// instanceof records the name that a type test binds: x instanceof Square s.
func instanceof(w *syntax.Walk, n syntax.Node) {
	if name := w.Field(n, "name"); name >= 0 {
		facts.BoundIn(w, tested(w, n), w.End(n), func() {
			w.Fact(code.FactVar, w.Encloser, w.Str(name), w.Line(w.Field(n, "right")), name)
		})
	}
	w.Children(n)
}

// pattern records the name that a pattern binds: "Square s".
func pattern(w *syntax.Walk, n syntax.Node) {
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
		facts.BoundIn(w, tested(w, n), w.End(n), func() {
			w.Fact(code.FactVar, w.Encloser, w.Str(name), w.Line(typ), name)
		})
	}
	w.Children(n)
}

// lambda records the parameters of a lambda: with their declared types or, if they have none, as
// values that the enclosing call passes to the lambda.
func lambda(w *syntax.Walk, n syntax.Node) {
	argument := javaArgument(w, n)
	i := 0
	say := func(name syntax.Node, typ string) {
		if typ != "" && typ != "var" {
			w.Fact(code.FactVar, w.Encloser, w.Str(name), typ, name)
		} else {
			w.Fact(code.FactAssign, w.Encloser, w.Str(name), facts.LiteralOf(argument, strconv.Itoa(i)), name)
		}
		i++
	}
	facts.BoundIn(w, n, w.Start(n), func() {
		list := w.Field(n, "parameters")
		if w.Is(list, "identifier") {
			say(list, "")
		}
		for p := range w.Named(list) {
			switch {
			case w.Is(p, "identifier"):
				say(p, "")
			case w.Is(p, "formal_parameter"):
				say(w.Field(p, "name"), parameter(w, p).Type)
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

func call(w *syntax.Walk, n syntax.Node) {
	name, object, args := w.Field(n, "name"), w.Field(n, "object"), w.CountNamed(w.Field(n, "arguments"))
	switch outer := w.Child(n, "super"); {
	// Type.super.name() calls the method of an interface that the class implements
	case outer >= 0 && outer != object:
		w.CallAs(code.CallSuper, n, name, w.Str(name), w.Between(object, outer), args)
	case w.Is(object, "super"):
		w.Call(code.CallSuper, n, name, object, args)
	default:
		w.Call(code.CallPlain, n, name, object, args)
	}
	facts.Passes(w, name, w.Line(w.Field(n, "type_arguments")),
		facts.ArgumentTexts(w, w.Field(n, "arguments"), func(a syntax.Node) string { return short(w, a) }), "")
	w.Children(n)
}

// short returns the text of an argument without parts that do not affect its type, such as the
// body of a lambda or the arguments of a constructor. It returns "" if there are no such parts.
func short(w *syntax.Walk, a syntax.Node) string {
	switch {
	case w.Is(a, "lambda_expression"):
		return "() -> 0"
	case w.Is(a, "object_creation_expression"):
		return "new " + w.Line(w.Field(a, "type")) + "()"
	}
	return ""
}

// constructorCall records the calls this(…) and super(…) at the start of a constructor.
func constructorCall(w *syntax.Walk, n syntax.Node) {
	w.Call(code.CallSuper, n, w.Field(n, "constructor"), w.Field(n, "object"), w.CountNamed(w.Field(n, "arguments")))
	w.Children(n)
}

// javaNew records new T(…). It visits the body of an anonymous class as a part of the enclosing
// symbol.
func javaNew(w *syntax.Walk, n syntax.Node) {
	name, receiver := split(w, w.Field(n, "type"))
	if first := n + 1; !w.Is(first, "new") && w.IsNamed(first) && !w.Is(first, "annotation", "marker_annotation") {
		receiver = first // the receiver of outer.new Inner() is outer
	}
	w.Call(code.CallNew, n, name, receiver, w.CountNamed(w.Field(n, "arguments")))
	facts.ThisIn(w, w.Child(n, "class_body"), w.Line(w.Field(n, "type")), w.Field(n, "type"))
	w.Children(n)
}

// reference records the method references T::f, x::f and T::new.
func reference(w *syntax.Walk, n syntax.Node) {
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
		name, receiver := split(w, first)
		w.Call(code.CallReference, n, name, receiver, 0)
	} else if last != first {
		w.Call(code.CallReference, n, last, first, 0)
	}
	w.Visit(first)
}
