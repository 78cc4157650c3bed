package golang

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sextant/internal/code"
	"sextant/internal/store"
	"sextant/l2meta/resolve"
)

// packages finds the packages and modules of a workspace.
type packages struct{ w *resolve.World }

// goPackage is a package as seen by one file: with the package's own tests or without them
// (packageKey.tests).
type goPackage struct {
	packageKey
	path string // import path, or the directory if that is unknown
}

// packageKey identifies a package: the files in dir whose package clause has that name, with its
// test files if tests is set.
type packageKey struct {
	dir, name string
	tests     bool
}

func (k packageKey) pkg() *goPackage { return &goPackage{packageKey: k, path: k.dir} }

// dirScope holds the package-level declarations of the Go files of a directory: functions, types,
// variables and constants by name, methods by type and name, "T.m".
type dirScope struct {
	files   []scopeFile // sorted by path; the table refers to them by index
	table   resolve.NameTable
	aliases []alias
}

// scopeFile is a file of a dirScope.
type scopeFile struct {
	name          string // the name in its package clause
	test, ignored bool   // ignored means that no ordinary build compiles it
}

// alias is an alias of a type of the same package: type name = of. The receiver of a method of
// the type may be written with either name. file is an index into dirScope.files.
type alias struct {
	file     int
	of, name string
}

// scopeKey is the key under which the scope of a directory is stored.
type scopeKey string

// scope returns the package-level declarations of a directory. The result keeps no file in memory:
// a look-up loads the files that declare its name. The scope is empty if the context has ended.
func (g packages) scope(dir string) *dirScope {
	s := resolve.DeriveDetached(g.w, scopeKey(dir), func() *dirScope {
		s := &dirScope{}
		for _, ref := range g.w.Dir(dir) {
			if ref.Language != "go" {
				continue
			}
			if f := g.w.Load(ref); f != nil {
				s.add(f)
			}
		}
		s.table.Sort()
		return s
	})
	if s == nil {
		return &dirScope{}
	}
	return s
}

func (s *dirScope) add(f *resolve.File) {
	s.table.Add(f, func(i int) bool { return packageLevel(f, i) })
	for i := range f.Symbols {
		if r := f.Ref(i); packageLevel(f, i) && isAlias(r) {
			s.aliases = append(s.aliases,
				alias{len(s.files), strings.Clone(definition(r)), strings.Clone(r.Symbol().Name)})
		}
	}
	s.files = append(s.files, scopeFile{strings.Clone(f.Package()), isTestFile(f.Path),
		strings.Contains(constraintText(f), "ignore")})
}

// packageLevel reports whether symbol i is declared at package level, or is a method of an
// interface declared there.
func packageLevel(f *resolve.File, i int) bool {
	s := &f.Symbols[i]
	if s.Parent < 0 {
		return true
	}
	return s.Kind == code.KindMethod && f.Symbols[s.Parent].Parent < 0
}

func isTestFile(path string) bool { return strings.HasSuffix(path, "_test.go") }

// has reports whether file f belongs to the package.
func (k packageKey) has(f scopeFile) bool { return f.name == k.name && (k.tests || !f.test) }

// lookup returns the declarations of a name in a package.
func (g packages) lookup(k packageKey, name string) []resolve.Ref {
	s := g.scope(k.dir)
	return s.table.Lookup(g.w, name, func(file int) bool { return k.has(s.files[file]) })
}

// methods returns the declarations of a method that are declared on type t, or else on an alias of
// t.
func (g packages) methods(k packageKey, t, name string) []resolve.Ref {
	refs, s := g.lookup(k, t+"."+name), g.scope(k.dir)
	for _, a := range s.aliases {
		if len(refs) > 0 {
			break
		}
		if a.of == t && k.has(s.files[a.file]) {
			refs = g.lookup(k, a.name+"."+name)
		}
	}
	return refs
}

