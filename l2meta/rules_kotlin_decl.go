package l2meta

import (
	"slices"
	"strconv"
	"strings"

	"sextant/internal/code"
)

func kotlinFunction(w *walk, n node) {
	body, list := w.child(n, "function_body"), w.child(n, "function_value_parameters")
	d := decl{kind: code.KindFunction, node: n, name: w.field(n, "name"), body: max(body, 0)}
	d.text = kotlinBare(w.str(d.name))
	annotations := kotlinModifiers(w, n, &d)
	if w.is(w.parent(n), "class_body", "enum_class_body") {
		d.kind = code.KindMethod
	}
	for _, a := range annotations {
		if kotlinIsTest(w, a) {
			d.kind = code.KindTest
		}
	}
	d.parameters = kotlinParameters(w, list)
	result := kotlinResult(w, list)
	d.returns = w.line(result)
	s := w.declare(d)
	kotlinAnnotate(w, s, annotations)
	if receiver := kotlinReceiver(w, n, d.name); receiver >= 0 {
		w.fact(code.FactParam, s, "this", w.line(receiver), receiver)
	}
	w.typed(s, d, list, result)
	kotlinBounds(w, s, n)
	if eq := w.child(body, "="); eq >= 0 && result < 0 {
		value := w.after(eq)
		w.fact(code.FactReturn, s, "", kotlinOutline(w, value, true), value)
	}
	w.inside(s, list, body)
}

func kotlinIsTest(w *walk, annotation node) bool {
	name, _ := kotlinTypeName(w, w.find(annotation, "user_type"))
	switch w.str(name) {
	case "Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate", "Theory", "Property":
		return true
	}
	return false
}

// kotlinReceiver is the type before the name of an extension, none without one.
func kotlinReceiver(w *walk, n, name node) node {
	for c := range w.named(n) {
		switch {
		case c == name:
			return none
		case !w.is(c, "modifiers", "type_parameters", "type_modifiers"):
			return c
		}
	}
	return none
}

// kotlinResult is the type behind the parameters, none without one.
func kotlinResult(w *walk, list node) node {
	if colon := w.after(list); w.is(colon, ":") && colon > 0 {
		return w.after(colon)
	}
	return none
}

// kotlinParameters reads a list in which modifiers and defaults stand beside
// the parameter they belong to.
func kotlinParameters(w *walk, list node) (out []code.Parameter) {
	variadic, value := false, false
	for c := range w.tree.children(list) {
		switch {
		case w.is(c, "parameter_modifiers"):
			variadic = w.hasWord(c, "vararg")
		case w.is(c, "parameter"):
			name := w.child(c, "identifier")
			p := code.Parameter{Name: kotlinBare(w.str(name)), Type: w.line(kotlinVariableType(w, c)), Variadic: variadic}
			out, variadic, value = append(out, p), false, false
		case w.is(c, "="):
			value = true
		case value && w.isNamed(c) && !w.isComment(c) && len(out) > 0:
			out[len(out)-1].Default, value = w.line(c), false
		}
	}
	return out
}

func kotlinConstructor(w *walk, n node) {
	body, list := w.child(n, "block"), w.child(n, "function_value_parameters")
	d := decl{kind: code.KindConstructor, node: n, name: w.child(n, "constructor"), body: max(body, 0)}
	d.text = "constructor"
	if w.encloser >= 0 {
		d.text = w.out.Symbols[w.encloser].Name
	}
	annotations := kotlinModifiers(w, n, &d)
	d.parameters = kotlinParameters(w, list)
	s := w.declare(d)
	kotlinAnnotate(w, s, annotations)
	w.typed(s, d, list, none)
	w.inside(s, list, w.child(n, "constructor_delegation_call"), body)
}

