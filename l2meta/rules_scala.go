package l2meta

import (
	"strings"

	"sextant/internal/code"
)

// scalaRules reads Scala 2 and 3. An object is a class; the primary
// constructor is a part of its class, whose parameters it gives; the receiver
// of an extension is the parameter "this". What an anonymous class declares
// belongs to the symbol in which it is written. A selection without arguments
// may be a call: it is recorded as a reference where this file declares a
// function of that name.
func scalaRules() *rules {
	return &rules{
		comments: []string{"comment", "block_comment"},
		file:     func(w *walk, n node) { w.state = &scalaFile{}; mend(w, n) },
		finish:   scalaFinish,
		mask:     scalaMask,
		handlers: map[string]handler{
			"package_clause":                 scalaPackage,
			"import_declaration":             scalaImport,
			"export_declaration":             scalaExport,
			"class_definition":               scalaType,
			"object_definition":              scalaType,
			"package_object":                 scalaType,
			"trait_definition":               scalaType,
			"enum_definition":                scalaType,
			"simple_enum_case":               scalaCase,
			"full_enum_case":                 scalaCase,
			"given_definition":               scalaGiven,
			"extension_definition":           scalaExtension,
			"type_definition":                scalaAlias,
			"function_definition":            scalaFunction,
			"function_declaration":           scalaFunction,
			"val_definition":                 scalaValue,
			"var_definition":                 scalaValue,
			"val_declaration":                scalaValue,
			"var_declaration":                scalaValue,
			"self_type":                      scalaSelf,
			"enumerator":                     scalaEnumerator,
			"lambda_expression":              scalaLambda,
			"case_clause":                    scalaClause,
			"annotation":                     scalaAnnotation,
			"call_expression":                scalaCall,
			"generic_function":               scalaGeneric,
			"infix_expression":               scalaInfix,
			"postfix_expression":             scalaPostfix,
			"instance_expression":            scalaNew,
			"field_expression":               scalaField,
			"wildcard":                       scalaHole,
			"arguments":                      scalaArguments,
			"interpolated_string_expression": scalaInterpolated,
		},
	}
}

// scalaFile is the state of one file.
type scalaFile struct {
	pkg  string
	refs []reference
	// receiver is the parameter of the extension at hand.
	receiver  code.Parameter
	looked    bool   // wildcards is made
	wildcards []node // in document order
}

// scalaFinish keeps the references that name a function of this file.
func scalaFinish(w *walk) {
	functions := map[string]bool{}
	for i := range w.out.Symbols {
		if s := &w.out.Symbols[i]; s.Kind == code.KindMethod || s.Kind == code.KindFunction {
			functions[s.Name] = true
		}
	}
	for _, r := range w.state.(*scalaFile).refs {
		if functions[w.str(r.name)] {
			w.as(r.caller, func() { w.call(code.CallReference, r.site, r.name, r.receiver, 0) })
		}
	}
}

// scalaPackage records a clause for the whole file, to which later ones add;
// one with a body is a symbol.
func scalaPackage(w *walk, n node) {
	name, body := w.field(n, "name"), w.field(n, "body")
	if body >= 0 {
		s := w.declare(decl{kind: code.KindNamespace, node: n, name: name, text: w.line(name), body: body, exported: true})
		w.fact(code.FactPackage, s, "", w.line(name), name)
		w.inside(s, body)
		return
	}
	st := w.state.(*scalaFile)
	st.pkg = join(st.pkg, w.line(name))
	w.fact(code.FactPackage, -1, "", st.pkg, name)
	w.children(n)
}

// scalaPaths hands each imported or exported name to emit: its path, its name
// there and its name here. A selector that hides a name is left out.
func scalaPaths(w *walk, n node, emit func(at node, path, name, alias string)) {
	var path []string
	at, selected := n, false
	flush := func() {
		if len(path) > 1 && !selected {
			emit(at, strings.Join(path[:len(path)-1], "."), path[len(path)-1], "")
		} else if len(path) == 1 && !selected {
			emit(at, path[0], "", "")
		}
		path, selected = nil, false
	}
	for c := range w.tree.children(n) {
		switch w.kind(c) {
		case ",":
			flush()
		case "namespace_wildcard":
			emit(c, strings.Join(path, "."), scalaWildcard(w, c), "")
			selected = true
		case "namespace_selectors":
			for s := range w.named(c) {
				scalaSelector(w, s, strings.Join(path, "."), emit)
			}
			selected = true
		case "as_renamed_identifier", "arrow_renamed_identifier":
			scalaSelector(w, c, strings.Join(path, "."), emit)
			selected = true
		default:
			if w.isNamed(c) && !w.isComment(c) {
				if len(path) == 0 {
					at = c
				}
				path = append(path, w.str(c))
			}
		}
	}
	flush()
}

