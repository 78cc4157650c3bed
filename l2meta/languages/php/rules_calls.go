package php

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// closure records the types of the parameters of a closure, whose scope is the closure. A parameter
// without a type is recorded as "?", because it shadows outer variables.
func closure(w *syntax.Walk, n syntax.Node) {
	if r, ok := stateOf(w).routes[n]; ok {
		routeClosure(w, n, r)
		return
	}
	closureParts(w, n)
}

func closureParts(w *syntax.Walk, n syntax.Node) {
	list := w.Field(n, "parameters")
	for _, p := range parameters(w, list) {
		if p.Type == "" {
			p.Type = "?"
		}
		w.Fact(code.FactVar, w.Encloser, p.Name, p.Type, list)
		phpHolds(w, n)
	}
	w.Children(n)
}

// phpHolds sets the scope of the last fact to n.
func phpHolds(w *syntax.Walk, n syntax.Node) {
	w.Out.Facts[len(w.Out.Facts)-1].Scope = [2]int{w.Start(n), w.End(n)}
}

// block records code of the enclosing function that may be skipped or repeated, as a FactBlock.
// For a loop or a try statement that is the body. For a for statement it is also the code between
// two rounds. For any other node it is the whole node n.
func block(w *syntax.Walk, n syntax.Node) {
	body := n
	if w.Is(n, "while_statement", "for_statement", "do_statement", "try_statement") {
		body = w.Field(n, "body")
	}
	note(w, n, body)
	if update := w.Field(n, "update"); update >= 0 {
		note(w, n, update)
	}
	w.Children(n)
}

// note records body, a part of the statement n, as a FactBlock that is named after the statement:
// "if", "foreach".
func note(w *syntax.Walk, n, body syntax.Node) {
	word, _, _ := strings.Cut(w.Kind(n), "_")
	w.Fact(code.FactBlock, w.Encloser, "", word, body)
}

// phpIf records the block of a condition, and the instanceof tests that hold within it:
//
//	if ($x instanceof T) { $x->run(); }   resolves to T::run
func phpIf(w *syntax.Walk, n syntax.Node) {
	body := w.Field(n, "body")
	note(w, n, body)
	instances(w, w.Field(n, "condition"), body)
	if leaves(w, body) {
		phpElse(w, n)
	}
	w.Children(n)
}

// leaves reports whether a block ends by leaving the code around it: by return, throw, continue
// or break.
func leaves(w *syntax.Walk, block syntax.Node) bool {
	last := syntax.None
	for c := range w.Named(block) {
		if !w.IsComment(c) {
			last = c
		}
	}
	if w.Is(last, "expression_statement") {
		last = w.FirstNamed(last)
	}
	return w.Is(last, "return_statement", "throw_expression", "continue_statement", "break_statement", "exit_statement")
}

// phpElse records that $x is a T after a guard such as if (!$x instanceof T) { return; }, up to
// the end of the block around the guard.
func phpElse(w *syntax.Walk, n syntax.Node) {
	denied := inner(w, w.Field(n, "condition"))
	if !w.Is(denied, "unary_op_expression") || !w.Has(denied, "!") || !w.Is(w.Parent(n), "compound_statement") {
		return
	}
	condition := inner(w, w.FirstNamed(denied))
	if !w.Has(condition, "instanceof") {
		return
	}
	before := len(w.Out.Facts)
	instances(w, condition, n)
	for i := before; i < len(w.Out.Facts); i++ {
		w.Out.Facts[i].Scope = [2]int{w.End(n), w.End(w.Parent(n))}
	}
}

// inner returns an expression without its parentheses.
func inner(w *syntax.Walk, n syntax.Node) syntax.Node {
	for w.Is(n, "parenthesized_expression") {
		n = w.FirstNamed(n)
	}
	return n
}

// instances records the tests "$x instanceof T" of a condition: in body, $x is a T.
func instances(w *syntax.Walk, condition, body syntax.Node) {
	condition = inner(w, condition)
	if body < 0 || !w.Is(condition, "binary_expression") {
		return
	}
	left, right := w.Field(condition, "left"), w.Field(condition, "right")
	switch {
	case w.Has(condition, "&&") || w.Has(condition, "and"):
		instances(w, left, body)
		instances(w, right, body)
	case w.Has(condition, "instanceof") && w.Is(left, "variable_name") && w.Is(right, "name", "qualified_name"):
		w.Fact(code.FactVar, w.Encloser, w.Str(left), w.Line(right), left)
		phpHolds(w, body)
	}
}

