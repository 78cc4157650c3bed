package kotlin

import (
	"slices"
	"strconv"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/languages/jvm/facts"
	"sextant/l2meta/syntax"
)

func function(w *syntax.Walk, n syntax.Node) {
	body, list := w.Child(n, "function_body"), w.Child(n, "function_value_parameters")
	d := syntax.Decl{Kind: code.KindFunction, Node: n, Name: w.Field(n, "name"), Body: max(body, 0)}
	d.Text = facts.Bare(w.Str(d.Name))
	annotations := kotlinModifiers(w, n, &d)
	if w.Is(w.Parent(n), "class_body", "enum_class_body") {
		d.Kind = code.KindMethod
	}
	for _, a := range annotations {
		if isTest(w, a) {
			d.Kind = code.KindTest
		}
	}
	d.Parameters = parameters(w, list)
	result := kotlinResult(w, list)
	d.Returns = w.Line(result)
	s := w.Declare(d)
	annotate(w, s, annotations)
	if receiver := extensionReceiver(w, n, d.Name); receiver >= 0 {
		w.Fact(code.FactParam, s, "this", w.Line(receiver), receiver)
	}
	w.Typed(s, d, list, result)
	bounds(w, s, n)
	if eq := w.Child(body, "="); eq >= 0 && result < 0 {
		value := w.After(eq)
		w.Fact(code.FactReturn, s, "", outline(w, value, true), value)
	}
	w.Inside(s, list, body)
}

func isTest(w *syntax.Walk, annotation syntax.Node) bool {
	name, _ := typeName(w, w.Find(annotation, "user_type"))
	switch w.Str(name) {
	case "Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate", "Theory", "Property":
		return true
	}
	return false
}

// extensionReceiver returns the type before the name of an extension, Order in fun Order.total();
// None if n is no extension.
func extensionReceiver(w *syntax.Walk, n, name syntax.Node) syntax.Node {
	for c := range w.Named(n) {
		switch {
		case c == name:
			return syntax.None
		case !w.Is(c, "modifiers", "type_parameters", "type_modifiers"):
			return c
		}
	}
	return syntax.None
}

// kotlinResult returns the result type of a function, which follows its parameter list; None if it
// has none.
func kotlinResult(w *syntax.Walk, list syntax.Node) syntax.Node {
	if colon := w.After(list); w.Is(colon, ":") && colon > 0 {
		return w.After(colon)
	}
	return syntax.None
}

// parameters returns the parameters of a list. In the tree, modifiers and default values are
// siblings of their parameter.
func parameters(w *syntax.Walk, list syntax.Node) (out []code.Parameter) {
	variadic, value := false, false
	for c := range w.Tree.Children(list) {
		switch {
		case w.Is(c, "parameter_modifiers"):
			variadic = w.HasWord(c, "vararg")
		case w.Is(c, "parameter"):
			name := w.Child(c, "identifier")
			p := code.Parameter{Name: facts.Bare(w.Str(name)), Type: w.Line(variableType(w, c)), Variadic: variadic}
			out, variadic, value = append(out, p), false, false
		case w.Is(c, "="):
			value = true
		case value && w.IsNamed(c) && !w.IsComment(c) && len(out) > 0:
			out[len(out)-1].Default, value = w.Line(c), false
		}
	}
	return out
}

func constructor(w *syntax.Walk, n syntax.Node) {
	body, list := w.Child(n, "block"), w.Child(n, "function_value_parameters")
	d := syntax.Decl{Kind: code.KindConstructor, Node: n, Name: w.Child(n, "constructor"), Body: max(body, 0)}
	d.Text = "constructor"
	if w.Encloser >= 0 {
		d.Text = w.Out.Symbols[w.Encloser].Name
	}
	annotations := kotlinModifiers(w, n, &d)
	d.Parameters = parameters(w, list)
	s := w.Declare(d)
	annotate(w, s, annotations)
	w.Typed(s, d, list, syntax.None)
	w.Inside(s, list, w.Child(n, "constructor_delegation_call"), body)
}

