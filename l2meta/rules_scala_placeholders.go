package l2meta

import "slices"

// scalaPlaceheld is the term of an expression that may be a function by its
// placeholders: _.f.
func scalaPlaceheld(w *walk, n node) string {
	term, count := scalaTerm(w, n), 0
	for _, hole := range scalaHoles(w, n) {
		if scalaHolds(w, hole) == n {
			count++
		}
	}
	if count == 0 {
		return term
	}
	return scalaFunctionTerm(w, n, count, term)
}

// scalaHoles are the placeholders in n.
func scalaHoles(w *walk, n node) (out []node) {
	if w.is(n, "wildcard") {
		return nil
	}
	for _, c := range scalaWildcards(w, n) {
		if !w.is(w.parent(c), "case_clause", "tuple_pattern", "case_class_pattern", "typed_pattern", "infix_pattern", "capture_pattern", "binding", "bindings", "type_arguments", "namespace_wildcard") {
			out = append(out, c)
		}
	}
	return out
}

// scalaWildcards are the wildcards below n. Each call asks for those in its
// arguments, so they are looked for once a file.
func scalaWildcards(w *walk, n node) []node {
	st := w.state.(*scalaFile)
	if !st.looked {
		st.looked = true
		for c := range w.descendants(0) {
			if w.is(c, "wildcard") {
				st.wildcards = append(st.wildcards, c)
			}
		}
	}
	from, _ := slices.BinarySearch(st.wildcards, n+1)
	to, _ := slices.BinarySearch(st.wildcards, node(w.nodes[n].next))
	return st.wildcards[from:to]
}

// scalaHolds is the expression that a placeholder makes a function: the
// innermost one around it that is an argument, or stands in parentheses or a
// block by itself, and is not the placeholder.
func scalaHolds(w *walk, hole node) node {
	n := hole
	for p := w.parent(n); p >= 0; p = w.parent(n) {
		if w.is(p, "arguments", "parenthesized_expression", "block", "tuple_expression", "val_definition", "function_definition", "case_clause", "lambda_expression", "template_body", "indented_block", "assignment_expression") && n != hole {
			return n
		}
		n = p
	}
	return none
}
