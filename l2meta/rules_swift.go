package l2meta

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"sextant/internal/code"
)

func swiftRules() *rules {
	return &rules{
		comments: []string{"comment", "multiline_comment"},
		mask:     swiftMask,
		handlers: map[string]handler{
			"import_declaration":            swiftImport,
			"class_declaration":             swiftType,
			"protocol_declaration":          swiftType,
			"function_declaration":          swiftFunction,
			"protocol_function_declaration": swiftFunction,
			"init_declaration":              swiftFunction,
			"deinit_declaration":            swiftFunction,
			"subscript_declaration":         swiftFunction,
			"property_declaration":          swiftProperty,
			"protocol_property_declaration": swiftProperty,
			"enum_entry":                    swiftCase,
			"typealias_declaration":         swiftAlias,
			"associatedtype_declaration":    swiftAlias,
			"call_expression":               swiftCall,
		},
	}
}

// swiftDirectives are the words behind "#" that the grammar knows. The rest are
// macros, which the parser is shown as plain names.
var swiftDirectives = map[string]bool{
	"if": true, "elseif": true, "else": true, "endif": true, "available": true, "unavailable": true, "selector": true, "keyPath": true,
	"file": true, "fileID": true, "filePath": true, "line": true, "column": true, "function": true, "dsohandle": true,
	"sourceLocation": true, "warning": true, "error": true, "colorLiteral": true, "imageLiteral": true, "fileLiteral": true,
}

func swiftMask(text []byte) []byte {
	var masked []byte
	for i := 0; i < len(text); i++ {
		if text[i] != '#' {
			continue
		}
		end := i + 1
		for end < len(text) && swiftIdent(text[end]) {
			end++
		}
		if end == i+1 || '0' <= text[i+1] && text[i+1] <= '9' || swiftDirectives[string(text[i+1:end])] {
			continue
		}
		if masked == nil {
			masked = bytes.Clone(text)
		}
		masked[i] = '_'
	}
	if masked == nil {
		return text
	}
	return masked
}

func swiftIdent(b byte) bool {
	return b == '_' || b >= 0x80 || '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z'
}

func swiftImport(w *walk, n node) {
	i := code.Import{Module: w.str(w.child(n, "identifier"))}
	for _, kind := range []string{"struct", "class", "enum", "protocol", "func", "var", "let", "typealias"} {
		if at := strings.LastIndexByte(i.Module, '.'); at > 0 && w.has(n, kind) {
			i.Module, i.Name = i.Module[:at], i.Module[at+1:]
			break
		}
	}
	w.addImport(n, i)
}

// swiftModifiers splits the modifiers of a declaration into attributes and
// words, and names the node where the signature starts: behind the attributes.
func swiftModifiers(w *walk, n node, d *decl) {
	modifiers := w.child(n, "modifiers")
	d.exported = true
	for c := range w.named(modifiers) {
		if w.is(c, "attribute") {
			d.annotations = append(d.annotations, w.line(c))
			continue
		}
		if d.sig <= 0 {
			d.sig = c
		}
		word := w.str(c)
		d.modifiers = append(d.modifiers, word)
		d.exported = d.exported && word != "private" && word != "fileprivate"
	}
	if d.sig <= 0 && modifiers > 0 {
		d.sig = node(w.nodes[modifiers].next)
	}
}

func swiftType(w *walk, n node) {
	name := w.field(n, "name")
	d := decl{node: n, name: name, text: oneLine([]byte(w.str(name))), body: w.field(n, "body"), kind: code.KindClass}
	switch {
	case w.is(n, "protocol_declaration"):
		d.kind = code.KindInterface
		d.body = w.child(n, "protocol_body")
	case w.has(n, "struct"):
		d.kind = code.KindStruct
	case w.has(n, "enum"):
		d.kind = code.KindEnum
	case w.has(n, "extension"):
		d.kind = code.KindNamespace
	}
	swiftModifiers(w, n, &d)
	s := w.declare(d)
	for c := range w.named(n) {
		if w.is(c, "inheritance_specifier") {
			w.fact(code.FactBase, s, "", w.line(c), c)
		}
	}
	w.inside(s, d.body)
}

func swiftFunction(w *walk, n node) {
	d := decl{kind: code.KindFunction, node: n, body: w.field(n, "body")}
	if w.encloser >= 0 && !w.out.Symbols[w.encloser].Kind.Callable() {
		d.kind = code.KindMethod
	}
	switch w.kind(n) {
	case "init_declaration":
		d.kind, d.text = code.KindConstructor, "init"
	case "deinit_declaration":
		d.text = "deinit"
	case "subscript_declaration":
		d.text, d.body = "subscript", w.child(n, "computed_property")
	default:
		d.name = w.child(n, "simple_identifier")
		if d.name < 0 {
			d.name, d.text = w.field(n, "name"), oneLine([]byte(w.str(w.field(n, "name")))) // an operator
		}
	}
	swiftModifiers(w, n, &d)
	d.parameters, d.returns = swiftParameters(w, n)
	if swiftIsTest(w, &d) {
		d.kind = code.KindTest
	}
	s := w.declare(d)
	for _, p := range d.parameters {
		w.fact(code.FactParam, s, p.Name, p.Type, n)
	}
	w.fact(code.FactResult, s, "", d.returns, n)
	for c := range w.all(n, "default_value") {
		w.inside(s, c)
	}
	w.inside(s, d.body)
}

// swiftIsTest knows XCTest's names and the Testing library's attribute.
func swiftIsTest(w *walk, d *decl) bool {
	for _, a := range d.annotations {
		if a == "@Test" || strings.HasPrefix(a, "@Test(") {
			return true
		}
	}
	if d.kind != code.KindMethod || !strings.HasPrefix(w.str(d.name), "test") || len(d.parameters) > 0 {
		return false
	}
	return strings.HasSuffix(w.out.Symbols[w.encloser].Name, "Tests") || strings.Contains(w.out.Path, "Tests")
}

