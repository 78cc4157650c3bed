package l2meta

import (
	"strings"

	"sextant/internal/code"
)

// kotlinArgs counts the arguments of a list, -1 with a spread.
func kotlinArgs(w *walk, list node) (count int) {
	for a := range w.named(list) {
		if w.child(a, "spread_expression") >= 0 {
			return -1
		}
		count++
	}
	return count
}

// kotlinCall records f(x), r.f(x) and those with a trailing lambda, which is
// one more argument.
func kotlinCall(w *walk, n node) {
	fn, args := node(n+1), kotlinArgs(w, w.child(n, "value_arguments"))
	if w.child(n, "annotated_lambda") >= 0 {
		lambda := 1
		// f(x) { … } is a call whose function is the call f(x).
		if w.is(fn, "call_expression") && w.child(fn, "annotated_lambda") < 0 {
			w.children(fn)
			args = kotlinArgs(w, w.child(fn, "value_arguments"))
			fn = fn + 1
			kotlinCallOf(w, n, fn, max(args+lambda, -1), args < 0)
			visitAfter(w, n, n+1)
			return
		}
		kotlinCallOf(w, n, fn, args+lambda, args < 0)
	} else {
		kotlinCallOf(w, n, fn, args, args < 0)
	}
	w.children(n)
}

// visitAfter visits the children of n behind its child c.
func visitAfter(w *walk, n, c node) {
	w.visitRange(node(w.nodes[c].next), node(w.nodes[n].next))
}

func kotlinCallOf(w *walk, site, fn node, args int, spread bool) {
	if spread {
		args = -1
	}
	fn = kotlinFunctionOf(w, fn)
	name, receiver := kotlinCallee(w, fn)
	if name < 0 || w.has(fn, "::") {
		return
	}
	kind := code.CallPlain
	if w.is(receiver, "super_expression") {
		kind = code.CallSuper
	}
	w.callAs(kind, site, name, kotlinBare(w.str(name)), w.line(receiver), args)
	kotlinPasses(w, site, name)
}

// kotlinPasses records what a call hands over: a function literal behind the
// parentheses stays behind them.
func kotlinPasses(w *walk, site, name node) {
	if w.is(site, "binary_expression") { // f<T> { … } or f<T>(x), taken for two comparisons
		inner := w.field(site, "left")
		last := w.after(w.after(inner))
		types := "<" + w.line(w.field(inner, "right")) + ">"
		if w.is(last, "lambda_literal") {
			passes(w, name, types, nil, kotlinLambdaShort(w, last))
		} else {
			passes(w, name, types, []string{kotlinShortened(w, w.after(last+1))}, "")
		}
		return
	}
	inner := node(site + 1) // of f(x) { … } the call f(x)
	if !w.is(inner, "call_expression") || w.child(site, "value_arguments") >= 0 {
		inner = site
	}
	behind := ""
	if lambda := w.child(site, "annotated_lambda"); lambda >= 0 {
		behind = kotlinLambdaShort(w, w.find(lambda, "lambda_literal"))
	}
	texts := argumentTexts(w, w.child(inner, "value_arguments"), func(a node) string { return kotlinShort(w, a) })
	passes(w, name, w.line(w.child(inner, "type_arguments")), texts, behind)
}

// kotlinLambdaShort is a function literal without its code: its parameters.
func kotlinLambdaShort(w *walk, lambda node) string {
	if list := w.child(lambda, "lambda_parameters"); list >= 0 {
		return "{ " + w.line(list) + " -> }"
	}
	return "{}"
}

// kotlinFunctionOf is the function of a call without parentheses around it, and
// without the operator before it, which the grammar takes for a part of it:
// !f(x) is the contrary of f(x).
func kotlinFunctionOf(w *walk, fn node) node {
	for {
		switch {
		case w.is(fn, "parenthesized_expression"):
			fn = w.after(fn + 1)
		case w.is(fn, "unary_expression") && w.is(fn+1, "!", "-", "+"):
			fn = w.after(fn + 1)
		default:
			return fn
		}
	}
}

// kotlinShort is an argument without what does not tell its type, led by its
// name where it has one.
func kotlinShort(w *walk, a node) string {
	name, value := "", node(a+1)
	if eq := w.child(a, "="); eq >= 0 {
		name, value = kotlinBare(w.str(w.child(a, "identifier")))+" = ", w.after(eq)
	}
	return name + kotlinShortened(w, value)
}

// kotlinShortened is an expression in few words that give the same type: calls
// without their arguments' text, literals without theirs.
func kotlinShortened(w *walk, n node) string {
	switch w.kind(n) {
	case "lambda_literal":
		return kotlinLambdaShort(w, n)
	case "object_literal":
		if made := w.find(w.child(n, "delegation_specifiers"), "user_type"); made >= 0 {
			return "it as " + w.line(made)
		}
		return "Any()"
	case "string_literal", "multiline_string_literal":
		return `""`
	}
	if text := w.line(n); len(text) <= maxArgumentText {
		return text
	}
	return kotlinOutline(w, n, false)
}

