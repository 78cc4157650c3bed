package scala

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// rules returns the extraction rules for Scala 2 and 3. An object is a class. The primary
// constructor is not a symbol; its parameters are those of its class. The receiver of an extension
// is a parameter called "this". The members of an anonymous class belong to the enclosing symbol. A
// selection without arguments may be a call; finish decides how to record it.
func rules() *syntax.Rules {
	return &syntax.Rules{
		Comments: []string{"comment", "block_comment"},
		Hidden:   map[string]func(*syntax.Walk, syntax.Node) bool{},
		File:     func(w *syntax.Walk, n syntax.Node) { w.State = &file{}; syntax.Mend(w, n) },
		Finish:   finish,
		Mask:     mask,
		Handlers: map[string]syntax.Handler{
			"package_clause":                 scalaPackage,
			"import_declaration":             scalaImport,
			"export_declaration":             export,
			"class_definition":               scalaType,
			"object_definition":              scalaType,
			"package_object":                 scalaType,
			"trait_definition":               scalaType,
			"enum_definition":                scalaType,
			"simple_enum_case":               scalaCase,
			"full_enum_case":                 scalaCase,
			"given_definition":               given,
			"extension_definition":           extension,
			"type_definition":                scalaAlias,
			"function_definition":            functionDeclaration,
			"function_declaration":           functionDeclaration,
			"identifier":                     bareName,
			"val_definition":                 scalaValue,
			"var_definition":                 scalaValue,
			"val_declaration":                scalaValue,
			"var_declaration":                scalaValue,
			"self_type":                      self,
			"enumerator":                     enumerator,
			"lambda_expression":              lambda,
			"case_clause":                    scalaClause,
			"annotation":                     annotation,
			"call_expression":                callSite,
			"generic_function":               generic,
			"infix_expression":               infix,
			"postfix_expression":             postfix,
			"instance_expression":            scalaNew,
			"field_expression":               field,
			"wildcard":                       scalaHole,
			"arguments":                      arguments,
			"interpolated_string_expression": interpolated,
		},
	}
}

// file is the data that the rules keep while they walk one file.
type file struct {
	pkg  string
	refs []syntax.Reference // names and selections without arguments, which may be functions
	// receiver is the parameter of the extension that is being visited.
	receiver  code.Parameter
	looked    bool          // whether wildcards has been computed
	wildcards []syntax.Node // the nodes "_", in document order
}

// finish records the names and selections in file.refs that may be functions. If this file
// declares a function of that name with parameter lists, the function is used as a value and
// recorded as a reference: parse in xs.map(parse). Otherwise x.size may call a function without
// parameter lists, so it is recorded as an access. A bare name, size, is recorded only if this
// file declares such a function.
func finish(w *syntax.Walk) {
	functions, values := map[string]bool{}, map[string]bool{}
	for i := range w.Out.Symbols {
		if s := &w.Out.Symbols[i]; s.Kind == code.KindMethod || s.Kind == code.KindFunction {
			functions[s.Name] = true
			values[s.Name] = values[s.Name] || !s.Computed
		}
	}
	for _, r := range w.State.(*file).refs {
		w.As(r.Caller, func() {
			switch name := w.Str(r.Name); {
			// an operand of an operator is a value, not a function
			case values[name] && r.Receiver >= 0 && w.Is(w.Parent(r.Site), "infix_expression"):
			case values[name]:
				w.Call(code.CallReference, r.Site, r.Name, r.Receiver, 0)
			case r.Receiver >= 0:
				w.Access(r.Name, r.Receiver, false)
			case functions[name]:
				w.AccessAs(r.Name, "", false)
			}
		})
	}
}

// scalaPackage records a package clause. A clause without a body applies to the whole file and
// extends earlier ones; a clause with a body is a symbol.
func scalaPackage(w *syntax.Walk, n syntax.Node) {
	name, body := w.Field(n, "name"), w.Field(n, "body")
	if body >= 0 {
		s := w.Declare(syntax.Decl{Kind: code.KindNamespace, Node: n, Name: name, Text: w.Line(name),
			Body: body, Exported: true})
		w.Fact(code.FactPackage, s, "", w.Line(name), name)
		w.Inside(s, body)
		return
	}
	st := w.State.(*file)
	st.pkg = syntax.Join(st.pkg, w.Line(name))
	w.Fact(code.FactPackage, -1, "", st.pkg, name)
	w.Children(n)
}

// paths calls emit for each name that the import or export n lists: with path "a", name "B" and alias "C"
// for import a.{B => C}. alias is "" if the name stays the same, and "_" if a wildcard excludes the name.
func paths(w *syntax.Walk, n syntax.Node, emit func(at syntax.Node, path, name, alias string)) {
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
	for c := range w.Tree.Children(n) {
		switch w.Kind(c) {
		case ",":
			flush()
		case "namespace_wildcard":
			emit(c, strings.Join(path, "."), wildcard(w, c), "")
			selected = true
		case "namespace_selectors":
			for s := range w.Named(c) {
				selector(w, s, strings.Join(path, "."), emit)
			}
			selected = true
		case "as_renamed_identifier", "arrow_renamed_identifier":
			selector(w, c, strings.Join(path, "."), emit)
			selected = true
		default:
			if w.IsNamed(c) && !w.IsComment(c) {
				if len(path) == 0 {
					at = c
				}
				path = append(path, w.Str(c))
			}
		}
	}
	flush()
}

