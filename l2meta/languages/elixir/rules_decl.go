package elixir

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

func module(w *syntax.Walk, n syntax.Node, keyword string, name syntax.Node) {
	if name < 0 {
		w.Children(n)
		return
	}
	d := syntax.Decl{Kind: code.KindModule, Node: n, Name: name, Body: w.Child(n, "do_block"), Exported: true,
		Doc: doc(w, n)}
	d.Text = strings.TrimPrefix(strings.TrimPrefix(w.Line(name), "__MODULE__."), "Elixir.")
	switch keyword {
	case "defprotocol":
		d.Kind = code.KindInterface
	case "defimpl":
		d.Text, d.Modifiers = w.Line(name), []string{absolute}
		if _, of, ok := strings.Cut(w.Line(w.Child(n, "arguments")), "for: "); ok {
			d.Text += "." + of // the module's name is the protocol's, with the type: P.T for defimpl P, for: T
		} else if w.Encloser >= 0 && len(w.Out.Symbols[w.Encloser].Name) < maxName {
			d.Text += "." + w.Out.Symbols[w.Encloser].Name
		}
	}
	w.State.(*state).clauses[w.Encloser] = clause{symbol: -1}
	s := w.Declare(d)
	if keyword == "defimpl" {
		w.Fact(code.FactImpl, s, "", w.Line(name), name)
	}
	w.Inside(s, d.Body)
}

// absolute is the modifier of a module whose name does not begin with the name of the enclosing
// module: defimpl P, for: T declares P.T anywhere.
const absolute = "defimpl"

// clause describes the function whose last clause was read. keyword is def, defp, defmacro or
// defmacrop, and symbol is the index of the function's symbol.
type clause struct {
	name, keyword string
	arity, symbol int
}

// function declares the function of "def name(args) when guard, do: …" and of its shorter forms. A
// further clause of the function extends it:
//
//	def f(:a), do: 1
//	def f(x), do: x
func function(w *syntax.Walk, n syntax.Node, keyword string, head syntax.Node) {
	guard := syntax.None
	if w.Is(head, "binary_operator") && w.Has(head, "when") {
		head, guard = w.Field(head, "left"), w.Field(head, "right")
	}
	name := head
	switch w.Kind(head) {
	case "call":
		name = w.Field(head, "target")
	case "binary_operator", "unary_operator":
		name = w.Field(head, "operator") // an operator: def left + right
	}
	computed := w.Is(name, "call") && w.Says(w.Field(name, "target"), "unquote")
	if name < 0 || w.Is(name, "call", "dot") && !computed {
		w.Children(n)
		return
	}
	arguments, keywords := w.Child(head, "arguments"), w.Child(w.Child(n, "arguments"), "keywords")
	d := syntax.Decl{Kind: code.KindFunction, Node: n, Name: name, Body: w.Child(n, "do_block"),
		Exported: !strings.HasSuffix(keyword, "p"), Doc: doc(w, n), Parameters: parameters(w, arguments)}
	if strings.HasPrefix(keyword, "defmacro") || strings.HasPrefix(keyword, "defguard") {
		d.Kind = code.KindMacro
	}
	if d.Body < 0 && keyword != "defdelegate" {
		d.Body = keywords
	}
	d.Body = max(d.Body, 0)
	if computed {
		d.Text = computedName(w, name)
	}
	state, this := w.State.(*state), clause{name: w.Head(name), keyword: keyword, arity: len(d.Parameters)}
	last, found := state.clauses[w.Encloser]
	if this.symbol = last.symbol; found && last == this {
		extend(w, this.symbol, d)
	} else {
		this.symbol = w.Declare(d)
	}
	state.clauses[w.Encloser] = this
	if keyword == "defdelegate" {
		delegate(w, n, this, name, keywords)
		return
	}
	w.Inside(this.symbol, arguments, guard, keywords, w.Child(n, "do_block"))
}

// computedName returns the name of the function of def unquote(:name)(x). For any other unquote it returns the text of
// the unquote: no call finds such a function, but its own calls are recorded.
func computedName(w *syntax.Walk, unquote syntax.Node) string {
	if atom := w.FirstNamed(w.Child(unquote, "arguments")); w.Is(atom, "atom") {
		return strings.TrimPrefix(w.Head(atom), ":")
	}
	return w.Line(unquote)
}

// extend adds the clause d to the function of symbol s.
func extend(w *syntax.Walk, s int, d syntax.Decl) {
	f, end := &w.Out.Symbols[s], w.End(d.Node)
	f.Span = w.Lines.Span(f.Span.StartByte, end)
	switch {
	case f.Body[1] > 0:
		f.Body[1] = end
	case d.Body > 0: // the function's first declaration is a head with defaults, which has no body
		f.Body = [2]int{w.Start(d.Body), end}
	}
}

func parameters(w *syntax.Walk, arguments syntax.Node) (out []code.Parameter) {
	for p := range w.Named(arguments) {
		if w.Is(p, "binary_operator") && w.Has(p, `\\`) {
			out = append(out, code.Parameter{Name: w.Line(w.Field(p, "left")), Default: w.Line(w.Field(p, "right"))})
			continue
		}
		out = append(out, code.Parameter{Name: w.Line(p)})
	}
	return out
}

