package l2meta

import (
	"sextant/internal/code"
)

// javaRules reads Java up to version 21. A record is a class whose components
// are fields; an annotation type is an interface; the methods and fields of an
// anonymous class belong to the symbol in which it is written, as it has no
// name of its own.
func javaRules() *rules {
	return &rules{
		comments: []string{"line_comment", "block_comment"},
		finish:   javaFinish,
		handlers: map[string]handler{
			"package_declaration":                 javaPackage,
			"import_declaration":                  javaImport,
			"module_declaration":                  javaModule,
			"requires_module_directive":           javaDirective,
			"uses_module_directive":               javaDirective,
			"provides_module_directive":           javaDirective,
			"exports_module_directive":            javaDirective,
			"class_declaration":                   javaType,
			"record_declaration":                  javaType,
			"interface_declaration":               javaType,
			"annotation_type_declaration":         javaType,
			"enum_declaration":                    javaType,
			"enum_constant":                       javaEnumConstant,
			"field_declaration":                   javaField,
			"constant_declaration":                javaField,
			"method_declaration":                  javaMethod,
			"annotation_type_element_declaration": javaMethod,
			"constructor_declaration":             javaMethod,
			"compact_constructor_declaration":     javaMethod,
			"local_variable_declaration":          javaLocal,
			"enhanced_for_statement":              javaForEach,
			"resource":                            javaResource,
			"catch_formal_parameter":              javaCatch,
			"instanceof_expression":               javaInstanceof,
			"type_pattern":                        javaPattern,
			"record_pattern_component":            javaPattern,
			"lambda_expression":                   javaLambda,
			"method_invocation":                   javaCall,
			"explicit_constructor_invocation":     javaConstructorCall,
			"object_creation_expression":          javaNew,
			"method_reference":                    javaReference,
			"annotation":                          javaAnnotation,
			"marker_annotation":                   javaAnnotation,
		},
	}
}

func javaPackage(w *walk, n node) {
	name := w.child(n, "scoped_identifier", "identifier")
	w.fact(code.FactPackage, -1, "", w.line(name), name)
}

// javaImport splits a name into package and type, or type and static member.
func javaImport(w *walk, n node) {
	path := w.child(n, "scoped_identifier", "identifier")
	switch {
	case w.has(n, "asterisk"):
		w.addImport(n, code.Import{Module: w.line(path), Name: "*"})
	case w.is(path, "scoped_identifier"):
		w.addImport(n, code.Import{Module: w.line(w.field(path, "scope")), Name: w.str(w.field(path, "name"))})
	case path >= 0:
		w.addImport(n, code.Import{Module: w.str(path)})
	}
}

func javaModule(w *walk, n node) {
	d := decl{kind: code.KindModule, node: n, name: w.field(n, "name"), body: w.field(n, "body"), exported: true}
	for c := range w.named(n) {
		if w.is(c, "annotation", "marker_annotation") {
			d.annotations = append(d.annotations, w.line(c))
			d.sig = node(w.nodes[c].next)
		}
	}
	if w.has(n, "open") {
		d.modifiers = []string{"open"}
	}
	s := w.declare(d)
	w.fact(code.FactPackage, s, "", w.line(d.name), d.name)
	w.inside(s, d.body)
}

// javaDirective records what a module exports, and what it needs as imports:
// modules, and the service types that it uses and provides.
func javaDirective(w *walk, n node) {
	switch w.kind(n) {
	case "exports_module_directive":
		w.export(n, code.Export{Name: w.line(w.field(n, "package"))})
	case "requires_module_directive":
		w.addImport(n, code.Import{Module: w.line(w.field(n, "module"))})
	default:
		for c := range w.named(n) {
			if name, scope := javaSplit(w, c); scope >= 0 {
				w.addImport(c, code.Import{Module: w.line(scope), Name: w.str(name)})
			}
		}
	}
}

// javaModifiers reads the modifiers of n into d: annotations apart from words,
// and the signature starts behind the leading annotations. It returns the
// nodes of the annotations.
func javaModifiers(w *walk, n node, d *decl) (annotations []node) {
	modifiers := w.child(n, "modifiers")
	for c := range w.tree.children(modifiers) {
		if w.is(c, "annotation", "marker_annotation") {
			annotations = append(annotations, c)
			d.annotations = append(d.annotations, w.line(c))
			continue
		}
		if d.sig <= 0 {
			d.sig = c
		}
		word := w.str(c)
		d.modifiers = append(d.modifiers, word)
		d.exported = d.exported || word == "public"
	}
	if d.sig <= 0 && len(annotations) > 0 {
		d.sig = w.after(modifiers)
	}
	return annotations
}

// javaInert are annotations that only the compiler reads.
var javaInert = map[string]bool{
	"Override": true, "Deprecated": true, "SuppressWarnings": true, "FunctionalInterface": true, "SafeVarargs": true,
}

// javaAnnotate records the annotations of symbol s as applied to it.
func javaAnnotate(w *walk, s int, annotations []node) {
	for _, a := range annotations {
		w.inside(s, a)
	}
}

func javaAnnotation(w *walk, n node) {
	args := w.field(n, "arguments")
	name, receiver := javaSplit(w, w.field(n, "name"))
	if !javaInert[w.str(name)] {
		w.call(code.CallDecorator, n, name, receiver, w.countNamed(args))
	}
	w.children(args)
}

// javaSplit takes a dotted name or type apart into its last name and what
// stands before it.
func javaSplit(w *walk, n node) (name, receiver node) {
	switch w.kind(n) {
	case "scoped_identifier":
		return w.field(n, "name"), w.field(n, "scope")
	case "field_access":
		return w.field(n, "field"), w.field(n, "object")
	case "generic_type", "annotated_type", "array_type":
		for c := range w.named(n) {
			if w.is(c, "type_identifier", "scoped_type_identifier", "generic_type") {
				return javaSplit(w, c)
			}
		}
	case "scoped_type_identifier":
		receiver = none
		for c := range w.named(n) {
			switch {
			case w.is(c, "marker_annotation", "annotation"):
			case receiver < 0:
				receiver = c
			default:
				name = c
			}
		}
		return name, receiver
	}
	return n, none
}
