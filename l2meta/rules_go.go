package l2meta

import (
	"go/build/constraint"
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
			"func_literal":          goLiteral,
			"range_clause":          goRange,
			"type_switch_statement": goTypeSwitch,
			"receive_statement":     goReceive,
			// F[int](x) reads as a conversion to a generic type.
			"type_conversion_expression": goConversion,
		},
	}
}

func goPackage(w *walk, n node) {
	name := w.child(n, "package_identifier")
	w.fact(code.FactPackage, -1, "", w.str(name), name)
	goConstraint(w, n)
}

// goConstraint records the build constraint above the package clause, as a
// field of the file like those of a manifest: {"/go:build", "linux && !cgo"}.
func goConstraint(w *walk, clause node) {
	var plus []string
	for _, c := range w.docNodes {
		line := w.str(c)
		switch {
		case w.start(c) > w.start(clause):
			return
		case constraint.IsGoBuild(line):
			w.fact(code.FactField, -1, "/go:build", strings.TrimSpace(strings.TrimPrefix(line, "//go:build")), c)
			return
		case constraint.IsPlusBuild(line):
			if x, err := constraint.Parse(line); err == nil {
				plus = append(plus, "("+x.String()+")")
			}
		}
		if next := c + 1; len(plus) > 0 && (int(next) >= len(w.nodes) || !w.isComment(next)) {
			w.fact(code.FactField, -1, "/go:build", strings.Join(plus, " && "), c)
			return
		}
	}
}

