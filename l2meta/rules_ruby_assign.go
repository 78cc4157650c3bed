package l2meta

import (
	"strings"

	"sextant/internal/code"
)

// rubyAssign declares constants and the classes that are made by a call, and
// records what variables are assigned.
func rubyAssign(w *walk, n node) {
	left, right := w.field(n, "left"), w.field(n, "right")
	switch w.kind(left) {
	case "constant", "scope_resolution":
		if w.encloser < 0 || rubyInClass(w) {
			rubyConstantAssign(w, n, left, right)
			return
		}
	case "identifier":
		rubyBindOne(w, left)
		w.fact(code.FactAssign, w.encloser, w.str(left), w.line(right), left)
	case "instance_variable", "class_variable", "global_variable":
		w.fact(code.FactAssign, rubyClassOf(w), w.str(left), w.line(right), left)
	case "call":
		rubySetter(w, left)
	default:
		w.visit(left)
	}
	w.visit(right)
}

// rubySetter visits x.y on the left of an assignment: that calls "y=".
func rubySetter(w *walk, left node) {
	method := w.field(left, "method")
	at := len(w.out.Calls)
	w.visit(left)
	for i := at; i < len(w.out.Calls); i++ {
		if c := &w.out.Calls[i]; c.NameSpan == w.span(method) && c.Kind == code.CallPlain {
			c.Callee, c.Args = c.Callee+"=", 1
		}
	}
}

func rubyBindOne(w *walk, n node) {
	st := w.state.(*rubyState)
	st.locals[len(st.locals)-1][w.str(n)] = true
}

// rubyTargets makes locals of the names on the left of a multiple assignment,
// and constants of its constants.
func rubyTargets(w *walk, n node) {
	for c := range w.named(n) {
		switch w.kind(c) {
		case "identifier":
			rubyBindOne(w, c)
			w.fact(code.FactVar, w.encloser, w.str(c), rubyUnknown, c)
		case "instance_variable", "class_variable":
			w.fact(code.FactAssign, rubyClassOf(w), w.str(c), rubyUnknown, c)
		case "call":
			rubySetter(w, c)
		case "constant":
			w.declare(decl{kind: code.KindConstant, node: w.parent(n), name: c, exported: true})
		case "rest_assignment", "destructured_left_assignment":
			rubyBind(w, c)
		default:
			w.visit(c)
		}
	}
}

// rubyClassOf is the class or module around the current symbol, -1 without one.
func rubyClassOf(w *walk) int {
	for i := w.encloser; i >= 0; i = w.out.Symbols[i].Parent {
		if k := w.out.Symbols[i].Kind; k == code.KindClass || k == code.KindModule {
			return i
		}
	}
	return -1
}

func rubyConstantAssign(w *walk, n, left, right node) {
	d := rubyNamed(w, code.KindConstant, n, left)
	if d.name < 0 {
		w.children(n)
		return
	}
	block := w.field(right, "block")
	maker := w.str(w.field(right, "receiver")) + "." + w.str(w.field(right, "method"))
	switch maker {
	case "Struct.new", "Data.define", "OpenStruct.new", "Class.new":
		d.kind, d.body = code.KindClass, max(block, 0)
	case "Module.new":
		d.kind, d.body = code.KindModule, max(block, 0)
	}
	s := w.declare(d)
	if d.kind == code.KindConstant {
		w.fact(code.FactAssign, w.encloser, w.str(d.name), w.line(right), d.name)
		w.inside(s, right)
		return
	}
	if maker != "Class.new" && maker != "Module.new" {
		w.fact(code.FactBase, s, "", w.str(w.field(right, "receiver")), right)
	}
	st := w.state.(*rubyState)
	outer, visibility := w.encloser, st.visibility
	w.encloser, st.visibility = s, ""
	w.call(code.CallPlain, right, w.field(right, "method"), w.field(right, "receiver"), rubyArgs(w, w.field(right, "arguments")))
	for a := range w.named(w.field(right, "arguments")) {
		switch {
		case strings.HasPrefix(maker, "Class") && w.is(a, "constant", "scope_resolution"):
			w.fact(code.FactBase, s, "", w.line(a), a)
		case w.is(a, "simple_symbol"):
			rubyFromSymbol(w, a, a, code.KindProperty)
		default:
			w.visit(a)
		}
	}
	w.encloser, st.visibility = outer, visibility
	rubyBody(w, s, w.field(block, "body"))
}
