package l2meta

import (
	"slices"
	"strings"

	"sextant/internal/code"
)

var javaKinds = map[string]code.Kind{
	"class_declaration": code.KindClass, "record_declaration": code.KindClass, "enum_declaration": code.KindEnum,
	"interface_declaration": code.KindInterface, "annotation_type_declaration": code.KindInterface,
}

// javaImplied reports whether a member without an access modifier is public:
// in interfaces it is.
func javaImplied(w *walk, n node, d *decl) bool {
	if !w.is(w.parent(n), "interface_body", "annotation_type_body") {
		return false
	}
	for _, m := range d.modifiers {
		if m == "private" {
			return false
		}
	}
	return true
}

func javaType(w *walk, n node) {
	d := decl{kind: javaKinds[w.kind(n)], node: n, name: w.field(n, "name"), body: w.field(n, "body")}
	annotations := javaModifiers(w, n, &d)
	d.exported = d.exported || javaImplied(w, n, &d)
	components := w.field(n, "parameters")
	d.parameters = javaParameters(w, components)
	s := w.declare(d)
	javaAnnotate(w, s, annotations)
	javaBounds(w, s, n)
	for c := range w.named(w.field(n, "superclass")) {
		w.fact(code.FactBase, s, "", w.line(c), c)
	}
	for c := range w.named(w.child(w.field(n, "interfaces"), "type_list")) {
		w.fact(code.FactImpl, s, "", w.line(c), c)
	}
	for c := range w.named(w.child(w.child(n, "extends_interfaces"), "type_list")) {
		w.fact(code.FactBase, s, "", w.line(c), c)
	}
	w.as(s, func() { javaComponents(w, components) })
	w.inside(s, d.body)
}

// javaComponents declares the components of a record: final fields with
// accessors of the same name.
func javaComponents(w *walk, list node) {
	for p := range w.named(list) {
		params := javaParameter(w, p)
		name := w.field(p, "name")
		if w.is(p, "spread_parameter") {
			name = w.field(w.child(p, "variable_declarator"), "name")
		}
		if name < 0 || params.Name == "" {
			continue
		}
		d := decl{kind: code.KindField, node: p, name: name, returns: params.Type}
		annotations := javaModifiers(w, p, &d)
		d.exported = w.inExported()
		w.fact(code.FactField, w.encloser, params.Name, params.Type, p)
		javaAnnotate(w, w.declare(d), annotations)
	}
}

// javaBounds records type parameters as names for their bounds.
func javaBounds(w *walk, s int, n node) {
	for p := range w.named(w.child(n, "type_parameters")) {
		name := w.child(p, "type_identifier", "identifier")
		if w.child(p, "type_bound") < 0 {
			w.fact(code.FactAlias, s, w.str(name), unbounded, p)
		}
		for b := range w.named(w.child(p, "type_bound")) {
			w.fact(code.FactAlias, s, w.str(name), w.line(b), b)
		}
	}
}

// javaEnumConstant declares a constant, and the construction it stands for.
func javaEnumConstant(w *walk, n node) {
	args, body := w.field(n, "arguments"), w.field(n, "body")
	d := decl{kind: code.KindConstant, node: n, name: w.field(n, "name"), body: max(body, 0), exported: w.inExported()}
	annotations := javaModifiers(w, n, &d)
	enum := ""
	if w.enclosedBy(code.KindEnum) {
		enum = w.out.Symbols[w.encloser].Name
	}
	w.fact(code.FactField, w.encloser, w.str(d.name), enum, n)
	s := w.declare(d)
	javaAnnotate(w, s, annotations)
	w.as(s, func() {
		if args >= 0 {
			w.callAs(code.CallNew, n, d.name, enum, "", w.countNamed(args))
		}
		thisIn(w, body, enum, d.name)
		w.children(args)
		w.children(body)
	})
}

