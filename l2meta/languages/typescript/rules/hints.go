package rules

import "sextant/l2meta/syntax"

// hinted lists methods in which one argument determines the parameters of a callback, as 0
// determines sum in reduce((sum, x) => …, 0). The numbers are the positions of the callback and of
// that argument.
var hinted = map[string][2]int{"reduce": {0, 1}, "reduceRight": {0, 1}, "addEventListener": {1, 0}}

// hintOf returns the argument that determines the parameters of the function in argument i:
// "click" for (event) => … in addEventListener("click", …). It returns "" if there is none.
func hintOf(w *syntax.Walk, callee, args syntax.Node, i int) string {
	at, ok := hinted[w.Str(w.Field(callee, "property"))]
	if !ok || at[0] != i {
		return ""
	}
	n := 0
	for a := range w.Named(args) {
		if w.IsComment(a) {
			continue
		}
		if n == at[1] {
			if text := tsHint(w, a); len(text) <= maxArgument {
				return text
			}
		}
		n++
	}
	return ""
}

// tsHint returns the text of an argument; a type assertion has precedence over the value. It
// returns "" for a function and for an empty object or array.
func tsHint(w *syntax.Walk, a syntax.Node) string {
	if typ := assertion(w, a); typ != "" {
		return "(_ as " + typ + ")"
	}
	if text := w.Line(a); !isFunction(w, a) && text != "{}" && text != "[]" {
		return text
	}
	return ""
}
