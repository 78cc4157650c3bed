package l2meta

import (
	"strings"

	"sextant/internal/code"
)

func phpCase(w *walk, n node) {
	d := decl{kind: code.KindConstant, node: n, name: w.field(n, "name")}
	attributes := phpModifiers(w, n, &d)
	if w.enclosedBy(code.KindEnum) {
		w.fact(code.FactField, w.encloser, w.str(d.name), w.out.Symbols[w.encloser].Name, n)
	}
	w.inside(w.declare(d), attributes, w.field(n, "value"))
}

func phpConst(w *walk, n node) {
	typ := w.field(n, "type")
	d := decl{kind: code.KindConstant, node: n, returns: w.line(typ)}
	attributes := phpModifiers(w, n, &d)
	for e := range w.named(n) {
		if !w.is(e, "const_element") {
			continue
		}
		d.name = w.child(e, "name")
		if d.name < 0 {
			continue
		}
		w.fact(code.FactField, w.encloser, w.str(d.name), d.returns, typ)
		s := w.declare(d)
		w.inside(s, attributes)
		attributes = none
		w.insideChildren(s, e)
	}
}

func phpProperty(w *walk, n node) {
	typ := w.field(n, "type")
	d := decl{kind: code.KindProperty, node: n, returns: w.line(typ)}
	attributes := phpModifiers(w, n, &d)
	hooks := w.child(n, "property_hook_list")
	d.body = max(hooks, 0)
	for e := range w.named(n) {
		if !w.is(e, "property_element") {
			continue
		}
		d.name = w.child(w.field(e, "name"), "name")
		if d.name < 0 {
			continue
		}
		s := w.declare(d)
		said := phpTold(d.returns, w.out.Symbols[s].Doc, "@var", "")
		w.fact(code.FactField, w.out.Symbols[s].Parent, w.str(d.name), said, e)
		w.inside(s, attributes, w.field(e, "default_value"), hooks)
		attributes, hooks = none, none
	}
}

func phpFunction(w *walk, n node) {
	body, list, result := w.field(n, "body"), w.field(n, "parameters"), w.field(n, "return_type")
	d := decl{kind: code.KindFunction, node: n, name: w.field(n, "name"), body: max(body, 0), returns: w.line(result)}
	attributes := phpModifiers(w, n, &d)
	d.parameters = phpParameters(w, list)
	if w.is(n, "method_declaration") {
		d.kind = code.KindMethod
		if strings.EqualFold(w.str(d.name), "__construct") {
			d.kind = code.KindConstructor
		}
	}
	s := w.declare(d)
	if d.kind == code.KindMethod && phpIsTest(w, s, attributes) {
		w.out.Symbols[s].Kind = code.KindTest
	}
	doc := w.out.Symbols[s].Doc
	for _, p := range d.parameters {
		w.fact(code.FactParam, s, p.Name, phpTold(p.Type, doc, "@param", p.Name), list)
	}
	w.fact(code.FactResult, s, "", phpTold(d.returns, doc, "@return", ""), n)
	w.inside(s, attributes)
	w.as(s, func() { phpParameterParts(w, list, w.out.Symbols[s].Parent) })
	w.inside(s, body)
}

// phpParameterParts visits the attributes and defaults of parameters, and
// declares those that are properties of class too.
func phpParameterParts(w *walk, list node, class int) {
	function := w.encloser
	for p := range w.named(list) {
		if !w.is(p, "property_promotion_parameter") {
			w.inside(function, w.field(p, "attributes"), w.field(p, "default_value"))
			continue
		}
		typ := w.field(p, "type")
		d := decl{kind: code.KindProperty, node: p, name: w.child(w.field(p, "name"), "name"), returns: w.line(typ)}
		if d.name < 0 {
			continue
		}
		attributes := phpModifiers(w, p, &d)
		w.as(class, func() {
			w.fact(code.FactField, class, w.str(d.name), d.returns, p)
			w.inside(w.declare(d), attributes)
		})
		w.inside(function, w.field(p, "default_value"))
	}
}

// phpIsTest reports whether PHPUnit runs the method.
func phpIsTest(w *walk, s int, attributes node) bool {
	for c := range w.descendants(attributes) {
		if w.is(c, "attribute") && w.says(c, "Test") {
			return true
		}
	}
	m := &w.out.Symbols[s]
	if m.Parent < 0 || !m.Exported {
		return false
	}
	return strings.HasSuffix(w.out.Symbols[m.Parent].Name, "Test") && strings.HasPrefix(m.Name, "test") ||
		m.Doc == "@test" || strings.Contains(m.Doc, "\n@test")
}

func phpParameters(w *walk, list node) (out []code.Parameter) {
	for p := range w.named(list) {
		if name := w.field(p, "name"); w.is(p, "simple_parameter", "variadic_parameter", "property_promotion_parameter") {
			out = append(out, code.Parameter{
				Name: w.line(name), Type: w.line(w.field(p, "type")), Default: w.line(w.field(p, "default_value")), Variadic: w.is(p, "variadic_parameter"),
			})
		}
	}
	return out
}

// phpTold is what is known of a type: as declared, or where that is vague as
// the documentation comment has it.
func phpTold(declared, doc, tag, name string) string {
	switch declared {
	case "", "array", "?array", "iterable", "mixed", "object", "callable", "static", "?static", "self":
		if told := phpTag(doc, tag, name); told != "" {
			return told
		}
	}
	return declared
}

// phpComment records what /** @var T $x */ says of a local variable.
func phpComment(w *walk, n node) {
	text := w.str(n)
	if !strings.HasPrefix(text, "/**") || w.encloser >= 0 && !w.inCallable() {
		return
	}
	_, rest, ok := strings.Cut(text, "@var ")
	if !ok {
		return
	}
	line, _, _ := strings.Cut(rest, "\n")
	typ, after := phpCutType(strings.TrimSpace(line))
	if after = strings.TrimSpace(after); strings.HasPrefix(after, "$") {
		end := strings.IndexAny(after, " \t*,;")
		if end < 0 {
			end = len(after)
		}
		w.fact(code.FactVar, w.encloser, after[:end], typ, n)
	}
}

// phpTag is the type that a documentation comment gives behind a tag, and
// before a parameter's name where one is asked for; "" when it gives none.
func phpTag(doc, tag, name string) string {
	for rest := doc; ; {
		i := strings.Index(rest, tag)
		if i < 0 {
			return ""
		}
		rest = rest[i+len(tag):]
		line, _, _ := strings.Cut(rest, "\n")
		if line == "" || line[0] != ' ' && line[0] != '\t' {
			continue // @vary, or nothing
		}
		typ, after := phpCutType(strings.TrimSpace(line))
		if name == "" {
			return typ
		}
		given, _, _ := strings.Cut(strings.TrimLeft(after, " \t&."), " ")
		if given == name {
			return typ
		}
	}
}

// phpCutType cuts a type off the start of s: up to white space outside of
// brackets.
func phpCutType(s string) (typ, rest string) {
	depth := 0
	for i, r := range s {
		switch r {
		case '<', '(', '{', '[':
			depth++
		case '>', ')', '}', ']':
			depth--
		case ' ', '\t':
			if depth <= 0 {
				return phpNotName(s[:i]), s[i:]
			}
		}
	}
	return phpNotName(s), ""
}

// phpNotName drops what is a variable's name where a type should stand.
func phpNotName(typ string) string {
	if strings.HasPrefix(typ, "$") && typ != "$this" {
		return ""
	}
	return typ
}
