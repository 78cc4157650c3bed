package resolve

import "sextant/internal/code"

// Language holds all that resolution needs to know of a language.
type Language struct {
	// Settler resolves the language's call sites; nil means Plain, which resolves plain names
	// within their file.
	Settler Settler
	// Family is the name of a group of languages whose code calls each other directly, such as
	// Java, Kotlin and Scala. It is "" for a language that calls no other.
	Family string
	// ImportConfidence is the confidence of the edges from a file to the files that it imports: the
	// lower end of the 95 % Wilson interval of the share of edges that were right on held-out
	// repositories, as judged by the language's own tool (TestImportTruth). 0 means not measured.
	ImportConfidence float64
	// Annotates means that an annotation names a type, as @GetMapping("/") and [HttpGet] do. In
	// other languages a decorator is a function, which is called.
	Annotates bool
	// Scattered means that the methods of a type may be in other files of its directory.
	Scattered bool
	// Redeclares means that several declarations of one name are one symbol: the signatures of an
	// overload, or a prototype and its body.
	Redeclares bool
	// PackageIsFolder means that each folder is a package of its own, so a subfolder holds another
	// package.
	PackageIsFolder bool
	// OverloadMark is the annotation that marks a declaration as only a signature of an overloaded
	// function: "overload" for Python's @overload. It is "" for languages in which the missing body
	// shows this.
	OverloadMark string
	// DeclaredApart means that a declaration may have its body in another file.
	DeclaredApart bool
	// Closed means that a call of a workspace function always uses a name that some workspace file
	// spells out: the symbol's name, an alias, or a FactHidden (l2meta.Bears). So a call of any
	// other name leaves the workspace.
	Closed bool
	// Sealed means that other files do not depend on the variables and calls inside of a function,
	// because parameters and results have declared types.
	Sealed bool
	// FunctionsMake means that the language has no constructors: functions that return a type of
	// their file construct its objects.
	FunctionsMake bool
	// BareMembers means that f() without a receiver calls a member f of self, even if the file can
	// see another declaration of f.
	BareMembers bool
	// Stubs describes how generated code names the clients and servers of gRPC.
	Stubs Stubs
	// Operations describes how generated code names the operations of OpenAPI documents.
	Operations Operations
	// Modules means that an import may bind a whole module to the module's own name, as import os
	// does.
	Modules bool
	// Unimported means that a file can use names of other files without importing them.
	Unimported bool
	// Packaged means that a program consists of all files of a folder, rather than of one file and
	// the files that it imports.
	Packaged bool
	// InPages means that the language's code runs in web pages.
	InPages bool
	// RoutesFold means that routes match case-insensitively.
	RoutesFold bool
	// AddersCalled means that a function that adds routes to a parameter has no effect unless source code calls it. It
	// is not so for languages whose frameworks call functions that a configuration names.
	AddersCalled bool
	// CallsNothing means that the language has symbols but no calls.
	CallsNothing bool
}

// Settler resolves the call sites of one language. Its methods read nothing but the World, the
// index at one generation, so equal worlds give equal verdicts.
type Settler interface {
	// Settle resolves call c of f: it returns the callee, or the reason why there is none.
	Settle(w *World, f *File, c *code.Call) Verdict
	// Implementations returns the overrides in the workspace that may run instead of r, a method of
	// an interface or base type, nearest first; none if r cannot be overridden.
	Implementations(w *World, r Ref) []Ref
	// Overridden returns the declarations that r implements or overrides. It may return too many,
	// but never omits one for which Implementations returns r.
	Overridden(w *World, r Ref) []Ref
	// Admits reports whether impl may run on a receiver whose declared type is receiver: whether
	// that type or a subtype may have impl.
	Admits(w *World, receiver, impl Ref) bool
	// CallNames returns the names by which calls of r are written, its own included; for a
	// constructor that is also the type's name. The caller adds the names under which files import
	// or re-export r.
	CallNames(w *World, r Ref) []string
}

// importer is implemented by the Settler of a language whose imports lead to files. C# and Swift
// have none: their imports name namespaces, and modules of the build.
type importer interface {
	// Imports returns the files to which import i of f leads; none if it leaves the workspace.
	// Elements of the result may be nil.
	Imports(w *World, f *File, i *code.Import) []*File
}

// moduleNamer is implemented by the Settler of a language with default exports.
type moduleNamer interface {
	// ModuleSteps returns the last steps (l2meta.ModuleStep) of all names under which modules may import f, and
	// perhaps of others.
	ModuleSteps(w *World, f *File) []string
}

// maker is implemented by the Settler of a language whose compiler or libraries generate members
// with names that are written in no file.
type maker interface {
	// Makes reports whether the workspace may have a generated member of that name, such as
	// getTitle for a property title.
	Makes(w *World, name string) bool
}

// packaging is implemented by the Settler of a language whose packages have import paths.
type packaging interface {
	// PackageDir returns the directory of the package of an import path, in any module of the
	// workspace; false if the package is elsewhere.
	PackageDir(w *World, importPath string) (dir string, ok bool)
}

// Languages holds the languages by name. Plain resolves the calls of an unlisted language.
type Languages map[string]Language

// of returns the settler of a file's language; Plain if it has none.
func (l Languages) of(f *File) Settler {
	if known := l[f.Language].Settler; known != nil {
		return known
	}
	return Plain{}
}

// FollowsImports reports whether imports of a language are resolved to files.
func (l Languages) FollowsImports(language string) bool {
	_, ok := l[language].Settler.(importer)
	return ok
}

// Family returns the name of a language's family: its own if it is in no group.
func (l Languages) Family(language string) string {
	if family := l[language].Family; family != "" {
		return family
	}
	return language
}

// MayCall reports whether code of one language may call that of another directly: within a family, and in
// web pages, where a script in HTML calls a function of JavaScript.
func (l Languages) MayCall(from, to string) bool {
	return l.Together(from, to) || l[from].InPages && l[to].InPages
}

// Together reports whether code of two languages calls each other directly.
func (l Languages) Together(a, b string) bool { return l.Family(a) == l.Family(b) }

// ImportConfidence returns the confidence of the import edges of a language; Uncalibrated if it was
// not measured.
func (l Languages) ImportConfidence(language string) float64 {
	if known := l[language].ImportConfidence; known > 0 {
		return known
	}
	return Uncalibrated
}

// Family returns the name of the group of languages that a language belongs to, whose code calls
// each other directly, such as Java, Kotlin and Scala; the language's own name if it is in no
// group.
func (w *World) Family(language string) string { return w.languages.Family(language) }
