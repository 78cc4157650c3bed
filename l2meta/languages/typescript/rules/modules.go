package rules

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// tsImport records import declarations, one code.Import for each name.
func tsImport(w *syntax.Walk, n syntax.Node) {
	ts(w).module = ts(w).module || w.Encloser < 0
	typeOnly := w.Has(n, "type")
	module := syntax.Unquote(w.Str(w.Field(n, "source")))
	if c := w.Child(n, "import_require_clause"); c >= 0 {
		w.AddImport(c, code.Import{Module: syntax.Unquote(w.Str(w.Field(c, "source"))),
			Alias: w.Str(w.Child(c, "identifier")), TypeOnly: typeOnly})
		return
	}
	clause := w.Child(n, "import_clause")
	if clause < 0 {
		w.AddImport(n, code.Import{Module: module}) // a module that is imported for its side effects
		return
	}
	for c := range w.Named(clause) {
		switch w.Kind(c) {
		case "identifier":
			w.AddImport(c, code.Import{Module: module, Name: "default", Alias: w.Str(c), TypeOnly: typeOnly})
		case "namespace_import":
			w.AddImport(c, code.Import{Module: module, Name: "*", Alias: w.Str(w.Child(c, "identifier")),
				TypeOnly: typeOnly})
		case "named_imports":
			for s := range w.Named(c) {
				i := code.Import{Module: module, Name: text(w, w.Field(s, "name")), TypeOnly: typeOnly ||
					w.Has(s, "type") || w.Has(s, "typeof")}
				i.Alias = w.Str(w.Field(s, "alias"))
				w.AddImport(s, i)
			}
		}
	}
}

// importAlias records import a = B.C, an alias for a member of a namespace.
func importAlias(w *syntax.Walk, n syntax.Node) {
	name, target := w.Child(n, "identifier"), syntax.None
	for c := range w.Named(n) {
		target = c
	}
	w.Fact(code.FactAlias, w.Encloser, w.Str(name), w.Line(target), n)
	if w.Is(w.Parent(n), "export_statement") {
		exported(w, n, w.Str(name), w.Str(name))
	}
}

// tsExport records the names that an export statement exports, and visits it.
func tsExport(w *syntax.Walk, n syntax.Node) {
	ts(w).module = ts(w).module || w.Encloser < 0
	source := w.Field(n, "source")
	module := ""
	if source >= 0 {
		module = syntax.Unquote(w.Str(source))
	}
	declaration, value := w.Field(n, "declaration"), w.Field(n, "value")
	switch {
	case w.Has(n, "export_clause"):
		exportClause(w, w.Child(n, "export_clause"), module)
	case w.Has(n, "namespace_export"):
		c := w.Child(n, "namespace_export")
		for name := range w.Named(c) {
			w.Export(c, code.Export{Name: text(w, name), Local: "*", Module: module})
		}
	case source >= 0:
		w.Export(n, code.Export{Name: "*", Module: module})
	case w.Has(n, "namespace"): // export as namespace X
		name := w.Child(n, "identifier")
		w.Export(n, code.Export{Name: w.Str(name)})
	case w.Has(n, "default"):
		exportDefault(w, n, declaration, value)
	case w.Has(n, "="):
		for c := range w.Named(n) {
			exportWhole(w, n, c)
		}
	default:
		exportNames(w, n, declaration)
		w.Visit(declaration)
	}
}

// exportWhole records export = value: each key of an object, or else value as the default export.
func exportWhole(w *syntax.Walk, n, value syntax.Node) {
	if inner := unwrap(w, value); w.Is(inner, "object") && w.Encloser < 0 {
		exportObject(w, inner)
		named(w, "", value)
		return
	}
	exported(w, n, "default", w.Line(value))
	exportedValue(w, "default", value)
	w.Visit(value)
}

// exported records an export of the file. If a namespace N exports a as b, it records that N.b
// exports N.a.
func exported(w *syntax.Walk, n syntax.Node, name, local string) {
	switch {
	case w.Encloser < 0:
		w.Export(n, code.Export{Name: name, Local: local})
		ts(w).exported[local] = true
	case w.Out.Symbols[w.Encloser].Kind == code.KindNamespace && name != local:
		around := w.Out.Symbols[w.Encloser].QualifiedName + "."
		w.Export(n, code.Export{Name: around + name, Local: around + local})
	}
}

