package golang

import (
	"slices"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/resolve"
)

// MayTake reports whether the name that c uses as a value may be a function or method. A name without a receiver, or
// one that is not exported, is declared in the package of f.
func (Language) MayTake(w *resolve.World, f *resolve.File, c *code.Call) bool {
	rows, all := w.Named(c.Callee)
	near := c.Receiver == "" && !dotImports(f) || !exported(c.Callee)
	return !all || slices.ContainsFunc(rows, func(d l2meta.Declaration) bool {
		return d.Language == "go" && d.Kind.Callable() && (!near || code.Dir(d.Path) == f.Dir)
	})
}

func dotImports(f *resolve.File) bool {
	return slices.ContainsFunc(f.Imports, func(i code.Import) bool { return i.Name == "*" })
}

// Sees reports whether code in a directory can name a declaration: any code if it is exported, otherwise that of the
// same package.
func (Language) Sees(dir string, declaration resolve.Ref) bool {
	return declaration.File.Dir == dir || exported(declaration.Symbol().Name)
}
