package golang

import (
	"go/ast"
	"slices"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// selector evaluates x.name, where v is the value of x.
func (g *reader) selector(p place, v value, name string) value {
	switch v.kind {
	case packageName:
		if m, found := g.declared(p.file, v.pkg, name); found {
			return m
		}
		return unknownFor("package " + v.pkg.name + " declares no " + name)
	case goOutside:
		return g.foreign(p, v.module, name)
	case typeName, instance:
		return g.member(p.file, v.typ, name)
	}
	return unknownFor("the receiver is no value")
}

// maxEmbedding bounds the number of embedded fields through which a member is promoted.
const maxEmbedding = 8

// member returns the field or method called name of a value of type t: the one at the shallowest
// depth of embedding (Go spec, "Selectors"). It returns an unknown value if an embedded type from
// outside the workspace may have such a member at a shallower depth than the one that the
// workspace declares.
func (g *reader) member(from *resolve.File, t goType, name string) value {
	if !g.enter() {
		return value{}
	}
	defer g.leave()
	level, seen := []goType{g.pointee(t)}, []resolve.Ref{}
	for depth := range maxEmbedding {
		var found []value
		var next []goType
		outside := value{}
		for _, t := range level {
			if t.kind == named {
				if slices.Contains(seen, t.decl) {
					continue
				}
				seen = append(seen, t.decl)
			}
			m := g.direct(from, t, name)
			switch m.kind {
			case nothing:
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
			return unknownFor("several embedded types have " + name)
		case outside.kind == goOutside && len(next) == 0:
			return outside
		case outside.kind == goOutside:
			if deeper := g.deeper(from, next, name); deeper {
				return unknownFor("a type outside the workspace is embedded and may have " + name)
			}
			return outside
		}
		level = next
	}
	return unknownFor("no member " + name + " is known")
}

// deeper reports whether any of the types has a member called name that the workspace declares,
// either directly or through an embedded field.
func (g *reader) deeper(from *resolve.File, types []goType, name string) bool {
	return slices.ContainsFunc(types, func(t goType) bool {
		m := g.member(from, t, name)
		return m.kind == instance || m.kind == function
	})
}

// direct returns the member that t itself has, not through embedding.
func (g *reader) direct(from *resolve.File, t goType, name string) value {
	switch t.kind {
	case named:
		return g.ofNamed(from, t, name)
	case literal:
		return g.ofLiteral(from, t, name)
	case foreign:
		return g.foreignMember(from, t, name)
	case predeclared:
		return value{kind: goOutside, module: resolve.Builtin}
	case parameter:
		return g.ofConstraint(from, t, name)
	}
	return unknownFor("the type that has " + name + " is not known")
}

// ofNamed returns the method or field called name of the declared type t.
func (g *reader) ofNamed(from *resolve.File, t goType, name string) value {
	s := t.decl.Symbol()
	if s.Parent < 0 || s.Kind == code.KindInterface {
		refs := g.packages.methods(g.packages.of(from, t.decl).packageKey, s.QualifiedName, name)
		if s.Parent >= 0 {
			refs = children(t.decl, name)
		}
		if len(refs) > 0 {
			r, ok := pick(from, refs)
			if !ok {
				return unknownFor("several declarations of " + name + " under build constraints")
			}
			return value{kind: function, ref: r, bind: g.methodBinding(t, r)}
		}
	}
	for _, fact := range t.decl.Facts() {
		if fact.Kind == code.FactField && fact.Name == name {
			v := g.field(g.typ(g.inside(t), parse(t.decl.File, fact.Type)))
			v.field = fieldOf(t.decl, name)
			return v
		}
		if fact.Kind == code.FactBase && s.Kind != code.KindInterface &&
			embeddedName(parse(t.decl.File, fact.Type)) == name {
			return g.field(g.typ(g.inside(t), parse(t.decl.File, fact.Type)))
		}
	}
	if definition(t.decl) != "" {
		return g.ofUnderlying(from, t, name)
	}
	if s.Kind == code.KindInterface {
		return g.ofInterfaces(from, g.bases(t), name)
	}
	return value{}
}

// children returns the methods called name of interface r, which is declared in a function.
func children(r resolve.Ref, name string) (out []resolve.Ref) {
	for _, i := range r.File.Children(r.Index) {
		if s := &r.File.Symbols[i]; s.Name == name && s.Kind == code.KindMethod {
			out = append(out, r.File.Ref(i))
		}
	}
	return out
}

func (g *reader) field(t goType) value {
	if t.kind == unknown {
		return value{kind: instance}
	}
	return value{kind: instance, typ: t}.via(resolve.TypedWritten)
}

// ofUnderlying returns a member that the declared type t takes over from its underlying type: a
// field, or a method of an interface. Methods of other types are not taken over.
func (g *reader) ofUnderlying(from *resolve.File, t goType, name string) value {
	u := g.aliased(t)
	switch {
	case u.kind == predeclared:
		return value{reason: "no member " + name + " is known"}
	case u.kind == named && u.decl == t.decl:
		return value{}
	}
	if isPointer(u) && isPointer(g.underlying(g.pointee(u))) {
		// only one pointer is followed, because type T *T would lead to T again and again
		return value{reason: "no member " + name + " is known"}
	}
	m := g.member(from, u, name)
	if m.kind == function && !ofInterface(m.ref) && m.depth == 0 {
		return unknownFor("a defined type has no methods of its underlying one")
	}
	return m
}

func isPointer(t goType) bool {
	_, is := t.form.(*ast.StarExpr)
	return is && t.kind == literal
}

func ofInterface(method resolve.Ref) bool {
	owner := method.Parent()
	return owner.Valid() && owner.Symbol().Kind == code.KindInterface
}

// ofLiteral returns a member of a type literal: a field of struct{…}, or a method that interface{…}
// embeds. The methods that an interface literal itself declares are no symbols, so they are
// unknown.
func (g *reader) ofLiteral(from *resolve.File, t goType, name string) value {
	switch x := t.form.(type) {
	case *ast.StarExpr:
		return g.direct(from, g.pointee(t), name)
	case *ast.StructType:
		for _, f := range x.Fields.List {
			if slices.ContainsFunc(f.Names, func(n *ast.Ident) bool {
				return n.Name == name
			}) || len(f.Names) == 0 && embeddedName(f.Type) == name {
				return g.field(g.typ(t.place, f.Type))
			}
		}
	case *ast.InterfaceType:
		var bases []goType
		for _, f := range x.Methods.List {
			if len(f.Names) > 0 && f.Names[0].Name == name {
				return unknownFor("a method of an interface without a name")
			}
			if len(f.Names) == 0 {
				bases = append(bases, g.typ(t.place, f.Type))
			}
		}
		return g.ofInterfaces(from, bases, name)
	}
	return value{}
}

// ofInterfaces returns a method of the first embedded interface that has it. If several have it,
// their methods are the same.
func (g *reader) ofInterfaces(from *resolve.File, bases []goType, name string) value {
	outside := value{}
	for _, b := range bases {
		switch m := g.member(from, b, name); m.kind {
		case function:
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

// ofConstraint returns a member of a value whose type is the type parameter t: a method of its
// constraint, or a member of the only type that the constraint allows.
func (g *reader) ofConstraint(from *resolve.File, t goType, name string) value {
	c := g.typ(t.place, t.form)
	if c.kind == unknown {
		return unknownFor("the constraint of " + t.name + " is not known")
	}
	m := g.member(from, c, name)
	return m.via(resolve.TypedElement)
}

// embedded returns the types that t embeds, if t is a struct; none for any other type.
func (g *reader) embedded(t goType) (out []goType) {
	switch t.kind {
	case named:
		if t.decl.Symbol().Kind == code.KindInterface || definition(t.decl) != "" {
			return nil
		}
		for _, b := range g.bases(t) {
			out = append(out, g.pointee(b))
		}
	case literal:
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

// bases returns the types that a declared struct or interface embeds.
func (g *reader) bases(t goType) (out []goType) {
	for _, fact := range t.decl.Facts() {
		if fact.Kind == code.FactBase {
			out = append(out, g.typ(g.inside(t), parse(t.decl.File, fact.Type)))
		}
	}
	return out
}

// embeddedName returns the name of the field that a struct has by embedding type x: "Base" for
// *pkg.Base[T]. It returns "" if x is no type name.
func embeddedName(x ast.Expr) string {
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

// methodBinding returns bindings of the type parameters that the receiver of r names, to the type
// arguments of t.
func (g *reader) methodBinding(t goType, r resolve.Ref) *binding {
	if ofInterface(r) {
		return bind(typeParameters(t.decl), t.args, nil)
	}
	_, names, _ := g.receiverParameters(r)
	return bind(names, t.args, nil)
}