// kotlinProperty declares the properties of files and classes, and records the types and values of
// local variables.
func kotlinProperty(w *syntax.Walk, n syntax.Node) {
	if isLocal(w, n) {
		facts.BoundIn(w, w.Parent(n), w.End(n), func() {
			v := w.Child(n, "variable_declaration", "multi_variable_declaration")
			bind(w, v, kotlinValue(w, n), kotlinPart(w, n))
			kotlinMade(w, v, kotlinValue(w, n))
		})
		w.Children(n)
		return
	}
	v := w.Child(n, "variable_declaration")
	if v < 0 { // a script may declare val (a, b) = … at its top level
		bind(w, w.Child(n, "multi_variable_declaration"), kotlinValue(w, n), "")
		w.Children(n)
		return
	}
	d := syntax.Decl{Kind: code.KindProperty, Node: n, Name: w.Child(v, "identifier")}
	d.Text = facts.Bare(w.Str(d.Name))
	annotations := kotlinModifiers(w, n, &d)
	switch {
	case slices.Contains(d.Modifiers, "const"):
		d.Kind = code.KindConstant
	case !w.Is(w.Parent(n), "class_body", "enum_class_body"):
		d.Kind = code.KindVariable
	}
	d.Modifiers = append(d.Modifiers, mutability(w, n)...)
	typ := variableType(w, v)
	d.Returns = w.Line(typ)
	d.Body = propertyBody(w, n)
	d.Computed = w.Is(d.Body, "getter", "setter")
	owner := w.Encloser
	s := w.Declare(d)
	if w.Is(d.Body, "getter", "setter") {
		w.Out.Symbols[s].Body[1] = w.Out.Symbols[s].Span.EndByte
	}
	kind := code.FactField
	if d.Kind == code.KindVariable || owner < 0 {
		kind = code.FactVar
	}
	w.Fact(kind, owner, d.Text, d.Returns, typ)
	if value := kotlinValue(w, n); typ < 0 && value >= 0 {
		w.Fact(code.FactAssign, owner, d.Text, valueText(w, value, kotlinPart(w, n)), d.Name)
	}
	if eq := w.Child(n, "="); eq >= 0 {
		keep(w, owner, d.Text, w.After(eq))
	}
	annotate(w, s, annotations)
	if receiver := extensionReceiver(w, n, v); receiver >= 0 {
		w.Fact(code.FactParam, s, "this", w.Line(receiver), receiver)
		bounds(w, s, n)
	}
	w.As(s, func() { kotlinSetter(w, n, d.Text, d.Returns) })
	for c := range w.Named(n) {
		if !w.Is(c, "modifiers", "variable_declaration") {
			w.Inside(s, c)
		}
	}
}

// mutability returns the keyword "val" or "var" of a property.
func mutability(w *syntax.Walk, n syntax.Node) []string {
	if word := w.Child(n, "val", "var"); word >= 0 {
		return []string{w.Str(word)}
	}
	return nil
}

// variableType returns the type after the name of a variable, or syntax.None.
func variableType(w *syntax.Walk, v syntax.Node) syntax.Node {
	if colon := w.Child(v, ":"); colon >= 0 {
		return max(w.After(colon), 1)
	}
	return syntax.None
}

// propertyBody returns the node at which the code of a property starts; 0 if it has no code.
func propertyBody(w *syntax.Walk, n syntax.Node) syntax.Node {
	for c := range w.Named(n) {
		if w.Is(c, "getter", "setter") && w.Child(c, "function_body") >= 0 {
			return c
		}
		if !w.Is(c, "modifiers") {
			if body := w.Find(c, "lambda_literal", "class_body", "block"); body >= 0 {
				return body
			}
		}
		if w.Is(c, "lambda_literal") {
			return c
		}
	}
	return 0
}

