package l2meta

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sextant/internal/code"
)

var csharpKinds = map[string]code.Kind{
	"class_declaration": code.KindClass, "record_declaration": code.KindClass, "struct_declaration": code.KindStruct,
	"interface_declaration": code.KindInterface, "enum_declaration": code.KindEnum,
}

func csharpType(w *walk, n node) {
	body, list := w.field(n, "body"), w.child(n, "parameter_list")
	d := decl{kind: csharpKinds[w.kind(n)], node: n, name: w.field(n, "name"), body: max(body, 0)}
	if w.is(n, "record_declaration") {
		d.modifiers = append(d.modifiers, "record")
		if w.has(n, "struct") {
			d.kind = code.KindStruct
		}
	}
	d.parameters = csharpParameters(w, list)
	attributes := csharpModifiers(w, n, &d)
	s := csharpDeclare(w, d, attributes)
	w.typed(s, d, list, none)
	csharpConstraints(w, s, n)
	w.as(s, func() {
		csharpBases(w, n, d.kind)
		if w.is(n, "record_declaration") {
			csharpComponents(w, list)
		}
	})
	w.inside(s, body)
}

// csharpComponents declares the properties that the parameters of a record make.
func csharpComponents(w *walk, list node) {
	for p := range w.named(list) {
		name, typ := w.field(p, "name"), w.field(p, "type")
		if !w.is(p, "parameter") || name < 0 {
			continue
		}
		d := decl{kind: code.KindProperty, node: p, name: name, returns: w.line(typ)}
		attributes := csharpModifiers(w, p, &d)
		d.exported = true
		w.fact(code.FactField, w.encloser, w.str(name), d.returns, p)
		csharpDeclare(w, d, attributes)
	}
}

// csharpConstraints records the type parameters of a declaration, in order, as
// names for "?", and "where T : X" as T being a name for X.
func csharpConstraints(w *walk, s int, n node) {
	for c := range w.named(w.child(n, "type_parameter_list")) {
		if name := w.field(c, "name"); name >= 0 {
			w.fact(code.FactAlias, s, w.str(name), "?", name)
		} else if name = w.child(c, "identifier"); name >= 0 {
			w.fact(code.FactAlias, s, w.str(name), "?", name)
		}
	}
	for c := range w.named(n) {
		if !w.is(c, "type_parameter_constraints_clause") {
			continue
		}
		name := w.child(c, "identifier")
		for one := range w.named(c) {
			typ := w.field(one, "type")
			w.fact(code.FactAlias, s, w.str(name), w.line(typ), typ)
		}
	}
}

// csharpBases records what a type extends and implements, and the call of the
// base's constructor.
func csharpBases(w *walk, n node, kind code.Kind) {
	based, last := false, none
	for b := range w.named(w.child(n, "base_list")) {
		typ := b
		if w.is(b, "primary_constructor_base_type") {
			typ = w.field(b, "type")
		}
		args := w.child(b, "argument_list")
		if w.is(b, "argument_list") { // Base(x) is two nodes
			typ, args = last, b
		}
		name, receiver := csharpSplit(w, typ)
		if args >= 0 {
			w.callAs(code.CallSuper, typ, name, w.str(name), w.line(receiver), w.countNamed(args))
			w.children(args)
		}
		last = b
		if w.is(b, "argument_list") || kind == code.KindEnum {
			continue
		}
		fact := code.FactImpl
		if kind == code.KindInterface || kind == code.KindClass && !based && !csharpInterface(w.str(name)) {
			fact = code.FactBase
		}
		based = true
		w.fact(fact, w.encloser, "", w.line(typ), typ)
	}
}

// csharpInterface reports whether a name is spelled like an interface's: IName.
func csharpInterface(name string) bool {
	rest, ok := strings.CutPrefix(name, "I")
	r, _ := utf8.DecodeRuneInString(rest)
	return ok && unicode.IsUpper(r)
}

func csharpDelegate(w *walk, n node) {
	list, typ := w.field(n, "parameters"), w.field(n, "type")
	d := decl{kind: code.KindType, node: n, name: w.field(n, "name"), parameters: csharpParameters(w, list), returns: w.line(typ)}
	attributes := csharpModifiers(w, n, &d)
	s := csharpDeclare(w, d, attributes)
	w.typed(s, d, list, typ)
	csharpConstraints(w, s, n)
}

func csharpEnumMember(w *walk, n node) {
	d := decl{kind: code.KindConstant, node: n, name: w.field(n, "name")}
	attributes := csharpModifiers(w, n, &d)
	d.exported = w.inExported()
	if w.enclosedBy(code.KindEnum) {
		w.fact(code.FactField, w.encloser, w.str(d.name), w.out.Symbols[w.encloser].Name, n)
	}
	w.inside(csharpDeclare(w, d, attributes), w.field(n, "value"))
}

