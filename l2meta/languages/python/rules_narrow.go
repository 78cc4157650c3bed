package python

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// narrow records the names that are objects of a class within the byte range scope, because
// condition holds there, or fails there: x in the body of "if isinstance(x, Job):".
func narrow(w *syntax.Walk, condition syntax.Node, holds bool, scope [2]int) {
	if condition < 0 || scope[0] >= scope[1] || !strings.Contains(w.Str(condition), "isinstance") {
		return
	}
	switch w.Kind(condition) {
	case "parenthesized_expression":
		narrow(w, w.FirstNamed(condition), holds, scope)
	case "not_operator":
		narrow(w, w.Field(condition, "argument"), !holds, scope)
	case "boolean_operator":
		if w.Has(condition, "and") == holds { // both sides of "a and b" hold, both of "a or b" fail
			narrow(w, w.Field(condition, "left"), holds, scope)
			narrow(w, w.Field(condition, "right"), holds, scope)
		}
	case "call":
		arguments := w.Field(condition, "arguments")
		name := w.FirstNamed(arguments)
		if w.Str(w.Field(condition, "function")) != "isinstance" || !w.Is(name, "identifier") ||
			w.CountNamed(arguments) != 2 {
			return
		}
		class := syntax.None
		for c := range w.Named(arguments) {
			class = c
		}
		if !namesClasses(w, class) {
			return
		}
		test := w.Line(class)
		if !holds {
			test = failing + test
		}
		w.Fact(code.FactNarrow, w.Encloser, w.Str(name), test, condition)
		w.Out.Facts[len(w.Out.Facts)-1].Scope = scope
	}
}

// failing begins the Type of a FactNarrow whose test has failed: "not Job" for x in the else-branch of
// "if isinstance(x, Job):".
const failing = "not "

// namesClasses reports whether n names a class, or lists several: Job, (Job, jobs.Other), Job | Other.
func namesClasses(w *syntax.Walk, n syntax.Node) bool {
	switch w.Kind(n) {
	case "identifier", "attribute":
		return true
	case "tuple", "binary_operator":
		if w.Is(n, "binary_operator") && !w.Has(n, "|") {
			return false
		}
		for c := range w.Named(n) {
			if !namesClasses(w, c) {
				return false
			}
		}
		return true
	}
	return false
}

// extent returns the byte range of a node.
func extent(w *syntax.Walk, n syntax.Node) [2]int { return [2]int{w.Start(n), w.End(n)} }

// narrowIf records what the condition of an if statement says of its branches and, if its body
// leaves the block around it, of the rest of that block: after "if not isinstance(x, Job): return".
func narrowIf(w *syntax.Walk, n syntax.Node) {
	condition, body := w.Field(n, "condition"), w.Field(n, "consequence")
	narrow(w, condition, true, extent(w, body))
	if other := w.Child(n, "else_clause", "elif_clause"); other >= 0 {
		if w.Is(n, "if_statement") {
			narrow(w, condition, false, [2]int{w.Start(other), w.End(n)})
		}
	} else if w.Is(n, "if_statement") && leaves(w, body) {
		narrow(w, condition, false, rest(w, n))
	}
}

// rest returns the byte range after statement n in its block.
func rest(w *syntax.Walk, n syntax.Node) [2]int { return [2]int{w.End(n), w.End(w.Parent(n))} }

// leaves reports whether a block ends with a statement that leaves it.
func leaves(w *syntax.Walk, block syntax.Node) bool {
	last := syntax.None
	for c := range w.Named(block) {
		if !w.IsComment(c) {
			last = c
		}
	}
	return w.Is(last, "return_statement", "raise_statement", "continue_statement", "break_statement")
}

// pythonElif records what the condition of an elif clause says of its body, and of the clauses that follow.
func pythonElif(w *syntax.Walk, n syntax.Node) {
	narrowIf(w, n)
	narrow(w, w.Field(n, "condition"), false, rest(w, n))
	block("elif")(w, n)
}

// pythonWhile records what the condition of a loop says of its body.
func pythonWhile(w *syntax.Walk, n syntax.Node) {
	narrow(w, w.Field(n, "condition"), true, extent(w, w.Field(n, "body")))
	block("while")(w, n)
}

// pythonAssert records what an assertion says of the rest of its block.
func pythonAssert(w *syntax.Walk, n syntax.Node) {
	narrow(w, w.FirstNamed(n), true, rest(w, n))
	w.Children(n)
}

// pythonBoolean records what the left side of "a and b" or "a or b" says of the right side.
func pythonBoolean(w *syntax.Walk, n syntax.Node) {
	narrow(w, w.Field(n, "left"), w.Has(n, "and"), extent(w, w.Field(n, "right")))
	w.Children(n)
}

// pythonConditional records what c says of a and b in "a if c else b".
func pythonConditional(w *syntax.Walk, n syntax.Node) {
	var parts []syntax.Node
	for c := range w.Named(n) {
		parts = append(parts, c)
	}
	if len(parts) == 3 {
		narrow(w, parts[1], true, extent(w, parts[0]))
		narrow(w, parts[1], false, extent(w, parts[2]))
	}
	w.Children(n)
}
