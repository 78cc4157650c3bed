package rules

import (
	"bytes"
	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// class declares a class with a name. Members of an anonymous class belong to the symbol around it.
func class(w *syntax.Walk, n syntax.Node) {
	name := w.Field(n, "name")
	d := syntax.Decl{Node: n, Name: max(name, 0)}
	if ts(w).local && w.Is(n, "class_declaration", "abstract_class_declaration") {
		bind(w, code.FactAssign, w.Str(name), "?", name, ts(w).block)
	}
	if name < 0 {
		if _, _, isDefault := tsOuter(w, n); !isDefault {
			children(w, n, inType)
			return
		}
		d.Text = "default"
	}
	classAs(w, d, n)
}

// classAs declares class n under the name in d, and visits it.
func classAs(w *syntax.Walk, d syntax.Decl, n syntax.Node) {
	body := w.Field(n, "body")
	d.Kind, d.Body = code.KindClass, max(body, 0)
	s := declare(w, d)
	typeParameters(w, s, n)
	heritage := w.Child(n, "class_heritage")
	for c := range w.Named(heritage) {
		switch w.Kind(c) {
		case "extends_clause":
			for base := range w.All(c, "value") {
				text := w.Line(base)
				if args := w.Field(c, "type_arguments"); args >= 0 {
					text += w.Line(args)
				}
				w.Fact(code.FactBase, s, "", text, base)
			}
		case "implements_clause":
			for i := range w.Named(c) {
				w.Fact(code.FactImpl, s, "", w.Line(i), i)
			}
		default: // the grammar of JavaScript has only the base here
			w.Fact(code.FactBase, s, "", w.Line(c), c)
		}
	}
	inside(w, s, inType, w.Field(n, "type_parameters"), heritage, body)
}

// classBody visits the members of a class. It passes each member the decorators that precede it,
// which are its siblings in the tree.
func classBody(w *syntax.Walk, n syntax.Node) {
	t := ts(w)
	outer := t.pending
	t.pending = nil
	for c := range w.Tree.Children(n) {
		if w.Is(c, "decorator") {
			t.pending = append(t.pending, c)
			continue
		}
		w.Visit(c)
		if w.IsNamed(c) && !w.IsComment(c) {
			t.pending = nil
		}
	}
	t.pending = outer
}

func staticBlock(w *syntax.Walk, n syntax.Node) { children(w, n, inFunction(w, n, -1)) }

// method declares a method of a class, an interface or an object.
func method(w *syntax.Walk, n syntax.Node) {
	name := w.Field(n, "name")
	if w.Is(w.Parent(n), "object") {
		objectMethod(w, n, name)
		return
	}
	inClass := w.Is(w.Parent(n), "class_body")
	if !inClass && !inMembers(w) {
		functionParts(w, w.Encloser, n, -1, "")
		return
	}
	d := syntax.Decl{Kind: code.KindMethod, Node: n, Name: max(name, 0), Text: text(w, name), Exported: !hidden(w, n)}
	switch {
	case w.Has(n, "get") || w.Has(n, "set"):
		d.Kind, d.Computed = code.KindProperty, true
	case inClass && w.Says(name, "constructor") && !w.Has(n, "static"):
		d.Kind = code.KindConstructor
	}
	callable(w, d, n)
	computed(w, name)
}

// computed visits the expression of a computed name.
func computed(w *syntax.Walk, name syntax.Node) {
	if w.Is(name, "computed_property_name") {
		w.Children(name)
	}
}

// inMembers reports whether the current node is a member of the enclosing symbol: of an
// interface, or of an object type in an alias or in the type of a field. Members of object types
// in a parameter list do not count, because no type name leads to them.
func inMembers(w *syntax.Walk) bool {
	if w.Encloser < 0 || ts(w).params {
		return false
	}
	switch w.Out.Symbols[w.Encloser].Kind {
	case code.KindInterface, code.KindType, code.KindField:
		return true
	case code.KindProperty:
		return !ts(w).local
	}
	return false
}

// tsField declares a field of a class, or a property of an interface or an object type. A field
// with a function as its value is a method.
func tsField(w *syntax.Walk, n syntax.Node) {
	name, typ, value := w.Field(n, "name"), w.Field(n, "type"), w.Field(n, "value")
	if name < 0 {
		name = w.Field(n, "property") // the field's name in the grammar of JavaScript
	}
	inType := w.Is(n, "property_signature")
	if inType && !inMembers(w) || name < 0 {
		w.Children(n)
		return
	}
	d := syntax.Decl{Kind: code.KindField, Node: n, Name: name, Text: text(w, name), Exported: !hidden(w, n),
		Returns: tsType(w, typ)}
	if inType {
		d.Kind = code.KindProperty
	}
	owner := w.Encloser
	if owner >= 0 {
		ts(w).fields[tsName{owner, d.Text}] = true
	}
	w.Fact(code.FactField, owner, d.Text, d.Returns, n)
	switch inner := unwrap(w, value); {
	case isFunction(w, inner):
		d.Kind = code.KindMethod
		expect(w, d.Returns)
		w.Inside(callable(w, d, inner), typ)
	case w.Is(inner, "class"):
		classAs(w, d, inner)
	default:
		if asserted := assertion(w, value); d.Returns == "" && asserted != "" {
			w.Fact(code.FactField, owner, d.Text, asserted, n)
		} else if d.Returns == "" {
			w.Fact(code.FactAssign, owner, d.Text, tsValue(w, inner), n)
		}
		if !inType {
			give(w, "this."+d.Text, name, inner)
		}
		s := declare(w, d)
		keys(w, s, "", inner, 0)
		inside(w, s, inValueOf(w, d.Returns, inner), typ, value)
	}
	computed(w, name)
}

func tsInterface(w *syntax.Walk, n syntax.Node) {
	name, body := w.Field(n, "name"), w.Field(n, "body")
	s := declare(w, syntax.Decl{Kind: code.KindInterface, Node: n, Name: max(name, 0), Body: max(body, 0)})
	typeParameters(w, s, n)
	bases := w.Child(n, "extends_type_clause", "extends_clause")
	for b := range w.Named(bases) {
		w.Fact(code.FactBase, s, "", w.Line(b), b)
	}
	inside(w, s, inType, w.Field(n, "type_parameters"), bases, body)
}

// maxAlias is the length in bytes above which only the start of an aliased type is recorded.
// Members beyond it are not found.
const maxAlias = 2000

func typeAlias(w *syntax.Walk, n syntax.Node) {
	name, value := w.Field(n, "name"), w.Field(n, "value")
	s := declare(w, syntax.Decl{Kind: code.KindType, Node: n, Name: max(name, 0)})
	typeParameters(w, s, n)
	text := typeLine(w, value)
	switch {
	case !IsCut(text):
	case w.Is(value, "object_type"):
		text = "{}" // the members of an object type are symbols
	default:
		if whole := bytes.Join(bytes.Fields(typeText(w, value)), []byte(" ")); len(whole) <= maxAlias {
			text = string(whole)
		}
	}
	w.Fact(code.FactAlias, s, w.Str(name), text, value)
	inside(w, s, inType, w.Field(n, "type_parameters"), value)
}

func enum(w *syntax.Walk, n syntax.Node) {
	body := w.Field(n, "body")
	s := declare(w, syntax.Decl{Kind: code.KindEnum, Node: n, Name: max(w.Field(n, "name"), 0), Body: max(body, 0)})
	outer := w.Encloser
	w.Encloser = s
	for m := range w.Named(body) {
		name := m
		if w.Is(m, "enum_assignment") {
			name = w.Field(m, "name")
		}
		if !w.Is(name, "property_identifier", "string", "computed_property_name", "number",
			"private_property_identifier") {
			continue
		}
		member := w.Declare(syntax.Decl{Kind: code.KindConstant, Node: m, Name: name,
			Text: text(w, name), Exported: true})
		w.Inside(member, w.Field(m, "value"))
	}
	w.Encloser = outer
}

// namespace declares a namespace, or a declaration of a module, declare module "m". "namespace
// A.B" is one symbol of that name.
func namespace(w *syntax.Walk, n syntax.Node) {
	name, body := w.Field(n, "name"), w.Field(n, "body")
	d := syntax.Decl{Kind: code.KindNamespace, Node: n, Name: max(name, 0), Text: text(w, name), Body: max(body, 0)}
	if w.Is(name, "string") {
		d.Kind, d.Exported = code.KindModule, true
	}
	namespaceAs(w, d, body)
}

func namespaceAs(w *syntax.Walk, d syntax.Decl, body syntax.Node) {
	s := declare(w, d)
	inside(w, s, inType, body)
}

// ambient visits "declare …", whose declarations are implemented elsewhere. "declare global" is a
// namespace of that name.
func ambient(w *syntax.Walk, n syntax.Node) {
	t := ts(w)
	outer := t.ambient
	t.ambient = true
	if global := w.Child(n, "global"); global >= 0 {
		body := w.Child(n, "statement_block")
		namespaceAs(w, syntax.Decl{Kind: code.KindNamespace, Node: n, Name: global, Body: max(body, 0), Exported: true},
			body)
	} else {
		w.Children(n)
	}
	t.ambient = outer
}

// block handles "global { … }" within "declare module". The grammar only supports it after
// "declare", and leaves the word and the block as siblings.
func block(w *syntax.Walk, n syntax.Node) {
	global := n - 1
	for global > 0 && w.Start(global) == w.End(global) { // skips an inserted semicolon
		global--
	}
	if ts(w).ambient && w.Is(global, "identifier") && w.Says(global, "global") &&
		!w.Is(w.Parent(n), "ambient_declaration", "function_declaration") {
		d := syntax.Decl{Kind: code.KindNamespace, Node: n, From: global, Name: global, Body: n, Exported: true}
		s := w.Declare(d)
		outer := ts(w).scope
		inType(&ts(w).scope)
		w.InsideChildren(s, n)
		ts(w).scope = outer
		return
	}
	outer := ts(w).scope
	ts(w).block = boundIn(w, n)
	w.Children(n)
	ts(w).scope = outer
}
