package typescript

import (
	"slices"
	"strconv"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// formal is a parameter of a signature.
type formal struct {
	typ      resolve.Type
	optional bool
	rest     bool // ...args: T[]
}

// signatureResult evaluates a call of an object whose interface has call signatures, such as
// interface Make { (name: string): Job; (count: number): Other }. The arguments choose the signature.
func signatureResult(s resolve.Scope, shape tsShape, e *expr.Expr) resolve.Value {
	var all []resolve.Type
	for _, fact := range shape.ref.Facts() {
		if fact.Kind == code.FactField && fact.Name == "()" {
			all = append(all, resolve.Type{Text: fact.Type, File: shape.ref.File, Scope: shape.ref.Index,
				Bind: shape.bind})
		}
	}
	var results []resolve.Value
	for _, t := range all {
		formals, result := formalsOf(t)
		fit := maybe
		if len(all) > 1 {
			fit = accepts(s, formals, e.Args)
		}
		if fit != no {
			results = append(results, instance(result, resolve.TypedResult))
		}
		if fit == yes {
			break
		}
	}
	return anyOf(s.W, shape.ref.File, results)
}

// formalsOf returns the parameters and the result type of a function type (a: A, b?: B) => R.
func formalsOf(t resolve.Type) (out []formal, result resolve.Type) {
	at := arrow(t.Text)
	if at < 0 {
		return nil, resolve.Type{}
	}
	head := strings.TrimSpace(t.Text[:at])
	open := strings.IndexByte(head, '(')
	if open < 0 || !strings.HasSuffix(head, ")") {
		return nil, resolve.Type{}
	}
	for _, p := range expr.SplitTypes(head[open+1 : len(head)-1]) {
		name, typ, _ := strings.Cut(p, ":")
		name = strings.TrimSpace(name)
		if name == "" || name == "this" {
			continue
		}
		out = append(out, formal{typ: t.With(strings.TrimSpace(typ)), optional: strings.HasSuffix(name, "?"),
			rest: strings.HasPrefix(name, "...")})
	}
	return out, t.With(strings.TrimSpace(t.Text[at+2:]))
}

// formalsOfFunction returns the parameters of a declared function.
func formalsOfFunction(r resolve.Ref) (out []formal) {
	for _, p := range r.Symbol().Parameters {
		out = append(out, formal{typ: resolve.Type{Text: p.Type, File: r.File, Scope: r.Index},
			optional: p.Default != "" || optional(r, p.Name), rest: p.Variadic})
	}
	return out
}

// fit says whether a value can be passed for a parameter, as far as the text shows it.
type fit uint8

const (
	no fit = iota
	maybe
	yes
)

// accepts reports whether a signature with these parameters accepts the arguments of a call.
func accepts(s resolve.Scope, formals []formal, args []*expr.Expr) fit {
	spread := slices.ContainsFunc(args, func(a *expr.Expr) bool { return a.Op == expr.OpUnary && a.Name == "..." })
	if spread {
		return maybe
	}
	out := yes
	for i, p := range formals {
		switch {
		case p.rest:
			return min(out, maybe)
		case i < len(args):
			out = min(out, fits(s, p.typ, args[i]))
		case !p.optional:
			return no
		}
	}
	if len(args) > len(formals) {
		return no
	}
	return out
}

// fits reports whether an argument can be passed for a parameter of type t. It says yes and no only of
// primitive types, literals, and classes.
func fits(s resolve.Scope, t resolve.Type, arg *expr.Expr) fit {
	given := tsShape{}
	v := resolve.Eval(eval{}, s, arg)
	if typ, ok := typeOf(v); ok {
		given = readType(s.W, typ)
	}
	if v.Kind == resolve.Class || v.Kind == resolve.Function {
		given = tsShape{form: function}
	}
	return typeFits(s.W, t, arg.Text, given)
}

// typeFits reports whether the argument written as text, which has the type given, can be passed for
// a parameter of type t.
func typeFits(w *resolve.World, t resolve.Type, text string, given tsShape) fit {
	written := strings.TrimSpace(t.Text)
	if written == "unknown" || written == "any" || written == "" {
		return yes
	}
	if isLiteral(written) && isLiteral(text) {
		if strings.Trim(written, "\"'`") == strings.Trim(text, "\"'`") {
			return yes
		}
		return no
	}
	want := readType(w, t)
	if want.form == union {
		out := no
		for _, part := range want.args {
			out = max(out, typeFits(w, part, text, given))
		}
		return out
	}
	out := shapeFits(want, given)
	if isLiteral(written) {
		out = min(out, maybe)
	}
	return out
}

// isLiteral reports whether a type or an expression is a string or a number: "a", 1.
func isLiteral(text string) bool {
	if text == "" {
		return false
	}
	if quote := text[0]; strings.IndexByte("\"'`", quote) >= 0 {
		return len(text) > 1 && strings.IndexByte(text[1:], quote) == len(text)-2
	}
	_, err := strconv.ParseFloat(text, 64)
	return err == nil
}

// shapeFits reports whether a value of the type given can be passed for a parameter of type want.
func shapeFits(want, given tsShape) fit {
	primitive := isPrimitive(given)
	switch {
	case isPrimitive(want) && primitive:
		if want.name == given.name {
			return yes
		}
		return no
	case isPrimitive(want) && isObject(given):
		return no
	case primitive && (want.form == function || isArray(want)):
		return no
	case isArray(want) && given.form == function || want.form == function && isArray(given):
		return no
	case want.form == declared && want.ref.Symbol().Kind == code.KindClass &&
		(primitive || isArray(given) || given.form == function):
		if len(want.ref.File.Children(want.ref.Index)) > 0 { // an empty class accepts any value
			return no
		}
	case want.form == declared && given.form == declared && want.ref == given.ref:
		return yes
	}
	return maybe
}

func isPrimitive(s tsShape) bool { return s.form == builtin && primitives[s.name] }

func isArray(s tsShape) bool { return s.form == builtin && (s.name == "Array" || s.name == "#tuple") }

// isObject reports whether values of a type are certainly no primitive ones.
func isObject(s tsShape) bool {
	return s.form == function || s.form == object || isArray(s) ||
		s.form == declared && s.ref.Symbol().Kind == code.KindClass
}
