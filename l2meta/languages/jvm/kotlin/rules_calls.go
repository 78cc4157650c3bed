package kotlin

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/languages/jvm/facts"
	"sextant/l2meta/syntax"
)

// kotlinArgs returns the number of arguments in a list, or -1 if an array is spread: f(*xs).
func kotlinArgs(w *syntax.Walk, list syntax.Node) (count int) {
	for a := range w.Named(list) {
		if w.Child(a, "spread_expression") >= 0 {
			return -1
		}
		count++
	}
	return count
}

// kotlinCall records f(x), r.f(x), and calls with a trailing lambda, which counts as one more
// argument.
func kotlinCall(w *syntax.Walk, n syntax.Node) {
	fn, args := syntax.Node(n+1), kotlinArgs(w, w.Child(n, "value_arguments"))
	if w.Child(n, "annotated_lambda") >= 0 {
		lambda := 1
		// The tree of f(x) { … } is a call whose function is the call f(x).
		if w.Is(fn, "call_expression") && w.Child(fn, "annotated_lambda") < 0 {
			w.Children(fn)
			args = kotlinArgs(w, w.Child(fn, "value_arguments"))
			fn = fn + 1
			callOf(w, n, fn, max(args+lambda, -1), args < 0)
			visitAfter(w, n, n+1)
			return
		}
		callOf(w, n, fn, args+lambda, args < 0)
	} else {
		callOf(w, n, fn, args, args < 0)
	}
	w.Children(n)
}

// visitAfter visits the children of n after its child c.
func visitAfter(w *syntax.Walk, n, c syntax.Node) {
	w.VisitRange(syntax.Node(w.Nodes[c].Next), syntax.Node(w.Nodes[n].Next))
}

func callOf(w *syntax.Walk, site, fn syntax.Node, args int, spread bool) {
	if spread {
		args = -1
	}
	fn = functionOf(w, fn)
	name, receiver := kotlinCallee(w, fn)
	if name < 0 || w.Has(fn, "::") {
		return
	}
	kind := code.CallPlain
	if w.Is(receiver, "super_expression") {
		kind = code.CallSuper
	}
	w.CallAs(kind, site, name, facts.Bare(w.Str(name)), w.Line(receiver), args)
	passes(w, site, name)
}

// passes records the arguments of the call site as text; name is the node of the callee's name. A
// function literal after the parentheses stays after them: (1) { x -> }.
func passes(w *syntax.Walk, site, name syntax.Node) {
	if w.Is(site, "binary_expression") { // the grammar parses f<T> { … } and f<T>(x) as two comparisons
		inner := w.Field(site, "left")
		last := w.After(w.After(inner))
		types := "<" + w.Line(w.Field(inner, "right")) + ">"
		if w.Is(last, "lambda_literal") {
			facts.Passes(w, name, types, nil, lambdaShort(w, last))
		} else {
			facts.Passes(w, name, types, []string{shortened(w, w.After(last+1))}, "")
		}
		return
	}
	inner := syntax.Node(site + 1) // the call f(x) inside of f(x) { … }
	if !w.Is(inner, "call_expression") || w.Child(site, "value_arguments") >= 0 {
		inner = site
	}
	behind := ""
	if lambda := w.Child(site, "annotated_lambda"); lambda >= 0 {
		behind = lambdaShort(w, w.Find(lambda, "lambda_literal"))
	}
	texts := facts.ArgumentTexts(w, w.Child(inner, "value_arguments"), func(a syntax.Node) string {
		return short(w, a)
	})
	facts.Passes(w, name, w.Line(w.Child(inner, "type_arguments")), texts, behind)
}

// lambdaShort returns the text of a function literal without its code: "{ a, b -> }".
func lambdaShort(w *syntax.Walk, lambda syntax.Node) string {
	if list := w.Child(lambda, "lambda_parameters"); list >= 0 {
		return "{ " + w.Line(list) + " -> }"
	}
	return "{}"
}

// functionOf returns the function that a call calls, without parentheses around it and without the
// prefix operator that the grammar includes: f in !f(x).
func functionOf(w *syntax.Walk, fn syntax.Node) syntax.Node {
	for {
		switch {
		case w.Is(fn, "parenthesized_expression"):
			fn = w.After(fn + 1)
		case w.Is(fn, "unary_expression") && w.Is(fn+1, "!", "-", "+"):
			fn = w.After(fn + 1)
		default:
			return fn
		}
	}
}

// short returns the text of an argument without parts that do not affect its type. If the
// argument is passed by name, the text begins with "name = ".
func short(w *syntax.Walk, a syntax.Node) string {
	name, value := "", syntax.Node(a+1)
	if eq := w.Child(a, "="); eq >= 0 {
		name, value = facts.Bare(w.Str(w.Child(a, "identifier")))+" = ", w.After(eq)
	}
	return name + shortened(w, value)
}

// shortened returns the text of an expression, without parts that do not affect its type: the
// content of strings, the code of function literals, and in a long text the arguments of calls.
func shortened(w *syntax.Walk, n syntax.Node) string {
	switch w.Kind(n) {
	case "lambda_literal":
		return lambdaShort(w, n)
	case "object_literal":
		if made := w.Find(w.Child(n, "delegation_specifiers"), "user_type"); made >= 0 {
			return "it as " + w.Line(made)
		}
		return "Any()"
	case "string_literal", "multiline_string_literal":
		return `""`
	}
	if text := w.Line(n); len(text) <= facts.MaxArgumentText {
		return text
	}
	return outline(w, n, false)
}

