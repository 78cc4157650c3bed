package csharp

import (
	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// each evaluates the variable e of foreach (var e in x).
func (c evaluator) each(s resolve.Scope, x resolve.Value) resolve.Value {
	if x.Kind != resolve.Instance {
		return resolve.Value{}
	}
	if element, ok := c.element(csharpResolve(c.w, x.Type)); ok {
		return instance(element, resolve.TypedElement).Via(x.How)
	}
	return resolve.Value{}
}

// element returns the type of e in foreach (var e in xs), where xs is of type t; false if t
// cannot be iterated.
func (c evaluator) element(t csharpType) (resolve.Type, bool) {
	for _, b := range supertypes(c.w, t) {
		if b.lib == nil || len(b.args) != 1 {
			continue
		}
		switch b.name {
		case "IEnumerable", "IAsyncEnumerable", "Span", "ReadOnlySpan":
			return b.args[0], true
		}
	}
	return resolve.Type{}, false
}

// expected returns the type that a call requires of its argument i, or a part of that type such
// as the type of a lambda's first parameter. fn is the callee and x its value; pick selects the
// part from the type of fn's parameter. It returns the zero Value if the overloads that may be
// called disagree.
func (c evaluator) expected(s resolve.Scope, x resolve.Value, fn *expr.Expr, i int,
	pick func(resolve.Type) (resolve.Type, bool)) resolve.Value {
	h := hands{count: -1}
	if fn.Op == expr.OpGeneric {
		h.typeCount, h.types, fn = len(fn.TypeArgs), fn.TypeArgs, fn.X
	}
	var found csharpFound
	switch {
	case fn.Op == expr.OpNew:
		return c.handedToConstructor(s, fn, i, pick)
	case fn.Op == expr.OpName:
		found = unqualified(c.w, s, fn.Name, h)
	case x.Kind == resolve.Function:
		found, _ = member(c.w, s, x.Type, x.Module, h)
	}
	methods := found.all
	if found.ok {
		methods = []resolve.Ref{found.method.Ref}
		found.bind = found.method.bind
	}
	var out resolve.Value
	for _, m := range methods {
		at := i
		if this(m) != "" && x.Kind == resolve.Function && !csharpResolve(c.w, x.Type).isStaticClass(m) {
			at++
		}
		p := m.Symbol().Parameters
		if at >= len(p) {
			continue
		}
		t := resolve.Type{Text: p[at].Type, File: m.File, Scope: m.Index, Bind: found.bind}
		if names := typeParameters(m); len(names) == len(h.types) {
			for i, n := range names {
				t.Bind = &resolve.Binding{Name: n,
					Type: resolve.Type{Text: h.types[i], File: s.File, Scope: s.At}, Next: t.Bind}
			}
		}
		picked, ok := pick(t)
		if !ok {
			continue
		}
		if out.Kind == resolve.Instance && out.Type.Text != picked.Text {
			return resolve.Value{}
		}
		out = instance(picked, resolve.TypedElement)
	}
	return out
}

// handedToConstructor does the same as expected for the call new T(…): fn names the type T, and i
// is the index of the constructor's argument.
func (c evaluator) handedToConstructor(s resolve.Scope, fn *expr.Expr, i int,
	pick func(resolve.Type) (resolve.Type, bool)) (out resolve.Value) {
	t := csharpResolve(c.w, resolve.Type{Text: fn.Type, File: s.File, Scope: s.At})
	for _, part := range t.parts {
		for _, m := range append(part.File.Children(part.Index), part.Index) {
			k := &part.File.Symbols[m]
			if k.Kind != code.KindConstructor && m != part.Index || i >= len(k.Parameters) {
				continue
			}
			picked, ok := pick(resolve.Type{Text: k.Parameters[i].Type, File: part.File, Scope: m, Bind: t.bind()})
			switch {
			case !ok:
			case out.Kind == resolve.Instance && out.Type.Text != picked.Text:
				return resolve.Value{}
			default:
				out = instance(picked, resolve.TypedElement)
			}
		}
	}
	return out
}

// isStaticClass reports whether t is the class that declares m. An extension method m is then
// called as a plain static method: Extensions.Save(x).
func (t csharpType) isStaticClass(m resolve.Ref) bool {
	return t.known() && m.Parent().Valid() && t.parts[0] == m.Parent()
}

// handed evaluates parameter k of a lambda that is argument i of a call of fn: in xs.Select((x, n) => …), n
// is parameter 1 of argument 0. x is the value of fn.
func (c evaluator) handed(s resolve.Scope, x resolve.Value, fn *expr.Expr, i, k int) resolve.Value {
	v := c.expected(s, x, fn, i, func(t resolve.Type) (resolve.Type, bool) { return c.parameterOf(t, k) })
	if v.Kind == resolve.Instance || x.Kind != resolve.Function {
		return v
	}
	t := csharpResolve(c.w, x.Type)
	for count := i + 1; count <= i+maxBehind; count++ { // the number of arguments after the lambda is unknown
		if g, ok := tabledMethod(c.w, t, x.Module, count); ok && i < len(g.parameters) {
			if p, ok := c.parameterOf(g.typ(g.parameters[i]), k); ok {
				return instance(p, resolve.TypedElement).Via(x.How)
			}
		}
	}
	return resolve.Value{}
}

// maxBehind bounds the number of arguments that may follow a lambda in a call. Only the position
// of the lambda is known, not the number of arguments, so a library method is looked up with each
// number up to this bound.
const maxBehind = 4

// parameterOf returns the type of the k-th parameter of a delegate type; false if it is unknown.
func (c evaluator) parameterOf(t resolve.Type, k int) (resolve.Type, bool) {
	d := csharpResolve(c.w, t)
	if d.known() {
		p := d.parts[0].Symbol().Parameters
		if d.parts[0].Symbol().Kind != code.KindType || k >= len(p) {
			return resolve.Type{}, false
		}
		return resolve.Type{Text: p[k].Type, File: d.parts[0].File, Scope: d.parts[0].Index, Bind: d.bind()}, true
	}
	if d.name == "Expression" && len(d.args) == 1 {
		return c.parameterOf(d.args[0], k)
	}
	count := len(d.args)
	if d.name == "Func" {
		count--
	}
	if (d.name == "Func" || d.name == "Action" || d.name == "Predicate" || d.name == "Comparison") && k < count {
		return d.args[k], true
	}
	return resolve.Type{}, false
}
