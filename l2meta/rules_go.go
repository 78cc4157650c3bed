package l2meta

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"sextant/internal/code"
)

func goRules() *rules {
	return &rules{
		comments: []string{"comment"},
		handlers: map[string]handler{
			"package_clause":        goPackage,
			"import_spec":           goImport,
			"function_declaration":  goFunction,
			"method_declaration":    goMethod,
			"type_spec":             goType,
			"type_alias":            goType,
			"const_spec":            goValue,
			"var_spec":              goValue,
			"field_declaration":     goField,
			"method_elem":           goInterfaceMethod,
			"type_elem":             goEmbedded,
			"call_expression":       goCall,
			"short_var_declaration": goShortVar,
		},
	}
}

func goPackage(w *walk, n node) {
	name := w.child(n, "package_identifier")
	w.fact(code.FactPackage, -1, "", w.str(name), name)
}

func goImport(w *walk, n node) {
	alias := w.str(w.field(n, "name"))
	i := code.Import{Module: unquote(w.str(w.field(n, "path"))), Alias: alias}
	if alias == "." {
		i.Name, i.Alias = "*", ""
	}
	w.addImport(n, i)
}

func unquote(s string) string {
	if u, err := strconv.Unquote(s); err == nil {
		return u
	}
	return strings.Trim(s, "\"'`")
}

func goExported(name string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(r)
}

func goFunction(w *walk, n node) {
	name := w.str(w.field(n, "name"))
	kind := code.KindFunction
	if goIsTest(w.out.Path, name) {
		kind = code.KindTest
	}
	w.goCallable(decl{kind: kind, node: n, name: w.field(n, "name"), exported: goExported(name)}, n)
}

// goIsTest reports whether go test runs a function of that name.
func goIsTest(path, name string) bool {
	if !strings.HasSuffix(path, "_test.go") {
		return false
	}
	for _, p := range []string{"Test", "Benchmark", "Fuzz", "Example"} {
		if rest, ok := strings.CutPrefix(name, p); ok {
			r, _ := utf8.DecodeRuneInString(rest)
			return rest == "" || !unicode.IsLower(r)
		}
	}
	return false
}

func goMethod(w *walk, n node) {
	name := w.str(w.field(n, "name"))
	d := decl{kind: code.KindMethod, node: n, name: w.field(n, "name"), exported: goExported(name)}
	receiver := w.child(w.field(n, "receiver"), "parameter_declaration")
	d.owner = goBaseType(w.str(w.field(receiver, "type")))
	s := w.goCallable(d, n)
	w.fact(code.FactParam, s, w.str(w.field(receiver, "name")), w.str(w.field(receiver, "type")), receiver)
}

// goBaseType is the name of a receiver's type: "Map" of "*Map[K, V]".
func goBaseType(s string) string {
	s = strings.TrimLeft(s, "*( ")
	if i := strings.IndexAny(s, "[ )"); i >= 0 {
		s = s[:i]
	}
	return s
}

// goCallable declares a function or method and visits its body.
func (w *walk) goCallable(d decl, n node) int {
	d.body = w.field(n, "body")
	params, result := w.field(n, "parameters"), w.field(n, "result")
	d.parameters, d.returns = w.goParameters(params), w.line(result)
	s := w.declare(d)
	for _, p := range d.parameters {
		w.fact(code.FactParam, s, p.Name, p.Type, params)
	}
	w.fact(code.FactResult, s, "", d.returns, result)
	w.inside(s, d.body)
	return s
}

func (w *walk) goParameters(list node) (out []code.Parameter) {
	for p := range w.named(list) {
		typ := w.field(p, "type")
		param := code.Parameter{Type: w.line(typ), Variadic: w.is(p, "variadic_parameter_declaration")}
		if param.Variadic {
			param.Type = "..." + param.Type
		}
		names := 0
		for name := range w.all(p, "name") {
			param.Name = w.str(name)
			out = append(out, param)
			names++
		}
		if names == 0 {
			out = append(out, param)
		}
	}
	return out
}

func goType(w *walk, n node) {
	name, typ := w.field(n, "name"), w.field(n, "type")
	d := decl{kind: code.KindType, node: n, name: name, from: w.goGroup(n), exported: goExported(w.str(name))}
	switch w.kind(typ) {
	case "struct_type":
		d.kind, d.body = code.KindStruct, w.child(typ, "field_declaration_list")
	case "interface_type":
		d.kind, d.body = code.KindInterface, w.child(typ, "{")
	}
	s := w.declare(d)
	if d.kind == code.KindInterface {
		// The braces of an interface are tokens of the type itself.
		w.out.Symbols[s].Body[1] = w.end(typ)
	}
	if w.is(n, "type_alias") || d.kind == code.KindType {
		w.fact(code.FactAlias, s, w.str(name), w.line(typ), typ)
	}
	w.inside(s, typ)
}

// goGroup is the declaration around a spec that stands alone in it, so that
// "type T struct" spans its keyword; 0 for a spec in parentheses.
func (w *walk) goGroup(spec node) node {
	p := w.parent(spec)
	if w.is(p, "type_declaration", "const_declaration", "var_declaration") && !w.has(p, "(") {
		return p
	}
	return 0
}

