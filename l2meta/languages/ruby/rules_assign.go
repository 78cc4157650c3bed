package ruby

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// assign declares constants, and classes that a call such as Struct.new creates. It records the
// values that are assigned to variables.
func assign(w *syntax.Walk, n syntax.Node) {
	left, right := w.Field(n, "left"), w.Field(n, "right")
	switch w.Kind(left) {
	case "constant", "scope_resolution":
		if w.Encloser < 0 || inClass(w) || inGroup(w) {
			constantAssign(w, n, left, right)
			return
		}
	case "identifier":
		bindOne(w, left)
		for _, value := range outcomes(w, right, nil) {
			w.Fact(code.FactAssign, w.Encloser, w.Str(left), w.Line(value), left)
		}
	case "instance_variable", "class_variable", "global_variable":
		holds := holdsIn(w, n)
		for _, value := range outcomes(w, right, nil) {
			w.Fact(code.FactAssign, classOf(w), w.Str(left), w.Line(value), left)
			w.Out.Facts[len(w.Out.Facts)-1].Scope = holds
		}
	case "call":
		setter(w, left)
	default:
		w.Visit(left)
	}
	w.Visit(right)
}

// holdsIn returns the range of code that only runs after assignment n, which is the rest of the
// innermost list of statements around n. It returns the empty range if n may be skipped, as in
// "@x = a if b", "b && @x = a" and "@x ||= a".
func holdsIn(w *syntax.Walk, n syntax.Node) [2]int {
	if w.Is(n, "operator_assignment") {
		return [2]int{}
	}
	for at := n; at >= 0; at = w.Parent(at) {
		switch w.Kind(w.Parent(at)) {
		case "body_statement", "block_body", "then", "else", "do", "begin", "ensure", "program":
			return [2]int{w.End(n), w.End(w.Parent(at))}
		case "assignment", "argument_list", "call", "return", "if", "unless", "case", "parenthesized_statements":
		default:
			return [2]int{}
		}
	}
	return [2]int{}
}

// maxOutcomes bounds the number of possible values that are recorded for one assignment.
const maxOutcomes = 8

// outcomes appends to list the expressions to which n may evaluate: the last ones in the branches
// of if, unless and case, and n itself if it has no branches. If there are more than maxOutcomes,
// it appends n itself instead.
func outcomes(w *syntax.Walk, n syntax.Node, list []syntax.Node) []syntax.Node {
	var parts []syntax.Node
	switch w.Kind(n) {
	case "if", "unless", "elsif", "conditional":
		parts = append(parts, w.Field(n, "consequence"), w.Field(n, "alternative"))
	case "case":
		for c := range w.Named(n) {
			if w.Is(c, "when", "else") {
				parts = append(parts, c)
			}
		}
	case "when":
		parts = append(parts, w.Field(n, "body"))
	case "then", "else", "begin", "parenthesized_statements":
		last := syntax.None
		for c := range w.Named(n) {
			last = c
		}
		parts = append(parts, last)
	}
	before := len(list)
	for _, p := range parts {
		if p > 0 {
			list = outcomes(w, p, list)
		}
	}
	if len(list) == before || len(list) > maxOutcomes {
		return append(list[:before], n)
	}
	return list
}

// setter records x.y on the left of an assignment as a call of "y=".
func setter(w *syntax.Walk, left syntax.Node) {
	method := w.Field(left, "method")
	at := len(w.Out.Calls)
	w.Visit(left)
	for i := at; i < len(w.Out.Calls); i++ {
		if c := &w.Out.Calls[i]; c.NameSpan == w.Span(method) && c.Kind == code.CallPlain {
			c.Callee, c.Args = c.Callee+"=", 1
		}
	}
}

func bindOne(w *syntax.Walk, n syntax.Node) {
	st := w.State.(*state)
	st.locals[len(st.locals)-1][w.Str(n)] = true
}

// targets declares the constants, and records the local variables, on the left of a multiple
// assignment.
func targets(w *syntax.Walk, n syntax.Node) {
	for c := range w.Named(n) {
		switch w.Kind(c) {
		case "identifier":
			bindOne(w, c)
			w.Fact(code.FactVar, w.Encloser, w.Str(c), rubyUnknown, c)
		case "instance_variable", "class_variable":
			w.Fact(code.FactAssign, classOf(w), w.Str(c), rubyUnknown, c)
		case "call":
			setter(w, c)
		case "constant":
			w.Declare(syntax.Decl{Kind: code.KindConstant, Node: w.Parent(n), Name: c, Exported: true})
		case "rest_assignment", "destructured_left_assignment":
			bind(w, c)
		default:
			w.Visit(c)
		}
	}
}

// classOf returns the class or module around the current symbol, or -1.
func classOf(w *syntax.Walk) int {
	for i := w.Encloser; i >= 0; i = w.Out.Symbols[i].Parent {
		if k := w.Out.Symbols[i].Kind; k == code.KindClass || k == code.KindModule {
			return i
		}
	}
	return -1
}

// definesMethods reports whether right is "Name.new(…) do" with methods in its block. Then Name
// is a class that makes classes, as Struct does.
func definesMethods(w *syntax.Walk, right, block syntax.Node) bool {
	if block < 0 || w.Str(w.Field(right, "method")) != "new" ||
		!w.Is(w.Field(right, "receiver"), "constant", "scope_resolution") {
		return false
	}
	for c := range w.Named(w.Field(block, "body")) {
		if w.Is(c, "method", "singleton_method") {
			return true
		}
	}
	return false
}

func constantAssign(w *syntax.Walk, n, left, right syntax.Node) {
	d := named(w, code.KindConstant, n, left)
	if d.Name < 0 {
		w.Children(n)
		return
	}
	block := w.Field(right, "block")
	maker := w.Str(w.Field(right, "receiver")) + "." + w.Str(w.Field(right, "method"))
	switch maker {
	case "Struct.new", "Data.define", "OpenStruct.new", "Class.new":
		d.Kind, d.Body = code.KindClass, max(block, 0)
	case "Module.new":
		d.Kind, d.Body = code.KindModule, max(block, 0)
	default:
		if definesMethods(w, right, block) {
			d.Kind, d.Body = code.KindClass, block
		}
	}
	s := w.Declare(d)
	if d.Kind == code.KindConstant {
		w.Fact(code.FactAssign, w.Encloser, w.Str(d.Name), w.Line(right), d.Name)
		w.Inside(s, right)
		return
	}
	// Struct.new, or Options.new of a class Options that extends Struct
	if maker != "Class.new" && maker != "Module.new" {
		w.Fact(code.FactBase, s, "", w.Str(w.Field(right, "receiver")), right)
	}
	st := w.State.(*state)
	outer, visibility := w.Encloser, st.visibility
	w.Encloser, st.visibility = s, ""
	w.Call(code.CallPlain, right, w.Field(right, "method"), w.Field(right, "receiver"),
		rubyArgs(w, w.Field(right, "arguments")))
	for a := range w.Named(w.Field(right, "arguments")) {
		switch {
		case strings.HasPrefix(maker, "Class") && w.Is(a, "constant", "scope_resolution"):
			w.Fact(code.FactBase, s, "", w.Line(a), a)
		case w.Is(a, "simple_symbol"):
			fromSymbol(w, a, a, code.KindProperty)
		default:
			w.Visit(a)
		}
	}
	w.Encloser, st.visibility = outer, visibility
	body(w, s, w.Field(block, "body"))
}
