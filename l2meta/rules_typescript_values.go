package l2meta

import (
	"strconv"
	"strings"

	"sextant/internal/code"
)

// tsVariable reads one "name = value" of a const, let or var.
func tsVariable(w *walk, n node) {
	name, typ, value := w.field(n, "name"), w.field(n, "type"), w.field(n, "value")
	inner := tsUnwrap(w, value)
	if tsRequire(w, n, name, inner) {
		return
	}
	if !w.is(name, "identifier") {
		tsDestructured(w, n, name, typ, value)
		return
	}
	text := w.str(name)
	tsBindValue(w, text, typ, value, n, tsVariableBound(w, n))
	switch wrapped := tsWrapped(w, inner); {
	case tsIsFunction(w, inner):
		tsExpect(w, tsType(w, typ))
		s := tsCallable(w, decl{node: n, name: name}, inner)
		w.inside(s, typ)
		return
	case w.is(inner, "class"):
		tsClassAs(w, decl{node: n, name: name}, inner)
		return
	case wrapped >= 0 && tsFunctionKind(w, text, wrapped) == code.KindComponent:
		tsComponent(w, n, name, inner, wrapped)
		return
	}
	if !tsTop(w, n) {
		w.visit(typ)
		tsExpectOf(w, typ, inner)
		tsNamed(w, text, value)
		ts(w).context = ""
		return
	}
	s := tsDeclare(w, decl{kind: tsVariableKind(w, n), node: n, name: name, returns: tsType(w, typ)})
	tsKeys(w, s, "", inner, 0)
	tsInside(w, s, tsInValue, typ)
	tsInside(w, s, tsInValueOf(w, tsType(w, typ), inner), value)
}

func tsExpectOf(w *walk, typ, value node) {
	if w.is(value, "object", "array") {
		tsExpect(w, tsType(w, typ))
	}
}

// tsComponent declares const X = memo((props) => …): X is the function.
func tsComponent(w *walk, n, name, call, fn node) {
	params, body := w.field(fn, "parameters"), w.field(fn, "body")
	s := tsDeclare(w, decl{
		kind: code.KindComponent, node: n, name: name, body: max(body, 0),
		parameters: tsParameters(w, params, w.field(fn, "parameter")), returns: tsType(w, w.field(fn, "return_type")),
	})
	ts(w).inner = fn
	tsInside(w, s, tsInFunction(w, call, -1), call)
}

// tsTop reports whether the variable at n is one of a file or a namespace: not
// in a function, not in a block unless it is a var, not in the head of a loop.
func tsTop(w *walk, n node) bool {
	statement := w.parent(n)
	p := w.parent(statement)
	if ts(w).local || w.is(p, "for_statement", "for_in_statement") {
		return false
	}
	for w.is(p, "export_statement", "ambient_declaration") {
		p = w.parent(p)
	}
	switch w.kind(p) {
	case "program", "ERROR":
		return true
	case "statement_block":
		if w.is(w.parent(p), "internal_module", "module", "ambient_declaration") {
			return true
		}
	}
	return w.is(statement, "variable_declaration")
}

func tsVariableKind(w *walk, n node) code.Kind {
	if w.has(w.parent(n), "const") {
		return code.KindConstant
	}
	return code.KindVariable
}

// tsNamed visits a value that has a name but is not a symbol: functions in an
// object carry the name in their path.
func tsNamed(w *walk, name string, value node) {
	t := ts(w)
	outer := t.path
	t.path = join(t.path, name)
	w.visit(value)
	t.path = outer
}

// tsDestructured reads const {a, b: [c]} = value: each name gets the part of
// the value that it stands for, as an expression.
func tsDestructured(w *walk, n, pattern, typ, value node) {
	top, from := tsTop(w, n), "" // no source: a loop variable
	if inner := tsUnwrap(w, value); inner >= 0 {
		from = w.line(inner)
		if !w.is(inner, "identifier", "member_expression", "call_expression", "subscript_expression", "this") {
			from = "(" + from + ")"
		}
	}
	if written := tsType(w, typ); written != "" {
		from = "(_ as " + written + ")"
	}
	if p := w.parent(w.parent(n)); value < 0 && w.is(p, "for_in_statement") {
		from = ""
	}
	if len(from) > tsValueLimit {
		from = ""
	}
	in := tsVariableBound(w, n)
	first := -1
	tsPattern(w, pattern, from, func(name node, part string) {
		if top {
			outer, exported, _ := tsOuter(w, n)
			s := w.declare(decl{kind: tsVariableKind(w, n), node: n, name: name, from: outer, exported: exported || ts(w).ambient && w.encloser >= 0, modifiers: tsModifiers(w, outer)})
			if first < 0 {
				first = s
			}
		}
		if part == "" {
			part = "?"
		}
		tsBind(w, code.FactAssign, w.str(name), part, name, in)
	})
	if first >= 0 {
		tsInside(w, first, tsInValue, pattern, typ, value)
		return
	}
	w.visit(pattern)
	w.visit(typ)
	w.visit(value)
}

