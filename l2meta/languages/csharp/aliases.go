package csharp

import (
	"strings"

	"sextant/l2meta/resolve"
)

// constructedAlias returns the type that an alias denotes which is more than a name: List<Order> for
// Orders after "using Orders = System.Collections.Generic.List<N.Order>;". at is the symbol in which
// the name is written. A type of that name around the symbol hides the alias. It returns false if
// there is no such alias.
func constructedAlias(w *resolve.World, f *resolve.File, at int, name string) (resolve.Type, bool) {
	if strings.ContainsAny(name, "<.:") {
		return resolve.Type{}, false
	}
	for _, u := range usings(w, f) {
		if u.alias == name && strings.ContainsAny(u.module, "<[(") {
			if len(enclosing(w, f, at, name, 0)) > 0 {
				return resolve.Type{}, false
			}
			return resolve.Type{Text: u.module, File: f, Scope: -1}, true
		}
	}
	return resolve.Type{}, false
}

// classOf returns a type as a value, whose members are static ones; the zero Value if the type is not
// known.
func classOf(w *resolve.World, t resolve.Type) resolve.Value {
	switch typ := csharpResolve(w, t); {
	case typ.known():
		return resolve.Value{Kind: resolve.Class, Ref: typ.parts[0], Type: t}
	case typ.lib != nil:
		return resolve.Value{Kind: resolve.Class, Type: t}
	}
	return resolve.Value{}
}
