package l2meta

import (
	"strconv"
	"strings"

	"sextant/internal/code"
)

// csharpSays records the type of a local variable, or what "var" is given, and
// where it holds. One that nothing tells of is recorded as "?": it hides what
// the name means further out.
func csharpSays(w *walk, name, typ, value node, part string) {
	if !w.is(name, "identifier") {
		return
	}
	switch {
	case typ >= 0 && !w.is(typ, "implicit_type"):
		w.fact(code.FactVar, w.encloser, w.str(name), w.line(typ), name)
	case value >= 0:
		w.fact(code.FactAssign, w.encloser, w.str(name), w.line(value)+part, name)
	default:
		w.fact(code.FactVar, w.encloser, w.str(name), "?", name)
	}
	csharpHolds(w, name)
}

// csharpMade records that a local name is given a new object.
func csharpMade(w *walk, name, typ, value node) {
	switch {
	case !w.is(name, "identifier") || typ < 0:
	case w.is(value, "implicit_object_creation_expression") && !w.is(typ, "implicit_type"):
		w.made(name, "new "+strings.TrimSuffix(w.line(typ), "?")+"()")
	case w.is(value, "object_creation_expression"):
		w.made(name, "new "+w.line(w.field(value, "type"))+"()")
	}
}

// csharpAssigned is the name that a node gives another value: x = …, f(out x),
// and what a tuple on the left names.
func csharpAssigned(w *walk, n node) node {
	switch {
	case w.is(n, "assignment_expression") && w.is(w.field(n, "left"), "identifier"):
		return w.field(n, "left")
	case w.is(n, "argument") && (w.has(n, "out") || w.has(n, "ref") || w.is(w.parent(n), "tuple_expression")):
		return w.child(n, "identifier")
	case w.is(n, "postfix_unary_expression", "prefix_unary_expression"):
		return w.child(n, "identifier")
	}
	return none
}

// csharpHolds gives the last fact the bytes in which the local name holds: the
// block or statement around it. One of the file's own statements holds all
// over the file.
func csharpHolds(w *walk, name node) {
	around := w.within(name, "block", "for_statement", "foreach_statement", "using_statement", "catch_clause", "switch_section", "switch_expression_arm",
		"lambda_expression", "anonymous_method_expression", "query_expression", "arrow_expression_clause", "accessor_declaration")
	if around < 0 {
		return
	}
	last := &w.out.Facts[len(w.out.Facts)-1]
	last.Scope = [2]int{w.start(name), w.end(around)}
	if w.is(around, "foreach_statement", "lambda_expression", "anonymous_method_expression") {
		last.Scope[0] = w.start(around)
	}
}

// csharpSaysAll is csharpSays for each name of a tuple: the i-th gets "e#i".
func csharpSaysAll(w *walk, tuple, value node, part string) {
	i := 0
	for name := range w.named(tuple) {
		csharpSays(w, name, none, value, part+"#"+strconv.Itoa(i))
		i++
	}
}

func csharpLocal(w *walk, n node) {
	typ := w.field(n, "type")
	for v := range w.named(n) {
		if !w.is(v, "variable_declarator") {
			continue
		}
		value := none
		if eq := w.child(v, "="); eq >= 0 {
			value = max(w.after(eq), 1)
		}
		csharpSays(w, w.field(v, "name"), typ, value, "")
		csharpMade(w, w.field(v, "name"), typ, value)
		csharpSaysAll(w, w.child(v, "tuple_pattern"), value, "")
		w.children(v)
	}
}

func csharpForeach(w *walk, n node) {
	left, right := w.field(n, "left"), w.field(n, "right")
	csharpSays(w, left, w.field(n, "type"), right, "#each")
	if w.is(left, "tuple_pattern") {
		csharpSaysAll(w, left, right, "#each")
	}
	w.children(n)
}

// csharpFrom records "from x in e" of a query.
func csharpFrom(w *walk, n node) {
	if in := w.child(n, "in"); in >= 0 {
		csharpSays(w, w.field(n, "name"), w.field(n, "type"), max(w.after(in), 1), "#each")
	}
	w.children(n)
}

// csharpBound records the name of a pattern, an out argument or a catch.
func csharpBound(w *walk, n node) {
	name, typ := w.field(n, "name"), w.field(n, "type")
	if name >= 0 && w.is(typ, "implicit_type") { // out var x
		if fn, i := csharpArgumentOf(w, n); fn != "" {
			w.fact(code.FactAssign, w.encloser, w.str(name), fn+"#out"+strconv.Itoa(i), name)
			csharpHolds(w, name)
			w.children(n)
			return
		}
	}
	if name >= 0 && w.is(w.child(n, "identifier"), "identifier") || typ >= 0 {
		csharpSays(w, name, typ, none, "")
	}
	w.children(n)
}

