package rust

import (
	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

func call(w *syntax.Walk, n syntax.Node) {
	fn, args := w.Field(n, "function"), w.Field(n, "arguments")
	count := 0
	for a := range w.Named(args) {
		if !w.Is(a, "attribute_item") {
			count++
		}
	}
	value := false // whether the call is (x.f)(), which calls the value in the field f
	for w.Is(fn, "generic_function", "parenthesized_expression") {
		if value = value || w.Is(fn, "parenthesized_expression"); w.Is(fn, "generic_function") {
			fn = w.Field(fn, "function")
			continue
		}
		inner := syntax.None
		for inner = range w.Named(fn) {
			break
		}
		fn = inner
	}
	switch w.Kind(fn) {
	case "identifier", "self", "metavariable":
		w.Call(code.CallPlain, n, fn, syntax.None, count)
	case "scoped_identifier":
		w.Call(code.CallPlain, n, w.Field(fn, "name"), w.Field(fn, "path"), count)
	case "field_expression":
		receiver := w.Field(fn, "value")
		if value {
			receiver = fn
		}
		w.Call(code.CallPlain, n, w.Field(fn, "field"), receiver, count)
	}
	giveArguments(w, fn, args)
	w.Children(n)
}

// structLiteral records T { … } as the construction of a T. With ..base the number of fields is
// unknown.
func structLiteral(w *syntax.Walk, n syntax.Node) {
	name, receiver := split(w, w.Field(n, "name"))
	count := 0
	for f := range w.Named(w.Field(n, "body")) {
		if w.Is(f, "base_field_initializer") {
			count = -1
			break
		}
		count++
	}
	w.Call(code.CallNew, n, name, receiver, count)
	giveFields(w, n)
	w.Visit(w.Field(n, "body"))
}

func macroCall(w *syntax.Walk, n syntax.Node) {
	name, receiver := split(w, w.Field(n, "macro"))
	tree := w.Child(n, "token_tree")
	w.Call(code.CallMacro, n, name, receiver, treeArgs(w, tree))
	if p := w.Parent(n); w.Is(p, "source_file", "declaration_list") && w.Has(tree, "{") {
		if within := implement(w, n); !macroItems(w, tree, within) {
			tokenItems(w, tree, within)
		}
		return
	}
	rustTokens(w, tree)
}

// treeArgs returns the number of arguments in a token tree, the unparsed text in the parentheses of a macro
// call: 2 for (a, f(b, c)).
func treeArgs(w *syntax.Walk, tree syntax.Node) int {
	count, open := 0, false
	for t := range w.Tree.Children(tree) {
		switch {
		case t == tree+1 || syntax.Node(w.Nodes[t].Next) == syntax.Node(w.Nodes[tree].Next) || w.IsComment(t):
		case w.Is(t, ","):
			open = false
		case !open:
			open = true
			count++
		}
	}
	return count
}
