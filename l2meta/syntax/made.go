package syntax

import (
	"slices"

	"sextant/internal/code"
)

// Made records, behind the fact that binds a local name, that the name is given
// an object that is made right there: T t = new T(). FinishMade takes back what
// is said of names that are given something else later.
func (w *Walk) Made(name Node, object string) {
	last := w.Out.Facts[len(w.Out.Facts)-1]
	if last.Span != w.Span(name) {
		return // nothing binds it
	}
	last.Kind, last.Type = code.FactMade, object
	w.Out.Facts = append(w.Out.Facts, last)
}

// FinishMade drops the FactMade of names that are assigned where they hold, or
// hold in more than a block, as fields do; assigned gives the name that a node assigns, none of others.
func (w *Walk) FinishMade(assigned func(n Node) Node) {
	isMade := func(f code.Fact) bool { return f.Kind == code.FactMade }
	if !slices.ContainsFunc(w.Out.Facts, isMade) {
		return
	}
	at := map[string][]int{} // where a name is assigned, in order
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
