package lookup

import (
	"path"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// Origin is a file that an imported name comes from, and the name there. The name is "" for the
// module itself and for its default export.
type Origin struct {
	File *resolve.File
	Name string
}

// maxReexports is the largest number of files in a chain of re-exports of a name.
const maxReexports = 3

// Origins returns the files and names that a name of f comes from: the targets of the imports that
// bind it, and of re-exports there.
func (ws *Workspace) Origins(f *resolve.File, name string) []Origin { return ws.originsAt(f, name, 0) }

func (ws *Workspace) originsAt(f *resolve.File, name string, depth int) (out []Origin) {
	edges, _ := ws.Resolver.Imports(f) // World.Err returns the error later
	if len(edges) == 0 {
		return ws.scripted(f, name)
	}
	for _, e := range edges {
		i := e.Import()
		if depth == 0 && e.Reexport() || !bringsAs(&i, name) {
			continue
		}
		o := Origin{e.Target, i.Name}
		if i.Name == "*" && depth > 0 { // export * from './x'
			o.Name = name
		}
		if o.Name == "*" || o.Name == "default" ||
			o.Name == StemOf(e.Target.Path) && ws.World.Language(e.Target.Language).Modules {
			o.Name = ""
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

// scripted returns the origins of a name that the script of a web page imports. The resolver
// resolves no imports of web pages, so relative ones are looked up by path.
func (ws *Workspace) scripted(f *resolve.File, name string) (out []Origin) {
	for n := range f.Imports {
		i := &f.Imports[n]
		if !strings.HasPrefix(i.Module, ".") || !bringsAs(i, name) {
			continue
		}
		at := path.Join(f.Dir, i.Module)
		for _, end := range []string{"", ".js", ".ts", "/index.js", "/index.ts"} {
			if g := ws.World.File(at + end); g != nil {
				o := Origin{g, i.Name}
				if o.Name == "*" || o.Name == "default" {
					o.Name = ""
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

// Required returns the files that f imports under a module's name: require('./x').
func (ws *Workspace) Required(f *resolve.File, module string) (out []Origin) {
	edges, _ := ws.Resolver.Imports(f)
	for _, e := range edges {
		if i := e.Import(); i.Module == module {
			out = append(out, Origin{File: e.Target})
		}
	}
	return out
}

// ModuleFiles returns the files that a dotted module or the path of a file may refer to in f. It
// searches below the folder of f, and below the folders around it that belong to the same service.
func (ws *Workspace) ModuleFiles(f *resolve.File, module string) (out []Origin) {
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
			if g := ws.World.File(path.Join(dir, name)); g != nil {
				return append(out, Origin{File: g})
			}
		}
		if dir == "" || dir == ws.Services().Root(f.Path) {
			return nil
		}
	}
}

// StemOf returns the base name of a file without its extensions.
func StemOf(file string) string {
	stem, _, _ := strings.Cut(code.Base(file), ".")
	return stem
}
