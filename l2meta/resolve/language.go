package resolve

import "sextant/internal/code"

// Language holds all that resolution knows of a language.
type Language struct {
	// Settler settles its call sites; without one plain names settle within
	// their file.
	Settler Settler
	// Family is the name of the languages that call each other directly, that of
	// the first of them; "" for a language that calls no other.
	Family string
	// ImportConfidence is how many of the file→file edges were right on
	// repositories that nothing was fitted to: the lower end of the 95 % Wilson
	// interval, judged by the language's own tool (TestImportTruth). 0 says that
	// nobody judged them.
	ImportConfidence float64
	// Annotates says that an annotation names a type, as @GetMapping("/") and
	// [HttpGet] do; elsewhere decorators are functions, and called.
	Annotates bool
	// Scattered says that the methods of a type may lie in other files of its
	// directory.
	Scattered bool
	// Redeclares says that declarations of one name are one thing: signatures of
	// an overload, a prototype and its body.
	Redeclares bool
	// PackageIsFolder says that what lies below a directory is of other packages.
	PackageIsFolder bool
	// OverloadMark is the annotation that marks a signature of an overload; ""
	// where signatures are what has no body.
	OverloadMark string
	// DeclaredApart says that what one file declares may have its body in another.
	DeclaredApart bool
	// Closed says that a member which the workspace declares is called by a name
	// that its files bear: as a symbol's, or as FactHidden, an alias and the like
	// say (l2meta.Facts.Bears). So a call of any other name leaves the workspace.
	Closed bool
	// BareMembers says that a call without a receiver is one of a member of self,
	// whatever else of the name a file can see.
	BareMembers bool
	// Stubs is how generated code names the clients and servers of gRPC.
	Stubs Stubs
	// Modules says that an import may bring a whole module by its own name.
	Modules bool
	// Unimported says that a file uses names of others without an import of them.
	Unimported bool
	// InPages says that its code runs in pages.
	InPages bool
	// RoutesFold says that routes match in any case.
	RoutesFold bool
	// CallsNothing says of a language with symbols that it has no calls.
	CallsNothing bool
}

// Settler settles the call sites of one language. Its methods look things up
// in the World alone, so that equal worlds give equal verdicts.
type Settler interface {
	// Settle says what call c of f calls.
	Settle(w *World, f *File, c *code.Call) Verdict
	// Implementations is the declarations that may run in place of r, which is
	// a method that an interface or a base type declares: overrides, in the
	// workspace, nearest first. None for what cannot be dispatched.
	Implementations(w *World, r Ref) []Ref
	// Overridden is the declarations that r implements or overrides: all those
	// of which it is an implementation, and perhaps more.
	Overridden(w *World, r Ref) []Ref
	// Admits reports whether impl may run on a receiver that is declared to be
	// of a type: whether the type or a subtype of it may have impl.
	Admits(w *World, receiver, impl Ref) bool
	// CallNames is the names by which calls that may settle on r are written,
	// its own included: of a constructor the type's name. Names under which
	// files import or re-export r are found by the caller.
	CallNames(w *World, r Ref) []string
}

// importer is a language whose imports lead to files: those of C# name
// namespaces, which are none; those of Swift modules of the build.
type importer interface {
	// Imports is the files that the import i of f means, none of one that leads
	// out of the workspace. A file may be nil.
	Imports(w *World, f *File, i *code.Import) []*File
}

// maker is a language whose compiler, or the libraries that extend it, make
// members of names that no file bears.
type maker interface {
	// Makes reports whether the workspace may have a member of that name which
	// is made of a declaration by another: getName of a property name.
	Makes(w *World, name string) bool
}

// packaging is a language whose packages have import paths.
type packaging interface {
	// PackageDir is the directory of the package of that import path, in whichever
	// module of the workspace declares it; false for one of elsewhere.
	PackageDir(w *World, importPath string) (dir string, ok bool)
}

// Languages is who settles the calls of which language. Those of a language
// that is not listed settle plain names within their file.
type Languages map[string]Language

// of returns the settler of a file.
func (l Languages) of(f *File) Settler {
	if known := l[f.Language].Settler; known != nil {
		return known
	}
	return Plain{}
}

// FollowsImports reports whether the imports of a language are followed to
// files.
func (l Languages) FollowsImports(language string) bool {
	_, ok := l[language].Settler.(importer)
	return ok
}

// Family names the languages that call each other directly by one of them.
func (l Languages) Family(language string) string {
	if family := l[language].Family; family != "" {
		return family
	}
	return language
}

// Together reports whether code of two languages calls each other directly.
func (l Languages) Together(a, b string) bool { return l.Family(a) == l.Family(b) }

// ImportConfidence returns that of a language; Uncalibrated where nobody judged it.
func (l Languages) ImportConfidence(language string) float64 {
	if known := l[language].ImportConfidence; known > 0 {
		return known
	}
	return Uncalibrated
}

// Family names the family of a language, as Languages.Family does.
func (w *World) Family(language string) string { return w.languages.Family(language) }
