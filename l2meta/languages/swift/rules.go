package swift

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

func rules() *syntax.Rules {
	return &syntax.Rules{
		Comments: []string{"comment", "multiline_comment"},
		Mask:     mask,
		File:     syntax.Mend, // mends classes in which the grammar fails
		Handlers: map[string]syntax.Handler{
			"import_declaration":            swiftImport,
			"class_declaration":             swiftType,
			"protocol_declaration":          swiftType,
			"function_declaration":          function,
			"protocol_function_declaration": function,
			"init_declaration":              function,
			"deinit_declaration":            function,
			"subscript_declaration":         function,
			"property_declaration":          property,
			"protocol_property_declaration": property,
			"enum_entry":                    swiftCase,
			"typealias_declaration":         alias,
			"associatedtype_declaration":    alias,
			"call_expression":               call,
		},
	}
}

// directives are the words after "#" that the grammar supports. All others are macros: mask turns
// their "#" into "_", so that the parser sees a plain name.
var directives = map[string]bool{
	"if": true, "elseif": true, "else": true, "endif": true, "available": true, "unavailable": true,
	"selector": true, "keyPath": true,
	"file": true, "fileID": true, "filePath": true, "line": true, "column": true, "function": true,
	"dsohandle":      true,
	"sourceLocation": true, "warning": true, "error": true, "colorLiteral": true, "imageLiteral": true,
	"fileLiteral": true,
}