func exportClause(w *syntax.Walk, clause syntax.Node, module string) {
	for s := range w.Named(clause) {
		local, alias := text(w, w.Field(s, "name")), w.Field(s, "alias")
		name := local
		if alias >= 0 {
			name = text(w, alias)
		}
		if module != "" {
			w.Export(s, code.Export{Name: name, Local: local, Module: module})
			continue
		}
		exported(w, s, name, local)
	}
}

// exportDefault exports a declaration under its own name if it has one. An anonymous declaration
// is exported as the symbol "default".
func exportDefault(w *syntax.Walk, n, declaration, value syntax.Node) {
	t := ts(w)
	local := ""
	switch inner := unwrap(w, value); {
	case declaration >= 0:
		local = w.Str(w.Field(declaration, "name"))
	case w.Is(inner, "identifier"):
		local = w.Str(inner)
	case w.Is(inner, "function_expression", "generator_function", "arrow_function", "class"):
		local = w.Str(w.Field(inner, "name"))
		if local == "" && inner == value {
			local = "default"
		}
	}
	exported(w, n, "default", local)
	if local == "" {
		exportedValue(w, "default", value)
	}
	outer := t.path
	if w.Is(unwrap(w, value), "object", "call_expression") {
		t.path = syntax.Join(t.path, "default")
	}
	w.Visit(declaration)
	w.Visit(value)
	t.path = outer
}

// exportedValue records the value that is exported as name, if no declaration holds it.
func exportedValue(w *syntax.Walk, name string, value syntax.Node) {
	inner := unwrap(w, value)
	if w.Encloser >= 0 || inner < 0 || w.Is(inner, "identifier") {
		return
	}
	if typ := assertion(w, value); typ != "" {
		w.Fact(code.FactVar, -1, "exports."+name, typ, value)
		return
	}
	w.Fact(code.FactAssign, -1, "exports."+name, tsValue(w, inner), value)
	keys(w, -1, name, inner, 0)
}

// expression handles "export default function (…): T;". The grammar supports a function without a
// body only if it has a name.
func expression(w *syntax.Walk, n syntax.Node) {
	bad := w.Child(n, "ERROR")
	if bad < 0 || !w.Says(n+1, "export") || !w.Has(bad, "default") || !w.Has(bad, "function") {
		w.Children(n)
		return
	}
	exported(w, n, "default", "default")
	callable(w, syntax.Decl{Node: n, Text: "default"}, bad)
}

// exportNames exports the names that a declaration declares.
func exportNames(w *syntax.Walk, n, declaration syntax.Node) {
	for w.Is(declaration, "ambient_declaration") {
		inner := syntax.None
		for c := range w.Named(declaration) {
			inner = c
			break
		}
		declaration = inner
	}
	if !w.Is(declaration, "lexical_declaration", "variable_declaration") {
		if name := w.Field(declaration, "name"); name >= 0 {
			first, _, _ := strings.Cut(text(w, name), ".") // namespace A.B exports A
			exported(w, n, first, first)
		}
		return
	}
	for v := range w.Named(declaration) {
		tsPattern(w, w.Field(v, "name"), "", func(name syntax.Node, _ string) {
			exported(w, v, w.Str(name), w.Str(name))
		})
	}
}

// require records const x = require("m"), require("m").y and const {a} = require("m") as imports
// rather than variables. It reports whether the variable declaration n is one of these.
func require(w *syntax.Walk, n, name, value syntax.Node) bool {
	i := code.Import{}
	call := value
	if w.Is(value, "member_expression") {
		i.Name, call = w.Str(w.Field(value, "property")), w.Field(value, "object")
	}
	module, ok := required(w, call)
	if !ok {
		return false
	}
	i.Module = module
	switch {
	case w.Is(name, "identifier"):
		i.Alias = w.Str(name)
		w.AddImport(n, i)
	case w.Is(name, "object_pattern") && i.Name == "":
		for c := range w.Named(name) {
			one := code.Import{Module: module, Name: w.Line(c)}
			switch w.Kind(c) {
			case "pair_pattern": // {a: {b}} imports a.b
				tsPattern(w, w.Field(c, "value"), text(w, w.Field(c, "key")), func(name syntax.Node, part string) {
					w.AddImport(c, code.Import{Module: module, Name: part, Alias: w.Str(name)})
				})
				continue
			case "object_assignment_pattern":
				one.Name = w.Line(w.Field(c, "left"))
			case "rest_pattern":
				one.Name, one.Alias = "*", restName(w, c)
			}
			w.AddImport(c, one)
		}
	default:
		return false
	}
	return true
}

