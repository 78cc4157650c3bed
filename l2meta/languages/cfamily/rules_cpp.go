package cfamily

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

func cppRules() *syntax.Rules {
	r := rules()
	for kind, h := range map[string]syntax.Handler{
		"class_specifier":             record,
		"access_specifier":            cppAccess,
		"namespace_definition":        cppNamespace,
		"namespace_alias_definition":  cppNamespaceAlias,
		"using_declaration":           cppUsing,
		"alias_declaration":           cppAlias,
		"concept_definition":          cppConcept,
		"new_expression":              cppNew,
		"compound_literal_expression": cppLiteral,
		"field_initializer":           cppFieldInitializer,
		"lambda_expression":           cppLambda,
		"for_range_loop":              cppForRange,
		"catch_clause":                cppCatch,
		"template_instantiation":      func(*syntax.Walk, syntax.Node) {},
	} {
		r.Handlers[kind] = h
	}
	return r
}

// cppAccess sets the visibility of the following members of a class.
func cppAccess(w *syntax.Walk, n syntax.Node) {
	w.State.(*state).hidden = !strings.HasPrefix(w.Str(n), "public") && !strings.HasPrefix(w.Str(n), "Q_SIGNALS")
}

func cppNamespace(w *syntax.Walk, n syntax.Node) {
	name, body := w.Field(n, "name"), w.Field(n, "body")
	st := w.State.(*state)
	hidden := st.hidden
	if name < 0 {
		st.hidden = true
		w.Visit(body)
		st.hidden = hidden
		return
	}
	d := syntax.Decl{Kind: code.KindNamespace, Node: n, Name: name, Body: body, Exported: !hidden}
	if w.Is(name, "nested_namespace_specifier") {
		d.Text = strings.Join(strings.FieldsFunc(w.Str(name), func(r rune) bool { return r == ':' || r == ' ' }), ".")
	}
	if w.Has(n, "inline") {
		d.Modifiers = append(d.Modifiers, "inline")
	}
	s := w.Declare(d)
	st.namespaces[w.Out.Symbols[s].QualifiedName] = true
	w.Inside(s, body)
}

func cppNamespaceAlias(w *syntax.Walk, n syntax.Node) {
	target := syntax.None
	for c := range w.Named(n) {
		target = c
	}
	if name := w.Field(n, "name"); target > name {
		w.AddImport(n, code.Import{Module: w.Line(target), Alias: w.Str(name)})
	}
}

// cppUsing records "using namespace a" and "using a::b" as imports.
func cppUsing(w *syntax.Walk, n syntax.Node) {
	target := syntax.None
	for c := range w.Named(n) {
		target = c
	}
	if target < 0 {
		return
	}
	path := w.Line(target)
	i := code.Import{Module: path, Name: "*"}
	if !w.Has(n, "namespace") {
		i.Name = ""
		if at := strings.LastIndex(path, "::"); at >= 0 {
			i.Module, i.Name = path[:at], path[at+2:]
		}
	}
	w.AddImport(n, i)
}

func cppAlias(w *syntax.Walk, n syntax.Node) {
	name, typ := w.Field(n, "name"), w.Field(n, "type")
	if w.InCallable() {
		w.Fact(code.FactAlias, w.Encloser, w.Str(name), w.Line(typ), typ)
		return
	}
	d := syntax.Decl{Kind: code.KindType, Node: n, Name: name, Exported: cVisible(w)}
	if from := template(w, n); from >= 0 {
		d.From = from
	}
	s := w.Declare(d)
	w.Fact(code.FactAlias, s, w.Str(name), w.Line(typ), typ)
}

func cppConcept(w *syntax.Walk, n syntax.Node) {
	d := syntax.Decl{Kind: code.KindType, Node: n, Name: w.Field(n, "name"), Exported: cVisible(w)}
	if from := template(w, n); from >= 0 {
		d.From = from
	}
	w.InsideChildren(w.Declare(d), n)
}

func cppNew(w *syntax.Walk, n syntax.Node) {
	typ := w.Field(n, "type")
	name, receiver := split(w, typ)
	if w.Is(name, "type_identifier", "identifier", "primitive_type") {
		w.Call(code.CallNew, n, name, receiver, count(w, w.Field(n, "arguments")))
		scope(w, typ, name)
	}
	w.Children(n)
}

// cppLiteral records T{…} as the construction of a T.
func cppLiteral(w *syntax.Walk, n syntax.Node) {
	typ := w.Field(n, "type")
	name, receiver := split(w, typ)
	if w.Is(name, "type_identifier", "identifier") {
		w.Call(code.CallNew, n, name, receiver, count(w, w.Field(n, "value")))
		scope(w, typ, name)
		giveMembers(w, w.Line(typ), "", w.Field(n, "value"))
	}
	w.Children(n)
}

// cppFieldInitializer records the bases that a constructor's initializer list constructs: Base in
// C() : Base(1), count(2). An entry counts as a base if it has a scope or template arguments, or if
// its name begins with an upper-case letter and does not end in "_".
func cppFieldInitializer(w *syntax.Walk, n syntax.Node) {
	first := syntax.None
	for first = range w.Named(n) {
		break
	}
	name, receiver := split(w, first)
	text := w.Str(name)
	if name >= 0 && text != "" && (first != name || text[0] >= 'A' && text[0] <= 'Z' && !strings.HasSuffix(text, "_")) {
		args := w.Child(n, "argument_list", "initializer_list")
		w.Call(code.CallSuper, n, name, receiver, count(w, args))
		scope(w, first, name)
	}
	w.Children(n)
}

// cppLambda records the parameters of a lambda as local variables of the enclosing function.
func cppLambda(w *syntax.Walk, n syntax.Node) {
	params, at := parameters(w, w.Field(w.Field(n, "declarator"), "parameters"))
	for i, p := range params {
		if p.Name != "" && !p.Variadic && w.Encloser >= 0 {
			holds(w, at[i], w.Start(at[i]), func() { w.Fact(code.FactVar, w.Encloser, p.Name, p.Type, at[i]) })
		}
	}
	w.Children(n)
}

func cppForRange(w *syntax.Walk, n syntax.Node) {
	d, body := w.Field(n, "declarator"), w.Field(n, "body")
	if c := name(w, d); c.name >= 0 && body >= 0 {
		facts := len(w.Out.Facts)
		if typ := cType(w, n, d); !strings.Contains(typ, "auto") {
			w.Fact(code.FactVar, w.Encloser, w.Str(c.name), typ, c.name)
		} else {
			w.Fact(code.FactAssign, w.Encloser, w.Str(c.name), code.MarkEach.After(w.Line(w.Field(n, "right"))), c.name)
		}
		for i := range w.Out.Facts[facts:] {
			w.Out.Facts[facts+i].Scope = [2]int{w.Start(body), w.End(body)}
		}
	}
	w.Children(n)
}

// cppCatch records the type of a caught exception.
func cppCatch(w *syntax.Walk, n syntax.Node) {
	params, at := parameters(w, w.Field(n, "parameters"))
	for i, p := range params {
		if p.Name != "" && w.Encloser >= 0 {
			holds(w, at[i], w.Start(at[i]), func() { w.Fact(code.FactVar, w.Encloser, p.Name, p.Type, at[i]) })
		}
	}
	w.Children(n)
}
