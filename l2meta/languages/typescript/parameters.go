package typescript

import (
	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// argument returns a value of the type that f expects as its argument i.
func argument(s resolve.Scope, f resolve.Value, i int) resolve.Value {
	switch f.Kind {
	case resolve.Function:
		first := resolve.Value{}
		for _, r := range overloads(f.Ref) {
			t, ok := parameterType(r, i, f.Type.Bind)
			switch {
			case !ok:
			case takesFunction(s.W, t):
				return instance(t, resolve.TypedElement)
			case first.Kind == resolve.Unknown:
				first = instance(t, resolve.TypedElement)
			}
		}
		return first
	case resolve.Class:
		for _, c := range constructors(s.W, f.Ref, 0) {
			if t, ok := parameterType(c, i, nil); ok {
				return instance(t, resolve.TypedElement)
			}
		}
	case resolve.Foreign:
		return libraryArgument(s, f, i)
	case resolve.Instance:
		return signatureArgument(s, f.Type, i)
	}
	return resolve.Value{}
}

// signatureArgument returns a value of the type that a function type t expects as its argument i.
// Of several call signatures it uses the one that accepts a function there.
func signatureArgument(s resolve.Scope, t resolve.Type, i int) (first resolve.Value) {
	shape := readType(s.W, t)
	if shape.form != declared {
		return parameter(s, t, i)
	}
	for _, fact := range shape.ref.Facts() {
		if fact.Kind != code.FactField || fact.Name != "()" {
			continue
		}
		v := parameter(s, resolve.Type{Text: fact.Type, File: shape.ref.File, Scope: shape.ref.Index, Bind: shape.bind},
			i)
		if v.Kind == resolve.Instance && takesFunction(s.W, v.Type) {
			return v
		}
		if first.Kind == resolve.Unknown {
			first = v
		}
	}
	return first
}

// parameterType returns the declared type of parameter i of a function. It returns false if the
// parameter has no declared type, or is a rest parameter.
func parameterType(r resolve.Ref, i int, bind *resolve.Binding) (resolve.Type, bool) {
	params := r.Symbol().Parameters
	if i >= len(params) || params[i].Variadic || params[i].Type == "" {
		return resolve.Type{}, false
	}
	return resolve.Type{Text: params[i].Type, File: r.File, Scope: r.Index, Bind: bind}, true
}

// parameter returns a value of the type of parameter i of a function of type t.
func parameter(s resolve.Scope, t resolve.Type, i int) resolve.Value {
	switch shape := readType(s.W, t); shape.form {
	case function:
		if shape.held.Kind == resolve.Function {
			return argument(s, shape.held, i)
		}
		if last := len(shape.args) - 1; shape.rest && i >= last {
			return restArgument(s, shape.args[last], i-last)
		}
		if i < len(shape.args) && shape.args[i].Text != "" {
			return instance(shape.args[i], resolve.TypedElement)
		}
	case valueType:
		return argument(s, shape.value, i)
	case declared: // an interface with call signatures
		for _, fact := range shape.ref.Facts() {
			if fact.Kind == code.FactField && fact.Name == "()" {
				if v := parameter(s, resolve.Type{Text: fact.Type, File: shape.ref.File, Scope: shape.ref.Index,
					Bind: shape.bind}, i); v.Kind != resolve.Unknown {
					return v
				}
			}
		}
	case foreign:
		if shape.name == "react" && i == 0 && len(shape.args) == 1 && isComponentType(shape.typ.Text) {
			return instance(shape.args[0], resolve.TypedElement)
		}
		return resolve.Value{Kind: resolve.Foreign, Module: shape.name, Origin: resolve.Handed}
	case builtin: // a library interface with a call signature, such as MutationCallback
		if f, ok := tableMember(s.W, shape, "()", t); ok {
			return parameter(s, f, i)
		}
	case intersection:
		return overloadedParameter(s, shape.args, i)
	case union:
		for _, part := range shape.args { // of a union, the part that is a function
			if v := parameter(s, part, i); v.Kind != resolve.Unknown {
				return v
			}
		}
	}
	return resolve.Value{}
}

// restArgument returns element i of a rest parameter.
func restArgument(s resolve.Scope, t resolve.Type, i int) resolve.Value {
	if shape := readType(s.W, t); shape.form == builtin && shape.name == "#tuple" {
		if i < len(shape.args) {
			return instance(shape.args[i], resolve.TypedElement)
		}
		return resolve.Value{}
	}
	return instance(tsElement(s.W, t), resolve.TypedElement)
}

// overloadedParameter returns the value of parameter i if all overloads agree on it, and no value
// otherwise.
func overloadedParameter(s resolve.Scope, overloads []resolve.Type, i int) (hit resolve.Value) {
	for n, o := range overloads {
		v := parameter(s, o, i)
		if n > 0 && (v.Kind == resolve.Unknown || v.Type.Text != hit.Type.Text) {
			return resolve.Value{}
		}
		hit = v
	}
	if hit.Kind == resolve.Instance {
		hit.Type = boundTo(hit.Type)
	}
	return hit
}

// takesFunction reports whether a value of type t may be a function.
func takesFunction(w *resolve.World, t resolve.Type) bool {
	switch shape := readType(w, t); shape.form {
	case function:
		return true
	case declared:
		for _, fact := range shape.ref.Facts() {
			if fact.Kind == code.FactField && fact.Name == "()" {
				return true
			}
		}
	case union:
		for _, part := range shape.args {
			if takesFunction(w, part) {
				return true
			}
		}
	}
	return false
}