// kotlinOutline is a chain of calls without the code of the functions in it
// and without comments; of their arguments whole leaves what tells the type,
// otherwise they are "?". Of what is no chain it is the text.
func kotlinOutline(w *walk, n node, whole bool) string {
	var out strings.Builder
	kotlinWriteOutline(w, &out, n, whole)
	return out.String()
}

func kotlinWriteOutline(w *walk, out *strings.Builder, n node, whole bool) {
	if !w.is(n, "call_expression", "navigation_expression", "unary_expression") {
		out.WriteString(w.line(n))
		return
	}
	for c := range w.tree.children(n) {
		switch {
		case w.is(c, "value_arguments"):
			texts := argumentTexts(w, c, func(a node) string {
				if whole {
					return kotlinShort(w, a)
				}
				return "?"
			})
			out.WriteString("(" + strings.Join(texts, ", ") + ")")
		case w.is(c, "annotated_lambda"):
			out.WriteString(" " + kotlinLambdaShort(w, w.find(c, "lambda_literal")))
		case !w.isComment(c):
			kotlinWriteOutline(w, out, c, whole)
		}
	}
}

// kotlinCallee is the last name of an expression and what stands before it.
func kotlinCallee(w *walk, fn node) (name, receiver node) {
	switch w.kind(fn) {
	case "identifier":
		return fn, none
	case "navigation_expression":
		name = none
		for c := range w.named(fn) {
			if w.is(c, "identifier") && c != fn+1 {
				name = c
			}
		}
		return name, fn + 1
	}
	return none, none
}

// kotlinInfix records a f b, the call of a function declared infix. "value
// class T" behind an annotation on its line is one to the grammar.
func kotlinInfix(w *walk, n node) {
	left := node(n + 1)
	name := w.after(left)
	if w.says(name, "class") {
		d := decl{kind: code.KindClass, node: n, name: w.after(name), modifiers: []string{w.line(left)}, exported: !w.inCallable()}
		if w.is(d.name, "identifier") {
			w.declare(d)
		}
		return
	}
	if w.is(name, "identifier") {
		w.callAs(code.CallPlain, n, name, kotlinBare(w.str(name)), w.line(left), 1)
		passes(w, name, "", []string{kotlinShortened(w, w.after(name))}, "")
	}
	w.children(n)
}

// kotlinBinary finds the generic call that the grammar takes for two
// comparisons: r.f<T>(x) as ((r.f < T) > (x)), r.f<T> { … } likewise. The
// language reads it as a call.
func kotlinBinary(w *walk, n node) {
	inner, last := w.field(n, "left"), w.field(n, "right")
	if w.is(inner, "binary_expression") && w.is(last, "parenthesized_expression", "lambda_literal") && w.has(n, ">") && w.has(inner, "<") {
		fn, typ := w.field(inner, "left"), w.field(inner, "right")
		if w.is(typ, "identifier", "navigation_expression") && w.is(fn, "identifier", "navigation_expression") {
			kotlinCallOf(w, n, fn, 1, false)
		}
	}
	w.children(n)
}

// kotlinReference records ::f, kotlinNavigation r::f; ::class is no function.
func kotlinReference(w *walk, n node) {
	name := none
	for c := range w.named(n) {
		name = c
	}
	if w.is(name, "identifier") && !w.says(name, "class") {
		w.callAs(code.CallReference, n, name, kotlinBare(w.str(name)), "", 0)
	}
	w.children(n)
}

func kotlinNavigation(w *walk, n node) {
	name, receiver := kotlinCallee(w, n)
	if w.has(n, "::") && name >= 0 && !w.says(name, "class") {
		w.callAs(code.CallReference, n, name, kotlinBare(w.str(name)), w.line(receiver), 0)
	}
	w.children(n)
}

// kotlinObjectLiteral records object : Base(x) { … } as the construction of
// its base.
func kotlinObjectLiteral(w *walk, n node) {
	kotlinBases(w, n, "")
	body := w.child(n, "class_body")
	bases := 0
	for spec := range w.named(w.child(n, "delegation_specifiers")) {
		for c := range w.named(spec) {
			if typ := w.child(c, "user_type"); w.is(c, "user_type") {
				thisIn(w, body, w.line(c), c)
				bases++
			} else if typ >= 0 {
				thisIn(w, body, w.line(typ), c)
				bases++
			}
		}
	}
	if bases == 0 {
		thisIn(w, body, "Any", n)
	}
	w.visit(body)
}

// kotlinDelegation records this(…) and super(…) of a secondary constructor.
func kotlinDelegation(w *walk, n node) {
	args := w.child(n, "value_arguments")
	w.call(code.CallSuper, n, w.child(n, "this", "super"), none, kotlinArgs(w, args))
	w.children(n)
}
