package golang

import (
	"go/ast"
	"go/token"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// eval evaluates x in the scope of p.
func (g *reader) eval(p place, x ast.Expr) value {
	if !g.enter() {
		return value{}
	}
	defer g.leave()
	switch x := x.(type) {
	case *ast.ParenExpr:
		return g.eval(p, x.X)
	case *ast.Ident:
		if t, ok := p.bind.lookup(x.Name); ok {
			return value{kind: typeName, typ: t}
		}
		return g.name(p, x.Name)
	case *ast.SelectorExpr:
		v := g.eval(p, x.X)
		return g.selector(p, v, x.Sel.Name).via(v.how)
	case *ast.CallExpr:
		return g.call(p, x)
	case *ast.IndexExpr:
		return g.indexed(p, x, x.X, []ast.Expr{x.Index})
	case *ast.IndexListExpr:
		return g.indexed(p, x, x.X, x.Indices)
	case *ast.SliceExpr:
		return g.eval(p, x.X)
	case *ast.StarExpr:
		v := g.eval(p, x.X)
		if v.kind == instance {
			v.typ = g.pointee(g.underPointer(v.typ))
		}
		return v
	case *ast.CompositeLit:
		return g.instanceOf(g.typ(p, x.Type), resolve.TypedValue)
	case *ast.TypeAssertExpr:
		return g.instanceOf(g.typ(p, x.Type), resolve.TypedWritten)
	case *ast.FuncLit:
		return value{kind: instance, typ: goType{kind: literal, form: x.Type, place: p}}
	case *ast.BasicLit:
		return value{kind: instance, typ: goType{kind: predeclared, name: literalType(x.Kind)}}
	case *ast.UnaryExpr:
		return g.unary(p, x)
	case *ast.BinaryExpr:
		return g.binary(p, x)
	case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType, *ast.StructType, *ast.InterfaceType:
		return value{kind: typeName, typ: g.typ(p, x)}
	}
	return value{}
}

// instanceOf returns a value of type t. how is the strategy by which t was determined. It returns
// an unknown value if t is unknown.
func (g *reader) instanceOf(t goType, how resolve.Strategy) value {
	if t.kind == unknown {
		return unknownFor("a type cannot be told")
	}
	return value{kind: instance, typ: t}.via(how)
}

func literalType(kind token.Token) string {
	switch kind {
	case token.STRING:
		return "string"
	case token.FLOAT:
		return "float64"
	case token.CHAR:
		return "rune"
	case token.IMAG:
		return "complex128"
	}
	return "int"
}

// underPointer returns *T for a type that is declared as type P *T, and any other type as it is.
func (g *reader) underPointer(t goType) goType {
	if u := g.underlying(t); u.kind == literal {
		if _, ok := u.form.(*ast.StarExpr); ok {
			return u
		}
	}
	return t
}

func (g *reader) unary(p place, x *ast.UnaryExpr) value {
	v := g.eval(p, x.X)
	switch {
	case x.Op == token.ARROW && v.kind == instance:
		return g.instanceOf(g.element(v.typ, false), resolve.TypedElement)
	case x.Op == token.NOT:
		return value{kind: instance, typ: goType{kind: predeclared, name: "bool"}}
	}
	return v
}

func (g *reader) binary(p place, x *ast.BinaryExpr) value {
	switch x.Op {
	case token.LAND, token.LOR, token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return value{kind: instance, typ: goType{kind: predeclared, name: "bool"}}
	}
	v := g.eval(p, x.X)
	if _, constant := x.X.(*ast.BasicLit); constant && x.Op != token.SHL && x.Op != token.SHR {
		return g.eval(p, x.Y)
	}
	return v
}

// indexed evaluates x[i], which may also be an instance of a generic type or function: F[int].
func (g *reader) indexed(p place, whole, x ast.Expr, args []ast.Expr) value {
	v := g.eval(p, x)
	switch v.kind {
	case typeName:
		return value{kind: typeName, typ: g.typ(p, whole)}
	case function:
		names := typeParameters(v.ref)
		for i := range min(len(names), len(args)) {
			v.bind = &binding{names[i], g.typ(p, args[i]), v.bind}
		}
		return v
	case instance:
		return g.instanceOf(g.element(v.typ, false), resolve.TypedElement).via(v.how)
	case goOutside:
		for i := range min(len(v.open), len(args)) {
			v.typ.place.bind = &binding{v.open[i], g.typ(p, args[i]), v.typ.place.bind}
		}
	}
	return v
}

// call evaluates a call. The value of a call with several results has a tuple type.
func (g *reader) call(p place, x *ast.CallExpr) value {
	f := g.eval(p, x.Fun)
	switch f.kind {
	case typeName:
		return g.instanceOf(f.typ, resolve.TypedWritten)
	case builtin:
		return g.builtin(p, f.name, x.Args)
	case function:
		return g.results(p, f, x).via(f.how)
	case instance:
		return g.resultsOfValue(f).via(f.how)
	case goOutside:
		if f.typ.kind == literal {
			return g.genericResult(p, f, x)
		}
		return f // the result of a function outside the workspace is outside, too
	}
	return value{reason: f.reason}
}

// builtin evaluates a call of a predeclared function.
func (g *reader) builtin(p place, name string, args []ast.Expr) value {
	if len(args) == 0 {
		return value{kind: instance, typ: goType{kind: predeclared, name: "any"}}
	}
	switch name {
	case "new", "make":
		if v := g.eval(p, args[0]); v.kind != typeName {
			return v // new(expression) is a pointer to its value
		}
		return g.instanceOf(g.typ(p, args[0]), resolve.TypedValue)
	case "append", "min", "max":
		return g.eval(p, args[0])
	}
	return value{kind: instance, typ: goType{kind: predeclared, name: "int"}}
}

// results evaluates a call, at p, of the declared function f.
func (g *reader) results(p place, f value, call *ast.CallExpr) value {
	t := g.signature(f)
	if t.kind == unknown {
		return unknownFor("the result of " + f.ref.Symbol().Name + " is not known")
	}
	t.place.bind = g.infer(p, t, typeParameters(f.ref), call)
	return g.resultsOfValue(value{kind: instance, typ: t})
}

// genericResult evaluates a call of a generic function that is declared outside the workspace.
func (g *reader) genericResult(p place, f value, call *ast.CallExpr) value {
	t := f.typ
	t.place.bind = g.infer(p, t, f.open, call)
	v := g.resultsOfValue(value{kind: instance, typ: t})
	if v.kind == nothing {
		return value{kind: goOutside, module: f.module}
	}
	return v
}

// signature returns the type of the declared function f, in which the bindings of f replace its
// type parameters.
func (g *reader) signature(f value) goType {
	text := "func("
	for i, fact := range parameters(f.ref) {
		if i > 0 {
			text += ", "
		}
		text += fact.Type
	}
	text += ")"
	for _, fact := range f.ref.Facts() {
		if fact.Kind == code.FactResult {
			text += " " + fact.Type
		}
	}
	x := parse(f.ref.File, text)
	if x == nil {
		return goType{}
	}
	return goType{kind: literal, form: x,
		place: place{file: f.ref.File, symbol: f.ref.Index, pos: f.ref.Symbol().NameSpan.StartByte, bind: f.bind}}
}

// parameters returns the facts that record a function's own parameters, without the receiver. It
// leaves out those of function literals in the body, whose scope is shorter.
func parameters(r resolve.Ref) (out []*code.Fact) {
	s := r.Symbol()
	for _, fact := range r.Facts() {
		if fact.Kind == code.FactParam && fact.Span.StartByte >= s.NameSpan.StartByte &&
			(fact.Scope[1] == 0 || fact.Scope[1] == s.Span.EndByte) {
			out = append(out, fact)
		}
	}
	return out
}

// resultsOfValue evaluates a call of f, a value of function type.
func (g *reader) resultsOfValue(f value) value {
	u := g.underlying(f.typ)
	switch x := u.form.(type) {
	case *ast.FuncType:
		if u.kind != literal {
			return value{}
		}
		switch types := g.fieldTypes(u.place, x.Results); len(types) {
		case 0:
			return unknownFor("a function without results")
		case 1:
			return g.instanceOf(types[0], resolve.TypedResult)
		default:
			return value{kind: instance, typ: goType{kind: tuple, args: types}}.via(resolve.TypedResult)
		}
	}
	if u.kind == foreign {
		return value{kind: instance, typ: goType{kind: foreign, module: u.module}}.via(resolve.TypedResult)
	}
	return value{}
}

// nth returns the n-th value of a multiple assignment from v: result n of a call. If v is no tuple,
// value 0 is v, and value 1 is the bool of v, ok := m[k], x.(T) or <-c.
func (g *reader) nth(v value, n int) value {
	switch {
	case v.kind == instance && v.typ.kind == tuple:
		if n < len(v.typ.args) {
			return g.instanceOf(v.typ.args[n], resolve.TypedResult).via(v.how)
		}
		return value{}
	case v.kind == instance && v.typ.kind == foreign || v.kind == goOutside, n == 0:
		return v
	}
	return value{kind: instance, typ: goType{kind: predeclared, name: "bool"}}
}

// asValue returns v as the value of a variable: a declared function becomes a value of function
// type.
func (g *reader) asValue(v value) value {
	if v.kind == function {
		return value{kind: instance, typ: g.signature(v)}
	}
	return v
}

// ranged returns the value of a variable of a range over v: of the first variable if marker is
// code.MarkKey, otherwise of the second.
func (g *reader) ranged(v value, marker code.Marker) value {
	if v.kind == goOutside {
		return v
	}
	if v.kind != instance {
		return unknownFor("what is ranged over is not known")
	}
	key := marker == code.MarkKey
	if u := g.underlying(v.typ); u.kind == literal {
		switch u.form.(type) {
		case *ast.FuncType:
			n := 1
			if key {
				n = 0
			}
			return g.instanceOf(g.yielded(u, n), resolve.TypedElement).via(v.how)
		case *ast.ChanType:
			key = false
		}
	}
	return g.instanceOf(g.element(v.typ, key), resolve.TypedElement).via(v.how)
}
