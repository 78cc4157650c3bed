package java

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/languages/jvm/facts"
	"sextant/l2meta/syntax"
)

var kinds = map[string]code.Kind{
	"class_declaration": code.KindClass, "record_declaration": code.KindClass, "enum_declaration": code.KindEnum,
	"interface_declaration": code.KindInterface, "annotation_type_declaration": code.KindInterface,
}

// implied reports whether a member without an access modifier is public, as in an interface.
func implied(w *syntax.Walk, n syntax.Node, d *syntax.Decl) bool {
	if !w.Is(w.Parent(n), "interface_body", "annotation_type_body") {
		return false
	}
	for _, m := range d.Modifiers {
		if m == "private" {
			return false
		}
	}
	return true
}

func javaType(w *syntax.Walk, n syntax.Node) {
	d := syntax.Decl{Kind: kinds[w.Kind(n)], Node: n, Name: w.Field(n, "name"), Body: w.Field(n, "body")}
	annotations := javaModifiers(w, n, &d)
	d.Exported = d.Exported || implied(w, n, &d)
	components := w.Field(n, "parameters")
	d.Parameters = parameters(w, components)
	s := w.Declare(d)
	annotate(w, s, annotations)
	bounds(w, s, n)
	for c := range w.Named(w.Field(n, "superclass")) {
		w.Fact(code.FactBase, s, "", w.Line(c), c)
	}
	for c := range w.Named(w.Child(w.Field(n, "interfaces"), "type_list")) {
		w.Fact(code.FactImpl, s, "", w.Line(c), c)
	}
	for c := range w.Named(w.Child(w.Child(n, "extends_interfaces"), "type_list")) {
		w.Fact(code.FactBase, s, "", w.Line(c), c)
	}
	w.As(s, func() { javaComponents(w, components) })
	w.Inside(s, d.Body)
}

// javaComponents declares the components of a record: final fields with accessors of the same name.
func javaComponents(w *syntax.Walk, list syntax.Node) {
	for p := range w.Named(list) {
		params := parameter(w, p)
		name := w.Field(p, "name")
		if w.Is(p, "spread_parameter") {
			name = w.Field(w.Child(p, "variable_declarator"), "name")
		}
		if name < 0 || params.Name == "" {
			continue
		}
		d := syntax.Decl{Kind: code.KindField, Node: p, Name: name, Returns: params.Type}
		annotations := javaModifiers(w, p, &d)
		d.Exported = w.InExported()
		w.Fact(code.FactField, w.Encloser, params.Name, params.Type, p)
		annotate(w, w.Declare(d), annotations)
	}
}

// bounds records each type parameter of symbol s as an alias of its bound: T extends Order as T =
// Order.
func bounds(w *syntax.Walk, s int, n syntax.Node) {
	for p := range w.Named(w.Child(n, "type_parameters")) {
		name := w.Child(p, "type_identifier", "identifier")
		if w.Child(p, "type_bound") < 0 {
			w.Fact(code.FactAlias, s, w.Str(name), facts.Unbounded, p)
		}
		for b := range w.Named(w.Child(p, "type_bound")) {
			w.Fact(code.FactAlias, s, w.Str(name), w.Line(b), b)
		}
	}
}

// enumConstant declares an enum constant, and records the constructor call in it: RED(255, 0, 0).
func enumConstant(w *syntax.Walk, n syntax.Node) {
	args, body := w.Field(n, "arguments"), w.Field(n, "body")
	d := syntax.Decl{Kind: code.KindConstant, Node: n, Name: w.Field(n, "name"), Body: max(body, 0),
		Exported: w.InExported()}
	annotations := javaModifiers(w, n, &d)
	enum := ""
	if w.EnclosedBy(code.KindEnum) {
		enum = w.Out.Symbols[w.Encloser].Name
	}
	w.Fact(code.FactField, w.Encloser, w.Str(d.Name), enum, n)
	s := w.Declare(d)
	annotate(w, s, annotations)
	w.As(s, func() {
		if args >= 0 {
			w.CallAs(code.CallNew, n, d.Name, enum, "", w.CountNamed(args))
		}
		facts.ThisIn(w, body, enum, d.Name)
		w.Children(args)
		w.Children(body)
	})
}

