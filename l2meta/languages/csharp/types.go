package csharp

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/library"
	"sextant/l2meta/resolve"
)

// decl is one declaration of a type; a partial type has several.
type decl struct {
	resolve.Ref
	full    string // its name with namespaces and outer types: "A.B.Outer.Inner"
	arity   int
	project string // directory of its project, see csharpProject
}

// csharpType is a written type after its name was resolved: a type of the workspace (parts), a
// foreign type (name), or a type parameter (parameter).
type csharpType struct {
	parts []resolve.Ref  // its declarations in the workspace; none for a foreign type
	name  string         // name of a foreign type: "List" for List<T>, "[]" for an array, "()" for a tuple
	args  []resolve.Type // type arguments; element types of arrays and tuples
	any   []resolve.Type // the constraints of an unbound type parameter
	// parameter is the name of an unbound type parameter.
	parameter string
	// lib is the entry of a foreign type in library.txt, nil if there is none.
	lib *library.Type
}

func (t csharpType) known() bool { return len(t.parts) > 0 }

// bind binds the type parameters of t's declaration to its type arguments. It returns nil if the
// workspace does not declare t.
func (t csharpType) bind() *resolve.Binding {
	if !t.known() {
		return nil
	}
	return resolve.Bind(typeParameters(t.parts[0]), t.args, nil)
}

// typeParameters returns the names of a declaration's type parameters, in order.
func typeParameters(r resolve.Ref) (names []string) {
	for _, fact := range r.Facts() {
		if fact.Kind == code.FactAlias && fact.Type == "?" {
			names = append(names, fact.Name)
		}
	}
	return names
}

type declsKey string

// decls returns the types of the workspace with that simple name.
func decls(w *resolve.World, name string) []decl {
	return resolve.Derive(w, declsKey(name), func() (out []decl) {
		rows, _ := w.Named(name)
		for _, row := range rows {
			if row.Language != "csharp" || !resolve.IsType(row.Kind) {
				continue
			}
			if r := w.Ref(row); r.Valid() {
				out = append(out, decl{Ref: r, full: fullName(r), arity: len(typeParameters(r)),
					project: csharpProject(w, r.File.Dir)})
			}
		}
		return out
	})
}

// fullName returns a declaration's name with its namespace and outer types: "App.Job.Run".
func fullName(r resolve.Ref) string {
	if p := r.File.Package(); p != "" {
		return p + "." + r.Symbol().QualifiedName
	}
	return r.Symbol().QualifiedName
}

type projectKey string

// csharpProject returns the nearest directory at or above dir with a project file; "" for the root,
// or if there is none.
func csharpProject(w *resolve.World, dir string) string {
	return resolve.Derive(w, projectKey(dir), func() string {
		for _, f := range w.Dir(dir) {
			if strings.HasSuffix(f.Path, ".csproj") {
				return dir
			}
		}
		if dir == "" {
			return ""
		}
		return csharpProject(w, code.Dir(dir))
	})
}

// named returns the declarations of the type with a full name, as f sees them. A negative arity
// matches any number of type parameters. If two projects declare the name, f's own project wins,
// then the only one that f's project refers to; else named returns nil.
func named(w *resolve.World, f *resolve.File, full string, arity int) []resolve.Ref {
	full = strings.TrimPrefix(full, "global::")
	if strings.HasPrefix(full, "System.") && !strings.HasPrefix(f.Package(), "System") {
		return nil // it is a polyfill; the framework may have the type
	}
	var own, others []decl
	project := csharpProject(w, f.Dir)
	for _, d := range decls(w, full[strings.LastIndexByte(full, '.')+1:]) {
		if d.full != full || arity >= 0 && d.arity != arity {
			continue
		}
		if d.project == project {
			own = append(own, d)
		} else {
			others = append(others, d)
		}
	}
	if len(own) == 0 {
		own = referred(w, project, others)
	}
	var parts []resolve.Ref
	for _, d := range own {
		if d.project != own[0].project || d.arity != own[0].arity {
			return nil
		}
		parts = append(parts, d.Ref)
	}
	return parts
}

