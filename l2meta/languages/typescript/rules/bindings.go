package rules

import (
	"strconv"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// This file records the names that code binds to values, such as variables and parameters, with
// their scopes and the text of the values on one line. A name without a readable value is bound
// to "?", because the binding still shadows outer ones.
//
// A parameter of a function literal has the type that the receiving function declares for it. Its
// value is written with code.FormArgument and code.FormParameter, which are not TypeScript:
//
//	run(1, x => …)    x is #param(#arg(run, 1), 0)

// bound is the scope of a name: the byte range of a node. The zero value means all of the enclosing
// symbol.
type bound [2]int

func boundIn(w *syntax.Walk, n syntax.Node) bound { return bound{w.Start(n), w.End(n)} }

// bind records the value or type that a name is bound to.
func bind(w *syntax.Walk, kind code.FactKind, name, typ string, at syntax.Node, in bound) {
	if name == "" || typ == "" || at < 0 {
		return
	}
	w.Fact(kind, w.Encloser, name, typ, at)
	w.Out.Facts[len(w.Out.Facts)-1].Scope = in
}

// valueLimit is the length in bytes above which the text of a value is not recorded in full,
// because longer values are usually tables of data.
const valueLimit = 600

// tsValue returns the text of a value, or "" if there is none. Literals are reduced to their kind:
// any string is "", any function () => 0.
func tsValue(w *syntax.Walk, value syntax.Node) string {
	switch w.Kind(value) {
	case "":
		return ""
	case "object":
		return "{}"
	case "arrow_function", "function_expression", "generator_function":
		return "() => 0"
	case "class":
		return "?"
	case "jsx_element", "jsx_self_closing_element", "jsx_fragment":
		return "<></>"
	case "string", "template_string":
		return `""`
	case "number":
		return "0"
	case "regex":
		return "new RegExp()"
	case "true", "false":
		return "true"
	case "undefined", "null":
		return "undefined"
	}
	text := w.Line(value)
	if hasComment(w, value, text) {
		text = syntax.OneLine(typeText(w, value))
	}
	if !IsCut(text) {
		return text
	}
	return longValue(w, value)
}

// variableBound returns the scope of the variable at n: the enclosing function for a var, the
// enclosing block or loop for any other variable.
func variableBound(w *syntax.Walk, n syntax.Node) bound {
	t := ts(w)
	statement := w.Parent(n)
	if w.Is(statement, "variable_declaration") {
		return t.fn
	}
	if p := w.Parent(statement); w.Is(p, "for_statement", "for_in_statement") {
		return boundIn(w, p)
	}
	return t.block
}

// bindValue binds a name to a value, and records the keys of an object literal with their values. A
// declared type has precedence over the value.
func bindValue(w *syntax.Walk, name string, typ, value, at syntax.Node, in bound) {
	if wavers(w, at) {
		bind(w, code.FactAssign, name, "undefined", at, in)
		return
	}
	written := tsType(w, typ)
	bind(w, code.FactVar, name, written, at, in)
	inner := unwrap(w, value)
	text := tsValue(w, inner)
	asserted := assertion(w, value)
	switch {
	case text == "" && written == "":
		text = "?"
	case written != "" || asserted != "":
		bind(w, code.FactVar, name, asserted, at, in)
		return
	}
	bind(w, code.FactAssign, name, text, at, in)
	if !tsTop(w, at) { // at the top level the keys are recorded for the symbol of the variable
		keys(w, w.Encloser, name, inner, 0)
	}
}

// wavers reports whether the variable at n, which holds a function, may have another value in a
// part of its scope. That is so for a var in a block, and for a variable in the head of a for
// loop. It does not check other values.
func wavers(w *syntax.Walk, n syntax.Node) bool {
	statement := w.Parent(n)
	p := w.Parent(statement)
	if w.Is(p, "for_statement") {
		return isFunction(w, unwrap(w, w.Field(n, "value")))
	}
	t := ts(w)
	return w.Is(statement, "variable_declaration") && t.block != t.fn && w.Is(p, "statement_block") &&
		t.block == boundIn(w, p) &&
		!w.Is(w.Parent(p), "function_declaration", "function_expression", "arrow_function", "method_definition",
			"generator_function", "generator_function_declaration") &&
		isFunction(w, unwrap(w, w.Field(n, "value")))
}

// assertion returns the asserted type of a value, x as T or <T>x, or "".
func assertion(w *syntax.Walk, value syntax.Node) (typ string) {
	switch w.Kind(value) {
	case "as_expression", "type_assertion":
		for c := range w.Named(value) {
			if w.Is(c, "type_arguments") {
				return w.Line(w.FirstNamed(c))
			}
			if c != w.FirstNamed(value) && !w.Is(c, "const") {
				typ = w.Line(c)
			}
		}
	case "parenthesized_expression":
		return assertion(w, w.FirstNamed(value))
	}
	if typ == "const" {
		return ""
	}
	return typ
}

// maxKeys is the largest number of keys that are recorded for an object literal, and maxKeyDepth
// their deepest nesting. A larger literal is probably a table of data.
const (
	maxKeys     = 300
	maxKeyDepth = 4
)

// keys records the keys of an object literal with their values, as facts of the symbol owner.
// Their names begin with path: "options.policy" for options = { policy: p }. A spread is called
// "options.…". It skips functions and classes, because they are symbols.
func keys(w *syntax.Walk, owner int, path string, object syntax.Node, depth int) {
	if !w.Is(object, "object") || depth > maxKeyDepth {
		return
	}
	n := 0
	for c := range w.Named(object) {
		if n++; n > maxKeys {
			return
		}
		switch w.Kind(c) {
		case "shorthand_property_identifier":
			w.Fact(code.FactAssign, owner, syntax.Join(path, w.Str(c)), w.Str(c), c)
		case "spread_element":
			w.Fact(code.FactAssign, owner, syntax.Join(path, "…"), tsValue(w, w.FirstNamed(c)), c)
		case "pair":
			key, value := w.Field(c, "key"), w.Field(c, "value")
			inner := unwrap(w, value)
			if w.Is(key, "computed_property_name") || isFunction(w, inner) ||
				w.Is(inner, "class", "string", "number", "true", "false", "template_string") {
				continue
			}
			name := syntax.Join(path, text(w, key))
			if typ := assertion(w, value); typ != "" {
				w.Fact(code.FactVar, owner, name, typ, c)
				continue
			}
			w.Fact(code.FactAssign, owner, name, tsValue(w, inner), c)
			keys(w, owner, name, inner, depth+1)
		}
	}
}

// bindParameters binds the parameters of fn: to their declared types, else to their defaults, else
// to the parameters of context, an expression for the function type that is expected of fn.
func bindParameters(w *syntax.Walk, fn syntax.Node, context string) {
	in := boundIn(w, fn)
	if single := w.Field(fn, "parameter"); single >= 0 { // a single parameter without parentheses: x => …
		bind(w, code.FactAssign, w.Str(single), tsExpected(code.FormParameter, context, 0, ""), single, in)
	}
	i := -1
	for p := range w.Named(w.Field(fn, "parameters")) {
		pattern, value, typ := p, syntax.None, tsType(w, w.Field(p, "type"))
		switch w.Kind(p) {
		case "required_parameter", "optional_parameter":
			pattern, value = w.Field(p, "pattern"), w.Field(p, "value")
		case "assignment_pattern":
			pattern, value = w.Field(p, "left"), w.Field(p, "right")
		case "decorator", "ERROR", "comment":
			continue
		}
		if w.Is(pattern, "this") {
			bind(w, code.FactParam, "this", typ, p, in)
			continue
		}
		i++
		if w.Is(pattern, "rest_pattern") {
			bindRest(w, p, pattern, typ, in)
			continue
		}
		bindParameter(w, p, pattern, value, typ, tsExpected(code.FormParameter, context, i, ""), in)
	}
}

func bindParameter(w *syntax.Walk, p, pattern, value syntax.Node, typ, expected string, in bound) {
	if w.Is(p, "optional_parameter") && typ != "" {
		typ += " | undefined"
	}
	if w.Is(pattern, "identifier") && typ != "" {
		bind(w, code.FactParam, w.Str(pattern), typ, p, in)
		return
	}
	from := expected
	if value >= 0 && from == "?" {
		from = tsValue(w, unwrap(w, value))
	}
	if typ != "" {
		from = "(_ as " + typ + ")"
		patternAccesses(w, pattern, from)
	}
	tsPattern(w, pattern, from, func(name syntax.Node, part string) {
		if part == "" || strings.HasPrefix(part, "?") {
			part = "?"
		}
		bind(w, code.FactAssign, w.Str(name), part, name, in)
	})
}

func bindRest(w *syntax.Walk, p, pattern syntax.Node, typ string, in bound) {
	inner := w.FirstNamed(pattern)
	if !w.Is(inner, "identifier") {
		tsPattern(w, inner, "", func(name syntax.Node, _ string) {
			bind(w, code.FactAssign, w.Str(name), "?", name, in)
		})
		return
	}
	if typ == "" {
		typ = "any[]"
	}
	bind(w, code.FactParam, w.Str(inner), typ, p, in)
}

// tsExpected returns an expression for the value that a function expects as an argument, such as
// #arg(f, 0), or for a part of such a value. context is the expression in parentheses, here f,
// and i the index. hint is another argument that determines the type, or "". It returns "?" if
// context is "" or too long.
func tsExpected(form code.Form, context string, i int, hint string) string {
	switch {
	case context == "" || len(context) > valueLimit:
		return "?"
	case hint == "":
		return form.Of(context, strconv.Itoa(i))
	}
	return form.Of(context, strconv.Itoa(i), hint)
}

// visitAs visits a value with an expected type. context is an expression for the place that
// receives the value, such as #arg(f, 0) for an argument of f.
func visitAs(w *syntax.Walk, value syntax.Node, context string) {
	t := ts(w)
	outer := t.context
	t.context = ""
	if inner := unwrap(w, value); isFunction(w, inner) || w.Is(inner, "object", "array") {
		t.context = context
	}
	w.Visit(value)
	t.context = outer
}

// expect makes a declared type the expected type of the next function, object or array literal.
func expect(w *syntax.Walk, typ string) {
	if typ != "" {
		ts(w).context = "(_ as " + typ + ")"
	}
}

// inValueOf returns the change of scope for visiting a value whose declared type is typ: an
// object or array literal is then expected to have that type.
func inValueOf(w *syntax.Walk, typ string, value syntax.Node) func(*scope) {
	return func(t *scope) {
		if typ != "" && w.Is(value, "object", "array") {
			t.context = "(_ as " + typ + ")"
		}
	}
}

// takeContext returns the context of the current node, and clears it so that nodes inside the
// current one do not get it as well.
func takeContext(w *syntax.Walk) string {
	t := ts(w)
	context := t.context
	t.context = ""
	return context
}

// visitArguments visits the arguments of a call, each with the type that the callee expects.
func visitArguments(w *syntax.Walk, callee, args syntax.Node) {
	if !w.Is(args, "arguments") {
		w.Visit(args)
		return
	}
	i := 0
	for a := range w.Named(args) {
		if w.IsComment(a) {
			continue
		}
		context := tsExpected(code.FormArgument, w.Line(callee), i, hintOf(w, callee, args, i))
		giveArgument(w, callee, i, a)
		if i++; context == "?" {
			context = ""
		}
		visitAs(w, a, context)
	}
}

// typeParameters records the type parameters of symbol s with their bounds.
func typeParameters(w *syntax.Walk, s int, n syntax.Node) {
	for p := range w.Named(w.Field(n, "type_parameters")) {
		if !w.Is(p, "type_parameter") {
			continue
		}
		bound := "unknown"
		if c := w.Field(p, "constraint"); c >= 0 {
			bound = strings.TrimSpace(strings.TrimPrefix(w.Line(c), "extends"))
		}
		w.Fact(code.FactAlias, s, w.Str(w.Field(p, "name")), bound, p)
	}
}

// maxResults is the largest number of results that are recorded of a function without a declared
// result type.
const maxResults = 12

// result records a value that symbol s returns.
func result(w *syntax.Walk, s int, value syntax.Node) {
	t := ts(w)
	if s < 0 || t.results[s] > maxResults || value < 0 {
		return
	}
	if t.results[s]++; t.results[s] > maxResults {
		w.Fact(code.FactAssign, s, "return", "?", value)
		return
	}
	if typ := assertion(w, value); typ != "" {
		w.Fact(code.FactVar, s, "return", typ, value)
		return
	}
	inner := unwrap(w, value)
	w.Fact(code.FactAssign, s, "return", tsValue(w, inner), value)
	keys(w, s, "return", inner, 0)
}

func tsReturn(w *syntax.Walk, n syntax.Node) {
	value := w.FirstNamed(n)
	result(w, ts(w).returns, value)
	visitAs(w, value, ts(w).result)
}

// expectedResult returns an expression for a value of the declared result type T of fn, "(_ as
// T)"; "" if no result type is declared.
func expectedResult(w *syntax.Walk, fn syntax.Node) string {
	typ := tsType(w, w.Field(fn, "return_type"))
	switch {
	case typ == "" || w.Has(fn, "*"):
		return ""
	case w.Has(fn, "async"):
		return "(await (_ as " + typ + "))"
	}
	return "(_ as " + typ + ")"
}

// array visits the elements of an array literal with the expected element type as context.
func array(w *syntax.Walk, n syntax.Node) {
	context := takeContext(w)
	if context != "" {
		context += "[0]"
	}
	for c := range w.Named(n) {
		visitAs(w, c, context)
	}
}

// catch binds the parameter of a catch clause.
func catch(w *syntax.Walk, n syntax.Node) {
	in := boundIn(w, n)
	tsPattern(w, w.Field(n, "parameter"), "", func(name syntax.Node, _ string) {
		bind(w, code.FactAssign, w.Str(name), "?", name, in)
	})
	w.Children(n)
}

// signature records the result of a call signature or a construct signature of the current type:
// interface F { (n: number): string } can be called, and interface C { new (): T } can be
// constructed.
func signature(w *syntax.Walk, n syntax.Node) {
	if inMembers(w) {
		name := "()"
		if w.Is(n, "construct_signature") {
			name = "new"
		}
		result := w.Field(n, "return_type")
		if result < 0 {
			result = w.Field(n, "type")
		}
		w.Fact(code.FactResult, w.Encloser, name, tsType(w, result), n)
		if params := w.Field(n, "parameters"); name == "()" && params >= 0 {
			w.Fact(code.FactField, w.Encloser, "()", typeLine(w, params)+" => "+tsType(w, result), n)
		}
	}
	children(w, n, inValue)
}

// indexSignature records the type that a type gives to members of any name: T for [key: string]: T, and for
// [K in Keys]?: T.
func indexSignature(w *syntax.Walk, n syntax.Node) {
	if inMembers(w) {
		w.Fact(code.FactField, w.Encloser, "[]", strings.TrimLeft(tsType(w, w.Field(n, "type")), "+-?: "), n)
	}
	children(w, n, inValue)
}
