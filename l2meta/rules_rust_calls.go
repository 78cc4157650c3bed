package l2meta

import "sextant/internal/code"

func rustCall(w *walk, n node) {
	fn, args := w.field(n, "function"), w.field(n, "arguments")
	count := 0
	for a := range w.named(args) {
		if !w.is(a, "attribute_item") {
			count++
		}
	}
	value := false // (x.f)() calls what the field holds
	for w.is(fn, "generic_function", "parenthesized_expression") {
		if value = value || w.is(fn, "parenthesized_expression"); w.is(fn, "generic_function") {
			fn = w.field(fn, "function")
			continue
		}
		inner := none
		for inner = range w.named(fn) {
			break
		}
		fn = inner
	}
	switch w.kind(fn) {
	case "identifier", "self", "metavariable":
		w.call(code.CallPlain, n, fn, none, count)
	case "scoped_identifier":
		w.call(code.CallPlain, n, w.field(fn, "name"), w.field(fn, "path"), count)
	case "field_expression":
		receiver := w.field(fn, "value")
		if value {
			receiver = fn
		}
		w.call(code.CallPlain, n, w.field(fn, "field"), receiver, count)
	}
	w.children(n)
}

// rustStructLiteral records T { … } as the construction of a T; with ..base
// the number of fields is not known.
func rustStructLiteral(w *walk, n node) {
	name, receiver := rustSplit(w, w.field(n, "name"))
	count := 0
	for f := range w.named(w.field(n, "body")) {
		if w.is(f, "base_field_initializer") {
			count = -1
			break
		}
		count++
	}
	w.call(code.CallNew, n, name, receiver, count)
	w.visit(w.field(n, "body"))
}

func rustMacroCall(w *walk, n node) {
	name, receiver := rustSplit(w, w.field(n, "macro"))
	tree := w.child(n, "token_tree")
	w.call(code.CallMacro, n, name, receiver, rustTreeArgs(w, tree))
	if p := w.parent(n); w.is(p, "source_file", "declaration_list") && w.has(tree, "{") {
		rustTokenItems(w, tree, rustImplOwner(w, n))
		return
	}
	rustTokens(w, tree)
}

// rustTreeArgs counts what commas part at the top of a token tree.
func rustTreeArgs(w *walk, tree node) int {
	count, open := 0, false
	for t := range w.tree.children(tree) {
		switch {
		case t == tree+1 || node(w.nodes[t].next) == node(w.nodes[tree].next) || w.isComment(t):
		case w.is(t, ","):
			open = false
		case !open:
			open = true
			count++
		}
	}
	return count
}
