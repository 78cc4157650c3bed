package rules

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

func call(w *syntax.Walk, n syntax.Node) {
	fn, args := w.Field(n, "function"), w.Field(n, "arguments")
	if loads(w, n, fn, args) {
		return
	}
	if w.Is(fn, "await_expression") {
		fn = w.FirstNamed(fn) // the grammar parses await f<T>(x) as (await f)<T>(x)
	}
	kind := code.CallPlain
	name, receiver := callee(w, fn)
	if w.Is(name, "super") || w.Is(receiver, "super") {
		kind = code.CallSuper
	}
	w.Call(kind, n, name, receiver, tsArgs(w, args))
	elideReceiver(w, receiver)
	misread(w, w.Out.Calls, name, receiver)
	references(w, args)
	w.Visit(fn)
	w.Visit(w.Field(n, "type_arguments"))
	if test(w, n, fn, args) {
		return
	}
	route(w, n, fn, args)
	visitArguments(w, fn, args)
}

// loads records the module that require("m") or import("m") loads without binding it to a name. It
// reports whether n is such a call.
func loads(w *syntax.Walk, n, fn, args syntax.Node) bool {
	if w.Is(fn, "import") {
		if arg := w.FirstNamed(args); w.Is(arg, "string") {
			w.AddImport(n, code.Import{Module: syntax.Unquote(w.Str(arg))})
			return true
		}
		w.Visit(args)
		return true
	}
	module, ok := required(w, n)
	if ok {
		w.AddImport(n, code.Import{Module: module})
	}
	return ok
}

// memberAccess records a read or an assignment of x.name, because either may run an accessor. It
// skips callees and decorators.
func memberAccess(w *syntax.Walk, n syntax.Node) {
	parent, name, x := w.Parent(n), w.Field(n, "property"), w.Field(n, "object")
	left := func() bool { return w.Field(parent, "left") == n }
	switch {
	case w.Is(parent, "call_expression") && w.Field(parent, "function") == n,
		w.Is(parent, "new_expression", "decorator", "class_heritage"):
	case w.Is(parent, "assignment_expression") && left():
		w.Access(name, x, true)
	case w.Is(parent, "augmented_assignment_expression") && left(), w.Is(parent, "update_expression"):
		w.Access(name, x, false)
		w.Access(name, x, true)
	default:
		w.Access(name, x, false)
	}
	misread(w, w.Out.Accesses, name, x)
	w.Children(n)
}

// misread corrects the receiver of the last call or access in sites, if its name is at the node
// name. The grammar reads !a!.b as (!a)!.b, and x && !a!.b as (x && !a)!.b, but the receiver is the
// last operand, a!.
func misread(w *syntax.Walk, sites []code.Call, name, receiver syntax.Node) {
	start := syntax.None
	at := receiver
	for range maxSpine {
		switch w.Kind(at) {
		case "member_expression", "subscript_expression":
			at = w.Field(at, "object")
		case "call_expression":
			at = w.Field(at, "function")
		case "non_null_expression":
			at = w.FirstNamed(at)
		case "unary_expression":
			at = w.Field(at, "argument")
			start = at
		case "binary_expression":
			at = w.Field(at, "right")
			start = at
		default:
			at = syntax.None
		}
		if at < 0 {
			break
		}
	}
	if last := len(sites) - 1; start >= 0 && last >= 0 && sites[last].NameSpan.StartByte == w.Start(name) {
		sites[last].Receiver = syntax.OneLine(w.Text[w.Start(start):w.End(receiver)])
	}
}

// maxSpine is the largest number of links of a receiver, such as a.b().c, that misread follows.
const maxSpine = 16

// callee returns the last name of a callee and its receiver: f and a.b for a.b.f.
func callee(w *syntax.Walk, fn syntax.Node) (name, receiver syntax.Node) {
	for {
		fn = unwrap(w, fn)
		switch w.Kind(fn) {
		case "identifier", "super":
			return fn, syntax.None
		case "member_expression":
			return w.Field(fn, "property"), w.Field(fn, "object")
		case "subscript_expression":
			if i := w.Field(fn, "index"); w.Is(i, "string") {
				return w.Child(i, "string_fragment"), w.Field(fn, "object")
			}
			return syntax.None, syntax.None
		case "instantiation_expression", "non_null_expression":
			fn = w.FirstNamed(fn)
		case "sequence_expression": // a callee in parentheses: (0, f)(x)
			last := syntax.None
			for c := range w.Named(fn) {
				last = c
			}
			fn = last
		default:
			return syntax.None, syntax.None
		}
	}
}

