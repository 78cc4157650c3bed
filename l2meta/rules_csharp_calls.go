package l2meta

import (
	"strconv"

	"sextant/internal/code"
)

// csharpSays records the type of a variable, or what "var" is given.
func csharpSays(w *walk, name, typ, value node, part string) {
	switch {
	case !w.is(name, "identifier"):
	case typ >= 0 && !w.is(typ, "implicit_type"):
		w.fact(code.FactVar, w.encloser, w.str(name), w.line(typ), name)
	case value >= 0:
		w.fact(code.FactAssign, w.encloser, w.str(name), w.line(value)+part, name)
	}
}

// csharpSaysAll is csharpSays for each name of a tuple: the i-th gets "e#i".
func csharpSaysAll(w *walk, tuple, value node, part string) {
	i := 0
	for name := range w.named(tuple) {
		csharpSays(w, name, none, value, part+"#"+strconv.Itoa(i))
		i++
	}
}

func csharpLocal(w *walk, n node) {
	typ := w.field(n, "type")
	for v := range w.named(n) {
		if !w.is(v, "variable_declarator") {
			continue
		}
		value := none
		if eq := w.child(v, "="); eq >= 0 {
			value = max(w.after(eq), 1)
		}
		csharpSays(w, w.field(v, "name"), typ, value, "")
		csharpSaysAll(w, w.child(v, "tuple_pattern"), value, "")
		w.children(v)
	}
}

func csharpForeach(w *walk, n node) {
	left, right := w.field(n, "left"), w.field(n, "right")
	csharpSays(w, left, w.field(n, "type"), right, "#each")
	if w.is(left, "tuple_pattern") {
		csharpSaysAll(w, left, right, "#each")
	}
	w.children(n)
}

// csharpFrom records "from x in e" of a query.
func csharpFrom(w *walk, n node) {
	if in := w.child(n, "in"); in >= 0 {
		csharpSays(w, w.field(n, "name"), w.field(n, "type"), max(w.after(in), 1), "#each")
	}
	w.children(n)
}

// csharpBound records the typed name of a pattern, an out argument or a catch.
func csharpBound(w *walk, n node) {
	csharpSays(w, w.field(n, "name"), w.field(n, "type"), none, "")
	w.children(n)
}

// csharpLambdaParameter is about lambdas alone: the parameters of declarations
// are never visited.
func csharpLambdaParameter(w *walk, n node) {
	if w.within(n, "lambda_expression", "anonymous_method_expression") >= 0 {
		csharpSays(w, w.field(n, "name"), w.field(n, "type"), none, "")
	}
	w.children(n)
}

func csharpCall(w *walk, n node) {
	fn := w.field(n, "function")
	for w.is(fn, "parenthesized_expression") && w.after(fn+1) > 0 {
		fn = w.after(fn + 1)
	}
	name, receiver := csharpCallee(w, fn)
	switch {
	case receiver == "" && w.str(name) == "nameof":
		return // a name, not a call
	case receiver == "base":
		w.callAs(code.CallSuper, n, name, w.str(name), receiver, w.countNamed(w.field(n, "arguments")))
	default:
		w.callAs(code.CallPlain, n, name, w.str(name), receiver, w.countNamed(w.field(n, "arguments")))
	}
	w.children(n)
}

// csharpCallee is the last name of an expression and the text before it; of
// a?.b it is b and a.
func csharpCallee(w *walk, fn node) (name node, receiver string) {
	switch w.kind(fn) {
	case "identifier":
		return fn, ""
	case "generic_name":
		return w.child(fn, "identifier"), ""
	case "member_access_expression":
		name, _ = csharpSplit(w, w.field(fn, "name"))
		return name, w.line(w.field(fn, "expression"))
	case "member_binding_expression":
		name, _ = csharpSplit(w, w.field(fn, "name"))
		return name, w.line(w.field(w.within(fn, "conditional_access_expression"), "condition"))
	case "conditional_access_expression":
		for c := range w.named(fn) {
			if w.is(c, "member_binding_expression") {
				name, _ = csharpSplit(w, w.field(c, "name"))
				return name, w.line(w.field(fn, "condition"))
			}
		}
	}
	return none, ""
}

func csharpNew(w *walk, n node) {
	name, receiver := csharpSplit(w, w.field(n, "type"))
	w.call(code.CallNew, n, name, receiver, w.countNamed(w.field(n, "arguments")))
	w.children(n)
}

// csharpImplicitNew records new(…) as the construction of the type that the
// declaration around it is written with.
func csharpImplicitNew(w *walk, n node) {
	var typ node
	switch p := w.parent(n); {
	case w.is(p, "variable_declarator"):
		typ = w.field(w.parent(p), "type")
	case w.is(p, "property_declaration"):
		typ = w.field(p, "type")
	case w.is(p, "arrow_expression_clause") && w.is(w.parent(p), "property_declaration"):
		typ = w.field(w.parent(p), "type")
	case w.is(p, "arrow_expression_clause") && w.is(w.parent(p), "method_declaration"):
		typ = w.field(w.parent(p), "returns")
	default:
		w.children(n)
		return
	}
	name, receiver := csharpSplit(w, typ)
	w.callAs(code.CallNew, n, w.child(n, "new"), w.str(name), w.line(receiver), w.countNamed(w.child(n, "argument_list")))
	w.children(n)
}

// csharpConstructorCall records : base(…) and : this(…).
func csharpConstructorCall(w *walk, n node) {
	args := w.child(n, "argument_list")
	w.call(code.CallSuper, n, w.child(n, "base", "this"), none, w.countNamed(args))
	w.children(args)
}

// csharpArgument notes a bare name or this.Name that is handed over: it may be
// a method.
func csharpArgument(w *walk, n node) {
	for c := range w.named(n) {
		csharpReference(w, c)
	}
	w.children(n)
}

// csharpAssignment notes what is subscribed to an event, or kept.
func csharpAssignment(w *walk, n node) {
	csharpReference(w, w.field(n, "right"))
	w.children(n)
}

func csharpReference(w *walk, value node) {
	st := w.state.(*csharpFile)
	switch w.kind(value) {
	case "identifier":
		st.refs = append(st.refs, reference{site: value, name: value, receiver: none, caller: w.encloser})
	case "member_access_expression":
		if object := w.field(value, "expression"); w.is(object, "this", "base") {
			name, _ := csharpSplit(w, w.field(value, "name"))
			st.refs = append(st.refs, reference{site: value, name: name, receiver: object, caller: w.encloser})
		}
	}
}
