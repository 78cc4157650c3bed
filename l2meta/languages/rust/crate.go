package rust

import (
	"path"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// module is a module of a Rust crate: a file, or a mod with a body in it.
type module struct {
	File *resolve.File
	At   int // the symbol of the mod, -1 if the module is the file itself
}

func (m module) valid() bool { return m.File != nil }

// qualified returns the qualified name of an item called name in m: "tests.check" for check in
// mod tests { … }.
func (m module) qualified(name string) string {
	if m.At < 0 {
		return name
	}
	return m.File.Symbols[m.At].QualifiedName + "." + name
}

// isInline reports whether symbol i is a module with a body in this file.
func isInline(f *resolve.File, i int) bool {
	s := &f.Symbols[i]
	return s.Kind == code.KindModule && s.Body[1] > s.Body[0]
}

// moduleAt returns the module that contains symbol i of f, or the file's top-level code if i is -1.
func moduleAt(f *resolve.File, i int) module {
	for ; i >= 0; i = f.Symbols[i].Parent {
		if isInline(f, i) {
			return module{f, i}
		}
	}
	return module{f, -1}
}

// parent returns the module that declares m; false for the root of a crate. If several crates
// declare a file, the first of them counts: lib.rs before main.rs.
func parent(w *resolve.World, m module) (module, bool) {
	if m.At >= 0 {
		return moduleAt(m.File, m.File.Symbols[m.At].Parent), true
	}
	type key struct{ file int64 }
	p := resolve.Derive(w, key{m.File.ID}, func() module { return declarer(w, m.File) })
	return p, p.valid()
}

// declarer returns the module that declares f by "mod name;". For a/b.rs it looks in a/lib.rs,
// a/mod.rs, a.rs and a/main.rs, then in the other files of a. Otherwise it returns the module with
// a path attribute that names f.
func declarer(w *resolve.World, f *resolve.File) module {
	name, dir := strings.TrimSuffix(path.Base(f.Path), ".rs"), f.Dir
	if name == "mod" {
		name, dir = path.Base(f.Dir), code.Dir(f.Dir)
	}
	if name != "lib" && name != "main" {
		for _, p := range []string{path.Join(dir, "lib.rs"), path.Join(dir, "mod.rs"), dir + ".rs",
			path.Join(dir, "main.rs")} {
			if m := declares(w, p, name, f.Path); m.valid() {
				return m
			}
		}
		for _, ref := range w.Dir(dir) { // the root files of tests, examples and binaries may declare it
			if ref.Language == "rust" {
				if m := declares(w, ref.Path, name, f.Path); m.valid() {
					return m
				}
			}
		}
	}
	return byPath(w, f.Path)
}

// declares returns the module in the file at p that declares the file at target by "mod name;".
func declares(w *resolve.World, p, name, target string) module {
	if p == target || !w.Has(p) {
		return module{}
	}
	f := w.File(p)
	if f == nil {
		return module{}
	}
	for _, i := range f.Named(name) {
		if s := &f.Symbols[i]; s.Kind == code.KindModule && !isInline(f, i) && pathOf(f, i) == "" {
			return moduleAt(f, s.Parent)
		}
	}
	return module{}
}

// byPath returns the module that names the file at target in an attribute #[path = "…"]. It
// searches the file's own folder and up to three above it, in the same package.
func byPath(w *resolve.World, target string) module {
	for dir, up := code.Dir(target), 0; up < 4; dir, up = code.Dir(dir), up+1 {
		for _, ref := range w.Dir(dir) {
			if ref.Language != "rust" || ref.Path == target {
				continue
			}
			f := w.Load(ref)
			if f == nil {
				return module{}
			}
			for i := range f.Symbols {
				if p := pathOf(f, i); p != "" && path.Join(f.Dir, p) == target {
					return moduleAt(f, f.Symbols[i].Parent)
				}
			}
		}
		if dir == "" || w.Has(path.Join(dir, "Cargo.toml")) {
			break
		}
	}
	return module{}
}

// pathOf returns the file in the attribute #[path = "…"] of symbol i; "" if i is no module or has
// none.
func pathOf(f *resolve.File, i int) string {
	if f.Symbols[i].Kind != code.KindModule {
		return ""
	}
	for _, a := range f.Symbols[i].Annotations {
		if rest, ok := strings.CutPrefix(strings.ReplaceAll(a, " ", ""), `#[path="`); ok {
			return strings.TrimSuffix(rest, `"]`)
		}
	}
	return ""
}

// children returns the modules called name that m declares. There are several if conditions choose
// between them.
func children(w *resolve.World, m module, name string) (out []module) {
	for _, i := range m.File.Qualified(m.qualified(name)) {
		s := &m.File.Symbols[i]
		switch {
		case s.Kind != code.KindModule || s.Parent != m.At:
		case isInline(m.File, i):
			out = append(out, module{m.File, i})
		default:
			if f := moduleFile(w, m, i); f != nil {
				out = append(out, module{f, -1})
			}
		}
	}
	return slices.CompactFunc(out, func(a, b module) bool { return a == b })
}

// moduleFile returns the file of the module that symbol i of m, "mod name;", declares; nil if
// there is none.
func moduleFile(w *resolve.World, m module, i int) *resolve.File {
	name := strings.TrimPrefix(m.File.Symbols[i].Name, "r#")
	inline := ""
	for at := m.At; at >= 0; at = m.File.Symbols[at].Parent {
		inline = path.Join(m.File.Symbols[at].Name, inline)
	}
	if p := pathOf(m.File, i); p != "" {
		return w.File(path.Join(m.File.Dir, inline, p))
	}
	stem := strings.TrimSuffix(path.Base(m.File.Path), ".rs")
	dirs := []string{path.Join(m.File.Dir, stem, inline)}
	if _, inner := parent(w, module{m.File, -1}); !inner || stem == "mod" {
		dirs = []string{path.Join(m.File.Dir, inline), dirs[0]}
	}
	for _, d := range dirs {
		for _, p := range []string{path.Join(d, name+".rs"), path.Join(d, name, "mod.rs")} {
			if p != m.File.Path && w.Has(p) {
				return w.File(p)
			}
		}
	}
	return nil
}

// maxDepth bounds the nesting of modules.
const maxDepth = 40

// rustRoot returns the root module of m's crate.
func rustRoot(w *resolve.World, m module) module {
	for range maxDepth {
		p, ok := parent(w, m)
		if !ok {
			return m
		}
		m = p
	}
	return m
}

// rustPackage holds the contents of a Cargo.toml that describe the package in its folder.
type rustPackage struct {
	manifest *resolve.File
	crate    string // the name of its library
	lib      string // the root file of its library
	// maps the names of the crates on which it depends to their root files, for crates in the
	// workspace
	deps map[string]string
}

// packageOf returns the package that a folder belongs to, or nil.
func packageOf(w *resolve.World, dir string) *rustPackage {
	type key struct{ dir string }
	return resolve.Derive(w, key{dir}, func() *rustPackage {
		if f := w.File(path.Join(dir, "Cargo.toml")); f != nil && f.Leaf("/package/name") != "" {
			return readPackage(w, f)
		}
		if dir == "" {
			return nil
		}
		return packageOf(w, code.Dir(dir))
	})
}

func readPackage(w *resolve.World, f *resolve.File) *rustPackage {
	p := &rustPackage{manifest: f, deps: map[string]string{}}
	p.crate, p.lib = library(f)
	for _, leaf := range f.Leaves("/") {
		steps := strings.Split(leaf.Name[1:], "/")
		at := slices.IndexFunc(steps, func(s string) bool {
			return s == "dependencies" || s == "dev-dependencies" || s == "build-dependencies"
		})
		if at < 0 || at+1 >= len(steps) || steps[0] == "workspace" || steps[0] == "patch" {
			continue
		}
		name := strings.ReplaceAll(steps[at+1], "-", "_")
		if _, ok := p.deps[name]; !ok {
			p.deps[name] = ""
		}
		switch {
		case at+2 >= len(steps):
		case steps[at+2] == "path":
			depends(w, p, name, path.Join(f.Dir, leaf.Type))
		case steps[at+2] == "workspace":
			if dir, ok := inherited(w, f.Dir, steps[at+1]); ok {
				depends(w, p, name, dir)
			}
		}
	}
	return p
}

// depends records in p that the dependency called name is the library of the package in folder dir:
// model = { path = "../model" } in Cargo.toml.
func depends(w *resolve.World, p *rustPackage, name, dir string) {
	if f := w.File(path.Join(dir, "Cargo.toml")); f != nil {
		crate, lib := library(f)
		p.deps[name] = lib
		if p.manifest.Leaf("/lib/name") == "" && crate != name && f.Leaf("/lib/name") != "" {
			p.deps[crate] = lib // the library has another name than its package
		}
	}
}

// library returns the name and the root file of a package's library.
func library(f *resolve.File) (crate, root string) {
	crate, root = f.Leaf("/lib/name"), f.Leaf("/lib/path")
	if crate == "" {
		crate = f.Leaf("/package/name")
	}
	if root == "" {
		root = "src/lib.rs"
	}
	return strings.ReplaceAll(crate, "-", "_"), path.Join(f.Dir, root)
}

// inherited returns the folder of the dependency called name, for a package that inherits it from
// the Cargo workspace at or above dir: model = { workspace = true }. It returns false if no such
// workspace defines the dependency.
func inherited(w *resolve.World, dir, name string) (string, bool) {
	for {
		if f := w.File(path.Join(dir, "Cargo.toml")); f != nil && len(f.Leaves("/workspace/")) > 0 {
			p := f.Leaf("/workspace/dependencies/" + name + "/path")
			return path.Join(dir, p), p != ""
		}
		if dir == "" {
			return "", false
		}
		dir = code.Dir(dir)
	}
}

var standard = map[string]bool{"std": true, "core": true, "alloc": true, "proc_macro": true, "test": true}

// extern resolves name as the name of a crate that file f may use: a standard one such as std, a
// dependency of the file's package, or the library of the package itself. It returns false for
// any other name.
func extern(w *resolve.World, f *resolve.File, name string) (def, bool) {
	if standard[name] {
		return def{Module: name}, true
	}
	p := packageOf(w, f.Dir)
	if p == nil {
		return def{}, false
	}
	root, ok := p.deps[name]
	if name == p.crate && w.Has(p.lib) {
		root, ok = p.lib, true
	}
	if !ok {
		return def{}, false
	}
	if root == "" {
		return def{Module: name}, true
	}
	if lib := w.File(root); lib != nil {
		return def{Mod: module{lib, -1}}, true
	}
	return def{}, false
}
