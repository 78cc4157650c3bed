package csharp

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// says records the type of a local variable, with its scope. For "var" it records the text of the
// variable's value instead. part is a marker that is appended to this text to select a part of
// the value, such as an element, or "". A variable of unknown type is recorded as "?", because it
// shadows outer declarations.
func says(w *syntax.Walk, name, typ, value syntax.Node, part string) {
	if !w.Is(name, "identifier") {
		return
	}
	switch {
	case typ >= 0 && !w.Is(typ, "implicit_type"):
		w.Fact(code.FactVar, w.Encloser, w.Str(name), w.Line(typ), name)
	case value >= 0:
		w.Fact(code.FactAssign, w.Encloser, w.Str(name), w.Line(value)+part, name)
	default:
		w.Fact(code.FactVar, w.Encloser, w.Str(name), "?", name)
	}
	holdsIn(w, name)
}

// made records that a local variable holds a new object: var job = new Job().
func made(w *syntax.Walk, name, typ, value syntax.Node) {
	switch {
	case !w.Is(name, "identifier") || typ < 0:
	case w.Is(value, "implicit_object_creation_expression") && !w.Is(typ, "implicit_type"):
		w.Made(name, "new "+strings.TrimSuffix(w.Line(typ), "?")+"()")
	case w.Is(value, "object_creation_expression"):
		w.Made(name, "new "+w.Line(w.Field(value, "type"))+"()")
	}
}

// assigned returns the name that a node assigns: x in x = …, x++, f(out x) and f(ref x), and the
// names in a tuple on the left of an assignment. It returns syntax.None for other nodes.
func assigned(w *syntax.Walk, n syntax.Node) syntax.Node {
	switch {
	case w.Is(n, "assignment_expression") && w.Is(w.Field(n, "left"), "identifier"):
		return w.Field(n, "left")
	case w.Is(n, "argument") && (w.Has(n, "out") || w.Has(n, "ref") || w.Is(w.Parent(n), "tuple_expression")):
		return w.Child(n, "identifier")
	case w.Is(n, "postfix_unary_expression", "prefix_unary_expression"):
		return w.Child(n, "identifier")
	}
	return syntax.None
}

// holdsIn sets the scope of the fact recorded last, which declares a local name, to the block or statement
// around the name. A name in a top-level statement is visible in the whole file.
func holdsIn(w *syntax.Walk, name syntax.Node) {
	around := w.Within(name, "block", "for_statement", "foreach_statement", "using_statement", "catch_clause",
		"switch_section", "switch_expression_arm",
		"lambda_expression", "anonymous_method_expression", "query_expression", "arrow_expression_clause",
		"accessor_declaration")
	if around < 0 {
		return
	}
	last := &w.Out.Facts[len(w.Out.Facts)-1]
	last.Scope = [2]int{w.Start(name), w.End(around)}
	if w.Is(around, "foreach_statement", "lambda_expression", "anonymous_method_expression") {
		last.Scope[0] = w.Start(around)
	}
}

// saysAll records each name of a tuple, var (a, b) = pair: a as the first component of pair, b as
// the second. part is a marker that selects the part of value from which the components are
// taken, or "".
func saysAll(w *syntax.Walk, tuple, value syntax.Node, part string) {
	i := 0
	for name := range w.Named(tuple) {
		says(w, name, syntax.None, value, code.PartMarker(i).After(part))
		i++
	}
}

func csharpLocal(w *syntax.Walk, n syntax.Node) {
	typ := w.Field(n, "type")
	for v := range w.Named(n) {
		if !w.Is(v, "variable_declarator") {
			continue
		}
		value := syntax.None
		if eq := w.Child(v, "="); eq >= 0 {
			value = max(w.After(eq), 1)
		}
		says(w, w.Field(v, "name"), typ, value, "")
		made(w, w.Field(v, "name"), typ, value)
		saysAll(w, w.Child(v, "tuple_pattern"), value, "")
		w.Children(v)
	}
}

