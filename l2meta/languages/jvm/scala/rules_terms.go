package scala

import (
	"slices"
	"strconv"
	"strings"

	"sextant/l2meta/languages/jvm/facts"
	"sextant/l2meta/syntax"
)

// The extraction records Scala's expressions as terms, so that resolution need not parse Scala. Parts that
// do not affect an expression's type are omitted, calls in it are identified by their offset, and
// operators are grouped by precedence.
//
//	(n x)  (. T x)             a name; a selection without arguments
//	(@ 17)                     the result of the call whose callee's name starts at byte 17
//	(k Int)  (new "T")         a value of a type, by its simple name or as written
//	(as "T" E)  (tuple E…)  (or E…)   an ascription; a tuple; alternatives
//	(fn 2 17 E)  (at 17 E)     a function of two parameters; E evaluated at byte 17
//	(op + A B)  (app F E…)     an operator that is probably built in; a value that is called
//	(each E)  (nth 1 E)        an element; the second component
//	(un "P" 0 2 E)             the first of two parts that pattern P extracts from E
//	(given 17 0 1 0)           the value that the call at 17 passes to the first parameter of the function
//	                           in list 0, argument 1 ("*": to all parameters)
//	(param "T" 0)              the first parameter of a function type
//	(for map G E)  (sift G)    the result of G.map(x => E), a generator of a for; G with a guard
//	(call R (T…) (E…)…)        a call: receiver or "-", type arguments, lists of arguments; (= x E) is named
//	(?)                        unknown

// maxScalaTerm bounds the length of a term's text in bytes.
const maxScalaTerm = 1500

const opaque = "(?)"

// termText returns expression n as a term, in the notation above: (. (n cart) size) for cart.size. If the
// term is longer than maxScalaTerm, it returns (?).
func termText(w *syntax.Walk, n syntax.Node) string {
	if n <= 0 {
		return opaque
	}
	if t := termOf(w, n); len(t) <= maxScalaTerm {
		return t
	}
	return opaque
}

var literals = map[string]string{
	"string": "String", "floating_point_literal": "Double", "boolean_literal": "Boolean", "character_literal": "Char",
	"unit":         "Unit",
	"null_literal": "Null", "symbol_literal": "Symbol", "while_expression": "Unit", "do_while_expression": "Unit",
	"assignment_expression": "Unit",
	"throw_expression":      "Nothing", "return_expression": "Nothing", "val_definition": "Unit",
	"var_definition": "Unit", "function_definition": "Unit",
}

func termOf(w *syntax.Walk, n syntax.Node) string {
	kind := w.Kind(n)
	if lit, ok := literals[kind]; ok {
		return "(k " + lit + ")"
	}
	switch kind {
	case "identifier", "operator_identifier", "type_identifier":
		return "(n " + facts.Bare(w.Str(n)) + ")"
	case "wildcard":
		return scalaAt(w, n, "(n _)")
	case "field_expression", "stable_identifier":
		return selection(w, n)
	case "integer_literal":
		if strings.HasSuffix(strings.ToLower(w.Str(n)), "l") {
			return "(k Long)"
		}
		return "(k Int)"
	case "interpolated_string_expression":
		if id := w.Field(n, "interpolator"); !standard[w.Str(id)] {
			return callPlace(w, id)
		}
		return "(k String)"
	case "call_expression", "generic_function", "instance_expression", "infix_expression", "postfix_expression",
		"prefix_expression":
		return operation(w, n)
	case "parenthesized_expression":
		return placeheld(w, w.FirstNamed(n))
	case "tuple_expression":
		return termList(w, "(tuple", n)
	case "ascription_expression":
		typ := syntax.None
		for c := range w.Named(n) {
			typ = c
		}
		return "(as " + quoted(w, typ) + " " + termText(w, w.FirstNamed(n)) + ")"
	}
	return branches(w, n)
}

// standard lists the interpolators whose result is a string.
var standard = map[string]bool{"s": true, "f": true, "raw": true}

// branches returns the term of an expression whose value is that of one of its parts, such as an if, a
// match or a block: (or (k Int) (n x)) for if (c) 1 else x.
func branches(w *syntax.Walk, n syntax.Node) string {
	switch w.Kind(n) {
	case "if_expression":
		alternative := "(k Unit)"
		if no := w.Field(n, "alternative"); no >= 0 {
			alternative = termText(w, no)
		}
		return "(or " + termText(w, w.Field(n, "consequence")) + " " + alternative + ")"
	case "match_expression":
		return clauses(w, w.Field(n, "body"))
	case "try_expression":
		out := "(or " + termText(w, w.Field(n, "body"))
		if catch := w.Child(n, "catch_clause"); catch >= 0 {
			if block := w.Child(catch, "case_block"); block >= 0 {
				out += " " + clauses(w, block)
			}
		}
		return out + ")"
	case "block", "indented_block", "template_body":
		last := syntax.None
		for c := range w.Named(n) {
			if !w.IsComment(c) {
				last = c
			}
		}
		if last < 0 {
			return "(k Unit)"
		}
		return scalaAt(w, last, termText(w, last))
	case "case_block", "indented_cases":
		return functionTerm(w, n, 1, clauses(w, n))
	case "lambda_expression":
		last := syntax.None
		for c := range w.Named(n) {
			last = c
		}
		count := 1
		if list := w.Field(n, "parameters"); w.Is(list, "bindings") {
			count = w.CountNamed(list)
		}
		return functionTerm(w, last, count, termText(w, last))
	case "for_expression":
		return forTerm(w, n)
	}
	return opaque
}