// own returns the package that f belongs to, including the package's tests if f is one of them.
func (g packages) own(f *resolve.File) *goPackage {
	return packageKey{f.Dir, f.Package(), isTestFile(f.Path)}.pkg()
}

// of returns the package that declares r, as the file from sees it: with tests if from is a test in
// the same directory.
func (g packages) of(from *resolve.File, r resolve.Ref) *goPackage {
	f := r.File
	tests := isTestFile(f.Path) || from.Dir == f.Dir && isTestFile(from.Path)
	return packageKey{f.Dir, f.Package(), tests}.pkg()
}

// importedKey identifies an import path in a file that imports it.
type importedKey struct {
	file *resolve.File
	path string
}

// resolved returns the package that an import path of f denotes; nil for one outside the workspace.
func (g packages) resolved(f *resolve.File, importPath string) *goPackage {
	return resolve.Derive(g.w, importedKey{f, importPath}, func() *goPackage {
		dir, ok := g.importDir(f.Dir, importPath)
		if !ok {
			return nil
		}
		name := g.name(f, dir)
		if name == "" {
			return nil
		}
		// External tests (package p_test) see the exports of the package's own tests.
		tests := dir == f.Dir && isTestFile(f.Path)
		return &goPackage{packageKey{dir, name, tests}, importPath}
	})
}

// name returns the name of the package in dir that f can import. If the package clauses in dir
// state several names, it skips main, and those of files that no build compiles together with f. It
// returns "" unless exactly one name is left.
func (g packages) name(f *resolve.File, dir string) (name string) {
	s := g.scope(dir)
	var stated []string
	for i := range s.files {
		if o := &s.files[i]; o.importable() && !slices.Contains(stated, o.name) {
			stated = append(stated, o.name)
		}
	}
	if len(stated) == 1 {
		return stated[0]
	}
	for _, n := range stated {
		if n == "main" || !g.mayMeetAny(f, s, n) {
			continue
		}
		if name != "" {
			return ""
		}
		name = n
	}
	return name
}

// importable reports whether a file may be a part of a package that others import.
func (f *scopeFile) importable() bool { return f.name != "" && !f.test && !f.ignored }

// mayMeetAny reports whether some build compiles f together with an importable file of s whose
// package clause states name.
func (g packages) mayMeetAny(f *resolve.File, s *dirScope, name string) bool {
	for i := range s.files {
		if s.files[i].name == name && s.files[i].importable() {
			if o := s.table.File(g.w, i); o != nil && mayMeet(f, o) {
				return true
			}
		}
	}
	return false
}

// module is a Go module of the workspace.
type module struct {
	path, dir string
	uses      []string          // directories of all modules in the go.work file that includes the module
	replaced  map[string]string // module path → directory in the workspace that replaces it
}

type modulesKey struct{}

// modules returns the modules of the workspace by directory.
func (g packages) modules() map[string]*module {
	return resolve.Derive(g.w, modulesKey{}, func() map[string]*module {
		out := map[string]*module{}
		for _, ref := range g.w.Base("go.mod") {
			f := g.w.Load(ref)
			if f == nil || f.Leaf("/module") == "" {
				continue
			}
			out[f.Dir] = &module{path: f.Leaf("/module"), dir: f.Dir, replaced: replaced(f)}
		}
		for _, ref := range g.w.Base("go.work") {
			g.workspace(ref, out)
		}
		return out
	})
}

// replaced returns the directories that replace modules according to a go.mod or go.work file, by
// module path: replace a.b/c => ../c.
func replaced(f *resolve.File) map[string]string {
	out := map[string]string{}
	for _, leaf := range f.Leaves("/replace/") {
		index, ok := strings.CutSuffix(leaf.Name, "/old")
		if to := f.Leaf(index + "/new"); ok &&
			(strings.HasPrefix(to, "./") || strings.HasPrefix(to, "../") || to == ".." || to == ".") {
			out[leaf.Type] = join(f.Dir, to)
		}
	}
	return out
}

