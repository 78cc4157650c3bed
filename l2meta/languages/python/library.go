package python

import (
	_ "embed"
	"strings"

	"sextant/l2meta/library"
	"sextant/l2meta/resolve"
)

// library.txt is a table of the results of the standard library's functions and methods, and of
// the types of its attributes. testdata/oracles/python_library.py writes it. A value of a type in
// the table has the kind Foreign, and its Module is the type's full name, such as re.Match. The
// variable containers tells where a container's type arguments state its element type.

//go:embed library.txt
var libraryText string

var typeshed = library.New(libraryText)

// inLibrary is the Scope of a type that library.txt states. Its names are full names, so no file's
// bindings apply to them.
const inLibrary = -2

// libraryMember returns a value of the type that the member called name of a library type or
// module has. The member "span()" is the result of a call of the method span. It returns the zero
// Value if the member is unknown.
func libraryMember(w *resolve.World, owner, name string) resolve.Value {
	text, _ := typeshed.Member(owner, name)
	if text == "" {
		return resolve.Value{}
	}
	v := typed(w, resolve.Type{Text: text, Scope: inLibrary})
	if v.Kind == resolve.Foreign && callable(v.Module) {
		return resolve.Value{} // a call of the result may run a function of the workspace: singledispatch(f)
	}
	return v
}

// callable reports whether objects of a library type can be called.
func callable(name string) bool {
	_, ok := typeshed.Member(name, "__call__()")
	return ok
}

// libraryResult evaluates a call of the library function, method or class with a full name, such
// as re.compile. It returns the zero Value if the table does not determine the result.
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