func functionTerm(w *syntax.Walk, at syntax.Node, count int, body string) string {
	return "(fn " + strconv.Itoa(count) + " " + strconv.Itoa(w.Start(at)) + " " + body + ")"
}

func scalaAt(w *syntax.Walk, n syntax.Node, term string) string {
	return "(at " + strconv.Itoa(w.Start(n)) + " " + term + ")"
}

func quoted(w *syntax.Walk, n syntax.Node) string {
	return `"` + strings.ReplaceAll(w.Line(n), `"`, "") + `"`
}

// clauses returns a term with the results of all cases in a block as alternatives: (or (at 9 (k Int)) …)
// for case A => 1 with the 1 at byte 9.
func clauses(w *syntax.Walk, block syntax.Node) string {
	out := "(or"
	for c := range w.Named(block) {
		if !w.Is(c, "case_clause") {
			continue
		}
		last := syntax.None
		for b := range w.All(c, "body") {
			if w.IsNamed(b) && !w.IsComment(b) {
				last = b
			}
		}
		if last < 0 {
			out += " (k Unit)"
			continue
		}
		out += " " + scalaAt(w, last, termText(w, last))
	}
	return out + ")"
}

// forTerm returns the term of a for expression with yield, as the compiler rewrites it: the last generator
// calls map, those before it flatMap, and a guard withFilter. for (x <- xs if x.ok; y <- ys) yield e is
// (for flatMap (sift (n xs)) (at 31 (for map (at 25 (n ys)) (at 31 (n e))))). A definition, y = e, changes
// neither the container nor its elements.
func forTerm(w *syntax.Walk, n syntax.Node) string {
	if !w.Has(n, "yield") {
		return "(k Unit)"
	}
	var generators []string
	for e := range w.Named(w.Child(n, "enumerators")) {
		if source := generated(w, e); source >= 0 {
			generators = append(generators, scalaAt(w, source, termText(w, source)))
		}
		if last := len(generators) - 1; last >= 0 && w.Child(e, "guard") >= 0 {
			generators[last] = "(sift " + generators[last] + ")"
		}
	}
	if len(generators) == 0 {
		return opaque
	}
	body := w.Field(n, "body")
	member, out := "map", scalaAt(w, body, termText(w, body))
	for _, g := range slices.Backward(generators) {
		out = "(for " + member + " " + g + " " + out + ")"
		member = "flatMap"
	}
	return out
}

// generated returns the container that an enumerator visits: xs for x <- xs. It returns None for
// a definition or a guard.
func generated(w *syntax.Walk, enumerator syntax.Node) syntax.Node {
	if arrow := w.Child(enumerator, "<-"); w.Is(enumerator, "enumerator") && arrow >= 0 {
		return w.After(arrow)
	}
	return syntax.None
}

func selection(w *syntax.Walk, n syntax.Node) string {
	out := ""
	for c := range w.Named(n) {
		if out == "" {
			out = termText(w, c)
		} else {
			out = "(. " + out + " " + facts.Bare(w.Str(c)) + ")"
		}
	}
	if this := w.Child(n, "this"); this >= 0 && out == "" {
		return "(n this)"
	}
	return out
}

func termList(w *syntax.Walk, head string, n syntax.Node) string {
	for c := range w.Named(n) {
		if !w.IsComment(c) {
			head += " " + placeheld(w, c)
		}
	}
	return head + ")"
}

func callPlace(w *syntax.Walk, name syntax.Node) string {
	return "(@ " + strconv.Itoa(w.Start(name)) + ")"
}

// operation returns the term of an expression that may be a call: (@ 17) for f(x) with the f at byte 17,
// (new "Order") for new Order(1).
func operation(w *syntax.Walk, n syntax.Node) string {
	switch w.Kind(n) {
	case "call_expression", "generic_function":
		if name := callee(w, n); name >= 0 {
			return callPlace(w, name)
		}
		return termList(w, "(app "+termText(w, w.Field(n, "function")), w.Field(n, "arguments"))
	case "instance_expression":
		return "(new " + quoted(w, w.FirstNamed(n)) + ")"
	case "infix_expression":
		return operators(w, n).term(w)
	case "postfix_expression":
		first := w.FirstNamed(n)
		if op := w.After(first); isPostfix(w, op) {
			return callPlace(w, op)
		}
		return opaque
	}
	if strings.HasPrefix(w.Str(n), "!") {
		return "(k Boolean)"
	}
	return termText(w, w.FirstNamed(n))
}

