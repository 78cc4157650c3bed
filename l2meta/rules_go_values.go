package l2meta

import (
	"strconv"

	"sextant/internal/code"
)

func goValue(w *walk, n node) {
	kind := code.KindVariable
	if w.is(n, "const_spec") {
		kind = code.KindConstant
	}
	from, first, values := goGroup(w, n), -1, len(w.out.Facts)
	for name := range w.all(n, "name") {
		if !w.is(name, "identifier") || w.encloser >= 0 {
			continue
		}
		s := w.declare(decl{kind: kind, node: n, name: name, from: from, exported: goExported(w.str(name))})
		if first < 0 {
			first = s
		}
	}
	goValues(w, n)
	if w.encloser >= 0 {
		goVisible(w, w.out.Facts[values:], n)
		w.children(n)
		return
	}
	w.inside(first, w.field(n, "type"), w.field(n, "value"))
}

// goValues records the type or the value of each name of a declaration. A
// constant without either has those of the one above it.
func goValues(w *walk, n node) {
	var names []node
	for name := range w.all(n, "name") {
		if w.is(name, "identifier") {
			names = append(names, name)
		}
	}
	typ, value := w.field(n, "type"), w.field(n, "value")
	if w.is(n, "const_spec") {
		typ, value = goConstant(w, n, typ, value)
	}
	if typ >= 0 {
		for _, name := range names {
			w.fact(code.FactVar, w.encloser, w.str(name), goText(w, typ), name)
		}
		return
	}
	goAssign(w, names, value)
}

// goStated is the last constant whose type or value is written. It is kept
// through the walk: a group may have thousands of constants below it.
type goStated struct{ group, typ, value node }

// goConstant is the type and the value of a constant, its own or those of the
// last one of its group that has any.
func goConstant(w *walk, n, typ, value node) (node, node) {
	state := goStateOf(w)
	last := state.stated
	switch {
	case typ >= 0 || value >= 0:
		state.stated = goStated{w.parent(n), typ, value}
	case last.group == w.parent(n):
		return last.typ, last.value
	}
	return typ, value
}

// goAssign records names := values; the i-th name of a call with several
// results gets "e#i".
func goAssign(w *walk, names []node, values node) {
	var right []node
	for e := range w.named(values) {
		right = append(right, e)
	}
	for i, name := range names {
		switch {
		case !w.is(name, "identifier") || len(right) == 0:
		case i < len(right) && (len(right) > 1 || i == 0):
			w.fact(code.FactAssign, w.encloser, w.str(name), goText(w, right[i]), name)
		default:
			w.fact(code.FactAssign, w.encloser, w.str(name), goText(w, right[0])+"#"+strconv.Itoa(i), name)
		}
	}
}

// goNames is the operands on the left of a short declaration.
func goNames(w *walk, left node) (out []node) {
	for name := range w.named(left) {
		out = append(out, name)
	}
	return out
}

func goShortVar(w *walk, n node) {
	facts := len(w.out.Facts)
	goAssign(w, goNames(w, w.field(n, "left")), w.field(n, "right"))
	goVisible(w, w.out.Facts[facts:], n)
	w.children(n)
}

// goLiteral binds the parameters of a function literal in its body.
func goLiteral(w *walk, n node) {
	goSignature(w, w.encloser, n)
	w.children(n)
}

// goRange records for k, v := range e as assignments of "e#key" and "e#each".
func goRange(w *walk, n node) {
	if w.has(n, ":=") {
		facts := len(w.out.Facts)
		markers := []string{"#key", "#each"}
		for i, name := range goNames(w, w.field(n, "left")) {
			if i < len(markers) && w.is(name, "identifier") {
				w.fact(code.FactAssign, w.encloser, w.str(name), goText(w, w.field(n, "right"))+markers[i], name)
			}
		}
		goVisible(w, w.out.Facts[facts:], n)
	}
	w.children(n)
}

// goTypeSwitch binds the name of a type switch in each clause: to the type of
// a clause with one type, to the value itself elsewhere.
func goTypeSwitch(w *walk, n node) {
	alias := w.child(w.field(n, "alias"), "identifier")
	for clause := range w.named(n) {
		if alias < 0 || !w.is(clause, "type_case", "default_case") {
			continue
		}
		facts := len(w.out.Facts)
		var types []node
		for t := range w.all(clause, "type") {
			if w.isNamed(t) {
				types = append(types, t)
			}
		}
		if len(types) == 1 && !w.says(types[0], "nil") {
			w.fact(code.FactVar, w.encloser, w.str(alias), goText(w, types[0]), clause)
		} else {
			w.fact(code.FactAssign, w.encloser, w.str(alias), goText(w, w.field(n, "value")), clause)
		}
		goScope(w, w.out.Facts[facts:], w.start(clause), w.end(clause))
	}
	w.children(n)
}

// goReceive binds what a case of a select receives.
func goReceive(w *walk, n node) {
	if w.has(n, ":=") {
		facts := len(w.out.Facts)
		for i, name := range goNames(w, w.field(n, "left")) {
			if i == 0 && w.is(name, "identifier") {
				w.fact(code.FactAssign, w.encloser, w.str(name), goText(w, w.field(n, "right")), name)
			}
		}
		goVisible(w, w.out.Facts[facts:], n)
	}
	w.children(n)
}