func selector(w *syntax.Walk, s syntax.Node, path string, emit func(at syntax.Node, path, name, alias string)) {
	switch w.Kind(s) {
	case "namespace_wildcard":
		emit(s, path, wildcard(w, s), "")
	case "as_renamed_identifier", "arrow_renamed_identifier":
		emit(s, path, w.Str(w.Field(s, "name")), w.Str(w.Field(s, "alias")))
	case "identifier":
		emit(s, path, w.Str(s), "")
	default: // import of a given by its type: given T
		emit(s, path, "given", "")
	}
}

// wildcard returns "given" for an import of all givens of a path, and "*" for an import of
// everything else.
func wildcard(w *syntax.Walk, n syntax.Node) string {
	if w.Says(n, "given") {
		return "given"
	}
	return "*"
}

func scalaImport(w *syntax.Walk, n syntax.Node) {
	paths(w, n, func(at syntax.Node, path, name, alias string) {
		w.AddImport(at, code.Import{Module: path, Name: name, Alias: alias})
	})
}

func export(w *syntax.Walk, n syntax.Node) {
	paths(w, n, func(at syntax.Node, path, name, alias string) {
		if alias == "_" {
			return
		}
		if alias == "" {
			alias = name
		}
		w.Export(at, code.Export{Name: alias, Local: name, Module: path})
	})
}

// modifiers reads the annotations and modifiers of n into d and returns the nodes of the
// annotations.
func modifiers(w *syntax.Walk, n syntax.Node, d *syntax.Decl) (annotations []syntax.Node) {
	d.Exported = !isLocal(w, n)
	for c := range w.Tree.Children(n) {
		switch w.Kind(c) {
		case "annotation":
			annotations = append(annotations, c)
			d.Annotations = append(d.Annotations, w.Line(c))
			continue
		case "modifiers":
			for m := range w.Tree.Children(c) {
				word := w.Line(m)
				d.Modifiers = append(d.Modifiers, word)
				if strings.HasPrefix(word, "private") || strings.HasPrefix(word, "protected") {
					d.Exported = false
				}
			}
		case "case", "object", "package", "val", "var", "given", "opaque_modifier":
			d.Modifiers = append(d.Modifiers, w.Str(c))
		}
		if d.Sig <= 0 && len(annotations) > 0 && !w.IsComment(c) {
			d.Sig = c
		}
	}
	return annotations
}

// isLocal reports whether a definition is a statement in a body, rather than a member of a
// file or type.
func isLocal(w *syntax.Walk, n syntax.Node) bool {
	p := w.Parent(n)
	for w.Is(p, "ERROR", "extension_definition", "enum_case_definitions", "package_clause") {
		p = w.Parent(p)
	}
	if w.Is(p, "block", "indented_block") && w.Is(w.Parent(p), "extension_definition") {
		return isLocal(w, w.Parent(p))
	}
	return !isMixin(w, p) && !w.Is(p, "compilation_unit", "template_body", "with_template_body", "enum_body",
		"class_parameters")
}

// isMixin reports whether p is the body of new A with B { self => … }. The grammar parses this
// as the operator "with" and a call of B with a block.
func isMixin(w *syntax.Walk, p syntax.Node) bool {
	if w.Is(p, "indented_block") && w.Is(w.Parent(p), "lambda_expression") {
		p = w.Parent(p)
	}
	if w.Is(p, "lambda_expression") {
		p = w.Parent(p)
	}
	call := w.Parent(p)
	if !w.Is(p, "block") || !w.Is(call, "call_expression") {
		return false
	}
	with := w.Parent(call)
	if fn := w.Field(call, "function"); w.Is(fn, "generic_function") { // a type with arguments: B[T]
		with = w.Field(fn, "function")
	}
	return w.Is(with, "infix_expression") && w.Says(w.Field(with, "operator"), "with")
}

// inert lists annotations that only the compiler uses, and that are not recorded as calls.
var inert = map[string]bool{
	"tailrec": true, "inline": true, "noinline": true, "deprecated": true, "throws": true, "unchecked": true,
	"nowarn": true, "SerialVersionUID": true,
	"transient": true, "volatile": true, "main": true, "switch": true, "implicitNotFound": true, "targetName": true,
	"specialized": true, "uncheckedVariance": true,
}

func annotation(w *syntax.Walk, n syntax.Node) {
	count := 0
	for args := range w.All(n, "arguments") {
		count += w.CountNamed(args)
	}
	name, receiver := typeName(w, w.Field(n, "name"))
	if !inert[w.Str(name)] {
		w.Call(code.CallDecorator, n, name, receiver, count)
	}
	for args := range w.All(n, "arguments") {
		w.Visit(args)
	}
}

// typeName splits a type into its last name and its qualifier: C and a for a.C[T]. The qualifier is
// None if there is none.
func typeName(w *syntax.Walk, typ syntax.Node) (name, receiver syntax.Node) {
	switch w.Kind(typ) {
	case "type_identifier", "identifier":
		return typ, syntax.None
	case "stable_type_identifier":
		first, last := syntax.None, syntax.None
		for c := range w.Named(typ) {
			if first < 0 {
				first = c
			}
			last = c
		}
		return last, first
	case "generic_type", "annotated_type":
		return typeName(w, w.FirstNamed(typ))
	case "compound_type":
		return typeName(w, w.Field(typ, "base"))
	}
	return syntax.None, syntax.None
}
