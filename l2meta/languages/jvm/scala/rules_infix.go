package scala

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/languages/jvm/facts"
	"sextant/l2meta/syntax"
)

// operator is a node in the tree of an expression with infix operators, such as a + b * c. The
// tree is grouped by precedence; the grammar groups all operators from left to right.
type operator struct {
	operand     syntax.Node // the operand, in a leaf
	op          syntax.Node
	left, right *operator
}

// precedence returns the precedence of an operator; a higher one binds tighter. It depends on the
// first character.
func precedence(op string) int {
	if Assigns(op) {
		return 0
	}
	levels := []string{"|", "^", "&", "=!", "<>", ":", "+-", "*/%"}
	for i, level := range levels {
		if strings.IndexByte(level, op[0]) >= 0 {
			return i + 2
		}
	}
	if op[0] == '_' || op[0] == '$' || op[0] >= 'a' && op[0] <= 'z' || op[0] >= 'A' && op[0] <= 'Z' ||
		op[0] == '`' || op[0] >= 0x80 {
		return 1
	}
	return 10
}

// Assigns reports whether op is an assignment operator: "+=", but not "<=".
func Assigns(op string) bool {
	return len(op) > 1 && strings.HasSuffix(op, "=") && op[0] != '=' && op != "<=" && op != ">=" && op != "!=" &&
		strings.Trim(op, "!#%&*+-/:<=>?@\\^|~") == ""
}

// operators returns the tree of the expression n, grouped by precedence.
func operators(w *syntax.Walk, n syntax.Node) *operator {
	var operands, ops []syntax.Node
	for ; w.Is(n, "infix_expression"); n = w.Field(n, "left") {
		operands, ops = append(operands, w.Field(n, "right")), append(ops, w.Field(n, "operator"))
	}
	operands = append(operands, n) // operands are collected from last to first
	at := len(ops)
	var climb func(least int) *operator
	climb = func(least int) *operator {
		left := &operator{operand: operands[at]}
		for at > 0 {
			op := ops[at-1]
			name := w.Str(op)
			if name == "" {
				break
			}
			level := precedence(name)
			if level < least {
				break
			}
			at--
			if !strings.HasSuffix(name, ":") || Assigns(name) {
				level++
			}
			left = &operator{op: op, left: left, right: climb(level)}
		}
		return left
	}
	return climb(0)
}

func (o *operator) leaf() bool { return o.left == nil }

func (o *operator) start(w *syntax.Walk) int {
	for ; !o.leaf(); o = o.left {
	}
	return w.Start(o.operand)
}

func (o *operator) end(w *syntax.Walk) int {
	for ; !o.leaf(); o = o.right {
	}
	return w.End(o.operand)
}

// term returns the expression o as a term (see rules_terms.go): (@ 17) for an operator at byte 17 that
// calls a function, (k Boolean) for a comparison, (op + A B) for an operator that is probably built in.
func (o *operator) term(w *syntax.Walk) string {
	if o.leaf() {
		return termText(w, o.operand)
	}
	name := facts.Bare(w.Str(o.op))
	switch {
	case name == "with": // new A with B { … } is no operation
		return o.left.term(w)
	case o.isCall(w):
		return callPlace(w, o.op)
	case compares[name]:
		return "(k Boolean)"
	case name == "->":
		return "(tuple " + o.left.term(w) + " " + o.right.term(w) + ")"
	case Assigns(name):
		return "(k Unit)"
	}
	return "(op " + name + " " + o.left.term(w) + " " + o.right.term(w) + ")"
}

// compares lists operators with Boolean results. Nearly all are built in, so the term of a < b is not that
// of a call, but (k Boolean), a value of type Boolean.
var compares = map[string]bool{
	"==": true, "!=": true, "<": true, ">": true, "<=": true, ">=": true, "&&": true,
	"||": true, "eq": true, "ne": true,
}

// isCall reports whether the term of the operation is that of its recorded call, (@ 17). The term of an
// operation on literals, such as n + 1, is not, since its operator is probably built in.
func (o *operator) isCall(w *syntax.Walk) bool {
	name := w.Str(o.op)
	switch {
	case name == "with", name == "->", compares[name], Assigns(name):
		return false
	case !arithmetic[name]:
		return true
	}
	return !o.left.plain(w, name == "+") && !o.right.plain(w, name == "+")
}

var arithmetic = map[string]bool{"+": true, "-": true, "*": true, "/": true, "%": true, "&": true, "|": true, "^": true,
	"<<": true, ">>": true, ">>>": true}

// plain reports whether o is a literal number, character or Boolean, or arithmetic with such an operand:
// 1, n + 1. If strings is set, a literal string counts as well.
func (o *operator) plain(w *syntax.Walk, strings bool) bool {
	if !o.leaf() {
		return arithmetic[w.Str(o.op)] && (o.left.plain(w, strings) || o.right.plain(w, strings))
	}
	return w.Is(o.operand, "integer_literal", "floating_point_literal", "character_literal", "boolean_literal") ||
		strings && w.Is(o.operand, "string", "interpolated_string_expression")
}

// record records a call for each operator in the tree o, with its arguments.
func (o *operator) record(w *syntax.Walk, site syntax.Node) {
	if o.leaf() {
		return
	}
	o.left.record(w, site)
	o.right.record(w, site)
	name := facts.Bare(w.Str(o.op))
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
			count, list = w.CountNamed(a), argumentTerms(w, a)
		case w.Is(a, "parenthesized_expression", "case_block", "block"):
			list = argumentTerms(w, a)
		}
	}
	text := syntax.OneLine(w.Text[receiver.start(w):receiver.end(w)])
	w.CallAs(code.CallPlain, site, o.op, name, text, count)
	handsTerm(w, o.op, "(call "+receiver.term(w)+" () "+list+")")
}

// handsTerm records the receiver and the arguments of the call whose callee's name is at node name, as
// a term: for a.f(1), (call (n a) () ((k Int))), with the name a and a literal of type Int. It records
// nothing if the term is too long.
func handsTerm(w *syntax.Walk, name syntax.Node, term string) {
	if len(term) < 4*maxScalaTerm {
		w.Fact(code.FactArguments, w.Encloser, "", term, name)
	}
}
