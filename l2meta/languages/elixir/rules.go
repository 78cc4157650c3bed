package elixir

import (
	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// rules declares modules, protocols, functions and macros. In Elixir's grammar all of these are
// calls; the name of the call's target determines the kind of declaration.
func rules() *syntax.Rules {
	return &syntax.Rules{
		Comments: []string{"comment"},
		File:     func(w *syntax.Walk, _ syntax.Node) { w.State = &state{clauses: map[int]clause{}} },
		Handlers: map[string]syntax.Handler{
			"call": call, "unary_operator": unary, "binary_operator": binary, "tuple": dependency,
		},
	}
}

// state is the data that the rules keep while they walk one file.
type state struct {
	pending pending
	clauses map[int]clause // the last function read in each enclosing symbol
}

// keywords lists special forms and macros of Kernel that control the flow or the compiler. Their
// calls are not recorded.
var keywords = map[string]bool{
	"if": true, "unless": true, "case": true, "cond": true, "with": true, "for": true, "receive": true, "try": true,
	"super": true, "defoverridable": true, "__MODULE__": true, "__ENV__": true, "__DIR__": true, "__CALLER__": true,
	"__STACKTRACE__": true, "__block__": true, "__aliases__": true,
}

func call(w *syntax.Walk, n syntax.Node) {
	target := w.Field(n, "target")
	if !w.Is(target, "identifier") {
		plainCall(w, n, target)
		return
	}
	keyword := w.Head(target)
	first := w.FirstNamed(w.Child(n, "arguments"))
	switch keyword {
	case "defmodule", "defprotocol", "defimpl":
		module(w, n, keyword, first)
	case "def", "defp", "defmacro", "defmacrop", "defdelegate", "defguard", "defguardp":
		function(w, n, keyword, first)
	case "defstruct", "defexception":
		if w.Encloser >= 0 {
			w.Declare(syntax.Decl{Kind: code.KindStruct, Node: n, Text: "__struct__", Name: target, Exported: true})
		}
		w.Children(n)
	case "alias", "import", "require", "use":
		imports(w, n, keyword, first)
	case "quote":
		quotation(w, n)
	case "unquote", "unquote_splicing":
		w.Fact(code.FactBlock, w.Encloser, "", "unquote", n)
		w.Children(n)
	case "test", "describe", "property":
		test(w, n, first)
	default:
		if keywords[keyword] {
			w.Children(n)
			return
		}
		plainCall(w, n, target)
	}
}

func test(w *syntax.Walk, n, name syntax.Node) {
	if !w.Is(name, "string") {
		w.Children(n)
		return
	}
	body := w.Child(n, "do_block")
	s := w.Declare(syntax.Decl{Kind: code.KindTest, Node: n, Name: name, Text: syntax.Unquote(w.Str(name)), Body: body})
	w.Inside(s, w.Child(n, "arguments"), body)
}

// quotation records the code of a quote: do: …, or do … end. The options before that code, as in
// quote bind_quoted: [x: f()], are evaluated where the quote is written.
func quotation(w *syntax.Walk, n syntax.Node) {
	for pair := range w.Named(w.Child(w.Child(n, "arguments"), "keywords")) {
		if isKey(w, pair, "do") {
			w.Fact(code.FactBlock, w.Encloser, "", "quote", w.Field(pair, "value"))
		}
	}
	w.Fact(code.FactBlock, w.Encloser, "", "quote", w.Child(n, "do_block"))
	w.Children(n)
}

// plainCall records f(x), M.f(x) and M.f, and visits the parts. It does not record user.name, which
// reads a field, and fun.(x), which calls an anonymous function.
func plainCall(w *syntax.Walk, n, target syntax.Node) {
	arguments := w.Child(n, "arguments")
	args := count(w, arguments)
	if args >= 0 && w.Child(n, "do_block") >= 0 {
		args++ // the block is one more argument: [do: …]
	}
	if p := w.Parent(n); args >= 0 && w.Is(p, "binary_operator") && w.Has(p, "|>") && w.Field(p, "right") == n {
		args++ // the piped argument
	}
	switch w.Kind(target) {
	case "identifier":
		w.Call(code.CallPlain, n, target, syntax.None, args)
	case "dot":
		left := w.Field(target, "left")
		if right := w.Field(target, "right"); w.Is(right, "identifier") && (arguments >= 0 || namesModule(w, left)) {
			w.Call(code.CallPlain, n, right, left, args)
		}
	}
	w.Children(n)
}

// count returns the number of arguments; -1 if unquote_splicing(…) hides it.
func count(w *syntax.Walk, arguments syntax.Node) (args int) {
	for a := range w.Named(arguments) {
		if w.Is(a, "call") && w.Says(w.Field(a, "target"), "unquote_splicing") {
			return -1
		}
		args++
	}
	return args
}

// namesModule reports whether an expression is a module's name: A.B, :lists, __MODULE__, __MODULE__.A.
func namesModule(w *syntax.Walk, n syntax.Node) bool {
	switch w.Kind(n) {
	case "alias", "atom":
		return true
	case "identifier":
		return w.Says(n, "__MODULE__")
	case "dot":
		return w.Is(w.Field(n, "right"), "alias")
	}
	return false
}

// binary records a pipe into a name: x |> f.
func binary(w *syntax.Walk, n syntax.Node) {
	if right := w.Field(n, "right"); w.Is(right, "identifier") && w.Has(n, "|>") && !keywords[w.Head(right)] {
		w.Call(code.CallPlain, n, right, syntax.None, 1)
	}
	w.Children(n)
}

// unary records attributes, and the captures &f/1 and &M.f/1.
func unary(w *syntax.Walk, n syntax.Node) {
	operand := w.Field(n, "operand")
	switch {
	case w.Has(n, "@"):
		attribute(w, n)
		return
	case w.Has(n, "&") && w.Is(operand, "binary_operator") && w.Has(operand, "/"):
		if capture(w, n, w.Field(operand, "left"), w.Head(w.Field(operand, "right"))) {
			return
		}
	}
	w.Children(n)
}

func capture(w *syntax.Walk, n, callee syntax.Node, arity string) bool {
	args := 0
	for _, digit := range arity {
		if digit < '0' || digit > '9' || args > maxArity {
			return false
		}
		args = 10*args + int(digit-'0')
	}
	target := w.Field(callee, "target")
	switch {
	case w.Is(callee, "identifier"):
		w.Call(code.CallReference, n, callee, syntax.None, args)
	case w.Is(target, "dot") && w.Child(callee, "arguments") < 0 && w.Is(w.Field(target, "right"), "identifier"):
		w.Call(code.CallReference, n, w.Field(target, "right"), w.Field(target, "left"), args)
		w.Children(target)
	default:
		return false
	}
	return true
}

// maxArity is the greatest arity of a function in Erlang.
const maxArity = 255
