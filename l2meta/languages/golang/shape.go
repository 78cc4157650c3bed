package golang

import (
	"go/ast"
	"slices"
	"strconv"
	"strings"
)

// The shape of a type is a text such that two types have equal shapes exactly if identical
// reports true for them. A result that holds for all identical types is stored once, under their
// shape. A type with unknown parts has no shape.

// shapeOfMethods returns the shape of a set of methods; false if any has no shape.
func (g dispatcher) shapeOfMethods(methods []value) (string, bool) {
	list := make([]string, len(methods))
	for i, m := range methods {
		shape, ok := g.shape(g.reader.signature(m))
		if !ok {
			return "", false
		}
		list[i] = m.ref.Symbol().Name + " " + shape
	}
	slices.Sort(list)
	return strings.Join(list, "; "), true
}

// shape returns the shape of a type: "[]string" for []string. It returns false if the type contains
// an unknown type or a type parameter.
func (g dispatcher) shape(t goType) (string, bool) {
	if !g.reader.enter() {
		return "", false
	}
	defer g.reader.leave()
	if emptyInterface(t) {
		return "any", true
	}
	switch t.kind {
	case named:
		args, ok := g.shapes(t.args)
		return strconv.FormatInt(t.decl.File.ID, 10) + "." + strconv.Itoa(t.decl.Index) + args, ok
	case foreign:
		args, ok := g.shapes(t.args)
		return strconv.Quote(t.module) + "." + t.name + args, ok
	case predeclared:
		return synonym(t.name), true
	case literal:
		return g.shapeOfForm(t)
	}
	return "", false
}

// shapes returns the shapes of a list of types in brackets: "[int, string]". It returns false if
// one of the types has no shape.
func (g dispatcher) shapes(list []goType) (string, bool) {
	out := make([]string, len(list))
	for i, t := range list {
		shape, ok := g.shape(t)
		if !ok {
			return "", false
		}
		out[i] = shape
	}
	return "[" + strings.Join(out, ", ") + "]", true
}

// shapeOfForm returns the shape of a type literal. As in identicalForms, only the numbers of
// members count for interfaces and structs. It returns false if the type of a part is unknown.
func (g dispatcher) shapeOfForm(t goType) (string, bool) {
	part := func(x ast.Expr) (string, bool) { return g.shape(g.reader.typ(t.place, x)) }
	switch x := t.form.(type) {
	case *ast.StarExpr:
		of, ok := part(x.X)
		return "*" + of, ok
	case *ast.ArrayType:
		of, ok := part(x.Elt)
		if x.Len != nil {
			return "[n]" + of, ok
		}
		return "[]" + of, ok
	case *ast.MapType:
		key, known := part(x.Key)
		of, ok := part(x.Value)
		return "map[" + key + "]" + of, ok && known
	case *ast.ChanType:
		of, ok := part(x.Value)
		return "chan " + strconv.Itoa(int(x.Dir)) + " " + of, ok
	case *ast.FuncType:
		params, known := g.shapes(g.reader.fieldTypes(t.place, x.Params))
		results, ok := g.shapes(g.reader.fieldTypes(t.place, x.Results))
		if variadic(x) {
			params += "..."
		}
		return "func" + params + results, ok && known
	case *ast.InterfaceType:
		return "interface " + strconv.Itoa(x.Methods.NumFields()), true
	case *ast.StructType:
		return "struct " + strconv.Itoa(x.Fields.NumFields()), true
	}
	return "", false
}
