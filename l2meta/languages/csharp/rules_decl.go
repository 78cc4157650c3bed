package csharp

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

var kinds = map[string]code.Kind{
	"class_declaration": code.KindClass, "record_declaration": code.KindClass, "struct_declaration": code.KindStruct,
	"interface_declaration": code.KindInterface, "enum_declaration": code.KindEnum,
}

func typeDeclaration(w *syntax.Walk, n syntax.Node) {
	body, list := w.Field(n, "body"), w.Child(n, "parameter_list")
	d := syntax.Decl{Kind: kinds[w.Kind(n)], Node: n, Name: w.Field(n, "name"), Body: max(body, 0)}
	if w.Is(n, "record_declaration") {
		d.Modifiers = append(d.Modifiers, "record")
		if w.Has(n, "struct") {
			d.Kind = code.KindStruct
		}
	}
	d.Parameters = parameters(w, list)
	attributes := modifiers(w, n, &d)
	s := declare(w, d, attributes)
	w.Typed(s, d, list, syntax.None)
	csharpConstraints(w, s, n)
	w.As(s, func() {
		csharpBases(w, n, d.Kind)
		if w.Is(n, "record_declaration") {
			components(w, list)
		}
	})
	w.Inside(s, body)
}

// components declares a property for each parameter of a record: Id of record Job(int Id).
func components(w *syntax.Walk, list syntax.Node) {
	for p := range w.Named(list) {
		name, typ := w.Field(p, "name"), w.Field(p, "type")
		if !w.Is(p, "parameter") || name < 0 {
			continue
		}
		d := syntax.Decl{Kind: code.KindProperty, Node: p, Name: name, Returns: w.Line(typ)}
		attributes := modifiers(w, p, &d)
		d.Exported = true
		w.Fact(code.FactField, w.Encloser, w.Str(name), d.Returns, p)
		declare(w, d, attributes)
	}
}

// csharpConstraints records the type parameters of a declaration, in order, as aliases of "?", and
// "where T : X" as T being an alias of X.
func csharpConstraints(w *syntax.Walk, s int, n syntax.Node) {
	for c := range w.Named(w.Child(n, "type_parameter_list")) {
		if name := w.Field(c, "name"); name >= 0 {
			w.Fact(code.FactAlias, s, w.Str(name), "?", name)
		} else if name = w.Child(c, "identifier"); name >= 0 {
			w.Fact(code.FactAlias, s, w.Str(name), "?", name)
		}
	}
	for c := range w.Named(n) {
		if !w.Is(c, "type_parameter_constraints_clause") {
			continue
		}
		name := w.Child(c, "identifier")
		for one := range w.Named(c) {
			typ := w.Field(one, "type")
			w.Fact(code.FactAlias, s, w.Str(name), w.Line(typ), typ)
		}
	}
}

// csharpBases records the base types of a type, and the call of the base's constructor.
func csharpBases(w *syntax.Walk, n syntax.Node, kind code.Kind) {
	based, last := false, syntax.None
	for b := range w.Named(w.Child(n, "base_list")) {
		typ := b
		if w.Is(b, "primary_constructor_base_type") {
			typ = w.Field(b, "type")
		}
		args := w.Child(b, "argument_list")
		if w.Is(b, "argument_list") { // the grammar parses Base(x) as two nodes
			typ, args = last, b
		}
		name, receiver := split(w, typ)
		if args >= 0 {
			w.CallAs(code.CallSuper, typ, name, w.Str(name), w.Line(receiver), w.CountNamed(args))
			w.Children(args)
		}
		last = b
		if w.Is(b, "argument_list") || kind == code.KindEnum {
			continue
		}
		fact := code.FactImpl
		if kind == code.KindInterface || kind == code.KindClass && !based && !csharpInterface(w.Str(name)) {
			fact = code.FactBase
		}
		based = true
		w.Fact(fact, w.Encloser, "", w.Line(typ), typ)
	}
}

