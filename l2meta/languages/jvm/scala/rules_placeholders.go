package scala

import (
	"slices"

	"sextant/l2meta/syntax"
)

// placeheld returns expression n as a term (see rules_terms.go). If placeholders make it a function, as in
// xs.map(_.f), the term is that of the function: (fn 1 17 …).
func placeheld(w *syntax.Walk, n syntax.Node) string {
	term, count := termText(w, n), 0
	for _, hole := range holes(w, n) {
		if holds(w, hole) == n {
			count++
		}
	}
	if count == 0 {
		return term
	}
	return functionTerm(w, n, count, term)
}

// holes returns the placeholders "_" in n. A "_" in a pattern or type is no placeholder, nor is
// the parameter of _ => 1.
func holes(w *syntax.Walk, n syntax.Node) (out []syntax.Node) {
	if w.Is(n, "wildcard") {
		return nil
	}
	for _, c := range scalaWildcards(w, n) {
		if !w.Is(w.Parent(c), "case_clause", "tuple_pattern", "case_class_pattern", "typed_pattern", "infix_pattern",
			"capture_pattern", "binding", "bindings", "type_arguments", "namespace_wildcard") &&
			w.Field(w.Parent(c), "parameters") != c {
			out = append(out, c)
		}
	}
	return out
}

// scalaWildcards returns the nodes "_" below n. They are collected once per file, because they
// are needed for the arguments of every call.
func scalaWildcards(w *syntax.Walk, n syntax.Node) []syntax.Node {
	st := w.State.(*file)
	if !st.looked {
		st.looked = true
		for c := range w.Descendants(0) {
			if w.Is(c, "wildcard") {
				st.wildcards = append(st.wildcards, c)
			}
		}
	}
	from, _ := slices.BinarySearch(st.wildcards, n+1)
	to, _ := slices.BinarySearch(st.wildcards, syntax.Node(w.Nodes[n].Next))
	return st.wildcards[from:to]
}

// holds returns the expression that a placeholder turns into a function: _.f in xs.map(_.f). It is the
// innermost expression around the placeholder that is an argument, or stands alone in parentheses or a
// block. It returns None if there is none.
func holds(w *syntax.Walk, hole syntax.Node) syntax.Node {
	n := hole
	for p := w.Parent(n); p >= 0; p = w.Parent(n) {
		if w.Is(p, "arguments", "parenthesized_expression", "block", "tuple_expression", "val_definition",
			"function_definition", "case_clause", "lambda_expression", "template_body", "indented_block",
			"assignment_expression") && n != hole {
			return n
		}
		n = p
	}
	return syntax.None
}
