package python

import (
	_ "embed"
	"strings"

	"sextant/l2meta/library"
	"sextant/l2meta/resolve"
)

// What the standard library's functions, methods and attributes give, by the
// table of library.txt; testdata/oracles/python_library.py writes it. A value
// of its types is Foreign, its Module the type's full name: re.Match. What the
// containers hold is told by containers.

//go:embed library.txt
var libraryText string

var typeshed = library.New(libraryText)

// inLibrary is the Scope of a type that the table holds: its names are full
// ones, whatever the file binds.
const inLibrary = -2

// libraryMember returns a value of the type of a member of a type or a module of
// the library: "span()" is what a call of it gives.
func libraryMember(w *resolve.World, owner, name string) resolve.Value {
	text, _ := typeshed.Member(owner, name)
	if text == "" {
		return resolve.Value{}
	}
	v := typed(w, resolve.Type{Text: text, Scope: inLibrary})
	if v.Kind == resolve.Foreign && callable(v.Module) {
		return resolve.Value{} // it may call what it was handed: singledispatch(f)
	}
	return v
}

// callable reports whether objects of a type of the library can be called.
func callable(name string) bool {
	_, ok := typeshed.Member(name, "__call__()")
	return ok
}

// libraryResult returns what a call gives of the function, the method or the class
// of that full name.
func libraryResult(w *resolve.World, name string) resolve.Value {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return resolve.Value{}
	}
	if v := libraryMember(w, name[:i], name[i+1:]+"()"); v.Kind != resolve.Unknown {
		return v
	}
	if typeshed.Type(name) != nil && !callable(name) && containers[name[i+1:]] == 0 {
		return resolve.Value{Kind: resolve.Foreign, Module: name}
	}
	return resolve.Value{}
}
