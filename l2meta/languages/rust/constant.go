package rust

import (
	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// maxSuper bounds the number of supertraits that are followed from one to the next.
const maxSuper = 4

func isConstant(kind code.Kind) bool { return kind == code.KindConstant }

// constants returns the associated constant called name of a type or a trait: of impl T { const
// MAX: u8 } and impl Limits for T { … }, else the one that a trait of the type declares. It
// returns several if their declared types differ; then the type of T::MAX is unknown.
func constants(w *resolve.World, typ resolve.Ref, name string) (out []resolve.Ref) {
	if typ.Symbol().Kind == code.KindTrait {
		return inTrait(w, typ, name, isConstant, maxSuper)
	}
	type key struct {
		typ  code.SymbolID
		name string
	}
	return resolve.Derive(w, key{typ.ID(), name}, func() (out []resolve.Ref) {
		for _, r := range candidates(w, typ, name, isConstant) {
			if implements(w, r, typ) && !(len(out) == 1 && sameConstant(out[0], r)) {
				out = append(out, r)
			}
		}
		if len(out) > 0 {
			return out
		}
		declared, _ := traits(w, name, isConstant)
		for _, r := range declared {
			if has(w, typ, r.Parent()) {
				out = append(out, r)
			}
		}
		return out
	})
}

// sameConstant reports whether two constants have the same type: two implementations in one file that both
// declare const NAME: Label.
func sameConstant(a, b resolve.Ref) bool {
	return a.File == b.File && a.Symbol().Parent == b.Symbol().Parent && a.Symbol().Returns == b.Symbol().Returns
}

// constantValue returns a value of the type of r, a constant or static. Self in that type means
// the type self: A::ZERO is an A if a trait declares const ZERO: Self. self is the zero Type if r
// is not in an implementation or a trait.
func constantValue(w *resolve.World, r resolve.Ref, self resolve.Type) resolve.Value {
	sym := r.Symbol()
	for _, fact := range append(r.Facts(), r.File.FactsOf(sym.Parent)...) {
		if fact.Kind != code.FactVar || fact.Name != sym.Name {
			continue
		}
		t := resolve.Type{Text: fact.Type, File: r.File, Scope: sym.Parent}
		if isMember(r.File, r.Index) {
			t.Scope = r.Index
		}
		if self.File != nil && see(w, self).known() {
			t.Bind = &resolve.Binding{Name: "Self", Type: self}
		}
		return resolve.InstanceOf(t, resolve.TypedWritten)
	}
	return resolve.Value{}
}
