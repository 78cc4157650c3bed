package typescript

import (
	"strings"

	"sextant/l2meta/resolve"
)

// What of the language's own library passes types on: containers and what
// their methods give. All else of it is foreign.

// libraryShape is a type that nothing in scope declares: of the library, or
// a transparent wrapper of its argument.
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
		return tsShape{}
	}
	if len(globalTypes(w, name)) == 0 && declaredGlobally(w, name) {
		return tsShape{}
	}
	return tsShape{form: builtin, name: name, args: args}
}

// utility is ReturnType<typeof f> and InstanceType<typeof C>.
func utility(w *resolve.World, name string, args []resolve.Type) tsShape {
	if len(args) != 1 {
		return tsShape{}
	}
	shape := readType(w, args[0])
	switch {
	case name == "ReturnType" && shape.form == function:
		return readType(w, shape.typ)
	case name == "ReturnType" && shape.form == valueType && shape.value.Kind == resolve.Function:
		if t, ok := typeOf(callResult(top(w, args[0].File), shape.value, &resolve.Expr{Op: resolve.OpCall, X: &resolve.Expr{}})); ok {
			return readType(w, t)
		}
	case name == "InstanceType" && shape.form == valueType && shape.value.Kind == resolve.Class:
		return tsShape{form: declared, ref: shape.value.Ref}
	}
	return tsShape{}
}

// tsElement is the type of what iterating over t gives, and of t[i].
func tsElement(w *resolve.World, t resolve.Type) resolve.Type {
	shape := readType(w, t)
	if shape.form == union && len(shape.args) == 2 { // T[] | readonly T[]
		return tsElement(w, shape.args[0])
	}
	if shape.form != builtin {
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
			return builtinType(t.File, "#tuple", args...)
		}
	case "Record":
		return args[1]
	case "#tuple":
		for _, a := range args {
			if a.Text != args[0].Text || a.File != args[0].File || a.Scope != args[0].Scope || a.Bind != args[0].Bind && readType(w, a).ref != readType(w, args[0]).ref {
				return resolve.Type{}
			}
		}
		if len(args) > 0 {
			return args[0]
		}
	}
	return resolve.Type{}
}

// libraryMember is a member of a library type: a method that remembers what
// it is called on.
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
	return resolve.Value{Kind: resolve.Foreign, Module: "builtin", Type: resolve.Type{Text: "#method " + name, File: self.File, Scope: -1, Bind: &resolve.Binding{Name: "$this", Type: self}}}
}

// foreignMember is a member of something foreign; what a global object has is
// told by both names.
func foreignMember(s resolve.Scope, x resolve.Value, name string) resolve.Value {
	out := resolve.Value{Kind: resolve.Foreign, Module: x.Module, Origin: x.Origin.Member()}
	if strings.HasPrefix(x.Type.Text, "#foreign ") {
		out.Type = resolve.Type{Text: "#foreign " + name, File: s.File, Scope: -1}
	}
	if global, ok := strings.CutPrefix(x.Type.Text, "#global "); ok {
		if global == "globalThis" || global == "window" || global == "self" {
			if v := globalMember(s.W, "Window", name); v.Kind != resolve.Unknown {
				return v
			}
			return out
		}
		if global == "import" && name == "meta" {
			return instance(builtinType(s.File, "ImportMeta"), resolve.TypedWritten)
		}
		out.Type = resolve.Type{Text: "#static " + global + "." + name, File: s.File, Scope: -1}
	}
	return out
}

