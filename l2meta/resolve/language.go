package resolve

import "sextant/internal/code"

// language settles the call sites of one language. Its methods look things up
// in the World alone, so that equal worlds give equal verdicts.
type language interface {
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

// packaging is a language whose packages have import paths.
type packaging interface {
	// PackageDir is the directory of the package of that import path, in whichever
	// module of the workspace declares it; false for one of elsewhere.
	PackageDir(w *World, importPath string) (dir string, ok bool)
}

// Languages is who settles the calls of which language. Those of a language
// that is not listed settle plain names within their file.
type Languages map[string]language

// of is the language of a file.
func (l Languages) of(f *File) language {
	if known, ok := l[f.Language]; ok {
		return known
	}
	return Plain{}
}

// FollowsImports reports whether the imports of a language are followed to
// files.
func (l Languages) FollowsImports(language string) bool {
	_, ok := l[language].(importer)
	return ok
}
