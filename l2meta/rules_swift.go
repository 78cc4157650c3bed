package l2meta

import (
	"strings"

	"sextant/internal/code"
)

func swiftRules() *rules {
	return &rules{
		comments: []string{"comment", "multiline_comment"},
		handlers: map[string]handler{
			"import_declaration":            swiftImport,
			"class_declaration":             swiftType,
			"protocol_declaration":          swiftType,
			"function_declaration":          swiftFunction,
			"protocol_function_declaration": swiftFunction,
			"init_declaration":              swiftFunction,
			"deinit_declaration":            swiftFunction,
			"subscript_declaration":         swiftFunction,
			"property_declaration":          swiftProperty,
			"protocol_property_declaration": swiftProperty,
			"enum_entry":                    swiftCase,
			"typealias_declaration":         swiftAlias,
			"associatedtype_declaration":    swiftAlias,
		},
	}
}

func swiftImport(w *walk, n node) {
	w.addImport(n, code.Import{Module: w.str(w.child(n, "identifier"))})
}

// swiftModifiers splits the modifiers of a declaration into attributes and
// words, and names the node where the signature starts: behind the attributes.
func swiftModifiers(w *walk, n node, d *decl) {
	modifiers := w.child(n, "modifiers")
	d.exported = true
	for c := range w.named(modifiers) {
		if w.is(c, "attribute") {
			d.annotations = append(d.annotations, w.line(c))
			continue
		}
		if d.sig <= 0 {
			d.sig = c
		}
		word := w.str(c)
		d.modifiers = append(d.modifiers, word)
		d.exported = d.exported && word != "private" && word != "fileprivate"
	}
	if d.sig <= 0 && modifiers > 0 {
		d.sig = node(w.nodes[modifiers].next)
	}
}

func swiftType(w *walk, n node) {
	name := w.field(n, "name")
	d := decl{node: n, name: name, text: oneLine([]byte(w.str(name))), body: w.field(n, "body"), kind: code.KindClass}
	switch {
	case w.is(n, "protocol_declaration"):
		d.kind = code.KindInterface
		d.body = w.child(n, "protocol_body")
	case w.has(n, "struct"):
		d.kind = code.KindStruct
	case w.has(n, "enum"):
		d.kind = code.KindEnum
	case w.has(n, "extension"):
		d.kind = code.KindNamespace
	}
	swiftModifiers(w, n, &d)
	s := w.declare(d)
	for c := range w.named(n) {
		if w.is(c, "inheritance_specifier") {
			w.fact(code.FactBase, s, "", w.line(c), c)
		}
	}
	w.inside(s, d.body)
}

func swiftFunction(w *walk, n node) {
	d := decl{kind: code.KindFunction, node: n, body: w.field(n, "body")}
	if w.encloser >= 0 && !w.out.Symbols[w.encloser].Kind.Callable() {
		d.kind = code.KindMethod
	}
	switch w.kind(n) {
	case "init_declaration":
		d.kind, d.text = code.KindConstructor, "init"
	case "deinit_declaration":
		d.text = "deinit"
	case "subscript_declaration":
		d.text, d.body = "subscript", w.child(n, "computed_property")
	default:
		d.name = w.child(n, "simple_identifier")
		if d.name < 0 {
			d.name, d.text = w.field(n, "name"), oneLine([]byte(w.str(w.field(n, "name")))) // an operator
		}
	}
	swiftModifiers(w, n, &d)
	d.parameters, d.returns = swiftParameters(w, n)
	if d.kind == code.KindMethod && strings.HasPrefix(w.str(d.name), "test") && strings.Contains(w.out.Path, "Tests") {
		d.kind = code.KindTest
	}
	s := w.declare(d)
	w.inside(s, d.body)
}

// swiftParameters reads the parameters and the result: the type that follows
// "->" among the children of the declaration.
func swiftParameters(w *walk, n node) (out []code.Parameter, returns string) {
	arrow := false
	for c := range w.tree.children(n) {
		switch {
		case w.is(c, "parameter"):
			p := code.Parameter{Variadic: strings.HasSuffix(w.str(c), "...")}
			for part := range w.named(c) {
				switch {
				case w.is(part, "simple_identifier"):
					p.Name = w.str(part)
				case !w.is(part, "parameter_modifiers", "attribute"):
					p.Type = w.line(part)
				}
			}
			out = append(out, p)
		case w.is(c, "->"):
			arrow = true
		case arrow && w.isNamed(c):
			return out, w.line(c)
		}
	}
	return out, ""
}

func swiftProperty(w *walk, n node) {
	if w.encloser >= 0 && w.out.Symbols[w.encloser].Kind.Callable() {
		w.children(n)
		return
	}
	d := decl{kind: code.KindProperty, node: n, body: w.field(n, "computed_value")}
	if w.encloser < 0 {
		d.kind = code.KindVariable
		if strings.Contains(w.str(w.child(n, "value_binding_pattern")), "let") {
			d.kind = code.KindConstant
		}
	}
	typ := w.child(n, "type_annotation")
	d.returns = strings.TrimSpace(strings.TrimPrefix(w.line(typ), ":"))
	swiftModifiers(w, n, &d)
	last := -1
	for name := range w.all(n, "name") {
		d.name = w.find(name, "simple_identifier")
		if d.name < 0 {
			continue
		}
		w.fact(code.FactField, w.encloser, w.str(d.name), d.returns, d.name)
		last = w.declare(d)
	}
	w.inside(last, w.field(n, "value"), d.body)
}

func swiftCase(w *walk, n node) {
	for name := range w.all(n, "name") {
		if w.is(name, "simple_identifier") {
			w.declare(decl{kind: code.KindConstant, node: n, name: name, exported: true})
		}
	}
}

func swiftAlias(w *walk, n node) {
	d := decl{kind: code.KindType, node: n, name: w.child(n, "type_identifier")}
	swiftModifiers(w, n, &d)
	w.declare(d)
}
