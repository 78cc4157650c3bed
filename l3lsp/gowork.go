package l3lsp

import (
	"os"
	"path/filepath"

	"golang.org/x/mod/modfile"
)

// goWork returns the folder in which gopls is queried about a module: the
// folder of the go.work file that uses the module, or else the module itself.
// If each module of a go.work were a folder of gopls, gopls would create a view
// for each, and every view reads all modules of the go.work.
func goWork(module string) string {
	for dir := module; ; dir = filepath.Dir(dir) {
		if text, err := os.ReadFile(filepath.Join(dir, "go.work")); err == nil {
			if usesModule(dir, text, module) {
				return dir
			}
			return module // only the nearest go.work counts, as for the go command
		}
		if dir == filepath.Dir(dir) {
			return module
		}
	}
}

// usesModule reports whether the go.work with this text, in the folder dir,
// uses module.
func usesModule(dir string, text []byte, module string) bool {
	work, err := modfile.ParseWork("go.work", text, nil)
	if err != nil {
		return false
	}
	for _, u := range work.Use {
		at := filepath.FromSlash(u.Path)
		if !filepath.IsAbs(at) {
			at = filepath.Join(dir, at)
		}
		if filepath.Clean(at) == filepath.Clean(module) {
			return true
		}
	}
	return false
}
