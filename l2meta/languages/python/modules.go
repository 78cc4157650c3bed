package python

import (
	"path"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// The key of a Python module of the workspace is its path without ".py" or "/__init__.py":
// "src/click/core". The key of the root directory is "".

// moduleKey identifies an imported dotted name, as written in the files of directory dir.
type moduleKey struct{ dir, name string }

// imported is the result of resolving the dotted name in an import statement.
type imported struct {
	key     string // key of the workspace's module, if inside is set
	inside  bool   // whether key is set
	foreign bool   // the module comes from outside the workspace
}

// pyModule resolves the dotted name of a module that f imports; a relative name begins with dots.
// The result is neither inside nor foreign if the workspace has only a part of the name: a, but not
// a.b.
func pyModule(w *resolve.World, f *resolve.File, name string) imported {
	return resolve.Derive(w, moduleKey{f.Dir, name}, func() imported {
		if rest := strings.TrimLeft(name, "."); len(rest) < len(name) {
			return relative(w, f.Dir, len(name)-len(rest), rest)
		}
		return absolute(w, f.Dir, name)
	})
}

func relative(w *resolve.World, dir string, dots int, rest string) imported {
	for ; dots > 1; dots-- {
		if dir == "" {
			return imported{}
		}
		dir = code.Dir(dir)
	}
	key := path.Join(dir, strings.ReplaceAll(rest, ".", "/"))
	return imported{key: key, inside: rest == "" || exists(w, key)}
}

// absolute looks up a dotted name as the interpreter that runs the file does: in the directory
// above the file's outermost package, and in the directories that projects add to the path. A
// module of the standard library is foreign, unless the file is in a copy of that library, which
// has an os.py.
func absolute(w *resolve.World, dir, name string) imported {
	top, _, _ := strings.Cut(name, ".")
	steps := strings.ReplaceAll(name, ".", "/")
	own := sourceRoot(w, dir)
	if standard[top] && !w.Has(path.Join(own, "os.py")) {
		return imported{foreign: true}
	}
	roots := roots(dir, own)
	for _, root := range roots {
		if key := path.Join(root, steps); exists(w, key) {
			return imported{key: key, inside: true}
		}
	}
	for _, root := range roots {
		if file(w, path.Join(root, top)) != nil {
			return imported{}
		}
	}
	if root, ok := elsewhere(w, dir, top); ok {
		key := path.Join(root, steps)
		return imported{key: key, inside: exists(w, key)}
	}
	return imported{foreign: true}
}

// sourceRoot returns the directory above the outermost package that contains dir; dir itself if it
// is in no package.
func sourceRoot(w *resolve.World, dir string) string {
	for dir != "" && w.Has(dir+"/__init__.py") {
		dir = code.Dir(dir)
	}
	return dir
}

// roots returns the directories in which absolute imports of files in dir are looked up, nearest
// first: own, which is the source root of dir, and every directory above it with its
// subdirectories src and lib.
func roots(dir, own string) []string {
	roots := []string{own}
	for at := own; ; at = code.Dir(at) {
		for _, root := range []string{at, path.Join(at, "src"), path.Join(at, "lib")} {
			if !slices.Contains(roots, root) {
				roots = append(roots, root)
			}
		}
		if at == "" {
			return roots
		}
	}
}

type topKey struct{}

// elsewhere returns the source root of another project of the workspace that has a top-level
// package or module called top. Of several it returns the root nearest to dir. It returns false
// if there is none, or if two are equally near.
func elsewhere(w *resolve.World, dir, top string) (root string, ok bool) {
	packages := resolve.Derive(w, topKey{}, func() map[string][]string {
		out := map[string][]string{}
		for _, f := range w.Base("__init__.py") {
			at := path.Dir(f.Path)
			if above := code.Dir(at); at != "." && !w.Has(path.Join(above, "__init__.py")) && project(w, above) {
				out[path.Base(at)] = append(out[path.Base(at)], above)
			}
		}
		return out
	})
	roots := slices.Clone(packages[top])
	for _, f := range w.Base(top + ".py") {
		if at := path.Dir(f.Path); at != "." && !w.Has(at+"/__init__.py") && project(w, at) {
			roots = append(roots, at)
		}
	}
	best := -1
	for _, r := range roots {
		switch near := resolve.SharedSteps(r+"/", dir+"/"); {
		case near > best:
			root, best, ok = r, near, true
		case near == best:
			ok = false
		}
	}
	return root, ok
}

// project reports whether a Python project keeps its packages in dir: dir has a pyproject.toml,
// setup.py or setup.cfg, or its parent has one and dir is called src, lib or python.
func project(w *resolve.World, dir string) bool {
	for _, at := range []string{dir, code.Dir(dir)} {
		for _, manifest := range []string{"pyproject.toml", "setup.py", "setup.cfg"} {
			if w.Has(path.Join(at, manifest)) {
				return at == dir || slices.Contains([]string{"src", "lib", "python"}, path.Base(dir))
			}
		}
	}
	return false
}

// exists reports whether the workspace has the module with that key. A namespace package, which
// is a directory with Python files below it, counts as a module.
func exists(w *resolve.World, key string) bool {
	return file(w, key) != nil || namespace(w, key)
}

type namespaceKey string

func namespace(w *resolve.World, key string) bool {
	return resolve.Derive(w, namespaceKey(key), func() bool {
		if key == "" || !w.HasDir(key) {
			return false
		}
		for _, f := range w.Dir(key) {
			if f.Language == "python" {
				return true
			}
		}
		return false
	})
}

// file returns the file of a module; nil for a namespace package or a missing module. A package
// is preferred to a module of the same name, and source to a stub (.pyi).
func file(w *resolve.World, key string) *resolve.File {
	for _, end := range []string{"/__init__.py", ".py", "/__init__.pyi", ".pyi"} {
		if end[0] == '/' && key == "" {
			end = end[1:]
		}
		if f := w.File(key + end); f != nil {
			return f
		}
	}
	return nil
}

// key returns the key of the module in file f.
func key(f *resolve.File) string {
	key := strings.TrimSuffix(strings.TrimSuffix(f.Path, "i"), ".py")
	return strings.TrimSuffix(strings.TrimSuffix(key, "__init__"), "/")
}

type memberKey struct{ module, name string }

// moduleMember resolves a name in a module: bindings of its code, then its star imports, then a
// submodule.
func moduleMember(w *resolve.World, key, name string) resolve.Value {
	return resolve.Derive(w, memberKey{key, name}, func() resolve.Value {
		f := file(w, key)
		if f != nil {
			if v, bound := global(w, f, name); bound {
				return v
			}
		}
		if sub := path.Join(key, name); exists(w, sub) &&
			(f == nil || key == "" || path.Base(f.Path) == "__init__.py" || path.Base(f.Path) == "__init__.pyi") {
			return resolve.Value{Kind: resolve.Module, Module: sub}
		}
		return resolve.Value{}
	})
}

// global returns the value of a name after the code of f has run; false if f does not bind it.
func global(w *resolve.World, f *resolve.File, name string) (resolve.Value, bool) {
	if flow := names(f).of(-1, name); len(flow) > 0 {
		return settleFinal(resolve.Scope{W: w, File: f, At: -1, Pos: 1 << 62}, final(f, flow)), true
	}
	return starred(w, f, name)
}

// starred returns the value that the star imports of f, from a import *, bind to a name. If
// several imports have the name, the last one wins. It returns false if none has it.
func starred(w *resolve.World, f *resolve.File, name string) (v resolve.Value, found bool) {
	for _, i := range f.Imports {
		if i.Name != "*" || i.Scope >= 0 {
			continue
		}
		m := pyModule(w, f, i.Module)
		file := file(w, m.key)
		if !m.inside || file == nil || file == f || !public(file, name) {
			continue
		}
		if x := moduleMember(w, m.key, name); x.Kind != resolve.Unknown {
			v, found = x, true
		}
	}
	return v, found
}

// public reports whether "from f import *" includes a name: whether __all__ lists it or, in a file
// without __all__, whether it has no leading underscore.
func public(f *resolve.File, name string) bool {
	if len(f.Exports) == 0 {
		return !strings.HasPrefix(name, "_")
	}
	for _, e := range f.Exports {
		if e.Name == name {
			return true
		}
	}
	return false
}

// Imports returns the file to which an import leads. For "from a import b" that is the file of
// module a.b if there is one, else that of a.
func (Language) Imports(w *resolve.World, f *resolve.File, i *code.Import) []*resolve.File {
	m := pyModule(w, f, i.Module)
	if !m.inside {
		return nil
	}
	if i.Name != "" && i.Name != "*" {
		if v := from(w, f, i.Module, i.Name); v.Kind == resolve.Module {
			if sub := file(w, v.Module); sub != nil {
				return []*resolve.File{sub}
			}
		}
	}
	return []*resolve.File{file(w, m.key)}
}
