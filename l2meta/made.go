package l2meta

import (
	"slices"

	"sextant/internal/code"
)

// made records, behind the fact that binds a local name, that the name is given
// an object that is made right there: T t = new T(). finishMade takes back what
// is said of names that are given something else later.
func (w *walk) made(name node, object string) {
	last := w.out.Facts[len(w.out.Facts)-1]
	if last.Span != w.span(name) {
		return // nothing binds it
	}
	last.Kind, last.Type = code.FactMade, object
	w.out.Facts = append(w.out.Facts, last)
}

// finishMade drops the FactMade of names that are assigned where they hold, or
// hold in more than a block, as fields do; assigned gives the name that a node assigns, none of others.
func (w *walk) finishMade(assigned func(n node) node) {
	isMade := func(f code.Fact) bool { return f.Kind == code.FactMade }
	if !slices.ContainsFunc(w.out.Facts, isMade) {
		return
	}
	at := map[string][]int{} // where a name is assigned, in order
	for n := range node(len(w.nodes)) {
		if name := assigned(n); name >= 0 {
			at[w.str(name)] = append(at[w.str(name)], w.start(name))
		}
	}
	w.out.Facts = slices.DeleteFunc(w.out.Facts, func(f code.Fact) bool {
		places := at[f.Name]
		i, _ := slices.BinarySearch(places, f.Scope[0])
		return isMade(f) && (f.Scope[1] == 0 || i < len(places) && places[i] < f.Scope[1])
	})
}
