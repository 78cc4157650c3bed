package typescript

import (
	"slices"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// Access resolves a read or an assignment of a member:
//
//	class Cart {
//	  get total() { … }   runs where cart.total is read
//	  set total(v) { … }  runs where cart.total is assigned
//	}
//
// An access to a property of an interface, or to an abstract one, runs the accessor that implements it. A
// member of an object type or a union is assumed to have no accessor.
func (Language) Access(w *resolve.World, f *resolve.File, c *code.Call) resolve.Verdict {
	s := resolve.Scope{W: w, File: f, At: c.Caller, Pos: c.NameSpan.StartByte}
	x := evalText(s, c.Receiver)
	accessor := resolve.Ref{}
	switch x.Kind {
	case resolve.Unknown:
		return resolve.Unresolved("the type of " + c.Receiver + " is not known")
	case resolve.Class:
		accessor = accessorOf(w, x.Ref, c, true, 0)
	case resolve.Instance:
		shape := readType(w, x.Type)
		switch shape.form {
		case declared:
			accessor = accessorOf(w, shape.ref, c, false, 0)
		case opaque:
			return resolve.Unresolved("the type of " + c.Receiver + " is not known")
		}
	}
	if !accessor.Valid() {
		return resolve.Verdict{Outcome: resolve.NoCall}
	}
	v := resolve.Value{Kind: resolve.Function, Ref: accessor}
	return resolve.Resolved(accessor, rung(s, c, x, v),
		how(c, accessor)).DirectlyIf(direct(s, c, x)).On(declaring(w, x))
}

// accessorOf returns the getter or setter that the access c runs, where c reads or assigns a
// member of the class or of its instance. The class or one of its bases declares it. If the
// member is abstract, or a property of an interface, it returns the member itself. It returns the
// zero Ref if the member has no accessor. static selects the members of the class itself.
func accessorOf(w *resolve.World, class resolve.Ref, c *code.Call, static bool, depth int) resolve.Ref {
	has, open := false, resolve.Ref{}
	for _, i := range merged(class) {
		for _, m := range class.File.Children(i) {
			s := &class.File.Symbols[m]
			if s.Name != c.Callee || slices.Contains(s.Modifiers, "static") != static {
				continue
			}
			if has = true; s.Computed && (len(s.Parameters) > 0) == (c.Args > 0) {
				return class.File.Ref(m)
			}
			if class.Symbol().Kind == code.KindInterface && s.Kind == code.KindProperty ||
				slices.Contains(s.Modifiers, "abstract") && !s.Computed {
				open = class.File.Ref(m)
			}
		}
	}
	if open.Valid() {
		return open
	}
	if has || depth > maxBases {
		return resolve.Ref{}
	}
	for _, fact := range class.Facts() {
		if fact.Kind != code.FactBase {
			continue
		}
		base := tsBase(w, resolve.Type{Text: fact.Type, File: class.File, Scope: class.Index}, class)
		if base.form != declared || base.ref == class {
			continue
		}
		if a := accessorOf(w, base.ref, c, static, depth+1); a.Valid() {
			return a
		}
	}
	return resolve.Ref{}
}

// accessorsFor returns the getters and setters of type sub that run where member r of a base of sub is
// read or assigned.
func accessorsFor(sub, r resolve.Ref) (out []resolve.Ref) {
	of, static := r.Symbol(), resolve.HasModifier(r.Symbol(), "static")
	for _, i := range sub.File.Children(sub.Index) {
		s := &sub.File.Symbols[i]
		if s.Name == of.Name && s.Computed && s.Body[1] > 0 && resolve.HasModifier(s, "static") == static &&
			(!of.Computed || len(s.Parameters) == len(of.Parameters)) {
			out = append(out, sub.File.Ref(i))
		}
	}
	return out
}

// Assigns reports whether an accessor is a setter.
func (Language) Assigns(property resolve.Ref) bool { return len(property.Symbol().Parameters) > 0 }
