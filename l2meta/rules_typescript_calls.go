package l2meta

import (
	"strings"

	"sextant/internal/code"
)

func tsCall(w *walk, n node) {
	fn, args := w.field(n, "function"), w.field(n, "arguments")
	if tsLoads(w, n, fn, args) {
		return
	}
	if w.is(fn, "await_expression") {
		fn = w.firstNamed(fn) // the grammar reads await f<T>(x) as (await f)<T>(x)
	}
	kind := code.CallPlain
	name, receiver := tsCallee(w, fn)
	if w.is(name, "super") || w.is(receiver, "super") {
		kind = code.CallSuper
	}
	w.call(kind, n, name, receiver, tsArgs(w, args))
	tsReferences(w, args)
	w.visit(fn)
	w.visit(w.field(n, "type_arguments"))
	if tsTest(w, n, fn, args) {
		return
	}
	tsVisitArguments(w, fn, args)
}

// tsLoads reads require("m") and import("m") that nothing binds.
func tsLoads(w *walk, n, fn, args node) bool {
	if w.is(fn, "import") {
		if arg := w.firstNamed(args); w.is(arg, "string") {
			w.addImport(n, code.Import{Module: unquote(w.str(arg))})
			return true
		}
		w.visit(args)
		return true
	}
	module, ok := tsRequired(w, n)
	if ok {
		w.addImport(n, code.Import{Module: module})
	}
	return ok
}

// tsCallee is the last name of a callee and what stands before it.
func tsCallee(w *walk, fn node) (name, receiver node) {
	for {
		fn = tsUnwrap(w, fn)
		switch w.kind(fn) {
		case "identifier", "super":
			return fn, none
		case "member_expression":
			return w.field(fn, "property"), w.field(fn, "object")
		case "subscript_expression":
			if i := w.field(fn, "index"); w.is(i, "string") {
				return w.child(i, "string_fragment"), w.field(fn, "object")
			}
			return none, none
		case "instantiation_expression", "non_null_expression":
			fn = w.firstNamed(fn)
		case "sequence_expression": // (0, f)(x)
			last := none
			for c := range w.named(fn) {
				last = c
			}
			fn = last
		default:
			return none, none
		}
	}
}

// tsArgs counts arguments; -1 with a spread. A tagged template passes its
// strings as one, and one for each substitution.
func tsArgs(w *walk, args node) (count int) {
	if w.is(args, "template_string") {
		count = 1
		for c := range w.named(args) {
			if w.is(c, "template_substitution") {
				count++
			}
		}
		return count
	}
	for a := range w.named(args) {
		if w.is(a, "spread_element") {
			return -1
		}
		count++
	}
	return count
}

func tsReferences(w *walk, args node) {
	for a := range w.named(args) {
		tsReference(w, a)
	}
}

// tsReference notes a value that may be a function handed over.
func tsReference(w *walk, value node) {
	if !w.is(value, "identifier", "member_expression") {
		return
	}
	if name, receiver := tsCallee(w, value); name >= 0 {
		t := ts(w)
		t.refs = append(t.refs, reference{value, name, receiver, w.encloser})
	}
}

func tsNew(w *walk, n node) {
	args := w.field(n, "arguments")
	name, receiver := tsCallee(w, w.field(n, "constructor"))
	w.call(code.CallNew, n, name, receiver, tsArgs(w, args))
	tsReferences(w, args)
	w.visit(w.field(n, "constructor"))
	w.visit(w.field(n, "type_arguments"))
	tsVisitArguments(w, w.field(n, "constructor"), args)
}

// tsElement reads <Name …>: it calls the component with its properties.
// Elements in lower case are the platform's.
func tsElement(w *walk, n node) {
	name, receiver := tsCallee(w, w.field(n, "name"))
	if text := w.str(name); receiver >= 0 || text != "" && (text[0] < 'a' || text[0] > 'z') {
		w.call(code.CallPlain, n, name, receiver, 1)
	}
	for a := range w.all(n, "attribute") {
		for v := range w.named(a) {
			if w.is(v, "jsx_expression") {
				tsReference(w, w.firstNamed(v))
				tsGiveAttribute(w, w.field(n, "name"), w.firstNamed(a), w.firstNamed(v))
			}
		}
	}
	w.children(n)
}

// tsDecorators records decorators as calls of the symbol that they stand on.
func tsDecorators(w *walk, s int, decorators []node) {
	outer := w.encloser
	w.encloser = s
	for _, d := range decorators {
		applied, args := w.firstNamed(d), 0
		fn := applied
		if w.is(applied, "call_expression") {
			fn, args = w.field(applied, "function"), tsArgs(w, w.field(applied, "arguments"))
		}
		name, receiver := tsCallee(w, fn)
		w.call(code.CallDecorator, applied, name, receiver, args)
		if fn != applied {
			tsReferences(w, w.field(applied, "arguments"))
			w.visit(receiver)
			tsVisitArguments(w, fn, w.field(applied, "arguments"))
		}
	}
	w.encloser = outer
}

// tsTest declares the tests of a test file: describe("title", () => …) and its
// like, as Jest, Mocha, Vitest and Node's runner have them.
func tsTest(w *walk, n, fn, args node) bool {
	if !ts(w).test || !tsTestFunction(w, fn) {
		return false
	}
	title, body := w.firstNamed(args), none
	for a := range w.named(args) {
		if tsIsFunction(w, a) {
			body = a
		}
	}
	text := strings.Trim(w.line(title), "\"'`")
	if !w.is(title, "string", "template_string") || body < 0 || text == "" {
		return false
	}
	params := w.field(body, "parameters")
	s := w.declare(decl{
		kind: code.KindTest, node: n, name: title, text: text, body: max(w.field(body, "body"), 0),
		parameters: tsParameters(w, params, w.field(body, "parameter")), modifiers: tsModifiers(w, body),
	})
	w.out.Symbols[s].Signature = w.line(fn) + "(" + w.line(title) + ")"
	for a := range w.named(args) {
		if a != body {
			w.visit(a)
		}
	}
	tsInside(w, s, tsInFunction(w, body, -1))
	tsFunctionParts(w, s, body, -1, "")
	return true
}

// tsTestFunction reports whether fn is it, it.only, test.each(…) and so on.
func tsTestFunction(w *walk, fn node) bool {
	for w.is(fn, "member_expression", "call_expression") {
		if inner := w.field(fn, "object"); inner >= 0 {
			fn = inner
		} else {
			fn = w.field(fn, "function")
		}
	}
	switch w.str(fn) {
	case "it", "test", "describe", "context", "suite", "specify":
		return w.is(fn, "identifier")
	}
	return false
}