// csharpInterface reports whether a name has the form of an interface's: IName.
func csharpInterface(name string) bool {
	rest, ok := strings.CutPrefix(name, "I")
	r, _ := utf8.DecodeRuneInString(rest)
	return ok && unicode.IsUpper(r)
}

func delegate(w *syntax.Walk, n syntax.Node) {
	list, typ := w.Field(n, "parameters"), w.Field(n, "type")
	d := syntax.Decl{Kind: code.KindType, Node: n, Name: w.Field(n, "name"), Parameters: parameters(w, list),
		Returns: w.Line(typ)}
	attributes := modifiers(w, n, &d)
	s := declare(w, d, attributes)
	w.Typed(s, d, list, typ)
	csharpConstraints(w, s, n)
}

func enumMember(w *syntax.Walk, n syntax.Node) {
	d := syntax.Decl{Kind: code.KindConstant, Node: n, Name: w.Field(n, "name")}
	attributes := modifiers(w, n, &d)
	d.Exported = w.InExported()
	if w.EnclosedBy(code.KindEnum) {
		w.Fact(code.FactField, w.Encloser, w.Str(d.Name), w.Out.Symbols[w.Encloser].Name, n)
	}
	w.Inside(declare(w, d, attributes), w.Field(n, "value"))
}

// field declares the variables of a field or event.
func field(w *syntax.Walk, n syntax.Node) {
	list := w.Child(n, "variable_declaration")
	typ := w.Field(list, "type")
	d := syntax.Decl{Kind: code.KindField, Node: n, Returns: w.Line(typ)}
	attributes := modifiers(w, n, &d)
	switch {
	case w.Is(n, "event_field_declaration"):
		d.Kind = code.KindProperty
		d.Modifiers = append(d.Modifiers, "event")
	case slices.Contains(d.Modifiers, "const"):
		d.Kind = code.KindConstant
	}
	for v := range w.Named(list) {
		if !w.Is(v, "variable_declarator") {
			continue
		}
		d.Name = w.Field(v, "name")
		d.Body = max(w.Find(v, "block", "initializer_expression", "switch_body"), 0)
		w.Fact(code.FactField, w.Encloser, w.Str(d.Name), d.Returns, typ)
		if eq := w.Child(v, "="); eq >= 0 && w.Encloser >= 0 {
			give(w, w.Str(d.Name), max(w.After(eq), 1))
			keep(w, w.Str(d.Name), max(w.After(eq), 1))
		}
		s := declare(w, d, attributes)
		attributes = nil // in "int a, b" the attributes are recorded for a only
		w.InsideChildren(s, v)
	}
}

// property declares properties, indexers and events with accessors.
func property(w *syntax.Walk, n syntax.Node) {
	typ := w.Field(n, "type")
	accessors, value := w.Field(n, "accessors"), w.Field(n, "value")
	d := syntax.Decl{Kind: code.KindProperty, Node: n, Name: w.Field(n, "name"), Returns: w.Line(typ)}
	if w.Is(value, "arrow_expression_clause") {
		d.Body, d.Computed = value, true
	} else if accessors >= 0 {
		d.Body = accessors
		for a := range w.Named(accessors) { // accessors without code, { get; set; }, are skipped
			d.Computed = d.Computed || w.Child(a, "block", "arrow_expression_clause") >= 0
		}
	}
	if w.Is(n, "indexer_declaration") {
		d.Name = w.Child(n, "this")
		d.Parameters = parameters(w, w.Field(n, "parameters"))
	}
	attributes := modifiers(w, n, &d)
	csharpExplicit(w, n, &d)
	if w.Is(n, "event_declaration") {
		d.Modifiers = append(d.Modifiers, "event")
	}
	w.Fact(code.FactField, w.Encloser, w.Str(d.Name), d.Returns, typ)
	if w.Is(n, "property_declaration") && value >= 0 && !w.Is(value, "arrow_expression_clause") {
		give(w, w.Str(d.Name), value)
		keep(w, w.Str(d.Name), value)
	}
	s := declare(w, d, attributes)
	explicitOf(w, n, s)
	for _, p := range d.Parameters {
		w.Fact(code.FactParam, s, p.Name, p.Type, n)
	}
	w.Inside(s, accessors, value)
}

