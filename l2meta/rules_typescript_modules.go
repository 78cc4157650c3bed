package l2meta

import (
	"strings"

	"sextant/internal/code"
)

// tsImport reads import declarations, one code.Import a name.
func tsImport(w *walk, n node) {
	ts(w).module = ts(w).module || w.encloser < 0
	typeOnly := w.has(n, "type")
	module := unquote(w.str(w.field(n, "source")))
	if c := w.child(n, "import_require_clause"); c >= 0 {
		w.addImport(c, code.Import{Module: unquote(w.str(w.field(c, "source"))), Alias: w.str(w.child(c, "identifier")), TypeOnly: typeOnly})
		return
	}
	clause := w.child(n, "import_clause")
	if clause < 0 {
		w.addImport(n, code.Import{Module: module}) // for its effects
		return
	}
	for c := range w.named(clause) {
		switch w.kind(c) {
		case "identifier":
			w.addImport(c, code.Import{Module: module, Name: "default", Alias: w.str(c), TypeOnly: typeOnly})
		case "namespace_import":
			w.addImport(c, code.Import{Module: module, Name: "*", Alias: w.str(w.child(c, "identifier")), TypeOnly: typeOnly})
		case "named_imports":
			for s := range w.named(c) {
				i := code.Import{Module: module, Name: tsText(w, w.field(s, "name")), TypeOnly: typeOnly || w.has(s, "type") || w.has(s, "typeof")}
				i.Alias = w.str(w.field(s, "alias"))
				w.addImport(s, i)
			}
		}
	}
}

// tsImportAlias is import a = B.C: another name for what a namespace holds.
func tsImportAlias(w *walk, n node) {
	name, target := w.child(n, "identifier"), none
	for c := range w.named(n) {
		target = c
	}
	w.fact(code.FactAlias, w.encloser, w.str(name), w.line(target), n)
	if w.is(w.parent(n), "export_statement") {
		tsExported(w, n, w.str(name), w.str(name))
	}
}

// tsExport reads what an export statement makes visible, and visits it.
func tsExport(w *walk, n node) {
	ts(w).module = ts(w).module || w.encloser < 0
	source := w.field(n, "source")
	module := ""
	if source >= 0 {
		module = unquote(w.str(source))
	}
	declaration, value := w.field(n, "declaration"), w.field(n, "value")
	switch {
	case w.has(n, "export_clause"):
		tsExportClause(w, w.child(n, "export_clause"), module)
	case w.has(n, "namespace_export"):
		c := w.child(n, "namespace_export")
		for name := range w.named(c) {
			w.export(c, code.Export{Name: tsText(w, name), Local: "*", Module: module})
		}
	case source >= 0:
		w.export(n, code.Export{Name: "*", Module: module})
	case w.has(n, "namespace"): // export as namespace X
		name := w.child(n, "identifier")
		w.export(n, code.Export{Name: w.str(name)})
	case w.has(n, "default"):
		tsExportDefault(w, n, declaration, value)
	case w.has(n, "="):
		for c := range w.named(n) {
			tsExported(w, n, "default", w.line(c))
			tsExportedValue(w, "default", c)
			w.visit(c)
		}
	default:
		tsExportNames(w, n, declaration)
		w.visit(declaration)
	}
}

// tsExported records an export of the file. What a namespace exports under
// another name bears the namespace's before it, at both ends.
func tsExported(w *walk, n node, name, local string) {
	switch {
	case w.encloser < 0:
		w.export(n, code.Export{Name: name, Local: local})
		ts(w).exported[local] = true
	case w.out.Symbols[w.encloser].Kind == code.KindNamespace && name != local:
		around := w.out.Symbols[w.encloser].QualifiedName + "."
		w.export(n, code.Export{Name: around + name, Local: around + local})
	}
}

func tsExportClause(w *walk, clause node, module string) {
	for s := range w.named(clause) {
		local, alias := tsText(w, w.field(s, "name")), w.field(s, "alias")
		name := local
		if alias >= 0 {
			name = tsText(w, alias)
		}
		if module != "" {
			w.export(s, code.Export{Name: name, Local: local, Module: module})
			continue
		}
		tsExported(w, s, name, local)
	}
}