// choice records the instanceof tests of c in c ? a : b, which hold in a.
func choice(w *syntax.Walk, n syntax.Node) {
	instances(w, w.Field(n, "condition"), w.Field(n, "body"))
	w.Children(n)
}

// binary records the instanceof tests of a in a && b, which hold in b.
func binary(w *syntax.Walk, n syntax.Node) {
	if w.Has(n, "&&") || w.Has(n, "and") {
		instances(w, w.Field(n, "left"), w.Field(n, "right"))
	}
	w.Children(n)
}

// global records that the names in "global $a, $b" refer to global variables, as variables of the
// unknown type "?".
func global(w *syntax.Walk, n syntax.Node) {
	for c := range w.Named(n) {
		w.Fact(code.FactVar, w.Encloser, w.Str(c), "?", c)
	}
}

// says records that the value of an expression, given as text, is assigned to left: a variable, a
// list of variables or a property of $this.
func says(w *syntax.Walk, left syntax.Node, text string, at syntax.Node) {
	switch w.Kind(left) {
	case "variable_name":
		w.Fact(code.FactAssign, w.Encloser, w.Str(left), text, left)
		if closure := w.Within(left, "anonymous_function", "method_declaration", "function_definition"); w.Is(closure,
			"anonymous_function") {
			phpHolds(w, closure)
		}
	case "by_ref":
		for c := range w.Named(left) {
			says(w, c, text, at)
		}
	case "list_literal":
		saysAll(w, left, text)
	case "member_access_expression":
		if class := w.ClassAround(); class >= 0 && w.Says(w.Field(left, "object"), "$this") {
			w.Fact(code.FactAssign, class, w.Str(w.Field(left, "name")), text, left)
		}
	}
}

// saysAll records an assignment of text to a list of variables, as in [$a, 'k' => $b] = f(). Each
// variable gets a part of text, by position or by key.
func saysAll(w *syntax.Walk, list syntax.Node, text string) {
	i, key := 0, ""
	var last syntax.Node
	for c := range w.Tree.Children(list) {
		switch {
		case w.Is(c, ","):
			i++
		case w.Is(c, "=>"):
			key = syntax.Unquote(w.Line(last))
		case w.IsNamed(c) && !w.Is(w.After(c), "=>"):
			part := code.Marker(key)
			if part == "" {
				part = code.PartMarker(i)
			}
			says(w, c, part.After(text), c)
			key = ""
		}
		last = c
	}
}

func assign(w *syntax.Walk, n syntax.Node) {
	right := w.Field(n, "right")
	says(w, w.Field(n, "left"), w.Line(right), n)
	w.Children(n)
}

func foreach(w *syntax.Walk, n syntax.Node) {
	var over, each syntax.Node
	as := false
	for c := range w.Tree.Children(n) {
		switch {
		case w.Is(c, "as"):
			as = true
		case !w.IsNamed(c) || w.IsComment(c):
		case !as:
			over = c
		case each == 0:
			each = c
		}
	}
	if w.Is(each, "pair") {
		for c := range w.Named(each) {
			each = c
		}
	}
	if over > 0 && each > 0 {
		says(w, each, code.MarkEach.After(w.Line(over)), each)
	}
	note(w, n, w.Field(n, "body"))
	w.Children(n)
}

func catch(w *syntax.Walk, n syntax.Node) {
	name := w.Field(n, "name")
	if name >= 0 {
		w.Fact(code.FactVar, w.Encloser, w.Str(name), w.Line(w.Field(n, "type")), name)
		phpHolds(w, n)
	}
	note(w, n, n)
	w.Children(n)
}

// phpArgs returns the number of arguments; -1 if one of them is unpacked: f(...$xs).
func phpArgs(w *syntax.Walk, list syntax.Node) (count int) {
	for a := range w.Named(list) {
		if w.Child(a, "variadic_unpacking") >= 0 || w.Is(a, "variadic_unpacking") {
			return -1
		}
		count++
	}
	return count
}

