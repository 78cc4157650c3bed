package csharp

import "sextant/l2meta/syntax"

// memberAccess records a read or an assignment of x.P or x?.P, because either may run the code of a
// property. It skips the x.P of a call x.P(), which is recorded as a call.
func memberAccess(w *syntax.Walk, n syntax.Node) {
	if called := w.Parent(n); !w.Is(called, "invocation_expression") || w.Field(called, "function") != n {
		name, receiver := callee(w, n)
		w.AccessAs(name, receiver, false)
	}
	w.Children(n)
}

// reading lists the kinds of syntax nodes that read or assign a bare name which is their direct
// child.
var reading = []string{"argument", "arrow_expression_clause", "assignment_expression", "await_expression",
	"binary_expression",
	"cast_expression", "conditional_expression", "conditional_access_expression", "element_access_expression",
	"expression_statement",
	"if_statement", "interpolation", "is_pattern_expression", "member_access_expression", "parenthesized_expression",
	"postfix_unary_expression", "prefix_unary_expression", "return_statement", "switch_statement", "switch_expression",
	"variable_declarator", "while_statement", "foreach_statement", "initializer_expression", "lambda_expression"}

// bareAccess records a read or an assignment of P, a bare name that may be a property of the
// enclosing type. It assumes that names of properties begin with a capital. It skips the names in
// new T { P = 1 }, which are members of T, and nameof(P), which reads nothing.
func bareAccess(w *syntax.Walk, n syntax.Node) {
	c, parent := w.Text[w.Start(n)], w.Parent(n)
	if c < 'A' || c > 'Z' || !w.Is(parent, reading...) {
		return
	}
	switch {
	case w.Is(parent, "assignment_expression") && w.Is(w.Parent(parent), "initializer_expression") &&
		w.Field(parent, "left") == n, w.Is(parent, "member_access_expression") && w.Field(parent, "expression") != n,
		w.Is(parent, "variable_declarator") && w.Field(parent, "name") == n,
		w.Is(parent, "foreach_statement") && w.Field(parent, "right") != n,
		w.Is(parent, "cast_expression") && w.Field(parent, "value") != n,
		w.Is(parent, "argument") && isNameof(w, parent):
		return
	}
	w.AccessAs(n, "", false)
}

// isNameof reports whether argument is the argument of nameof(P).
func isNameof(w *syntax.Walk, argument syntax.Node) bool {
	call := w.Parent(w.Parent(argument))
	return w.Is(call, "invocation_expression") && w.Says(w.Field(call, "function"), "nameof")
}
