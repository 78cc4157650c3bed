package rules

import (
	"strconv"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// tsVariable records one "name = value" of a const, let or var.
func tsVariable(w *syntax.Walk, n syntax.Node) {
	name, typ, value := w.Field(n, "name"), w.Field(n, "type"), w.Field(n, "value")
	inner := unwrap(w, value)
	if require(w, n, name, inner) {
		return
	}
	if !w.Is(name, "identifier") {
		destructured(w, n, name, typ, value)
		return
	}
	text := w.Str(name)
	bindValue(w, text, typ, value, n, variableBound(w, n))
	switch wrapped := wrapped(w, inner); {
	case isFunction(w, inner):
		expect(w, tsType(w, typ))
		s := callable(w, syntax.Decl{Node: n, Name: name}, inner)
		w.Inside(s, typ)
		return
	case w.Is(inner, "class"):
		classAs(w, syntax.Decl{Node: n, Name: name}, inner)
		return
	case wrapped >= 0 && (functionKind(w, text, wrapped) == code.KindComponent || keepsCallback(w, inner)):
		component(w, n, name, inner, wrapped)
		return
	}
	if !tsTop(w, n) {
		w.Visit(typ)
		expectOf(w, typ, inner)
		named(w, text, value)
		ts(w).context = ""
		return
	}
	s := declare(w, syntax.Decl{Kind: variableKind(w, n), Node: n, Name: name, Returns: tsType(w, typ)})
	keys(w, s, "", inner, 0)
	inside(w, s, inValue, typ)
	inside(w, s, inValueOf(w, tsType(w, typ), inner), value)
}

func expectOf(w *syntax.Walk, typ, value syntax.Node) {
	if w.Is(value, "object", "array") {
		expect(w, tsType(w, typ))
	}
}

// keepsCallback reports whether a call is one of React's useCallback.
func keepsCallback(w *syntax.Walk, call syntax.Node) bool {
	name, _ := callee(w, w.Field(call, "function"))
	return w.Str(name) == "useCallback"
}

// component declares const X = memo((props) => …) as component X, and const f = useCallback((x) => …, []) as
// function f, with the parameters and the body of the function.
func component(w *syntax.Walk, n, name, call, fn syntax.Node) {
	params, body := w.Field(fn, "parameters"), w.Field(fn, "body")
	s := declare(w, syntax.Decl{
		Kind: functionKind(w, w.Str(name), fn), Node: n, Name: name, Body: max(body, 0),
		Parameters: tsParameters(w, params, w.Field(fn, "parameter")), Returns: tsType(w, w.Field(fn, "return_type")),
	})
	ts(w).inner = fn
	inside(w, s, inFunction(w, call, -1), call)
}

// tsTop reports whether the variable at n belongs to a file or a namespace: not to a function, not
// to a block unless it is a var, and not to the head of a loop.
func tsTop(w *syntax.Walk, n syntax.Node) bool {
	statement := w.Parent(n)
	p := w.Parent(statement)
	if ts(w).local || w.Is(p, "for_statement", "for_in_statement") {
		return false
	}
	for w.Is(p, "export_statement", "ambient_declaration") {
		p = w.Parent(p)
	}
	switch w.Kind(p) {
	case "program", "ERROR":
		return true
	case "statement_block":
		if w.Is(w.Parent(p), "internal_module", "module", "ambient_declaration") {
			return true
		}
	}
	return w.Is(statement, "variable_declaration")
}

func variableKind(w *syntax.Walk, n syntax.Node) code.Kind {
	if w.Has(w.Parent(n), "const") {
		return code.KindConstant
	}
	return code.KindVariable
}

// named visits the value of a name that is not a symbol, such as a local variable. The qualified
// names of functions in an object literal begin with that name: options.retry.
func named(w *syntax.Walk, name string, value syntax.Node) {
	t := ts(w)
	outer := t.path
	t.path = syntax.Join(t.path, name)
	w.Visit(value)
	t.path = outer
}

// destructured records const {a, b: [c]} = value: each name is bound to an expression for its part
// of the value.
func destructured(w *syntax.Walk, n, pattern, typ, value syntax.Node) {
	top, from := tsTop(w, n), "" // the variable of a loop has no value of its own
	if inner := unwrap(w, value); inner >= 0 {
		from = w.Line(inner)
		if !w.Is(inner, "identifier", "member_expression", "call_expression", "subscript_expression", "this") {
			from = "(" + from + ")"
		}
	}
	if written := tsType(w, typ); written != "" {
		from = "(_ as " + written + ")"
	}
	if p := w.Parent(w.Parent(n)); value < 0 && w.Is(p, "for_in_statement") {
		from = ""
	}
	if len(from) > valueLimit {
		from = ""
	}
	in := variableBound(w, n)
	first := -1
	patternAccesses(w, pattern, from)
	tsPattern(w, pattern, from, func(name syntax.Node, part string) {
		if top {
			outer, exported, _ := tsOuter(w, n)
			s := w.Declare(syntax.Decl{Kind: variableKind(w, n), Node: n, Name: name, From: outer, Exported: exported ||
				ts(w).ambient && w.Encloser >= 0, Modifiers: modifiers(w, outer)})
			if first < 0 {
				first = s
			}
		}
		if part == "" {
			part = "?"
		}
		bind(w, code.FactAssign, w.Str(name), part, name, in)
	})
	if first >= 0 {
		inside(w, first, inValue, pattern, typ, value)
		return
	}
	w.Visit(pattern)
	w.Visit(typ)
	w.Visit(value)
}

// tsPattern calls bind for each name in a pattern, with an expression for its value: from.a for a
// in {a}, where from is the expression for the whole value. The expression is "" if there is none.
func tsPattern(w *syntax.Walk, p syntax.Node, from string, bind func(name syntax.Node, part string)) {
	part := func(suffix string) string {
		if from == "" || len(from) > syntax.MaxPath {
			return ""
		}
		return from + suffix
	}
	switch w.Kind(p) {
	case "identifier", "shorthand_property_identifier_pattern":
		bind(p, from)
	case "assignment_pattern", "object_assignment_pattern":
		left := w.Field(p, "left")
		if w.Is(left, "shorthand_property_identifier_pattern") {
			from = part("." + w.Str(left))
		}
		tsPattern(w, left, from, bind)
	case "object_pattern":
		for c := range w.Named(p) {
			switch w.Kind(c) {
			case "rest_pattern":
				tsPattern(w, w.FirstNamed(c), from, bind)
			case "shorthand_property_identifier_pattern":
				bind(c, part("."+w.Str(c)))
			case "pair_pattern":
				key := "." + text(w, w.Field(c, "key"))
				if w.Is(w.Field(c, "key"), "computed_property_name") {
					key = w.Line(w.Field(c, "key"))
				}
				tsPattern(w, w.Field(c, "value"), part(key), bind)
			default:
				tsPattern(w, c, from, bind)
			}
		}
	case "array_pattern":
		i := 0
		for c := range w.Tree.Children(p) {
			if w.Is(c, ",") {
				i++
			} else if w.Is(c, "rest_pattern") {
				tsPattern(w, w.FirstNamed(c), part(".slice("+strconv.Itoa(i)+")"), bind)
			} else if w.IsNamed(c) && !w.IsComment(c) {
				tsPattern(w, c, part("["+strconv.Itoa(i)+"]"), bind)
			}
		}
	}
}

// patternAccesses records that a pattern reads members of from: { total, tax: { rate } } reads
// from.total, from.tax and from.tax.rate. It records nothing if from is "".
func patternAccesses(w *syntax.Walk, p syntax.Node, from string) {
	if from == "" || len(from) > syntax.MaxPath || !w.Is(p, "object_pattern") {
		return
	}
	for c := range w.Named(p) {
		name, inner := c, syntax.None
		if w.Is(c, "pair_pattern") {
			name, inner = w.Field(c, "key"), w.Field(c, "value")
		} else if w.Is(c, "object_assignment_pattern") { // a key with a default: { total = 0 }
			name = w.Field(c, "left")
		}
		if !w.Is(name, "shorthand_property_identifier_pattern", "property_identifier") {
			continue
		}
		w.AccessAs(name, from, false)
		if w.Is(inner, "assignment_pattern") {
			inner = w.Field(inner, "left")
		}
		patternAccesses(w, inner, from+"."+w.Str(name))
	}
}

// forIn records that the variable of a loop is an element of the iterated value.
func forIn(w *syntax.Walk, n syntax.Node) {
	left, right := w.Field(n, "left"), w.Line(w.Field(n, "right"))
	in := boundIn(w, n)
	if w.Is(w.Field(n, "kind"), "var") {
		in = ts(w).fn
	}
	each := "?"
	if w.Says(w.Field(n, "operator"), "of") && len(right) <= valueLimit {
		each = code.MarkEach.After(right)
	}
	switch {
	case w.Field(n, "kind") < 0: // the loop assigns a variable that is declared outside
	case w.Is(left, "identifier"):
		bind(w, code.FactAssign, w.Str(left), each, left, in)
	default:
		from := ""
		if each != "?" {
			from = code.FormEach.Of(right)
		}
		tsPattern(w, left, from, func(name syntax.Node, part string) {
			if part == "" {
				part = "?"
			}
			bind(w, code.FactAssign, w.Str(name), part, name, in)
		})
	}
	w.Children(n)
}

// tsObject visits an object literal. The functions under its keys are declared with the names
// around the literal as their path: options.retry for const options = { retry() {} }.
func tsObject(w *syntax.Walk, n syntax.Node) {
	t := ts(w)
	context := takeContext(w)
	outer := t.context
	defer func() { t.context = outer }()
	for c := range w.Named(n) {
		t.context = ""
		if key := w.Field(c, keyField(w, c)); context != "" && key >= 0 && w.Is(key, "property_identifier") {
			t.context = syntax.Join(context, w.Str(key))
		}
		giveMember(w, context, c)
		if !w.Is(c, "pair") {
			w.Visit(c)
			continue
		}
		key, value := w.Field(c, "key"), w.Field(c, "value")
		name := text(w, key)
		computed(w, key)
		switch inner := unwrap(w, value); {
		case isFunction(w, inner):
			callable(w, syntax.Decl{Kind: code.KindMethod, Node: c, Name: key, Text: name, Owner: tsPath(w, ""),
				Exported: !t.local}, inner)
		case w.Is(inner, "class"):
			classAs(w, syntax.Decl{Node: c, Name: key, Text: name, Owner: tsPath(w, ""), Exported: !t.local}, inner)
		default:
			if !w.Is(inner, "object", "array") {
				t.context = ""
			}
			named(w, name, value)
		}
	}
}

// keyField returns the name of the grammar's field that holds the key of a member of an object
// literal.
func keyField(w *syntax.Walk, member syntax.Node) string {
	if w.Is(member, "method_definition") {
		return "name"
	}
	return "key"
}

func objectMethod(w *syntax.Walk, n, name syntax.Node) {
	d := syntax.Decl{Kind: code.KindMethod, Node: n, Name: max(name, 0), Text: text(w, name), Owner: tsPath(w, ""),
		Exported: !ts(w).local}
	if w.Has(n, "get") || w.Has(n, "set") {
		d.Kind = code.KindProperty
	}
	computed(w, name)
	callable(w, d, n)
}

// tsPath returns the qualified name of a declaration at the current place whose last name is last.
func tsPath(w *syntax.Walk, last string) string {
	path := w.OwnerPath("")
	for _, step := range []string{ts(w).path, last} {
		if step != "" {
			path = syntax.Join(path, step)
		}
	}
	return path
}

// assignment records a = b: functions and classes that it names, fields of JavaScript classes,
// and CommonJS exports.
func assignment(w *syntax.Walk, n syntax.Node) {
	left, right := w.Field(n, "left"), w.Field(n, "right")
	inner := unwrap(w, right)
	if w.Is(left, "identifier") {
		w.Fact(code.FactAssign, w.Encloser, w.Str(left)+"=", tsValue(w, inner), n)
		if isFunction(w, inner) {
			callable(w, syntax.Decl{Node: n, Name: left}, inner)
			return
		}
		named(w, w.Str(left), right)
		return
	}
	if !w.Is(left, "member_expression") {
		w.Children(n)
		return
	}
	if owner, ok := exportsTarget(w, left); ok && w.Encloser < 0 {
		commonJS(w, n, left, owner, inner)
		return
	}
	w.Access(w.Field(left, "property"), w.Field(left, "object"), true)
	w.Visit(w.Field(left, "object"))
	property(w, n, left, right)
}

// property records object.name = value.
func property(w *syntax.Walk, n, left, right syntax.Node) {
	object, name := w.Field(left, "object"), w.Field(left, "property")
	inner := unwrap(w, right)
	if w.Is(object, "this") {
		if typ := assertion(w, right); typ != "" {
			w.Fact(code.FactVar, w.Encloser, "this."+w.Str(name), typ, n)
		} else {
			w.Fact(code.FactAssign, w.Encloser, "this."+w.Str(name), tsValue(w, inner), n)
			keys(w, w.Encloser, "this."+w.Str(name), inner, 0)
		}
		if class := thisClass(w); class >= 0 {
			give(w, "this."+w.Str(name), name, inner)
			thisProperty(w, n, name, inner, class)
			return
		}
	}
	if !w.Is(object, "this") && !w.Says(w.Field(object, "property"), "prototype") {
		give(w, "("+w.Line(object)+")."+w.Str(name), name, inner)
	}
	path, ok := dotted(w, object)
	d := syntax.Decl{Kind: code.KindMethod, Node: n, Name: name, Owner: tsPath(w, path)}
	if isFunction(w, inner) && handlesEvent(w.Str(name)) {
		ts(w).context = w.Line(left)
	}
	switch {
	case ok && isFunction(w, inner):
		callable(w, d, inner)
	case ok && w.Is(inner, "class"):
		classAs(w, d, inner)
	case ok:
		if path != "" {
			if typ := assertion(w, right); typ != "" {
				w.Fact(code.FactVar, w.Encloser, path+"."+w.Str(name), typ, n)
			} else if !w.Is(inner, "string", "number", "true", "false", "null", "template_string") {
				w.Fact(code.FactAssign, w.Encloser, path+"."+w.Str(name), tsValue(w, inner), n)
				keys(w, w.Encloser, path+"."+w.Str(name), inner, 0)
			}
		}
		if !w.Says(name, "prototype") {
			path = syntax.Join(path, w.Str(name))
		}
		named(w, path, right)
	default:
		w.Visit(right)
	}
}

// handlesEvent reports whether a property called name holds an event handler by the platform's
// convention: onclick.
func handlesEvent(name string) bool {
	return len(name) > 4 && name[:2] == "on" && strings.ToLower(name) == name
}

// thisClass returns the class of which "this" is an object; -1 outside of methods.
func thisClass(w *syntax.Walk) int {
	if w.Encloser < 0 {
		return -1
	}
	method := &w.Out.Symbols[w.Encloser]
	if method.Kind != code.KindConstructor && method.Kind != code.KindMethod {
		return -1
	}
	if method.Parent >= 0 && w.Out.Symbols[method.Parent].Kind == code.KindClass {
		return method.Parent
	}
	return -1
}

// thisProperty records this.name = value in a method of class. A function becomes a method. In
// JavaScript, where fields need no declaration, any other value declares a field of unknown type.
func thisProperty(w *syntax.Walk, n, name, value syntax.Node, class int) {
	t := ts(w)
	key := tsName{class, w.Str(name)}
	known := t.fields[key]
	t.fields[key] = true
	exported := !w.Is(name, "private_property_identifier")
	outer := w.Encloser
	w.Encloser = class
	switch {
	case isFunction(w, value):
		callable(w, syntax.Decl{Kind: code.KindMethod, Node: n, Name: name, Exported: exported}, value)
		w.Encloser = outer
		return
	case t.js && !known:
		w.Declare(syntax.Decl{Kind: code.KindField, Node: n, Name: name, Exported: exported})
	}
	w.Encloser = outer
	named(w, w.Str(name), value)
}

// dotted returns the path of names in a chain a.b.c, without "prototype" and "this"; false for a
// chain with computed parts.
func dotted(w *syntax.Walk, n syntax.Node) (string, bool) {
	switch w.Kind(n) {
	case "identifier":
		return w.Str(n), true
	case "this":
		return "", true
	case "member_expression":
		path, ok := dotted(w, w.Field(n, "object"))
		last := w.Str(w.Field(n, "property"))
		if last == "prototype" || !ok {
			return path, ok
		}
		return strings.TrimPrefix(path+"."+last, "."), true
	}
	return "", false
}