// tsArgs returns the number of arguments; -1 if there is a spread, f(...xs). A tagged template
// passes one argument for its strings and one for each substitution.
func tsArgs(w *syntax.Walk, args syntax.Node) (count int) {
	if w.Is(args, "template_string") {
		count = 1
		for c := range w.Named(args) {
			if w.Is(c, "template_substitution") {
				count++
			}
		}
		return count
	}
	for a := range w.Named(args) {
		if w.Is(a, "spread_element") {
			return -1
		}
		count++
	}
	return count
}

func references(w *syntax.Walk, args syntax.Node) {
	for a := range w.Named(args) {
		reference(w, a)
	}
}

// reference records a value that may be a function passed as an argument.
func reference(w *syntax.Walk, value syntax.Node) {
	if !w.Is(value, "identifier", "member_expression") {
		return
	}
	if name, receiver := callee(w, value); name >= 0 {
		t := ts(w)
		t.refs = append(t.refs, syntax.Reference{Site: value, Name: name, Receiver: receiver, Caller: w.Encloser})
	}
}

func tsNew(w *syntax.Walk, n syntax.Node) {
	args := w.Field(n, "arguments")
	name, receiver := callee(w, w.Field(n, "constructor"))
	w.Call(code.CallNew, n, name, receiver, tsArgs(w, args))
	references(w, args)
	w.Visit(w.Field(n, "constructor"))
	w.Visit(w.Field(n, "type_arguments"))
	visitArguments(w, w.Field(n, "constructor"), args)
}

// jsxElement records <Name …> as a call of the component Name with its properties. A lower-case
// name is an element of HTML, <div>, and no component.
func jsxElement(w *syntax.Walk, n syntax.Node) {
	name, receiver := callee(w, w.Field(n, "name"))
	if text := w.Str(name); receiver >= 0 || text != "" && (text[0] < 'a' || text[0] > 'z') {
		w.Call(code.CallPlain, n, name, receiver, 1)
	}
	for a := range w.All(n, "attribute") {
		for v := range w.Named(a) {
			if w.Is(v, "jsx_expression") {
				reference(w, w.FirstNamed(v))
				giveAttribute(w, w.Field(n, "name"), w.FirstNamed(a), w.FirstNamed(v))
			}
		}
	}
	w.Children(n)
}

// tsDecorators records decorators as calls. The decorated symbol counts as the caller.
func tsDecorators(w *syntax.Walk, s int, decorators []syntax.Node) {
	outer := w.Encloser
	w.Encloser = s
	for _, d := range decorators {
		applied, args := w.FirstNamed(d), 0
		fn := applied
		if w.Is(applied, "call_expression") {
			fn, args = w.Field(applied, "function"), tsArgs(w, w.Field(applied, "arguments"))
		}
		name, receiver := callee(w, fn)
		w.Call(code.CallDecorator, applied, name, receiver, args)
		if fn != applied {
			references(w, w.Field(applied, "arguments"))
			w.Visit(receiver)
			visitArguments(w, fn, w.Field(applied, "arguments"))
		}
	}
	w.Encloser = outer
}

// test declares a test in a test file: describe("title", () => …) and the like, as in Jest, Mocha,
// Vitest and Node's test runner. It returns false if the call n declares none.
func test(w *syntax.Walk, n, fn, args syntax.Node) bool {
	if !ts(w).test || !testFunction(w, fn) {
		return false
	}
	title, body := w.FirstNamed(args), syntax.None
	for a := range w.Named(args) {
		if isFunction(w, a) {
			body = a
		}
	}
	text := strings.Trim(w.Line(title), "\"'`")
	if !w.Is(title, "string", "template_string") || body < 0 || text == "" {
		return false
	}
	params := w.Field(body, "parameters")
	s := w.Declare(syntax.Decl{
		Kind: code.KindTest, Node: n, Name: title, Text: text, Body: max(w.Field(body, "body"), 0),
		Parameters: tsParameters(w, params, w.Field(body, "parameter")), Modifiers: modifiers(w, body),
	})
	w.Out.Symbols[s].Signature = w.Line(fn) + "(" + w.Line(title) + ")"
	for a := range w.Named(args) {
		if a != body {
			w.Visit(a)
		}
	}
	inside(w, s, inFunction(w, body, -1))
	functionParts(w, s, body, -1, "")
	return true
}

// testFunction reports whether fn is a function that declares tests: it, it.only, test.each(…).
func testFunction(w *syntax.Walk, fn syntax.Node) bool {
	for w.Is(fn, "member_expression", "call_expression") {
		if inner := w.Field(fn, "object"); inner >= 0 {
			fn = inner
		} else {
			fn = w.Field(fn, "function")
		}
	}
	switch w.Str(fn) {
	case "it", "test", "describe", "context", "suite", "specify":
		return w.Is(fn, "identifier")
	}
	return false
}
