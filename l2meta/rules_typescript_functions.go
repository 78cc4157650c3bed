package l2meta

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"sextant/internal/code"
)

// tsFunction declares a function statement, an overload or an ambient function.
func tsFunction(w *walk, n node) {
	if w.ts().local {
		w.tsBind(code.FactAssign, w.str(w.field(n, "name")), "() => 0", w.field(n, "name"), w.ts().block)
	}
	w.tsCallable(decl{node: n, name: max(w.field(n, "name"), 0)}, n)
}

// tsFunctionValue meets a function that nothing around it names: it is a
// symbol if it names itself, or is the default export.
func tsFunctionValue(w *walk, n node) {
	if name := w.field(n, "name"); name >= 0 && w.ts().inner != n {
		w.tsCallable(decl{node: n, name: name}, n)
		return
	}
	if _, _, isDefault := w.tsOuter(n); isDefault {
		w.tsCallable(decl{node: n, text: "default"}, n)
		return
	}
	w.tsFunctionParts(w.encloser, n, -1, w.tsTakeContext())
}

// tsFunctionParts visits the parameters and the body of function fn as parts
// of symbol s; returns is the symbol whose result it gives, -1 for none.
func (w *walk) tsFunctionParts(s int, fn node, returns int, context string) {
	outer := w.encloser
	w.encloser = s
	w.tsBindParameters(fn, context)
	if w.is(fn, "function_expression", "generator_function", "function_declaration", "generator_function_declaration") && !w.tsOwnThis(s, outer) {
		w.tsBind(code.FactAssign, "this", "?", fn, w.tsBound(fn)) // of whoever calls it
	}
	if name := w.field(fn, "name"); name >= 0 && w.is(fn, "function_expression", "generator_function") {
		w.tsBind(code.FactAssign, w.str(name), w.tsOwnName(s, name), name, w.tsBound(fn))
	}
	if w.is(fn, "arrow_function") && s >= 0 && s != outer && w.out.Symbols[s].Kind == code.KindMethod {
		w.tsBind(code.FactAssign, "this", "this", fn, w.tsBound(fn)) // of what is around the object
	}
	w.encloser = outer
	body := w.field(fn, "body")
	value := w.is(fn, "arrow_function") && !w.is(body, "statement_block")
	if returns >= 0 && value {
		w.tsResult(returns, body)
	}
	in := w.tsInFunction(fn, returns)
	if path := w.ts().path; s == outer { // a function without a name is part of what it is assigned to
		within := in
		in = func(t *tsScope) { within(t); t.path = path }
	}
	w.tsInside(s, in, w.field(fn, "type_parameters"), w.field(fn, "parameters"), w.field(fn, "parameter"), w.field(fn, "return_type"))
	if inner := w.tsUnwrap(body); value && (w.tsIsFunction(inner) || w.is(inner, "object", "array")) {
		w.tsInside(s, func(t *tsScope) { in(t); t.context = t.result }, body)
		return
	}
	w.tsInside(s, in, body)
}

// tsCallable declares the function fn under the name in d, and visits it. An
// empty kind is told from the name.
func (w *walk) tsCallable(d decl, fn node) int {
	params, result, body := w.field(fn, "parameters"), w.field(fn, "return_type"), w.field(fn, "body")
	single := w.field(fn, "parameter") // x => …
	d.parameters, d.returns, d.body = w.tsParameters(params, single), w.tsType(result), max(body, 0)
	if d.text == "" && w.is(d.name, "string") {
		d.text = w.tsText(d.name)
	}
	if d.kind == "" {
		name := d.text
		if name == "" {
			name = w.str(d.name)
		}
		d.kind = w.tsFunctionKind(name, fn)
	}
	context := w.tsTakeContext()
	if d.text == "" && d.name == 0 {
		w.tsFunctionParts(w.encloser, fn, -1, context)
		return -1
	}
	s := w.tsDeclare(d)
	signature := &w.out.Symbols[s].Signature
	*signature = strings.TrimSpace(strings.TrimSuffix(*signature, "=>"))
	if fn != d.node {
		w.out.Symbols[s].Modifiers = append(w.out.Symbols[s].Modifiers, w.tsModifiers(fn)...)
	}
	w.tsTypeParameters(s, fn)
	w.fact(code.FactResult, s, "", d.returns, result)
	returns := s
	if d.returns != "" {
		returns = -1
	}
	w.tsFunctionParts(s, fn, returns, context)
	return s
}

// tsOwnName is what the name of a function expression means within it: the
// symbol s that the function is.
func (w *walk) tsOwnName(s int, name node) string {
	switch {
	case s < 0 || w.out.Symbols[s].Kind == code.KindMethod:
		return "?"
	case w.out.Symbols[s].NameSpan.StartByte != w.start(name):
		return w.out.Symbols[s].Name
	}
	return "() => 0"
}