func mask(text []byte) []byte {
	var masked []byte
	for i := 0; i < len(text); i++ {
		if text[i] != '#' {
			continue
		}
		end := i + 1
		for end < len(text) && ident(text[end]) {
			end++
		}
		if end == i+1 || '0' <= text[i+1] && text[i+1] <= '9' || directives[string(text[i+1:end])] {
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

func ident(b byte) bool {
	return b == '_' || b >= 0x80 || '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z'
}

func swiftImport(w *syntax.Walk, n syntax.Node) {
	i := code.Import{Module: w.Str(w.Child(n, "identifier"))}
	for _, kind := range []string{"struct", "class", "enum", "protocol", "func", "var", "let", "typealias"} {
		if at := strings.LastIndexByte(i.Module, '.'); at > 0 && w.Has(n, kind) {
			i.Module, i.Name = i.Module[:at], i.Module[at+1:]
			break
		}
	}
	w.AddImport(n, i)
}

// modifiers stores the attributes of declaration n in d.Annotations and its other modifiers in
// d.Modifiers. It sets d.Sig to the first modifier after the attributes, where the signature
// starts.
func modifiers(w *syntax.Walk, n syntax.Node, d *syntax.Decl) {
	modifiers := w.Child(n, "modifiers")
	d.Exported = true
	for c := range w.Named(modifiers) {
		if w.Is(c, "attribute") {
			d.Annotations = append(d.Annotations, w.Line(c))
			continue
		}
		if d.Sig <= 0 {
			d.Sig = c
		}
		word := w.Str(c)
		d.Modifiers = append(d.Modifiers, word)
		d.Exported = d.Exported && word != "private" && word != "fileprivate"
	}
	if d.Sig <= 0 && modifiers > 0 {
		d.Sig = syntax.Node(w.Nodes[modifiers].Next)
	}
}

func swiftType(w *syntax.Walk, n syntax.Node) {
	name := w.Field(n, "name")
	d := syntax.Decl{Node: n, Name: name, Text: syntax.OneLine([]byte(w.Str(name))), Body: w.Field(n, "body"),
		Kind: code.KindClass}
	switch {
	case w.Is(n, "protocol_declaration"):
		d.Kind = code.KindInterface
		d.Body = w.Child(n, "protocol_body")
	case w.Has(n, "struct"):
		d.Kind = code.KindStruct
	case w.Has(n, "enum"):
		d.Kind = code.KindEnum
	case w.Has(n, "extension"):
		d.Kind = code.KindNamespace
	}
	modifiers(w, n, &d)
	s := w.Declare(d)
	for c := range w.Named(n) {
		if w.Is(c, "inheritance_specifier") {
			w.Fact(code.FactBase, s, "", w.Line(c), c)
		}
	}
	w.Inside(s, d.Body)
}

func function(w *syntax.Walk, n syntax.Node) {
	d := syntax.Decl{Kind: code.KindFunction, Node: n, Body: w.Field(n, "body")}
	if w.Encloser >= 0 && !w.Out.Symbols[w.Encloser].Kind.Callable() {
		d.Kind = code.KindMethod
	}
	switch w.Kind(n) {
	case "init_declaration":
		d.Kind, d.Text = code.KindConstructor, "init"
	case "deinit_declaration":
		d.Text = "deinit"
	case "subscript_declaration":
		d.Text, d.Body = "subscript", w.Child(n, "computed_property")
	default:
		d.Name = w.Child(n, "simple_identifier")
		if d.Name < 0 {
			// the name of an operator may have white space
			d.Name, d.Text = w.Field(n, "name"), syntax.OneLine([]byte(w.Str(w.Field(n, "name"))))
		}
	}
	modifiers(w, n, &d)
	d.Parameters, d.Returns = parameters(w, n)
	if isTest(w, &d) {
		d.Kind = code.KindTest
	}
	s := w.Declare(d)
	for _, p := range d.Parameters {
		w.Fact(code.FactParam, s, p.Name, p.Type, n)
	}
	w.Fact(code.FactResult, s, "", d.Returns, n)
	for c := range w.All(n, "default_value") {
		w.Inside(s, c)
	}
	w.Inside(s, d.Body)
}

// isTest reports whether a declaration is a test, by XCTest's naming convention or the Testing
// library's attribute.
func isTest(w *syntax.Walk, d *syntax.Decl) bool {
	for _, a := range d.Annotations {
		if a == "@Test" || strings.HasPrefix(a, "@Test(") {
			return true
		}
	}
	if d.Kind != code.KindMethod || !strings.HasPrefix(w.Str(d.Name), "test") || len(d.Parameters) > 0 {
		return false
	}
	return strings.HasSuffix(w.Out.Symbols[w.Encloser].Name, "Tests") || strings.Contains(w.Out.Path, "Tests")
}

// parameters returns the parameters and the result type of a declaration. The result type is the
// child after "->".
func parameters(w *syntax.Walk, n syntax.Node) (out []code.Parameter, returns string) {
	arrow := false
	for c := range w.Tree.Children(n) {
		switch {
		case w.Is(c, "parameter"):
			p := code.Parameter{Variadic: strings.HasSuffix(w.Str(c), "...")}
			for part := range w.Named(c) {
				if !w.Is(part, "simple_identifier") {
					break
				}
				p.Name = w.Str(part)
			}
			_, typ, _ := strings.Cut(w.Line(c), ":") // keeps attributes, inout and "..."
			p.Type = strings.TrimSpace(typ)
			out = append(out, p)
		case len(out) > 0 && w.Nodes[c].Field == w.Grammar.Named["default_value"]:
			out[len(out)-1].Default = w.Line(c)
		case w.Is(c, "->"):
			arrow = true
		case arrow && w.IsNamed(c):
			return out, w.Line(c)
		}
	}
	return out, ""
}

// property declares a property or a variable of the file. A variable inside a function is recorded
// as a local.
func property(w *syntax.Walk, n syntax.Node) {
	local := w.Encloser >= 0 && (w.Out.Symbols[w.Encloser].Kind.Callable() ||
		w.Out.Symbols[w.Encloser].Kind == code.KindProperty)
	d := syntax.Decl{Kind: code.KindProperty, Node: n,
		Body: w.Child(n, "computed_property", "willset_didset_block", "protocol_property_requirements")}
	if w.Encloser < 0 {
		d.Kind = code.KindVariable
		if w.Has(w.Child(n, "value_binding_pattern"), "let") {
			d.Kind = code.KindConstant
		}
	}
	modifiers(w, n, &d)
	outer, symbol := w.Encloser, -1
	for c := range w.Tree.Children(n) {
		switch {
		case w.Is(c, "pattern") && w.Nodes[c].Field == w.Grammar.Named["name"]:
			d.Name = w.Find(c, "simple_identifier")
			if d.Name < 0 {
				continue
			}
			kind := code.FactField
			if local || outer < 0 {
				kind = code.FactVar
			}
			d.Returns = annotated(w, c)
			w.Fact(kind, outer, w.Str(d.Name), d.Returns, d.Name)
			if !local {
				symbol = w.Declare(d)
			}
		case w.Nodes[c].Field == w.Grammar.Named["value"]:
			if d.Name > 0 {
				w.Fact(code.FactAssign, outer, w.Str(d.Name), w.Line(c), d.Name)
			}
			inside(w, symbol, c)
		case w.IsNamed(c):
			inside(w, symbol, c)
		}
	}
}

// annotated returns the type annotation after a pattern, or "". In "x, y: Double" the annotation
// follows the last name.
func annotated(w *syntax.Walk, pattern syntax.Node) string {
	end := syntax.Node(w.Nodes[w.Parent(pattern)].Next)
	for c := pattern; c < end; c = syntax.Node(w.Nodes[c].Next) {
		if w.Is(c, "type_annotation") {
			return strings.TrimSpace(strings.TrimPrefix(w.Line(c), ":"))
		}
		if w.Nodes[c].Field == w.Grammar.Named["value"] {
			return ""
		}
	}
	return ""
}

// inside visits c as part of symbol, or as part of the current symbol if symbol is negative.
func inside(w *syntax.Walk, symbol int, c syntax.Node) {
	if symbol < 0 {
		w.Visit(c)
		return
	}
	w.Inside(symbol, c)
}

// call records f(x), r.f(x), f { … } and super.f(x). It skips subscripts, which are the same node
// with brackets.
func call(w *syntax.Walk, n syntax.Node) {
	suffix := w.Child(n, "call_suffix")
	arguments := w.Child(suffix, "value_arguments")
	if suffix < 0 || arguments > 0 && w.Text[w.Start(arguments)] == '[' {
		w.Children(n)
		return
	}
	callee := n + 1
	for { // the grammar parses a * f(x) as (a * f)(x), and does the same with try and await
		inner := w.Field(callee, "rhs")
		if inner < 0 {
			inner = w.Field(callee, "expr")
		}
		if inner < 0 {
			break
		}
		callee = inner
	}
	args := 0
	for range w.Named(arguments) {
		args++
	}
	for c := range w.Named(suffix) {
		if w.Is(c, "lambda_literal") {
			args++
		}
	}
	switch w.Kind(callee) {
	case "simple_identifier":
		kind := code.CallPlain
		name := w.Str(callee)
		switch {
		case strings.HasPrefix(name, "#"):
			kind = code.CallMacro
		case isType(name):
			kind = code.CallNew
		}
		w.Call(kind, n, callee, syntax.None, args)
	case "navigation_expression":
		name, target := w.Child(w.Field(callee, "suffix"), "simple_identifier"), w.Field(callee, "target")
		kind := code.CallPlain
		switch {
		case w.Is(target, "super_expression"):
			kind = code.CallSuper
		case name > 0 && isType(w.Str(name)):
			kind = code.CallNew
		}
		w.Call(kind, n, name, target, args)
	}
	w.Children(n)
}

// isType reports whether a called name is a type, which by convention begins with a capital letter.
func isType(name string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	// XCTAssert… are functions in spite of the capital letter
	return unicode.IsUpper(r) && !strings.HasPrefix(name, "XCT")
}

func swiftCase(w *syntax.Walk, n syntax.Node) {
	for name := range w.All(n, "name") {
		if w.Is(name, "simple_identifier") {
			w.Declare(syntax.Decl{Kind: code.KindConstant, Node: n, Name: name, Exported: true})
		}
	}
}

func alias(w *syntax.Walk, n syntax.Node) {
	d := syntax.Decl{Kind: code.KindType, Node: n, Name: w.Child(n, "type_identifier")}
	modifiers(w, n, &d)
	w.Declare(d)
}
