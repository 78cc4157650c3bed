package endpoint

import (
	"path"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// origin is a file that an imported name comes from, and the name there. The name is "" for the
// module itself and for its default export.
type origin struct {
	file *resolve.File
	name string
}

// maxReexports bounds the chain of files that re-export a name.
const maxReexports = 3

// origins returns the files and names that a name of f comes from: the targets of the imports that
// bind it, and of re-exports there.
func (ws *workspace) origins(f *resolve.File, name string) []origin { return ws.originsAt(f, name, 0) }

func (ws *workspace) originsAt(f *resolve.File, name string, depth int) (out []origin) {
	edges, _ := ws.r.Imports(f) // World.Err reports the error
	if len(edges) == 0 {
		return ws.scripted(f, name)
	}
	for _, e := range edges {
		i := e.Import()
		if depth == 0 && e.Reexport() || !bringsAs(&i, name) {
			continue
		}
		o := origin{e.Target, i.Name}
		if i.Name == "*" && depth > 0 { // export * from './x'
			o.name = name
		}
		if o.name == "*" || o.name == "default" ||
			o.name == stemOf(e.Target.Path) && ws.w.Language(e.Target.Language).Modules {
			o.name = ""
		}
		out = append(out, o)
		if depth < maxReexports && (i.Name != "" && i.Name != "*" || depth > 0) {
			passed := i.Name
			if passed == "*" {
				passed = name
			}
			out = append(out, ws.originsAt(e.Target, passed, depth+1)...)
		}
	}
	return out
}

// scripted returns the origins of a name that the script of a web page imports. The resolver resolves no imports of
// web pages, so relative ones are looked up by path.
func (ws *workspace) scripted(f *resolve.File, name string) (out []origin) {
	for n := range f.Imports {
		i := &f.Imports[n]
		if !strings.HasPrefix(i.Module, ".") || !bringsAs(i, name) {
			continue
		}
		at := path.Join(f.Dir, i.Module)
		for _, end := range []string{"", ".js", ".ts", "/index.js", "/index.ts"} {
			if g := ws.w.File(at + end); g != nil {
				o := origin{g, i.Name}
				if o.name == "*" || o.name == "default" {
					o.name = ""
				}
				out = append(out, o)
				break
			}
		}
	}
	return out
}

// bringsAs reports whether an import binds name, or exports it again.
func bringsAs(i *code.Import, name string) bool {
	switch {
	case i.Alias != "":
		return i.Alias == name
	case i.Name != "":
		return i.Name == name || i.Name == "*"
	}
	return i.Module == name || strings.HasSuffix(i.Module, "."+name) || strings.HasSuffix(i.Module, "/"+name)
}

// required returns the files that f imports under a module's name: require('./x').
func (ws *workspace) required(f *resolve.File, module string) (out []origin) {
	edges, _ := ws.r.Imports(f)
	for _, e := range edges {
		if i := e.Import(); i.Module == module {
			out = append(out, origin{file: e.Target})
		}
	}
	return out
}

// moduleFiles returns the files that a dotted module or the path of a file may refer to in f. It
// searches below the folder of f, and below the folders around it that belong to the same service.
func (ws *workspace) moduleFiles(f *resolve.File, module string) (out []origin) {
	at := strings.ReplaceAll(module, ".", "/")
	names := []string{at + ".py", at + "/__init__.py"}
	if strings.HasSuffix(module, ".php") {
		names = []string{module}
	}
	for dir := f.Dir; ; dir = path.Dir(dir) {
		if dir == "." {
			dir = ""
		}
		for _, name := range names {
			if g := ws.w.File(path.Join(dir, name)); g != nil {
				return append(out, origin{file: g})
			}
		}
		if dir == "" || dir == ws.services().root(f.Path) {
			return nil
		}
	}
}

// stemOf returns the base name of a file without its extensions.
func stemOf(file string) string {
	stem, _, _ := strings.Cut(code.Base(file), ".")
	return stem
}