// tsPattern calls bind for each name in a pattern with the expression for the
// part of from that it is bound to; "" where that cannot be written.
func tsPattern(w *walk, p node, from string, bind func(name node, part string)) {
	part := func(suffix string) string {
		if from == "" || len(from) > maxPath {
			return ""
		}
		return from + suffix
	}
	switch w.kind(p) {
	case "identifier", "shorthand_property_identifier_pattern":
		bind(p, from)
	case "assignment_pattern", "object_assignment_pattern":
		left := w.field(p, "left")
		if w.is(left, "shorthand_property_identifier_pattern") {
			from = part("." + w.str(left))
		}
		tsPattern(w, left, from, bind)
	case "object_pattern":
		for c := range w.named(p) {
			switch w.kind(c) {
			case "shorthand_property_identifier_pattern":
				bind(c, part("."+w.str(c)))
			case "pair_pattern":
				key := "." + tsText(w, w.field(c, "key"))
				if w.is(w.field(c, "key"), "computed_property_name") {
					key = w.line(w.field(c, "key"))
				}
				tsPattern(w, w.field(c, "value"), part(key), bind)
			default:
				tsPattern(w, c, from, bind)
			}
		}
	case "array_pattern":
		i := 0
		for c := range w.tree.children(p) {
			if w.is(c, ",") {
				i++
			} else if w.isNamed(c) && !w.isComment(c) {
				tsPattern(w, c, part("["+strconv.Itoa(i)+"]"), bind)
			}
		}
	case "rest_pattern":
		for c := range w.named(p) {
			tsPattern(w, c, "", bind)
		}
	}
}

// tsForIn records that the variable of a loop is an element of what is looped
// over: "xs#each".
func tsForIn(w *walk, n node) {
	left, right := w.field(n, "left"), w.line(w.field(n, "right"))
	in := tsBoundIn(w, n)
	if w.is(w.field(n, "kind"), "var") {
		in = ts(w).fn
	}
	each := "?"
	if w.says(w.field(n, "operator"), "of") && len(right) <= tsValueLimit {
		each = right + "#each"
	}
	switch {
	case w.field(n, "kind") < 0: // an outer variable
	case w.is(left, "identifier"):
		tsBind(w, code.FactAssign, w.str(left), each, left, in)
	default:
		from := ""
		if each != "?" {
			from = "#each(" + right + ")"
		}
		tsPattern(w, left, from, func(name node, part string) {
			if part == "" {
				part = "?"
			}
			tsBind(w, code.FactAssign, w.str(name), part, name, in)
		})
	}
	w.children(n)
}

// tsObject visits an object literal: what its keys name is declared below the
// path of names around it.
func tsObject(w *walk, n node) {
	t := ts(w)
	context := tsTakeContext(w)
	outer := t.context
	defer func() { t.context = outer }()
	for c := range w.named(n) {
		t.context = ""
		if key := w.field(c, tsKeyField(w, c)); context != "" && key >= 0 && w.is(key, "property_identifier") {
			t.context = join(context, w.str(key))
		}
		tsGiveMember(w, context, c)
		if !w.is(c, "pair") {
			w.visit(c)
			continue
		}
		key, value := w.field(c, "key"), w.field(c, "value")
		name := tsText(w, key)
		tsComputed(w, key)
		switch inner := tsUnwrap(w, value); {
		case tsIsFunction(w, inner):
			tsCallable(w, decl{kind: code.KindMethod, node: c, name: key, text: name, owner: tsPath(w, ""), exported: !t.local}, inner)
		case w.is(inner, "class"):
			tsClassAs(w, decl{node: c, name: key, text: name, owner: tsPath(w, ""), exported: !t.local}, inner)
		default:
			if !w.is(inner, "object", "array") {
				t.context = ""
			}
			tsNamed(w, name, value)
		}
	}
}

// tsKeyField is the field that holds the key of a member of an object literal.
func tsKeyField(w *walk, member node) string {
	if w.is(member, "method_definition") {
		return "name"
	}
	return "key"
}

func tsObjectMethod(w *walk, n, name node) {
	d := decl{kind: code.KindMethod, node: n, name: max(name, 0), text: tsText(w, name), owner: tsPath(w, ""), exported: !ts(w).local}
	if w.has(n, "get") || w.has(n, "set") {
		d.kind = code.KindProperty
	}
	tsComputed(w, name)
	tsCallable(w, d, n)
}