// namespaces returns the namespaces around the symbol with index at, innermost first; the global namespace
// ("") is last.
func namespaces(f *resolve.File, at int) (out []string) {
	full := f.Package()
	for ; at >= 0; at = f.Symbols[at].Parent {
		if f.Symbols[at].Kind == code.KindNamespace {
			full = strings.TrimPrefix(full+"."+f.Symbols[at].QualifiedName, ".")
			break
		}
	}
	for full != "" {
		out = append(out, full)
		full = full[:max(strings.LastIndexByte(full, '.'), 0)]
	}
	return append(out, "")
}

type usingsKey int64

// using is one using directive that applies to a file. static is set if a project file marks the directive
// as static; for directives in source files it is false even if they are static.
type using struct {
	alias, module string
	static        bool
}

// usings returns the usings that apply to a file: its own, and the global ones of its project, from
// other source files and from MSBuild files.
func usings(w *resolve.World, f *resolve.File) []using {
	return resolve.Derive(w, usingsKey(f.ID), func() (out []using) {
		for _, i := range f.Imports {
			out = append(out, using{alias: i.Alias, module: strings.TrimPrefix(i.Module, "global::")})
		}
		return append(out, globalUsings(w, csharpProject(w, f.Dir))...)
	})
}

type globalKey string

// globalFiles lists the usual names of files with global usings. Files beside the project file
// are read whatever their name.
var globalFiles = []string{"GlobalUsings.cs", "GlobalUsing.cs", "Usings.cs", "GlobalImports.cs", "Imports.cs",
	"AssemblyInfo.cs"}

// globalUsings returns the usings that apply to all files of a project: those of "global using A;",
// and those that MSBuild files add.
func globalUsings(w *resolve.World, project string) []using {
	return resolve.Derive(w, globalKey(project), func() (out []using) {
		out = buildUsings(w, project)
		files := w.Dir(project)
		for _, name := range globalFiles {
			for _, ref := range w.Base(name) {
				if f := code.Dir(ref.Path); f != project && csharpProject(w, f) == project {
					files = append(files, ref)
				}
			}
		}
		for _, ref := range files {
			if ref.Language != "csharp" {
				continue
			}
			f := w.Load(ref)
			if f == nil {
				continue
			}
			for _, e := range f.Exports {
				alias := e.Name
				if alias == "*" {
					alias = ""
				}
				out = append(out, using{alias: alias, module: strings.TrimPrefix(e.Module, "global::")})
			}
		}
		return out
	})
}

// simple returns the declarations of the type that a name without dots denotes in file f, at the symbol
// with index at. It returns nil if the name is ambiguous or denotes a type outside the workspace.
func simple(w *resolve.World, f *resolve.File, at int, name string, arity int) []resolve.Ref {
	if parts := enclosing(w, f, at, name, arity); len(parts) > 0 {
		return parts
	}
	return used(w, f, namespaces(f, at), name, arity)
}

// enclosing returns the declarations of the type called name that a type or a namespace around the
// symbol with index at declares or inherits; nil if there is none.
func enclosing(w *resolve.World, f *resolve.File, at int, name string, arity int) []resolve.Ref {
	for t := at; t >= 0; t = f.Symbols[t].Parent {
		if !resolve.IsType(f.Symbols[t].Kind) {
			continue
		}
		if parts := nested(w, f.Ref(t), name, arity, 0); len(parts) > 0 {
			return parts
		}
		if f.Symbols[t].Name == name && (arity < 0 || len(typeParameters(f.Ref(t))) == arity) {
			return named(w, f, fullName(f.Ref(t)), len(typeParameters(f.Ref(t))))
		}
	}
	for _, n := range namespaces(f, at) {
		if parts := named(w, f, resolve.Qualified(".", n, name), arity); len(parts) > 0 {
			return parts
		}
	}
	return nil
}

// nested returns the declarations of the type called name that is nested in outer or in a base of outer,
// nil if there is none. depth counts the steps from a type to its base.
func nested(w *resolve.World, outer resolve.Ref, name string, arity, depth int) []resolve.Ref {
	if parts := named(w, outer.File, fullName(outer)+"."+name, arity); len(parts) > 0 || depth > 8 {
		return parts
	}
	for _, fact := range outer.Facts() {
		if fact.Kind != code.FactBase || len(decls(w, name)) == 0 {
			continue
		}
		base := csharpResolve(w, resolve.Type{Text: fact.Type, File: outer.File, Scope: outer.Symbol().Parent})
		if base.known() && base.parts[0] != outer {
			if parts := nested(w, base.parts[0], name, arity, depth+1); len(parts) > 0 {
				return parts
			}
		}
	}
	return nil
}

