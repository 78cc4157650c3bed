package typescript

import (
	_ "embed"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/languages/typescript/rules"
	"sextant/l2meta/library"
	"sextant/l2meta/resolve"
)

// This file reads the table library.txt of the types and values that the language, browsers and
// Node declare. testdata/oracles/typescript_library.mjs generates it.

//go:embed library.txt
var libraryText string

var standard = library.New(libraryText)

// inLibrary is the Scope of a type that library.txt states. The names in such a type refer to
// library types, whatever the names mean in the file.
const inLibrary = -2

// boxes maps primitive types, and types that library.txt does not list by name, to the library
// types that declare their members: string to String.
var boxes = map[string]string{
	"string": "String", "number": "Number", "boolean": "Boolean", "symbol": "Symbol", "bigint": "BigInt",
	"#tuple": "Array", "Function": "CallableFunction",
}

// tableType returns the entry in library.txt that declares the members of the type called name:
// String for string. It returns nil if there is none.
func tableType(name string) *library.Type {
	if box := boxes[name]; box != "" {
		name = box
	}
	return standard.Type(name)
}

// tableMember returns the type of the member called name of the library type self, and whether
// library.txt lists the member. Every object has the members of Object.
func tableMember(w *resolve.World, shape tsShape, name string, self resolve.Type) (resolve.Type, bool) {
	typ := tableType(shape.name)
	if typ == nil {
		return resolve.Type{}, false
	}
	text, ok := standard.Member(typ.Name, name)
	if !ok && strings.IndexByte("#(", name[0]) < 0 && name != "new" {
		if text, ok = standard.Member("Object", name); !ok {
			text, ok = standard.Member(typ.Name, "#key")
		}
	}
	if !ok {
		return resolve.Type{}, false
	}
	args := shape.args
	if shape.name == "#tuple" {
		args = []resolve.Type{tupleElement(w, args)}
	}
	bind := &resolve.Binding{Name: "this", Type: self}
	return resolve.Type{Text: text, File: self.File, Scope: inLibrary, Bind: resolve.Bind(typ.Params, args, bind)}, true
}

// tupleElement returns the common type of a tuple's elements; the zero Type if they differ.
func tupleElement(w *resolve.World, args []resolve.Type) resolve.Type {
	for _, a := range args {
		if a.Text != args[0].Text || a.File != args[0].File || a.Scope != args[0].Scope ||
			a.Bind != args[0].Bind && readType(w, a).ref != readType(w, args[0]).ref {
			return resolve.Type{}
		}
	}
	if len(args) == 0 {
		return resolve.Type{}
	}
	return args[0]
}

// globalValue returns the value of a global name of the platform, such as window or process.
func globalValue(s resolve.Scope, name string) resolve.Value {
	text, ok := standard.Member("globalThis", name)
	if name == "globalThis" {
		text, ok = "globalThis", true
	}
	if !ok || text == "" {
		return resolve.Value{Kind: resolve.Foreign, Module: "builtin",
			Type: resolve.Type{Text: "#global " + name, File: s.File, Scope: -1}}
	}
	return resolve.Value{Kind: resolve.Foreign, Module: "builtin",
		Type: resolve.Type{Text: text, File: s.File, Scope: inLibrary}}
}

// isFunctionType reports whether a type in library.txt is a function, or an intersection of
// overloads.
func isFunctionType(text string) bool {
	switch {
	case strings.HasPrefix(text, "<"):
		return true
	case !strings.HasPrefix(text, "("):
		return false
	}
	end := closing(text, 0)
	if end < 0 {
		return false
	}
	behind := strings.TrimSpace(text[end+1:])
	return strings.HasPrefix(behind, "=>") || (behind == "" || behind[0] == '&') && isFunctionType(text[1:end])
}

// inParens returns a text without the parentheses around it.
func inParens(text string) string {
	for len(text) > 1 && text[0] == '(' && closing(text, 0) == len(text)-1 {
		text = strings.TrimSpace(text[1 : len(text)-1])
	}
	return text
}

// libraryNamed interprets a type name that occurs in a type of library.txt.
func libraryNamed(w *resolve.World, t resolve.Type, name string, args []resolve.Type) tsShape {
	switch {
	case name == "#awaited" && len(args) == 1:
		return eachAwaited(w, t, args[0])
	case name[0] == '#', tableType(name) != nil, wrappers[name]:
		return libraryShape(w, t, name, args)
	}
	return tsShape{} // a type parameter that is not bound
}

