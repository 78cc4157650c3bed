package l2meta

import (
	"sextant/internal/code"
)

// tsClass declares a class with a name. Members of a class without one belong
// to the symbol around it.
func tsClass(w *walk, n node) {
	name := w.field(n, "name")
	d := decl{node: n, name: max(name, 0)}
	if ts(w).local && w.is(n, "class_declaration", "abstract_class_declaration") {
		tsBind(w, code.FactAssign, w.str(name), "?", name, ts(w).block)
	}
	if name < 0 {
		if _, _, isDefault := tsOuter(w, n); !isDefault {
			tsChildren(w, n, tsInType)
			return
		}
		d.text = "default"
	}
	tsClassAs(w, d, n)
}

// tsClassAs declares class n under the name in d, and visits it.
func tsClassAs(w *walk, d decl, n node) {
	body := w.field(n, "body")
	d.kind, d.body = code.KindClass, max(body, 0)
	s := tsDeclare(w, d)
	tsTypeParameters(w, s, n)
	heritage := w.child(n, "class_heritage")
	for c := range w.named(heritage) {
		switch w.kind(c) {
		case "extends_clause":
			for base := range w.all(c, "value") {
				text := w.line(base)
				if args := w.field(c, "type_arguments"); args >= 0 {
					text += w.line(args)
				}
				w.fact(code.FactBase, s, "", text, base)
			}
		case "implements_clause":
			for i := range w.named(c) {
				w.fact(code.FactImpl, s, "", w.line(i), i)
			}
		default: // JavaScript has the expression alone
			w.fact(code.FactBase, s, "", w.line(c), c)
		}
	}
	tsInside(w, s, tsInType, w.field(n, "type_parameters"), heritage, body)
}

// tsClassBody hands each member the decorators before it: the grammar has
// them as siblings.
func tsClassBody(w *walk, n node) {
	t := ts(w)
	outer := t.pending
	t.pending = nil
	for c := range w.tree.children(n) {
		if w.is(c, "decorator") {
			t.pending = append(t.pending, c)
			continue
		}
		w.visit(c)
		if w.isNamed(c) && !w.isComment(c) {
			t.pending = nil
		}
	}
	t.pending = outer
}

func tsStaticBlock(w *walk, n node) { tsChildren(w, n, tsInFunction(w, n, -1)) }

// tsMethod declares a method of a class, an interface or an object.
func tsMethod(w *walk, n node) {
	name := w.field(n, "name")
	if w.is(w.parent(n), "object") {
		tsObjectMethod(w, n, name)
		return
	}
	inClass := w.is(w.parent(n), "class_body")
	if !inClass && !tsInMembers(w) {
		tsFunctionParts(w, w.encloser, n, -1, "")
		return
	}
	d := decl{kind: code.KindMethod, node: n, name: max(name, 0), text: tsText(w, name), exported: !tsHidden(w, n)}
	switch {
	case w.has(n, "get") || w.has(n, "set"):
		d.kind = code.KindProperty
	case inClass && w.says(name, "constructor") && !w.has(n, "static"):
		d.kind = code.KindConstructor
	}
	tsCallable(w, d, n)
	tsComputed(w, name)
}

// tsComputed visits the expression of a computed name.
func tsComputed(w *walk, name node) {
	if w.is(name, "computed_property_name") {
		w.children(name)
	}
}

// tsInMembers reports whether the node at hand is a member of the enclosing
// symbol: of an interface, of an object type in an alias or in the type of a
// field. Types within a list of parameters have no name to be found by.
func tsInMembers(w *walk) bool {
	if w.encloser < 0 || ts(w).params {
		return false
	}
	switch w.out.Symbols[w.encloser].Kind {
	case code.KindInterface, code.KindType, code.KindField:
		return true
	case code.KindProperty:
		return !ts(w).local
	}
	return false
}