// used returns the declarations of the type called name that a using directive of f brings into
// scope; nil if there is none, or if two directives bring in different types. namespaces are those
// around the name, to which the directives may be relative.
func used(w *resolve.World, f *resolve.File, namespaces []string, name string, arity int) (found []resolve.Ref) {
	for _, u := range usings(w, f) {
		if u.alias == name {
			return csharpResolve(w, resolve.Type{Text: "global::" + u.module, File: f, Scope: -1}).parts
		}
	}
	if len(decls(w, name)) == 0 {
		return nil
	}
	for _, u := range usings(w, f) {
		if u.alias != "" {
			continue
		}
		for _, n := range namespaces { // a using in a namespace may be relative to it
			parts := named(w, f, resolve.Qualified(".", n, u.module)+"."+name, arity)
			if len(parts) == 0 {
				continue
			}
			if len(found) > 0 && found[0] != parts[0] {
				return nil
			}
			found = parts
			break
		}
	}
	return found
}

// unclear reports whether a name that did not resolve may still denote a type of the workspace.
// That is so if several projects declare it in a visible namespace, or if the workspace declares
// a type in the framework's namespace System, as programs for frameworks that lack the type do.
func unclear(w *resolve.World, f *resolve.File, at int, name string) bool {
	name = name[strings.LastIndexAny(name, ".:")+1:]
	decls := decls(w, name)
	if len(decls) == 0 {
		return false
	}
	seen := map[string]bool{}
	for _, n := range namespaces(f, at) {
		seen[n] = true
		for _, u := range usings(w, f) {
			seen[resolve.Qualified(".", n, u.module)] = true
		}
	}
	return slices.ContainsFunc(decls, func(d decl) bool {
		around := strings.TrimSuffix(strings.TrimSuffix(d.full, name), ".")
		return seen[around] || around == "System" || strings.HasPrefix(around, "System.")
	})
}

type resolveKey struct {
	text  string
	file  int64
	scope int
}

// csharpResolve returns the type that t denotes, with its declarations in the workspace or its entry in
// library.txt. It returns the zero type if that is unknown, as for var and dynamic.
func csharpResolve(w *resolve.World, t resolve.Type) csharpType {
	if t.File == nil && t.Scope != inLibrary {
		return csharpType{}
	}
	text := bare(t.Text)
	t.Text = text
	switch {
	case text == "" || text == "?" || text == "var" || text == "dynamic":
		return csharpType{}
	case strings.HasSuffix(text, "]"):
		open := strings.LastIndexByte(text, '[')
		return csharpType{name: "[]", args: []resolve.Type{t.With(text[:max(open, 0)])}, lib: tabled("[]", 1)}
	case text[0] == '(':
		var elements []resolve.Type
		for _, e := range expr.SplitTypes(strings.Trim(text, "()")) {
			elements = append(elements, t.With(e))
		}
		return csharpType{name: "()", args: elements}
	}
	name, arguments := cut(text)
	// A type parameter may be bound to another one of the same name: in class Box<T> : Base<T>,
	// the T of Base is bound to the T of Box. Then the bindings of Box determine the type.
	if bound, ok := t.Bind.Lookup(text); ok && (bound.Text != text || bound.Bind != nil ||
		bound.File != t.File || bound.Scope != t.Scope || t.Scope == inLibrary) {
		return csharpResolve(w, bound)
	}
	var args []resolve.Type
	for _, a := range arguments {
		args = append(args, t.With(a))
	}
	if t.Scope == inLibrary {
		return fromTable(name, args)
	}
	if owner, ok := parameterOwner(t.File, t.Scope, text); ok {
		return csharpType{any: constraints(t.File, owner, text), parameter: text}
	}
	if alias, ok := constructedAlias(w, t.File, t.Scope, text); ok {
		return csharpResolve(w, alias)
	}
	m := resolve.Derive(w, resolveKey{text, t.File.ID, t.Scope}, func() meaning {
		if parts := qualified(w, t.File, t.Scope, name, len(arguments)); len(parts) > 0 {
			return meaning{parts: parts}
		}
		return foreignType(w, t.File, t.Scope, name, len(arguments))
	})
	switch {
	case len(m.parts) > 0:
		return csharpType{parts: m.parts, args: args}
	case m.lib != nil:
		return csharpType{name: m.name, args: args, lib: m.lib}
	}
	return csharpType{name: name[strings.LastIndexAny(name, ".:")+1:], args: args}
}