// field declares the fields in a declaration such as int a, b. Static final fields and all fields
// of an interface are constants.
func field(w *syntax.Walk, n syntax.Node) {
	d := syntax.Decl{Kind: code.KindField, Node: n}
	annotations := javaModifiers(w, n, &d)
	if w.Is(n, "constant_declaration") ||
		slices.Contains(d.Modifiers, "static") && slices.Contains(d.Modifiers, "final") {
		d.Kind = code.KindConstant
	}
	d.Exported = d.Exported || implied(w, n, &d)
	typ := w.Field(n, "type")
	first := -1
	for v := range w.All(n, "declarator") {
		d.Name = w.Field(v, "name")
		d.Returns = typeText(w, typ, v)
		d.Body = valueBody(w, w.Field(v, "value"))
		w.Fact(code.FactField, w.Encloser, w.Str(d.Name), d.Returns, typ)
		s := w.Declare(d)
		if first < 0 {
			first = s
			annotate(w, s, annotations)
		}
		w.Inside(s, w.Field(v, "value"))
	}
}

// valueBody returns the block or class body in the value of a field, or 0. The signature of the
// field ends before it.
func valueBody(w *syntax.Walk, value syntax.Node) syntax.Node {
	return max(w.Find(value, "class_body", "block", "array_initializer", "switch_block"), 0)
}

// typeText returns the text of a type, including array brackets that follow the variable's name:
// int[] for int a[].
func typeText(w *syntax.Walk, typ, declarator syntax.Node) string {
	return w.Line(typ) + w.Line(w.Field(declarator, "dimensions"))
}

func method(w *syntax.Walk, n syntax.Node) {
	body, typ := w.Field(n, "body"), w.Field(n, "type")
	d := syntax.Decl{Kind: code.KindMethod, Node: n, Name: w.Field(n, "name"), Body: max(body, 0)}
	annotations := javaModifiers(w, n, &d)
	d.Exported = d.Exported || implied(w, n, &d)
	params := w.Field(n, "parameters")
	d.Parameters = parameters(w, params)
	switch {
	case w.Is(n, "constructor_declaration", "compact_constructor_declaration"):
		d.Kind = code.KindConstructor
	case isTest(w, &d, annotations):
		d.Kind = code.KindTest
	}
	d.Returns = typeText(w, typ, n)
	s := w.Declare(d)
	w.Typed(s, d, params, typ)
	bounds(w, s, n)
	annotate(w, s, annotations)
	parameterAnnotations(w, s, params)
	w.Inside(s, body, w.Field(n, "value"))
}

// isTest reports whether JUnit or TestNG runs the method: by an annotation, or by its name in a
// JUnit 3 test case.
func isTest(w *syntax.Walk, d *syntax.Decl, annotations []syntax.Node) bool {
	for _, a := range annotations {
		name, _ := split(w, w.Field(a, "name"))
		switch w.Str(name) {
		case "Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate", "Theory", "Property":
			return true
		}
	}
	if !strings.HasPrefix(w.Str(d.Name), "test") || !d.Exported || len(d.Parameters) > 0 {
		return false
	}
	base := w.Line(w.Field(w.Within(d.Node, "class_declaration"), "superclass"))
	return strings.HasSuffix(base, "TestCase")
}

func parameterAnnotations(w *syntax.Walk, s int, list syntax.Node) {
	for p := range w.Named(list) {
		var d syntax.Decl
		annotate(w, s, javaModifiers(w, p, &d))
	}
}

func parameters(w *syntax.Walk, list syntax.Node) (out []code.Parameter) {
	for p := range w.Named(list) {
		if w.Is(p, "formal_parameter", "spread_parameter") {
			out = append(out, parameter(w, p))
		}
	}
	return out
}

func parameter(w *syntax.Walk, p syntax.Node) code.Parameter {
	if !w.Is(p, "spread_parameter") {
		return code.Parameter{Name: w.Str(w.Field(p, "name")), Type: typeText(w, w.Field(p, "type"), p)}
	}
	out := code.Parameter{Variadic: true, Name: w.Str(w.Field(w.Child(p, "variable_declarator"), "name"))}
	for c := range w.Named(p) {
		if !w.Is(c, "modifiers", "variable_declarator", "annotation", "marker_annotation") {
			out.Type = w.Line(c) + "..."
			break
		}
	}
	return out
}