// csharpArgumentOf is the function that n is handed to, as written, and as
// which argument; "" when it is no argument.
func csharpArgumentOf(w *walk, n node) (fn string, i int) {
	argument := w.parent(n)
	if !w.is(argument, "argument") {
		return "", 0
	}
	for c := range w.named(w.parent(argument)) {
		if c == argument {
			return csharpCalled(w, w.parent(w.parent(argument))), i
		}
		i++
	}
	return "", 0
}

// csharpCalled is the function that a call calls, or "new T" of what constructs.
func csharpCalled(w *walk, call node) string {
	switch w.kind(call) {
	case "invocation_expression":
		name, receiver := csharpCallee(w, w.field(call, "function"))
		if receiver != "" {
			receiver += "."
		}
		return receiver + w.str(name) + w.line(csharpTypeArguments(w, name))
	case "object_creation_expression":
		return "new " + w.line(w.field(call, "type"))
	case "implicit_object_creation_expression":
		if typ := csharpWanted(w, call); typ > 0 {
			return "new " + w.line(typ)
		}
	}
	return ""
}

// csharpLambdaParameter is about lambdas alone: the parameters of declarations
// are never visited. A parameter without a type is known by what the lambda is
// handed to: "f#in1x0" is the first one of the lambda that is f's second
// argument.
func csharpLambdaParameter(w *walk, n node) {
	lambda := w.within(n, "lambda_expression", "anonymous_method_expression")
	if lambda >= 0 {
		name := w.field(n, "name")
		if w.is(n, "implicit_parameter") {
			name = n
		}
		csharpParameter(w, lambda, n, name, w.field(n, "type"))
	}
	w.children(n)
}

func csharpParameter(w *walk, lambda, n, name, typ node) {
	said := "?"
	if fn, i := csharpArgumentOf(w, lambda); fn != "" {
		k := 0
		for c := range w.named(w.parent(n)) {
			if c == n {
				break
			}
			k++
		}
		if w.parent(n) == lambda {
			k = 0
		}
		said = fn + "#in" + strconv.Itoa(i) + "x" + strconv.Itoa(k)
	}
	kind := code.FactAssign
	if typ >= 0 {
		kind, said = code.FactVar, w.line(typ)
	} else if said == "?" {
		kind = code.FactVar
	}
	w.fact(kind, w.encloser, w.str(name), said, name)
	csharpHolds(w, name)
}

func csharpCall(w *walk, n node) {
	fn := w.field(n, "function")
	for w.is(fn, "parenthesized_expression") && w.after(fn+1) > 0 {
		fn = w.after(fn + 1)
	}
	name, receiver := csharpCallee(w, fn)
	switch {
	case receiver == "" && w.says(name, "nameof"):
		return // a name, not a call
	case receiver == "base":
		w.callAs(code.CallSuper, n, name, w.str(name), receiver, w.countNamed(w.field(n, "arguments")))
	default:
		w.callAs(code.CallPlain, n, name, w.str(name), receiver, w.countNamed(w.field(n, "arguments")))
	}
	csharpHands(w, name, w.field(n, "arguments"))
	w.children(n)
}

// csharpTypeArguments is the list of type arguments behind a name.
func csharpTypeArguments(w *walk, name node) node {
	if generic := w.parent(name); name >= 0 && w.is(generic, "generic_name") {
		return w.child(generic, "type_argument_list")
	}
	return none
}

// csharpArgumentLimit bounds the text of an argument that is kept, in bytes:
// what chooses between overloads is shorter.
const csharpArgumentLimit = 80

// csharpHands records what the call of name hands over: its type arguments and
// its arguments, literals by an example of their kind.
func csharpHands(w *walk, name, list node) {
	csharpHandsAs(w, name, w.line(csharpTypeArguments(w, name)), list)
}

func csharpHandsAs(w *walk, name node, text string, list node) {
	if name < 0 {
		return
	}
	var args []string
	for a := range w.named(list) {
		args = append(args, csharpHanded(w, a))
	}
	if text != "" || len(args) > 0 {
		w.fact(code.FactArguments, w.encloser, "", text+"("+strings.Join(args, ", ")+")", name)
	}
}

// csharpLambdas are examples of lambdas, by the number of their parameters.
var csharpLambdas = []string{"() => 0", "x => x", "(x, y) => x", "(x, y, z) => x", "(x, y, z, u) => x", "(x, y, z, u, v) => x"}

// csharpArity is the number of parameters of a lambda.
func csharpArity(w *walk, lambda node) int {
	if list := w.child(lambda, "parameter_list"); list >= 0 {
		return w.countNamed(list)
	}
	if list := w.field(lambda, "parameters"); w.is(list, "parameter_list") {
		return w.countNamed(list)
	}
	return 1
}

