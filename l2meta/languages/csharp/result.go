package csharp

import (
	"strconv"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// Result evaluates a call: F(…), x.F(…), x.F<T>(…), or a call f(…) of a delegate. If the
// workspace does not declare the method, it looks in library.txt.
func (c evaluator) Result(s resolve.Scope, f resolve.Value, e *expr.Expr) resolve.Value {
	h := handsOf(e)
	x := e.X
	if x.Op == expr.OpGeneric {
		h.typeCount, h.types, x = len(x.TypeArgs), x.TypeArgs, x.X
	}
	switch {
	case f.Kind == resolve.Instance: // a variable that holds a delegate
		return c.invoked(f)
	case x.Op == expr.OpName && x.Name == "nameof":
		return c.Literal(s, &expr.Expr{Name: "string"})
	case x.Op == expr.OpName:
		found := unqualified(c.w, s, x.Name, h)
		if found.library {
			return c.libraryResult(s, resolve.Value{Type: found.on, Module: x.Name}, h)
		}
		return c.resultOf(s, found, h, resolve.Type{}, "")
	case f.Kind != resolve.Function:
		return resolve.Value{}
	}
	found, _ := member(c.w, s, f.Type, f.Module, h)
	v := c.resultOf(s, found, h, f.Type, f.How)
	if v.Kind == resolve.Unknown && !found.ok && !found.several {
		return c.libraryResult(s, f, h)
	}
	return v
}

// libraryResult evaluates a call of the library method f: for jobs.First(), where jobs is a List<Job>, it
// returns a Job. It returns the zero Value if library.txt does not list the method.
func (c evaluator) libraryResult(s resolve.Scope, f resolve.Value, h hands) resolve.Value {
	t := csharpResolve(c.w, f.Type)
	if f.Module == "GetValueOrDefault" && strings.HasSuffix(f.Type.Text, "?") {
		return instance(f.Type, f.How)
	}
	g, ok := tabledMethod(c.w, t, f.Module, h.count)
	if !ok || g.result == "" {
		return resolve.Value{}
	}
	return instance(c.bound(s, g, h).typ(g.result), resolve.TypedElement).Via(f.How)
}

// bound returns signature g after binding the type parameters of the method, by explicit type
// arguments or by the types of the arguments: for Select, !0 is bound to string if the lambda
// returns a string.
func (c evaluator) bound(s resolve.Scope, g signature, h hands) signature {
	for i, text := range h.types {
		g.bind = &resolve.Binding{Name: "!" + strconv.Itoa(i),
			Type: resolve.Type{Text: text, File: s.File, Scope: s.At}, Next: g.bind}
	}
	for i, p := range g.parameters {
		if i >= len(h.args) || !strings.Contains(p, "!") {
			continue
		}
		given := c.handedOver(s, g, p, h.args[i])
		if given.Kind != resolve.Instance {
			continue
		}
		if p = lastResult(p); strings.Contains(p, "!") {
			c.bindTo(&g, p, given.Type)
		}
	}
	return g
}

// handedOver evaluates argument a of a library method with signature g. For a lambda, x =>
// x.Name, it evaluates the body, with the types that the signature gives to the lambda's
// parameters.
func (c evaluator) handedOver(s resolve.Scope, g signature, parameter string, a *expr.Expr) resolve.Value {
	if a.Op != expr.OpLiteral || a.Name != "function" {
		return c.eval(s, a)
	}
	names, body, ok := strings.Cut(a.Text, "=>")
	if body = strings.TrimSpace(body); !ok || body == "" || body[0] == '{' {
		return resolve.Value{}
	}
	inner := c
	for k, name := range expr.SplitTypes(strings.Trim(strings.TrimSpace(names), "()")) {
		v := resolve.Value{}
		if t, ok := c.parameterOf(g.typ(parameter), k); ok {
			v = instance(t, resolve.TypedElement)
		}
		inner.given = &given{name: name[strings.LastIndexByte(name, ' ')+1:], value: v, next: inner.given}
	}
	return inner.eval(s, expr.Parse(body, dialect))
}

// lastResult returns the result type of a delegate type, R of Func<T, R>, and any other type
// unchanged.
func lastResult(text string) string {
	name, arguments := cut(text)
	switch {
	case name == "Expression" && len(arguments) == 1:
		return lastResult(arguments[0])
	case name == "Func" || name == "Converter":
		return arguments[len(arguments)-1]
	}
	return text
}

// bindTo binds the type parameters in text to the types that make text equal to t: !0 to Job, for
// the text IEnumerable<!0> and the type List<Job>.
func (c evaluator) bindTo(g *signature, text string, t resolve.Type) {
	if text[0] == '!' {
		if _, ok := g.bind.Lookup(text); !ok {
			g.bind = &resolve.Binding{Name: text, Type: t, Next: g.bind}
		}
		return
	}
	_, arguments := cut(text)
	for _, a := range arguments {
		if a == "" || a[0] != '!' {
			continue
		}
		if bound, ok := c.unify(text, a, t); ok {
			c.bindTo(g, a, bound)
		}
	}
}

// invoked evaluates a call of delegate f. The value has the declared result type of the delegate,
// or the last type argument of Func.
func (c evaluator) invoked(f resolve.Value) resolve.Value {
	t := csharpResolve(c.w, f.Type)
	if t.known() {
		for _, fact := range t.parts[0].Facts() {
			if fact.Kind == code.FactResult {
				return instance(resolve.Type{Text: fact.Type, File: t.parts[0].File, Scope: t.parts[0].Index,
					Bind: t.bind()}, resolve.TypedResult)
			}
		}
	}
	if t.name == "Func" && len(t.args) > 0 {
		return instance(t.args[len(t.args)-1], resolve.TypedResult)
	}
	return resolve.Value{}
}

// resultOf evaluates a call of the method in found. If several methods fit, it returns the result
// type that all of them declare.
func (c evaluator) resultOf(s resolve.Scope, found csharpFound, h hands, receiver resolve.Type,
	how resolve.Strategy) resolve.Value {
	switch {
	case found.value.Valid():
		m := found.value.Symbol()
		return c.invoked(instance(resolve.Type{Text: m.Returns, File: found.value.File, Scope: m.Parent,
			Bind: found.bind}, how))
	case found.ok:
		return instance(c.returns(s, found.method, h, receiver), resolve.TypedResult).Via(how)
	case len(found.all) > 0:
		first := found.all[0].Symbol().Returns
		for _, r := range found.all {
			if r.Symbol().Returns != first || len(typeParameters(r)) > 0 {
				return resolve.Value{}
			}
		}
		return instance(resolve.Type{Text: first, File: found.all[0].File, Scope: found.all[0].Index, Bind: found.bind},
			resolve.TypedResult).Via(how)
	}
	return resolve.Value{}
}

// returns returns the result type of m for a call. The type parameters of m are bound by explicit type
// arguments, First<int>(xs), or inferred from the types of the arguments and of the receiver.
func (c evaluator) returns(s resolve.Scope, m method, h hands, receiver resolve.Type) resolve.Type {
	sym := m.Symbol()
	t := resolve.Type{Text: sym.Returns, File: m.File, Scope: m.Index, Bind: m.bind}
	names := typeParameters(m.Ref)
	if len(names) == 0 {
		return t
	}
	if len(h.types) == len(names) {
		for i, n := range names {
			t.Bind = &resolve.Binding{Name: n,
				Type: resolve.Type{Text: h.types[i], File: s.File, Scope: s.At}, Next: t.Bind}
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

// infer returns the type argument that the arguments of a call determine for the type parameter
// name: int for First<T>(List<T> xs) and First(new List<int>()). receiver is the type of the
// receiver if m is an extension method. It returns false if the arguments do not determine it.
func (c evaluator) infer(s resolve.Scope, m method, name string, h hands, receiver resolve.Type) (resolve.Type, bool) {
	if m.first == 1 {
		if bound, ok := c.unify(bare(m.Symbol().Parameters[0].Type), name, receiver); ok {
			return bound, true
		}
	}
	for i, a := range h.args {
		p, ok := m.parameter(h, i)
		if !ok || !strings.Contains(p.Type, name) {
			continue
		}
		if v := c.eval(s, a); v.Kind == resolve.Instance {
			if bound, ok := c.unify(bare(p.Type), name, v.Type); ok {
				return bound, true
			}
		}
	}
	return resolve.Type{}, false
}

// unify returns the type that the type parameter name must be, so that a value of type t can be
// passed to a parameter whose type is text: t itself if text is T, and int for List<T> and
// List<int>. It returns false if text does not determine the type.
func (c evaluator) unify(text, name string, t resolve.Type) (resolve.Type, bool) {
	if text == name {
		return t, t.File != nil || t.Scope == inLibrary
	}
	want, arguments := cut(text)
	have := csharpResolve(c.w, t)
	for i, a := range arguments {
		if a != name {
			continue
		}
		for _, b := range supertypes(c.w, have) {
			same := !b.known() && is(b, csharpType{name: want}) || b.known() && b.parts[0].Symbol().Name == want
			if same && len(b.args) == len(arguments) {
				return b.args[i], true
			}
		}
	}
	return resolve.Type{}, false
}
