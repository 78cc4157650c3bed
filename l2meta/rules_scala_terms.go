package l2meta

import (
	"strconv"
	"strings"
)

// Facts of Scala hold expressions as terms, which spare who reads them the
// syntax: what cannot be told of an expression's type is left out, the calls in
// it are named by where they stand, and operators are grouped by precedence.
//
//	(n x)  (. T x)             a name; a selection without arguments
//	(@ 17)                     what the call gives whose callee's name starts at byte 17
//	(k Int)  (new "T")         a value of a type, by its simple name or as written
//	(as "T" E)  (tuple E…)  (or E…)   an ascription; a tuple; alternatives
//	(fn 2 17 E)  (at 17 E)     a function of two parameters; E read at byte 17
//	(op + A B)  (app F E…)     an operator that is no call; a value applied
//	(each E)  (nth 1 E)        an element; the second component
//	(un "P" 0 2 E)             the first of two parts that pattern P takes E apart into
//	(given 17 0 1 0)           what list 0, argument 1 of the call at 17 gives its first parameter ("*": all)
//	(param "T" 0)  (for G E)   the first parameter of a function type; what a for yields
//	(call R (T…) (E…)…)        a call: receiver or "-", type arguments, lists of arguments; (= x E) is named
//	(?)                        not known

// maxScalaTerm bounds the text of a term, in bytes.
const maxScalaTerm = 1500

const scalaOpaque = "(?)"

// scalaTerm is expression n as a term.
func scalaTerm(w *walk, n node) string {
	if n <= 0 {
		return scalaOpaque
	}
	if t := scalaTermOf(w, n); len(t) <= maxScalaTerm {
		return t
	}
	return scalaOpaque
}

var scalaLiterals = map[string]string{
	"string": "String", "floating_point_literal": "Double", "boolean_literal": "Boolean", "character_literal": "Char", "unit": "Unit",
	"null_literal": "Null", "symbol_literal": "Symbol", "while_expression": "Unit", "do_while_expression": "Unit", "assignment_expression": "Unit",
	"throw_expression": "Nothing", "return_expression": "Nothing", "val_definition": "Unit", "var_definition": "Unit", "function_definition": "Unit",
}

func scalaTermOf(w *walk, n node) string {
	kind := w.kind(n)
	if lit, ok := scalaLiterals[kind]; ok {
		return "(k " + lit + ")"
	}
	switch kind {
	case "identifier", "operator_identifier", "type_identifier":
		return "(n " + kotlinBare(w.str(n)) + ")"
	case "wildcard":
		return scalaAt(w, n, "(n _)")
	case "field_expression", "stable_identifier":
		return scalaSelection(w, n)
	case "integer_literal":
		if strings.HasSuffix(strings.ToLower(w.str(n)), "l") {
			return "(k Long)"
		}
		return "(k Int)"
	case "interpolated_string_expression":
		if id := w.field(n, "interpolator"); !scalaStandard[w.str(id)] {
			return scalaCallAt(w, id)
		}
		return "(k String)"
	case "call_expression", "generic_function", "instance_expression", "infix_expression", "postfix_expression", "prefix_expression":
		return scalaOperation(w, n)
	case "parenthesized_expression":
		return scalaPlaceheld(w, w.firstNamed(n))
	case "tuple_expression":
		return scalaList(w, "(tuple", n)
	case "ascription_expression":
		typ := none
		for c := range w.named(n) {
			typ = c
		}
		return "(as " + scalaQuoted(w, typ) + " " + scalaTerm(w, w.firstNamed(n)) + ")"
	}
	return scalaBranches(w, n)
}

// scalaStandard are the interpolators that give a string.
var scalaStandard = map[string]bool{"s": true, "f": true, "raw": true}

