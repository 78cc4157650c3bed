package l2meta

import (
	"strings"

	"sextant/internal/code"
)

// elixirRules declares modules, protocols, functions and macros. In Elixir's
// grammar everything is a call; the target's name tells what it declares.
func elixirRules() *rules {
	return &rules{
		comments: []string{"comment"},
		handlers: map[string]handler{"call": elixirCall, "unary_operator": elixirAttribute},
	}
}

func elixirCall(w *walk, n node) {
	target := w.str(w.field(n, "target"))
	arguments := w.child(n, "arguments")
	first := elixirFirst(w, arguments)
	switch target {
	case "defmodule", "defprotocol", "defimpl":
		elixirModule(w, n, target, first)
	case "def", "defp", "defmacro", "defmacrop", "defdelegate", "defguard", "defguardp":
		elixirFunction(w, n, target, first)
	case "defstruct", "defexception":
		if w.encloser >= 0 {
			w.declare(decl{kind: code.KindStruct, node: n, text: "__struct__", name: w.field(n, "target"), exported: true})
		}
	case "alias", "import", "require", "use":
		w.addImport(n, code.Import{Module: w.line(first)})
	case "test", "describe":
		if !w.is(first, "string") {
			w.children(n)
			return
		}
		s := w.declare(decl{kind: code.KindTest, node: n, name: first, text: unquote(w.str(first)), body: w.child(n, "do_block")})
		w.inside(s, w.child(n, "do_block"))
	default:
		elixirPlainCall(w, n, arguments)
	}
}

func elixirFirst(w *walk, arguments node) node {
	for c := range w.named(arguments) {
		return c
	}
	return none
}

func elixirPlainCall(w *walk, n, arguments node) {
	args := 0
	for range w.named(arguments) {
		args++
	}
	switch target := w.field(n, "target"); w.kind(target) {
	case "identifier":
		w.call(code.CallPlain, n, target, none, args)
	case "dot":
		w.call(code.CallPlain, n, w.field(target, "right"), w.field(target, "left"), args)
	}
	w.children(n)
}

func elixirModule(w *walk, n node, keyword string, name node) {
	if name < 0 {
		w.children(n)
		return
	}
	d := decl{kind: code.KindModule, node: n, name: name, body: w.child(n, "do_block"), exported: true, doc: elixirDoc(w, n)}
	switch keyword {
	case "defprotocol":
		d.kind = code.KindInterface
	case "defimpl":
		d.text = w.line(w.child(n, "arguments"))
	}
	s := w.declare(d)
	w.inside(s, d.body)
}

// elixirFunction reads "def name(args) when guard, do: …" and its shorter forms.
func elixirFunction(w *walk, n node, keyword string, head node) {
	if w.is(head, "binary_operator") && w.is(w.field(head, "left"), "call", "identifier") {
		head = w.field(head, "left") // the guard stands right of "when"
	}
	name := head
	if w.is(head, "call") {
		name = w.field(head, "target")
	}
	if name < 0 || w.is(name, "unary_operator", "binary_operator", "unquote") {
		w.children(n)
		return
	}
	d := decl{kind: code.KindFunction, node: n, name: name, body: w.child(n, "do_block"), exported: !strings.HasSuffix(keyword, "p"), doc: elixirDoc(w, n)}
	if strings.HasPrefix(keyword, "defmacro") {
		d.kind = code.KindMacro
	}
	for p := range w.named(w.child(head, "arguments")) {
		d.parameters = append(d.parameters, code.Parameter{Name: w.line(p)})
	}
	s := w.declare(d)
	w.inside(s, w.child(w.child(n, "arguments"), "keywords"), d.body)
}

// elixirAttribute declares module attributes that hold values; @doc and its
// like belong to what follows them.
func elixirAttribute(w *walk, n node) {
	attribute := w.field(n, "operand")
	if !w.has(n, "@") || !w.is(attribute, "call") {
		w.children(n)
		return
	}
	name := w.field(attribute, "target")
	switch w.str(name) {
	case "doc", "moduledoc", "typedoc", "spec", "impl", "behaviour", "derive", "callback", "macrocallback":
		return
	case "type", "typep", "opaque":
		if head := w.find(w.child(attribute, "arguments"), "identifier"); head >= 0 {
			w.declare(decl{kind: code.KindType, node: n, name: head, exported: w.str(name) != "typep"})
		}
		return
	}
	if w.encloser >= 0 && !w.out.Symbols[w.encloser].Kind.Callable() {
		w.declare(decl{kind: code.KindConstant, node: n, name: name})
	}
}

// elixirDoc is the text of the @doc among the attributes right above n, or of
// the @moduledoc inside it.
func elixirDoc(w *walk, n node) string {
	if body := w.child(n, "do_block"); w.str(w.field(n, "target")) == "defmodule" && body >= 0 {
		for c := range w.named(body) {
			if text, ok := elixirDocText(w, c, "moduledoc"); ok {
				return text
			}
		}
		return ""
	}
	doc := ""
	for c := range w.named(w.parent(n)) {
		if c == n {
			return doc
		}
		if text, ok := elixirDocText(w, c, "doc"); ok {
			doc = text
		} else if !w.is(c, "unary_operator") {
			doc = ""
		}
	}
	return ""
}

func elixirDocText(w *walk, n node, attribute string) (string, bool) {
	call := w.field(n, "operand")
	if !w.is(n, "unary_operator") || w.str(w.field(call, "target")) != attribute {
		return "", false
	}
	return strings.TrimSpace(w.str(w.find(call, "quoted_content"))), true
}
