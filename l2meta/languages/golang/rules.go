package golang

import (
	"go/build/constraint"
	"strings"
	"unicode"
	"unicode/utf8"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

func rules() *syntax.Rules {
	return &syntax.Rules{
		Comments: []string{"comment"},
		Finish:   finish,
		Handlers: map[string]syntax.Handler{
			"package_clause":        packageClause,
			"import_spec":           goImport,
			"function_declaration":  goFunction,
			"method_declaration":    method,
			"type_spec":             typeSpec,
			"type_alias":            typeSpec,
			"const_spec":            goValue,
			"var_spec":              goValue,
			"field_declaration":     field,
			"method_elem":           interfaceMethod,
			"type_elem":             embedded,
			"call_expression":       call,
			"short_var_declaration": shortVar,
			"func_literal":          goLiteral,
			"range_clause":          goRange,
			"type_switch_statement": typeSwitch,
			"receive_statement":     receive,
			"return_statement":      takeReturned,
			"send_statement":        takeSent,
			"literal_value":         takeElements,
			// The grammar parses F[int](x) as a conversion to a generic type.
			"type_conversion_expression": conversion,
			"composite_literal":          composite,
			"assignment_statement":       giveAssigned,
		},
	}
}

// finish applies the rules that need all declarations of the file.
func finish(w *syntax.Walk) {
	keepGiven(w)
	keepTaken(w)
}

func packageClause(w *syntax.Walk, n syntax.Node) {
	name := w.Child(n, "package_identifier")
	w.Fact(code.FactPackage, -1, "", w.Str(name), name)
	buildConstraint(w, n)
}

// buildConstraint records the build constraint above the package clause as a FactField of the file,
// called "/go:build", with the constraint as type: "linux && !cgo".
func buildConstraint(w *syntax.Walk, clause syntax.Node) {
	var plus []string
	for _, c := range w.DocNodes {
		line := w.Str(c)
		switch {
		case w.Start(c) > w.Start(clause):
			return
		case constraint.IsGoBuild(line):
			w.Fact(code.FactField, -1, "/go:build", strings.TrimSpace(strings.TrimPrefix(line, "//go:build")), c)
			return
		case constraint.IsPlusBuild(line):
			if x, err := constraint.Parse(line); err == nil {
				plus = append(plus, "("+x.String()+")")
			}
		}
		if next := c + 1; len(plus) > 0 && (int(next) >= len(w.Nodes) || !w.IsComment(next)) {
			w.Fact(code.FactField, -1, "/go:build", strings.Join(plus, " && "), c)
			return
		}
	}
}

func goImport(w *syntax.Walk, n syntax.Node) {
	alias := w.Str(w.Field(n, "name"))
	i := code.Import{Module: syntax.Unquote(w.Str(w.Field(n, "path"))), Alias: alias}
	if alias == "." {
		i.Name, i.Alias = "*", ""
	}
	w.AddImport(n, i)
}

func goExported(name string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(r)
}

func goFunction(w *syntax.Walk, n syntax.Node) {
	name := w.Str(w.Field(n, "name"))
	kind := code.KindFunction
	if isTest(w.Out.Path, name) {
		kind = code.KindTest
	}
	callable(w, syntax.Decl{Kind: kind, Node: n, Name: w.Field(n, "name"), Exported: goExported(name)}, n)
}

// isTest reports whether go test runs a function of that name.
func isTest(path, name string) bool {
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

func method(w *syntax.Walk, n syntax.Node) {
	name := w.Str(w.Field(n, "name"))
	d := syntax.Decl{Kind: code.KindMethod, Node: n, Name: w.Field(n, "name"), Exported: goExported(name)}
	receiver := w.Child(w.Field(n, "receiver"), "parameter_declaration")
	typ := w.Field(receiver, "type")
	d.Owner = baseType(w.Str(typ))
	s := callable(w, d, n)
	goBind(w, code.FactParam, s, w.Str(w.Field(receiver, "name")), text(w, typ), w.Field(n, "body"), receiver)
}

// baseType returns the name of a receiver's type: "Map" of "*Map[K, V]".
func baseType(s string) string {
	s = strings.TrimLeft(s, "*( ")
	if i := strings.IndexAny(s, "[ )"); i >= 0 {
		s = s[:i]
	}
	return s
}

// callable declares a function or method, visits its body, and returns its symbol.
func callable(w *syntax.Walk, d syntax.Decl, n syntax.Node) int {
	d.Body = w.Field(n, "body")
	params, result := w.Field(n, "parameters"), w.Field(n, "result")
	d.Parameters, d.Returns = goParameters(w, params), text(w, result)
	s := w.Declare(d)
	goTypeParameters(w, s, n)
	signature(w, s, n)
	w.Fact(code.FactResult, s, "", d.Returns, result)
	w.Inside(s, d.Body)
	return s
}

// signature declares the parameters and the named results of a function or function literal as
// local variables of its body.
func signature(w *syntax.Walk, s int, n syntax.Node) {
	params, result, body := w.Field(n, "parameters"), w.Field(n, "result"), w.Field(n, "body")
	for _, p := range goParameters(w, params) {
		goBind(w, code.FactParam, s, p.Name, p.Type, body, params)
	}
	if w.Is(result, "parameter_list") {
		for _, p := range goParameters(w, result) {
			if p.Name != "" {
				goBind(w, code.FactVar, s, p.Name, p.Type, body, result)
			}
		}
	}
}

// goBind records the type of a local name: a parameter or a named result, which is visible in the
// node body, or a name that is visible in all of owner if body is None.
func goBind(w *syntax.Walk, kind code.FactKind, owner int, name, typ string, body, at syntax.Node) {
	facts := len(w.Out.Facts)
	w.Fact(kind, owner, name, typ, at)
	if body >= 0 {
		scope(w, w.Out.Facts[facts:], w.Start(body), w.End(body))
	}
}

func scope(w *syntax.Walk, facts []code.Fact, start, end int) {
	for i := range facts {
		facts[i].Scope = [2]int{start, max(start, end)}
	}
}

// visible sets the scope of facts, the records of the variables that n declares: from the end of n
// to the end of the block around it, or of the statement whose header contains n. If there is no
// block because of syntax errors, the scope extends to the end of the text.
func visible(w *syntax.Walk, facts []code.Fact, n syntax.Node) {
	block := w.Within(n, "block", "if_statement", "for_statement", "expression_switch_statement",
		"type_switch_statement", "expression_case", "type_case", "default_case", "communication_case", "source_file")
	scope(w, facts, w.End(n), w.End(max(block, 0)))
}

// goTypeParameters records the type parameters of a function or a type, in order, with their
// constraints.
func goTypeParameters(w *syntax.Walk, s int, n syntax.Node) {
	for p := range w.Named(w.Field(n, "type_parameters")) {
		for name := range w.All(p, "name") {
			w.Fact(code.FactAlias, s, w.Str(name), text(w, w.Field(p, "type")), p)
		}
	}
}

func goParameters(w *syntax.Walk, list syntax.Node) (out []code.Parameter) {
	for p := range w.Named(list) {
		typ := w.Field(p, "type")
		param := code.Parameter{Type: text(w, typ), Variadic: w.Is(p, "variadic_parameter_declaration")}
		if param.Variadic {
			param.Type = "..." + param.Type
		}
		names := 0
		for name := range w.All(p, "name") {
			param.Name = w.Str(name)
			out = append(out, param)
			names++
		}
		if names == 0 {
			out = append(out, param)
		}
	}
	return out
}

func typeSpec(w *syntax.Walk, n syntax.Node) {
	name, typ := w.Field(n, "name"), w.Field(n, "type")
	d := syntax.Decl{Kind: code.KindType, Node: n, Name: name, From: group(w, n), Exported: goExported(w.Str(name))}
	switch w.Kind(typ) {
	case "struct_type":
		d.Kind, d.Body = code.KindStruct, w.Child(typ, "field_declaration_list")
	case "interface_type":
		d.Kind, d.Body = code.KindInterface, w.Child(typ, "{")
	}
	if w.Is(n, "type_alias") {
		d.Modifiers = []string{"alias"}
	}
	s := w.Declare(d)
	goTypeParameters(w, s, n)
	if d.Kind == code.KindInterface {
		// The grammar has no node for the body of an interface. Declare got the opening brace as
		// the body, so its end is set here.
		w.Out.Symbols[s].Body[1] = w.End(typ)
	}
	if w.Is(n, "type_alias") || d.Kind == code.KindType {
		w.Fact(code.FactAlias, s, w.Str(name), text(w, typ), typ)
	}
	w.Inside(s, typ)
}

// group returns the declaration around a single spec, so that the span of "type T struct" includes
// its keyword; 0 for a spec in parentheses, as in type (T struct{}).
func group(w *syntax.Walk, spec syntax.Node) syntax.Node {
	p := w.Parent(spec)
	if w.Is(p, "type_declaration", "const_declaration", "var_declaration") && !w.Has(p, "(") {
		return p
	}
	return 0
}

// field declares the fields of a named struct. Fields of a struct literal type in a function, or in
// the type of a variable, belong to no symbol and are not declared.
func field(w *syntax.Walk, n syntax.Node) {
	if !inType(w) {
		w.Children(n)
		return
	}
	owner, typ := w.Encloser, w.Field(n, "type")
	last := -1
	for name := range w.All(n, "name") {
		last = w.Declare(syntax.Decl{Kind: code.KindField, Node: n, Name: name, Returns: text(w, typ),
			Exported: goExported(w.Str(name))})
		w.Fact(code.FactField, owner, w.Str(name), text(w, typ), typ)
	}
	if last < 0 {
		embeddedField(w, n, typ)
		return
	}
	w.Inside(last, typ)
}

// embeddedField declares the field that a struct has by embedding a type: field Base for struct{
// *pkg.Base }. It also records the type as a base type.
func embeddedField(w *syntax.Walk, n, typ syntax.Node) {
	name := typ
	for w.Is(name, "pointer_type", "generic_type", "qualified_type", "parenthesized_type") {
		if inner := w.Field(name, "name"); inner >= 0 {
			name = inner
		} else if inner := w.Field(name, "type"); inner >= 0 {
			name = inner
		} else if inner := w.Child(name, "type_identifier", "qualified_type", "generic_type"); inner >= 0 {
			name = inner
		} else {
			break
		}
	}
	full := text(w, typ)
	if w.Has(n, "*") {
		full = "*" + full
	}
	w.Fact(code.FactBase, w.Encloser, "", full, typ)
	w.Declare(syntax.Decl{Kind: code.KindField, Node: n, Name: name, Returns: full, Exported: goExported(w.Str(name))})
}

// inType reports whether the enclosing symbol is a type, or a field with a type literal.
func inType(w *syntax.Walk) bool {
	if w.Encloser < 0 {
		return false
	}
	switch w.Out.Symbols[w.Encloser].Kind {
	case code.KindStruct, code.KindInterface, code.KindType, code.KindField:
		return true
	}
	return false
}

func interfaceMethod(w *syntax.Walk, n syntax.Node) {
	if !inType(w) {
		return
	}
	name := w.Field(n, "name")
	callable(w, syntax.Decl{Kind: code.KindMethod, Node: n, Name: name, Exported: goExported(w.Str(name))}, n)
}

// embedded records a type that an interface embeds.
func embedded(w *syntax.Walk, n syntax.Node) {
	if inType(w) {
		w.Fact(code.FactBase, w.Encloser, "", text(w, n), n)
	}
}

func call(w *syntax.Walk, n syntax.Node) {
	fn, args := w.Field(n, "function"), w.Field(n, "arguments")
	for w.Is(fn, "parenthesized_expression", "index_expression", "type_instantiation_expression", "generic_type") {
		inner := w.Field(fn, "operand")
		if inner < 0 {
			inner = fn + 1 // the first child: "(", or the operand itself
			if w.Is(inner, "(") {
				inner = syntax.Node(w.Nodes[inner].Next)
			}
		}
		fn = inner
	}
	count := 0
	for a := range w.Named(args) {
		if w.Is(a, "variadic_argument") {
			count = -1
			break
		}
		count++
	}
	callee(w, n, fn, count)
	takeArguments(w, fn, args)
	w.Children(n)
}

// clientMethod records a method of a client that a call hands on as a value: x.OrdersClient.List, or the method
// expression orders.OrdersClient.List. The function that receives it makes the request. It returns
// false for any other argument.
func clientMethod(w *syntax.Walk, a syntax.Node) bool {
	if !w.Is(a, "selector_expression") {
		return false
	}
	receiver, name := w.Field(a, "operand"), w.Field(a, "field")
	if !strings.HasSuffix(w.Str(receiver), "Client") || !goExported(w.Str(name)) {
		return false
	}
	calls := len(w.Out.Calls)
	w.Call(code.CallReference, a, name, receiver, 0)
	w.Out.Calls[calls].Receiver = text(w, receiver)
	return true
}

func callee(w *syntax.Walk, site, fn syntax.Node, args int) {
	calls := len(w.Out.Calls)
	receiver := syntax.None
	switch w.Kind(fn) {
	case "identifier", "type_identifier":
		w.Call(code.CallPlain, site, fn, syntax.None, args)
	case "selector_expression":
		receiver = w.Field(fn, "operand")
		w.Call(code.CallPlain, site, w.Field(fn, "field"), receiver, args)
	case "qualified_type":
		receiver = w.Field(fn, "package")
		w.Call(code.CallPlain, site, w.Field(fn, "name"), receiver, args)
	}
	if len(w.Out.Calls) > calls {
		w.Out.Calls[calls].Receiver = text(w, receiver)
	}
}

func conversion(w *syntax.Walk, n syntax.Node) {
	if typ := w.Field(n, "type"); w.Is(typ, "generic_type") {
		callee(w, n, w.Field(typ, "type"), 1)
	}
	take(w, w.Field(n, "operand"))
	w.Children(n)
}