// join returns the path of directory to, which is relative to dir; "" is the root of the index. A
// result above the root begins with "../", and the index has no such directory.
func join(dir, to string) string {
	d, _ := resolve.JoinPath(dir, to)
	return d
}

func (g packages) workspace(ref store.FileRef, modules map[string]*module) {
	f := g.w.Load(ref)
	if f == nil {
		return
	}
	var uses []string
	for _, leaf := range f.Leaves("/use/") {
		uses = append(uses, join(f.Dir, leaf.Type))
	}
	for _, dir := range uses {
		m := modules[dir]
		if m == nil {
			continue
		}
		m.uses = uses
		for from, to := range replaced(f) {
			m.replaced[from] = to
		}
	}
}

// moduleOf returns the module of a directory, by the nearest go.mod at or above it; nil if there is
// none.
func (g packages) moduleOf(dir string) *module {
	for modules := g.modules(); ; dir = code.Dir(dir) {
		if m := modules[dir]; m != nil {
			return m
		}
		if dir == "" {
			return nil
		}
	}
}

// importDir returns the directory of the workspace that an import path denotes in a file of
// directory from. It looks in the file's own module, in the modules of its go.work file, in
// replacements, in the vendor directory and, within the Go distribution, in std. It returns false
// for any other module, even if the workspace contains it, because the importing module does not
// build with it.
func (g packages) importDir(from, importPath string) (dir string, ok bool) {
	own := g.moduleOf(from)
	// unsafe and C are packages of the compiler, which have no files
	if own == nil || importPath == "unsafe" || importPath == "C" {
		return "", false
	}
	best := -1
	try := func(modulePath, moduleDir string) {
		rest, inside := below(importPath, modulePath)
		if !inside || len(modulePath) <= best {
			return
		}
		if d := join(moduleDir, rest); g.has(d) && g.moduleOf(d) == g.modules()[moduleDir] {
			dir, best = d, len(modulePath)
		}
	}
	try(own.path, own.dir)
	for _, use := range own.uses {
		if m := g.modules()[use]; m != nil {
			try(m.path, m.dir)
		}
	}
	for modulePath, moduleDir := range own.replaced {
		try(modulePath, moduleDir)
	}
	if best >= 0 {
		return dir, true
	}
	if d := join(own.dir, "vendor/"+importPath); g.has(d) {
		return d, true
	}
	if own.path == "std" {
		return importPath, g.has(join(own.dir, importPath))
	}
	if first, _, _ := strings.Cut(importPath, "/"); own.path == "cmd" && !strings.Contains(first, ".") {
		d := join(code.Dir(own.dir), importPath)
		return d, g.has(d)
	}
	return "", false
}

// below returns the part of an import path after the path of a module: "x/y" for a.b/m/x/y in
// a.b/m. It returns false if the path is not in the module.
func below(importPath, module string) (rest string, ok bool) {
	if importPath == module {
		return "", true
	}
	return strings.CutPrefix(importPath, module+"/")
}

func (Language) PackageDir(w *resolve.World, importPath string) (dir string, ok bool) {
	g, best := packages{w}, -1
	for _, m := range g.modules() {
		rest, inside := below(importPath, m.path)
		if !inside || len(m.path) <= best {
			continue
		}
		if d := join(m.dir, rest); g.has(d) {
			dir, ok, best = d, true, len(m.path)
		}
	}
	return dir, ok
}

func (g packages) has(dir string) bool {
	return slices.ContainsFunc(g.w.Dir(dir), func(r store.FileRef) bool { return r.Language == "go" })
}

// nameKey identifies a name in a file whose imports may bind it.
type nameKey struct {
	file *resolve.File
	name string
}