func scalaSelector(w *walk, s node, path string, emit func(at node, path, name, alias string)) {
	switch w.kind(s) {
	case "namespace_wildcard":
		emit(s, path, scalaWildcard(w, s), "")
	case "as_renamed_identifier", "arrow_renamed_identifier":
		if alias := w.field(s, "alias"); !w.is(alias, "wildcard") {
			emit(s, path, w.str(w.field(s, "name")), w.str(alias))
		}
	case "identifier":
		emit(s, path, w.str(s), "")
	default: // given T
		emit(s, path, "given", "")
	}
}

// scalaWildcard is "*" for everything, "given" for the givens.
func scalaWildcard(w *walk, n node) string {
	if w.says(n, "given") {
		return "given"
	}
	return "*"
}

func scalaImport(w *walk, n node) {
	scalaPaths(w, n, func(at node, path, name, alias string) {
		w.addImport(at, code.Import{Module: path, Name: name, Alias: alias})
	})
}

func scalaExport(w *walk, n node) {
	scalaPaths(w, n, func(at node, path, name, alias string) {
		if alias == "" {
			alias = name
		}
		w.export(at, code.Export{Name: alias, Local: name, Module: path})
	})
}

// scalaModifiers reads annotations and modifiers of n into d and returns the
// nodes of the annotations.
func scalaModifiers(w *walk, n node, d *decl) (annotations []node) {
	d.exported = !scalaIsLocal(w, n)
	for c := range w.tree.children(n) {
		switch w.kind(c) {
		case "annotation":
			annotations = append(annotations, c)
			d.annotations = append(d.annotations, w.line(c))
			continue
		case "modifiers":
			for m := range w.tree.children(c) {
				word := w.line(m)
				d.modifiers = append(d.modifiers, word)
				if strings.HasPrefix(word, "private") || strings.HasPrefix(word, "protected") {
					d.exported = false
				}
			}
		case "case", "object", "package", "val", "var", "given", "opaque_modifier":
			d.modifiers = append(d.modifiers, w.str(c))
		}
		if d.sig <= 0 && len(annotations) > 0 && !w.isComment(c) {
			d.sig = c
		}
	}
	return annotations
}

// scalaIsLocal reports whether a definition stands among the statements of a
// body, rather than in a file or a type.
func scalaIsLocal(w *walk, n node) bool {
	p := w.parent(n)
	for w.is(p, "ERROR", "extension_definition", "enum_case_definitions", "package_clause") {
		p = w.parent(p)
	}
	if w.is(p, "block", "indented_block") && w.is(w.parent(p), "extension_definition") {
		return scalaIsLocal(w, w.parent(p))
	}
	return !scalaIsMixin(w, p) && !w.is(p, "compilation_unit", "template_body", "with_template_body", "enum_body", "class_parameters")
}

// scalaIsMixin reports whether p is the body of new A with B { self => … },
// which the grammar takes for the operator "with" and a call of B with a block.
func scalaIsMixin(w *walk, p node) bool {
	if w.is(p, "indented_block") && w.is(w.parent(p), "lambda_expression") {
		p = w.parent(p)
	}
	if w.is(p, "lambda_expression") {
		p = w.parent(p)
	}
	call := w.parent(p)
	if !w.is(p, "block") || !w.is(call, "call_expression") {
		return false
	}
	with := w.parent(call)
	if fn := w.field(call, "function"); w.is(fn, "generic_function") { // B[T]
		with = w.field(fn, "function")
	}
	return w.is(with, "infix_expression") && w.says(w.field(with, "operator"), "with")
}

// scalaInert are annotations that only the compiler reads.
var scalaInert = map[string]bool{
	"tailrec": true, "inline": true, "noinline": true, "deprecated": true, "throws": true, "unchecked": true, "nowarn": true, "SerialVersionUID": true,
	"transient": true, "volatile": true, "main": true, "switch": true, "implicitNotFound": true, "targetName": true, "specialized": true, "uncheckedVariance": true,
}

func scalaAnnotation(w *walk, n node) {
	count := 0
	for args := range w.all(n, "arguments") {
		count += w.countNamed(args)
	}
	name, receiver := scalaTypeName(w, w.field(n, "name"))
	if !scalaInert[w.str(name)] {
		w.call(code.CallDecorator, n, name, receiver, count)
	}
	for args := range w.all(n, "arguments") {
		w.visit(args)
	}
}

// scalaTypeName takes a type apart into its last name and what stands before it.
func scalaTypeName(w *walk, typ node) (name, receiver node) {
	switch w.kind(typ) {
	case "type_identifier", "identifier":
		return typ, none
	case "stable_type_identifier":
		first, last := none, none
		for c := range w.named(typ) {
			if first < 0 {
				first = c
			}
			last = c
		}
		return last, first
	case "generic_type", "annotated_type":
		return scalaTypeName(w, w.firstNamed(typ))
	case "compound_type":
		return scalaTypeName(w, w.field(typ, "base"))
	}
	return none, none
}
