package golang

import (
	"go/ast"

	"sextant/l2meta/resolve"
)

// infer returns the bindings of type parameters for a call whose function has type t. It binds
// each type parameter in names to its explicit type argument, or else to the type that the
// arguments of the call show. It omits those that remain unknown.
func (g *reader) infer(p place, t goType, names []string, call *ast.CallExpr) *binding {
	u := &unifier{g: g, open: map[string]bool{}, bind: t.place.bind}
	for _, name := range names {
		if _, bound := u.bind.lookup(name); !bound {
			u.open[name] = true
		}
	}
	form, ok := t.form.(*ast.FuncType)
	if len(u.open) == 0 || !ok || form.Params == nil {
		return u.bind
	}
	params := form.Params.List // the parameters have no names here, so each is a field of its own
	for i, a := range call.Args {
		if len(params) == 0 {
			break
		}
		x := params[min(i, len(params)-1)].Type
		if e, ok := x.(*ast.Ellipsis); ok {
			if x = e.Elt; call.Ellipsis.IsValid() {
				x = &ast.ArrayType{Elt: e.Elt}
			}
		}
		if !u.mentions(x) {
			continue
		}
		switch v := g.asValue(g.eval(p, a)); v.kind {
		case instance:
			u.unify(x, v.typ)
		case goOutside:
			u.unify(x, goType{kind: foreign, module: v.module})
		}
	}
	if t.place.symbol >= 0 {
		u.cores(t.place.file.Ref(t.place.symbol), names)
	}
	return u.bind
}

// unifier infers the arguments of type parameters.
type unifier struct {
	g    *reader
	open map[string]bool // type parameters that are not bound yet
	bind *binding
}

// mentions reports whether x names an unbound type parameter.
func (u *unifier) mentions(x ast.Expr) (found bool) {
	ast.Inspect(x, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && u.open[id.Name] {
			found = true
		}
		return !found
	})
	return found
}

// unify binds the type parameters in the type expression x so that x denotes the type t.
func (u *unifier) unify(x ast.Expr, t goType) {
	if t.kind == unknown || !u.g.enter() {
		return
	}
	defer u.g.leave()
	switch x := x.(type) {
	case *ast.ParenExpr:
		u.unify(x.X, t)
	case *ast.Ident:
		if u.open[x.Name] {
			delete(u.open, x.Name)
			u.bind = &binding{x.Name, t, u.bind}
		}
	case *ast.StarExpr:
		if star, ok := t.form.(*ast.StarExpr); ok && t.kind == literal {
			u.unify(x.X, u.g.typ(t.place, star.X))
		} else { // &v has the type of v here
			u.unify(x.X, t)
		}
	case *ast.IndexExpr:
		u.arguments([]ast.Expr{x.Index}, t)
	case *ast.IndexListExpr:
		u.arguments(x.Indices, t)
	case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType:
		u.literal(x, u.g.underlying(t))
	}
}

func (u *unifier) arguments(list []ast.Expr, t goType) {
	if t = u.g.pointee(t); t.kind != named && t.kind != foreign {
		return
	}
	for i := range min(len(list), len(t.args)) {
		u.unify(list[i], t.args[i])
	}
}

// literal unifies a written type with a type literal, part by part: []T with []int binds T to int.
func (u *unifier) literal(x ast.Expr, t goType) {
	if t.kind != literal {
		return
	}
	of := func(y ast.Expr) goType { return u.g.typ(t.place, y) }
	switch x := x.(type) {
	case *ast.ArrayType:
		if y, ok := t.form.(*ast.ArrayType); ok {
			u.unify(x.Elt, of(y.Elt))
		}
	case *ast.MapType:
		if y, ok := t.form.(*ast.MapType); ok {
			u.unify(x.Key, of(y.Key))
			u.unify(x.Value, of(y.Value))
		}
	case *ast.ChanType:
		if y, ok := t.form.(*ast.ChanType); ok {
			u.unify(x.Value, of(y.Value))
		}
	case *ast.FuncType:
		if y, ok := t.form.(*ast.FuncType); ok {
			u.fields(x.Params, u.g.fieldTypes(t.place, y.Params))
			u.fields(x.Results, u.g.fieldTypes(t.place, y.Results))
		}
	}
}

// fields unifies the parameters or results of two function types in order: a, b T counts as two.
func (u *unifier) fields(list *ast.FieldList, types []goType) {
	if list == nil {
		return
	}
	i := 0
	for _, f := range list.List {
		for range max(1, len(f.Names)) {
			if i < len(types) {
				u.unify(f.Type, types[i])
			}
			i++
		}
	}
}

// cores infers type parameters from the constraints of others: after S is known, it infers E in
// [S ~[]E, E any].
func (u *unifier) cores(r resolve.Ref, names []string) {
	for _, name := range names {
		t, bound := u.bind.lookup(name)
		text, _ := goConstraint(r, name)
		x := parse(r.File, text)
		if !bound || x == nil || len(u.open) == 0 {
			continue
		}
		if tilde, ok := x.(*ast.UnaryExpr); ok {
			u.unify(tilde.X, t)
		}
	}
}