// kotlinValue returns the initial value of a property, or else its delegate, or else the
// expression of its getter; None if it has none of these.
func kotlinValue(w *syntax.Walk, n syntax.Node) syntax.Node {
	if eq := w.Child(n, "="); eq >= 0 {
		return max(w.After(eq), 1)
	}
	if by := w.Child(w.Child(n, "property_delegate"), "by"); by >= 0 {
		return max(w.After(by), 1)
	}
	if eq := w.Child(w.Child(w.Child(n, "getter"), "function_body"), "="); eq >= 0 {
		return max(w.After(eq), 1)
	}
	return syntax.None
}

// kotlinPart returns the suffix for the recorded value of a property. If that value is a
// delegate, which computes the property's value, as in val v by lazy { x }, the suffix is MarkBy;
// otherwise it is "".
func kotlinPart(w *syntax.Walk, n syntax.Node) string {
	if !w.Has(n, "=") && w.Child(n, "property_delegate") >= 0 {
		return code.MarkBy.After("")
	}
	return ""
}

// bind records the declared type of a variable or, if it has none, the text of its value. part is
// a marker that is appended to the text to select a part of the value, or "". In val (a, b) = e,
// the text for a is e with the marker of its first component.
func bind(w *syntax.Walk, v, value syntax.Node, part string) {
	if w.Is(v, "multi_variable_declaration") {
		i := 0
		for one := range w.Named(v) {
			bind(w, one, value, code.PartMarker(i).After(part))
			i++
		}
		return
	}
	name := w.Child(v, "identifier")
	switch typ := variableType(w, v); {
	case name < 0 || w.Says(name, "_"):
	case typ >= 0:
		w.Fact(code.FactVar, w.Encloser, facts.Bare(w.Str(name)), w.Line(typ), name)
	case value >= 0:
		w.Fact(code.FactAssign, w.Encloser, facts.Bare(w.Str(name)), valueText(w, value, part), name)
	}
}

// kotlinMade records that a local variable is initialized by a constructor call: val a = Order().
func kotlinMade(w *syntax.Walk, v, value syntax.Node) {
	name, callee := w.Child(v, "identifier"), w.Child(value, "identifier")
	if !w.Is(v, "variable_declaration") || name < 0 || !w.Is(value, "call_expression") || callee < 0 {
		return
	}
	w.Made(name, w.Str(callee)+"()")
}

// finish drops the recorded accesses that cannot be properties (keepAccesses). It also drops the
// records of new objects (Walk.Made) for local variables that are assigned again.
func finish(w *syntax.Walk) {
	keepAccesses(w)
	w.FinishMade(func(n syntax.Node) syntax.Node {
		if left := n + 1; w.Is(n, "assignment") && w.Is(left, "identifier") {
			return left
		}
		return syntax.None
	})
}

// valueText returns the recorded text of a variable's value, followed by part, a marker or "". In the
// text of a delegate, lazy { x }, it keeps the code of the function literal, since x is the variable's
// value.
func valueText(w *syntax.Walk, value syntax.Node, part string) string {
	if strings.HasPrefix(part, code.MarkBy.After("")) {
		return w.Line(value) + part
	}
	return outline(w, value, true) + part
}

// kotlinSetter records that the parameter of a setter has the property's type.
func kotlinSetter(w *syntax.Walk, n syntax.Node, property, typ string) {
	setter := w.Child(n, "setter")
	name := w.Find(setter, "identifier")
	if body := w.Child(setter, "function_body"); name >= 0 && body >= 0 && name < body {
		facts.BoundIn(w, body, w.Start(body), func() {
			if typ != "" {
				w.Fact(code.FactVar, w.Encloser, facts.Bare(w.Str(name)), typ, name)
			} else {
				w.Fact(code.FactAssign, w.Encloser, facts.Bare(w.Str(name)), "this."+property, name)
			}
		})
	}
}