// csharpExplicit marks an explicit implementation of an interface's member as exported, because the
// interface makes it visible.
func csharpExplicit(w *syntax.Walk, n syntax.Node, d *syntax.Decl) {
	if w.Child(n, "explicit_interface_specifier") >= 0 {
		d.Exported = true
	}
}

// explicitOf records the interface whose member s implements explicitly.
func explicitOf(w *syntax.Walk, n syntax.Node, s int) {
	if c := w.Child(n, "explicit_interface_specifier"); c >= 0 {
		w.Fact(code.FactImpl, s, "", strings.TrimRight(w.Line(c), ". "), c)
	}
}

func csharpMethod(w *syntax.Walk, n syntax.Node) {
	body, list := w.Field(n, "body"), w.Field(n, "parameters")
	typ := w.Field(n, "returns")
	if typ < 0 {
		typ = w.Field(n, "type")
	}
	d := syntax.Decl{Kind: code.KindMethod, Node: n, Name: w.Field(n, "name"), Body: max(body, 0), Returns: w.Line(typ)}
	attributes := modifiers(w, n, &d)
	csharpExplicit(w, n, &d)
	d.Parameters = parameters(w, list)
	switch w.Kind(n) {
	case "constructor_declaration":
		d.Kind = code.KindConstructor
	case "destructor_declaration":
		d.Text = "~" + w.Str(d.Name)
	case "operator_declaration":
		d.Name = w.Field(n, "operator")
		d.Text = "operator " + w.Str(d.Name)
	case "conversion_operator_declaration":
		d.Name, d.Text = w.Child(n, "operator"), "operator "+d.Returns
	case "local_function_statement":
		d.Kind, d.Exported = code.KindFunction, false
	default:
		if isTest(w, attributes) {
			d.Kind = code.KindTest
		}
	}
	s := declare(w, d, attributes)
	for p := range w.Named(list) {
		if w.HasWord(p, "this") {
			w.Fact(code.FactParam, s, "this", w.Line(w.Field(p, "type")), p)
		}
		for a := range w.Named(p) {
			if w.Is(a, "attribute_list") {
				w.Inside(s, a)
			}
		}
	}
	w.Typed(s, d, list, typ)
	csharpConstraints(w, s, n)
	explicitOf(w, n, s)
	w.Inside(s, w.Child(n, "constructor_initializer"), body)
}

// isTest reports whether xUnit, NUnit or MSTest runs the method.
func isTest(w *syntax.Walk, attributes []syntax.Node) bool {
	for _, list := range attributes {
		for a := range w.Named(list) {
			name, _ := split(w, w.Field(a, "name"))
			switch strings.TrimSuffix(w.Str(name), "Attribute") {
			case "Fact", "Theory", "Test", "TestCase", "TestCaseSource", "TestMethod", "DataTestMethod",
				"SkippableFact", "SkippableTheory":
				return true
			}
		}
	}
	return false
}

// parameters returns the parameters of a list. A params array, params int[] xs, has no node of its own in
// the tree: its type and name are children of the list.
func parameters(w *syntax.Walk, list syntax.Node) (out []code.Parameter) {
	variadic, typ := false, ""
	for c := range w.Tree.Children(list) {
		switch {
		case w.Is(c, "parameter"):
			p := code.Parameter{Name: w.Str(w.Field(c, "name")), Type: w.Line(w.Field(c, "type"))}
			if eq := w.Child(c, "="); eq >= 0 {
				p.Default = w.Line(w.After(eq))
			}
			p.Variadic = w.HasWord(c, "params")
			out = append(out, p)
		case w.Is(c, "params"):
			variadic = true
		case variadic && w.Field(list, "type") == c:
			typ = w.Line(c)
		case variadic && w.Field(list, "name") == c:
			out = append(out, code.Parameter{Name: w.Str(c), Type: typ, Variadic: true})
		}
	}
	return out
}