func foreach(w *syntax.Walk, n syntax.Node) {
	left, right := w.Field(n, "left"), w.Field(n, "right")
	says(w, left, w.Field(n, "type"), right, code.MarkEach.After(""))
	if w.Is(left, "tuple_pattern") {
		saysAll(w, left, right, code.MarkEach.After(""))
	}
	w.Children(n)
}

// from records x of "from x in xs" in a query.
func from(w *syntax.Walk, n syntax.Node) {
	if in := w.Child(n, "in"); in >= 0 {
		says(w, w.Field(n, "name"), w.Field(n, "type"), max(w.After(in), 1), code.MarkEach.After(""))
	}
	w.Children(n)
}

// csharpBound records the name that a pattern, an out argument or a catch clause declares: j in
// if (x is Job j).
func csharpBound(w *syntax.Walk, n syntax.Node) {
	name, typ := w.Field(n, "name"), w.Field(n, "type")
	if name >= 0 && w.Is(typ, "implicit_type") { // out var x
		if fn, i := argumentOf(w, n); fn != "" {
			w.Fact(code.FactAssign, w.Encloser, w.Str(name), code.OutMarker(i).After(fn), name)
			holdsIn(w, name)
			w.Children(n)
			return
		}
	}
	if name >= 0 && w.Is(w.Child(n, "identifier"), "identifier") || typ >= 0 {
		says(w, name, typ, syntax.None, "")
	}
	w.Children(n)
}

// argumentOf returns the text of the function to which n is passed as an argument, and the
// argument's index; "" if n is no argument.
func argumentOf(w *syntax.Walk, n syntax.Node) (fn string, i int) {
	argument := w.Parent(n)
	if !w.Is(argument, "argument") {
		return "", 0
	}
	for c := range w.Named(w.Parent(argument)) {
		if c == argument {
			return called(w, w.Parent(w.Parent(argument))), i
		}
		i++
	}
	return "", 0
}

// called returns the text of the callee of a call: job.Run for job.Run(1), "new Job" for new
// Job(1). It returns "" for new(), whose type is unknown.
func called(w *syntax.Walk, call syntax.Node) string {
	switch w.Kind(call) {
	case "invocation_expression":
		name, receiver := callee(w, w.Field(call, "function"))
		if receiver != "" {
			receiver += "."
		}
		return receiver + w.Str(name) + w.Line(typeArguments(w, name))
	case "object_creation_expression":
		return "new " + w.Line(w.Field(call, "type"))
	case "implicit_object_creation_expression":
		if typ := wanted(w, call); typ > 0 {
			return "new " + w.Line(typ)
		}
	}
	return ""
}

// lambdaParameter records a parameter of a lambda; it is not called for parameters of declared functions.
// A parameter without a type is recorded by its position: x of f(1, (x, y) => …) as the first parameter of
// the lambda that is the second argument of f.
func lambdaParameter(w *syntax.Walk, n syntax.Node) {
	lambda := w.Within(n, "lambda_expression", "anonymous_method_expression")
	if lambda >= 0 {
		name := w.Field(n, "name")
		if w.Is(n, "implicit_parameter") {
			name = n
		}
		parameter(w, lambda, n, name, w.Field(n, "type"))
	}
	w.Children(n)
}

func parameter(w *syntax.Walk, lambda, n, name, typ syntax.Node) {
	said := "?"
	if fn, i := argumentOf(w, lambda); fn != "" {
		k := 0
		for c := range w.Named(w.Parent(n)) {
			if c == n {
				break
			}
			k++
		}
		if w.Parent(n) == lambda {
			k = 0
		}
		said = code.InMarker(i, k).After(fn)
	}
	kind := code.FactAssign
	if typ >= 0 {
		kind, said = code.FactVar, w.Line(typ)
	} else if said == "?" {
		kind = code.FactVar
	}
	w.Fact(kind, w.Encloser, w.Str(name), said, name)
	holdsIn(w, name)
}