// delegate records the call that defdelegate f(x), to: M, as: :g makes.
func delegate(w *syntax.Walk, n syntax.Node, f clause, name, keywords syntax.Node) {
	to := syntax.None
	callee := f.name
	for pair := range w.Named(keywords) {
		switch value := w.Field(pair, "value"); {
		case isKey(w, pair, "to"):
			to = value
		case isKey(w, pair, "as"):
			callee, name = strings.Trim(w.Head(value), `:"`), value
		}
	}
	if to < 0 || callee == "" {
		return
	}
	w.Out.Calls = append(w.Out.Calls,
		code.Call{Kind: code.CallPlain, Callee: callee, Receiver: w.Line(to), Args: f.arity,
			Caller: f.symbol, Span: w.Span(n), NameSpan: w.Span(name)})
}

// isKey reports whether a pair of a keyword list has the given key: the pair do: f(x) has "do".
func isKey(w *syntax.Walk, pair syntax.Node, key string) bool {
	return strings.TrimSpace(w.Head(w.Field(pair, "key"))) == key+":"
}

// unread lists the attributes whose values are types, and so contain no calls.
var unread = []string{"spec", "type", "typep", "opaque", "callback", "macrocallback"}

// plain lists the attributes that the language and its libraries define. They declare no
// constants.
var plain = []string{"doc", "moduledoc", "typedoc", "behaviour", "impl", "derive", "deprecated", "since", "tag",
	"moduletag", "describetag", "dialyzer", "compile", "external_resource", "before_compile",
	"after_compile", "on_load",
	"on_definition", "enforce_keys", "optional_callbacks", "fallback_to_any", "protocol", "for"}

// attribute declares module attributes with values. It keeps @doc and similar attributes for the
// next declaration.
func attribute(w *syntax.Walk, n syntax.Node) {
	attribute := w.Field(n, "operand")
	if !w.Is(attribute, "call") {
		w.Children(n)
		return
	}
	name := w.Field(attribute, "target")
	value := w.FirstNamed(w.Child(attribute, "arguments"))
	switch keyword := w.Head(name); {
	case slices.Contains(unread, keyword):
		declareType(w, n, attribute, keyword)
		return
	case keyword == "doc":
		if text, ok := docText(w, n, "doc"); ok {
			w.State.(*state).pending = pending{parent: w.Parent(n), text: text}
		}
	case keyword == "behaviour":
		w.Fact(code.FactImpl, w.Encloser, "", moduleText(w, value), n)
	case !slices.Contains(plain, keyword) && w.Encloser >= 0 && !w.Out.Symbols[w.Encloser].Kind.Callable():
		w.Declare(syntax.Decl{Kind: code.KindConstant, Node: n, Name: name})
		held := "?"
		if namesModule(w, value) {
			held = moduleText(w, value)
		}
		w.Fact(code.FactAssign, w.Encloser, "@"+keyword, held, n)
	}
	w.Children(w.Child(attribute, "arguments"))
}

// moduleText returns the name of a module as written, without an unquote around it. In a quote,
// __MODULE__ is the module into which the quote is inserted. unquote(__MODULE__) is the module
// around the quote; moduleText returns its full name.
func moduleText(w *syntax.Walk, n syntax.Node) string {
	text := w.Line(n)
	inner, unquoted := strings.CutPrefix(text, "unquote(")
	if !unquoted {
		return text
	}
	if inner = strings.TrimSuffix(inner, ")"); inner != "__MODULE__" {
		return inner
	}
	for at := w.Encloser; at >= 0; at = w.Out.Symbols[at].Parent {
		if s := &w.Out.Symbols[at]; s.Kind == code.KindModule || s.Kind == code.KindInterface {
			return "Elixir." + s.QualifiedName
		}
	}
	return inner
}

// declareType declares types, and the functions that a behaviour requires.
func declareType(w *syntax.Walk, n, attribute syntax.Node, keyword string) {
	switch arguments := w.Child(attribute, "arguments"); keyword {
	case "callback", "macrocallback":
		callback(w, n, arguments)
	case "type", "typep", "opaque":
		if head := w.Find(arguments, "identifier"); head >= 0 {
			w.Declare(syntax.Decl{Kind: code.KindType, Node: n, Name: head, Exported: keyword != "typep"})
		}
	}
}

// callback declares a function that a behaviour requires: @callback name(type) :: type.
func callback(w *syntax.Walk, n, arguments syntax.Node) {
	head := w.FirstNamed(arguments)
	for w.Is(head, "binary_operator") { // skips "when" and "::"
		head = w.Field(head, "left")
	}
	name := w.Field(head, "target")
	if !w.Is(head, "call") || !w.Is(name, "identifier") {
		return
	}
	d := syntax.Decl{Kind: code.KindMethod, Node: n, Name: name, Exported: true, Doc: doc(w, n)}
	for p := range w.Named(w.Child(head, "arguments")) {
		d.Parameters = append(d.Parameters, code.Parameter{Type: w.Line(p)})
	}
	w.Declare(d)
}

// pending is the text of the last @doc, for the next definition in the block parent.
type pending struct {
	parent syntax.Node
	text   string
}

// doc returns the text of the @doc above n, or of the @moduledoc inside n; "" if there is none.
// Definitions are visited in document order, so doc remembers the last @doc. To search back for
// it would be quadratic in modules with many functions.
func doc(w *syntax.Walk, n syntax.Node) string {
	state := w.State.(*state)
	above := state.pending
	state.pending = pending{}
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
	if above.parent != w.Parent(n) {
		return ""
	}
	return above.text
}

func docText(w *syntax.Walk, n syntax.Node, attribute string) (string, bool) {
	call := w.Field(n, "operand")
	if !w.Is(n, "unary_operator") || !w.Says(w.Field(call, "target"), attribute) {
		return "", false
	}
	return strings.TrimSpace(w.Str(w.Find(call, "quoted_content"))), true
}
