package typescript

import (
	"strings"

	"sextant/l2meta/resolve"
)

// What of the language's own library passes types on: containers and what
// their methods give. All else of it is foreign.

// tsLibraryShape is a type that nothing in scope declares: of the library, or
// a transparent wrapper of its argument.
func tsLibraryShape(w *resolve.World, t resolve.Type, name string, args []resolve.Type) tsShape {
	switch name {
	case "Partial", "Required", "Readonly", "NonNullable", "Omit", "Pick", "NoInfer", "ThisType", "Extract", "Exclude":
		if len(args) > 0 {
			shape := tsReadType(w, args[0])
			if name == "Omit" && len(args) == 2 {
				shape.without += args[1].Text
			}
			return shape
		}
	case "Awaited":
		if len(args) == 1 {
			if v, ok := tsTypeOf(tsAwaited(w, tsInstance(args[0], ""))); ok {
				return tsReadType(w, v)
			}
		}
		return tsShape{}
	case "ReturnType", "InstanceType":
		return tsUtility(w, name, args)
	case "ReadonlyArray":
		name = "Array"
	case "any", "unknown", "never", "object", "this", "void", "undefined", "null", "Record", "Function":
		if name == "Record" && len(args) == 2 {
			return tsShape{form: tsBuiltin, name: name, args: args}
		}
		return tsShape{}
	}
	if len(tsGlobalTypes(w, name)) == 0 && tsDeclaredGlobally(w, name) {
		return tsShape{}
	}
	return tsShape{form: tsBuiltin, name: name, args: args}
}

// tsUtility is ReturnType<typeof f> and InstanceType<typeof C>.
func tsUtility(w *resolve.World, name string, args []resolve.Type) tsShape {
	if len(args) != 1 {
		return tsShape{}
	}
	shape := tsReadType(w, args[0])
	switch {
	case name == "ReturnType" && shape.form == tsFunction:
		return tsReadType(w, shape.typ)
	case name == "ReturnType" && shape.form == tsValueType && shape.value.Kind == resolve.Function:
		if t, ok := tsTypeOf(tsCallResult(tsTop(w, args[0].File), shape.value, &resolve.Expr{Op: resolve.OpCall, X: &resolve.Expr{}})); ok {
			return tsReadType(w, t)
		}
	case name == "InstanceType" && shape.form == tsValueType && shape.value.Kind == resolve.Class:
		return tsShape{form: tsDeclared, ref: shape.value.Ref}
	}
	return tsShape{}
}

// tsElement is the type of what iterating over t gives, and of t[i].
func tsElement(w *resolve.World, t resolve.Type) resolve.Type {
	shape := tsReadType(w, t)
	if shape.form == tsUnion && len(shape.args) == 2 { // T[] | readonly T[]
		return tsElement(w, shape.args[0])
	}
	if shape.form != tsBuiltin {
		return resolve.Type{}
	}
	args := shape.args
	switch shape.name {
	case "Array", "Set", "ReadonlySet", "Iterable", "IterableIterator", "Iterator", "Generator", "AsyncIterable", "AsyncGenerator", "AsyncIterableIterator", "ArrayLike", "NodeListOf", "MapIterator", "SetIterator", "ArrayIterator":
		if len(args) > 0 {
			return args[0]
		}
	case "Map", "ReadonlyMap":
		if len(args) == 2 {
			return tsBuiltinType(t.File, "#tuple", args...)
		}
	case "Record":
		return args[1]
	case "#tuple":
		for _, a := range args {
			if a.Text != args[0].Text || a.File != args[0].File || a.Scope != args[0].Scope || a.Bind != args[0].Bind && tsReadType(w, a).ref != tsReadType(w, args[0]).ref {
				return resolve.Type{}
			}
		}
		if len(args) > 0 {
			return args[0]
		}
	}
	return resolve.Type{}
}

// tsLibraryMember is a member of a library type: a method that remembers what
// it is called on.
func tsLibraryMember(w *resolve.World, shape tsShape, name string, self resolve.Type) resolve.Value {
	switch {
	case shape.name == "Record":
		return tsInstance(shape.args[1], resolve.TypedElement)
	case shape.name == tsCurrent && name == "current":
		return tsInstance(shape.args[0], resolve.TypedElement)
	}
	if v := tsGlobalMember(w, shape.name, name); v.Kind != resolve.Unknown {
		return v
	}
	return resolve.Value{Kind: resolve.Foreign, Module: "builtin", Type: resolve.Type{Text: "#method " + name, File: self.File, Scope: -1, Bind: &resolve.Binding{Name: "$this", Type: self}}}
}

