package golang

import (
	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

func goValue(w *syntax.Walk, n syntax.Node) {
	kind := code.KindVariable
	if w.Is(n, "const_spec") {
		kind = code.KindConstant
	}
	from, first, values := group(w, n), -1, len(w.Out.Facts)
	for name := range w.All(n, "name") {
		if !w.Is(name, "identifier") || w.Encloser >= 0 {
			continue
		}
		s := w.Declare(syntax.Decl{Kind: kind, Node: n, Name: name, From: from, Exported: goExported(w.Str(name))})
		if first < 0 {
			first = s
		}
	}
	goValues(w, n)
	if w.Encloser >= 0 {
		visible(w, w.Out.Facts[values:], n)
		takeAll(w, w.Field(n, "value"))
		w.Children(n)
		return
	}
	w.As(first, func() { takeAll(w, w.Field(n, "value")) })
	w.Inside(first, w.Field(n, "type"), w.Field(n, "value"))
}

// goValues records the type or the value of each name of a declaration. A constant without type
// and value repeats those of the last preceding constant that has any.
func goValues(w *syntax.Walk, n syntax.Node) {
	var names []syntax.Node
	for name := range w.All(n, "name") {
		if w.Is(name, "identifier") {
			names = append(names, name)
		}
	}
	typ, value := w.Field(n, "type"), w.Field(n, "value")
	if w.Is(n, "const_spec") {
		typ, value = constant(w, n, typ, value)
	}
	if typ >= 0 {
		for _, name := range names {
			w.Fact(code.FactVar, w.Encloser, w.Str(name), text(w, typ), name)
		}
		return
	}
	assign(w, names, value)
}

// stated is the last constant with a type or a value. The walk remembers it, because thousands of
// constants without either may follow and a backward search from each would be slow.
type stated struct{ group, typ, value syntax.Node }

// constant returns the type and the value of a constant: its own, or those of the last constant of
// its group that has any.
func constant(w *syntax.Walk, n, typ, value syntax.Node) (syntax.Node, syntax.Node) {
	state := stateOf(w)
	last := state.stated
	switch {
	case typ >= 0 || value >= 0:
		state.stated = stated{w.Parent(n), typ, value}
	case last.group == w.Parent(n):
		return last.typ, last.value
	}
	return typ, value
}

// assign records names := values. If a single call has several results, each name gets one of them.
func assign(w *syntax.Walk, names []syntax.Node, values syntax.Node) {
	var right []syntax.Node
	for e := range w.Named(values) {
		right = append(right, e)
	}
	for i, name := range names {
		switch {
		case !w.Is(name, "identifier") || len(right) == 0:
		case i < len(right) && (len(right) > 1 || i == 0):
			w.Fact(code.FactAssign, w.Encloser, w.Str(name), text(w, right[i]), name)
		default:
			w.Fact(code.FactAssign, w.Encloser, w.Str(name), code.PartMarker(i).After(text(w, right[0])), name)
		}
	}
}

// names returns the operands of one side of an assignment.
func names(w *syntax.Walk, left syntax.Node) (out []syntax.Node) {
	for name := range w.Named(left) {
		out = append(out, name)
	}
	return out
}

func shortVar(w *syntax.Walk, n syntax.Node) {
	facts := len(w.Out.Facts)
	assign(w, names(w, w.Field(n, "left")), w.Field(n, "right"))
	visible(w, w.Out.Facts[facts:], n)
	takeAll(w, w.Field(n, "right"))
	w.Children(n)
}

// goLiteral records the parameters of a function literal as local variables of its body.
func goLiteral(w *syntax.Walk, n syntax.Node) {
	signature(w, w.Encloser, n)
	w.Children(n)
}

// goRange records the variables of for k, v := range e: k has a key of e, v an element.
func goRange(w *syntax.Walk, n syntax.Node) {
	if w.Has(n, ":=") {
		facts := len(w.Out.Facts)
		markers := []code.Marker{code.MarkKey, code.MarkEach}
		for i, name := range names(w, w.Field(n, "left")) {
			if i < len(markers) && w.Is(name, "identifier") {
				w.Fact(code.FactAssign, w.Encloser, w.Str(name), markers[i].After(text(w, w.Field(n, "right"))), name)
			}
		}
		visible(w, w.Out.Facts[facts:], n)
	}
	take(w, w.Field(n, "right")) // for row := range table.rows, where rows is a method that yields
	w.Children(n)
}

// typeSwitch declares the variable of a type switch, v in switch v := x.(type), in each clause:
// with the type of the clause if it has one, otherwise with the value of x.
func typeSwitch(w *syntax.Walk, n syntax.Node) {
	alias := w.Child(w.Field(n, "alias"), "identifier")
	for clause := range w.Named(n) {
		if alias < 0 || !w.Is(clause, "type_case", "default_case") {
			continue
		}
		facts := len(w.Out.Facts)
		var types []syntax.Node
		for t := range w.All(clause, "type") {
			if w.IsNamed(t) {
				types = append(types, t)
			}
		}
		if len(types) == 1 && !w.Says(types[0], "nil") {
			w.Fact(code.FactVar, w.Encloser, w.Str(alias), text(w, types[0]), clause)
		} else {
			w.Fact(code.FactAssign, w.Encloser, w.Str(alias), text(w, w.Field(n, "value")), clause)
		}
		scope(w, w.Out.Facts[facts:], w.Start(clause), w.End(clause))
	}
	w.Children(n)
}

// receive records the variables that a case of a select declares: case v, ok := <-c.
func receive(w *syntax.Walk, n syntax.Node) {
	if w.Has(n, ":=") {
		facts := len(w.Out.Facts)
		for i, name := range names(w, w.Field(n, "left")) {
			switch {
			case !w.Is(name, "identifier"):
			case i == 0:
				w.Fact(code.FactAssign, w.Encloser, w.Str(name), text(w, w.Field(n, "right")), name)
			default:
				w.Fact(code.FactVar, w.Encloser, w.Str(name), "bool", name)
			}
		}
		visible(w, w.Out.Facts[facts:], n)
	}
	w.Children(n)
}