// libraryResult is what a call of a library function gives.
func libraryResult(s resolve.Scope, f resolve.Value, e *resolve.Expr) resolve.Value {
	if name, ok := strings.CutPrefix(f.Type.Text, "#method "); ok {
		self, _ := f.Type.Bind.Lookup("$this")
		return methodResult(s, self, name, e)
	}
	if name, ok := strings.CutPrefix(f.Type.Text, "#static "); ok {
		return staticResult(s, name, e)
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

// knownResult is what those functions of frameworks give that hand back what
// they were handed.
func knownResult(s resolve.Scope, module, name string, e *resolve.Expr) resolve.Value {
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

func methodResult(s resolve.Scope, self resolve.Type, name string, e *resolve.Expr) resolve.Value {
	shape := readType(s.W, self)
	if shape.form != builtin {
		return resolve.Value{}
	}
	element := func() resolve.Value { return instance(tsElement(s.W, self), resolve.TypedElement) }
	switch shape.name {
	case "Array", "#tuple":
		switch name {
		case "find", "findLast", "at", "pop", "shift":
			return element()
		case "filter", "slice", "concat", "reverse", "sort", "splice", "toSorted", "toReversed", "fill", "values":
			if t := tsElement(s.W, self); t.Text != "" {
				return instance(builtinType(s.File, "Array", t), resolve.TypedElement)
			}
			return resolve.Value{}
		case "join":
			return instance(builtinType(s.File, "string"), resolve.TypedElement)
		case "includes", "indexOf", "some", "every", "push", "unshift", "findIndex", "lastIndexOf":
			return instance(builtinType(s.File, "number"), resolve.TypedElement)
		}
	case "Map", "ReadonlyMap", "WeakMap":
		switch {
		case name == "get" && len(shape.args) == 2:
			return instance(shape.args[1], resolve.TypedElement)
		case (name == "values" || name == "keys") && len(shape.args) == 2:
			return instance(builtinType(s.File, "Iterable", shape.args[map[string]int{"keys": 0, "values": 1}[name]]), resolve.TypedElement)
		case name == "entries":
			return instance(self, resolve.TypedElement)
		case name == "set":
			return instance(self, resolve.TypedElement)
		}
	case "Set", "ReadonlySet":
		if name == "values" || name == "add" || name == "keys" {
			return instance(self, resolve.TypedElement)
		}
	case "WeakRef":
		if name == "deref" && len(shape.args) == 1 {
			return instance(shape.args[0], resolve.TypedElement)
		}
	case "Promise":
		if name == "catch" || name == "finally" {
			return instance(self, resolve.TypedElement)
		}
	case "string":
		switch name {
		case "split":
			return instance(builtinType(s.File, "Array", builtinType(s.File, "string")), resolve.TypedElement)
		case "match", "matchAll":
			return instance(builtinType(s.File, "RegExpMatchArray"), resolve.TypedElement)
		}
		return instance(builtinType(s.File, "string"), resolve.TypedElement)
	case "number", "boolean", "RegExp", "Date", "Buffer", "URL", "RegExpMatchArray":
		return instance(builtinType(s.File, "string"), resolve.TypedElement)
	}
	return resolve.Value{}
}

// staticResult is the result of a function of a global object.
func staticResult(s resolve.Scope, name string, e *resolve.Expr) resolve.Value {
	first := func() resolve.Value {
		if len(e.Args) == 0 {
			return resolve.Value{}
		}
		return resolve.Eval(eval{}, s, e.Args[0])
	}
	switch name {
	case "Object.freeze", "Object.seal", "Object.assign", "Array.from", "Object.setPrototypeOf":
		v := first()
		if name == "Array.from" {
			if t := each(s, v); t.Kind == resolve.Instance {
				return instance(builtinType(s.File, "Array", t.Type), resolve.TypedElement)
			}
			return resolve.Value{}
		}
		return heldBy(v)
	case "Object.values":
		if v := first(); v.Kind == resolve.Instance {
			if shape := readType(s.W, v.Type); shape.form == builtin && shape.name == "Record" {
				return instance(builtinType(s.File, "Array", shape.args[1]), resolve.TypedElement)
			}
		}
	case "Promise.resolve":
		if t, ok := typeOf(awaited(s.W, first())); ok {
			return instance(builtinType(s.File, "Promise", t), resolve.TypedElement)
		}
	case "Promise.all":
		return allResult(s, first())
	case "Object.keys":
		return instance(builtinType(s.File, "Array", builtinType(s.File, "string")), resolve.TypedElement)
	case "Date.now", "Math.max", "Math.min", "Math.floor", "Math.round", "JSON.stringify", "String.raw", "Math.random":
		return instance(builtinType(s.File, "string"), resolve.TypedElement)
	}
	return resolve.Value{}
}

// allResult is what Promise.all gives: each promise's value.
func allResult(s resolve.Scope, v resolve.Value) resolve.Value {
	t, ok := typeOf(v)
	if !ok {
		return resolve.Value{}
	}
	shape := readType(s.W, t)
	if shape.form != builtin || shape.name != "Array" && shape.name != "#tuple" {
		return resolve.Value{}
	}
	out := make([]resolve.Type, len(shape.args))
	for i, a := range shape.args {
		out[i] = resolve.Type{Text: "unknown", File: s.File, Scope: -1}
		if t, ok := typeOf(awaited(s.W, instance(a, ""))); ok {
			out[i] = t
		}
	}
	return instance(builtinType(s.File, "Promise", builtinType(s.File, shape.name, out...)), resolve.TypedElement)
}

// libraryArgument is what a library method expects: as callbacks of
// containers, functions of an element.
func libraryArgument(s resolve.Scope, f resolve.Value, i int) resolve.Value {
	name, ok := strings.CutPrefix(f.Type.Text, "#method ")
	if !ok {
		if f.Module == "builtin" {
			return resolve.Value{}
		}
		return resolve.Value{Kind: resolve.Foreign, Module: f.Module, Origin: resolve.Handed}
	}
	self, _ := f.Type.Bind.Lookup("$this")
	shape := readType(s.W, self)
	if shape.form != builtin {
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
		return instance(t, resolve.TypedElement)
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
