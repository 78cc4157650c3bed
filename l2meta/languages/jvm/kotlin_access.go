package jvm

import (
	"sextant/internal/code"
	"sextant/l2meta/languages/jvm/facts"
	"sextant/l2meta/resolve"
)

// Access resolves a read or an assignment of a property, or the name of an object, to its
// declaration. A property with a getter runs code there:
//
//	val total: Int get() = sum(items)
//	...
//	show(order.total)   runs Order.total
//
// Getter and setter are one declaration.
func (Kotlin) Access(w *resolve.World, f *resolve.File, c *code.Call) resolve.Verdict {
	j := newJVM(w)
	p := place{file: f, at: c.Caller, pos: c.NameSpan.StartByte}
	x := jvmValue{own: true}
	if c.Receiver != "" {
		if x = j.values.eval(p, p.parse(c.Receiver)); x.kind == resolve.Unknown {
			return resolve.Unresolved("the type of " + c.Receiver + " is not known")
		}
	}
	property := j.values.eval(p, p.parse(path(c.Receiver, facts.Bare(c.Callee)))).member
	if !property.Valid() {
		return resolve.Verdict{Outcome: resolve.NoCall}
	}
	how := x.strategy()
	if x.own {
		if how = resolve.SameType; property.File != f {
			how = resolve.Inherited
		}
	}
	return j.calls.dispatched(p, c, x, resolve.Resolved(property, how, "the property "+property.Symbol().QualifiedName))
}