// scalaBranches is the term of a statement that has a value.
func scalaBranches(w *walk, n node) string {
	switch w.kind(n) {
	case "if_expression":
		alternative := "(k Unit)"
		if no := w.field(n, "alternative"); no >= 0 {
			alternative = scalaTerm(w, no)
		}
		return "(or " + scalaTerm(w, w.field(n, "consequence")) + " " + alternative + ")"
	case "match_expression":
		return scalaClauses(w, w.field(n, "body"))
	case "try_expression":
		out := "(or " + scalaTerm(w, w.field(n, "body"))
		if catch := w.child(n, "catch_clause"); catch >= 0 {
			if block := w.child(catch, "case_block"); block >= 0 {
				out += " " + scalaClauses(w, block)
			}
		}
		return out + ")"
	case "block", "indented_block", "template_body":
		last := none
		for c := range w.named(n) {
			if !w.isComment(c) {
				last = c
			}
		}
		if last < 0 {
			return "(k Unit)"
		}
		return scalaAt(w, last, scalaTerm(w, last))
	case "case_block", "indented_cases":
		return scalaFunctionTerm(w, n, 1, scalaClauses(w, n))
	case "lambda_expression":
		last := none
		for c := range w.named(n) {
			last = c
		}
		count := 1
		if list := w.field(n, "parameters"); w.is(list, "bindings") {
			count = w.countNamed(list)
		}
		return scalaFunctionTerm(w, last, count, scalaTerm(w, last))
	case "for_expression":
		return scalaForTerm(w, n)
	}
	return scalaOpaque
}

func scalaFunctionTerm(w *walk, at node, count int, body string) string {
	return "(fn " + strconv.Itoa(count) + " " + strconv.Itoa(w.start(at)) + " " + body + ")"
}

func scalaAt(w *walk, n node, term string) string {
	return "(at " + strconv.Itoa(w.start(n)) + " " + term + ")"
}

func scalaQuoted(w *walk, n node) string {
	return `"` + strings.ReplaceAll(w.line(n), `"`, "") + `"`
}

// scalaClauses is what the cases of a block give.
func scalaClauses(w *walk, block node) string {
	out := "(or"
	for c := range w.named(block) {
		if !w.is(c, "case_clause") {
			continue
		}
		last := none
		for b := range w.all(c, "body") {
			if w.isNamed(b) && !w.isComment(b) {
				last = b
			}
		}
		if last < 0 {
			out += " (k Unit)"
			continue
		}
		out += " " + scalaAt(w, last, scalaTerm(w, last))
	}
	return out + ")"
}

func scalaForTerm(w *walk, n node) string {
	if !w.has(n, "yield") {
		return "(k Unit)"
	}
	body := w.field(n, "body")
	for e := range w.descendants(n) {
		if arrow := w.child(e, "<-"); w.is(e, "enumerator") && arrow >= 0 {
			return "(for " + scalaTerm(w, max(w.after(arrow), 0)) + " " + scalaAt(w, body, scalaTerm(w, body)) + ")"
		}
	}
	return scalaOpaque
}

func scalaSelection(w *walk, n node) string {
	out := ""
	for c := range w.named(n) {
		if out == "" {
			out = scalaTerm(w, c)
		} else {
			out = "(. " + out + " " + kotlinBare(w.str(c)) + ")"
		}
	}
	if this := w.child(n, "this"); this >= 0 && out == "" {
		return "(n this)"
	}
	return out
}

func scalaList(w *walk, head string, n node) string {
	for c := range w.named(n) {
		if !w.isComment(c) {
			head += " " + scalaPlaceheld(w, c)
		}
	}
	return head + ")"
}

func scalaCallAt(w *walk, name node) string { return "(@ " + strconv.Itoa(w.start(name)) + ")" }

// scalaOperation is the term of what may be a call.
func scalaOperation(w *walk, n node) string {
	switch w.kind(n) {
	case "call_expression", "generic_function":
		if name := scalaCallee(w, n); name >= 0 {
			return scalaCallAt(w, name)
		}
		return scalaList(w, "(app "+scalaTerm(w, w.field(n, "function")), w.field(n, "arguments"))
	case "instance_expression":
		return "(new " + scalaQuoted(w, w.firstNamed(n)) + ")"
	case "infix_expression":
		return scalaOperators(w, n).term(w)
	case "postfix_expression":
		first := w.firstNamed(n)
		if op := w.after(first); scalaIsPostfix(w, op) {
			return scalaCallAt(w, op)
		}
		return scalaOpaque
	}
	if strings.HasPrefix(w.str(n), "!") {
		return "(k Boolean)"
	}
	return scalaTerm(w, w.firstNamed(n))
}

func scalaIsPostfix(w *walk, op node) bool {
	return w.is(op, "identifier", "operator_identifier") && !w.says(op, "_")
}