// anonymous records the parameters of fun(x: T) { … }.
func anonymous(w *syntax.Walk, n syntax.Node) {
	list := w.Child(n, "function_value_parameters")
	facts.BoundIn(w, n, w.Start(n), func() {
		for _, p := range parameters(w, list) {
			w.Fact(code.FactVar, w.Encloser, p.Name, p.Type, list)
		}
	})
	w.Children(n)
}

// kotlinLambda records the parameters of a function literal: with their declared types or, if
// they have none, as values that the enclosing call passes to the literal. If the literal
// declares no parameters, it records "it". If the literal is an argument of a call, it also
// records "this", because the literal may have a receiver.
func kotlinLambda(w *syntax.Walk, n syntax.Node) {
	argument := kotlinArgument(w, n)
	facts.BoundIn(w, n, w.Start(n), func() {
		list := w.Child(n, "lambda_parameters")
		i := 0
		for v := range w.Named(list) {
			kotlinGiven(w, v, facts.LiteralOf(argument, strconv.Itoa(i)))
			i++
		}
		if list < 0 {
			w.Fact(code.FactAssign, w.Encloser, "it", facts.LiteralOf(argument, "0"), n)
		}
		if argument >= 0 {
			w.Fact(code.FactAssign, w.Encloser, "this", facts.LiteralOf(argument, "this"), n)
		}
	})
	w.Children(n)
}

// kotlinGiven records a parameter of a function literal; given is the recorded text of its value.
// In { (a, b) -> … }, a gets the first and b the second part of the value.
func kotlinGiven(w *syntax.Walk, v syntax.Node, given string) {
	if w.Is(v, "multi_variable_declaration") {
		i := 0
		for one := range w.Named(v) {
			kotlinGiven(w, one, code.PartMarker(i).After(given))
			i++
		}
		return
	}
	name := facts.Bare(w.Str(w.Child(v, "identifier")))
	if typ := variableType(w, v); typ >= 0 {
		w.Fact(code.FactVar, w.Encloser, name, w.Line(typ), v)
	} else if name != "_" {
		w.Fact(code.FactAssign, w.Encloser, name, given, v)
	}
}

// kotlinArgument returns the position of a function literal among the arguments of a call. It
// returns -1 if the literal is no argument or is passed by name.
func kotlinArgument(w *syntax.Walk, n syntax.Node) (i int) {
	p := w.Parent(n)
	if w.Is(p, "annotated_lambda") || w.Is(p, "binary_expression") && w.Field(p, "right") == n && w.Has(p, ">") {
		return facts.TrailingLambda
	}
	if !w.Is(p, "value_argument") || w.Has(p, "=") {
		return -1
	}
	for a := range w.Named(w.Parent(p)) {
		if a == p {
			return i
		}
		i++
	}
	return -1
}

func kotlinFor(w *syntax.Walk, n syntax.Node) {
	if in := w.Child(n, "in"); in >= 0 {
		facts.BoundIn(w, n, w.End(w.After(in)), func() {
			bind(w, w.Child(n, "variable_declaration", "multi_variable_declaration"), max(w.After(in), 1),
				code.MarkEach.After(""))
		})
	}
	w.Children(n)
}

func when(w *syntax.Walk, n syntax.Node) {
	if eq := w.Child(n, "="); eq >= 0 {
		facts.BoundIn(w, w.Parent(n), w.End(n), func() {
			bind(w, w.Child(n, "variable_declaration"), max(w.After(eq), 1), "")
		})
	}
	w.Children(n)
}

func catch(w *syntax.Walk, n syntax.Node) {
	name, typ := w.Child(n, "identifier"), w.Child(n, "user_type")
	facts.BoundIn(w, n, w.Start(n), func() { w.Fact(code.FactVar, w.Encloser, w.Str(name), w.Line(typ), name) })
	w.Children(n)
}