func call(w *syntax.Walk, n syntax.Node) {
	fn := w.Field(n, "function")
	for w.Is(fn, "parenthesized_expression") && w.After(fn+1) > 0 {
		fn = w.After(fn + 1)
	}
	name, receiver := callee(w, fn)
	switch {
	case receiver == "" && w.Says(name, "nameof"):
		return // a mere name is no call
	case receiver == "base":
		w.CallAs(code.CallSuper, n, name, w.Str(name), receiver, w.CountNamed(w.Field(n, "arguments")))
	default:
		w.CallAs(code.CallPlain, n, name, w.Str(name), receiver, w.CountNamed(w.Field(n, "arguments")))
	}
	csharpHands(w, name, w.Field(n, "arguments"))
	w.Children(n)
}

// typeArguments returns the list of type arguments after a name. It returns syntax.None if there is
// none.
func typeArguments(w *syntax.Walk, name syntax.Node) syntax.Node {
	if generic := w.Parent(name); name >= 0 && w.Is(generic, "generic_name") {
		return w.Child(generic, "type_argument_list")
	}
	return syntax.None
}

// argumentLimit is the length in bytes above which the text of an argument is recorded as "?".
// Arguments that decide between overloads are shorter.
const argumentLimit = 80

// csharpHands records the type arguments and arguments of the call whose callee is at node name, as text. A
// string is recorded as "", and a lambda as an example with as many parameters, "x => x" (see lambdas).
func csharpHands(w *syntax.Walk, name, list syntax.Node) {
	handsAs(w, name, w.Line(typeArguments(w, name)), list)
}

func handsAs(w *syntax.Walk, name syntax.Node, text string, list syntax.Node) {
	if name < 0 {
		return
	}
	var args []string
	for a := range w.Named(list) {
		args = append(args, handed(w, a))
	}
	if text != "" || len(args) > 0 {
		w.Fact(code.FactArguments, w.Encloser, "", text+"("+strings.Join(args, ", ")+")", name)
	}
}

// lambdas lists example lambdas, indexed by the number of their parameters.
var lambdas = []string{"() => 0", "x => x", "(x, y) => x", "(x, y, z) => x", "(x, y, z, u) => x",
	"(x, y, z, u, v) => x"}

// arity returns the number of parameters of a lambda.
func arity(w *syntax.Walk, lambda syntax.Node) int {
	if list := w.Child(lambda, "parameter_list"); list >= 0 {
		return w.CountNamed(list)
	}
	if list := w.Field(lambda, "parameters"); w.Is(list, "parameter_list") {
		return w.CountNamed(list)
	}
	return 1
}

func handed(w *syntax.Walk, argument syntax.Node) string {
	value, label := syntax.None, ""
	for c := range w.Tree.Children(argument) {
		switch {
		case w.Is(c, "name_colon"), w.Is(c, ":") && value >= 0:
			label, value = w.Line(w.FirstNamed(argument))+": ", syntax.None
		case w.IsNamed(c) && !w.IsComment(c):
			value = c
		}
	}
	switch w.Kind(value) {
	case "string_literal", "verbatim_string_literal", "raw_string_literal", "interpolated_string_expression":
		return label + `""`
	case "lambda_expression":
		return label + lambdas[min(arity(w, value), len(lambdas)-1)]
	}
	text := w.Line(argument)
	if len(text) > argumentLimit || strings.ContainsAny(text, "\n") {
		return label + "?"
	}
	return text
}

// callee returns the last name of an expression and the text before it: b and "a" for a?.b.
func callee(w *syntax.Walk, fn syntax.Node) (name syntax.Node, receiver string) {
	switch w.Kind(fn) {
	case "identifier":
		return fn, ""
	case "generic_name":
		return w.Child(fn, "identifier"), ""
	case "postfix_unary_expression": // Done!(1)
		return callee(w, w.FirstNamed(fn))
	case "member_access_expression":
		name, _ = split(w, w.Field(fn, "name"))
		receiver = w.Line(w.Field(fn, "expression"))
		if receiver != "" && (receiver[0] == '.' || receiver[0] == '[') { // a?.b.c()
			if around := w.Within(fn, "conditional_access_expression"); around >= 0 {
				receiver = w.Line(w.Field(around, "condition")) + "?" + receiver
			}
		}
		return name, receiver
	case "member_binding_expression":
		name, _ = split(w, w.Field(fn, "name"))
		return name, w.Line(w.Field(w.Within(fn, "conditional_access_expression"), "condition"))
	case "conditional_access_expression":
		for c := range w.Named(fn) {
			if w.Is(c, "member_binding_expression") {
				name, _ = split(w, w.Field(c, "name"))
				return name, w.Line(w.Field(fn, "condition"))
			}
		}
	}
	return syntax.None, ""
}

