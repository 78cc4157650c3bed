package l2meta

import (
	"strconv"
	"strings"

	"sextant/internal/code"
)

// Names of values, with the code in which they hold, and what their values are
// as far as one line can say it. What has no readable value is bound to "?":
// that a name is bound at all hides what it means further out.
//
// Two forms are no TypeScript: "#arg(f, i)" is what f expects as its argument
// i, and "#param(f, i)" what the function f expects there; so a callback's
// parameter is told by what the callback is handed to.

// tsBound is where a name holds: from a node's start to its end. The zero
// value is all of the enclosing symbol.
type tsBound [2]int

func tsBoundIn(w *walk, n node) tsBound { return tsBound{w.start(n), w.end(n)} }

// tsBind records what a name is bound to.
func tsBind(w *walk, kind code.FactKind, name, typ string, at node, in tsBound) {
	if name == "" || typ == "" || at < 0 {
		return
	}
	w.fact(kind, w.encloser, name, typ, at)
	w.out.Facts[len(w.out.Facts)-1].Scope = in
}

// tsValueLimit bounds the text of a value, in bytes: what is longer is data.
const tsValueLimit = 600

// tsValue is the text of a value: literals by what they are alone.
func tsValue(w *walk, value node) string {
	switch w.kind(value) {
	case "":
		return ""
	case "object":
		return "{}"
	case "arrow_function", "function_expression", "generator_function":
		return "() => 0"
	case "class", "jsx_element", "jsx_self_closing_element", "jsx_fragment":
		return "?"
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
	if text := w.line(value); len(text) <= tsValueLimit {
		return text
	}
	return tsLongValue(w, value)
}

// tsLongValue is a call or construction with "_" for its arguments, "?" for
// anything else.
func tsLongValue(w *walk, value node) string {
	callee, lead := w.field(value, "function"), ""
	switch w.kind(value) {
	case "await_expression":
		if inner := tsValue(w, tsUnwrap(w, w.firstNamed(value))); inner != "?" {
			return "await " + inner
		}
		return "?"
	case "new_expression":
		callee, lead = w.field(value, "constructor"), "new "
	case "call_expression":
	default:
		return "?"
	}
	args := tsArgs(w, w.field(value, "arguments"))
	text := w.line(callee) + w.line(w.field(value, "type_arguments"))
	if args < 0 || len(text) > tsValueLimit {
		return "?"
	}
	return lead + text + "(" + strings.TrimSuffix(strings.Repeat("_, ", args), ", ") + ")"
}

// tsVariableBound is where the variable at n holds: a var in its function, any
// other in its block or loop.
func tsVariableBound(w *walk, n node) tsBound {
	t := ts(w)
	statement := w.parent(n)
	if w.is(statement, "variable_declaration") {
		return t.fn
	}
	if p := w.parent(statement); w.is(p, "for_statement", "for_in_statement") {
		return tsBoundIn(w, p)
	}
	return t.block
}

// tsBindValue binds a name to a value, and the keys of an object literal below
// it. A type as written says more than the value.
func tsBindValue(w *walk, name string, typ, value, at node, in tsBound) {
	if tsWavers(w, at) {
		tsBind(w, code.FactAssign, name, "undefined", at, in)
		return
	}
	written := tsType(w, typ)
	tsBind(w, code.FactVar, name, written, at, in)
	inner := tsUnwrap(w, value)
	text := tsValue(w, inner)
	asserted := tsAssertion(w, value)
	switch {
	case text == "" && written == "":
		text = "?"
	case written != "" || asserted != "":
		tsBind(w, code.FactVar, name, asserted, at, in)
		return
	}
	tsBind(w, code.FactAssign, name, text, at, in)
	if !tsTop(w, at) { // else they are those of the symbol
		tsKeys(w, w.encloser, name, inner, 0)
	}
}

// tsWavers reports whether the variable at n need not hold its value where its
// name holds: a var in a block, any in the head of a loop.
func tsWavers(w *walk, n node) bool {
	statement := w.parent(n)
	p := w.parent(statement)
	if w.is(p, "for_statement") {
		return tsIsFunction(w, tsUnwrap(w, w.field(n, "value")))
	}
	t := ts(w)
	return w.is(statement, "variable_declaration") && t.block != t.fn && w.is(p, "statement_block") && t.block == tsBoundIn(w, p) &&
		!w.is(w.parent(p), "function_declaration", "function_expression", "arrow_function", "method_definition", "generator_function", "generator_function_declaration") &&
		tsIsFunction(w, tsUnwrap(w, w.field(n, "value")))
}

// tsAssertion is the type that a value is asserted to have: x as T, <T>x.
func tsAssertion(w *walk, value node) (typ string) {
	switch w.kind(value) {
	case "as_expression", "type_assertion":
		for c := range w.named(value) {
			if w.is(c, "type_arguments") {
				return w.line(w.firstNamed(c))
			}
			if c != w.firstNamed(value) && !w.is(c, "const") {
				typ = w.line(c)
			}
		}
	case "parenthesized_expression":
		return tsAssertion(w, w.firstNamed(value))
	}
	if typ == "const" {
		return ""
	}
	return typ
}

// maxKeys and maxKeyDepth bound what is recorded of an object literal: one
// with more is data.
const (
	maxKeys     = 300
	maxKeyDepth = 4
)

// tsKeys records the values of the keys of an object literal as path.key of
// owner, a spread as path.… . Functions and classes are symbols already.
func tsKeys(w *walk, owner int, path string, object node, depth int) {
	if !w.is(object, "object") || depth > maxKeyDepth {
		return
	}
	n := 0
	for c := range w.named(object) {
		if n++; n > maxKeys {
			return
		}
		switch w.kind(c) {
		case "shorthand_property_identifier":
			w.fact(code.FactAssign, owner, join(path, w.str(c)), w.str(c), c)
		case "spread_element":
			w.fact(code.FactAssign, owner, join(path, "…"), tsValue(w, w.firstNamed(c)), c)
		case "pair":
			key, value := w.field(c, "key"), w.field(c, "value")
			inner := tsUnwrap(w, value)
			if w.is(key, "computed_property_name") || tsIsFunction(w, inner) || w.is(inner, "class", "string", "number", "true", "false", "template_string") {
				continue
			}
			name := join(path, tsText(w, key))
			if typ := tsAssertion(w, value); typ != "" {
				w.fact(code.FactVar, owner, name, typ, c)
				continue
			}
			w.fact(code.FactAssign, owner, name, tsValue(w, inner), c)
			tsKeys(w, owner, name, inner, depth+1)
		}
	}
}

// tsBindParameters binds the parameters of fn in all of it: by their types as
// written, else by their defaults, else by what context, the function that is
// expected here, says of them.
func tsBindParameters(w *walk, fn node, context string) {
	in := tsBoundIn(w, fn)
	if single := w.field(fn, "parameter"); single >= 0 { // x => …
		tsBind(w, code.FactAssign, w.str(single), tsExpected("#param", context, 0), single, in)
	}
	i := -1
	for p := range w.named(w.field(fn, "parameters")) {
		pattern, value, typ := p, none, tsType(w, w.field(p, "type"))
		switch w.kind(p) {
		case "required_parameter", "optional_parameter":
			pattern, value = w.field(p, "pattern"), w.field(p, "value")
		case "assignment_pattern":
			pattern, value = w.field(p, "left"), w.field(p, "right")
		case "decorator", "ERROR", "comment":
			continue
		}
		if w.is(pattern, "this") {
			tsBind(w, code.FactParam, "this", typ, p, in)
			continue
		}
		i++
		if w.is(pattern, "rest_pattern") {
			tsBindRest(w, p, pattern, typ, in)
			continue
		}
		tsBindParameter(w, p, pattern, value, typ, tsExpected("#param", context, i), in)
	}
}

func tsBindParameter(w *walk, p, pattern, value node, typ, expected string, in tsBound) {
	if w.is(p, "optional_parameter") && typ != "" {
		typ += " | undefined"
	}
	if w.is(pattern, "identifier") && typ != "" {
		tsBind(w, code.FactParam, w.str(pattern), typ, p, in)
		return
	}
	from := expected
	if value >= 0 && from == "?" {
		from = tsValue(w, tsUnwrap(w, value))
	}
	if typ != "" {
		from = "(_ as " + typ + ")"
	}
	tsPattern(w, pattern, from, func(name node, part string) {
		if part == "" || strings.HasPrefix(part, "?") {
			part = "?"
		}
		tsBind(w, code.FactAssign, w.str(name), part, name, in)
	})
}

func tsBindRest(w *walk, p, pattern node, typ string, in tsBound) {
	inner := w.firstNamed(pattern)
	if !w.is(inner, "identifier") {
		tsPattern(w, inner, "", func(name node, _ string) { tsBind(w, code.FactAssign, w.str(name), "?", name, in) })
		return
	}
	if typ == "" {
		typ = "any[]"
	}
	tsBind(w, code.FactParam, w.str(inner), typ, p, in)
}

// tsExpected is the form "#param(context, i)", "?" without a context.
func tsExpected(form, context string, i int) string {
	if context == "" || len(context) > tsValueLimit {
		return "?"
	}
	return form + "(" + context + ", " + strconv.Itoa(i) + ")"
}

// tsVisitAs visits a value of which a type is expected: context is an
// expression for what it is handed to.
func tsVisitAs(w *walk, value node, context string) {
	t := ts(w)
	outer := t.context
	t.context = ""
	if inner := tsUnwrap(w, value); tsIsFunction(w, inner) || w.is(inner, "object", "array") {
		t.context = context
	}
	w.visit(value)
	t.context = outer
}

// tsExpect makes a type as written the context of the function that is
// declared next.
func tsExpect(w *walk, typ string) {
	if typ != "" {
		ts(w).context = "(_ as " + typ + ")"
	}
}

// tsInValueOf is the scope of a value of a type as written.
func tsInValueOf(w *walk, typ string, value node) func(*tsScope) {
	return func(t *tsScope) {
		if typ != "" && w.is(value, "object", "array") {
			t.context = "(_ as " + typ + ")"
		}
	}
}

// tsTakeContext is the context of the node at hand, for it alone.
func tsTakeContext(w *walk) string {
	t := ts(w)
	context := t.context
	t.context = ""
	return context
}

// tsVisitArguments visits what is handed to callee.
func tsVisitArguments(w *walk, callee, args node) {
	if !w.is(args, "arguments") {
		w.visit(args)
		return
	}
	i := 0
	for a := range w.named(args) {
		if w.isComment(a) {
			continue
		}
		context := tsExpected("#arg", w.line(callee), i)
		if i++; context == "?" {
			context = ""
		}
		tsVisitAs(w, a, context)
	}
}

// tsTypeParameters records the type parameters of symbol s with their bounds.
func tsTypeParameters(w *walk, s int, n node) {
	for p := range w.named(w.field(n, "type_parameters")) {
		if !w.is(p, "type_parameter") {
			continue
		}
		bound := "unknown"
		if c := w.field(p, "constraint"); c >= 0 {
			bound = strings.TrimSpace(strings.TrimPrefix(w.line(c), "extends"))
		}
		w.fact(code.FactAlias, s, w.str(w.field(p, "name")), bound, p)
	}
}

// maxResults bounds the results that are recorded of a function without a
// written result type.
const maxResults = 12

// tsResult records a value that symbol s returns.
func tsResult(w *walk, s int, value node) {
	t := ts(w)
	if s < 0 || t.results[s] > maxResults || value < 0 {
		return
	}
	if t.results[s]++; t.results[s] > maxResults {
		w.fact(code.FactAssign, s, "return", "?", value)
		return
	}
	if typ := tsAssertion(w, value); typ != "" {
		w.fact(code.FactVar, s, "return", typ, value)
		return
	}
	inner := tsUnwrap(w, value)
	w.fact(code.FactAssign, s, "return", tsValue(w, inner), value)
	tsKeys(w, s, "return", inner, 0)
}

func tsReturn(w *walk, n node) {
	value := w.firstNamed(n)
	tsResult(w, ts(w).returns, value)
	tsVisitAs(w, value, ts(w).result)
}

// tsExpectedResult is an expression for what fn has to return, "" where that is
// not written.
func tsExpectedResult(w *walk, fn node) string {
	typ := tsType(w, w.field(fn, "return_type"))
	switch {
	case typ == "" || w.has(fn, "*"):
		return ""
	case w.has(fn, "async"):
		return "(await (_ as " + typ + "))"
	}
	return "(_ as " + typ + ")"
}

// tsArray visits the elements of an array literal as what its elements are
// expected to be.
func tsArray(w *walk, n node) {
	context := tsTakeContext(w)
	if context != "" {
		context += "[0]"
	}
	for c := range w.named(n) {
		tsVisitAs(w, c, context)
	}
}

// tsCatch binds the parameter of a catch clause.
func tsCatch(w *walk, n node) {
	in := tsBoundIn(w, n)
	tsPattern(w, w.field(n, "parameter"), "", func(name node, _ string) { tsBind(w, code.FactAssign, w.str(name), "?", name, in) })
	w.children(n)
}

// tsSignature records what a call or a construction of the type at hand gives.
func tsSignature(w *walk, n node) {
	if tsInMembers(w) {
		name := "()"
		if w.is(n, "construct_signature") {
			name = "new"
		}
		result := w.field(n, "return_type")
		if result < 0 {
			result = w.field(n, "type")
		}
		w.fact(code.FactResult, w.encloser, name, tsType(w, result), n)
		if params := w.field(n, "parameters"); name == "()" && params >= 0 {
			w.fact(code.FactField, w.encloser, "()", tsTypeLine(w, params)+" => "+tsType(w, result), n)
		}
	}
	tsChildren(w, n, tsInValue)
}
