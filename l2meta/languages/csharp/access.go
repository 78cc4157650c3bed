package csharp

import (
	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// Access resolves a read or an assignment of a property: of an object, of a type or, for a bare
// name, of the enclosing type:
//
//	decimal Total => Sum(items);
//	...
//	Show(order.Total)   runs Order.Total
//
// Getter and setter are one symbol.
func (Language) Access(w *resolve.World, f *resolve.File, c *code.Call) resolve.Verdict {
	s := resolve.Scope{W: w, File: f, At: c.Caller, Pos: c.NameSpan.StartByte}
	if c.Receiver == "" {
		v := eval(s, w, &expr.Expr{Op: expr.OpName, Name: c.Callee})
		if !v.Property.Valid() || local(s, c.Callee) != nil {
			return resolve.Verdict{Outcome: resolve.NoCall}
		}
		return onSelf(w, s, resolve.Resolved(v.Property, ofSelf(s, v.Property), "a property of the type around"))
	}
	receiver := expr.Parse(c.Receiver, dialect)
	x := eval(s, w, receiver)
	switch x.Kind {
	case resolve.Unknown:
		return resolve.Unresolved("the type of " + c.Receiver + " is not known")
	case resolve.Class, resolve.Instance:
	default:
		return resolve.Verdict{Outcome: resolve.NoCall}
	}
	property := evaluator{w: w}.Member(s, x,
		&expr.Expr{Op: expr.OpMember, X: receiver, Name: c.Callee, Sep: "."}).Property
	if !property.Valid() {
		return resolve.Verdict{Outcome: resolve.NoCall}
	}
	how := x.How
	switch {
	case c.Receiver == "this" || c.Receiver == "base":
		how = ofSelf(s, property)
	case how == "" || x.Kind == resolve.Class:
		how = resolve.TypedStatic
	}
	return dispatched(w, s, c, x, resolve.Resolved(property, how, "a property of "+c.Receiver))
}