func csharpNew(w *syntax.Walk, n syntax.Node) {
	name, receiver := split(w, w.Field(n, "type"))
	w.Call(code.CallNew, n, name, receiver, w.CountNamed(w.Field(n, "arguments")))
	csharpHands(w, name, w.Field(n, "arguments"))
	w.Children(n)
}

// implicitNew records new(…) as a construction of the type that the enclosing declaration states.
func implicitNew(w *syntax.Walk, n syntax.Node) {
	if typ := wanted(w, n); typ > 0 {
		name, receiver := split(w, typ)
		args := w.Child(n, "argument_list")
		w.CallAs(code.CallNew, n, w.Child(n, "new"), w.Str(name), w.Line(receiver), w.CountNamed(args))
		handsAs(w, w.Child(n, "new"), w.Line(typeArguments(w, name)), args)
	}
	w.Children(n)
}

// wanted returns the type that a declaration states for value n: T of T x = new(). It returns 0 if
// no type is written.
func wanted(w *syntax.Walk, n syntax.Node) syntax.Node {
	switch p := w.Parent(n); {
	case w.Is(p, "variable_declarator"):
		return w.Field(w.Parent(p), "type")
	case w.Is(p, "property_declaration"):
		return w.Field(p, "type")
	case w.Is(p, "arrow_expression_clause") && w.Is(w.Parent(p), "property_declaration"):
		return w.Field(w.Parent(p), "type")
	case w.Is(p, "arrow_expression_clause") && w.Is(w.Parent(p), "method_declaration"):
		return w.Field(w.Parent(p), "returns")
	case w.Is(p, "return_statement"):
		if fn := w.Within(p, "method_declaration", "local_function_statement", "lambda_expression",
			"anonymous_method_expression", "accessor_declaration"); w.Is(fn, "method_declaration") {
			return w.Field(fn, "returns")
		}
	}
	return 0
}

// constructorCall records : base(…) and : this(…).
func constructorCall(w *syntax.Walk, n syntax.Node) {
	args := w.Child(n, "argument_list")
	w.Call(code.CallSuper, n, w.Child(n, "base", "this"), syntax.None, w.CountNamed(args))
	csharpHands(w, w.Child(n, "base", "this"), args)
	w.Children(args)
}

// csharpArgument records a bare name or this.Name that is passed as an argument, because it may be
// a method.
func csharpArgument(w *syntax.Walk, n syntax.Node) {
	for c := range w.Named(n) {
		csharpReference(w, c)
	}
	giveArgument(w, n)
	w.Children(n)
}

// assignment records the right side of x = Save or x += Save, because it may be a method.
func assignment(w *syntax.Walk, n syntax.Node) {
	csharpReference(w, w.Field(n, "right"))
	giveMember(w, n)
	w.Children(n)
}

func csharpReference(w *syntax.Walk, value syntax.Node) {
	st := w.State.(*file)
	switch w.Kind(value) {
	case "identifier":
		st.refs = append(st.refs, syntax.Reference{Site: value, Name: value, Receiver: syntax.None, Caller: w.Encloser})
	case "member_access_expression":
		if object := w.Field(value, "expression"); w.Is(object, "this", "base") {
			name, _ := split(w, w.Field(value, "name"))
			st.refs = append(st.refs, syntax.Reference{Site: value, Name: name, Receiver: object, Caller: w.Encloser})
		}
	}
}