// tsExportDefault exports a declaration under its own name if it has one, an
// anonymous one as the symbol "default".
func tsExportDefault(w *walk, n, declaration, value node) {
	t := ts(w)
	local := ""
	switch inner := tsUnwrap(w, value); {
	case declaration >= 0:
		local = w.str(w.field(declaration, "name"))
	case w.is(inner, "identifier"):
		local = w.str(inner)
	case w.is(inner, "function_expression", "generator_function", "arrow_function", "class"):
		local = w.str(w.field(inner, "name"))
		if local == "" && inner == value {
			local = "default"
		}
	}
	tsExported(w, n, "default", local)
	if local == "" {
		tsExportedValue(w, "default", value)
	}
	outer := t.path
	if w.is(tsUnwrap(w, value), "object", "call_expression") {
		t.path = join(t.path, "default")
	}
	w.visit(declaration)
	w.visit(value)
	t.path = outer
}

// tsExportedValue records the value that is exported as name, where no
// declaration holds it.
func tsExportedValue(w *walk, name string, value node) {
	inner := tsUnwrap(w, value)
	if w.encloser >= 0 || inner < 0 || w.is(inner, "identifier") {
		return
	}
	if typ := tsAssertion(w, value); typ != "" {
		w.fact(code.FactVar, -1, "exports."+name, typ, value)
		return
	}
	w.fact(code.FactAssign, -1, "exports."+name, tsValue(w, inner), value)
	tsKeys(w, -1, name, inner, 0)
}

// tsExpression finds "export default function (…): T;" without a body, which
// the grammar has for functions with a name alone.
func tsExpression(w *walk, n node) {
	bad := w.child(n, "ERROR")
	if bad < 0 || !w.says(n+1, "export") || !w.has(bad, "default") || !w.has(bad, "function") {
		w.children(n)
		return
	}
	tsExported(w, n, "default", "default")
	tsCallable(w, decl{node: n, text: "default"}, bad)
}

// tsExportNames exports the names that a declaration declares.
func tsExportNames(w *walk, n, declaration node) {
	for w.is(declaration, "ambient_declaration") {
		inner := none
		for c := range w.named(declaration) {
			inner = c
			break
		}
		declaration = inner
	}
	if !w.is(declaration, "lexical_declaration", "variable_declaration") {
		if name := w.field(declaration, "name"); name >= 0 {
			first, _, _ := strings.Cut(tsText(w, name), ".") // namespace A.B exports A
			tsExported(w, n, first, first)
		}
		return
	}
	for v := range w.named(declaration) {
		tsPattern(w, w.field(v, "name"), "", func(name node, _ string) {
			tsExported(w, v, w.str(name), w.str(name))
		})
	}
}

// tsRequire reads const x = require("m"), require("m").y and const {a} =
// require("m") as the imports that they are, not as variables.
func tsRequire(w *walk, n, name, value node) bool {
	i := code.Import{}
	call := value
	if w.is(value, "member_expression") {
		i.Name, call = w.str(w.field(value, "property")), w.field(value, "object")
	}
	module, ok := tsRequired(w, call)
	if !ok {
		return false
	}
	i.Module = module
	switch {
	case w.is(name, "identifier"):
		i.Alias = w.str(name)
		w.addImport(n, i)
	case w.is(name, "object_pattern") && i.Name == "":
		for c := range w.named(name) {
			one := code.Import{Module: module, Name: w.line(c)}
			switch w.kind(c) {
			case "pair_pattern": // {a: {b}} imports a.b
				tsPattern(w, w.field(c, "value"), tsText(w, w.field(c, "key")), func(name node, part string) {
					w.addImport(c, code.Import{Module: module, Name: part, Alias: w.str(name)})
				})
				continue
			case "object_assignment_pattern":
				one.Name = w.line(w.field(c, "left"))
			case "rest_pattern":
				one.Name, one.Alias = "*", restName(w, c)
			}
			w.addImport(c, one)
		}
	default:
		return false
	}
	return true
}

