package php

import (
	"bytes"
	"cmp"
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// phpCase declares a case of an enumeration, or a constant of one, which the parser sees as a case
// (rules_mask.go).
func phpCase(w *syntax.Walk, n syntax.Node) {
	d := syntax.Decl{Kind: code.KindConstant, Node: n, Name: w.Field(n, "name")}
	attributes := modifiers(w, n, &d)
	start := w.Start(n)
	if attributes >= 0 {
		start = w.Start(w.After(attributes))
	}
	if head := w.Text[start:w.Start(d.Name)]; len(head) > len("const") && bytes.EqualFold(head[:5], []byte("const")) {
		d.Returns = syntax.OneLine(head[5:])
		constantType(w, d, w.Field(n, "value"), n)
	} else if w.EnclosedBy(code.KindEnum) {
		w.Fact(code.FactField, w.Encloser, w.Str(d.Name), w.Out.Symbols[w.Encloser].Name, n)
	}
	w.Inside(w.Declare(d), attributes, w.Field(n, "value"))
}

// constantType records the type of a constant: the declared type, or the enumeration if the
// constant's value is one of its cases, as in const DEFAULT = self::Open.
func constantType(w *syntax.Walk, d syntax.Decl, value, at syntax.Node) {
	switch {
	case d.Returns != "":
		w.Fact(code.FactField, w.Encloser, w.Str(d.Name), d.Returns, at)
	case w.Is(value, "class_constant_access_expression"):
		w.Fact(code.FactAssign, w.Encloser, w.Str(d.Name), w.Line(value), at)
	}
}

func phpConst(w *syntax.Walk, n syntax.Node) {
	typ := w.Field(n, "type")
	d := syntax.Decl{Kind: code.KindConstant, Node: n, Returns: w.Line(typ)}
	attributes := modifiers(w, n, &d)
	for e := range w.Named(n) {
		if !w.Is(e, "const_element") {
			continue
		}
		d.Name = w.Child(e, "name")
		if d.Name < 0 {
			continue
		}
		value := syntax.None
		for c := range w.Named(e) {
			value = c
		}
		constantType(w, d, value, e)
		s := w.Declare(d)
		w.Inside(s, attributes)
		attributes = syntax.None
		w.InsideChildren(s, e)
	}
}

func property(w *syntax.Walk, n syntax.Node) {
	typ := w.Field(n, "type")
	d := syntax.Decl{Kind: code.KindProperty, Node: n, Returns: w.Line(typ)}
	attributes := modifiers(w, n, &d)
	hooks := w.Child(n, "property_hook_list")
	d.Body = max(hooks, 0)
	for e := range w.Named(n) {
		if !w.Is(e, "property_element") {
			continue
		}
		d.Name = w.Child(w.Field(e, "name"), "name")
		if d.Name < 0 {
			continue
		}
		s := w.Declare(d)
		said := told(d.Returns, w.Out.Symbols[s].Doc, "@var", "")
		w.Fact(code.FactField, w.Out.Symbols[s].Parent, w.Str(d.Name), said, e)
		w.Inside(s, attributes, w.Field(e, "default_value"), hooks)
		attributes, hooks = syntax.None, syntax.None
	}
}

func function(w *syntax.Walk, n syntax.Node) {
	body, list, result := w.Field(n, "body"), w.Field(n, "parameters"), w.Field(n, "return_type")
	d := syntax.Decl{Kind: code.KindFunction, Node: n, Name: w.Field(n, "name"), Body: max(body, 0),
		Returns: w.Line(result)}
	attributes := modifiers(w, n, &d)
	d.Parameters = parameters(w, list)
	if w.Is(n, "method_declaration") {
		d.Kind = code.KindMethod
		if strings.EqualFold(w.Str(d.Name), "__construct") {
			d.Kind = code.KindConstructor
		}
	}
	s := w.Declare(d)
	if d.Kind == code.KindMethod && isTest(w, s, attributes) {
		w.Out.Symbols[s].Kind = code.KindTest
	}
	bounds(w, s, n)
	doc := w.Out.Symbols[s].Doc
	// "?" records a parameter of unknown type, so that an assignment which may be skipped does
	// not determine its type: after if ($c) { $x = new T(); } the type of $x is unknown.
	for _, p := range d.Parameters {
		w.Fact(code.FactParam, s, p.Name, cmp.Or(told(p.Type, doc, "@param", p.Name), "?"), list)
	}
	w.Fact(code.FactResult, s, "", told(d.Returns, doc, "@return", ""), n)
	w.Inside(s, attributes)
	w.As(s, func() { parameterParts(w, list, w.Out.Symbols[s].Parent) })
	w.Inside(s, body)
}

// parameterParts visits the attributes and defaults of parameters. It declares promoted
// parameters of a constructor as properties of class.
func parameterParts(w *syntax.Walk, list syntax.Node, class int) {
	function := w.Encloser
	for p := range w.Named(list) {
		if !w.Is(p, "property_promotion_parameter") {
			w.Inside(function, w.Field(p, "attributes"), w.Field(p, "default_value"))
			continue
		}
		typ := w.Field(p, "type")
		d := syntax.Decl{Kind: code.KindProperty, Node: p, Name: w.Child(w.Field(p, "name"), "name"),
			Returns: w.Line(typ)}
		if d.Name < 0 {
			continue
		}
		attributes := modifiers(w, p, &d)
		w.As(class, func() {
			w.Fact(code.FactField, class, w.Str(d.Name), d.Returns, p)
			w.Inside(w.Declare(d), attributes)
		})
		w.Inside(function, w.Field(p, "default_value"))
	}
}

// isTest reports whether PHPUnit runs the method.
func isTest(w *syntax.Walk, s int, attributes syntax.Node) bool {
	for c := range w.Descendants(attributes) {
		if w.Is(c, "attribute") && w.Says(c, "Test") {
			return true
		}
	}
	m := &w.Out.Symbols[s]
	if m.Parent < 0 || !m.Exported {
		return false
	}
	return strings.HasSuffix(w.Out.Symbols[m.Parent].Name, "Test") && strings.HasPrefix(m.Name, "test") ||
		m.Doc == "@test" || strings.Contains(m.Doc, "\n@test")
}

func parameters(w *syntax.Walk, list syntax.Node) (out []code.Parameter) {
	for p := range w.Named(list) {
		if name := w.Field(p, "name"); w.Is(p, "simple_parameter", "variadic_parameter",
			"property_promotion_parameter") {
			out = append(out, code.Parameter{
				Name: w.Line(name), Type: w.Line(w.Field(p, "type")), Default: w.Line(w.Field(p, "default_value")),
				Variadic: w.Is(p, "variadic_parameter"),
			})
		}
	}
	return out
}

// told returns the declared type. If that names no class, or has no type arguments, it returns
// the type after a tag in the documentation comment: array<Order> for @return array<Order>,
// Iterator<Order> if the declared type is Iterator, and class-string<Order> if it is string.
func told(declared, doc, tag, name string) string {
	told := phpTag(doc, tag, name)
	switch declared {
	case "", "array", "?array", "iterable", "mixed", "object", "callable", "static", "?static", "self":
		if told != "" {
			return told
		}
	}
	if declared == "string" && strings.HasPrefix(told, "class-string<") {
		return told
	}
	if generic := head(told); generic != told && lastName(generic) == lastName(strings.TrimPrefix(declared, "?")) {
		return told
	}
	return declared
}

// lastName returns the last step of a qualified name: Iterator for \Iterator.
func lastName(name string) string { return name[strings.LastIndexByte(name, '\\')+1:] }

// comment records the type that a comment such as /** @var T $x */ states for a local variable.
func comment(w *syntax.Walk, n syntax.Node) {
	text := w.Str(n)
	if !strings.HasPrefix(text, "/**") || w.Encloser >= 0 && !w.InCallable() && !w.EnclosedBy(code.KindNamespace) {
		return
	}
	_, rest, ok := strings.Cut(text, "@var ")
	if !ok {
		return
	}
	line, _, _ := strings.Cut(rest, "\n")
	typ, after := cutType(strings.TrimSpace(line))
	if after = strings.TrimSpace(after); strings.HasPrefix(after, "$") {
		end := strings.IndexAny(after, " \t*,;")
		if end < 0 {
			end = len(after)
		}
		w.Fact(code.FactVar, w.Encloser, after[:end], typ, n)
	}
}

// phpTag returns the type after a tag in a documentation comment, "" if there is none. If name is
// not "", the tag must be for that parameter: "Order" for @param Order $x.
func phpTag(doc, tag, name string) string {
	for rest := doc; ; {
		i := strings.Index(rest, tag)
		if i < 0 {
			return ""
		}
		rest = rest[i+len(tag):]
		line, _, _ := strings.Cut(rest, "\n")
		if line == "" || line[0] != ' ' && line[0] != '\t' {
			continue // a longer tag such as @vary, or text that is no type
		}
		typ, after := cutType(strings.TrimSpace(line))
		if name == "" {
			return typ
		}
		given, _, _ := strings.Cut(strings.TrimLeft(after, " \t&."), " ")
		if given == name {
			return typ
		}
	}
}

// template matches a tag that declares a type parameter, as in "@template T of Order".
var template = regexp.MustCompile(`(?m)^\s*@(?:phpstan-|psalm-)?template(?:-covariant|-contravariant)?` +
	`[ \t]+(\w+)(?:[ \t]+(?:of|as)[ \t]+([\w\\]+)(?:\s|$))?`)

// inherits matches a tag that states the type arguments of a base: @extends Box<Order>.
var inherits = regexp.MustCompile(`(?m)^\s*@(?:phpstan-|psalm-|template-)?(?:extends|implements|use)[ \t]+` +
	`([\w\\]+<[^\n]*>)\s*$`)

// extendsTag is the Name of the FactAlias that states the type arguments of a base in its Type: Box<Order>.
const extendsTag = "@extends"

// bounds records the type parameters in the documentation of symbol s, which n declares, as
// aliases of their bounds: T = Order for "@template T of Order". A type parameter without a class
// as its bound is an alias of "?". It also records the type arguments of bases.
func bounds(w *syntax.Walk, s int, n syntax.Node) {
	doc := w.Out.Symbols[s].Doc
	if strings.Contains(doc, "<") {
		for _, m := range inherits.FindAllStringSubmatch(doc, -1) {
			w.Fact(code.FactAlias, s, extendsTag, m[1], n)
		}
	}
	if !strings.Contains(doc, "template") {
		return
	}
	for _, m := range template.FindAllStringSubmatch(doc, -1) {
		bound := m[2]
		if lower := strings.ToLower(bound); bound == "" || bound == m[1] || scalar[lower] || vague[lower] ||
			lower == "object" || lower == "array" {
			bound = "?"
		}
		w.Fact(code.FactAlias, s, m[1], bound, n)
	}
}

// cutType cuts a type off the start of s, up to white space outside of brackets.
func cutType(s string) (typ, rest string) {
	depth := 0
	for i, r := range s {
		switch r {
		case '<', '(', '{', '[':
			depth++
		case '>', ')', '}', ']':
			depth--
		case ' ', '\t':
			if depth <= 0 {
				return notName(s[:i]), s[i:]
			}
		}
	}
	return notName(s), ""
}

// notName returns typ, or "" if it is the name of a variable.
func notName(typ string) string {
	if strings.HasPrefix(typ, "$") && typ != "$this" {
		return ""
	}
	return typ
}
