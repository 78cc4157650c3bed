package typescript

import (
	"slices"

	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// This file evaluates literals and operators.

func (eval) Literal(s resolve.Scope, e *expr.Expr) resolve.Value {
	switch e.Name {
	case "string", "number", "RegExp":
		return instance(builtinType(s.File, e.Name), resolve.TypedValue)
	case "jsx":
		return jsxValue(s)
	case "list":
		return listValue(s, e)
	}
	return resolve.Value{}
}

// maxTuple is the largest number of elements of an array literal that are typed one by one.
const maxTuple = 40

// listValue evaluates an array literal: as a tuple, with a type for each element. An empty or very
// long one becomes an array of unknown elements.
func listValue(s resolve.Scope, e *expr.Expr) resolve.Value {
	var types []resolve.Type
	for _, a := range e.Args {
		v := resolve.Value{}
		if a.Op != expr.OpUnary || a.Name != "..." {
			v = resolve.Eval(eval{}, s, a)
		}
		t, ok := typeOf(v)
		if !ok {
			t = unknownType(s.File)
		}
		types = append(types, t)
	}
	if len(types) == 0 || len(types) > maxTuple {
		return instance(builtinType(s.File, "Array"), resolve.TypedValue)
	}
	return instance(builtinType(s.File, "#tuple", types...), resolve.TypedValue)
}

// Binary evaluates a || b, a ?? b, a && b and c ? a : b. The sides are evaluated with the values
// that the condition narrows. Comparisons are boolean.
func (eval) Binary(s resolve.Scope, e *expr.Expr) resolve.Value {
	h := eval{}
	switch e.Name {
	case "||", "??":
		a, b := resolve.Eval(h, s, e.Args[0]), resolve.Eval(h, under(s, e.Args[0], false), e.Args[1])
		switch {
		// an unknown or a library value: options.fetch || fetch
		case a.Kind == resolve.Unknown && b.Kind == resolve.Foreign:
			b.Origin = resolve.Handed
			return b
		case a.Kind == resolve.Unknown || alike(s.W, a, b):
			return b
		case b.Kind == resolve.Unknown:
			return a
		}
		return either(s, a, b)
	case "=":
		return resolve.Eval(h, s, e.Args[1])
	case "&&":
		return resolve.Eval(h, under(s, e.Args[0], true), e.Args[1])
	case "?:":
		a, b := resolve.Eval(h, under(s, e.Args[0], true), e.Args[1]),
			resolve.Eval(h, under(s, e.Args[0], false), e.Args[2])
		switch {
		case alike(s.W, a, b) && a.Kind != resolve.Unknown:
			return a
		case isNothing(e.Args[1]):
			return b
		case isNothing(e.Args[2]) || same(a, b):
			return a
		}
		return either(s, a, b)
	case "instanceof", "in", "==", "===", "!=", "!==", "<", ">", "<=", ">=":
		return instance(builtinType(s.File, "boolean"), resolve.TypedValue)
	}
	return instance(sum(s, e), resolve.TypedValue)
}

// sum returns the type of an arithmetic operation: a string if one operand of + is a string.
func sum(s resolve.Scope, e *expr.Expr) resolve.Type {
	number, text := builtinType(s.File, "number"), builtinType(s.File, "string")
	if e.Name != "+" {
		return number
	}
	known := 0
	for _, arg := range e.Args {
		t, ok := typeOf(resolve.Eval(eval{}, s, arg))
		if shape := readType(s.W, t); ok && shape.form == builtin && shape.name == "string" {
			return text
		} else if ok && shape.form == builtin && shape.name == "number" {
			known++
		}
	}
	if known == len(e.Args) {
		return number
	}
	return unionType(s.File, number, text)
}

// maxAlternatives is the largest number of types in a union of values.
const maxAlternatives = 8

// anyOf returns a value that is one of several. It returns no value if one of them is unknown.
func anyOf(w *resolve.World, at *resolve.File, values []resolve.Value) (hit resolve.Value) {
	var types []resolve.Type
	for i, v := range values {
		if i == 0 {
			hit = v
		} else if alike(w, hit, v) {
			if v.Kind == resolve.Foreign {
				hit.Origin = max(hit.Origin, v.Origin)
			}
			continue
		}
		t, ok := typeOf(v)
		if v.Kind != resolve.Instance || !ok {
			if i == 0 && v.Kind != resolve.Unknown {
				continue // a value that is no object must equal all others
			}
			return resolve.Value{}
		}
		if !slices.ContainsFunc(types, func(o resolve.Type) bool { return same(instance(o, ""), v) }) {
			types, hit.How = append(types, t), resolve.Weaker(hit.How, v.How)
		}
	}
	switch {
	case len(types) > maxAlternatives || len(types) > 0 && hit.Kind != resolve.Instance:
		return resolve.Value{}
	case len(types) > 1:
		return instance(unionType(at, types...), hit.How)
	}
	return hit
}

// either returns a value of the type of a or of b.
func either(s resolve.Scope, a, b resolve.Value) resolve.Value {
	x, okA := typeOf(a)
	y, okB := typeOf(b)
	if !okA || !okB {
		return resolve.Value{}
	}
	return instance(unionType(s.File, x, y), resolve.Weaker(a.How, b.How))
}

func isNothing(e *expr.Expr) bool {
	return e.Op == expr.OpName && (e.Name == "undefined" || e.Name == "null")
}
