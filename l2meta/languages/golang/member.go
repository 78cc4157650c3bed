package golang

import (
	"go/ast"
	"slices"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// selector is what x.name is, where v is what x is.
func (g *goReader) selector(p goPlace, v goValue, name string) goValue {
	switch v.kind {
	case goPackageName:
		if m, found := g.declared(p.file, v.pkg, name); found {
			return m
		}
		return goUnknownFor("package " + v.pkg.name + " declares no " + name)
	case goOutside:
		return g.foreign(p, v.module, name)
	case goTypeName, goInstance:
		return g.member(p.file, v.typ, name)
	}
	return goUnknownFor("the receiver is no value")
}

// maxGoEmbedding bounds how many embeddings a member may be promoted through.
const maxGoEmbedding = 8

// member is the field or method that a value of type t has under a name: the
// one at the shallowest depth of embedding (Go spec, "Selectors"). What a
// foreign type between might have is not known.
func (g *goReader) member(from *resolve.File, t goType, name string) goValue {
	if !g.enter() {
		return goValue{}
	}
	defer g.leave()
	level, seen := []goType{g.pointee(t)}, []resolve.Ref{}
	for depth := range maxGoEmbedding {
		var found []goValue
		var next []goType
		outside := goValue{}
		for _, t := range level {
			if t.kind == goNamed {
				if slices.Contains(seen, t.decl) {
					continue
				}
				seen = append(seen, t.decl)
			}
			m := g.direct(from, t, name)
			switch m.kind {
			case goNothing:
				if m.reason != "" {
					return m
				}
				next = append(next, g.embedded(t)...)
			case goOutside:
				outside = m
			default:
				m.depth = depth
				found = append(found, m)
			}
		}
		switch {
		case len(found) == 1:
			return found[0]
		case len(found) > 1:
			return goUnknownFor("several embedded types have " + name)
		case outside.kind == goOutside && len(next) == 0:
			return outside
		case outside.kind == goOutside:
			if deeper := g.deeper(from, next, name); deeper {
				return goUnknownFor("a type outside the workspace is embedded and may have " + name)
			}
			return outside
		}
		level = next
	}
	return goUnknownFor("no member " + name + " is known")
}

// deeper reports whether any of the types has the member.
func (g *goReader) deeper(from *resolve.File, types []goType, name string) bool {
	return slices.ContainsFunc(types, func(t goType) bool {
		m := g.member(from, t, name)
		return m.kind == goInstance || m.kind == goFunction
	})
}

// direct is the member that t itself has, without embedding.
func (g *goReader) direct(from *resolve.File, t goType, name string) goValue {
	switch t.kind {
	case goNamed:
		return g.ofNamed(from, t, name)
	case goLiteral:
		return g.ofLiteral(from, t, name)
	case goForeign:
		return g.foreignMember(from, t, name)
	case goPredeclared:
		return goValue{kind: goOutside, module: resolve.Builtin}
	case goParameter:
		return g.ofConstraint(from, t, name)
	}
	return goUnknownFor("the type that has " + name + " is not known")
}

// ofNamed is a method or a field of a declared type.
func (g *goReader) ofNamed(from *resolve.File, t goType, name string) goValue {
	s := t.decl.Symbol()
	if s.Parent < 0 || s.Kind == code.KindInterface {
		refs := g.packageOf(from, t.decl).methods(s.QualifiedName, name)
		if s.Parent >= 0 {
			refs = goChildren(t.decl, name)
		}
		if len(refs) > 0 {
			r, ok := goPick(from, refs)
			if !ok {
				return goUnknownFor("several declarations of " + name + " under build constraints")
			}
			return goValue{kind: goFunction, ref: r, bind: g.methodBinding(t, r)}
		}
	}
	for _, fact := range t.decl.Facts() {
		if fact.Kind == code.FactField && fact.Name == name {
			return g.field(g.typ(g.inside(t), goParse(t.decl.File, fact.Type)))
		}
		if fact.Kind == code.FactBase && s.Kind != code.KindInterface && goEmbeddedName(goParse(t.decl.File, fact.Type)) == name {
			return g.field(g.typ(g.inside(t), goParse(t.decl.File, fact.Type)))
		}
	}
	if goDefinition(t.decl) != "" {
		return g.ofUnderlying(from, t, name)
	}
	if s.Kind == code.KindInterface {
		return g.ofInterfaces(from, g.bases(t), name)
	}
	return goValue{}
}

// goChildren is the methods of a name that the interface r, declared inside of
// a function, has.
func goChildren(r resolve.Ref, name string) (out []resolve.Ref) {
	for _, i := range r.File.Children(r.Index) {
		if s := &r.File.Symbols[i]; s.Name == name && s.Kind == code.KindMethod {
			out = append(out, r.File.Ref(i))
		}
	}
	return out
}

func (g *goReader) field(t goType) goValue {
	if t.kind == goUnknown {
		return goValue{kind: goInstance}
	}
	return goValue{kind: goInstance, typ: t}.via(resolve.TypedWritten)
}

// ofUnderlying is a member that a declared type has of the type in its
// declaration: fields, and the methods of an interface, but no other methods.
func (g *goReader) ofUnderlying(from *resolve.File, t goType, name string) goValue {
	u := g.aliased(t)
	switch {
	case u.kind == goPredeclared:
		return goValue{reason: "no member " + name + " is known"}
	case u.kind == goNamed && u.decl == t.decl:
		return goValue{}
	}
	m := g.member(from, u, name)
	if m.kind == goFunction && !goOfInterface(m.ref) && m.depth == 0 {
		return goUnknownFor("a defined type has no methods of its underlying one")
	}
	return m
}

func goOfInterface(method resolve.Ref) bool {
	owner := method.Parent()
	return owner.Valid() && owner.Symbol().Kind == code.KindInterface
}

// ofLiteral is a member of a type literal: a field of a struct, a method of an
// interface. The methods of an interface literal are no symbols.
func (g *goReader) ofLiteral(from *resolve.File, t goType, name string) goValue {
	switch x := t.form.(type) {
	case *ast.StarExpr:
		return g.direct(from, g.pointee(t), name)
	case *ast.StructType:
		for _, f := range x.Fields.List {
			if slices.ContainsFunc(f.Names, func(n *ast.Ident) bool { return n.Name == name }) || len(f.Names) == 0 && goEmbeddedName(f.Type) == name {
				return g.field(g.typ(t.place, f.Type))
			}
		}
	case *ast.InterfaceType:
		var bases []goType
		for _, f := range x.Methods.List {
			if len(f.Names) > 0 && f.Names[0].Name == name {
				return goUnknownFor("a method of an interface without a name")
			}
			if len(f.Names) == 0 {
				bases = append(bases, g.typ(t.place, f.Type))
			}
		}
		return g.ofInterfaces(from, bases, name)
	}
	return goValue{}
}

// ofInterfaces is a method of the first embedded interface that has it: where
// several do, their methods are the same.
func (g *goReader) ofInterfaces(from *resolve.File, bases []goType, name string) goValue {
	outside := goValue{}
	for _, b := range bases {
		switch m := g.member(from, b, name); m.kind {
		case goFunction:
			m.depth++
			return m
		case goOutside:
			if m.module != resolve.Builtin || name == "Error" {
				outside = m
			}
		}
	}
	return outside
}

// ofConstraint is a method that the constraint of a type parameter demands, or
// a field or method of the one type that it allows.
func (g *goReader) ofConstraint(from *resolve.File, t goType, name string) goValue {
	c := g.typ(t.place, t.form)
	if c.kind == goUnknown {
		return goUnknownFor("the constraint of " + t.name + " is not known")
	}
	m := g.member(from, c, name)
	return m.via(resolve.TypedElement)
}

// embedded is the types that a struct embeds.
func (g *goReader) embedded(t goType) (out []goType) {
	switch t.kind {
	case goNamed:
		if t.decl.Symbol().Kind == code.KindInterface || goDefinition(t.decl) != "" {
			return nil
		}
		for _, b := range g.bases(t) {
			out = append(out, g.pointee(b))
		}
	case goLiteral:
		if x, ok := t.form.(*ast.StructType); ok {
			for _, f := range x.Fields.List {
				if len(f.Names) == 0 {
					out = append(out, g.pointee(g.typ(t.place, f.Type)))
				}
			}
		}
	}
	return out
}

// bases is the types that a declared struct or interface embeds.
func (g *goReader) bases(t goType) (out []goType) {
	for _, fact := range t.decl.Facts() {
		if fact.Kind == code.FactBase {
			out = append(out, g.typ(g.inside(t), goParse(t.decl.File, fact.Type)))
		}
	}
	return out
}

// goEmbeddedName is the name of the field that an embedded type makes.
func goEmbeddedName(x ast.Expr) string {
	for {
		switch y := x.(type) {
		case *ast.StarExpr:
			x = y.X
		case *ast.ParenExpr:
			x = y.X
		case *ast.IndexExpr:
			x = y.X
		case *ast.IndexListExpr:
			x = y.X
		case *ast.SelectorExpr:
			return y.Sel.Name
		case *ast.Ident:
			return y.Name
		default:
			return ""
		}
	}
}

// methodBinding gives the type parameters, as method r's receiver names them,
// the arguments of t.
func (g *goReader) methodBinding(t goType, r resolve.Ref) *goBinding {
	if goOfInterface(r) {
		return goBind(goTypeParameters(t.decl), t.args, nil)
	}
	_, names, _ := g.receiverParameters(r)
	return goBind(names, t.args, nil)
}