// csharpField declares the variables of a field or event.
func csharpField(w *walk, n node) {
	list := w.child(n, "variable_declaration")
	typ := w.field(list, "type")
	d := decl{kind: code.KindField, node: n, returns: w.line(typ)}
	attributes := csharpModifiers(w, n, &d)
	switch {
	case w.is(n, "event_field_declaration"):
		d.kind = code.KindProperty
		d.modifiers = append(d.modifiers, "event")
	case slices.Contains(d.modifiers, "const"):
		d.kind = code.KindConstant
	}
	for v := range w.named(list) {
		if !w.is(v, "variable_declarator") {
			continue
		}
		d.name = w.field(v, "name")
		d.body = max(w.find(v, "block", "initializer_expression", "switch_body"), 0)
		w.fact(code.FactField, w.encloser, w.str(d.name), d.returns, typ)
		s := csharpDeclare(w, d, attributes)
		attributes = nil // those of a list belong to its first name
		w.insideChildren(s, v)
	}
}

// csharpProperty declares properties, indexers and events with accessors.
func csharpProperty(w *walk, n node) {
	typ := w.field(n, "type")
	accessors, value := w.field(n, "accessors"), w.field(n, "value")
	d := decl{kind: code.KindProperty, node: n, name: w.field(n, "name"), returns: w.line(typ)}
	if w.is(value, "arrow_expression_clause") {
		d.body = value
	} else if accessors >= 0 {
		d.body = accessors
	}
	if w.is(n, "indexer_declaration") {
		d.name = w.child(n, "this")
		d.parameters = csharpParameters(w, w.field(n, "parameters"))
	}
	attributes := csharpModifiers(w, n, &d)
	csharpExplicit(w, n, &d)
	if w.is(n, "event_declaration") {
		d.modifiers = append(d.modifiers, "event")
	}
	w.fact(code.FactField, w.encloser, w.str(d.name), d.returns, typ)
	s := csharpDeclare(w, d, attributes)
	csharpExplicitOf(w, n, s)
	for _, p := range d.parameters {
		w.fact(code.FactParam, s, p.Name, p.Type, n)
	}
	w.inside(s, accessors, value)
}

// csharpExplicit takes the implementation of one interface's member as visible
// through that interface.
func csharpExplicit(w *walk, n node, d *decl) {
	if w.child(n, "explicit_interface_specifier") >= 0 {
		d.exported = true
	}
}

// csharpExplicitOf records the interface whose member s implements by name.
func csharpExplicitOf(w *walk, n node, s int) {
	if c := w.child(n, "explicit_interface_specifier"); c >= 0 {
		w.fact(code.FactImpl, s, "", strings.TrimRight(w.line(c), ". "), c)
	}
}

func csharpMethod(w *walk, n node) {
	body, list := w.field(n, "body"), w.field(n, "parameters")
	typ := w.field(n, "returns")
	if typ < 0 {
		typ = w.field(n, "type")
	}
	d := decl{kind: code.KindMethod, node: n, name: w.field(n, "name"), body: max(body, 0), returns: w.line(typ)}
	attributes := csharpModifiers(w, n, &d)
	csharpExplicit(w, n, &d)
	d.parameters = csharpParameters(w, list)
	switch w.kind(n) {
	case "constructor_declaration":
		d.kind = code.KindConstructor
	case "destructor_declaration":
		d.text = "~" + w.str(d.name)
	case "operator_declaration":
		d.name = w.field(n, "operator")
		d.text = "operator " + w.str(d.name)
	case "conversion_operator_declaration":
		d.name, d.text = w.child(n, "operator"), "operator "+d.returns
	case "local_function_statement":
		d.kind, d.exported = code.KindFunction, false
	default:
		if csharpIsTest(w, attributes) {
			d.kind = code.KindTest
		}
	}
	s := csharpDeclare(w, d, attributes)
	for p := range w.named(list) {
		if w.hasWord(p, "this") {
			w.fact(code.FactParam, s, "this", w.line(w.field(p, "type")), p)
		}
		for a := range w.named(p) {
			if w.is(a, "attribute_list") {
				w.inside(s, a)
			}
		}
	}
	w.typed(s, d, list, typ)
	csharpConstraints(w, s, n)
	csharpExplicitOf(w, n, s)
	w.inside(s, w.child(n, "constructor_initializer"), body)
}

// csharpIsTest reports whether xUnit, NUnit or MSTest runs the method.
func csharpIsTest(w *walk, attributes []node) bool {
	for _, list := range attributes {
		for a := range w.named(list) {
			name, _ := csharpSplit(w, w.field(a, "name"))
			switch strings.TrimSuffix(w.str(name), "Attribute") {
			case "Fact", "Theory", "Test", "TestCase", "TestCaseSource", "TestMethod", "DataTestMethod", "SkippableFact", "SkippableTheory":
				return true
			}
		}
	}
	return false
}

// csharpParameters reads a list; that of a params array has no node of its own.
func csharpParameters(w *walk, list node) (out []code.Parameter) {
	variadic, typ := false, ""
	for c := range w.tree.children(list) {
		switch {
		case w.is(c, "parameter"):
			p := code.Parameter{Name: w.str(w.field(c, "name")), Type: w.line(w.field(c, "type"))}
			if eq := w.child(c, "="); eq >= 0 {
				p.Default = w.line(w.after(eq))
			}
			p.Variadic = w.hasWord(c, "params")
			out = append(out, p)
		case w.is(c, "params"):
			variadic = true
		case variadic && w.field(list, "type") == c:
			typ = w.line(c)
		case variadic && w.field(list, "name") == c:
			out = append(out, code.Parameter{Name: w.str(c), Type: typ, Variadic: true})
		}
	}
	return out
}
