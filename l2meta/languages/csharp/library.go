package csharp

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"

	"sextant/l2meta/expr"
	"sextant/l2meta/library"
	"sextant/l2meta/resolve"
)

// library.txt is a table of the types and members of .NET's own assemblies, in the form that
// package library describes. In addition, a method may have a signature, "(Func<T, !0>) =>
// List<!0>", in which !0 is the first type parameter of the method. The pseudo-type "this
// IEnumerable<T>" lists the methods that extend IEnumerable<T>.

//go:embed library.txt
var libraryText string

var table = library.New(libraryText)

// inLibrary is the Scope of a resolve.Type whose text comes from library.txt. The names in that text mean
// types of library.txt, even if the workspace declares types of the same names.
const inLibrary = -2

// standIns maps collections of well-known packages to the .NET type that is looked up instead: DbSet
// of Entity Framework to IQueryable, which has the same element type.
var standIns = map[string]string{"DbSet": "IQueryable"}

// tabled returns the type in library.txt with that name and number of type arguments; nil if there
// is none.
func tabled(name string, arguments int) *library.Type {
	switch {
	case name == "[]":
		name = "Array"
	case standIns[name] != "":
		name = standIns[name]
	}
	return table.Type(library.Key(csharpName(name), arguments))
}

// basic lists the namespaces whose types resolve without a using directive.
var basic = resolve.Set("System", "System.Collections.Generic", "System.IO", "System.Linq", "System.Net.Http",
	"System.Threading", "System.Threading.Tasks")

// foreignType returns the type in library.txt that name denotes in file f, at the symbol with index at. It
// returns the zero meaning if the workspace may declare the name, or if neither a qualifier nor a using
// directive names the namespace of the type.
func foreignType(w *resolve.World, f *resolve.File, at int, name string, arguments int) meaning {
	name = strings.TrimPrefix(name, "global::")
	simple := name[strings.LastIndexAny(name, ".:")+1:]
	for _, u := range usings(w, f) {
		if u.alias == name {
			name = u.module
			simple = name[strings.LastIndexByte(name, '.')+1:]
		}
	}
	typ := tabled(simple, arguments)
	if typ == nil || unclear(w, f, at, simple) {
		return meaning{}
	}
	qualifier := strings.TrimSuffix(strings.TrimSuffix(name, simple), ".")
	if qualifier == "" && (basic[typ.Package] || slices.Contains(namespaces(f, at), typ.Package)) ||
		qualifier != "" && (qualifier == typ.Package || strings.HasSuffix(typ.Package, "."+qualifier)) ||
		qualifier == "" && slices.ContainsFunc(usings(w, f), func(u using) bool {
			return u.alias == "" && u.module == typ.Package
		}) {
		return meaning{name: simple, lib: typ}
	}
	return meaning{}
}

// fromTable returns the type that text, a type name in library.txt, denotes with the given type
// arguments; the zero type if text is a type parameter.
func fromTable(text string, arguments []resolve.Type) csharpType {
	if text == "" || text[0] == '!' || text[0] == '?' {
		return csharpType{}
	}
	t := csharpType{name: text, args: arguments, lib: tabled(text, len(arguments))}
	// T without an argument is a type parameter, not a type of the library
	if t.lib == nil && text[0] == 'T' && (len(text) == 1 || text[1] <= 'Z') {
		return csharpType{}
	}
	return t
}

// written returns the library type t as a resolve.Type, with its type arguments bound: List<T> with the
// binding of T to Job.
func (t csharpType) written() resolve.Type {
	if t.name == "[]" {
		return resolve.Type{Text: "T[]", Scope: inLibrary, Bind: resolve.Bind([]string{"T"}, t.args, nil)}
	}
	text := t.lib.Name
	if len(t.lib.Params) > 0 {
		text += "<" + strings.Join(t.lib.Params, ", ") + ">"
	}
	return resolve.Type{Text: text, Scope: inLibrary, Bind: resolve.Bind(t.lib.Params, t.args, nil)}
}

