package rules

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// tsFunction declares a function statement, an overload or an ambient function.
func tsFunction(w *syntax.Walk, n syntax.Node) {
	if ts(w).local {
		bind(w, code.FactAssign, w.Str(w.Field(n, "name")), "() => 0", w.Field(n, "name"), ts(w).block)
	}
	callable(w, syntax.Decl{Node: n, Name: max(w.Field(n, "name"), 0)}, n)
}

// functionValue visits a function expression that is not the value of a variable, property or
// member. It declares a symbol if the function has a name of its own, is the default export, or
// handles a route.
func functionValue(w *syntax.Walk, n syntax.Node) {
	if name := w.Field(n, "name"); name >= 0 && ts(w).inner != n {
		callable(w, syntax.Decl{Node: n, Name: name}, n)
		return
	}
	if r, ok := ts(w).routes[n]; ok {
		routeFunction(w, n, r)
		return
	}
	if _, _, isDefault := tsOuter(w, n); isDefault {
		callable(w, syntax.Decl{Node: n, Text: "default"}, n)
		return
	}
	functionParts(w, w.Encloser, n, -1, takeContext(w))
}

// functionParts visits the parameters and the body of function fn as parts of symbol s. returns is
// the symbol for which returned values are recorded, or -1. context is the expected type, or "".
func functionParts(w *syntax.Walk, s int, fn syntax.Node, returns int, context string) {
	outer := w.Encloser
	w.Encloser = s
	bindParameters(w, fn, context)
	if w.Is(fn, "function_expression", "generator_function", "function_declaration",
		"generator_function_declaration") && !tsOwnThis(w, s, outer) {
		bind(w, code.FactAssign, "this", "?", fn, boundIn(w, fn)) // the caller determines "this"
	}
	if name := w.Field(fn, "name"); name >= 0 && w.Is(fn, "function_expression", "generator_function") {
		bind(w, code.FactAssign, w.Str(name), ownName(w, s, name), name, boundIn(w, fn))
	}
	if w.Is(fn, "arrow_function") && s >= 0 && s != outer && w.Out.Symbols[s].Kind == code.KindMethod {
		bind(w, code.FactAssign, "this", "this", fn, boundIn(w, fn)) // an arrow function has the outer "this"
	}
	w.Encloser = outer
	body := w.Field(fn, "body")
	value := w.Is(fn, "arrow_function") && !w.Is(body, "statement_block")
	if returns >= 0 && value {
		result(w, returns, body)
	}
	in := inFunction(w, fn, returns)
	if path := ts(w).path; s == outer { // an anonymous function is part of the value to which it is assigned
		within := in
		in = func(t *scope) { within(t); t.path = path }
	}
	inside(w, s, in, w.Field(fn, "type_parameters"), w.Field(fn, "parameters"), w.Field(fn, "parameter"),
		w.Field(fn, "return_type"))
	if inner := unwrap(w, body); value && (isFunction(w, inner) || w.Is(inner, "object", "array")) {
		inside(w, s, func(t *scope) { in(t); t.context = t.result }, body)
		return
	}
	inside(w, s, in, body)
}

// callable declares the function fn under the name in d, and visits it. An empty kind is derived
// from the name. It returns the index of the symbol, -1 for a function without a name.
func callable(w *syntax.Walk, d syntax.Decl, fn syntax.Node) int {
	params, result, body := w.Field(fn, "parameters"), w.Field(fn, "return_type"), w.Field(fn, "body")
	single := w.Field(fn, "parameter") // a single parameter without parentheses: x => …
	d.Parameters, d.Returns, d.Body = tsParameters(w, params, single), tsType(w, result), max(body, 0)
	if d.Text == "" && w.Is(d.Name, "string") {
		d.Text = text(w, d.Name)
	}
	if r, ok := ts(w).routes[fn]; ok {
		d.Kind, d.Text = code.KindRoute, r.name
	}
	if d.Kind == "" {
		name := d.Text
		if name == "" {
			name = w.Str(d.Name)
		}
		d.Kind = functionKind(w, name, fn)
	}
	context := takeContext(w)
	if d.Text == "" && d.Name == 0 {
		functionParts(w, w.Encloser, fn, -1, context)
		return -1
	}
	s := declare(w, d)
	signature := &w.Out.Symbols[s].Signature
	*signature = strings.TrimSpace(strings.TrimSuffix(*signature, "=>"))
	if fn != d.Node {
		w.Out.Symbols[s].Modifiers = append(w.Out.Symbols[s].Modifiers, modifiers(w, fn)...)
	}
	typeParameters(w, s, fn)
	w.Fact(code.FactResult, s, "", d.Returns, result)
	returns := s
	if d.Returns != "" {
		returns = -1
	}
	functionParts(w, s, fn, returns, context)
	return s
}

// ownName returns the text of the value that the name of a function expression has inside the
// function: of f inside const g = function f() {…}. s is the symbol of the function. The text is
// "?" if it is not known.
func ownName(w *syntax.Walk, s int, name syntax.Node) string {
	switch {
	case s < 0 || w.Out.Symbols[s].Kind == code.KindMethod:
		return "?"
	case w.Out.Symbols[s].NameSpan.StartByte != w.Start(name):
		return w.Out.Symbols[s].Name
	}
	return "() => 0"
}

