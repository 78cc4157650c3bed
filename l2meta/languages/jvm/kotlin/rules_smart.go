package kotlin

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/languages/jvm/facts"
	"sextant/l2meta/syntax"
)

// A test of a local variable's type narrows its type where the test holds: in the branch, after
// "&&", or in the rest of the block if the other branch leaves it.

// is records the narrowed type of x where a test x is T succeeded, or a test x !is T failed.
func is(w *syntax.Walk, n syntax.Node) {
	name, typ := syntax.Node(n+1), syntax.None
	for c := range w.Named(n) {
		typ = c
	}
	if w.Is(name, "identifier") && typ != name {
		holds(w, n, !w.Has(n, "!is"), func(block syntax.Node, start int) {
			facts.BoundIn(w, block, start, func() {
				w.Fact(code.FactVar, w.Encloser, facts.Bare(w.Str(name)), w.Line(typ), name)
			})
		})
	}
	w.Children(n)
}

// holds calls narrow for the code that runs only if test n succeeded or, if positive is not set,
// failed. narrow gets the node around that code and the byte offset at which the code starts.
// After if (x !is T) return, that is the rest of the block.
func holds(w *syntax.Walk, n syntax.Node, positive bool, narrow func(block syntax.Node, start int)) {
	joint, p := "&&", w.Parent(n)
	if !positive {
		joint = "||"
	}
	for at := n; ; at, p = p, w.Parent(p) {
		switch {
		case w.Is(p, "parenthesized_expression"):
		case w.Is(p, "binary_expression") && w.Has(p, joint):
			if at == syntax.Node(p+1) {
				narrow(p, w.End(at))
			}
		case w.Is(p, "if_expression", "while_statement") && positive && w.Is(w.After(at), ")"):
			if then := w.After(w.After(at)); then > 0 {
				narrow(then, w.Start(then))
			}
			return
		case w.Is(p, "if_expression") && !positive && leaves(w, w.After(w.After(at))):
			narrow(w.Parent(p), w.End(p))
			return
		case w.Is(p, "when_entry") && positive:
			narrow(p, w.End(at))
			return
		default:
			return
		}
	}
}

// leaves reports whether control never reaches the end of a branch, because it ends in return, throw,
// break or continue.
func leaves(w *syntax.Walk, branch syntax.Node) bool {
	if branch <= 0 {
		return false
	}
	last := branch
	if w.Is(branch, "block") {
		last = syntax.None
		for c := range w.Named(branch) {
			last = c
		}
	}
	if last < 0 {
		return false
	}
	text := w.Str(last)
	for _, word := range []string{"return", "throw", "break", "continue"} {
		if strings.HasPrefix(text, word) {
			return true
		}
	}
	return false
}

// entry records the narrowed type of a variable x in a branch "is T ->" of when (x).
func entry(w *syntax.Walk, n syntax.Node) {
	subject := w.Child(w.Parent(n), "when_subject")
	name := w.Child(subject, "identifier")
	if v := w.Child(subject, "variable_declaration"); v >= 0 {
		name = w.Child(v, "identifier")
	}
	tests := 0
	test := syntax.None
	for c := range w.Named(n) {
		if w.Is(c, "type_test") {
			test = c
			tests++
		}
	}
	if name >= 0 && tests == 1 && w.Has(test, "is") {
		typ := syntax.None
		for c := range w.Named(test) {
			typ = c
		}
		facts.BoundIn(w, n, w.End(test), func() {
			w.Fact(code.FactVar, w.Encloser, facts.Bare(w.Str(name)), w.Line(typ), test)
		})
	}
	w.Children(n)
}
