package golang

import (
	"go/ast"
	"go/token"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// typeKind says how a type is written or declared.
type typeKind uint8

const (
	unknown     typeKind = iota
	named                // a type that the workspace declares: decl, with args
	literal              // a type literal: form, as written at place
	predeclared          // a predeclared type such as int: name
	foreign              // a type of package module, outside the workspace; args if written
	parameter            // a type parameter: name, its constraint form at place
	tuple                // the results of a call with several results: args
)

// goType is a type. Its kind determines which fields are set. The declaration of a named type is
// read only when a member is looked up.
type goType struct {
	kind   typeKind
	decl   resolve.Ref
	args   []goType
	form   ast.Expr
	place  place
	name   string
	module string
}

// typ returns the type that x denotes at p; the zero goType if it is unknown.
func (g *reader) typ(p place, x ast.Expr) goType {
	if x == nil || !g.enter() {
		return goType{}
	}
	defer g.leave()
	switch x := x.(type) {
	case *ast.ParenExpr:
		return g.typ(p, x.X)
	case *ast.Ident:
		return g.typeName(p, x.Name)
	case *ast.SelectorExpr:
		return g.qualifiedType(p, x)
	case *ast.IndexExpr:
		return g.instance(p, x.X, []ast.Expr{x.Index})
	case *ast.IndexListExpr:
		return g.instance(p, x.X, x.Indices)
	case *ast.StarExpr, *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType, *ast.StructType, *ast.InterfaceType:
		return goType{kind: literal, form: x, place: p}
	case *ast.UnaryExpr: // ~T and, in a constraint, nothing else
		if x.Op == token.TILDE {
			return g.typ(p, x.X)
		}
	}
	return goType{}
}

// typeName returns the type that an identifier denotes at p; the zero goType if it denotes none.
func (g *reader) typeName(p place, name string) goType {
	if t, ok := p.bind.lookup(name); ok {
		return t
	}
	if v := g.name(p, name); v.kind == typeName {
		return v.typ
	} else if v.kind == goOutside { // a type of a package that a dot import imports
		return goType{kind: foreign, module: v.module, name: name}
	}
	return goType{}
}

func (g *reader) qualifiedType(p place, x *ast.SelectorExpr) goType {
	pkg, ok := x.X.(*ast.Ident)
	if !ok {
		return goType{}
	}
	switch v := g.name(p, pkg.Name); v.kind {
	case packageName:
		if t, found := g.declared(p.file, v.pkg, x.Sel.Name); found && t.kind == typeName {
			return t.typ
		}
	case goOutside:
		return goType{kind: foreign, module: v.module, name: x.Sel.Name, place: p}
	}
	return goType{}
}

// instance returns the instance of a generic type with type arguments: List[int].
func (g *reader) instance(p place, generic ast.Expr, args []ast.Expr) goType {
	t := g.typ(p, generic)
	if t.kind != named && t.kind != foreign {
		return t
	}
	t.args = nil
	for _, a := range args {
		t.args = append(t.args, g.typ(p, a))
	}
	if t.kind == named && isAlias(t.decl) {
		return g.aliased(t)
	}
	return t
}

// declType returns the type that r declares. For an alias without type parameters it is the aliased
// type.
func (g *reader) declType(from *resolve.File, r resolve.Ref) goType {
	t := goType{kind: named, decl: r}
	if isAlias(r) && len(typeParameters(r)) == 0 {
		return g.aliased(t)
	}
	return t
}

func isAlias(r resolve.Ref) bool {
	m := r.Symbol().Modifiers
	return len(m) > 0 && m[0] == "alias" && definition(r) != ""
}

// definition returns the text of U for type T U and type T = U; "" for a struct or an interface.
func definition(r resolve.Ref) string {
	for _, fact := range r.Facts() {
		if fact.Kind == code.FactAlias && fact.Name == r.Symbol().Name {
			return fact.Type
		}
	}
	return ""
}

// aliased returns the type that an alias denotes.
func (g *reader) aliased(t goType) goType {
	if !g.enter() {
		return goType{}
	}
	defer g.leave()
	return g.typ(g.inside(t), parse(t.decl.File, definition(t.decl)))
}

// inside returns the position inside the declaration of t: names in it are resolved there, and the
// type parameters are bound to t's type arguments.
func (g *reader) inside(t goType) place {
	return place{file: t.decl.File, symbol: t.decl.Index, pos: t.decl.Symbol().Span.EndByte - 1,
		bind: bind(typeParameters(t.decl), t.args, nil)}
}

func bind(names []string, args []goType, next *binding) *binding {
	for i := range min(len(names), len(args)) {
		next = &binding{names[i], args[i], next}
	}
	return next
}

// typeParameters returns the names of the type parameters of a type or function.
func typeParameters(r resolve.Ref) (names []string) {
	for _, fact := range r.Facts() {
		if fact.Kind == code.FactAlias && fact.Name != r.Symbol().Name {
			names = append(names, fact.Name)
		}
	}
	return names
}

// goConstraint returns the constraint of a type parameter, as written. It returns false if r has no
// type parameter of that name.
func goConstraint(r resolve.Ref, name string) (string, bool) {
	for _, fact := range r.Facts() {
		if fact.Kind == code.FactAlias && fact.Name == name && name != r.Symbol().Name {
			return fact.Type, true
		}
	}
	return "", false
}

// localTypeName returns the local type called name in the functions around p, or a type parameter
// called name of these functions or of the type around p. It returns false if there is none.
func (g *reader) localTypeName(p place, name string) (goType, bool) {
	if start := localType(p, name); start >= 0 {
		for _, i := range p.file.Named(name) {
			if isLocalType(p, i) && p.file.Symbols[i].NameSpan.StartByte == start {
				return g.declType(p.file, p.file.Ref(i)), true
			}
		}
	}
	for at := p.symbol; at >= 0; at = p.file.Symbols[at].Parent {
		if t, ok := g.parameter(p.file.Ref(at), name); ok {
			return t, true
		}
	}
	return goType{}, false
}

// parameter returns the type parameter called name that r declares. A method declares the names in
// its receiver, as in func (m Map[K, V]) Get. It returns false if there is none.
func (g *reader) parameter(r resolve.Ref, name string) (goType, bool) {
	text, ok := goConstraint(r, name)
	if ok {
		place := place{file: r.File, symbol: r.Index, pos: r.Symbol().Span.StartByte}
		return goType{kind: parameter, name: name, form: parse(r.File, text), place: place}, true
	}
	owner, names, ok := g.receiverParameters(r)
	if !ok {
		return goType{}, false
	}
	for i, n := range names {
		if declared := typeParameters(owner); n == name && i < len(declared) {
			t, ok := g.parameter(owner, declared[i])
			t.name = name
			return t, ok
		}
	}
	return goType{}, false
}

// receiverParameters returns the type on which a method is declared, and the names that the
// receiver gives to its type parameters: K and V for func (m Map[K, V]) Get. It returns false if
// there are none.
func (g *reader) receiverParameters(r resolve.Ref) (owner resolve.Ref, names []string, ok bool) {
	fact := g.receiverOf(r.File, r.Index)
	if fact == nil {
		return resolve.Ref{}, nil, false
	}
	var args []ast.Expr
	x := parse(r.File, fact.Type)
	for {
		switch y := x.(type) {
		case *ast.StarExpr:
			x = y.X
			continue
		case *ast.ParenExpr:
			x = y.X
			continue
		case *ast.IndexExpr:
			x, args = y.X, []ast.Expr{y.Index}
			continue
		case *ast.IndexListExpr:
			x, args = y.X, y.Indices
			continue
		case *ast.Ident:
			if len(args) == 0 {
				return resolve.Ref{}, nil, false
			}
			v, found := g.declared(r.File, g.packages.own(r.File), y.Name)
			if !found || v.kind != typeName || v.typ.kind != named {
				return resolve.Ref{}, nil, false
			}
			for _, a := range args {
				n, _ := a.(*ast.Ident)
				if n == nil {
					return resolve.Ref{}, nil, false
				}
				names = append(names, n.Name)
			}
			return v.typ.decl, names, true
		}
		return resolve.Ref{}, nil, false
	}
}

// underlying returns the underlying type of t, a type literal or predeclared type. It returns a
// declared struct or interface as it is.
func (g *reader) underlying(t goType) goType {
	for range 20 {
		switch {
		case t.kind == parameter:
			t = g.core(t)
		case t.kind == named && definition(t.decl) != "":
			t = g.aliased(t)
		case t.kind == foreign:
			return g.foreignUnderlying(t)
		default:
			return t
		}
	}
	return goType{}
}

// core returns the underlying type that all types of a constraint share: []E for ~[]E. It returns
// an unknown type if there is no such type.
func (g *reader) core(t goType) goType {
	x := t.form
	for {
		switch y := x.(type) {
		case *ast.ParenExpr:
			x = y.X
			continue
		case *ast.InterfaceType:
			if len(y.Methods.List) == 1 && len(y.Methods.List[0].Names) == 0 {
				x = y.Methods.List[0].Type
				continue
			}
			return goType{}
		case *ast.UnaryExpr:
			return g.typ(t.place, y)
		case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType, *ast.StarExpr:
			return g.typ(t.place, y)
		}
		return goType{}
	}
}

// pointee returns the type that a pointer type points to, or t if it is no pointer.
func (g *reader) pointee(t goType) goType {
	if star, ok := t.form.(*ast.StarExpr); ok && t.kind == literal {
		return g.typ(t.place, star.X)
	}
	return t
}

// element returns the type of t[i], of <-t, or of the second variable of a range over t. If key is
// set, it returns the type of the first variable of the range.
func (g *reader) element(t goType, key bool) goType {
	if !g.enter() {
		return goType{}
	}
	defer g.leave()
	u := g.underlying(t)
	if u.kind == literal {
		switch x := u.form.(type) {
		case *ast.StarExpr:
			return g.element(g.pointee(u), key)
		case *ast.ArrayType:
			return either(key, goType{kind: predeclared, name: "int"}, func() goType { return g.typ(u.place, x.Elt) })
		case *ast.MapType:
			if key {
				return g.typ(u.place, x.Key)
			}
			return g.typ(u.place, x.Value)
		case *ast.ChanType:
			return g.typ(u.place, x.Value)
		}
	}
	switch {
	case u.kind == predeclared:
		return either(key, goType{kind: predeclared, name: "int"}, func() goType {
			return goType{kind: predeclared, name: "rune"}
		})
	case u.kind == foreign && len(u.args) == 0:
		return goType{kind: foreign, module: u.module}
	}
	return goType{}
}

func either(key bool, k goType, v func() goType) goType {
	if key {
		return k
	}
	return v()
}

// yielded returns the type of the n-th variable of a range over an iterator function of type t:
// the type of the n-th parameter of its yield function.
func (g *reader) yielded(t goType, n int) goType {
	u := g.underlying(t)
	f, ok := u.form.(*ast.FuncType)
	if u.kind != literal || !ok || f.Params.NumFields() != 1 {
		return goType{}
	}
	yield := g.underlying(g.typ(u.place, f.Params.List[0].Type))
	if y, ok := yield.form.(*ast.FuncType); ok && yield.kind == literal {
		if types := g.fieldTypes(yield.place, y.Params); n < len(types) {
			return types[n]
		}
	}
	return goType{}
}

// fieldTypes returns the types of a parameter or result list, one for each name: A, A, B for (a, b
// A, c B).
func (g *reader) fieldTypes(p place, list *ast.FieldList) (out []goType) {
	if list == nil {
		return nil
	}
	for _, f := range list.List {
		x := f.Type
		if e, ok := x.(*ast.Ellipsis); ok {
			x = &ast.ArrayType{Elt: e.Elt}
		}
		t := g.typ(p, x)
		for range max(1, len(f.Names)) {
			out = append(out, t)
		}
	}
	return out
}