// tsRequired is the module of a call require("module").
func tsRequired(w *walk, call node) (module string, ok bool) {
	if !w.is(call, "call_expression") || !w.says(w.field(call, "function"), "require") {
		return "", false
	}
	arg := w.firstNamed(w.field(call, "arguments"))
	if !w.is(arg, "string") {
		return "", false
	}
	return unquote(w.str(arg)), true
}

// tsExportsTarget tells what of module.exports, exports.name and
// module.exports.name is assigned: the exported name, "" for all of it.
func tsExportsTarget(w *walk, left node) (name string, ok bool) {
	object, property := w.field(left, "object"), w.str(w.field(left, "property"))
	switch text := w.str(object); {
	case text == "module" && property == "exports":
		return "", true
	case text == "exports" || text == "module.exports":
		return property, true
	}
	return "", false
}

// tsCommonJS records module.exports = value and exports.name = value, and
// declares what is written in place.
func tsCommonJS(w *walk, n, left node, name string, value node) {
	t := ts(w)
	property := w.field(left, "property")
	isValue := false
	switch w.kind(value) {
	case "function_expression", "generator_function", "arrow_function", "class":
		tsCommonJSFunction(w, n, name, property, value)
		return
	case "string", "number", "template_string", "object", "array", "new_expression", "true", "false", "regex":
		isValue = name != ""
	}
	switch module, required := tsRequired(w, value); {
	case required:
		tsReexport(w, n, name, module)
	case name == "" && w.is(value, "object"):
		tsExportObject(w, value)
	case w.is(value, "identifier"):
		tsExported(w, n, orDefault(name), w.str(value))
	default:
		tsExported(w, n, orDefault(name), name)
		tsExportedValue(w, orDefault(name), value)
	}
	if key := (tsName{-1, name}); isValue && !t.fields[key] {
		t.fields[key] = true
		s := tsDeclare(w, decl{kind: code.KindVariable, node: n, name: property, exported: true})
		tsInside(w, s, tsInValue, value)
		return
	}
	tsNamed(w, name, value)
}

func orDefault(name string) string {
	if name == "" {
		return "default"
	}
	return name
}

// tsCommonJSFunction declares module.exports = function …, under its own name
// or "default", and exports.name = function … under the name.
func tsCommonJSFunction(w *walk, n node, name string, property, value node) {
	d := decl{node: n, name: property, text: name, exported: true}
	if own := w.field(value, "name"); name == "" {
		d.text = "default"
		if own >= 0 {
			d.name, d.text = own, w.str(own)
		}
	}
	tsExported(w, n, orDefault(name), d.text)
	if w.is(value, "class") {
		tsClassAs(w, d, value)
		return
	}
	tsCallable(w, d, value)
}

func tsReexport(w *walk, n node, name, module string) {
	if name == "" {
		w.export(n, code.Export{Name: "*", Module: module})
		return
	}
	w.export(n, code.Export{Name: name, Local: "*", Module: module})
}

// tsExportObject exports the keys of module.exports = {a, b: c, d() {}}.
func tsExportObject(w *walk, object node) {
	for c := range w.named(object) {
		switch w.kind(c) {
		case "shorthand_property_identifier":
			tsExported(w, c, w.str(c), w.str(c))
		case "method_definition":
			name := tsText(w, w.field(c, "name"))
			tsExported(w, c, name, name)
		case "pair":
			name, value := tsText(w, w.field(c, "key")), w.field(c, "value")
			if module, ok := tsRequired(w, value); ok {
				tsReexport(w, c, name, module)
				continue
			}
			local := name
			if w.is(value, "identifier") {
				local = w.str(value)
			}
			tsExported(w, c, name, strings.TrimSpace(local))
			if !tsIsFunction(w, value) {
				tsExportedValue(w, name, value)
			}
		case "spread_element":
			if module, ok := tsRequired(w, w.firstNamed(c)); ok {
				tsReexport(w, c, "", module)
			}
		}
	}
}