func goValue(w *walk, n node) {
	kind := code.KindVariable
	if w.is(n, "const_spec") {
		kind = code.KindConstant
	}
	typ := w.field(n, "type")
	if w.encloser >= 0 {
		w.goLocals(n, typ)
		w.children(n)
		return
	}
	from, first := w.goGroup(n), -1
	for name := range w.all(n, "name") {
		if !w.is(name, "identifier") {
			continue
		}
		s := w.declare(decl{kind: kind, node: n, name: name, from: from, exported: goExported(w.str(name))})
		w.fact(code.FactVar, -1, w.str(name), w.line(typ), typ)
		if first < 0 {
			first = s
			w.fact(code.FactAssign, -1, w.str(name), w.line(w.field(n, "value")), n)
		}
	}
	w.inside(first, typ, w.field(n, "value"))
}

// goLocals records what a declaration inside a function says of its names.
func (w *walk) goLocals(n, typ node) {
	for name := range w.all(n, "name") {
		if !w.is(name, "identifier") {
			continue
		}
		if typ >= 0 {
			w.fact(code.FactVar, w.encloser, w.str(name), w.line(typ), name)
		} else {
			w.fact(code.FactAssign, w.encloser, w.str(name), w.line(w.field(n, "value")), name)
		}
	}
}

// goShortVar records x := e as an assignment; the i-th name of a call with
// several results gets "e#i".
func goShortVar(w *walk, n node) {
	var right []node
	for e := range w.named(w.field(n, "right")) {
		right = append(right, e)
	}
	i := 0
	for name := range w.named(w.field(n, "left")) {
		switch {
		case !w.is(name, "identifier") || len(right) == 0:
		case i < len(right) && (len(right) > 1 || i == 0):
			w.fact(code.FactAssign, w.encloser, w.str(name), w.line(right[i]), name)
		default:
			w.fact(code.FactAssign, w.encloser, w.str(name), w.line(right[0])+"#"+strconv.Itoa(i), name)
		}
		i++
	}
	w.children(n)
}

// goField declares the fields of a named struct. Those of a struct type that
// is written inside a function or as the type of a variable belong to no symbol.
func goField(w *walk, n node) {
	if !w.goInType() {
		w.children(n)
		return
	}
	owner, typ := w.encloser, w.field(n, "type")
	last := -1
	for name := range w.all(n, "name") {
		last = w.declare(decl{kind: code.KindField, node: n, name: name, returns: w.line(typ), exported: goExported(w.str(name))})
		w.fact(code.FactField, owner, w.str(name), w.line(typ), typ)
	}
	if last < 0 {
		w.goEmbeddedField(n, typ)
		return
	}
	w.inside(last, typ)
}

// goEmbeddedField declares the field that an embedded type makes, named like
// the type, and records the embedding.
func (w *walk) goEmbeddedField(n, typ node) {
	name := typ
	for w.is(name, "pointer_type", "generic_type", "qualified_type", "parenthesized_type") {
		if inner := w.field(name, "name"); inner >= 0 {
			name = inner
		} else if inner := w.field(name, "type"); inner >= 0 {
			name = inner
		} else if inner := w.child(name, "type_identifier", "qualified_type", "generic_type"); inner >= 0 {
			name = inner
		} else {
			break
		}
	}
	full := w.line(typ)
	if w.has(n, "*") {
		full = "*" + full
	}
	w.fact(code.FactBase, w.encloser, "", full, typ)
	w.declare(decl{kind: code.KindField, node: n, name: name, returns: full, exported: goExported(w.str(name))})
}

// goInType reports whether the enclosing symbol is a type, or a field whose
// type is written in place.
func (w *walk) goInType() bool {
	if w.encloser < 0 {
		return false
	}
	switch w.out.Symbols[w.encloser].Kind {
	case code.KindStruct, code.KindInterface, code.KindType, code.KindField:
		return true
	}
	return false
}

func goInterfaceMethod(w *walk, n node) {
	if !w.goInType() {
		return
	}
	name := w.field(n, "name")
	w.goCallable(decl{kind: code.KindMethod, node: n, name: name, exported: goExported(w.str(name))}, n)
}

// goEmbedded records what an interface embeds.
func goEmbedded(w *walk, n node) {
	if w.goInType() {
		w.fact(code.FactBase, w.encloser, "", w.line(n), n)
	}
}

func goCall(w *walk, n node) {
	fn, args := w.field(n, "function"), w.field(n, "arguments")
	for w.is(fn, "parenthesized_expression", "index_expression", "type_instantiation_expression", "generic_type") {
		inner := w.field(fn, "operand")
		if inner < 0 {
			inner = fn + 1 // "(" or the operand itself
			if w.is(inner, "(") {
				inner = node(w.nodes[inner].next)
			}
		}
		fn = inner
	}
	count := 0
	for a := range w.named(args) {
		if w.is(a, "variadic_argument") {
			count = -1
			break
		}
		count++
	}
	switch w.kind(fn) {
	case "identifier", "type_identifier":
		w.call(code.CallPlain, n, fn, none, count)
	case "selector_expression":
		w.call(code.CallPlain, n, w.field(fn, "field"), w.field(fn, "operand"), count)
	}
	w.children(n)
}