// javaField declares the variables of a field; a static final one is a
// constant, as is every one of an interface.
func javaField(w *walk, n node) {
	d := decl{kind: code.KindField, node: n}
	annotations := javaModifiers(w, n, &d)
	if w.is(n, "constant_declaration") || slices.Contains(d.modifiers, "static") && slices.Contains(d.modifiers, "final") {
		d.kind = code.KindConstant
	}
	d.exported = d.exported || javaImplied(w, n, &d)
	typ := w.field(n, "type")
	first := -1
	for v := range w.all(n, "declarator") {
		d.name = w.field(v, "name")
		d.returns = javaTypeText(w, typ, v)
		d.body = javaValueBody(w, w.field(v, "value"))
		w.fact(code.FactField, w.encloser, w.str(d.name), d.returns, typ)
		s := w.declare(d)
		if first < 0 {
			first = s
			javaAnnotate(w, s, annotations)
		}
		w.inside(s, w.field(v, "value"))
	}
}

// javaValueBody is the block or class body in the value of a field, 0 without
// one: the signature ends before it.
func javaValueBody(w *walk, value node) node {
	return max(w.find(value, "class_body", "block", "array_initializer", "switch_block"), 0)
}

// javaTypeText is a type with the brackets that stand behind the name.
func javaTypeText(w *walk, typ, declarator node) string {
	return w.line(typ) + w.line(w.field(declarator, "dimensions"))
}

func javaMethod(w *walk, n node) {
	body, typ := w.field(n, "body"), w.field(n, "type")
	d := decl{kind: code.KindMethod, node: n, name: w.field(n, "name"), body: max(body, 0)}
	annotations := javaModifiers(w, n, &d)
	d.exported = d.exported || javaImplied(w, n, &d)
	params := w.field(n, "parameters")
	d.parameters = javaParameters(w, params)
	switch {
	case w.is(n, "constructor_declaration", "compact_constructor_declaration"):
		d.kind = code.KindConstructor
	case javaIsTest(w, &d, annotations):
		d.kind = code.KindTest
	}
	d.returns = javaTypeText(w, typ, n)
	s := w.declare(d)
	w.typed(s, d, params, typ)
	javaBounds(w, s, n)
	javaAnnotate(w, s, annotations)
	javaParameterAnnotations(w, s, params)
	w.inside(s, body, w.field(n, "value"))
}

// javaIsTest reports whether JUnit or TestNG runs the method: by an
// annotation, or by JUnit 3's name in a test case.
func javaIsTest(w *walk, d *decl, annotations []node) bool {
	for _, a := range annotations {
		name, _ := javaSplit(w, w.field(a, "name"))
		switch w.str(name) {
		case "Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate", "Theory", "Property":
			return true
		}
	}
	if !strings.HasPrefix(w.str(d.name), "test") || !d.exported || len(d.parameters) > 0 {
		return false
	}
	base := w.line(w.field(w.within(d.node, "class_declaration"), "superclass"))
	return strings.HasSuffix(base, "TestCase")
}

func javaParameterAnnotations(w *walk, s int, list node) {
	for p := range w.named(list) {
		var d decl
		javaAnnotate(w, s, javaModifiers(w, p, &d))
	}
}

func javaParameters(w *walk, list node) (out []code.Parameter) {
	for p := range w.named(list) {
		if w.is(p, "formal_parameter", "spread_parameter") {
			out = append(out, javaParameter(w, p))
		}
	}
	return out
}

func javaParameter(w *walk, p node) code.Parameter {
	if !w.is(p, "spread_parameter") {
		return code.Parameter{Name: w.str(w.field(p, "name")), Type: javaTypeText(w, w.field(p, "type"), p)}
	}
	out := code.Parameter{Variadic: true, Name: w.str(w.field(w.child(p, "variable_declarator"), "name"))}
	for c := range w.named(p) {
		if !w.is(c, "modifiers", "variable_declarator", "annotation", "marker_annotation") {
			out.Type = w.line(c) + "..."
			break
		}
	}
	return out
}
