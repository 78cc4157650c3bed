package jvm

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// scalaOperator is an operation in a row of operators, grouped by precedence. The grammar groups
// all to the left.
type scalaOperator struct {
	operand     syntax.Node // of a leaf
	op          syntax.Node
	left, right *scalaOperator
}

// scalaPrecedence returns the precedence of an operator, which depends on its first character.
func scalaPrecedence(op string) int {
	if scalaAssigns(op) {
		return 0
	}
	levels := []string{"|", "^", "&", "=!", "<>", ":", "+-", "*/%"}
	for i, level := range levels {
		if strings.IndexByte(level, op[0]) >= 0 {
			return i + 2
		}
	}
	if op[0] == '_' || op[0] == '$' || op[0] >= 'a' && op[0] <= 'z' || op[0] >= 'A' && op[0] <= 'Z' || op[0] == '`' || op[0] >= 0x80 {
		return 1
	}
	return 10
}

// scalaAssigns reports whether op is an assignment operator: "+=", but not "<=".
func scalaAssigns(op string) bool {
	return len(op) > 1 && strings.HasSuffix(op, "=") && op[0] != '=' && op != "<=" && op != ">=" && op != "!=" && strings.Trim(op, "!#%&*+-/:<=>?@\\^|~") == ""
}

// scalaOperators returns the operation of the row of operators that ends at n.
func scalaOperators(w *syntax.Walk, n syntax.Node) *scalaOperator {
	var operands, ops []syntax.Node
	for ; w.Is(n, "infix_expression"); n = w.Field(n, "left") {
		operands, ops = append(operands, w.Field(n, "right")), append(ops, w.Field(n, "operator"))
	}
	operands = append(operands, n) // last to first
	at := len(ops)
	var climb func(least int) *scalaOperator
	climb = func(least int) *scalaOperator {
		left := &scalaOperator{operand: operands[at]}
		for at > 0 {
			op := ops[at-1]
			name := w.Str(op)
			if name == "" {
				break
			}
			level := scalaPrecedence(name)
			if level < least {
				break
			}
			at--
			if !strings.HasSuffix(name, ":") || scalaAssigns(name) {
				level++
			}
			left = &scalaOperator{op: op, left: left, right: climb(level)}
		}
		return left
	}
	return climb(0)
}

func (o *scalaOperator) leaf() bool { return o.left == nil }

func (o *scalaOperator) start(w *syntax.Walk) int {
	for ; !o.leaf(); o = o.left {
	}
	return w.Start(o.operand)
}

func (o *scalaOperator) end(w *syntax.Walk) int {
	for ; !o.leaf(); o = o.right {
	}
	return w.End(o.operand)
}

// term returns the term of o.
func (o *scalaOperator) term(w *syntax.Walk) string {
	if o.leaf() {
		return scalaTermText(w, o.operand)
	}
	name := kotlinBare(w.Str(o.op))
	switch {
	case name == "with": // new A with B { … }
		return o.left.term(w)
	case o.isCall(w):
		return scalaCallPlace(w, o.op)
	case scalaCompares[name]:
		return "(k Boolean)"
	case name == "->":
		return "(tuple " + o.left.term(w) + " " + o.right.term(w) + ")"
	case scalaAssigns(name):
		return "(k Unit)"
	}
	return "(op " + name + " " + o.left.term(w) + " " + o.right.term(w) + ")"
}

// scalaCompares are operators with Boolean results. They are not recorded, as nearly all are built
// in.
var scalaCompares = map[string]bool{
	"==": true, "!=": true, "<": true, ">": true, "<=": true, ">=": true, "&&": true, "||": true, "eq": true, "ne": true,
}

// isCall reports whether the operation is recorded as a call. Operations that are probably built
// in, on numbers and strings, are not.
func (o *scalaOperator) isCall(w *syntax.Walk) bool {
	name := w.Str(o.op)
	switch {
	case name == "with", name == "->", scalaCompares[name], scalaAssigns(name):
		return false
	case !scalaArithmetic[name]:
		return true
	}
	return !o.left.plain(w, name == "+") && !o.right.plain(w, name == "+")
}

var scalaArithmetic = map[string]bool{"+": true, "-": true, "*": true, "/": true, "%": true, "&": true, "|": true, "^": true, "<<": true, ">>": true, ">>>": true}

// plain reports whether a number is among the operands, or, with strings, a string.
func (o *scalaOperator) plain(w *syntax.Walk, strings bool) bool {
	if !o.leaf() {
		return scalaArithmetic[w.Str(o.op)] && (o.left.plain(w, strings) || o.right.plain(w, strings))
	}
	return w.Is(o.operand, "integer_literal", "floating_point_literal", "character_literal", "boolean_literal") ||
		strings && w.Is(o.operand, "string", "interpolated_string_expression")
}

// record records the calls in the row, and their arguments.
func (o *scalaOperator) record(w *syntax.Walk, site syntax.Node) {
	if o.leaf() {
		return
	}
	o.left.record(w, site)
	o.right.record(w, site)
	name := kotlinBare(w.Str(o.op))
	if name == "with" {
		return
	}
	receiver, argument, count := o.left, o.right, 1
	if strings.HasSuffix(name, ":") {
		receiver, argument = o.right, o.left
	}
	list := "(" + argument.term(w) + ")"
	if argument.leaf() {
		switch a := argument.operand; {
		case w.Is(a, "tuple_expression", "unit"):
			count, list = w.CountNamed(a), scalaArgumentTerms(w, a)
		case w.Is(a, "parenthesized_expression", "case_block", "block"):
			list = scalaArgumentTerms(w, a)
		}
	}
	text := syntax.OneLine(w.Text[receiver.start(w):receiver.end(w)])
	w.CallAs(code.CallPlain, site, o.op, name, text, count)
	scalaHandsTerm(w, o.op, "(call "+receiver.term(w)+" () "+list+")")
}

// scalaHandsTerm records the term of a call.
func scalaHandsTerm(w *syntax.Walk, name syntax.Node, term string) {
	if len(term) < 4*maxScalaTerm {
		w.Fact(code.FactArguments, w.Encloser, "", term, name)
	}
}
