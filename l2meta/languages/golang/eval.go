package golang

import (
	"go/ast"
	"go/token"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// eval is what an expression stands for at p.
func (g *goReader) eval(p goPlace, x ast.Expr) goValue {
	if !g.enter() {
		return goValue{}
	}
	defer g.leave()
	switch x := x.(type) {
	case *ast.ParenExpr:
		return g.eval(p, x.X)
	case *ast.Ident:
		if t, ok := p.bind.lookup(x.Name); ok {
			return goValue{kind: goTypeName, typ: t}
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
		if v.kind == goInstance {
			v.typ = g.pointee(g.underPointer(v.typ))
		}
		return v
	case *ast.CompositeLit:
		return g.instanceOf(g.typ(p, x.Type), resolve.TypedValue)
	case *ast.TypeAssertExpr:
		return g.instanceOf(g.typ(p, x.Type), resolve.TypedWritten)
	case *ast.FuncLit:
		return goValue{kind: goInstance, typ: goType{kind: goLiteral, form: x.Type, place: p}}
	case *ast.BasicLit:
		return goValue{kind: goInstance, typ: goType{kind: goPredeclared, name: goLiteralType(x.Kind)}}
	case *ast.UnaryExpr:
		return g.unary(p, x)
	case *ast.BinaryExpr:
		return g.binary(p, x)
	case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType, *ast.StructType, *ast.InterfaceType:
		return goValue{kind: goTypeName, typ: g.typ(p, x)}
	}
	return goValue{}
}

// instanceOf is a value of a type, known by how. Of a foreign generic type
// nobody knows what its members give.
func (g *goReader) instanceOf(t goType, how resolve.Strategy) goValue {
	if t.kind == goUnknown {
		return goUnknownFor("a type cannot be told")
	}
	return goValue{kind: goInstance, typ: t}.via(how)
}

func goLiteralType(kind token.Token) string {
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

// underPointer is t, or the pointer type under a declared one.
func (g *goReader) underPointer(t goType) goType {
	if u := g.underlying(t); u.kind == goLiteral {
		if _, ok := u.form.(*ast.StarExpr); ok {
			return u
		}
	}
	return t
}

func (g *goReader) unary(p goPlace, x *ast.UnaryExpr) goValue {
	v := g.eval(p, x.X)
	switch {
	case x.Op == token.ARROW && v.kind == goInstance:
		return g.instanceOf(g.element(v.typ, false), resolve.TypedElement)
	case x.Op == token.NOT:
		return goValue{kind: goInstance, typ: goType{kind: goPredeclared, name: "bool"}}
	}
	return v
}

func (g *goReader) binary(p goPlace, x *ast.BinaryExpr) goValue {
	switch x.Op {
	case token.LAND, token.LOR, token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return goValue{kind: goInstance, typ: goType{kind: goPredeclared, name: "bool"}}
	}
	v := g.eval(p, x.X)
	if _, constant := x.X.(*ast.BasicLit); constant && x.Op != token.SHL && x.Op != token.SHR {
		return g.eval(p, x.Y)
	}
	return v
}

// indexed is x[i], or an instance of a generic type or function.
func (g *goReader) indexed(p goPlace, whole, x ast.Expr, args []ast.Expr) goValue {
	v := g.eval(p, x)
	switch v.kind {
	case goTypeName:
		return goValue{kind: goTypeName, typ: g.typ(p, whole)}
	case goFunction:
		names := goTypeParameters(v.ref)
		for i := range min(len(names), len(args)) {
			v.bind = &goBinding{names[i], g.typ(p, args[i]), v.bind}
		}
		return v
	case goInstance:
		return g.instanceOf(g.element(v.typ, false), resolve.TypedElement).via(v.how)
	case goOutside:
		for i := range min(len(v.open), len(args)) {
			v.typ.place.bind = &goBinding{v.open[i], g.typ(p, args[i]), v.typ.place.bind}
		}
	}
	return v
}

// call is the result of a call; of several results a tuple.
func (g *goReader) call(p goPlace, x *ast.CallExpr) goValue {
	f := g.eval(p, x.Fun)
	switch f.kind {
	case goTypeName:
		return g.instanceOf(f.typ, resolve.TypedWritten)
	case goBuiltin:
		return g.builtin(p, f.name, x.Args)
	case goFunction:
		return g.results(p, f, x).via(f.how)
	case goInstance:
		return g.resultsOfValue(f).via(f.how)
	case goOutside:
		if f.typ.kind == goLiteral {
			return g.genericResult(p, f, x)
		}
		return f // what something outside gives is outside
	}
	return goValue{reason: f.reason}
}

// builtin is the result of a predeclared function.
func (g *goReader) builtin(p goPlace, name string, args []ast.Expr) goValue {
	if len(args) == 0 {
		return goValue{kind: goInstance, typ: goType{kind: goPredeclared, name: "any"}}
	}
	switch name {
	case "new", "make":
		if v := g.eval(p, args[0]); v.kind != goTypeName {
			return v // new(expression) is a pointer to its value
		}
		return g.instanceOf(g.typ(p, args[0]), resolve.TypedValue)
	case "append", "min", "max":
		return g.eval(p, args[0])
	}
	return goValue{kind: goInstance, typ: goType{kind: goPredeclared, name: "int"}}
}

// results is what a call of a declared function gives.
func (g *goReader) results(p goPlace, f goValue, call *ast.CallExpr) goValue {
	t := g.signature(f)
	if t.kind == goUnknown {
		return goUnknownFor("the result of " + f.ref.Symbol().Name + " is not known")
	}
	t.place.bind = g.infer(p, t, goTypeParameters(f.ref), call)
	return g.resultsOfValue(goValue{kind: goInstance, typ: t})
}

// genericResult is what a call of a generic function outside gives.
func (g *goReader) genericResult(p goPlace, f goValue, call *ast.CallExpr) goValue {
	t := f.typ
	t.place.bind = g.infer(p, t, f.open, call)
	v := g.resultsOfValue(goValue{kind: goInstance, typ: t})
	if v.kind == goNothing {
		return goValue{kind: goOutside, module: f.module}
	}
	return v
}

// signature is the type of a declared function, with the names of its type
// parameters bound as far as f has them.
func (g *goReader) signature(f goValue) goType {
	text := "func("
	for i, fact := range goParameters(f.ref) {
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
	x := goParse(f.ref.File, text)
	if x == nil {
		return goType{}
	}
	return goType{kind: goLiteral, form: x, place: goPlace{file: f.ref.File, symbol: f.ref.Index, pos: f.ref.Symbol().NameSpan.StartByte, bind: f.bind}}
}

// goParameters is the facts of a function's own parameters, receiver excluded.
// Those of literals inside of it hold in a part of its body alone.
func goParameters(r resolve.Ref) (out []*code.Fact) {
	s := r.Symbol()
	for _, fact := range r.Facts() {
		if fact.Kind == code.FactParam && fact.Span.StartByte >= s.NameSpan.StartByte && (fact.Scope[1] == 0 || fact.Scope[1] == s.Span.EndByte) {
			out = append(out, fact)
		}
	}
	return out
}

// resultsOfValue is what a call of a function value gives.
func (g *goReader) resultsOfValue(f goValue) goValue {
	u := g.underlying(f.typ)
	switch x := u.form.(type) {
	case *ast.FuncType:
		if u.kind != goLiteral {
			return goValue{}
		}
		switch types := g.fieldTypes(u.place, x.Results); len(types) {
		case 0:
			return goUnknownFor("a function without results")
		case 1:
			return g.instanceOf(types[0], resolve.TypedResult)
		default:
			return goValue{kind: goInstance, typ: goType{kind: goTuple, args: types}}.via(resolve.TypedResult)
		}
	}
	if u.kind == goForeign {
		return goValue{kind: goInstance, typ: goType{kind: goForeign, module: u.module}}.via(resolve.TypedResult)
	}
	return goValue{}
}

// nth is the n-th of the results that x gives: of v where that is no tuple,
// the value itself, or what comes beside it (of a look-up, an assertion, a
// reception): no value with members.
func (g *goReader) nth(v goValue, n int) goValue {
	switch {
	case v.kind == goInstance && v.typ.kind == goTuple:
		if n < len(v.typ.args) {
			return g.instanceOf(v.typ.args[n], resolve.TypedResult).via(v.how)
		}
		return goValue{}
	case v.kind == goInstance && v.typ.kind == goForeign || v.kind == goOutside, n == 0:
		return v
	}
	return goValue{kind: goInstance, typ: goType{kind: goPredeclared, name: "bool"}}
}

// asValue is v as a variable has it: a function is a value of its signature.
func (g *goReader) asValue(v goValue) goValue {
	if v.kind == goFunction {
		return goValue{kind: goInstance, typ: g.signature(v)}
	}
	return v
}

// ranged is the key or the element of what a range goes over.
func (g *goReader) ranged(v goValue, marker string) goValue {
	if v.kind == goOutside {
		return v
	}
	if v.kind != goInstance {
		return goUnknownFor("what is ranged over is not known")
	}
	key := marker == "key"
	if u := g.underlying(v.typ); u.kind == goLiteral {
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
