package typescript

import (
	"strings"

	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// This file evaluates types and values of libraries. They are those in the table library.txt, and
// utility types such as Partial<T>, which have the members of their argument.

// wrappers lists the utility types that libraryShape expands.
var wrappers = map[string]bool{
	"Partial": true, "Required": true, "Readonly": true, "NonNullable": true, "Omit": true, "Pick": true,
	"NoInfer": true, "ThisType": true,
	"Extract": true, "Exclude": true, "Awaited": true, "ReturnType": true, "InstanceType": true, "Record": true,
}

// libraryShape interprets the name of a type that no scope declares: a library type, or a utility
// type such as Readonly<T>, which has the shape of its argument.
func libraryShape(w *resolve.World, t resolve.Type, name string, args []resolve.Type) tsShape {
	switch name {
	case "Partial", "Required", "Readonly", "NonNullable", "Omit", "Pick", "NoInfer", "ThisType", "Extract", "Exclude":
		if len(args) > 0 {
			shape := readType(w, args[0])
			if name == "Omit" && len(args) == 2 {
				shape.without += args[1].Text
			}
			return shape
		}
	case "Awaited":
		if len(args) == 1 {
			if v, ok := typeOf(awaited(w, instance(args[0], ""))); ok {
				return readType(w, v)
			}
		}
		return tsShape{}
	case "ReturnType", "InstanceType":
		return utility(w, name, args)
	case "ReadonlyArray":
		name = "Array"
	case "any", "unknown", "never", "object", "this", "void", "undefined", "null", "Record", "Function":
		if name == "Record" && len(args) == 2 {
			return tsShape{form: builtin, name: name, args: args}
		}
		if name == "Function" {
			return tsShape{form: builtin, name: name}
		}
		return tsShape{}
	}
	if t.Scope == inLibrary {
		return tsShape{form: builtin, name: name, args: args}
	}
	switch added := globalTypes(w, name); {
	case len(added) > 0 && tableType(name) == nil:
		return declaredShape(w, t, added[0], args)
	case len(added) == 0 && declaredGlobally(w, name):
		return tsShape{}
	}
	return tsShape{form: builtin, name: name, args: args}
}

// utility interprets ReturnType<typeof f> and InstanceType<typeof C>.
func utility(w *resolve.World, name string, args []resolve.Type) tsShape {
	if len(args) != 1 {
		return tsShape{}
	}
	shape := readType(w, args[0])
	switch {
	case name == "ReturnType" && shape.form == function:
		return readType(w, shape.typ)
	case name == "ReturnType" && shape.form == valueType && shape.value.Kind == resolve.Function:
		if t, ok := typeOf(callResult(top(w, args[0].File), shape.value,
			&expr.Expr{Op: expr.OpCall, X: &expr.Expr{}})); ok {
			return readType(w, t)
		}
	case name == "InstanceType" && shape.form == valueType && shape.value.Kind == resolve.Class:
		return tsShape{form: declared, ref: shape.value.Ref}
	}
	return tsShape{}
}

// libraryMember returns a member of a library type: a member that the workspace adds, or one in
// library.txt. If library.txt has the type but not the member, the member is foreign only if the
// workspace declares no member of that name.
func libraryMember(w *resolve.World, shape tsShape, name string, self resolve.Type) resolve.Value {
	switch {
	case shape.name == "Record":
		return instance(shape.args[1], resolve.TypedElement)
	case shape.name == current && name == "current":
		return instance(shape.args[0], resolve.TypedElement)
	}
	if v := globalMember(w, shape.name, name); v.Kind != resolve.Unknown {
		return v
	}
	t, ok := tableMember(w, shape, name, self)
	switch {
	case ok:
		return libraryValue(w, t)
	case tableType(shape.name) != nil:
		return resolve.Value{Kind: resolve.Foreign, Module: "builtin", Origin: resolve.Handed}
	}
	return resolve.Value{Kind: resolve.Foreign, Module: "builtin"}
}

// libraryValue returns a value of type t in library.txt. The value is a library function or an
// object.
func libraryValue(w *resolve.World, t resolve.Type) resolve.Value {
	switch {
	case isFunctionType(t.Text) || strings.HasPrefix(t.Text, "typeof ") || strings.HasSuffix(t.Text, "Constructor"):
		return resolve.Value{Kind: resolve.Foreign, Module: "builtin", Type: t}
	case readType(w, t).form == opaque:
		return resolve.Value{Kind: resolve.Foreign, Module: "builtin", Origin: resolve.Lender}
	}
	return instance(t, resolve.TypedElement)
}

// foreignMember returns the member called name of the foreign value x. If the type of x is in
// library.txt, the member is looked up there.
func foreignMember(s resolve.Scope, x resolve.Value, name string) resolve.Value {
	out := resolve.Value{Kind: resolve.Foreign, Module: x.Module, Origin: x.Origin.Member()}
	if strings.HasPrefix(x.Type.Text, "#foreign ") {
		out.Type = resolve.Type{Text: "#foreign " + name, File: s.File, Scope: -1}
	}
	if x.Type.Scope == inLibrary && x.Type.Text != "" {
		if isFunctionType(x.Type.Text) {
			return libraryMember(s.W, tsShape{form: builtin, name: "Function"}, name, x.Type)
		}
		return typeMember(s.W, x.Type, name, 0)
	}
	if x.Type.Text == "#global import" && name == "meta" {
		return instance(builtinType(s.File, "ImportMeta"), resolve.TypedWritten)
	}
	return out
}

// libraryResult evaluates a call of a library function.
func libraryResult(s resolve.Scope, f resolve.Value, e *expr.Expr) resolve.Value {
	if f.Type.Scope == inLibrary {
		return callOf(s, f.Type, e)
	}
	if f.Module == "builtin" {
		return resolve.Value{}
	}
	name := strings.TrimPrefix(f.Type.Text, "#foreign ")
	if v := knownResult(s, f.Module, name, e); v.Kind != resolve.Unknown {
		return v
	}
	return resolve.Value{Kind: resolve.Foreign, Module: f.Module, Origin: givenBack(s, f, e)}
}

// knownResult evaluates calls of framework functions whose argument determines the result:
// useState(order), inject(Service).
func knownResult(s resolve.Scope, module, name string, e *expr.Expr) resolve.Value {
	switch {
	case module == "react":
		return hookResult(s, name, e)
	case module == "@angular/core" && name == "inject" && len(e.Args) > 0:
		if v := resolve.Eval(eval{}, s, e.Args[0]); v.Kind == resolve.Class {
			return instance(refType(v.Ref, nil), resolve.TypedResult)
		}
	}
	return resolve.Value{}
}

// libraryArgument returns a value of the type that a library function expects as its argument i.
func libraryArgument(s resolve.Scope, f resolve.Value, i int) resolve.Value {
	switch {
	case f.Type.Scope == inLibrary:
		return expectedArgument(s, f.Type, i, nil)
	case f.Module == "builtin":
		return resolve.Value{}
	}
	return resolve.Value{Kind: resolve.Foreign, Module: f.Module, Origin: resolve.Handed}
}
