package java

import (
	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// rules returns the extraction rules for Java up to version 21. A record is a class whose
// components are fields; an annotation type is an interface. The methods and fields of an anonymous
// class belong to the enclosing symbol, because the class has no name.
func rules() *syntax.Rules {
	return &syntax.Rules{
		Comments: []string{"line_comment", "block_comment"},
		Hidden:   map[string]func(*syntax.Walk, syntax.Node) bool{},
		Finish:   finish,
		Handlers: map[string]syntax.Handler{
			"package_declaration":                 javaPackage,
			"import_declaration":                  javaImport,
			"module_declaration":                  module,
			"requires_module_directive":           directive,
			"uses_module_directive":               directive,
			"provides_module_directive":           directive,
			"exports_module_directive":            directive,
			"class_declaration":                   javaType,
			"record_declaration":                  javaType,
			"interface_declaration":               javaType,
			"annotation_type_declaration":         javaType,
			"enum_declaration":                    javaType,
			"enum_constant":                       enumConstant,
			"field_declaration":                   field,
			"constant_declaration":                field,
			"method_declaration":                  method,
			"annotation_type_element_declaration": method,
			"constructor_declaration":             method,
			"compact_constructor_declaration":     method,
			"local_variable_declaration":          local,
			"enhanced_for_statement":              forEach,
			"resource":                            resource,
			"catch_formal_parameter":              catch,
			"instanceof_expression":               instanceof,
			"type_pattern":                        pattern,
			"record_pattern_component":            pattern,
			"lambda_expression":                   lambda,
			"method_invocation":                   call,
			"explicit_constructor_invocation":     constructorCall,
			"object_creation_expression":          javaNew,
			"method_reference":                    reference,
			"annotation":                          annotation,
			"marker_annotation":                   annotation,
		},
	}
}

func javaPackage(w *syntax.Walk, n syntax.Node) {
	name := w.Child(n, "scoped_identifier", "identifier")
	w.Fact(code.FactPackage, -1, "", w.Line(name), name)
}

// javaImport records an import. It splits the imported name into package and type, or into type and
// static member.
func javaImport(w *syntax.Walk, n syntax.Node) {
	path := w.Child(n, "scoped_identifier", "identifier")
	switch {
	case w.Has(n, "asterisk"):
		w.AddImport(n, code.Import{Module: w.Line(path), Name: "*"})
	case w.Is(path, "scoped_identifier"):
		w.AddImport(n, code.Import{Module: w.Line(w.Field(path, "scope")), Name: w.Str(w.Field(path, "name"))})
	case path >= 0:
		w.AddImport(n, code.Import{Module: w.Str(path)})
	}
}

func module(w *syntax.Walk, n syntax.Node) {
	d := syntax.Decl{Kind: code.KindModule, Node: n, Name: w.Field(n, "name"), Body: w.Field(n, "body"), Exported: true}
	for c := range w.Named(n) {
		if w.Is(c, "annotation", "marker_annotation") {
			d.Annotations = append(d.Annotations, w.Line(c))
			d.Sig = syntax.Node(w.Nodes[c].Next)
		}
	}
	if w.Has(n, "open") {
		d.Modifiers = []string{"open"}
	}
	s := w.Declare(d)
	w.Fact(code.FactPackage, s, "", w.Line(d.Name), d.Name)
	w.Inside(s, d.Body)
}

// directive records a directive of module-info.java: the packages that a module exports as exports, and
// the modules and service types that it requires, uses and provides as imports.
func directive(w *syntax.Walk, n syntax.Node) {
	switch w.Kind(n) {
	case "exports_module_directive":
		w.Export(n, code.Export{Name: w.Line(w.Field(n, "package"))})
	case "requires_module_directive":
		w.AddImport(n, code.Import{Module: w.Line(w.Field(n, "module"))})
	default:
		for c := range w.Named(n) {
			if name, scope := split(w, c); scope >= 0 {
				w.AddImport(c, code.Import{Module: w.Line(scope), Name: w.Str(name)})
			}
		}
	}
}

// javaModifiers reads the modifiers of n into d: keywords into d.Modifiers, annotations into
// d.Annotations. The signature starts after the annotations. It returns the nodes of the
// annotations.
func javaModifiers(w *syntax.Walk, n syntax.Node, d *syntax.Decl) (annotations []syntax.Node) {
	modifiers := w.Child(n, "modifiers")
	for c := range w.Tree.Children(modifiers) {
		if w.IsComment(c) {
			continue
		}
		if w.Is(c, "annotation", "marker_annotation") {
			annotations = append(annotations, c)
			d.Annotations = append(d.Annotations, w.Line(c))
			continue
		}
		if d.Sig <= 0 {
			d.Sig = c
		}
		word := w.Str(c)
		d.Modifiers = append(d.Modifiers, word)
		d.Exported = d.Exported || word == "public"
	}
	if d.Sig <= 0 && len(annotations) > 0 {
		d.Sig = w.After(modifiers)
	}
	return annotations
}

// inert lists annotations that only the compiler uses, and that are not recorded as calls.
var inert = map[string]bool{
	"Override": true, "Deprecated": true, "SuppressWarnings": true, "FunctionalInterface": true, "SafeVarargs": true,
}

// annotate visits the annotations of symbol s, so that the calls and references in them are
// recorded as a part of s.
func annotate(w *syntax.Walk, s int, annotations []syntax.Node) {
	for _, a := range annotations {
		w.Inside(s, a)
	}
}

func annotation(w *syntax.Walk, n syntax.Node) {
	args := w.Field(n, "arguments")
	name, receiver := split(w, w.Field(n, "name"))
	if !inert[w.Str(name)] {
		w.Call(code.CallDecorator, n, name, receiver, w.CountNamed(args))
	}
	w.Children(args)
}

// split splits a dotted name or type into its last name and its qualifier; the qualifier is None if
// there is none.
func split(w *syntax.Walk, n syntax.Node) (name, receiver syntax.Node) {
	switch w.Kind(n) {
	case "scoped_identifier":
		return w.Field(n, "name"), w.Field(n, "scope")
	case "field_access":
		return w.Field(n, "field"), w.Field(n, "object")
	case "generic_type", "annotated_type", "array_type":
		for c := range w.Named(n) {
			if w.Is(c, "type_identifier", "scoped_type_identifier", "generic_type") {
				return split(w, c)
			}
		}
	case "scoped_type_identifier":
		receiver = syntax.None
		for c := range w.Named(n) {
			switch {
			case w.Is(c, "marker_annotation", "annotation"):
			case receiver < 0:
				receiver = c
			default:
				name = c
			}
		}
		return name, receiver
	}
	return n, syntax.None
}
