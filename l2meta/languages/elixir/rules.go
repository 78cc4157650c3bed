package elixir

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// rules declares modules, protocols, functions and macros. In Elixir's grammar all of these are
// calls; the name of the call's target determines the kind of declaration.
func rules() *syntax.Rules {
	return &syntax.Rules{
		Comments: []string{"comment"},
		Handlers: map[string]syntax.Handler{"call": call, "unary_operator": attribute},
	}
}

func call(w *syntax.Walk, n syntax.Node) {
	target := w.Str(w.Field(n, "target"))
	arguments := w.Child(n, "arguments")
	first := first(w, arguments)
	switch target {
	case "defmodule", "defprotocol", "defimpl":
		module(w, n, target, first)
	case "def", "defp", "defmacro", "defmacrop", "defdelegate", "defguard", "defguardp":
		function(w, n, target, first)
	case "defstruct", "defexception":
		if w.Encloser >= 0 {
			w.Declare(syntax.Decl{Kind: code.KindStruct, Node: n, Text: "__struct__", Name: w.Field(n, "target"), Exported: true})
		}
	case "alias", "import", "require", "use":
		elixirImport(w, n, target, first)
	case "test", "describe":
		if !w.Is(first, "string") {
			w.Children(n)
			return
		}
		s := w.Declare(syntax.Decl{Kind: code.KindTest, Node: n, Name: first, Text: syntax.Unquote(w.Str(first)), Body: w.Child(n, "do_block")})
		w.Inside(s, w.Child(n, "do_block"))
	default:
		plainCall(w, n, arguments)
	}
}

// elixirImport records "alias A.B, as: C" and "alias A.{B, C}".
func elixirImport(w *syntax.Walk, n syntax.Node, target string, first syntax.Node) {
	module := w.Line(first)
	if head, names, ok := strings.Cut(module, ".{"); ok {
		for _, name := range strings.Split(strings.TrimSuffix(names, "}"), ",") {
			w.AddImport(n, code.Import{Module: head + "." + strings.TrimSpace(name)})
		}
		return
	}
	i := code.Import{Module: module}
	for pair := range w.Named(w.Child(w.Child(n, "arguments"), "keywords")) {
		if strings.TrimSpace(w.Str(w.Field(pair, "key"))) == "as:" {
			i.Alias = w.Line(w.Field(pair, "value"))
		}
	}
	if target == "import" || target == "use" {
		i.Name = "*"
	}
	w.AddImport(n, i)
}

func first(w *syntax.Walk, arguments syntax.Node) syntax.Node {
	for c := range w.Named(arguments) {
		return c
	}
	return syntax.None
}

func plainCall(w *syntax.Walk, n, arguments syntax.Node) {
	args := 0
	for range w.Named(arguments) {
		args++
	}
	if p := w.Parent(n); w.Has(p, "|>") && w.Field(p, "right") == n {
		args++ // the piped argument
	}
	switch target := w.Field(n, "target"); w.Kind(target) {
	case "identifier":
		w.Call(code.CallPlain, n, target, syntax.None, args)
	case "dot":
		if arguments < 0 && w.Is(w.Field(target, "left"), "identifier") {
			break // user.name reads a field
		}
		w.Call(code.CallPlain, n, w.Field(target, "right"), w.Field(target, "left"), args)
	}
	w.Children(n)
}

func module(w *syntax.Walk, n syntax.Node, keyword string, name syntax.Node) {
	if name < 0 {
		w.Children(n)
		return
	}
	d := syntax.Decl{Kind: code.KindModule, Node: n, Name: name, Body: w.Child(n, "do_block"), Exported: true, Doc: doc(w, n)}
	switch keyword {
	case "defprotocol":
		d.Kind = code.KindInterface
	case "defimpl":
		if _, of, ok := strings.Cut(w.Line(w.Child(n, "arguments")), "for: "); ok {
			d.Text = w.Line(name) + "." + of // the module that it declares
		}
	}
	s := w.Declare(d)
	if keyword == "defimpl" {
		w.Fact(code.FactImpl, s, "", w.Line(name), name)
	}
	w.Inside(s, d.Body)
}

