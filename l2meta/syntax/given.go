package syntax

import "sextant/internal/code"

// MaxGiven is the length in bytes of the longest name in a FactGiven, a statement such as s.handle
// = serve.
const MaxGiven = 120

// Give records a FactGiven: the function called function is stored in member, as in s.handle =
// serve. It records nothing if either name is longer than MaxGiven. at is the node of the
// statement.
func (w *Walk) Give(owner int, member, function string, at Node) {
	if len(member) <= MaxGiven && len(function) <= MaxGiven {
		w.Fact(code.FactGiven, owner, member, function, at)
	}
}

// maxPlaces is the largest number of arguments in a list whose positions are determined, because
// each position is counted from the first argument on.
const maxPlaces = 32

// Place returns the position of an argument in its list; false if it is not among the first
// maxPlaces.
func (w *Walk) Place(argument Node) (code.Place, bool) {
	place := 0
	for a := range w.Named(w.Parent(argument)) {
		if a == argument {
			break
		}
		if place++; place == maxPlaces {
			return "", false
		}
	}
	return code.PlaceAt(place), true
}

// Callables returns the names of the functions and methods declared so far.
func (w *Walk) Callables() map[string]bool {
	names := map[string]bool{}
	for i := range w.Out.Symbols {
		if s := &w.Out.Symbols[i]; s.Kind.Callable() {
			names[s.Name] = true
		}
	}
	return names
}