// required returns the module of a call require("module"), and false for other calls.
func required(w *syntax.Walk, call syntax.Node) (module string, ok bool) {
	if !w.Is(call, "call_expression") || !w.Says(w.Field(call, "function"), "require") {
		return "", false
	}
	arg := w.FirstNamed(w.Field(call, "arguments"))
	if !w.Is(arg, "string") {
		return "", false
	}
	return syntax.Unquote(w.Str(arg)), true
}

// exportsTarget returns the exported name that an assignment to module.exports, exports.name or
// module.exports.name sets; "" is the whole module. ok is false for other targets.
func exportsTarget(w *syntax.Walk, left syntax.Node) (name string, ok bool) {
	object, property := w.Field(left, "object"), w.Str(w.Field(left, "property"))
	switch text := w.Str(object); {
	case text == "module" && property == "exports":
		return "", true
	case text == "exports" || text == "module.exports":
		return property, true
	}
	return "", false
}

// commonJS records module.exports = value and exports.name = value, and declares functions and
// classes in value.
func commonJS(w *syntax.Walk, n, left syntax.Node, name string, value syntax.Node) {
	t := ts(w)
	property := w.Field(left, "property")
	isValue := false
	switch w.Kind(value) {
	case "function_expression", "generator_function", "arrow_function", "class":
		commonJSFunction(w, n, name, property, value)
		return
	case "string", "number", "template_string", "object", "array", "new_expression", "true", "false", "regex":
		isValue = name != ""
	}
	switch module, required := required(w, value); {
	case required:
		reexport(w, n, name, module)
	case name == "" && w.Is(value, "object"):
		exportObject(w, value)
	case w.Is(value, "identifier"):
		exported(w, n, orDefault(name), w.Str(value))
	default:
		exported(w, n, orDefault(name), name)
		exportedValue(w, orDefault(name), value)
	}
	if key := (tsName{-1, name}); isValue && !t.fields[key] {
		t.fields[key] = true
		s := declare(w, syntax.Decl{Kind: code.KindVariable, Node: n, Name: property, Exported: true})
		inside(w, s, inValue, value)
		return
	}
	named(w, name, value)
}

func orDefault(name string) string {
	if name == "" {
		return "default"
	}
	return name
}

// commonJSFunction declares module.exports = function …, under its own name or "default", and
// exports.name = function … under that name.
func commonJSFunction(w *syntax.Walk, n syntax.Node, name string, property, value syntax.Node) {
	d := syntax.Decl{Node: n, Name: property, Text: name, Exported: true}
	if own := w.Field(value, "name"); name == "" {
		d.Text = "default"
		if own >= 0 {
			d.Name, d.Text = own, w.Str(own)
		}
	}
	exported(w, n, orDefault(name), d.Text)
	if w.Is(value, "class") {
		classAs(w, d, value)
		return
	}
	callable(w, d, value)
}

func reexport(w *syntax.Walk, n syntax.Node, name, module string) {
	if name == "" {
		w.Export(n, code.Export{Name: "*", Module: module})
		return
	}
	w.Export(n, code.Export{Name: name, Local: "*", Module: module})
}

// exportObject exports the keys of module.exports = {a, b: c, d() {}}.
func exportObject(w *syntax.Walk, object syntax.Node) {
	for c := range w.Named(object) {
		switch w.Kind(c) {
		case "shorthand_property_identifier":
			exported(w, c, w.Str(c), w.Str(c))
		case "method_definition":
			name := text(w, w.Field(c, "name"))
			exported(w, c, name, name)
		case "pair":
			name, value := text(w, w.Field(c, "key")), w.Field(c, "value")
			if module, ok := required(w, value); ok {
				reexport(w, c, name, module)
				continue
			}
			local := name
			if w.Is(value, "identifier") {
				local = w.Str(value)
			}
			exported(w, c, name, strings.TrimSpace(local))
			if !isFunction(w, value) {
				exportedValue(w, name, value)
			}
		case "spread_element":
			if module, ok := required(w, w.FirstNamed(c)); ok {
				reexport(w, c, "", module)
			}
		}
	}
}