// scalaCallee is the name by which a call expression is recorded, none when it
// applies what is no name.
func scalaCallee(w *walk, n node) node {
	for w.is(n, "call_expression", "generic_function") {
		n = w.field(n, "function")
	}
	switch w.kind(n) {
	case "identifier", "operator_identifier":
		return n
	case "field_expression":
		return w.field(n, "field")
	}
	return none
}

// scalaTaken says who gives a function literal its parameters: "given …" of
// the call whose argument n is, "param …" of the type that is written for it.
func scalaTaken(w *walk, n node) string {
	named := ""
	for p := w.parent(n); p >= 0; n, p = p, w.parent(p) {
		switch w.kind(p) {
		case "parenthesized_expression", "block", "indented_block":
			if list := w.parent(p); w.is(list, "call_expression") && w.field(list, "arguments") == p {
				return scalaGivenBy(w, list, scalaCallee(w, list), scalaListOf(w, list), "0")
			}
			continue
		case "assignment_expression":
			if named = kotlinBare(w.str(w.field(p, "left"))); !w.is(w.parent(p), "arguments") {
				return ""
			}
			continue
		case "arguments":
			return scalaGivenIn(w, p, n, named)
		case "call_expression": // f { case … }
			if w.field(p, "arguments") == n {
				return scalaGivenBy(w, p, scalaCallee(w, p), scalaListOf(w, p), "0")
			}
		case "infix_expression":
			if op := w.field(p, "operator"); w.field(p, "right") == n && !strings.HasSuffix(w.str(op), ":") {
				return scalaGivenBy(w, p, op, 0, "0")
			}
		case "val_definition", "var_definition":
			return scalaParamOf(w, w.field(p, "type"))
		case "function_definition":
			return scalaParamOf(w, w.field(p, "return_type"))
		}
		return ""
	}
	return ""
}

func scalaParamOf(w *walk, typ node) string {
	if typ < 0 {
		return ""
	}
	return "(param " + scalaQuoted(w, typ)
}

func scalaGivenIn(w *walk, list, n node, named string) string {
	argument, i := "", 0
	for c := range w.named(list) {
		if c == n {
			argument = strconv.Itoa(i)
		}
		i++
	}
	if named != "" {
		argument = "=" + named
	}
	call := w.parent(list)
	if !w.is(call, "instance_expression", "extends_clause") {
		return scalaGivenBy(w, call, scalaCallee(w, call), scalaListOf(w, call), argument)
	}
	before := 0
	for args := range w.all(call, "arguments") {
		if args < list {
			before++
		}
	}
	name, _ := scalaTypeName(w, w.firstNamed(call))
	return scalaGivenBy(w, call, name, before, argument)
}

// scalaListOf is which list of arguments a call expression adds.
func scalaListOf(w *walk, call node) (count int) {
	for fn := w.field(call, "function"); w.is(fn, "call_expression"); fn = w.field(fn, "function") {
		count++
	}
	return count
}

func scalaGivenBy(w *walk, call, name node, list int, argument string) string {
	if call < 0 || name < 0 {
		return ""
	}
	return "(given " + strconv.Itoa(w.start(name)) + " " + strconv.Itoa(list) + " " + argument
}

// scalaHands records what a call hands over.
func scalaHands(w *walk, name node, receiver string, types node, lists []node) {
	out := "(call " + receiver + " ("
	for t := range w.named(types) {
		out += " " + scalaQuoted(w, t)
	}
	out += ")"
	for _, list := range lists {
		out += " " + scalaArgumentTerms(w, list)
	}
	scalaHandsTerm(w, name, out+")")
}

// scalaArgumentTerms is a list of arguments; a block is one.
func scalaArgumentTerms(w *walk, list node) string {
	if !w.is(list, "arguments", "tuple_expression") {
		if w.is(list, "unit") {
			return "()"
		}
		return "(" + scalaPlaceheld(w, list) + ")"
	}
	out := "("
	for a := range w.named(list) {
		switch {
		case w.isComment(a):
		case w.is(a, "assignment_expression"):
			out += " (= " + kotlinBare(w.str(w.field(a, "left"))) + " " + scalaPlaceheld(w, w.field(a, "right")) + ")"
		default:
			out += " " + scalaPlaceheld(w, a)
		}
	}
	return out + ")"
}