// tsField declares a field of a class, or a property of an interface or an
// object type. A field whose value is a function is a method.
func tsField(w *walk, n node) {
	name, typ, value := w.field(n, "name"), w.field(n, "type"), w.field(n, "value")
	if name < 0 {
		name = w.field(n, "property") // JavaScript
	}
	inType := w.is(n, "property_signature")
	if inType && !tsInMembers(w) || name < 0 {
		w.children(n)
		return
	}
	d := decl{kind: code.KindField, node: n, name: name, text: tsText(w, name), exported: !tsHidden(w, n), returns: tsType(w, typ)}
	if inType {
		d.kind = code.KindProperty
	}
	owner := w.encloser
	if owner >= 0 {
		ts(w).fields[tsName{owner, d.text}] = true
	}
	w.fact(code.FactField, owner, d.text, d.returns, n)
	switch inner := tsUnwrap(w, value); {
	case tsIsFunction(w, inner):
		d.kind = code.KindMethod
		tsExpect(w, d.returns)
		w.inside(tsCallable(w, d, inner), typ)
	case w.is(inner, "class"):
		tsClassAs(w, d, inner)
	default:
		if asserted := tsAssertion(w, value); d.returns == "" && asserted != "" {
			w.fact(code.FactField, owner, d.text, asserted, n)
		} else if d.returns == "" {
			w.fact(code.FactAssign, owner, d.text, tsValue(w, inner), n)
		}
		s := tsDeclare(w, d)
		tsKeys(w, s, "", inner, 0)
		tsInside(w, s, tsInValueOf(w, d.returns, inner), typ, value)
	}
	tsComputed(w, name)
}

func tsInterface(w *walk, n node) {
	name, body := w.field(n, "name"), w.field(n, "body")
	s := tsDeclare(w, decl{kind: code.KindInterface, node: n, name: max(name, 0), body: max(body, 0)})
	tsTypeParameters(w, s, n)
	bases := w.child(n, "extends_type_clause", "extends_clause")
	for b := range w.named(bases) {
		w.fact(code.FactBase, s, "", w.line(b), b)
	}
	tsInside(w, s, tsInType, w.field(n, "type_parameters"), bases, body)
}

func tsTypeAlias(w *walk, n node) {
	name, value := w.field(n, "name"), w.field(n, "value")
	s := tsDeclare(w, decl{kind: code.KindType, node: n, name: max(name, 0)})
	tsTypeParameters(w, s, n)
	w.fact(code.FactAlias, s, w.str(name), tsTypeLine(w, value), value)
	tsInside(w, s, tsInType, w.field(n, "type_parameters"), value)
}

func tsEnum(w *walk, n node) {
	body := w.field(n, "body")
	s := tsDeclare(w, decl{kind: code.KindEnum, node: n, name: max(w.field(n, "name"), 0), body: max(body, 0)})
	outer := w.encloser
	w.encloser = s
	for m := range w.named(body) {
		name := m
		if w.is(m, "enum_assignment") {
			name = w.field(m, "name")
		}
		if !w.is(name, "property_identifier", "string", "computed_property_name", "number", "private_property_identifier") {
			continue
		}
		member := w.declare(decl{kind: code.KindConstant, node: m, name: name, text: tsText(w, name), exported: true})
		w.inside(member, w.field(m, "value"))
	}
	w.encloser = outer
}

// tsNamespace declares a namespace, or a module that is declared for another
// file. "namespace A.B" is one symbol of that name.
func tsNamespace(w *walk, n node) {
	name, body := w.field(n, "name"), w.field(n, "body")
	d := decl{kind: code.KindNamespace, node: n, name: max(name, 0), text: tsText(w, name), body: max(body, 0)}
	if w.is(name, "string") {
		d.kind, d.exported = code.KindModule, true
	}
	tsNamespaceAs(w, d, body)
}

func tsNamespaceAs(w *walk, d decl, body node) {
	s := tsDeclare(w, d)
	tsInside(w, s, tsInType, body)
}

// tsAmbient is "declare …": what it declares lives elsewhere. "declare global"
// is a namespace of that name.
func tsAmbient(w *walk, n node) {
	t := ts(w)
	outer := t.ambient
	t.ambient = true
	if global := w.child(n, "global"); global >= 0 {
		body := w.child(n, "statement_block")
		tsNamespaceAs(w, decl{kind: code.KindNamespace, node: n, name: global, body: max(body, 0), exported: true}, body)
	} else {
		w.children(n)
	}
	t.ambient = outer
}

// tsBlock finds "global { … }" within "declare module": the grammar knows it
// behind "declare" alone, and leaves the word and the block side by side.
func tsBlock(w *walk, n node) {
	global := n - 1
	for global > 0 && w.start(global) == w.end(global) { // a semicolon that is not there
		global--
	}
	if ts(w).ambient && w.is(global, "identifier") && w.says(global, "global") && !w.is(w.parent(n), "ambient_declaration", "function_declaration") {
		d := decl{kind: code.KindNamespace, node: n, from: global, name: global, body: n, exported: true}
		s := w.declare(d)
		outer := ts(w).tsScope
		tsInType(&ts(w).tsScope)
		w.insideChildren(s, n)
		ts(w).tsScope = outer
		return
	}
	outer := ts(w).tsScope
	ts(w).block = tsBoundIn(w, n)
	w.children(n)
	ts(w).tsScope = outer
}