// tsOwnThis reports whether "this" in the function that symbol s within outer
// stands for is what s is a member of, or, at the top, constructs.
func (w *walk) tsOwnThis(s, outer int) bool {
	if s < 0 || s == outer {
		return false
	}
	switch w.out.Symbols[s].Kind {
	case code.KindMethod, code.KindConstructor, code.KindProperty:
		return true
	}
	return outer < 0
}

// tsFunctionKind tells components and hooks, as React names them, from other
// functions.
func (w *walk) tsFunctionKind(name string, fn node) code.Kind {
	if len(name) > 3 && name[:3] == "use" && (name[3] >= 'A' && name[3] <= 'Z' || name[3] >= '0' && name[3] <= '9') {
		return code.KindHook
	}
	if r, _ := utf8.DecodeRuneInString(name); unicode.IsUpper(r) && w.find(fn, "jsx_element", "jsx_self_closing_element") >= 0 {
		return code.KindComponent
	}
	return code.KindFunction
}

// tsWrapped is the function handed to one of React's wrappers of components:
// memo(…), React.forwardRef(…), observer(…). None without one.
func (w *walk) tsWrapped(n node) node {
	if !w.is(n, "call_expression") {
		return none
	}
	name, _ := w.tsCallee(w.field(n, "function"))
	switch w.str(name) {
	case "memo", "forwardRef", "observer":
		for arg := range w.named(w.field(n, "arguments")) {
			arg = w.tsUnwrap(arg)
			if w.tsIsFunction(arg) {
				return arg
			}
			return w.tsWrapped(arg)
		}
	}
	return none
}

func (w *walk) tsIsFunction(n node) bool {
	return w.is(n, "arrow_function", "function_expression", "generator_function")
}

func (w *walk) tsParameters(list, single node) (out []code.Parameter) {
	if single >= 0 {
		return []code.Parameter{{Name: w.line(single)}}
	}
	for p := range w.named(list) {
		pattern, value := p, none
		switch w.kind(p) {
		case "required_parameter", "optional_parameter":
			pattern, value = w.field(p, "pattern"), w.field(p, "value")
		case "assignment_pattern":
			pattern, value = w.field(p, "left"), w.field(p, "right")
		case "decorator", "ERROR":
			continue
		}
		if w.is(pattern, "this") {
			continue // says what the function is called on; nobody passes it
		}
		param := code.Parameter{Name: w.line(pattern), Type: w.tsType(w.field(p, "type")), Default: w.line(value)}
		if w.is(pattern, "rest_pattern") {
			param.Name, param.Variadic = w.restName(pattern), true
		}
		out = append(out, param)
	}
	return out
}

// restName is what "..." stands before.
func (w *walk) restName(rest node) string {
	for c := range w.named(rest) {
		return w.line(c)
	}
	return w.line(rest)
}

// tsFormalParameters visits defaults and types of parameters; a constructor's
// parameters with a modifier are fields too.
func tsFormalParameters(w *walk, n node) {
	t := w.ts()
	if w.encloser >= 0 && w.is(w.parent(n), "method_definition", "method_signature") && w.out.Symbols[w.encloser].Kind == code.KindConstructor {
		for p := range w.named(n) {
			w.tsParameterProperty(p)
		}
	}
	outer := t.params
	t.params = true
	w.children(n)
	t.params = outer
}

func (w *walk) tsParameterProperty(p node) {
	if w.child(p, "accessibility_modifier", "override_modifier", "readonly") < 0 {
		return
	}
	name, typ := w.field(p, "pattern"), w.field(p, "type")
	if !w.is(name, "identifier") {
		return
	}
	outer := w.encloser
	w.encloser = w.out.Symbols[outer].Parent
	if w.encloser >= 0 {
		d := decl{kind: code.KindField, node: p, name: name, returns: w.tsType(typ), modifiers: w.tsModifiers(p), exported: !w.tsHidden(p)}
		for c := range w.tree.children(p) {
			if w.is(c, "decorator") {
				d.annotations = append(d.annotations, w.line(c))
			} else if d.sig == 0 {
				d.sig = c
			}
		}
		w.declare(d)
		w.fact(code.FactField, w.encloser, w.str(name), d.returns, p)
	}
	w.encloser = outer
}

// tsHidden reports whether a member is private or protected.
func (w *walk) tsHidden(member node) bool {
	switch w.str(w.child(member, "accessibility_modifier")) {
	case "private", "protected":
		return true
	}
	return w.child(member, "private_property_identifier") >= 0
}