// tsPath is the declaration path of what is declared here below last.
func tsPath(w *walk, last string) string {
	path := w.ownerPath("")
	for _, step := range []string{ts(w).path, last} {
		if step != "" {
			path = join(path, step)
		}
	}
	return path
}

// tsAssignment reads a = b: functions and classes that get a name that way,
// fields of JavaScript classes, and the exports of CommonJS.
func tsAssignment(w *walk, n node) {
	left, right := w.field(n, "left"), w.field(n, "right")
	inner := tsUnwrap(w, right)
	if w.is(left, "identifier") {
		w.fact(code.FactAssign, w.encloser, w.str(left)+"=", tsValue(w, inner), n)
		if tsIsFunction(w, inner) {
			tsCallable(w, decl{node: n, name: left}, inner)
			return
		}
		tsNamed(w, w.str(left), right)
		return
	}
	if !w.is(left, "member_expression") {
		w.children(n)
		return
	}
	if owner, ok := tsExportsTarget(w, left); ok && w.encloser < 0 {
		tsCommonJS(w, n, left, owner, inner)
		return
	}
	w.visit(w.field(left, "object"))
	tsProperty(w, n, left, right)
}

// tsProperty reads object.name = value.
func tsProperty(w *walk, n, left, right node) {
	object, name := w.field(left, "object"), w.field(left, "property")
	inner := tsUnwrap(w, right)
	if w.is(object, "this") {
		if typ := tsAssertion(w, right); typ != "" {
			w.fact(code.FactVar, w.encloser, "this."+w.str(name), typ, n)
		} else {
			w.fact(code.FactAssign, w.encloser, "this."+w.str(name), tsValue(w, inner), n)
			tsKeys(w, w.encloser, "this."+w.str(name), inner, 0)
		}
		if class := tsThisClass(w); class >= 0 {
			tsThisProperty(w, n, name, inner, class)
			return
		}
	}
	if !w.is(object, "this") && !w.says(w.field(object, "property"), "prototype") {
		tsGive(w, "("+w.line(object)+")."+w.str(name), name, inner)
	}
	path, ok := tsDotted(w, object)
	d := decl{kind: code.KindMethod, node: n, name: name, owner: tsPath(w, path)}
	switch {
	case ok && tsIsFunction(w, inner):
		tsCallable(w, d, inner)
	case ok && w.is(inner, "class"):
		tsClassAs(w, d, inner)
	case ok:
		if path != "" {
			if typ := tsAssertion(w, right); typ != "" {
				w.fact(code.FactVar, w.encloser, path+"."+w.str(name), typ, n)
			} else if !w.is(inner, "string", "number", "true", "false", "null", "template_string") {
				w.fact(code.FactAssign, w.encloser, path+"."+w.str(name), tsValue(w, inner), n)
				tsKeys(w, w.encloser, path+"."+w.str(name), inner, 0)
			}
		}
		if !w.says(name, "prototype") {
			path = join(path, w.str(name))
		}
		tsNamed(w, path, right)
	default:
		w.visit(right)
	}
}

// tsThisClass is the class that "this" is an object of, -1 outside of methods.
func tsThisClass(w *walk) int {
	if w.encloser < 0 {
		return -1
	}
	method := &w.out.Symbols[w.encloser]
	if method.Kind != code.KindConstructor && method.Kind != code.KindMethod {
		return -1
	}
	if method.Parent >= 0 && w.out.Symbols[method.Parent].Kind == code.KindClass {
		return method.Parent
	}
	return -1
}

// tsThisProperty reads this.name = value in a method of class: a function is
// one more method, and in JavaScript, which need not declare fields, anything
// else is a field where it is not known yet.
func tsThisProperty(w *walk, n, name, value node, class int) {
	t := ts(w)
	key := tsName{class, w.str(name)}
	known := t.fields[key]
	t.fields[key] = true
	exported := !w.is(name, "private_property_identifier")
	outer := w.encloser
	w.encloser = class
	switch {
	case tsIsFunction(w, value):
		tsCallable(w, decl{kind: code.KindMethod, node: n, name: name, exported: exported}, value)
		w.encloser = outer
		return
	case t.js && !known:
		w.declare(decl{kind: code.KindField, node: n, name: name, exported: exported})
	}
	w.encloser = outer
	tsNamed(w, w.str(name), value)
}

// tsDotted is the path of names that a chain a.b.c spells, "prototype" and
// "this" left out; false for a chain that something is computed in.
func tsDotted(w *walk, n node) (string, bool) {
	switch w.kind(n) {
	case "identifier":
		return w.str(n), true
	case "this":
		return "", true
	case "member_expression":
		path, ok := tsDotted(w, w.field(n, "object"))
		last := w.str(w.field(n, "property"))
		if last == "prototype" || !ok {
			return path, ok
		}
		return strings.TrimPrefix(path+"."+last, "."), true
	}
	return "", false
}
