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

// typeNamed returns the type that name denotes or, if there is none, a Module value for a namespace.
func (c evaluator) typeNamed(s resolve.Scope, name string, arity int) resolve.Value {
	if plain, arguments := cut(name); len(arguments) > 0 {
		if parts := qualified(c.w, s.File, s.At, plain, len(arguments)); len(parts) > 0 {
			return resolve.Value{Kind: resolve.Class, Ref: parts[0],
				Type: resolve.Type{Text: name, File: s.File, Scope: s.At}}
		}
		if foreignType(c.w, s.File, s.At, plain, len(arguments)).lib != nil {
			return resolve.Value{Kind: resolve.Class, Type: resolve.Type{Text: name, File: s.File, Scope: s.At}}
		}
		return resolve.Value{Kind: resolve.Module, Module: plain}
	}
	if alias, ok := constructedAlias(c.w, s.File, s.At, name); ok {
		return classOf(c.w, alias)
	}
	if parts := qualified(c.w, s.File, s.At, name, arity); len(parts) > 0 {
		return resolve.Value{Kind: resolve.Class, Ref: parts[0], Type: self(parts[0])}
	}
	if foreignType(c.w, s.File, s.At, name, arity).lib != nil {
		return resolve.Value{Kind: resolve.Class, Type: resolve.Type{Text: name, File: s.File, Scope: s.At}}
	}
	return resolve.Value{Kind: resolve.Module, Module: name}
}