func goImport(w *walk, n node) {
	alias := w.str(w.field(n, "name"))
	i := code.Import{Module: unquote(w.str(w.field(n, "path"))), Alias: alias}
	if alias == "." {
		i.Name, i.Alias = "*", ""
	}
	w.addImport(n, i)
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
	goCallable(w, decl{kind: kind, node: n, name: w.field(n, "name"), exported: goExported(name)}, n)
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
	typ := w.field(receiver, "type")
	d.owner = goBaseType(w.str(typ))
	s := goCallable(w, d, n)
	goBind(w, code.FactParam, s, w.str(w.field(receiver, "name")), goText(w, typ), w.field(n, "body"), receiver)
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
func goCallable(w *walk, d decl, n node) int {
	d.body = w.field(n, "body")
	params, result := w.field(n, "parameters"), w.field(n, "result")
	d.parameters, d.returns = goParameters(w, params), goText(w, result)
	s := w.declare(d)
	goTypeParameters(w, s, n)
	goSignature(w, s, n)
	w.fact(code.FactResult, s, "", d.returns, result)
	w.inside(s, d.body)
	return s
}

// goSignature binds the parameters and the named results of a function, or of
// a literal, to the names by which its body knows them.
func goSignature(w *walk, s int, n node) {
	params, result, body := w.field(n, "parameters"), w.field(n, "result"), w.field(n, "body")
	for _, p := range goParameters(w, params) {
		goBind(w, code.FactParam, s, p.Name, p.Type, body, params)
	}
	if w.is(result, "parameter_list") {
		for _, p := range goParameters(w, result) {
			if p.Name != "" {
				goBind(w, code.FactVar, s, p.Name, p.Type, body, result)
			}
		}
	}
}

// goBind records what a name is in the whole of body, if there is one.
func goBind(w *walk, kind code.FactKind, owner int, name, typ string, body, at node) {
	facts := len(w.out.Facts)
	w.fact(kind, owner, name, typ, at)
	if body >= 0 {
		goScope(w, w.out.Facts[facts:], w.start(body), w.end(body))
	}
}

func goScope(w *walk, facts []code.Fact, start, end int) {
	for i := range facts {
		facts[i].Scope = [2]int{start, max(start, end)}
	}
}

// goVisible makes what facts bind hold from the end of declaration n to the
// end of the block around it, or of the statement whose header it stands in;
// to the end of a text so broken that its root is no file.
func goVisible(w *walk, facts []code.Fact, n node) {
	block := w.within(n, "block", "if_statement", "for_statement", "expression_switch_statement", "type_switch_statement",
		"expression_case", "type_case", "default_case", "communication_case", "source_file")
	goScope(w, facts, w.end(n), w.end(max(block, 0)))
}

// goTypeParameters records the type parameters of a function or a type, in
// order, with their constraints.
func goTypeParameters(w *walk, s int, n node) {
	for p := range w.named(w.field(n, "type_parameters")) {
		for name := range w.all(p, "name") {
			w.fact(code.FactAlias, s, w.str(name), goText(w, w.field(p, "type")), p)
		}
	}
}

func goParameters(w *walk, list node) (out []code.Parameter) {
	for p := range w.named(list) {
		typ := w.field(p, "type")
		param := code.Parameter{Type: goText(w, typ), Variadic: w.is(p, "variadic_parameter_declaration")}
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
	d := decl{kind: code.KindType, node: n, name: name, from: goGroup(w, n), exported: goExported(w.str(name))}
	switch w.kind(typ) {
	case "struct_type":
		d.kind, d.body = code.KindStruct, w.child(typ, "field_declaration_list")
	case "interface_type":
		d.kind, d.body = code.KindInterface, w.child(typ, "{")
	}
	if w.is(n, "type_alias") {
		d.modifiers = []string{"alias"}
	}
	s := w.declare(d)
	goTypeParameters(w, s, n)
	if d.kind == code.KindInterface {
		// The braces of an interface are tokens of the type itself.
		w.out.Symbols[s].Body[1] = w.end(typ)
	}
	if w.is(n, "type_alias") || d.kind == code.KindType {
		w.fact(code.FactAlias, s, w.str(name), goText(w, typ), typ)
	}
	w.inside(s, typ)
}

// goGroup is the declaration around a spec that stands alone in it, so that
// "type T struct" spans its keyword; 0 for a spec in parentheses.
func goGroup(w *walk, spec node) node {
	p := w.parent(spec)
	if w.is(p, "type_declaration", "const_declaration", "var_declaration") && !w.has(p, "(") {
		return p
	}
	return 0
}

// goField declares the fields of a named struct. Those of a struct type that
// is written inside a function or as the type of a variable belong to no symbol.
func goField(w *walk, n node) {
	if !goInType(w) {
		w.children(n)
		return
	}
	owner, typ := w.encloser, w.field(n, "type")
	last := -1
	for name := range w.all(n, "name") {
		last = w.declare(decl{kind: code.KindField, node: n, name: name, returns: goText(w, typ), exported: goExported(w.str(name))})
		w.fact(code.FactField, owner, w.str(name), goText(w, typ), typ)
	}
	if last < 0 {
		goEmbeddedField(w, n, typ)
		return
	}
	w.inside(last, typ)
}

// goEmbeddedField declares the field that an embedded type makes, named like
// the type, and records the embedding.
func goEmbeddedField(w *walk, n, typ node) {
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
	full := goText(w, typ)
	if w.has(n, "*") {
		full = "*" + full
	}
	w.fact(code.FactBase, w.encloser, "", full, typ)
	w.declare(decl{kind: code.KindField, node: n, name: name, returns: full, exported: goExported(w.str(name))})
}

// goInType reports whether the enclosing symbol is a type, or a field whose
// type is written in place.
func goInType(w *walk) bool {
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
	if !goInType(w) {
		return
	}
	name := w.field(n, "name")
	goCallable(w, decl{kind: code.KindMethod, node: n, name: name, exported: goExported(w.str(name))}, n)
}

// goEmbedded records what an interface embeds.
func goEmbedded(w *walk, n node) {
	if goInType(w) {
		w.fact(code.FactBase, w.encloser, "", goText(w, n), n)
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
	goCallee(w, n, fn, count)
	w.children(n)
}

func goCallee(w *walk, site, fn node, args int) {
	calls := len(w.out.Calls)
	receiver := none
	switch w.kind(fn) {
	case "identifier", "type_identifier":
		w.call(code.CallPlain, site, fn, none, args)
	case "selector_expression":
		receiver = w.field(fn, "operand")
		w.call(code.CallPlain, site, w.field(fn, "field"), receiver, args)
	case "qualified_type":
		receiver = w.field(fn, "package")
		w.call(code.CallPlain, site, w.field(fn, "name"), receiver, args)
	}
	if len(w.out.Calls) > calls {
		w.out.Calls[calls].Receiver = goText(w, receiver)
	}
}

func goConversion(w *walk, n node) {
	if typ := w.field(n, "type"); w.is(typ, "generic_type") {
		goCallee(w, n, w.field(typ, "type"), 1)
	}
	w.children(n)
}