// tsForeignMember is a member of something foreign; what a global object has is
// told by both names.
func tsForeignMember(s resolve.Scope, x resolve.Value, name string) resolve.Value {
	out := resolve.Value{Kind: resolve.Foreign, Module: x.Module, Origin: x.Origin.Member()}
	if strings.HasPrefix(x.Type.Text, "#foreign ") {
		out.Type = resolve.Type{Text: "#foreign " + name, File: s.File, Scope: -1}
	}
	if global, ok := strings.CutPrefix(x.Type.Text, "#global "); ok {
		if global == "globalThis" || global == "window" || global == "self" {
			if v := tsGlobalMember(s.W, "Window", name); v.Kind != resolve.Unknown {
				return v
			}
			return out
		}
		if global == "import" && name == "meta" {
			return tsInstance(tsBuiltinType(s.File, "ImportMeta"), resolve.TypedWritten)
		}
		out.Type = resolve.Type{Text: "#static " + global + "." + name, File: s.File, Scope: -1}
	}
	return out
}

// tsLibraryResult is what a call of a library function gives.
func tsLibraryResult(s resolve.Scope, f resolve.Value, e *resolve.Expr) resolve.Value {
	if name, ok := strings.CutPrefix(f.Type.Text, "#method "); ok {
		self, _ := f.Type.Bind.Lookup("$this")
		return tsMethodResult(s, self, name, e)
	}
	if name, ok := strings.CutPrefix(f.Type.Text, "#static "); ok {
		return tsStaticResult(s, name, e)
	}
	if f.Module == "builtin" {
		return resolve.Value{}
	}
	name := strings.TrimPrefix(f.Type.Text, "#foreign ")
	if v := tsKnownResult(s, f.Module, name, e); v.Kind != resolve.Unknown {
		return v
	}
	return resolve.Value{Kind: resolve.Foreign, Module: f.Module, Origin: tsGivenBack(s, f, e)}
}

// tsKnownResult is what those functions of frameworks give that hand back what
// they were handed.
func tsKnownResult(s resolve.Scope, module, name string, e *resolve.Expr) resolve.Value {
	switch {
	case module == "react":
		return tsHookResult(s, name, e)
	case module == "@angular/core" && name == "inject" && len(e.Args) > 0:
		if v := resolve.Eval(tsEval{}, s, e.Args[0]); v.Kind == resolve.Class {
			return tsInstance(tsRefType(v.Ref, nil), resolve.TypedResult)
		}
	}
	return resolve.Value{}
}

func tsMethodResult(s resolve.Scope, self resolve.Type, name string, e *resolve.Expr) resolve.Value {
	shape := tsReadType(s.W, self)
	if shape.form != tsBuiltin {
		return resolve.Value{}
	}
	element := func() resolve.Value { return tsInstance(tsElement(s.W, self), resolve.TypedElement) }
	switch shape.name {
	case "Array", "#tuple":
		switch name {
		case "find", "findLast", "at", "pop", "shift":
			return element()
		case "filter", "slice", "concat", "reverse", "sort", "splice", "toSorted", "toReversed", "fill", "values":
			if t := tsElement(s.W, self); t.Text != "" {
				return tsInstance(tsBuiltinType(s.File, "Array", t), resolve.TypedElement)
			}
			return resolve.Value{}
		case "join":
			return tsInstance(tsBuiltinType(s.File, "string"), resolve.TypedElement)
		case "includes", "indexOf", "some", "every", "push", "unshift", "findIndex", "lastIndexOf":
			return tsInstance(tsBuiltinType(s.File, "number"), resolve.TypedElement)
		}
	case "Map", "ReadonlyMap", "WeakMap":
		switch {
		case name == "get" && len(shape.args) == 2:
			return tsInstance(shape.args[1], resolve.TypedElement)
		case (name == "values" || name == "keys") && len(shape.args) == 2:
			return tsInstance(tsBuiltinType(s.File, "Iterable", shape.args[map[string]int{"keys": 0, "values": 1}[name]]), resolve.TypedElement)
		case name == "entries":
			return tsInstance(self, resolve.TypedElement)
		case name == "set":
			return tsInstance(self, resolve.TypedElement)
		}
	case "Set", "ReadonlySet":
		if name == "values" || name == "add" || name == "keys" {
			return tsInstance(self, resolve.TypedElement)
		}
	case "WeakRef":
		if name == "deref" && len(shape.args) == 1 {
			return tsInstance(shape.args[0], resolve.TypedElement)
		}
	case "Promise":
		if name == "catch" || name == "finally" {
			return tsInstance(self, resolve.TypedElement)
		}
	case "string":
		switch name {
		case "split":
			return tsInstance(tsBuiltinType(s.File, "Array", tsBuiltinType(s.File, "string")), resolve.TypedElement)
		case "match", "matchAll":
			return tsInstance(tsBuiltinType(s.File, "RegExpMatchArray"), resolve.TypedElement)
		}
		return tsInstance(tsBuiltinType(s.File, "string"), resolve.TypedElement)
	case "number", "boolean", "RegExp", "Date", "Buffer", "URL", "RegExpMatchArray":
		return tsInstance(tsBuiltinType(s.File, "string"), resolve.TypedElement)
	}
	return resolve.Value{}
}