// imported returns the package that an import of f binds to a name. It returns false if no import
// does.
func (g packages) imported(f *resolve.File, name string) (value, bool) {
	v := resolve.Derive(g.w, nameKey{f, name}, func() value {
		for i := range f.Imports {
			im := &f.Imports[i]
			if im.Name == "*" || im.Alias == "_" || im.Alias != "" && im.Alias != name {
				continue
			}
			if p := g.resolved(f, im.Module); p != nil {
				if im.Alias == name || p.name == name {
					return value{kind: packageName, pkg: p}
				}
			} else if im.Alias == name || importName(im.Module, name) {
				return g.outside(f, im.Module)
			}
		}
		return value{}
	})
	return v, v.kind != nothing || v.reason != ""
}

// outside returns the value of a package outside the workspace. If f has no go.mod, only packages
// of the standard library are certainly outside; others are unknown.
func (g packages) outside(f *resolve.File, importPath string) value {
	first, _, _ := strings.Cut(importPath, "/")
	if strings.Contains(first, ".") && g.moduleOf(f.Dir) == nil {
		return unknownFor("no go.mod says where " + importPath + " lies")
	}
	return value{kind: goOutside, module: importPath}
}

// importName reports whether a package outside the workspace probably has that name, by its path:
// "yaml" for gopkg.in/yaml.v3, "redis" for github.com/go-redis/redis/v9, "isatty" for
// github.com/mattn/go-isatty.
func importName(importPath, name string) bool {
	last := path.Base(importPath)
	if v := strings.TrimPrefix(last, "v"); v != last && v != "" && strings.Trim(v, "0123456789") == "" &&
		strings.Contains(importPath, "/") {
		last = path.Base(path.Dir(importPath))
	}
	if i := strings.LastIndex(last, ".v"); i > 0 && strings.Trim(last[i+2:], "0123456789") == "" {
		last = last[:i]
	}
	name = plainName(name)
	for _, cut := range []string{"", "go-", "golang-", "go."} {
		for _, end := range []string{"", "-go", ".go", "-golang", "go"} {
			if s := strings.TrimSuffix(strings.TrimPrefix(last, cut), end); s != "" && plainName(s) == name {
				return true
			}
		}
	}
	return false
}

// plainName returns a name in lower case, without the characters that package names omit:
// "goisatty" for "go-isatty".
func plainName(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == '.' {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}

// dotImported returns the declaration that a dot import of f (import . "fmt") binds to a name. It
// returns false if there is none.
func (g *reader) dotImported(f *resolve.File, name string) (value, bool) {
	outside := value{}
	for i := range f.Imports {
		if f.Imports[i].Name != "*" {
			continue
		}
		p := g.packages.resolved(f, f.Imports[i].Module)
		if p == nil {
			if exported(name) {
				outside = value{kind: goOutside, module: f.Imports[i].Module}
			}
			continue
		}
		if v, found := g.declared(f, p, name); found && exported(name) {
			v.imported = true
			return v, true
		}
	}
	return outside, outside.kind != nothing
}

func exported(name string) bool {
	first, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(first)
}

// declared returns the declaration of a name in a package, as seen from a file. It returns false if
// the package does not declare the name.
func (g *reader) declared(from *resolve.File, p *goPackage, name string) (value, bool) {
	refs := g.packages.lookup(p.packageKey, name)
	if len(refs) == 0 {
		return value{}, false
	}
	r, ok := pick(from, refs)
	if !ok {
		return unknownFor("several declarations of " + name + " under build constraints"), true
	}
	switch s := r.Symbol(); {
	case resolve.IsType(s.Kind):
		return value{kind: typeName, typ: g.declType(from, r)}, true
	case s.Kind.Callable():
		return value{kind: function, ref: r}, true
	}
	return g.variable(r), true
}

// variable returns the value of a package-level variable or constant.
func (g *reader) variable(r resolve.Ref) value {
	facts := binders(r.File, -1, r.Symbol().Name)
	for _, fact := range facts {
		if fact.Span.StartByte >= r.Symbol().NameSpan.StartByte && fact.Span.StartByte <= r.Symbol().Span.EndByte {
			return g.bound(r.File, fact)
		}
	}
	return unknownFor("the type of " + r.Symbol().Name + " is not known")
}