// eachAwaited returns the shape that a tuple or an array has after await of each element, as in
// the result of Promise.all: [A, B] for [Promise<A>, Promise<B>].
func eachAwaited(w *resolve.World, t, list resolve.Type) tsShape {
	shape := readType(w, list)
	if shape.form != builtin || shape.name != "Array" && shape.name != "#tuple" {
		return tsShape{}
	}
	out := make([]resolve.Type, len(shape.args))
	for i, a := range shape.args {
		out[i] = unknownType(t.File)
		if v, ok := typeOf(awaited(w, instance(a, ""))); ok {
			out[i] = v
		}
	}
	shape.args = out
	return shape
}

func unknownType(f *resolve.File) resolve.Type {
	return resolve.Type{Text: "unknown", File: f, Scope: inLibrary}
}

// tsElement returns the type of the elements over which a loop over t iterates; the zero Type if it
// is unknown.
func tsElement(w *resolve.World, t resolve.Type) resolve.Type {
	return elementOf(w, t, "#each", "#await")
}

// indexed returns the type of t[i] for an unknown key i; the zero Type if it is unknown.
func indexed(w *resolve.World, t resolve.Type) resolve.Type {
	return elementOf(w, t, "#index", "#key")
}

// elementOf returns the type of a container's elements: T for T[], Set<T> and Record<string, T>.
// library.txt lists it as a member with a key such as "#each". The first of keys that the
// container has determines the type.
func elementOf(w *resolve.World, t resolve.Type, keys ...string) resolve.Type {
	if !w.Enter() {
		return resolve.Type{}
	}
	defer w.Leave()
	shape := readType(w, t)
	switch shape.form {
	case union: // a union of containers: T[] | readonly U[]
		var elements []resolve.Value
		for _, part := range shape.args {
			if b := readType(w, part); b.form == builtin && b.name == "Array" && len(b.args) == 0 {
				continue // skips the empty list in xs || []
			}
			elements = append(elements, instance(elementOf(w, part, keys...), ""))
		}
		e, _ := typeOf(anyOf(w, t.File, elements))
		return e
	case intersection: // an intersection with a container: Map<K, V> & { mark: true }
		for _, part := range shape.args {
			if e := elementOf(w, part, keys...); e.Text != "" {
				return e
			}
		}
	case declared: // a class that extends a container: class Names extends Array<string>
		return inheritedElement(w, shape, keys)
	case literal:
		if keys[0] == "#index" && !rules.IsCut(shape.typ.Text) {
			return literalIndex(shape)
		}
	case builtin:
		if shape.name == "Record" && keys[0] == "#index" {
			return shape.args[1]
		}
		for _, key := range keys {
			if e, ok := tableMember(w, shape, key, t); ok && readType(w, e).form != opaque || ok && isParameter(e) {
				return boundTo(e)
			}
		}
	}
	return resolve.Type{}
}

// isParameter reports whether a type in library.txt is a bound type parameter.
func isParameter(t resolve.Type) bool { _, ok := t.Bind.Lookup(t.Text); return ok }

// boundTo returns the type that a type parameter is bound to, and any other type unchanged.
func boundTo(t resolve.Type) resolve.Type {
	if to, ok := t.Bind.Lookup(t.Text); ok {
		return to
	}
	return t
}

// inheritedElement returns the type of the elements of a class that extends a container: class
// Names extends Array<string>.
func inheritedElement(w *resolve.World, shape tsShape, keys []string) resolve.Type {
	for _, fact := range shape.ref.Facts() {
		if fact.Kind != code.FactBase {
			continue
		}
		base := resolve.Type{Text: fact.Type, File: shape.ref.File, Scope: shape.ref.Index, Bind: shape.bind}
		switch b := tsBase(w, base, shape.ref); {
		case b.form == builtin:
			return elementOf(w, builtinType(shape.ref.File, b.name, b.args...), keys...)
		case b.form == declared && b.ref != shape.ref:
			return elementOf(w, refType(b.ref, b.bind), keys...)
		}
	}
	return resolve.Type{}
}
