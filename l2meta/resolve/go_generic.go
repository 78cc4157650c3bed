package resolve

import "go/ast"

// infer binds the type parameters of a function from its arguments, as far as
// their types are known: those given explicitly stand.
func (g *goReader) infer(p goPlace, f goValue, args []ast.Expr) *goBinding {
	open := map[string]bool{}
	for _, name := range goTypeParameters(f.ref) {
		if _, bound := f.bind.lookup(name); !bound {
			open[name] = true
		}
	}
	if len(open) == 0 {
		return f.bind
	}
	u := &goUnifier{g: g, open: open, bind: f.bind}
	params := goParameters(f.ref)
	for i, a := range args {
		text := ""
		switch {
		case i < len(params):
			text = params[i].Type
		case len(params) > 0:
			text = params[len(params)-1].Type
		}
		x := goParse(f.ref.File, text)
		if x == nil || !u.mentions(x) {
			continue
		}
		v := g.asValue(g.eval(p, a))
		if len(text) > 3 && text[:3] == "..." {
			x = x.(*ast.ArrayType).Elt
		}
		if v.kind == goInstance {
			u.unify(x, v.typ)
		} else if v.kind == goOutside {
			u.unify(x, goType{kind: goForeign, module: v.module})
		}
	}
	u.cores(f.ref)
	return u.bind
}

// goUnifier finds what type parameters stand for.
type goUnifier struct {
	g    *goReader
	open map[string]bool // parameters that are not bound yet
	bind *goBinding
}

// mentions reports whether x names an open parameter.
func (u *goUnifier) mentions(x ast.Expr) (found bool) {
	ast.Inspect(x, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && u.open[id.Name] {
			found = true
		}
		return !found
	})
	return found
}

// unify makes the parameters in x such that x is the type t.
func (u *goUnifier) unify(x ast.Expr, t goType) {
	if t.kind == goUnknown || !u.g.enter() {
		return
	}
	defer u.g.leave()
	switch x := x.(type) {
	case *ast.ParenExpr:
		u.unify(x.X, t)
	case *ast.Ident:
		if u.open[x.Name] {
			delete(u.open, x.Name)
			u.bind = &goBinding{x.Name, t, u.bind}
		}
	case *ast.StarExpr:
		if star, ok := t.form.(*ast.StarExpr); ok && t.kind == goLiteral {
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

func (u *goUnifier) arguments(list []ast.Expr, t goType) {
	if t = u.g.pointee(t); t.kind != goNamed && t.kind != goForeign {
		return
	}
	for i := range min(len(list), len(t.args)) {
		u.unify(list[i], t.args[i])
	}
}

func (u *goUnifier) literal(x ast.Expr, t goType) {
	if t.kind != goLiteral {
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

func (u *goUnifier) fields(list *ast.FieldList, types []goType) {
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

// cores binds what follows from the core types of constraints: E from
// S ~[]E once S is known.
func (u *goUnifier) cores(r Ref) {
	for _, name := range goTypeParameters(r) {
		t, bound := u.bind.lookup(name)
		text, _ := goConstraint(r, name)
		x := goParse(r.File, text)
		if !bound || x == nil || len(u.open) == 0 {
			continue
		}
		if tilde, ok := x.(*ast.UnaryExpr); ok {
			u.unify(tilde.X, t)
		}
	}
}
