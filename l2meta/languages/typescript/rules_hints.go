package typescript

import "sextant/l2meta/syntax"

// hinted are the methods of which one argument tells what a callback gets that
// is another one: where the callback stands, and where that argument does.
var hinted = map[string][2]int{"reduce": {0, 1}, "reduceRight": {0, 1}, "addEventListener": {1, 0}}

// hintOf returns the argument that tells what the function gets that is argument i:
// "click", for (event) => … in addEventListener("click", …).
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

// tsHint returns the text of an argument, a type that it is asserted to have before
// its value.
func tsHint(w *syntax.Walk, a syntax.Node) string {
	if typ := assertion(w, a); typ != "" {
		return "(_ as " + typ + ")"
	}
	if text := w.Line(a); !isFunction(w, a) && text != "{}" && text != "[]" {
		return text
	}
	return ""
}
