package l2meta

import (
	"strconv"
	"strings"

	"sextant/internal/code"
)

// pythonOpaque is the value of a name that is bound to something that the text
// does not tell: Python's own "anything".
const pythonOpaque = "..."

// maxPythonValue bounds the text of a value that is kept, in bytes.
const maxPythonValue = 240

// pythonValue is the text of an assigned value as far as it tells a type.
func pythonValue(w *walk, value node) string {
	switch w.kind(value) {
	case "string", "concatenated_string":
		return `""`
	case "integer", "float":
		return "0"
	case "lambda":
		return "lambda"
	}
	text := w.line(value)
	if len(text) <= maxPythonValue {
		return text
	}
	switch w.kind(value) {
	case "list", "list_comprehension":
		return "[]"
	case "dictionary", "dictionary_comprehension":
		return "{}"
	case "tuple":
		return "()"
	case "call", "await", "attribute", "subscript", "conditional_expression", "boolean_operator", "parenthesized_expression":
		return text
	}
	return pythonOpaque
}

// pythonBind records what a target of a loop, a with clause or a pattern is
// bound to; the targets in a tuple are bound to its elements.
func pythonBind(w *walk, target node, value string) { pythonBindIn(w, target, value, [2]int{}) }

// pythonBindIn is pythonBind for names that hold in a scope.
func pythonBindIn(w *walk, target node, value string, scope [2]int) {
	switch w.kind(target) {
	case "identifier", "attribute":
		if value != "" { // else a text with errors
			w.fact(code.FactAssign, w.encloser, w.str(target), value, target)
			w.out.Facts[len(w.out.Facts)-1].Scope = scope
		}
	case "as_pattern_target", "list_splat_pattern", "list_splat", "parenthesized_expression":
		for t := range w.named(target) {
			if w.kind(target) != "as_pattern_target" {
				value = pythonOpaque
			}
			pythonBindIn(w, t, value, scope)
		}
	case "pattern_list", "tuple_pattern", "list_pattern", "tuple", "list":
		i := 0
		for t := range w.named(target) {
			pythonBindIn(w, t, value+"#"+strconv.Itoa(i), scope)
			i++
		}
	}
}

// pythonRun records that a block of a statement need not run.
func pythonRun(w *walk, statement string, block node) {
	w.fact(code.FactBlock, w.encloser, "", statement, block)
}

// pythonBlock reads a statement or clause whose body need not run, or not to
// its end.
func pythonBlock(statement string) handler {
	return func(w *walk, n node) {
		pythonRun(w, statement, w.child(n, "block"))
		w.children(n)
	}
}

// pythonIf marks the imports below "if TYPE_CHECKING:".
func pythonIf(w *walk, n node) {
	p := pythonFileOf(w)
	outer, condition, body := p.typeOnly, w.field(n, "condition"), w.field(n, "consequence")
	name := w.str(condition)
	pythonRun(w, "if", body)
	for c := range w.tree.children(n) {
		p.typeOnly = outer || c == body && (name == "TYPE_CHECKING" || strings.HasSuffix(name, ".TYPE_CHECKING"))
		w.visit(c)
	}
	p.typeOnly = outer
}

// pythonFor records that the variables of a loop are elements of what is
// looped over: "xs#each".
func pythonFor(w *walk, n node) {
	pythonBind(w, w.field(n, "left"), w.line(w.field(n, "right"))+"#each")
	pythonRun(w, "for", w.field(n, "body"))
	w.children(n)
}

// pythonWith records that the name of a with clause is what its context
// manager enters with: "open(path)#with".
func pythonWith(w *walk, n node) {
	if as := w.field(n, "value"); w.is(as, "as_pattern") {
		pythonBind(w, w.field(as, "alias"), w.line(as+1)+"#with")
	}
	w.children(n)
}

// pythonExcept records that the name of an except clause is an instance of
// what it catches: "OSError#except".
func pythonExcept(w *walk, n node) {
	if as := w.child(n, "as_pattern"); as >= 0 {
		pythonBind(w, w.field(as, "alias"), w.line(as+1)+"#except")
	}
	pythonRun(w, "except", w.child(n, "block"))
	w.children(n)
}

// pythonCase records the names that a pattern captures, whatever they get: a
// name that is not dotted, called or before "=".
func pythonCase(w *walk, n node) {
	pythonRun(w, "case", w.field(n, "consequence"))
	for pattern := range w.named(n) {
		if !w.is(pattern, "case_pattern") {
			continue
		}
		for i := pattern; i < node(w.nodes[pattern].next); i++ {
			single := w.is(i, "dotted_name") && !strings.Contains(w.str(i), ".") && w.kind(i-1) != "class_pattern"
			if single || w.is(i, "as_pattern_target") {
				for name := range w.named(i) {
					pythonBind(w, name, pythonOpaque)
				}
			}
		}
	}
	w.children(n)
}

// pythonOuter records names that a function shares with what is around it.
func pythonOuter(statement string) handler {
	return func(w *walk, n node) {
		for name := range w.named(n) {
			pythonBind(w, name, statement)
		}
	}
}

// pythonReturn records the value that a function without a written result
// type returns.
func pythonReturn(w *walk, n node) {
	for value := range w.named(n) {
		pythonGives(w, "", pythonValue(w, value), n)
		break
	}
	w.children(n)
}

// pythonYield records that a function is a generator, and of what.
func pythonYield(w *walk, n node) {
	given := pythonOpaque
	for value := range w.named(n) {
		if w.child(n, "from") < 0 {
			given = pythonValue(w, value)
		}
		break
	}
	pythonGives(w, "yield", given, n)
	w.children(n)
}

func pythonGives(w *walk, name, value string, at node) {
	if w.encloser >= 0 && w.out.Symbols[w.encloser].Returns == "" {
		w.fact(code.FactReturn, w.encloser, name, value, at)
	}
}

// pythonAnonymous records the parameters of a lambda, which hold within it.
func pythonAnonymous(w *walk, n node) {
	scope := [2]int{w.start(n), w.end(n)}
	for p := range w.named(w.field(n, "parameters")) {
		name := p
		if w.is(p, "default_parameter") {
			name = w.field(p, "name")
		}
		if w.is(name, "list_splat_pattern", "dictionary_splat_pattern") {
			name += 2 // behind the stars
		}
		pythonBindIn(w, name, pythonOpaque, scope)
	}
	w.children(n)
}

// pythonComprehension records the variables of a comprehension, which hold
// within it.
func pythonComprehension(w *walk, n node) {
	scope := [2]int{w.start(n), w.end(n)}
	for c := range w.named(n) {
		if w.is(c, "for_in_clause") {
			pythonBindIn(w, w.field(c, "left"), w.line(w.field(c, "right"))+"#each", scope)
		}
	}
	w.children(n)
}
