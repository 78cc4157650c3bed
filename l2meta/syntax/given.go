package syntax

import "sextant/internal/code"

// MaxGiven bounds the bytes of each name in a FactGiven.
const MaxGiven = 120

// Give records that a member is given the function of that name at a node, unless a name is longer
// than MaxGiven.
func (w *Walk) Give(owner int, member, function string, at Node) {
	if len(member) <= MaxGiven && len(function) <= MaxGiven {
		w.Fact(code.FactGiven, owner, member, function, at)
	}
}

// maxPlaces bounds the arguments whose places are counted, because each count starts at the first
// argument.
const maxPlaces = 32

// Place returns the position of an argument in its list; false after the first maxPlaces.
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