// outline returns the text of a chain of calls without comments and without the code of function
// literals: a.f(x).g {} for a.f(x).g { it.h() }. If whole is set, arguments keep the parts that affect
// types; otherwise each becomes "?". It returns other expressions as written.
func outline(w *syntax.Walk, n syntax.Node, whole bool) string {
	var out strings.Builder
	writeOutline(w, &out, n, whole)
	return out.String()
}

func writeOutline(w *syntax.Walk, out *strings.Builder, n syntax.Node, whole bool) {
	if !w.Is(n, "call_expression", "navigation_expression", "unary_expression") {
		out.WriteString(w.Line(n))
		return
	}
	for c := range w.Tree.Children(n) {
		switch {
		case w.Is(c, "value_arguments"):
			texts := facts.ArgumentTexts(w, c, func(a syntax.Node) string {
				if whole {
					return short(w, a)
				}
				return "?"
			})
			out.WriteString("(" + strings.Join(texts, ", ") + ")")
		case w.Is(c, "annotated_lambda"):
			out.WriteString(" " + lambdaShort(w, w.Find(c, "lambda_literal")))
		case !w.IsComment(c):
			writeOutline(w, out, c, whole)
		}
	}
}

// kotlinCallee returns the name of the function in an expression that is called, and the receiver:
// f and a.b for a.b.f. The name is None for other expressions.
func kotlinCallee(w *syntax.Walk, fn syntax.Node) (name, receiver syntax.Node) {
	switch w.Kind(fn) {
	case "identifier":
		return fn, syntax.None
	case "navigation_expression":
		name = syntax.None
		for c := range w.Named(fn) {
			if w.Is(c, "identifier") && c != fn+1 {
				name = c
			}
		}
		return name, fn + 1
	}
	return syntax.None, syntax.None
}

// infix records a f b, the call of an infix function. The grammar also parses "value class T" after an
// annotation on the same line as such a call; infix declares it as a class.
func infix(w *syntax.Walk, n syntax.Node) {
	left := syntax.Node(n + 1)
	name := w.After(left)
	if w.Says(name, "class") {
		d := syntax.Decl{Kind: code.KindClass, Node: n, Name: w.After(name), Modifiers: []string{w.Line(left)},
			Exported: !w.InCallable()}
		if w.Is(d.Name, "identifier") {
			w.Declare(d)
		}
		return
	}
	if w.Is(name, "identifier") {
		w.CallAs(code.CallPlain, n, name, facts.Bare(w.Str(name)), w.Line(left), 1)
		facts.Passes(w, name, "", []string{shortened(w, w.After(name))}, "")
	}
	w.Children(n)
}

// binary records the generic calls r.f<T>(x) and r.f<T> { … }, which the grammar parses as
// two comparisons, ((r.f < T) > (x)).
func binary(w *syntax.Walk, n syntax.Node) {
	inner, last := w.Field(n, "left"), w.Field(n, "right")
	if w.Is(inner, "binary_expression") && w.Is(last, "parenthesized_expression", "lambda_literal") && w.Has(n, ">") &&
		w.Has(inner, "<") {
		fn, typ := w.Field(inner, "left"), w.Field(inner, "right")
		if w.Is(typ, "identifier", "navigation_expression") && w.Is(fn, "identifier", "navigation_expression") {
			callOf(w, n, fn, 1, false)
		}
	}
	w.Children(n)
}

// reference records ::f as a reference, and navigation records r::f. They skip ::class, which is no
// function.
func reference(w *syntax.Walk, n syntax.Node) {
	name := syntax.None
	for c := range w.Named(n) {
		name = c
	}
	if w.Is(name, "identifier") && !w.Says(name, "class") {
		w.CallAs(code.CallReference, n, name, facts.Bare(w.Str(name)), "", 0)
		give(w, n, name)
	}
	w.Children(n)
}

func navigation(w *syntax.Walk, n syntax.Node) {
	name, receiver := kotlinCallee(w, n)
	if w.Has(n, "::") && name >= 0 && !w.Says(name, "class") {
		w.CallAs(code.CallReference, n, name, facts.Bare(w.Str(name)), w.Line(receiver), 0)
		give(w, n, name)
	} else {
		access(w, n, name, receiver)
	}
	w.Children(n)
}

// objectLiteral records object : Base(x) { … } as the construction of its base.
func objectLiteral(w *syntax.Walk, n syntax.Node) {
	kotlinBases(w, n, "")
	body := w.Child(n, "class_body")
	bases := 0
	for spec := range w.Named(w.Child(n, "delegation_specifiers")) {
		for c := range w.Named(spec) {
			if typ := w.Child(c, "user_type"); w.Is(c, "user_type") {
				facts.ThisIn(w, body, w.Line(c), c)
				bases++
			} else if typ >= 0 {
				facts.ThisIn(w, body, w.Line(typ), c)
				bases++
			}
		}
	}
	if bases == 0 {
		facts.ThisIn(w, body, "Any", n)
	}
	w.Visit(body)
}

// delegation records this(…) and super(…) of a secondary constructor.
func delegation(w *syntax.Walk, n syntax.Node) {
	args := w.Child(n, "value_arguments")
	w.Call(code.CallSuper, n, w.Child(n, "this", "super"), syntax.None, kotlinArgs(w, args))
	w.Children(n)
}
