package l2meta

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"sextant/internal/code"
)

// tsFunction declares a function statement, an overload or an ambient function.
func tsFunction(w *walk, n node) {
	if ts(w).local {
		tsBind(w, code.FactAssign, w.str(w.field(n, "name")), "() => 0", w.field(n, "name"), ts(w).block)
	}
	tsCallable(w, decl{node: n, name: max(w.field(n, "name"), 0)}, n)
}

// tsFunctionValue meets a function that nothing around it names: it is a
// symbol if it names itself, or is the default export.
func tsFunctionValue(w *walk, n node) {
	if name := w.field(n, "name"); name >= 0 && ts(w).inner != n {
		tsCallable(w, decl{node: n, name: name}, n)
		return
	}
	if _, _, isDefault := tsOuter(w, n); isDefault {
		tsCallable(w, decl{node: n, text: "default"}, n)
		return
	}
	tsFunctionParts(w, w.encloser, n, -1, tsTakeContext(w))
}

// tsFunctionParts visits the parameters and the body of function fn as parts
// of symbol s; returns is the symbol whose result it gives, -1 for none.
func tsFunctionParts(w *walk, s int, fn node, returns int, context string) {
	outer := w.encloser
	w.encloser = s
	tsBindParameters(w, fn, context)
	if w.is(fn, "function_expression", "generator_function", "function_declaration", "generator_function_declaration") && !tsOwnThis(w, s, outer) {
		tsBind(w, code.FactAssign, "this", "?", fn, tsBoundIn(w, fn)) // of whoever calls it
	}
	if name := w.field(fn, "name"); name >= 0 && w.is(fn, "function_expression", "generator_function") {
		tsBind(w, code.FactAssign, w.str(name), tsOwnName(w, s, name), name, tsBoundIn(w, fn))
	}
	if w.is(fn, "arrow_function") && s >= 0 && s != outer && w.out.Symbols[s].Kind == code.KindMethod {
		tsBind(w, code.FactAssign, "this", "this", fn, tsBoundIn(w, fn)) // of what is around the object
	}
	w.encloser = outer
	body := w.field(fn, "body")
	value := w.is(fn, "arrow_function") && !w.is(body, "statement_block")
	if returns >= 0 && value {
		tsResult(w, returns, body)
	}
	in := tsInFunction(w, fn, returns)
	if path := ts(w).path; s == outer { // a function without a name is part of what it is assigned to
		within := in
		in = func(t *tsScope) { within(t); t.path = path }
	}
	tsInside(w, s, in, w.field(fn, "type_parameters"), w.field(fn, "parameters"), w.field(fn, "parameter"), w.field(fn, "return_type"))
	if inner := tsUnwrap(w, body); value && (tsIsFunction(w, inner) || w.is(inner, "object", "array")) {
		tsInside(w, s, func(t *tsScope) { in(t); t.context = t.result }, body)
		return
	}
	tsInside(w, s, in, body)
}

// tsCallable declares the function fn under the name in d, and visits it. An
// empty kind is told from the name.
func tsCallable(w *walk, d decl, fn node) int {
	params, result, body := w.field(fn, "parameters"), w.field(fn, "return_type"), w.field(fn, "body")
	single := w.field(fn, "parameter") // x => …
	d.parameters, d.returns, d.body = tsParameters(w, params, single), tsType(w, result), max(body, 0)
	if d.text == "" && w.is(d.name, "string") {
		d.text = tsText(w, d.name)
	}
	if d.kind == "" {
		name := d.text
		if name == "" {
			name = w.str(d.name)
		}
		d.kind = tsFunctionKind(w, name, fn)
	}
	context := tsTakeContext(w)
	if d.text == "" && d.name == 0 {
		tsFunctionParts(w, w.encloser, fn, -1, context)
		return -1
	}
	s := tsDeclare(w, d)
	signature := &w.out.Symbols[s].Signature
	*signature = strings.TrimSpace(strings.TrimSuffix(*signature, "=>"))
	if fn != d.node {
		w.out.Symbols[s].Modifiers = append(w.out.Symbols[s].Modifiers, tsModifiers(w, fn)...)
	}
	tsTypeParameters(w, s, fn)
	w.fact(code.FactResult, s, "", d.returns, result)
	returns := s
	if d.returns != "" {
		returns = -1
	}
	tsFunctionParts(w, s, fn, returns, context)
	return s
}

// tsOwnName is what the name of a function expression means within it: the
// symbol s that the function is.
func tsOwnName(w *walk, s int, name node) string {
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
func tsOwnThis(w *walk, s, outer int) bool {
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
func tsFunctionKind(w *walk, name string, fn node) code.Kind {
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
func tsWrapped(w *walk, n node) node {
	if !w.is(n, "call_expression") {
		return none
	}
	name, _ := tsCallee(w, w.field(n, "function"))
	switch w.str(name) {
	case "memo", "forwardRef", "observer":
		for arg := range w.named(w.field(n, "arguments")) {
			arg = tsUnwrap(w, arg)
			if tsIsFunction(w, arg) {
				return arg
			}
			return tsWrapped(w, arg)
		}
	}
	return none
}

func tsIsFunction(w *walk, n node) bool {
	return w.is(n, "arrow_function", "function_expression", "generator_function")
}

func tsParameters(w *walk, list, single node) (out []code.Parameter) {
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
		param := code.Parameter{Name: w.line(pattern), Type: tsType(w, w.field(p, "type")), Default: w.line(value)}
		if w.is(pattern, "rest_pattern") {
			param.Name, param.Variadic = restName(w, pattern), true
		}
		out = append(out, param)
	}
	return out
}

// restName is what "..." stands before.
func restName(w *walk, rest node) string {
	for c := range w.named(rest) {
		return w.line(c)
	}
	return w.line(rest)
}

// tsFormalParameters visits defaults and types of parameters; a constructor's
// parameters with a modifier are fields too.
func tsFormalParameters(w *walk, n node) {
	t := ts(w)
	if w.encloser >= 0 && w.is(w.parent(n), "method_definition", "method_signature") && w.out.Symbols[w.encloser].Kind == code.KindConstructor {
		for p := range w.named(n) {
			tsParameterProperty(w, p)
		}
	}
	outer := t.params
	t.params = true
	w.children(n)
	t.params = outer
}

func tsParameterProperty(w *walk, p node) {
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
		d := decl{kind: code.KindField, node: p, name: name, returns: tsType(w, typ), modifiers: tsModifiers(w, p), exported: !tsHidden(w, p)}
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
func tsHidden(w *walk, member node) bool {
	switch w.str(w.child(member, "accessibility_modifier")) {
	case "private", "protected":
		return true
	}
	return w.child(member, "private_property_identifier") >= 0
}
