package l2meta

import (
	"strings"

	"sextant/internal/code"
)

// A test of a local name's type lets the name have that type where the test
// held: in the branch, behind "&&", or, where what fails it leaves, in the rest
// of the block.

// kotlinIs records what x is T and x !is T say of x.
func kotlinIs(w *walk, n node) {
	name, typ := node(n+1), none
	for c := range w.named(n) {
		typ = c
	}
	if w.is(name, "identifier") && typ != name {
		kotlinHolds(w, n, !w.has(n, "!is"), func(block node, from int) {
			boundIn(w, block, from, func() { w.fact(code.FactVar, w.encloser, kotlinBare(w.str(name)), w.line(typ), name) })
		})
	}
	w.children(n)
}

// kotlinHolds calls where for each piece of code that runs only if test n, or
// its contrary, gave true.
func kotlinHolds(w *walk, n node, positive bool, where func(block node, from int)) {
	joint, p := "&&", w.parent(n)
	if !positive {
		joint = "||"
	}
	for at := n; ; at, p = p, w.parent(p) {
		switch {
		case w.is(p, "parenthesized_expression"):
		case w.is(p, "binary_expression") && w.has(p, joint):
			if at == node(p+1) {
				where(p, w.end(at))
			}
		case w.is(p, "if_expression", "while_statement") && positive && w.is(w.after(at), ")"):
			if then := w.after(w.after(at)); then > 0 {
				where(then, w.start(then))
			}
			return
		case w.is(p, "if_expression") && !positive && kotlinLeaves(w, w.after(w.after(at))):
			where(w.parent(p), w.end(p))
			return
		case w.is(p, "when_entry") && positive:
			where(p, w.end(at))
			return
		default:
			return
		}
	}
}

// kotlinLeaves reports whether a branch never reaches its end.
func kotlinLeaves(w *walk, branch node) bool {
	if branch <= 0 {
		return false
	}
	last := branch
	if w.is(branch, "block") {
		last = none
		for c := range w.named(branch) {
			last = c
		}
	}
	if last < 0 {
		return false
	}
	text := w.str(last)
	for _, word := range []string{"return", "throw", "break", "continue"} {
		if strings.HasPrefix(text, word) {
			return true
		}
	}
	return false
}

// kotlinEntry records what an entry "is T ->" says of the name that "when" asks.
func kotlinEntry(w *walk, n node) {
	subject := w.child(w.parent(n), "when_subject")
	name := w.child(subject, "identifier")
	if v := w.child(subject, "variable_declaration"); v >= 0 {
		name = w.child(v, "identifier")
	}
	tests := 0
	test := none
	for c := range w.named(n) {
		if w.is(c, "type_test") {
			test = c
			tests++
		}
	}
	if name >= 0 && tests == 1 && w.has(test, "is") {
		typ := none
		for c := range w.named(test) {
			typ = c
		}
		boundIn(w, n, w.end(test), func() { w.fact(code.FactVar, w.encloser, kotlinBare(w.str(name)), w.line(typ), test) })
	}
	w.children(n)
}
