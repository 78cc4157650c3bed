package csharp

import (
	"sextant/internal/code"
	"sextant/l2meta/resolve"
	"strings"
)

func (c csharpEvaluator) Result(s resolve.Scope, f resolve.Value, e *resolve.Expr) resolve.Value {
	h := csharpHandsOf(e)
	x := e.X
	if x.Op == resolve.OpGeneric {
		h.typeCount, h.types, x = len(x.TypeArgs), x.TypeArgs, x.X
	}
	switch {
	case f.Kind == resolve.Instance: // a delegate
		return c.invoked(f)
	case x.Op == resolve.OpName && x.Name == "nameof":
		return c.Literal(s, &resolve.Expr{Name: "string"})
	case x.Op == resolve.OpName:
		return c.resultOf(s, csharpUnqualified(c.w, s, x.Name, h), h, resolve.Type{}, "")
	case f.Kind != resolve.Function:
		return resolve.Value{}
	}
	found, _ := csharpMember(c.w, s, f.Type, f.Module, h)
	v := c.resultOf(s, found, h, f.Type, f.How)
	if v.Kind == resolve.Unknown && !found.ok && !found.several {
		if std, ok := csharpStandardResult(csharpResolve(c.w, f.Type), f.Module); ok {
			return csharpInstance(std, resolve.TypedElement).Via(f.How)
		}
	}
	return v
}

// invoked is the result of calling a delegate: the last argument of Func.
func (c csharpEvaluator) invoked(f resolve.Value) resolve.Value {
	t := csharpResolve(c.w, f.Type)
	if t.known() {
		for _, fact := range t.parts[0].Facts() {
			if fact.Kind == code.FactResult {
				return csharpInstance(resolve.Type{Text: fact.Type, File: t.parts[0].File, Scope: t.parts[0].Index, Bind: t.bind()}, resolve.TypedResult)
			}
		}
	}
	if t.name == "Func" && len(t.args) > 0 {
		return csharpInstance(t.args[len(t.args)-1], resolve.TypedResult)
	}
	return resolve.Value{}
}

// resultOf is what a method gives back: of several that fit, what all give.
func (c csharpEvaluator) resultOf(s resolve.Scope, found csharpFound, h csharpHands, receiver resolve.Type, how resolve.Strategy) resolve.Value {
	switch {
	case found.value.Valid():
		m := found.value.Symbol()
		return c.invoked(csharpInstance(resolve.Type{Text: m.Returns, File: found.value.File, Scope: m.Parent, Bind: found.bind}, how))
	case found.ok:
		return csharpInstance(c.returns(s, found.method, h, receiver), resolve.TypedResult).Via(how)
	case len(found.all) > 0:
		first := found.all[0].Symbol().Returns
		for _, r := range found.all {
			if r.Symbol().Returns != first || len(csharpTypeParameters(r)) > 0 {
				return resolve.Value{}
			}
		}
		return csharpInstance(resolve.Type{Text: first, File: found.all[0].File, Scope: found.all[0].Index, Bind: found.bind}, resolve.TypedResult).Via(how)
	}
	return resolve.Value{}
}

// returns is the result type of m for what is handed over: its type parameters
// are what is written, or what the arguments that are just of them tell.
func (c csharpEvaluator) returns(s resolve.Scope, m csharpMethod, h csharpHands, receiver resolve.Type) resolve.Type {
	sym := m.Symbol()
	t := resolve.Type{Text: sym.Returns, File: m.File, Scope: m.Index, Bind: m.bind}
	names := csharpTypeParameters(m.Ref)
	if len(names) == 0 {
		return t
	}
	if len(h.types) == len(names) {
		for i, n := range names {
			t.Bind = &resolve.Binding{Name: n, Type: resolve.Type{Text: h.types[i], File: s.File, Scope: s.At}, Next: t.Bind}
		}
		return t
	}
	for _, n := range names {
		if bound, ok := c.infer(s, m, n, h, receiver); ok {
			t.Bind = &resolve.Binding{Name: n, Type: bound, Next: t.Bind}
		}
	}
	return t
}

func (c csharpEvaluator) infer(s resolve.Scope, m csharpMethod, name string, h csharpHands, receiver resolve.Type) (resolve.Type, bool) {
	if m.first == 1 {
		if bound, ok := c.unify(csharpBare(m.Symbol().Parameters[0].Type), name, receiver); ok {
			return bound, true
		}
	}
	for i, a := range h.args {
		p, ok := m.parameter(h, i)
		if !ok || !strings.Contains(p.Type, name) {
			continue
		}
		if v := csharpEval(s, c.w, a); v.Kind == resolve.Instance {
			if bound, ok := c.unify(csharpBare(p.Type), name, v.Type); ok {
				return bound, true
			}
		}
	}
	return resolve.Type{}, false
}

// unify is what the type parameter name is when t is handed to text: T itself,
// or one of the arguments of the same generic type.
func (c csharpEvaluator) unify(text, name string, t resolve.Type) (resolve.Type, bool) {
	if text == name {
		return t, t.File != nil
	}
	want, arguments := csharpCut(text)
	have := csharpResolve(c.w, t)
	for i, a := range arguments {
		if a != name {
			continue
		}
		for _, b := range csharpSupertypes(c.w, have) {
			same := !b.known() && csharpIs(b, csharpType{name: want}) || b.known() && b.parts[0].Symbol().Name == want
			if same && len(b.args) == len(arguments) {
				return b.args[i], true
			}
		}
	}
	return resolve.Type{}, false
}
