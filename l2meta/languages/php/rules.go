package php

import (
	"cmp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// rules returns the rules that extract PHP up to version 8.4, without the markup around it.
// Variables keep their "$" in facts and receivers, so that look-ups match. Properties are stored
// without "$", as in $this->name. Declarations in an anonymous class belong to the symbol that
// contains the class.
func rules() *syntax.Rules {
	return &syntax.Rules{
		Comments: []string{"comment"},
		File:     file,
		Handlers: map[string]syntax.Handler{
			"namespace_definition":            phpNamespace,
			"namespace_use_declaration":       use,
			"include_expression":              include,
			"include_once_expression":         include,
			"require_expression":              include,
			"require_once_expression":         include,
			"class_declaration":               phpType,
			"interface_declaration":           phpType,
			"trait_declaration":               phpType,
			"enum_declaration":                phpType,
			"use_declaration":                 trait,
			"enum_case":                       phpCase,
			"const_declaration":               phpConst,
			"property_declaration":            property,
			"method_declaration":              function,
			"function_definition":             function,
			"anonymous_function":              closure,
			"arrow_function":                  closure,
			"assignment_expression":           assign,
			"reference_assignment_expression": assign,
			"foreach_statement":               foreach,
			"catch_clause":                    catch,
			"if_statement":                    phpIf,
			"else_if_clause":                  phpIf,
			"else_clause":                     block,
			"case_statement":                  block,
			"default_statement":               block,
			"while_statement":                 block,
			"for_statement":                   block,
			"do_statement":                    block,
			"try_statement":                   block,
			"global_declaration":              global,
			"conditional_expression":          choice,
			"binary_expression":               binary,
			"function_call_expression":        call,
			"member_call_expression":          memberCall,
			"nullsafe_member_call_expression": memberCall,
			"scoped_call_expression":          scopedCall,
			"object_creation_expression":      phpNew,
			"attribute":                       attribute,
			"comment":                         comment,
			"array_creation_expression":       array,
		},
	}
}

func file(w *syntax.Walk, n syntax.Node) {
	constants(w)
	syntax.Mend(w, n)
	stateOf(w).sections = sections(w, n)
}

// section holds the first and the last statement that follow a namespace definition without braces, up to
// the next definition. In a section without statements both are the zero Node.
type section struct{ first, last syntax.Node }

// sections returns the parts of a file in which several namespaces begin without braces, by the node of the
// definition. It returns nil if there are fewer than two.
func sections(w *syntax.Walk, root syntax.Node) map[syntax.Node]section {
	out, head := map[syntax.Node]section{}, syntax.None
	for c := range w.Tree.Children(root) {
		if w.Is(c, "namespace_definition") && w.Field(c, "body") < 0 {
			head = c
			out[head] = section{}
		} else if head >= 0 {
			part := out[head]
			out[head] = section{cmp.Or(part.first, c), c}
		}
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

// phpNamespace records a namespace. A namespace in braces is a symbol. If a file has several
// namespaces without braces, each is a symbol, too, because it has imports of its own. It extends
// to the next namespace.
func phpNamespace(w *syntax.Walk, n syntax.Node) {
	name, body := w.Field(n, "name"), w.Field(n, "body")
	d := syntax.Decl{Kind: code.KindNamespace, Node: n, Name: name, Text: w.Line(name), Body: body, Exported: true}
	part, several := stateOf(w).sections[n]
	switch {
	case w.InCallable(): // a call of namespace\f(), which the grammar does not support
		w.Children(n)
	case several:
		w.Encloser = -1
		d.Body, d.To = part.first, part.last
		w.Encloser = w.Declare(d)
		if s := &w.Out.Symbols[w.Encloser]; part.first > 0 {
			s.Body[1] = max(s.Body[1], s.Span.EndByte)
		}
		w.Fact(code.FactPackage, w.Encloser, "", w.Line(name), name)
	case body < 0:
		w.Fact(code.FactPackage, -1, "", w.Line(name), name)
	case name < 0: // namespace { … } is the global namespace
		w.Children(body)
	default:
		s := w.Declare(d)
		w.Fact(code.FactPackage, s, "", w.Line(name), name)
		w.Inside(s, body)
	}
}

// use records use A\B, use A\{B, C as D} and use function A\f. The last binds a function; the others a class or
// a namespace.
func use(w *syntax.Walk, n syntax.Node) {
	prefix := w.Line(w.Child(n, "namespace_name"))
	group := w.Field(n, "body")
	if group < 0 {
		group = n
	}
	for clause := range w.Named(group) {
		if !w.Is(clause, "namespace_use_clause") {
			continue
		}
		path := ""
		for c := range w.Named(clause) {
			if w.Is(c, "name", "qualified_name", "namespace_name") {
				path = strings.TrimPrefix(w.Line(c), `\`)
				break
			}
		}
		if prefix != "" {
			path = prefix + `\` + path
		}
		i := code.Import{Module: path, Alias: w.Str(w.Field(clause, "alias")),
			TypeOnly: w.Field(n, "type") < 0 && w.Field(clause, "type") < 0}
		if last := strings.LastIndexByte(path, '\\'); last > 0 {
			i.Module, i.Name = path[:last], path[last+1:]
		}
		w.AddImport(clause, i)
	}
}

// include records the included file: its path, or the expression that computes it.
func include(w *syntax.Walk, n syntax.Node) {
	for c := range w.Named(n) {
		path := w.Line(c)
		if w.Is(c, "string", "encapsed_string") {
			path = strings.Trim(path, `'"`)
		}
		w.AddImport(n, code.Import{Module: path, Name: "*"})
	}
	w.Children(n)
}

// modifiers copies attributes and modifiers of n into d and returns the attributes.
func modifiers(w *syntax.Walk, n syntax.Node, d *syntax.Decl) (attributes syntax.Node) {
	attributes = w.Field(n, "attributes")
	d.Exported = true
	for group := range w.Named(attributes) {
		d.Annotations = append(d.Annotations, w.Line(group))
	}
	if attributes >= 0 {
		d.Sig = w.After(attributes)
	}
	for c := range w.Named(n) {
		switch w.Kind(c) {
		case "visibility_modifier", "static_modifier", "abstract_modifier", "final_modifier",
			"readonly_modifier", "var_modifier":
			word := w.Line(c)
			d.Modifiers = append(d.Modifiers, word)
			if word == "private" || word == "protected" {
				d.Exported = false
			}
		}
	}
	return attributes
}

// inert lists attributes that only the PHP engine reads. They construct no class of the program,
// so they are not recorded as calls.
var inert = map[string]bool{
	"Override": true, "Deprecated": true, "ReturnTypeWillChange": true, "SensitiveParameter": true,
	"AllowDynamicProperties": true, "Attribute": true,
}

func attribute(w *syntax.Walk, n syntax.Node) {
	args := w.Field(n, "parameters")
	for c := range w.Named(n) {
		if name, receiver := phpSplit(w, c); !inert[w.Str(name)] {
			w.CallAs(code.CallDecorator, n, name, w.Str(name), receiver, phpArgs(w, args))
		}
		break
	}
	w.Children(args)
}

// phpSplit splits a qualified name into its last name and its namespace.
func phpSplit(w *syntax.Walk, n syntax.Node) (name syntax.Node, receiver string) {
	if !w.Is(n, "qualified_name") {
		return n, ""
	}
	name = syntax.None
	for c := range w.Named(n) {
		if w.Is(c, "name") {
			name = c
		}
	}
	if name < 0 {
		return syntax.None, ""
	}
	receiver = string(w.Text[w.Start(n):w.Start(name)])
	if receiver == `\` { // \f is a function of the global namespace
		return name, receiver
	}
	return name, strings.TrimRight(receiver, `\`)
}

var kinds = map[string]code.Kind{
	"class_declaration": code.KindClass, "interface_declaration": code.KindInterface,
	"trait_declaration": code.KindTrait, "enum_declaration": code.KindEnum,
}

func phpType(w *syntax.Walk, n syntax.Node) {
	body := w.Field(n, "body")
	d := syntax.Decl{Kind: kinds[w.Kind(n)], Node: n, Name: w.Field(n, "name"), Body: max(body, 0)}
	attributes := modifiers(w, n, &d)
	s := w.Declare(d)
	bounds(w, s, n)
	for b := range w.Named(w.Child(n, "base_clause")) {
		w.Fact(code.FactBase, s, "", w.Line(b), b)
	}
	for b := range w.Named(w.Child(n, "class_interface_clause")) {
		w.Fact(code.FactImpl, s, "", w.Line(b), b)
	}
	w.Inside(s, attributes, body)
}

// trait records the traits that a class uses, and the rules for their methods: other names, as in
// use T { f as g; }, and the choice between traits that have the same method, as in use T, U {
// T::f insteadof U; }.
func trait(w *syntax.Walk, n syntax.Node) {
	for c := range w.Named(n) {
		if w.Is(c, "name", "qualified_name") {
			w.Fact(code.FactBase, w.Encloser, "", w.Line(c), c)
		}
	}
	for as := range w.Named(w.Child(n, "use_list")) {
		if w.Is(as, "use_instead_of_clause") {
			if chosen := w.Child(as, "class_constant_access_expression"); chosen >= 0 {
				_, name, _ := strings.Cut(w.Line(chosen), "::")
				w.Fact(code.FactAlias, w.Encloser, name, w.Line(chosen), as)
			}
			continue
		}
		if !w.Is(as, "use_as_clause") {
			continue
		}
		first, last := syntax.None, syntax.None
		for c := range w.Named(as) {
			if first < 0 {
				first = c
			}
			last = c
		}
		if w.Is(last, "name") && last != first {
			w.Fact(code.FactAlias, w.Encloser, w.Str(last), w.Line(first), as)
		}
	}
}
