package python

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// pythonOpaque is recorded as the value of a name if the source text does not show the value, as
// for the parameter of a lambda.
const pythonOpaque = "..."

// maxPythonValue is the length in bytes above which an assigned list, dictionary or tuple is
// recorded as [], {} or ().
const maxPythonValue = 240

// pythonValue returns the text of an assigned value, shortened if the type stays the same: "" for
// any string, [] for a long list.
func pythonValue(w *syntax.Walk, value syntax.Node) string {
	switch w.Kind(value) {
	case "string", "concatenated_string":
		return `""`
	case "integer", "float":
		return "0"
	case "lambda":
		return "lambda"
	}
	text := w.Line(value)
	if len(text) <= maxPythonValue {
		return text
	}
	switch w.Kind(value) {
	case "list", "list_comprehension":
		return "[]"
	case "dictionary", "dictionary_comprehension":
		return "{}"
	case "tuple":
		return "()"
	case "call", "await", "attribute", "subscript", "conditional_expression", "boolean_operator",
		"parenthesized_expression":
		return text
	}
	return pythonOpaque
}

// bind records the value of a target in a loop, a with clause or a pattern. The targets in a tuple
// get the elements of the value.
func bind(w *syntax.Walk, target syntax.Node, value string) {
	bindIn(w, target, value, [2]int{})
}

// bindIn records the value of a target whose names are visible only in the byte range scope; the
// range [0, 0) means all of the enclosing symbol.
func bindIn(w *syntax.Walk, target syntax.Node, value string, scope [2]int) {
	switch w.Kind(target) {
	case "identifier", "attribute":
		if value != "" { // value is "" only if the text has errors
			w.Fact(code.FactAssign, w.Encloser, w.Str(target), value, target)
			w.Out.Facts[len(w.Out.Facts)-1].Scope = scope
		}
	case "as_pattern_target", "list_splat_pattern", "list_splat", "parenthesized_expression":
		for t := range w.Named(target) {
			if w.Kind(target) != "as_pattern_target" {
				value = pythonOpaque
			}
			bindIn(w, t, value, scope)
		}
	case "pattern_list", "tuple_pattern", "list_pattern", "tuple", "list":
		i := 0
		for t := range w.Named(target) {
			bindIn(w, t, code.PartMarker(i).After(value), scope)
			i++
		}
	}
}

// run records as a FactBlock that a block of a statement, such as the body of an if, may not run.
func run(w *syntax.Walk, statement string, block syntax.Node) {
	w.Fact(code.FactBlock, w.Encloser, "", statement, block)
}

// block returns a handler for a statement or clause whose body may not run, or not to its end, such
// as while or try.
func block(statement string) syntax.Handler {
	return func(w *syntax.Walk, n syntax.Node) {
		run(w, statement, w.Child(n, "block"))
		w.Children(n)
	}
}

// pythonIf marks the imports below "if TYPE_CHECKING:".
func pythonIf(w *syntax.Walk, n syntax.Node) {
	p := fileOf(w)
	outer, condition, body := p.typeOnly, w.Field(n, "condition"), w.Field(n, "consequence")
	name := w.Str(condition)
	run(w, "if", body)
	narrowIf(w, n)
	for c := range w.Tree.Children(n) {
		p.typeOnly = outer || c == body && (name == "TYPE_CHECKING" || strings.HasSuffix(name, ".TYPE_CHECKING"))
		w.Visit(c)
	}
	p.typeOnly = outer
}

// pythonFor records the variables of a loop as elements of the iterated value.
func pythonFor(w *syntax.Walk, n syntax.Node) {
	bind(w, w.Field(n, "left"), code.MarkEach.After(w.Line(w.Field(n, "right"))))
	run(w, "for", w.Field(n, "body"))
	w.Children(n)
}

// with records y of "with x as y". Its value is the result of entering the context manager x.
func with(w *syntax.Walk, n syntax.Node) {
	if as := w.Field(n, "value"); w.Is(as, "as_pattern") {
		bind(w, w.Field(as, "alias"), code.MarkWith.After(w.Line(as+1)))
	}
	w.Children(n)
}

// except records e of "except E as e" as an instance of the class E.
func except(w *syntax.Walk, n syntax.Node) {
	if as := w.Child(n, "as_pattern"); as >= 0 {
		bind(w, w.Field(as, "alias"), code.MarkExcept.After(w.Line(as+1)))
	}
	run(w, "except", w.Child(n, "block"))
	w.Children(n)
}

// pythonCase records the names that a pattern captures, without values: a of case P(x=a). It does
// not record the class P, the keyword x, or a dotted constant such as Color.RED.
func pythonCase(w *syntax.Walk, n syntax.Node) {
	run(w, "case", w.Field(n, "consequence"))
	for pattern := range w.Named(n) {
		if !w.Is(pattern, "case_pattern") {
			continue
		}
		for i := pattern; i < syntax.Node(w.Nodes[pattern].Next); i++ {
			single := w.Is(i, "dotted_name") && !strings.Contains(w.Str(i), ".") && w.Kind(i-1) != "class_pattern"
			if single || w.Is(i, "as_pattern_target") {
				for name := range w.Named(i) {
					bind(w, name, pythonOpaque)
				}
			}
		}
	}
	w.Children(n)
}

// outer returns a handler for a global or nonlocal statement, whose names a function shares with an
// enclosing scope.
func outer(statement string) syntax.Handler {
	return func(w *syntax.Walk, n syntax.Node) {
		for name := range w.Named(n) {
			bind(w, name, statement)
		}
	}
}

// pythonReturn records the value of a return statement, for a function without an annotated return type.
func pythonReturn(w *syntax.Walk, n syntax.Node) {
	for value := range w.Named(n) {
		gives(w, "", pythonValue(w, value), n)
		break
	}
	w.Children(n)
}

// yield records that a function is a generator, and the values that it yields.
func yield(w *syntax.Walk, n syntax.Node) {
	given := pythonOpaque
	for value := range w.Named(n) {
		if w.Child(n, "from") < 0 {
			given = pythonValue(w, value)
		}
		break
	}
	gives(w, "yield", given, n)
	w.Children(n)
}

func gives(w *syntax.Walk, name, value string, at syntax.Node) {
	if w.Encloser >= 0 && w.Out.Symbols[w.Encloser].Returns == "" {
		w.Fact(code.FactReturn, w.Encloser, name, value, at)
	}
}

// anonymous records the parameters of a lambda, whose scope is the lambda.
func anonymous(w *syntax.Walk, n syntax.Node) {
	scope := [2]int{w.Start(n), w.End(n)}
	for p := range w.Named(w.Field(n, "parameters")) {
		name := p
		if w.Is(p, "default_parameter") {
			name = w.Field(p, "name")
		}
		if w.Is(name, "list_splat_pattern", "dictionary_splat_pattern") {
			name += 2 // the name follows the stars
		}
		bindIn(w, name, pythonOpaque, scope)
	}
	w.Children(n)
}

// comprehension records the variables of a comprehension, whose scope is the comprehension.
func comprehension(w *syntax.Walk, n syntax.Node) {
	scope := [2]int{w.Start(n), w.End(n)}
	for c := range w.Named(n) {
		if w.Is(c, "for_in_clause") {
			bindIn(w, w.Field(c, "left"), code.MarkEach.After(w.Line(w.Field(c, "right"))), scope)
		}
		if w.Is(c, "if_clause") {
			narrow(w, w.FirstNamed(c), true, extent(w, w.FirstNamed(n)))
		}
	}
	w.Children(n)
}
