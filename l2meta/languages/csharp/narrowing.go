package csharp

import (
	"slices"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// Narrowed reports whether the type of impl, or one that derives from it, binds type parameters of
// base's type to certain types, as class Crates : IDepot<Crate> does.
func (Language) Narrowed(w *resolve.World, base, impl resolve.Ref) bool {
	return len(typeParameters(base.Parent())) > 0 && len(boundIn(w, base.Parent(), impl.Parent())) > 0
}

type boundKey struct{ generic, class resolve.Ref }

// boundIn returns generic as class and the types that derive from it name it among their bases:
// IDepot<Crate> for class Crates : IDepot<Crate>. It returns nil if one of these types has any type
// argument, as class Depot<T> : IDepot<T> has.
func boundIn(w *resolve.World, generic, class resolve.Ref) []csharpType {
	return resolve.Derive(w, boundKey{generic, class}, func() (out []csharpType) {
		for _, t := range append([]resolve.Ref{class}, below(w, class)...) {
			for _, b := range instances(w, csharpResolve(w, self(t)), generic) {
				if !slices.ContainsFunc(b.args, func(a resolve.Type) bool { return csharpResolve(w, a).certain() }) {
					return nil
				}
				out = append(out, b)
			}
		}
		return out
	})
}

// instances returns generic as t and its supertypes name it: IDepot<Crate> for a Crates, if class
// Crates : IDepot<Crate>.
func instances(w *resolve.World, t csharpType, generic resolve.Ref) (out []csharpType) {
	for _, b := range supertypes(w, t) {
		if slices.Contains(b.parts, generic) {
			out = append(out, b)
		}
	}
	return out
}

// certain reports whether t is a type that can differ from another: no type parameter, and not unknown.
func (t csharpType) certain() bool {
	return t.parameter == "" && len(t.any) == 0 && (t.known() || t.name != "")
}

// Receives reports whether the receiver of c may be of the type of impl, and whether impl has the
// parameters that base has there: for depot.Put(x), whether an IDepot<Crate> may be a Labels, where
// class Labels : IDepot<Label>.
func (Language) Receives(w *resolve.World, f *resolve.File, c *code.Call, base, impl resolve.Ref) bool {
	wanted := receiverAs(w, f, c, base.Parent())
	if len(wanted) == 0 {
		return true
	}
	return slices.ContainsFunc(boundIn(w, base.Parent(), impl.Parent()), func(have csharpType) bool {
		return slices.ContainsFunc(wanted, func(want csharpType) bool {
			return sameBinding(w, have, want, 0) && sameParameters(w, impl, base, have.bind())
		})
	})
}

// sameParameters reports whether m may have the parameter types of r, a method of a base type whose
// type parameters bind binds: Put(Label) has not those of Put(T) where T is Crate. They have as many.
func sameParameters(w *resolve.World, m, r resolve.Ref, bind *resolve.Binding) bool {
	for i, p := range r.Symbol().Parameters {
		a := csharpResolve(w, resolve.Type{Text: m.Symbol().Parameters[i].Type, File: m.File, Scope: m.Index})
		b := csharpResolve(w, resolve.Type{Text: p.Type, File: r.File, Scope: r.Index, Bind: bind})
		if differ(a, b) {
			return false
		}
	}
	return true
}

// differ reports whether a and b are certainly not the same type.
func differ(a, b csharpType) bool {
	switch {
	case !a.certain() || !b.certain():
		return false
	case a.known() && b.known():
		return a.parts[0] != b.parts[0]
	case a.known() || b.known():
		return a.settled() && b.settled()
	}
	return csharpName(a.name) != csharpName(b.name) && a.settled() && b.settled()
}

// settled reports whether the declaration of t is known: in the workspace, the library or the language.
func (t csharpType) settled() bool {
	return t.known() || t.lib != nil || primitive(t.name) || t.name == "[]" || t.name == "()" ||
		csharpName(t.name) == "object"
}

type receiverKey struct {
	file    int64
	start   int
	generic resolve.Ref
}

// receiverAs returns generic as the declared type of c's receiver names it, nil if that is unknown:
// IDepot<Crate> for depot.Put(x) with IDepot<Crate> depot.
func receiverAs(w *resolve.World, f *resolve.File, c *code.Call, generic resolve.Ref) []csharpType {
	if c.Receiver == "" {
		return nil
	}
	return resolve.Derive(w, receiverKey{f.ID, c.NameSpan.StartByte, generic}, func() []csharpType {
		s := resolve.Scope{W: w, File: f, At: c.Caller, Pos: c.NameSpan.StartByte}
		return instances(w, csharpResolve(w, eval(s, w, expr.Parse(c.Receiver, dialect)).Type), generic)
	})
}

// maxBinding bounds the depth to which type arguments are compared: Box<Box<Crate>> has two.
const maxBinding = 4

// sameBinding reports whether two constructed types of one declaration can be the same, or convert by
// variance: IDepot<Crate> and IDepot<T>, but not IDepot<Crate> and IDepot<Label>.
func sameBinding(w *resolve.World, a, b csharpType, depth int) bool {
	if depth > maxBinding || len(a.args) != len(b.args) {
		return true
	}
	for i := range a.args {
		if !agree(w, csharpResolve(w, a.args[i]), csharpResolve(w, b.args[i]), depth) {
			return false
		}
	}
	return true
}

// agree reports whether a type argument a may stand where b is expected, as the same type or one that
// is related to it. It reports true if that is not certain.
func agree(w *resolve.World, a, b csharpType, depth int) bool {
	switch {
	case !a.certain() || !b.certain() || csharpName(a.name) == "object" || csharpName(b.name) == "object":
		return true
	case a.known() && b.known():
		if a.parts[0] == b.parts[0] {
			return sameBinding(w, a, b, depth+1)
		}
		return resolve.Related(a.parts[0], b.parts[0], func(t resolve.Ref) []resolve.Ref { return below(w, t) })
	case a.known() || b.known():
		own, other := a, b
		if b.known() {
			own, other = b, a
		}
		return !primitive(other.name) && other.name != "[]" && other.name != "()" && foreignBase(w, own)
	case csharpName(a.name) == csharpName(b.name):
		return sameBinding(w, a, b, depth+1)
	}
	return !primitive(a.name) && !primitive(b.name)
}