func csharpHanded(w *walk, argument node) string {
	value, label := none, ""
	for c := range w.tree.children(argument) {
		switch {
		case w.is(c, "name_colon"), w.is(c, ":") && value >= 0:
			label, value = w.line(w.firstNamed(argument))+": ", none
		case w.isNamed(c) && !w.isComment(c):
			value = c
		}
	}
	switch w.kind(value) {
	case "string_literal", "verbatim_string_literal", "raw_string_literal", "interpolated_string_expression":
		return label + `""`
	case "lambda_expression":
		return label + csharpLambdas[min(csharpArity(w, value), len(csharpLambdas)-1)]
	}
	text := w.line(argument)
	if len(text) > csharpArgumentLimit || strings.ContainsAny(text, "\n") {
		return label + "?"
	}
	return text
}

// csharpCallee is the last name of an expression and the text before it; of
// a?.b it is b and a.
func csharpCallee(w *walk, fn node) (name node, receiver string) {
	switch w.kind(fn) {
	case "identifier":
		return fn, ""
	case "generic_name":
		return w.child(fn, "identifier"), ""
	case "member_access_expression":
		name, _ = csharpSplit(w, w.field(fn, "name"))
		receiver = w.line(w.field(fn, "expression"))
		if receiver != "" && (receiver[0] == '.' || receiver[0] == '[') { // a?.b.c()
			if around := w.within(fn, "conditional_access_expression"); around >= 0 {
				receiver = w.line(w.field(around, "condition")) + "?" + receiver
			}
		}
		return name, receiver
	case "member_binding_expression":
		name, _ = csharpSplit(w, w.field(fn, "name"))
		return name, w.line(w.field(w.within(fn, "conditional_access_expression"), "condition"))
	case "conditional_access_expression":
		for c := range w.named(fn) {
			if w.is(c, "member_binding_expression") {
				name, _ = csharpSplit(w, w.field(c, "name"))
				return name, w.line(w.field(fn, "condition"))
			}
		}
	}
	return none, ""
}

func csharpNew(w *walk, n node) {
	name, receiver := csharpSplit(w, w.field(n, "type"))
	w.call(code.CallNew, n, name, receiver, w.countNamed(w.field(n, "arguments")))
	csharpHands(w, name, w.field(n, "arguments"))
	w.children(n)
}

// csharpImplicitNew records new(…) as the construction of the type that the
// declaration around it is written with.
func csharpImplicitNew(w *walk, n node) {
	if typ := csharpWanted(w, n); typ > 0 {
		name, receiver := csharpSplit(w, typ)
		args := w.child(n, "argument_list")
		w.callAs(code.CallNew, n, w.child(n, "new"), w.str(name), w.line(receiver), w.countNamed(args))
		csharpHandsAs(w, w.child(n, "new"), w.line(csharpTypeArguments(w, name)), args)
	}
	w.children(n)
}

// csharpWanted is the type that a declaration wants of the value n; 0 where
// none is written.
func csharpWanted(w *walk, n node) node {
	switch p := w.parent(n); {
	case w.is(p, "variable_declarator"):
		return w.field(w.parent(p), "type")
	case w.is(p, "property_declaration"):
		return w.field(p, "type")
	case w.is(p, "arrow_expression_clause") && w.is(w.parent(p), "property_declaration"):
		return w.field(w.parent(p), "type")
	case w.is(p, "arrow_expression_clause") && w.is(w.parent(p), "method_declaration"):
		return w.field(w.parent(p), "returns")
	case w.is(p, "return_statement"):
		if fn := w.within(p, "method_declaration", "local_function_statement", "lambda_expression", "anonymous_method_expression", "accessor_declaration"); w.is(fn, "method_declaration") {
			return w.field(fn, "returns")
		}
	}
	return 0
}

// csharpConstructorCall records : base(…) and : this(…).
func csharpConstructorCall(w *walk, n node) {
	args := w.child(n, "argument_list")
	w.call(code.CallSuper, n, w.child(n, "base", "this"), none, w.countNamed(args))
	csharpHands(w, w.child(n, "base", "this"), args)
	w.children(args)
}

// csharpArgument notes a bare name or this.Name that is handed over: it may be
// a method.
func csharpArgument(w *walk, n node) {
	for c := range w.named(n) {
		csharpReference(w, c)
	}
	w.children(n)
}

// csharpAssignment notes what is subscribed to an event, or kept.
func csharpAssignment(w *walk, n node) {
	csharpReference(w, w.field(n, "right"))
	w.children(n)
}

func csharpReference(w *walk, value node) {
	st := w.state.(*csharpFile)
	switch w.kind(value) {
	case "identifier":
		st.refs = append(st.refs, reference{site: value, name: value, receiver: none, caller: w.encloser})
	case "member_access_expression":
		if object := w.field(value, "expression"); w.is(object, "this", "base") {
			name, _ := csharpSplit(w, w.field(value, "name"))
			st.refs = append(st.refs, reference{site: value, name: name, receiver: object, caller: w.encloser})
		}
	}
}