// kotlinProperty declares the properties of files and classes, and records
// what is said of local variables.
func kotlinProperty(w *walk, n node) {
	if kotlinIsLocal(w, n) {
		boundIn(w, w.parent(n), w.end(n), func() {
			v := w.child(n, "variable_declaration", "multi_variable_declaration")
			kotlinBind(w, v, kotlinValue(w, n), kotlinPart(w, n))
			kotlinMade(w, v, kotlinValue(w, n))
		})
		w.children(n)
		return
	}
	v := w.child(n, "variable_declaration")
	if v < 0 { // val (a, b) = … in a script
		kotlinBind(w, w.child(n, "multi_variable_declaration"), kotlinValue(w, n), "")
		w.children(n)
		return
	}
	d := decl{kind: code.KindProperty, node: n, name: w.child(v, "identifier")}
	d.text = kotlinBare(w.str(d.name))
	annotations := kotlinModifiers(w, n, &d)
	switch {
	case slices.Contains(d.modifiers, "const"):
		d.kind = code.KindConstant
	case !w.is(w.parent(n), "class_body", "enum_class_body"):
		d.kind = code.KindVariable
	}
	d.modifiers = append(d.modifiers, kotlinMutability(w, n)...)
	typ := kotlinVariableType(w, v)
	d.returns = w.line(typ)
	d.body = kotlinPropertyBody(w, n)
	owner := w.encloser
	s := w.declare(d)
	if w.is(d.body, "getter", "setter") {
		w.out.Symbols[s].Body[1] = w.out.Symbols[s].Span.EndByte
	}
	kind := code.FactField
	if d.kind == code.KindVariable || owner < 0 {
		kind = code.FactVar
	}
	w.fact(kind, owner, d.text, d.returns, typ)
	if value := kotlinValue(w, n); typ < 0 && value >= 0 {
		w.fact(code.FactAssign, owner, d.text, kotlinValueText(w, value, kotlinPart(w, n)), d.name)
	}
	kotlinAnnotate(w, s, annotations)
	if receiver := kotlinReceiver(w, n, v); receiver >= 0 {
		w.fact(code.FactParam, s, "this", w.line(receiver), receiver)
	}
	w.as(s, func() { kotlinSetter(w, n, d.text, d.returns) })
	for c := range w.named(n) {
		if !w.is(c, "modifiers", "variable_declaration") {
			w.inside(s, c)
		}
	}
}

// kotlinMutability is the word "val" or "var" of a property.
func kotlinMutability(w *walk, n node) []string {
	if word := w.child(n, "val", "var"); word >= 0 {
		return []string{w.str(word)}
	}
	return nil
}

// kotlinVariableType is the type behind the name of a variable, none without one.
func kotlinVariableType(w *walk, v node) node {
	if colon := w.child(v, ":"); colon >= 0 {
		return max(w.after(colon), 1)
	}
	return none
}

// kotlinPropertyBody is where the code of a property starts, 0 without any.
func kotlinPropertyBody(w *walk, n node) node {
	for c := range w.named(n) {
		if w.is(c, "getter", "setter") && w.child(c, "function_body") >= 0 {
			return c
		}
		if !w.is(c, "modifiers") {
			if body := w.find(c, "lambda_literal", "class_body", "block"); body >= 0 {
				return body
			}
		}
		if w.is(c, "lambda_literal") {
			return c
		}
	}
	return 0
}

// kotlinValue is what a property is: its value, its delegate, or the
// expression of its getter; none when it says nothing.
func kotlinValue(w *walk, n node) node {
	if eq := w.child(n, "="); eq >= 0 {
		return max(w.after(eq), 1)
	}
	if by := w.child(w.child(n, "property_delegate"), "by"); by >= 0 {
		return max(w.after(by), 1)
	}
	if eq := w.child(w.child(w.child(n, "getter"), "function_body"), "="); eq >= 0 {
		return max(w.after(eq), 1)
	}
	return none
}

// kotlinPart tells a delegate, whose value is not the property's, from a value.
func kotlinPart(w *walk, n node) string {
	if !w.has(n, "=") && w.child(n, "property_delegate") >= 0 {
		return "#by"
	}
	return ""
}

// kotlinBind records the type of a variable, or what it is given; the i-th
// name of a destructuring gets "e#i".
func kotlinBind(w *walk, v, value node, part string) {
	if w.is(v, "multi_variable_declaration") {
		i := 0
		for one := range w.named(v) {
			kotlinBind(w, one, value, part+"#"+strconv.Itoa(i))
			i++
		}
		return
	}
	name := w.child(v, "identifier")
	switch typ := kotlinVariableType(w, v); {
	case name < 0 || w.says(name, "_"):
	case typ >= 0:
		w.fact(code.FactVar, w.encloser, kotlinBare(w.str(name)), w.line(typ), name)
	case value >= 0:
		w.fact(code.FactAssign, w.encloser, kotlinBare(w.str(name)), kotlinValueText(w, value, part), name)
	}
}

// kotlinMade records that a local name is given what a call by a class's name
// makes.
func kotlinMade(w *walk, v, value node) {
	name, callee := w.child(v, "identifier"), w.child(value, "identifier")
	if !w.is(v, "variable_declaration") || name < 0 || !w.is(value, "call_expression") || callee < 0 {
		return
	}
	w.made(name, w.str(callee)+"()")
}