// tsStaticResult is the result of a function of a global object.
func tsStaticResult(s resolve.Scope, name string, e *resolve.Expr) resolve.Value {
	first := func() resolve.Value {
		if len(e.Args) == 0 {
			return resolve.Value{}
		}
		return resolve.Eval(tsEval{}, s, e.Args[0])
	}
	switch name {
	case "Object.freeze", "Object.seal", "Object.assign", "Array.from", "Object.setPrototypeOf":
		v := first()
		if name == "Array.from" {
			if t := tsEach(s, v); t.Kind == resolve.Instance {
				return tsInstance(tsBuiltinType(s.File, "Array", t.Type), resolve.TypedElement)
			}
			return resolve.Value{}
		}
		return tsHeldBy(v)
	case "Object.values":
		if v := first(); v.Kind == resolve.Instance {
			if shape := tsReadType(s.W, v.Type); shape.form == tsBuiltin && shape.name == "Record" {
				return tsInstance(tsBuiltinType(s.File, "Array", shape.args[1]), resolve.TypedElement)
			}
		}
	case "Promise.resolve":
		if t, ok := tsTypeOf(tsAwaited(s.W, first())); ok {
			return tsInstance(tsBuiltinType(s.File, "Promise", t), resolve.TypedElement)
		}
	case "Promise.all":
		return tsAllResult(s, first())
	case "Object.keys":
		return tsInstance(tsBuiltinType(s.File, "Array", tsBuiltinType(s.File, "string")), resolve.TypedElement)
	case "Date.now", "Math.max", "Math.min", "Math.floor", "Math.round", "JSON.stringify", "String.raw", "Math.random":
		return tsInstance(tsBuiltinType(s.File, "string"), resolve.TypedElement)
	}
	return resolve.Value{}
}

// tsAllResult is what Promise.all gives: each promise's value.
func tsAllResult(s resolve.Scope, v resolve.Value) resolve.Value {
	t, ok := tsTypeOf(v)
	if !ok {
		return resolve.Value{}
	}
	shape := tsReadType(s.W, t)
	if shape.form != tsBuiltin || shape.name != "Array" && shape.name != "#tuple" {
		return resolve.Value{}
	}
	out := make([]resolve.Type, len(shape.args))
	for i, a := range shape.args {
		out[i] = resolve.Type{Text: "unknown", File: s.File, Scope: -1}
		if t, ok := tsTypeOf(tsAwaited(s.W, tsInstance(a, ""))); ok {
			out[i] = t
		}
	}
	return tsInstance(tsBuiltinType(s.File, "Promise", tsBuiltinType(s.File, shape.name, out...)), resolve.TypedElement)
}

// tsLibraryArgument is what a library method expects: as callbacks of
// containers, functions of an element.
func tsLibraryArgument(s resolve.Scope, f resolve.Value, i int) resolve.Value {
	name, ok := strings.CutPrefix(f.Type.Text, "#method ")
	if !ok {
		if f.Module == "builtin" {
			return resolve.Value{}
		}
		return resolve.Value{Kind: resolve.Foreign, Module: f.Module, Origin: resolve.Handed}
	}
	self, _ := f.Type.Bind.Lookup("$this")
	shape := tsReadType(s.W, self)
	if shape.form != tsBuiltin {
		return resolve.Value{}
	}
	function := func(params ...resolve.Type) resolve.Value {
		text := make([]string, len(params))
		t := resolve.Type{File: s.File, Scope: -1}
		for i, p := range params {
			n := "$" + string(rune('0'+i))
			text[i] = "_: " + n
			t.Bind = &resolve.Binding{Name: n, Type: p, Next: t.Bind}
		}
		t.Text = "(" + strings.Join(text, ", ") + ") => unknown"
		return tsInstance(t, resolve.TypedElement)
	}
	switch e := tsElement(s.W, self); shape.name {
	case "Array", "#tuple", "Set", "ReadonlySet":
		switch name {
		case "map", "forEach", "filter", "find", "findIndex", "findLast", "some", "every", "flatMap":
			if i == 0 && e.Text != "" {
				return function(e)
			}
		case "sort", "toSorted":
			if i == 0 && e.Text != "" {
				return function(e, e)
			}
		case "reduce", "reduceRight":
			if i == 0 && e.Text != "" {
				return function(resolve.Type{Text: "unknown", File: s.File, Scope: -1}, e)
			}
		}
	case "Map", "ReadonlyMap":
		if name == "forEach" && i == 0 && len(shape.args) == 2 {
			return function(shape.args[1], shape.args[0])
		}
	case "Promise":
		if name == "then" && i == 0 && len(shape.args) == 1 {
			return function(shape.args[0])
		}
	}
	return resolve.Value{}
}
