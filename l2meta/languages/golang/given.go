package golang

import (
	"go/ast"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// fieldOf returns the field called name that struct decl itself declares; the zero Ref if it has
// none.
func fieldOf(decl resolve.Ref, name string) resolve.Ref {
	return decl.Member(name, code.KindField)
}

// mayHold reports whether a value of type t may be a function. It reports true for types that are
// declared outside the workspace.
func (g *reader) mayHold(t goType) bool {
	u := g.underlying(t)
	if _, ok := u.form.(*ast.FuncType); ok && u.kind == literal {
		return true
	}
	return u.kind == foreign
}

func (Language) HoldsFunction(w *resolve.World, property resolve.Ref) bool {
	p := property.Parent()
	if property.Symbol().Kind != code.KindField || !p.Valid() || p.Symbol().Kind != code.KindStruct {
		return false
	}
	g := newReader(w)
	return g.mayHold(g.typ(g.inside(goType{kind: named, decl: p}), parse(property.File, property.Symbol().Returns)))
}

// Given returns the field and the function that a fact about a store into a field names: handle and
// serve for server{handle: serve}, server{serve} and s.handle = serve. A Ref is zero if it is
// unknown.
func (Language) Given(w *resolve.World, f *resolve.File, fact *code.Fact) (property, given resolve.Ref) {
	g := newReader(w)
	p := place{file: f, symbol: fact.Owner, pos: fact.Span.StartByte}
	v := g.eval(p, parse(f, fact.Type))
	if v.kind != function {
		return
	}
	if typ, at, ok := code.CutPlace(fact.Name); ok {
		return g.placed(p, typ, at), v.ref
	}
	if x, ok := parse(f, fact.Name).(*ast.SelectorExpr); ok {
		property = g.selector(p, g.eval(p, x.X), x.Sel.Name).field
	}
	return property, v.ref
}

// placed returns the field at a position in the declaration of the struct typ: the first one for
// serve in server{serve}. It returns the zero Ref if there is none.
func (g *reader) placed(p place, typ string, place code.Place) resolve.Ref {
	at, ok := place.Index()
	t := g.typ(p, parse(p.file, typ))
	if !ok || t.kind != named || t.decl.Symbol().Kind != code.KindStruct {
		return resolve.Ref{}
	}
	for _, i := range t.decl.File.Children(t.decl.Index) {
		if t.decl.File.Symbols[i].Kind != code.KindField {
			continue
		}
		if at--; at < 0 {
			return t.decl.File.Ref(i)
		}
	}
	return resolve.Ref{}
}

// GivenBy returns the name of the struct that declares a field. Composite literals with that name
// may set the field by position, as in server{serve}.
func (Language) GivenBy(_ *resolve.World, property resolve.Ref) []string {
	if p := property.Parent(); p.Valid() {
		return []string{p.Symbol().Name}
	}
	return nil
}
