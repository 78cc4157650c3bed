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
		elixirImport(w, n, target, first)
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

// elixirImport reads "alias A.B, as: C" and "alias A.{B, C}".
func elixirImport(w *walk, n node, target string, first node) {
	module := w.line(first)
	if head, names, ok := strings.Cut(module, ".{"); ok {
		for _, name := range strings.Split(strings.TrimSuffix(names, "}"), ",") {
			w.addImport(n, code.Import{Module: head + "." + strings.TrimSpace(name)})
		}
		return
	}
	i := code.Import{Module: module}
	for pair := range w.named(w.child(w.child(n, "arguments"), "keywords")) {
		if strings.TrimSpace(w.str(w.field(pair, "key"))) == "as:" {
			i.Alias = w.line(w.field(pair, "value"))
		}
	}
	if target == "import" || target == "use" {
		i.Name = "*"
	}
	w.addImport(n, i)
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
	if p := w.parent(n); w.has(p, "|>") && w.field(p, "right") == n {
		args++ // what is piped in
	}
	switch target := w.field(n, "target"); w.kind(target) {
	case "identifier":
		w.call(code.CallPlain, n, target, none, args)
	case "dot":
		if arguments < 0 && w.is(w.field(target, "left"), "identifier") {
			break // user.name reads a field
		}
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
		if _, of, ok := strings.Cut(w.line(w.child(n, "arguments")), "for: "); ok {
			d.text = w.line(name) + "." + of // the module that it makes
		}
	}
	s := w.declare(d)
	if keyword == "defimpl" {
		w.fact(code.FactImpl, s, "", w.line(name), name)
	}
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
		name, value, _ := strings.Cut(w.line(p), " \\\\ ")
		d.parameters = append(d.parameters, code.Parameter{Name: name, Default: value})
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
	case "doc":
		if text, ok := elixirDocText(w, n, "doc"); ok {
			w.state = elixirPending{parent: w.parent(n), text: text}
		}
		return
	case "callback", "macrocallback":
		elixirCallback(w, n, attribute)
		return
	case "behaviour":
		w.fact(code.FactImpl, w.encloser, "", w.line(elixirFirst(w, w.child(attribute, "arguments"))), n)
		return
	case "moduledoc", "typedoc", "spec", "impl", "derive", "deprecated", "since", "tag", "moduletag", "describetag", "dialyzer", "compile",
		"external_resource", "before_compile", "after_compile", "on_load", "enforce_keys", "optional_callbacks", "fallback_to_any":
		return
	case "type", "typep", "opaque":
		if head := w.find(w.child(attribute, "arguments"), "identifier"); head >= 0 {
			w.declare(decl{kind: code.KindType, node: n, name: head, exported: !w.says(name, "typep")})
		}
		return
	}
	if w.encloser >= 0 && !w.out.Symbols[w.encloser].Kind.Callable() {
		w.declare(decl{kind: code.KindConstant, node: n, name: name})
	}
}

// elixirCallback declares a function that a behaviour asks for.
func elixirCallback(w *walk, n, attribute node) {
	head := w.find(w.child(attribute, "arguments"), "call")
	name := w.field(head, "target")
	if !w.is(name, "identifier") {
		return
	}
	d := decl{kind: code.KindMethod, node: n, name: name, exported: true, doc: elixirDoc(w, n)}
	for p := range w.named(w.child(head, "arguments")) {
		d.parameters = append(d.parameters, code.Parameter{Type: w.line(p)})
	}
	w.declare(d)
}

// elixirPending is the last @doc that was met, for the next definition beside
// it.
type elixirPending struct {
	parent node
	text   string
}

// elixirDoc is the text of the @doc above n, or of the @moduledoc inside it.
// Definitions are met in document order, so the attribute is remembered rather
// than looked for: looking back is quadratic in a module of many functions.
func elixirDoc(w *walk, n node) string {
	pending, _ := w.state.(elixirPending)
	w.state = nil
	if body := w.child(n, "do_block"); body >= 0 && w.says(w.field(n, "target"), "defmodule") {
		for c := range w.named(body) {
			if text, ok := elixirDocText(w, c, "moduledoc"); ok {
				return text
			}
			if !w.is(c, "unary_operator") {
				break
			}
		}
		return ""
	}
	if pending.parent != w.parent(n) {
		return ""
	}
	return pending.text
}

func elixirDocText(w *walk, n node, attribute string) (string, bool) {
	call := w.field(n, "operand")
	if !w.is(n, "unary_operator") || w.str(w.field(call, "target")) != attribute {
		return "", false
	}
	return strings.TrimSpace(w.str(w.find(call, "quoted_content"))), true
}