func isPostfix(w *syntax.Walk, op syntax.Node) bool {
	return w.Is(op, "identifier", "operator_identifier") && !w.Says(op, "_")
}

// callee returns the node of the name under which a call is recorded, f in a.f(x)(y). It returns None if
// the call is of a value without a name.
func callee(w *syntax.Walk, n syntax.Node) syntax.Node {
	for w.Is(n, "call_expression", "generic_function") {
		n = w.Field(n, "function")
	}
	switch w.Kind(n) {
	case "identifier", "operator_identifier":
		return n
	case "field_expression":
		return w.Field(n, "field")
	}
	return syntax.None
}

// scalaTaken returns the beginning of the term for a parameter of function literal n: "(given …" if
// the literal is an argument of a call, "(param …" if it is the value of a declaration with a
// function type, or "" otherwise. The caller appends the index of the parameter and ")".
func scalaTaken(w *syntax.Walk, n syntax.Node) string {
	named := ""
	for p := w.Parent(n); p >= 0; n, p = p, w.Parent(p) {
		switch w.Kind(p) {
		case "parenthesized_expression", "block", "indented_block":
			if list := w.Parent(p); w.Is(list, "call_expression") && w.Field(list, "arguments") == p {
				return givenBy(w, list, callee(w, list), listOf(w, list), "0")
			}
			continue
		case "assignment_expression":
			if named = facts.Bare(w.Str(w.Field(p, "left"))); !w.Is(w.Parent(p), "arguments") {
				return ""
			}
			continue
		case "arguments":
			return givenIn(w, p, n, named)
		case "call_expression": // f { case … }
			if w.Field(p, "arguments") == n {
				return givenBy(w, p, callee(w, p), listOf(w, p), "0")
			}
		case "infix_expression":
			if op := w.Field(p, "operator"); w.Field(p, "right") == n && !strings.HasSuffix(w.Str(op), ":") {
				return givenBy(w, p, op, 0, "0")
			}
		case "val_definition", "var_definition":
			return paramOf(w, w.Field(p, "type"))
		case "function_definition":
			return paramOf(w, w.Field(p, "return_type"))
		}
		return ""
	}
	return ""
}

func paramOf(w *syntax.Walk, typ syntax.Node) string {
	if typ < 0 {
		return ""
	}
	return "(param " + quoted(w, typ)
}

func givenIn(w *syntax.Walk, list, n syntax.Node, named string) string {
	argument, i := "", 0
	for c := range w.Named(list) {
		if c == n {
			argument = strconv.Itoa(i)
		}
		i++
	}
	if named != "" {
		argument = "=" + named
	}
	call := w.Parent(list)
	if !w.Is(call, "instance_expression", "extends_clause") {
		return givenBy(w, call, callee(w, call), listOf(w, call), argument)
	}
	before := 0
	for args := range w.All(call, "arguments") {
		if args < list {
			before++
		}
	}
	name, _ := typeName(w, w.FirstNamed(call))
	return givenBy(w, call, name, before, argument)
}

// listOf returns the index of the last argument list of a call: 1 for f(a)(b).
func listOf(w *syntax.Walk, call syntax.Node) (count int) {
	for fn := w.Field(call, "function"); w.Is(fn, "call_expression"); fn = w.Field(fn, "function") {
		count++
	}
	return count
}

func givenBy(w *syntax.Walk, call, name syntax.Node, list int, argument string) string {
	if call < 0 || name < 0 {
		return ""
	}
	return "(given " + strconv.Itoa(w.Start(name)) + " " + strconv.Itoa(list) + " " + argument
}

// hands records the arguments of the call whose callee's name is at node name, as a term: (call (n a) ()
// ((k Int))) for a.f(1). receiver is the term of its receiver, or "-"; types and lists are the nodes of
// its type arguments and argument lists.
func hands(w *syntax.Walk, name syntax.Node, receiver string, types syntax.Node, lists []syntax.Node) {
	out := "(call " + receiver + " ("
	for t := range w.Named(types) {
		out += " " + quoted(w, t)
	}
	out += ")"
	for _, list := range lists {
		out += " " + argumentTerms(w, list)
	}
	handsTerm(w, name, out+")")
}

// argumentTerms returns a list of arguments as terms: ((k Int) (= n (n x))) for (1, n = x). A block, as in
// f { … }, is a list of one argument.
func argumentTerms(w *syntax.Walk, list syntax.Node) string {
	if !w.Is(list, "arguments", "tuple_expression") {
		if w.Is(list, "unit") {
			return "()"
		}
		return "(" + placeheld(w, list) + ")"
	}
	out := "("
	for a := range w.Named(list) {
		switch {
		case w.IsComment(a):
		case w.Is(a, "assignment_expression"):
			out += " (= " + facts.Bare(w.Str(w.Field(a, "left"))) + " " + placeheld(w, w.Field(a, "right")) + ")"
		default:
			out += " " + placeheld(w, a)
		}
	}
	return out + ")"
}