// callOf records a call. f(...) is no call but a reference to the function f, which it records as
// such.
func callOf(w *syntax.Walk, kind code.CallKind, n, name, args syntax.Node, receiver string) {
	count := phpArgs(w, args)
	if first := w.FirstNamed(args); count == 1 &&
		(w.Is(first, "variadic_placeholder") || w.Is(first+1, "variadic_placeholder")) {
		kind, count = code.CallReference, 0
		give(w, n, w.Str(name))
	}
	w.CallAs(kind, n, name, w.Str(name), receiver, count)
}

// constructs lists parts of the language that look like calls of functions.
var constructs = map[string]bool{"isset": true, "empty": true, "eval": true, "unset": true, "exit": true, "die": true}

func call(w *syntax.Walk, n syntax.Node) {
	fn, args := w.Field(n, "function"), w.Field(n, "arguments")
	if w.Is(fn, "name", "qualified_name") && !constructs[strings.ToLower(w.Str(fn))] {
		name, receiver := phpSplit(w, fn)
		define(w, n, w.Str(fn), args)
		callOf(w, code.CallPlain, n, name, args, receiver)
	} else if w.Is(fn, "parenthesized_expression") {
		held(w, n, fn, args)
	}
	w.Children(n)
}

// define declares the constant of define("NAME", …).
func define(w *syntax.Walk, n syntax.Node, fn string, args syntax.Node) {
	if !strings.EqualFold(strings.TrimPrefix(fn, `\`), "define") {
		return
	}
	for a := range w.Named(args) {
		if name := w.Find(a, "string_content"); w.Is(a+1, "string", "encapsed_string") && name >= 0 {
			w.Declare(syntax.Decl{Kind: code.KindConstant, Node: n, Name: name, Exported: true})
		}
		return
	}
}

func memberCall(w *syntax.Walk, n syntax.Node) {
	if name := w.Field(n, "name"); w.Is(name, "name") {
		callOf(w, code.CallPlain, n, name, w.Field(n, "arguments"), w.Line(w.Field(n, "object")))
		route(w, n, w.Line(w.Field(n, "object")))
	}
	w.Children(n)
}

func scopedCall(w *syntax.Walk, n syntax.Node) {
	kind, scope := code.CallPlain, w.Line(w.Field(n, "scope"))
	if scope == "parent" {
		kind = code.CallSuper
	}
	if name := w.Field(n, "name"); w.Is(name, "name") {
		callOf(w, kind, n, name, w.Field(n, "arguments"), scope)
		route(w, n, scope)
	}
	w.Children(n)
}

// phpNew records new T(…). For an anonymous class, new class extends T {…}, it records the
// construction of the base T.
func phpNew(w *syntax.Walk, n syntax.Node) {
	args := w.Child(n, "arguments")
	for c := range w.Named(n) {
		switch {
		case w.Is(c, "name", "qualified_name", "relative_scope"):
			name, receiver := phpSplit(w, c)
			w.CallAs(code.CallNew, n, name, w.Str(name), receiver, phpArgs(w, args))
		case w.Is(c, "anonymous_class"):
			for b := range w.Named(w.Child(c, "base_clause")) {
				name, receiver := phpSplit(w, b)
				w.CallAs(code.CallNew, n, name, w.Str(name), receiver, phpArgs(w, w.Child(c, "arguments")))
			}
		}
		break
	}
	w.Children(n)
}

// array records [$this, 'name'] and [T::class, 'name'], which denote a method in PHP.
func array(w *syntax.Walk, n syntax.Node) {
	var parts []syntax.Node
	for e := range w.Named(n) {
		parts = append(parts, e+1)
		if len(parts) > 2 || w.CountNamed(e) != 1 {
			parts = nil
			break
		}
	}
	if len(parts) == 2 && w.Is(parts[1], "string", "encapsed_string") {
		object, name := w.Line(parts[0]), w.Child(parts[1], "string_content")
		class, ok := strings.CutSuffix(object, "::class")
		if (ok || object == "$this") && name >= 0 && w.CountNamed(parts[1]) == 1 {
			w.CallAs(code.CallReference, n, name, w.Str(name), class, 0)
			give(w, n, w.Str(name))
		}
	}
	w.Children(n)
}