// meaning holds the declarations that the name of a type denotes, or the library's type.
type meaning struct {
	parts []resolve.Ref
	name  string
	lib   *library.Type
}

// bare strips modifiers and null marks, which do not change the identity of a type: Job for "ref
// Job?".
func bare(text string) string {
	for _, word := range []string{"scoped ", "ref ", "readonly ", "out ", "in ", "params ", "this "} {
		text = strings.TrimPrefix(text, word)
	}
	return strings.TrimRight(strings.TrimSpace(text), "?")
}

// cut splits a type into its name and its type arguments: List and [int] for List<int>. It drops type
// arguments within a name: Outer.Inner for Outer<T>.Inner.
func cut(text string) (name string, arguments []string) {
	at := strings.IndexByte(text, '<')
	if at < 0 {
		return text, nil
	}
	end := strings.LastIndexByte(text, '>')
	if end < at {
		return text, nil
	}
	if end == len(text)-1 {
		return text[:at], csharpArguments(text[at+1 : end])
	}
	return text[:at] + text[end+1:], nil // Outer<T>.Inner
}

// csharpArguments splits a list of type arguments. Those of an unbound type, Map<,>, are empty.
func csharpArguments(text string) []string {
	if strings.Trim(text, ", ") == "" {
		return make([]string, strings.Count(text, ",")+1)
	}
	return expr.SplitTypes(text)
}

// parameterOwner returns the symbol that declares a type parameter of that name: the symbol with index
// scope, or the nearest one around it. It returns false if there is none.
func parameterOwner(f *resolve.File, scope int, name string) (int, bool) {
	for ; scope >= 0; scope = f.Symbols[scope].Parent {
		s := &f.Symbols[scope]
		if !s.Kind.Callable() && !resolve.IsType(s.Kind) {
			continue
		}
		for _, p := range typeParameters(f.Ref(scope)) {
			if p == name {
				return scope, true
			}
		}
	}
	return 0, false
}

func constraints(f *resolve.File, owner int, name string) (out []resolve.Type) {
	for _, fact := range f.FactsOf(owner) {
		if fact.Kind == code.FactAlias && fact.Name == name && fact.Type != "?" {
			out = append(out, resolve.Type{Text: fact.Type, File: f, Scope: owner})
		}
	}
	return out
}

// qualified returns the declarations of the type that name, with or without dots, denotes in file f, at the
// symbol with index scope. It returns nil if there is none.
func qualified(w *resolve.World, f *resolve.File, scope int, name string, arity int) []resolve.Ref {
	global := strings.HasPrefix(name, "global::")
	name = strings.TrimPrefix(name, "global::")
	name = strings.ReplaceAll(name, "::", ".")
	dot := strings.LastIndexByte(name, '.')
	switch {
	case global:
		return named(w, f, name, arity)
	case dot < 0:
		return simple(w, f, scope, name, arity)
	case len(decls(w, name[dot+1:])) == 0:
		return nil
	}
	if outer := qualified(w, f, scope, name[:dot], -1); len(outer) > 0 {
		return nested(w, outer[0], name[dot+1:], arity, 0)
	}
	first, rest, _ := strings.Cut(name, ".")
	for _, u := range usings(w, f) {
		if u.alias == first {
			return named(w, f, u.module+"."+rest, arity)
		}
	}
	for _, n := range namespaces(f, scope) {
		if parts := named(w, f, resolve.Qualified(".", n, name), arity); len(parts) > 0 {
			return parts
		}
	}
	return nil
}