// tsOwnThis reports whether "this" in a function is the object of which the function is a member.
// For a function at the top level, it reports whether "this" may be the object that the function
// constructs. s is the symbol of the function, and outer the symbol around it.
func tsOwnThis(w *syntax.Walk, s, outer int) bool {
	if s < 0 || s == outer {
		return false
	}
	switch w.Out.Symbols[s].Kind {
	case code.KindMethod, code.KindConstructor, code.KindProperty:
		return true
	case code.KindRoute:
		return false
	}
	return outer < 0
}

// functionKind distinguishes components and hooks from other functions by React's naming rules.
func functionKind(w *syntax.Walk, name string, fn syntax.Node) code.Kind {
	if len(name) > 3 && name[:3] == "use" && (name[3] >= 'A' && name[3] <= 'Z' || name[3] >= '0' && name[3] <= '9') {
		return code.KindHook
	}
	if r, _ := utf8.DecodeRuneInString(name); unicode.IsUpper(r) &&
		w.Find(fn, "jsx_element", "jsx_self_closing_element") >= 0 {
		return code.KindComponent
	}
	return code.KindFunction
}

// wrapped returns the function that is passed to a wrapper for React components, memo(…), React.forwardRef(…),
// observer(…), or to useCallback(…), which returns it. It returns syntax.None for any other call.
func wrapped(w *syntax.Walk, n syntax.Node) syntax.Node {
	if !w.Is(n, "call_expression") {
		return syntax.None
	}
	name, _ := callee(w, w.Field(n, "function"))
	switch w.Str(name) {
	case "memo", "forwardRef", "observer", "useCallback":
		for arg := range w.Named(w.Field(n, "arguments")) {
			arg = unwrap(w, arg)
			if isFunction(w, arg) {
				return arg
			}
			return wrapped(w, arg)
		}
	}
	return syntax.None
}

func isFunction(w *syntax.Walk, n syntax.Node) bool {
	return w.Is(n, "arrow_function", "function_expression", "generator_function")
}

func tsParameters(w *syntax.Walk, list, single syntax.Node) (out []code.Parameter) {
	if single >= 0 {
		return []code.Parameter{{Name: w.Line(single)}}
	}
	for p := range w.Named(list) {
		pattern, value := p, syntax.None
		switch w.Kind(p) {
		case "required_parameter", "optional_parameter":
			pattern, value = w.Field(p, "pattern"), w.Field(p, "value")
		case "assignment_pattern":
			pattern, value = w.Field(p, "left"), w.Field(p, "right")
		case "decorator", "ERROR":
			continue
		}
		if w.Is(pattern, "this") {
			continue // a parameter called this declares the type of "this"; it is no argument
		}
		param := code.Parameter{Name: w.Line(pattern), Type: tsType(w, w.Field(p, "type")), Default: w.Line(value)}
		if w.Is(pattern, "rest_pattern") {
			param.Name, param.Variadic = restName(w, pattern), true
		}
		out = append(out, param)
	}
	return out
}

// restName returns the name after "..." in a rest parameter.
func restName(w *syntax.Walk, rest syntax.Node) string {
	for c := range w.Named(rest) {
		return w.Line(c)
	}
	return w.Line(rest)
}

// formalParameters visits the defaults and types of parameters. It declares constructor parameters
// with a modifier, such as private db: Db, as fields.
func formalParameters(w *syntax.Walk, n syntax.Node) {
	t := ts(w)
	if w.Encloser >= 0 && w.Is(w.Parent(n), "method_definition", "method_signature") &&
		w.Out.Symbols[w.Encloser].Kind == code.KindConstructor {
		for p := range w.Named(n) {
			parameterProperty(w, p)
		}
	}
	outer := t.params
	t.params = true
	w.Children(n)
	t.params = outer
}

func parameterProperty(w *syntax.Walk, p syntax.Node) {
	if w.Child(p, "accessibility_modifier", "override_modifier", "readonly") < 0 {
		return
	}
	name, typ := w.Field(p, "pattern"), w.Field(p, "type")
	if !w.Is(name, "identifier") {
		return
	}
	outer := w.Encloser
	w.Encloser = w.Out.Symbols[outer].Parent
	if w.Encloser >= 0 {
		d := syntax.Decl{Kind: code.KindField, Node: p, Name: name, Returns: tsType(w, typ), Modifiers: modifiers(w, p),
			Exported: !hidden(w, p)}
		for c := range w.Tree.Children(p) {
			if w.Is(c, "decorator") {
				d.Annotations = append(d.Annotations, w.Line(c))
			} else if d.Sig == 0 && !w.IsComment(c) {
				d.Sig = c
			}
		}
		w.Declare(d)
		w.Fact(code.FactField, w.Encloser, w.Str(name), d.Returns, p)
	}
	w.Encloser = outer
}

// hidden reports whether a member is private or protected.
func hidden(w *syntax.Walk, member syntax.Node) bool {
	switch w.Str(w.Child(member, "accessibility_modifier")) {
	case "private", "protected":
		return true
	}
	return w.Child(member, "private_property_identifier") >= 0
}