// function declares the function of "def name(args) when guard, do: …" and of its shorter forms.
func function(w *syntax.Walk, n syntax.Node, keyword string, head syntax.Node) {
	if w.Is(head, "binary_operator") && w.Is(w.Field(head, "left"), "call", "identifier") {
		head = w.Field(head, "left") // the guard is on the right of "when"
	}
	name := head
	if w.Is(head, "call") {
		name = w.Field(head, "target")
	}
	if name < 0 || w.Is(name, "unary_operator", "binary_operator", "unquote") {
		w.Children(n)
		return
	}
	d := syntax.Decl{Kind: code.KindFunction, Node: n, Name: name, Body: w.Child(n, "do_block"), Exported: !strings.HasSuffix(keyword, "p"), Doc: doc(w, n)}
	if strings.HasPrefix(keyword, "defmacro") {
		d.Kind = code.KindMacro
	}
	for p := range w.Named(w.Child(head, "arguments")) {
		name, value, _ := strings.Cut(w.Line(p), " \\\\ ")
		d.Parameters = append(d.Parameters, code.Parameter{Name: name, Default: value})
	}
	s := w.Declare(d)
	w.Inside(s, w.Child(w.Child(n, "arguments"), "keywords"), d.Body)
}

// attribute declares module attributes with values. It keeps @doc and similar attributes for the
// next declaration.
func attribute(w *syntax.Walk, n syntax.Node) {
	attribute := w.Field(n, "operand")
	if !w.Has(n, "@") || !w.Is(attribute, "call") {
		w.Children(n)
		return
	}
	name := w.Field(attribute, "target")
	switch w.Str(name) {
	case "doc":
		if text, ok := docText(w, n, "doc"); ok {
			w.State = pending{parent: w.Parent(n), text: text}
		}
		return
	case "callback", "macrocallback":
		callback(w, n, attribute)
		return
	case "behaviour":
		w.Fact(code.FactImpl, w.Encloser, "", w.Line(first(w, w.Child(attribute, "arguments"))), n)
		return
	case "moduledoc", "typedoc", "spec", "impl", "derive", "deprecated", "since", "tag", "moduletag", "describetag", "dialyzer", "compile",
		"external_resource", "before_compile", "after_compile", "on_load", "enforce_keys", "optional_callbacks", "fallback_to_any":
		return
	case "type", "typep", "opaque":
		if head := w.Find(w.Child(attribute, "arguments"), "identifier"); head >= 0 {
			w.Declare(syntax.Decl{Kind: code.KindType, Node: n, Name: head, Exported: !w.Says(name, "typep")})
		}
		return
	}
	if w.Encloser >= 0 && !w.Out.Symbols[w.Encloser].Kind.Callable() {
		w.Declare(syntax.Decl{Kind: code.KindConstant, Node: n, Name: name})
	}
}

// callback declares a function that a behaviour requires.
func callback(w *syntax.Walk, n, attribute syntax.Node) {
	head := w.Find(w.Child(attribute, "arguments"), "call")
	name := w.Field(head, "target")
	if !w.Is(name, "identifier") {
		return
	}
	d := syntax.Decl{Kind: code.KindMethod, Node: n, Name: name, Exported: true, Doc: doc(w, n)}
	for p := range w.Named(w.Child(head, "arguments")) {
		d.Parameters = append(d.Parameters, code.Parameter{Type: w.Line(p)})
	}
	w.Declare(d)
}

// pending is the last @doc read, for the next definition in the same block.
type pending struct {
	parent syntax.Node
	text   string
}

// doc returns the text of the @doc above n, or of the @moduledoc inside it. Definitions are visited
// in document order, so the last @doc is remembered. Searching back would be quadratic in modules
// with many functions.
func doc(w *syntax.Walk, n syntax.Node) string {
	pending, _ := w.State.(pending)
	w.State = nil
	if body := w.Child(n, "do_block"); body >= 0 && w.Says(w.Field(n, "target"), "defmodule") {
		for c := range w.Named(body) {
			if text, ok := docText(w, c, "moduledoc"); ok {
				return text
			}
			if !w.Is(c, "unary_operator") {
				break
			}
		}
		return ""
	}
	if pending.parent != w.Parent(n) {
		return ""
	}
	return pending.text
}

func docText(w *syntax.Walk, n syntax.Node, attribute string) (string, bool) {
	call := w.Field(n, "operand")
	if !w.Is(n, "unary_operator") || w.Str(w.Field(call, "target")) != attribute {
		return "", false
	}
	return strings.TrimSpace(w.Str(w.Find(call, "quoted_content"))), true
}