// tabledBases returns the supertypes of a library type.
func tabledBases(w *resolve.World, t csharpType) (out []csharpType) {
	if t.lib == nil {
		return nil
	}
	bind := resolve.Bind(t.lib.Params, t.args, nil)
	for _, base := range t.lib.Bases {
		out = append(out, csharpResolve(w, resolve.Type{Text: base, Scope: inLibrary, Bind: bind}))
	}
	return out
}

func isInterfaceName(name string) bool {
	return len(name) > 1 && name[0] == 'I' && 'A' <= name[1] && name[1] <= 'Z'
}

// signature is a member in library.txt: its result type and the types of its parameters.
type signature struct {
	result     string
	parameters []string
	bind       *resolve.Binding // bindings of the type parameters of owner
	owner      csharpType       // the type that declares the member, or that the extension method extends
	loose      bool             // whether it takes any number of arguments
}

func (g signature) typ(text string) resolve.Type {
	return resolve.Type{Text: text, Scope: inLibrary, Bind: g.bind}
}

// declares looks up a member of typ in library.txt that takes count arguments; -1 matches any
// number. text is the type or the signature of the member. loose reports that the member takes
// any number of arguments.
func declares(typ *library.Type, name string, count int) (text string, ok, loose bool) {
	if typ == nil {
		return "", false, false
	}
	if count < 0 {
		text, ok = typ.Own(name)
		return text, ok, true
	}
	if text, ok = typ.Own(name + "/" + strconv.Itoa(count)); ok {
		return text, true, false
	}
	text, ok = typ.Own(name + "/+")
	return text, ok, true
}

func read(text string, t csharpType) signature {
	g := signature{result: text, bind: resolve.Bind(t.lib.Params, t.args, nil), owner: t}
	if parameters, result, ok := strings.Cut(text, ") => "); ok && text[0] == '(' {
		g.result, g.parameters = result, expr.SplitTypes(parameters[1:])
	}
	return g
}

// tabledProperty returns the type of a property or field of a library type or its supertypes. It
// returns false if there is none.
func tabledProperty(w *resolve.World, t csharpType, name string) (resolve.Type, bool) {
	for _, b := range supertypes(w, t) {
		if b.lib == nil {
			continue
		}
		if text, ok := b.lib.Own(name); ok {
			if _, method := b.lib.Own(name + "/"); method {
				return resolve.Type{}, false
			}
			return read(text, b).typ(text), true
		}
	}
	return resolve.Type{}, false
}

// tabledOwn returns the method called name that a library type or one of its base classes declares,
// without extension methods. count is the number of arguments. It returns false if there is none
// that takes as many.
func tabledOwn(w *resolve.World, t csharpType, name string, count int) (signature, bool) {
	for i, b := range supertypes(w, t) {
		if b.lib == nil || i > 0 && isInterfaceName(b.name) && !(isInterfaceName(t.name) || t.isInterface()) {
			continue
		}
		if text, ok, loose := declares(b.lib, name, count); ok {
			g := read(text, b)
			g.loose = loose
			return g, true
		}
	}
	if text, ok, _ := declares(tabled("object", 0), name, count); ok && everywhere[name] {
		return signature{result: text}, true
	}
	return signature{}, false
}

// tabledExtension returns the library's extension method called name for a library type. It returns
// false if there is none that takes count arguments.
func tabledExtension(w *resolve.World, t csharpType, name string, count int) (signature, bool) {
	for _, b := range supertypes(w, t) {
		if b.lib == nil {
			continue
		}
		if text, ok, _ := declares(table.Type(library.Key("this "+b.lib.Name, len(b.args))), name, count); ok {
			return read(text, b), true
		}
	}
	return signature{}, false
}

// tabledMethod returns the library method that a call x.name(…) calls, where x is of type t. It
// returns false if there is none that takes count arguments.
func tabledMethod(w *resolve.World, t csharpType, name string, count int) (signature, bool) {
	if g, ok := tabledOwn(w, t, name, count); ok {
		return g, true
	}
	return tabledExtension(w, t, name, count)
}
