package l2meta

import (
	"strings"

	"sextant/internal/code"
)

func cppRules() *rules {
	r := cRules()
	for kind, h := range map[string]handler{
		"class_specifier":             cRecord,
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
		"template_instantiation":      func(*walk, node) {},
	} {
		r.handlers[kind] = h
	}
	return r
}

// cppAccess opens a part of a class.
func cppAccess(w *walk, n node) {
	w.state.(*cState).hidden = !strings.HasPrefix(w.str(n), "public") && !strings.HasPrefix(w.str(n), "Q_SIGNALS")
}

func cppNamespace(w *walk, n node) {
	name, body := w.field(n, "name"), w.field(n, "body")
	st := w.state.(*cState)
	hidden := st.hidden
	if name < 0 {
		st.hidden = true
		w.visit(body)
		st.hidden = hidden
		return
	}
	d := decl{kind: code.KindNamespace, node: n, name: name, body: body, exported: !hidden}
	if w.is(name, "nested_namespace_specifier") {
		d.text = strings.Join(strings.FieldsFunc(w.str(name), func(r rune) bool { return r == ':' || r == ' ' }), ".")
	}
	if w.has(n, "inline") {
		d.modifiers = append(d.modifiers, "inline")
	}
	s := w.declare(d)
	st.namespaces[w.out.Symbols[s].QualifiedName] = true
	w.inside(s, body)
}

func cppNamespaceAlias(w *walk, n node) {
	target := none
	for c := range w.named(n) {
		target = c
	}
	if name := w.field(n, "name"); target > name {
		w.addImport(n, code.Import{Module: w.line(target), Alias: w.str(name)})
	}
}

// cppUsing records "using namespace a" and "using a::b" as imports.
func cppUsing(w *walk, n node) {
	target := none
	for c := range w.named(n) {
		target = c
	}
	if target < 0 {
		return
	}
	path := w.line(target)
	i := code.Import{Module: path, Name: "*"}
	if !w.has(n, "namespace") {
		i.Name = ""
		if at := strings.LastIndex(path, "::"); at >= 0 {
			i.Module, i.Name = path[:at], path[at+2:]
		}
	}
	w.addImport(n, i)
}

func cppAlias(w *walk, n node) {
	name, typ := w.field(n, "name"), w.field(n, "type")
	if w.inCallable() {
		w.fact(code.FactAlias, w.encloser, w.str(name), w.line(typ), typ)
		return
	}
	d := decl{kind: code.KindType, node: n, name: name, exported: cVisible(w)}
	if from := cTemplate(w, n); from >= 0 {
		d.from = from
	}
	s := w.declare(d)
	w.fact(code.FactAlias, s, w.str(name), w.line(typ), typ)
}

func cppConcept(w *walk, n node) {
	d := decl{kind: code.KindType, node: n, name: w.field(n, "name"), exported: cVisible(w)}
	if from := cTemplate(w, n); from >= 0 {
		d.from = from
	}
	w.insideChildren(w.declare(d), n)
}

func cppNew(w *walk, n node) {
	typ := w.field(n, "type")
	name, receiver := cSplit(w, typ)
	if w.is(name, "type_identifier", "identifier", "primitive_type") {
		w.call(code.CallNew, n, name, receiver, cCount(w, w.field(n, "arguments")))
		cScope(w, typ, name)
	}
	w.children(n)
}

// cppLiteral records T{…} as the construction of a T.
func cppLiteral(w *walk, n node) {
	typ := w.field(n, "type")
	name, receiver := cSplit(w, typ)
	if w.is(name, "type_identifier", "identifier") {
		w.call(code.CallNew, n, name, receiver, cCount(w, w.field(n, "value")))
		cScope(w, typ, name)
	}
	w.children(n)
}

// cppFieldInitializer tells bases from members of a constructor's initializer
// list: bases have a scope or template arguments, are named by the class, or
// start in upper case, which members do not where types do.
func cppFieldInitializer(w *walk, n node) {
	first := none
	for first = range w.named(n) {
		break
	}
	name, receiver := cSplit(w, first)
	text := w.str(name)
	if name >= 0 && text != "" && (first != name || text[0] >= 'A' && text[0] <= 'Z' && !strings.HasSuffix(text, "_")) {
		args := w.child(n, "argument_list", "initializer_list")
		w.call(code.CallSuper, n, name, receiver, cCount(w, args))
		cScope(w, first, name)
	}
	w.children(n)
}

// cppLambda records the types of its parameters as those of locals.
func cppLambda(w *walk, n node) {
	params, at := cParameters(w, w.field(w.field(n, "declarator"), "parameters"))
	for i, p := range params {
		if p.Name != "" && !p.Variadic && w.encloser >= 0 {
			cHolds(w, at[i], w.start(at[i]), func() { w.fact(code.FactVar, w.encloser, p.Name, p.Type, at[i]) })
		}
	}
	w.children(n)
}

func cppForRange(w *walk, n node) {
	d, body := w.field(n, "declarator"), w.field(n, "body")
	if c := cName(w, d); c.name >= 0 && body >= 0 {
		facts := len(w.out.Facts)
		if typ := cType(w, n, d); !strings.Contains(typ, "auto") {
			w.fact(code.FactVar, w.encloser, w.str(c.name), typ, c.name)
		} else {
			w.fact(code.FactAssign, w.encloser, w.str(c.name), w.line(w.field(n, "right"))+"#each", c.name)
		}
		for i := range w.out.Facts[facts:] {
			w.out.Facts[facts+i].Scope = [2]int{w.start(body), w.end(body)}
		}
	}
	w.children(n)
}

// cppCatch records the type of what is caught.
func cppCatch(w *walk, n node) {
	params, at := cParameters(w, w.field(n, "parameters"))
	for i, p := range params {
		if p.Name != "" && w.encloser >= 0 {
			cHolds(w, at[i], w.start(at[i]), func() { w.fact(code.FactVar, w.encloser, p.Name, p.Type, at[i]) })
		}
	}
	w.children(n)
}
