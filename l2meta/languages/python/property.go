package python

import (
	"slices"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// Access resolves a read or an assignment of an attribute:
//
//	class Order:
//	    @property
//	    def total(self): ...     runs where o.total is read
//	    @total.setter
//	    def total(self, v): ...  runs where o.total is assigned
//
// Order.total, read from the class instead of an object, is the property itself, and runs nothing.
func (p Language) Access(w *resolve.World, f *resolve.File, c *code.Call) resolve.Verdict {
	s := resolve.Scope{W: w, File: f, At: c.Caller, Pos: c.NameSpan.StartByte}
	receiver := expr.Parse(c.Receiver, dialect)
	x := resolve.Eval(p, s, receiver)
	switch {
	case x.Kind == resolve.Unknown:
		return resolve.Unresolved("the type of " + c.Receiver + " is not known")
	case x.Kind != resolve.Instance:
		return resolve.Verdict{Outcome: resolve.NoCall}
	}
	// looks up the class's declaration, because a value that was assigned earlier is no property
	m := attribute(w, x, c.Callee)
	if !m.owner.Valid() {
		return resolve.Verdict{Outcome: resolve.NoCall}
	}
	property := accessorOf(m.owner, c.Callee, c.Args > 0)
	if !property.Valid() {
		return resolve.Verdict{Outcome: resolve.NoCall}
	}
	return resolve.Resolved(property, step(s, x, m), "a property of "+c.Receiver).DirectlyIf(x.Module == super ||
		made(s, receiver)).On(x.Ref)
}

// accessorOf returns the getter of the property called name that class declares or, if setter is
// set, its setter; the zero Ref if there is none.
func accessorOf(class resolve.Ref, name string, setter bool) resolve.Ref {
	for _, i := range class.File.Children(class.Index) {
		s := &class.File.Symbols[i]
		if s.Name != name || s.Kind != code.KindProperty || hasAccessor(s, "deleter") {
			continue
		}
		if hasAccessor(s, "setter") == setter {
			return class.File.Ref(i)
		}
	}
	return resolve.Ref{}
}

// hasAccessor reports whether the declaration s is the setter or the deleter of a property, by a
// decorator such as @total.setter. as is "setter" or "deleter".
func hasAccessor(s *code.Symbol, as string) bool {
	return slices.ContainsFunc(s.Annotations, func(a string) bool { return decoratorName(a) == as })
}

// overriddenBy returns the properties that override r, a getter or setter of class, in subclasses of
// class.
func overriddenBy(w *resolve.World, class, r resolve.Ref) (out []resolve.Ref) {
	for _, c := range subclasses(w, class) {
		if p := accessorOf(c, r.Symbol().Name, hasAccessor(r.Symbol(), "setter")); p.Valid() {
			out = append(out, p)
		}
	}
	return out
}

// Assigns reports whether an accessor is a setter.
func (Language) Assigns(property resolve.Ref) bool { return hasAccessor(property.Symbol(), "setter") }