// swiftParameters reads the parameters and the result: the type that follows
// "->" among the children of the declaration.
func swiftParameters(w *walk, n node) (out []code.Parameter, returns string) {
	arrow := false
	for c := range w.tree.children(n) {
		switch {
		case w.is(c, "parameter"):
			p := code.Parameter{Variadic: strings.HasSuffix(w.str(c), "...")}
			for part := range w.named(c) {
				if !w.is(part, "simple_identifier") {
					break
				}
				p.Name = w.str(part)
			}
			_, typ, _ := strings.Cut(w.line(c), ":") // with inout, attributes and dots
			p.Type = strings.TrimSpace(typ)
			out = append(out, p)
		case len(out) > 0 && w.nodes[c].field == w.g.named["default_value"]:
			out[len(out)-1].Default = w.line(c)
		case w.is(c, "->"):
			arrow = true
		case arrow && w.isNamed(c):
			return out, w.line(c)
		}
	}
	return out, ""
}

// swiftProperty reads a property, a variable of the file or, inside a function,
// what a local is.
func swiftProperty(w *walk, n node) {
	local := w.encloser >= 0 && (w.out.Symbols[w.encloser].Kind.Callable() || w.out.Symbols[w.encloser].Kind == code.KindProperty)
	d := decl{kind: code.KindProperty, node: n, body: w.child(n, "computed_property", "willset_didset_block", "protocol_property_requirements")}
	if w.encloser < 0 {
		d.kind = code.KindVariable
		if w.has(w.child(n, "value_binding_pattern"), "let") {
			d.kind = code.KindConstant
		}
	}
	swiftModifiers(w, n, &d)
	outer, symbol := w.encloser, -1
	for c := range w.tree.children(n) {
		switch {
		case w.is(c, "pattern") && w.nodes[c].field == w.g.named["name"]:
			d.name = w.find(c, "simple_identifier")
			if d.name < 0 {
				continue
			}
			kind := code.FactField
			if local || outer < 0 {
				kind = code.FactVar
			}
			d.returns = swiftAnnotated(w, c)
			w.fact(kind, outer, w.str(d.name), d.returns, d.name)
			if !local {
				symbol = w.declare(d)
			}
		case w.nodes[c].field == w.g.named["value"]:
			if d.name > 0 {
				w.fact(code.FactAssign, outer, w.str(d.name), w.line(c), d.name)
			}
			swiftInside(w, symbol, c)
		case w.isNamed(c):
			swiftInside(w, symbol, c)
		}
	}
}

// swiftAnnotated is the type of the pattern: the annotation behind it, which in
// "x, y: Double" stands behind the last name.
func swiftAnnotated(w *walk, pattern node) string {
	end := node(w.nodes[w.parent(pattern)].next)
	for c := pattern; c < end; c = node(w.nodes[c].next) {
		if w.is(c, "type_annotation") {
			return strings.TrimSpace(strings.TrimPrefix(w.line(c), ":"))
		}
		if w.nodes[c].field == w.g.named["value"] {
			return ""
		}
	}
	return ""
}

// swiftInside visits c as part of symbol, or where it stands for -1.
func swiftInside(w *walk, symbol int, c node) {
	if symbol < 0 {
		w.visit(c)
		return
	}
	w.inside(symbol, c)
}

// swiftCall records f(x), r.f(x), f { … } and super.f(x). Subscripts have the
// same node with brackets.
func swiftCall(w *walk, n node) {
	suffix := w.child(n, "call_suffix")
	arguments := w.child(suffix, "value_arguments")
	if suffix < 0 || arguments > 0 && w.text[w.start(arguments)] == '[' {
		w.children(n)
		return
	}
	callee := n + 1
	for { // a * f(x) is parsed as (a * f)(x), try and await likewise
		inner := w.field(callee, "rhs")
		if inner < 0 {
			inner = w.field(callee, "expr")
		}
		if inner < 0 {
			break
		}
		callee = inner
	}
	args := 0
	for range w.named(arguments) {
		args++
	}
	for c := range w.named(suffix) {
		if w.is(c, "lambda_literal") {
			args++
		}
	}
	switch w.kind(callee) {
	case "simple_identifier":
		kind := code.CallPlain
		name := w.str(callee)
		switch {
		case strings.HasPrefix(name, "#"):
			kind = code.CallMacro
		case swiftIsType(name):
			kind = code.CallNew
		}
		w.call(kind, n, callee, none, args)
	case "navigation_expression":
		name, target := w.child(w.field(callee, "suffix"), "simple_identifier"), w.field(callee, "target")
		kind := code.CallPlain
		switch {
		case w.is(target, "super_expression"):
			kind = code.CallSuper
		case name > 0 && swiftIsType(w.str(name)):
			kind = code.CallNew
		}
		w.call(kind, n, name, target, args)
	}
	w.children(n)
}

// swiftIsType goes by the convention that types, and nothing else that is
// called, begin with a capital letter.
func swiftIsType(name string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(r) && !strings.HasPrefix(name, "XCT") // assertions of XCTest
}

func swiftCase(w *walk, n node) {
	for name := range w.all(n, "name") {
		if w.is(name, "simple_identifier") {
			w.declare(decl{kind: code.KindConstant, node: n, name: name, exported: true})
		}
	}
}

func swiftAlias(w *walk, n node) {
	d := decl{kind: code.KindType, node: n, name: w.child(n, "type_identifier")}
	swiftModifiers(w, n, &d)
	w.declare(d)
}