// kotlinFinish knows which local names hold what they are given first.
func kotlinFinish(w *walk) {
	w.finishMade(func(n node) node {
		if left := n + 1; w.is(n, "assignment") && w.is(left, "identifier") {
			return left
		}
		return none
	})
}

// kotlinValueText is what a variable is given, and which part of it; the code
// of a delegate's function stays, since its value is the variable's.
func kotlinValueText(w *walk, value node, part string) string {
	if strings.HasPrefix(part, "#by") {
		return w.line(value) + part
	}
	return kotlinOutline(w, value, true) + part
}

// kotlinSetter records that the parameter of a setter is of the property's type.
func kotlinSetter(w *walk, n node, property, typ string) {
	setter := w.child(n, "setter")
	name := w.find(setter, "identifier")
	if body := w.child(setter, "function_body"); name >= 0 && body >= 0 && name < body {
		boundIn(w, body, w.start(body), func() {
			if typ != "" {
				w.fact(code.FactVar, w.encloser, kotlinBare(w.str(name)), typ, name)
			} else {
				w.fact(code.FactAssign, w.encloser, kotlinBare(w.str(name)), "this."+property, name)
			}
		})
	}
}

// kotlinAnonymous records the parameters of fun(x: T) { … }.
func kotlinAnonymous(w *walk, n node) {
	list := w.child(n, "function_value_parameters")
	boundIn(w, n, w.start(n), func() {
		for _, p := range kotlinParameters(w, list) {
			w.fact(code.FactVar, w.encloser, p.Name, p.Type, list)
		}
	})
	w.children(n)
}

// kotlinLambda records the parameters of a function literal: with the type that
// is written, or as what the call that it is passed to gives them; "it" where
// it has none, and "this", which may be a receiver.
func kotlinLambda(w *walk, n node) {
	argument := kotlinArgument(w, n)
	boundIn(w, n, w.start(n), func() {
		list := w.child(n, "lambda_parameters")
		i := 0
		for v := range w.named(list) {
			kotlinGiven(w, v, literalOf(argument, strconv.Itoa(i)))
			i++
		}
		if list < 0 {
			w.fact(code.FactAssign, w.encloser, "it", literalOf(argument, "0"), n)
		}
		if argument >= 0 {
			w.fact(code.FactAssign, w.encloser, "this", literalOf(argument, "this"), n)
		}
	})
	w.children(n)
}

// kotlinGiven records a parameter of a function literal; one that is taken
// apart gets "e#i" for each name.
func kotlinGiven(w *walk, v node, given string) {
	if w.is(v, "multi_variable_declaration") {
		i := 0
		for one := range w.named(v) {
			kotlinGiven(w, one, given+"#"+strconv.Itoa(i))
			i++
		}
		return
	}
	name := kotlinBare(w.str(w.child(v, "identifier")))
	if typ := kotlinVariableType(w, v); typ >= 0 {
		w.fact(code.FactVar, w.encloser, name, w.line(typ), v)
	} else if name != "_" {
		w.fact(code.FactAssign, w.encloser, name, given, v)
	}
}

// kotlinArgument is which argument of a call a function literal is, -1 when it
// is none or has a name.
func kotlinArgument(w *walk, n node) (i int) {
	p := w.parent(n)
	if w.is(p, "annotated_lambda") || w.is(p, "binary_expression") && w.field(p, "right") == n && w.has(p, ">") {
		return trailing
	}
	if !w.is(p, "value_argument") || w.has(p, "=") {
		return -1
	}
	for a := range w.named(w.parent(p)) {
		if a == p {
			return i
		}
		i++
	}
	return -1
}

func kotlinFor(w *walk, n node) {
	if in := w.child(n, "in"); in >= 0 {
		boundIn(w, n, w.end(w.after(in)), func() {
			kotlinBind(w, w.child(n, "variable_declaration", "multi_variable_declaration"), max(w.after(in), 1), "#each")
		})
	}
	w.children(n)
}

func kotlinWhen(w *walk, n node) {
	if eq := w.child(n, "="); eq >= 0 {
		boundIn(w, w.parent(n), w.end(n), func() {
			kotlinBind(w, w.child(n, "variable_declaration"), max(w.after(eq), 1), "")
		})
	}
	w.children(n)
}

func kotlinCatch(w *walk, n node) {
	name, typ := w.child(n, "identifier"), w.child(n, "user_type")
	boundIn(w, n, w.start(n), func() { w.fact(code.FactVar, w.encloser, w.str(name), w.line(typ), name) })
	w.children(n)
}
