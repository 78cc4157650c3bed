package syntax

import (
	"slices"

	"sextant/internal/code"
)

// Made records that a local variable holds an object that its declaration constructs, as in T t =
// new T(). name is the node of the variable, object the expression. Made must be called right
// after the fact that declares the variable was recorded, and records nothing if there is no such
// fact. FinishMade removes the variables to which another value is assigned later.
func (w *Walk) Made(name Node, object string) {
	last := w.Out.Facts[len(w.Out.Facts)-1]
	if last.Span != w.Span(name) {
		return // no fact declares the variable
	}
	last.Kind, last.Type = code.FactMade, object
	w.Out.Facts = append(w.Out.Facts, last)
}

// FinishMade removes the facts of Made about variables that are assigned within their scope, or
// whose scope is not a block, such as fields. assigned returns the node of the assigned name for
// a node that is an assignment; otherwise None.
func (w *Walk) FinishMade(assigned func(n Node) Node) {
	isMade := func(f code.Fact) bool { return f.Kind == code.FactMade }
	if !slices.ContainsFunc(w.Out.Facts, isMade) {
		return
	}
	at := map[string][]int{} // offsets of the assignments of a name, in order
	for n := range Node(len(w.Nodes)) {
		if name := assigned(n); name >= 0 {
			at[w.Str(name)] = append(at[w.Str(name)], w.Start(name))
		}
	}
	w.Out.Facts = slices.DeleteFunc(w.Out.Facts, func(f code.Fact) bool {
		places := at[f.Name]
		i, _ := slices.BinarySearch(places, f.Scope[0])
		return isMade(f) && (f.Scope[1] == 0 || i < len(places) && places[i] < f.Scope[1])
	})
}
