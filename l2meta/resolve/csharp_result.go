package resolve

import (
	"sextant/internal/code"
	"strings"
)

func (c csharpEvaluator) Result(s Scope, f Value, e *Expr) Value {
	h := csharpHandsOf(e)
	x := e.X
	if x.Op == OpGeneric {
		h.typeCount, h.types, x = len(x.TypeArgs), x.TypeArgs, x.X
	}
	switch {
	case f.Kind == Instance: // a delegate
		return c.invoked(f)
	case x.Op == OpName && x.Name == "nameof":
		return c.Literal(s, &Expr{Name: "string"})
	case x.Op == OpName:
		return c.resultOf(s, csharpUnqualified(c.w, s, x.Name, h), h, Type{}, "")
	case f.Kind != Function:
		return Value{}
	}
	found, _ := csharpMember(c.w, s, f.Type, f.Module, h)
	v := c.resultOf(s, found, h, f.Type, f.How)
	if v.Kind == Unknown && !found.ok && !found.several {
		if std, ok := csharpStandardResult(csharpResolve(c.w, f.Type), f.Module); ok {
			return csharpInstance(std, TypedElement).Via(f.How)
		}
	}
	return v
}

// invoked is the result of calling a delegate: the last argument of Func.
func (c csharpEvaluator) invoked(f Value) Value {
	t := csharpResolve(c.w, f.Type)
	if t.known() {
		for _, fact := range t.parts[0].Facts() {
			if fact.Kind == code.FactResult {
				return csharpInstance(Type{Text: fact.Type, File: t.parts[0].File, Scope: t.parts[0].Index, Bind: t.bind()}, TypedResult)
			}
		}
	}
	if t.name == "Func" && len(t.args) > 0 {
		return csharpInstance(t.args[len(t.args)-1], TypedResult)
	}
	return Value{}
}

// resultOf is what a method gives back: of several that fit, what all give.
func (c csharpEvaluator) resultOf(s Scope, found csharpFound, h csharpHands, receiver Type, how Strategy) Value {
	switch {
	case found.value.Valid():
		m := found.value.Symbol()
		return c.invoked(csharpInstance(Type{Text: m.Returns, File: found.value.File, Scope: m.Parent, Bind: found.bind}, how))
	case found.ok:
		return csharpInstance(c.returns(s, found.method, h, receiver), TypedResult).Via(how)
	case len(found.all) > 0:
		first := found.all[0].Symbol().Returns
		for _, r := range found.all {
			if r.Symbol().Returns != first || len(csharpTypeParameters(r)) > 0 {
				return Value{}
			}
		}
		return csharpInstance(Type{Text: first, File: found.all[0].File, Scope: found.all[0].Index, Bind: found.bind}, TypedResult).Via(how)
	}
	return Value{}
}

// returns is the result type of m for what is handed over: its type parameters
// are what is written, or what the arguments that are just of them tell.
func (c csharpEvaluator) returns(s Scope, m csharpMethod, h csharpHands, receiver Type) Type {
	sym := m.Symbol()
	t := Type{Text: sym.Returns, File: m.File, Scope: m.Index, Bind: m.bind}
	names := csharpTypeParameters(m.Ref)
	if len(names) == 0 {
		return t
	}
	if len(h.types) == len(names) {
		for i, n := range names {
			t.Bind = &Binding{Name: n, Type: Type{Text: h.types[i], File: s.File, Scope: s.At}, Next: t.Bind}
		}
		return t
	}
	for _, n := range names {
		if bound, ok := c.infer(s, m, n, h, receiver); ok {
			t.Bind = &Binding{Name: n, Type: bound, Next: t.Bind}
		}
	}
	return t
}

func (c csharpEvaluator) infer(s Scope, m csharpMethod, name string, h csharpHands, receiver Type) (Type, bool) {
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
		if v := csharpEval(s, c.w, a); v.Kind == Instance {
			if bound, ok := c.unify(csharpBare(p.Type), name, v.Type); ok {
				return bound, true
			}
		}
	}
	return Type{}, false
}

// unify is what the type parameter name is when t is handed to text: T itself,
// or one of the arguments of the same generic type.
func (c csharpEvaluator) unify(text, name string, t Type) (Type, bool) {
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
	return Type{}, false
}
