package golang

import (
	"github.com/smacker/go-tree-sitter/golang"

	"sextant/internal/code"
	"sextant/l2meta/language"
	"sextant/l2meta/resolve"
	"sextant/l2meta/syntax"
)

// Languages describes Go.
var Languages = []language.Language{
	{Source: syntax.Source{Name: "go", Language: golang.GetLanguage, Rules: rules},
		Calls: resolve.Language{Settler: Language{}, ImportConfidence: 0.99, Scattered: true, PackageIsFolder: true,
			Unimported: true, Sealed: true, FunctionsMake: true, Packaged: true, AddersCalled: true,
			Stubs: stubs, Operations: operations},
		Services: idioms},
}

// Imports returns the files of the imported package, without its tests; nil for a package outside
// the workspace.
func (Language) Imports(w *resolve.World, f *resolve.File, i *code.Import) (out []*resolve.File) {
	p := packages{w}.resolved(f, i.Module)
	if p == nil {
		return nil
	}
	s, own := packages{w}.scope(p.dir), packageKey{p.dir, p.name, false}
	for i := range s.files {
		if own.has(s.files[i]) {
			out = append(out, s.table.File(w, i))
		}
	}
	return out
}
