package typescript

import (
	"path"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// module is the target of a module specifier: a file of the workspace, or the name of an external
// package. Neither is set for a specifier inside the workspace that matches no indexed file.
type module struct {
	File    *resolve.File
	Foreign string
}

type moduleKey struct {
	dir, spec string
	script    bool // whether the importer is JavaScript, so that sources are preferred to declarations
}

// tsResolve resolves the module specifier spec in f.
func tsResolve(w *resolve.World, f *resolve.File, spec string) module {
	key := moduleKey{f.Dir, spec, script(f.Path)}
	return resolve.Derive(w, key, func() module { return key.resolve(w) })
}

func script(p string) bool {
	e := path.Ext(p)
	return e == ".js" || e == ".jsx" || e == ".mjs" || e == ".cjs"
}

// resolve returns the file that an import names: "./a", an alias of tsconfig ("@/a"), "#a" of
// package.json, or a package of the workspace. Any other name is that of a foreign package.
func (k moduleKey) resolve(w *resolve.World) module {
	spec, _, _ := strings.Cut(k.spec, "?") // removes the query of a bundler: "./a.svg?raw"
	switch {
	case spec == "":
		return module{}
	case spec == "." || spec == ".." || strings.HasPrefix(spec, "./") || strings.HasPrefix(spec, "../"):
		at, inside := resolve.JoinPath(k.dir, spec)
		if !inside {
			return module{}
		}
		if strings.HasSuffix(spec, "/") || strings.HasSuffix(spec, ".") { // the specifier names a directory
			return module{File: k.directory(w, at)}
		}
		return module{File: k.file(w, at, 0)}
	case strings.HasPrefix(spec, "/"):
		return module{}
	}
	if f := k.aliased(w, spec); f != nil {
		return module{File: f}
	}
	if strings.HasPrefix(spec, "#") {
		return module{File: k.private(w, spec)}
	}
	if rest, folders := frameworkAlias(spec); folders != nil {
		return module{File: k.inSources(w, rest, folders)}
	}
	name, sub := packageName(spec)
	if dirs := packages(w)[name]; len(dirs) > 0 {
		dir, ok := nearest(dirs, k.dir)
		if !ok {
			return module{}
		}
		return module{File: k.inPackage(w, dir, sub)}
	}
	return module{Foreign: strings.TrimPrefix(name, "node:")}
}

// packageName splits a bare specifier into package and subpath: "@a/b/c/d" into "@a/b" and "./c/d".
func packageName(spec string) (name, sub string) {
	steps := 1
	if strings.HasPrefix(spec, "@") {
		steps = 2
	}
	parts := strings.SplitN(spec, "/", steps+1)
	name = strings.Join(parts[:min(steps, len(parts))], "/")
	if len(parts) > steps {
		return name, "./" + parts[steps]
	}
	return name, "."
}

// nearest returns the directory whose path shares most leading names with dir. It returns false
// if several share equally many.
func nearest(dirs []string, dir string) (string, bool) {
	best, most, twice := "", -1, false
	for _, d := range dirs {
		n := resolve.SharedSteps(d+"/", dir+"/")
		if d == "" {
			n = 0
		}
		switch {
		case n > most:
			best, most, twice = d, n, false
		case n == most:
			twice = true
		}
	}
	return best, !twice
}

var extensions = []string{".ts", ".tsx", ".d.ts", ".mts", ".cts", ".d.mts", ".d.cts", ".js", ".jsx", ".mjs", ".cjs"}
var scriptExtensions = []string{".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".d.ts"}

// written maps an extension in a specifier to the extensions that its source file may have.
var written = []struct {
	written string
	sources []string
}{
	{".d.ts", []string{".d.ts", ".ts", ".tsx"}},
	{".d.mts", []string{".d.mts", ".mts", ".ts"}},
	{".d.cts", []string{".d.cts", ".cts", ".ts"}},
	{".mjs", []string{".mts", ".d.mts", ".mjs", ".ts", ".js"}},
	{".cjs", []string{".cts", ".d.cts", ".cjs", ".ts", ".js"}},
	{".jsx", []string{".tsx", ".jsx"}},
	{".js", []string{".ts", ".tsx", ".d.ts", ".js", ".jsx"}},
	{".mts", []string{".mts", ".d.mts"}},
	{".cts", []string{".cts", ".d.cts"}},
	{".tsx", []string{".tsx"}},
	{".ts", []string{".ts", ".d.ts"}},
}

// file returns the source file for a path that may lack its extension, have the extension of its
// compiled form, or be a directory.
func (k moduleKey) file(w *resolve.World, at string, depth int) *resolve.File {
	if at != "" {
		for _, form := range written {
			stem, ok := strings.CutSuffix(at, form.written)
			if !ok {
				continue
			}
			if k.script && w.Has(at) {
				return w.File(at)
			}
			if f := first(w, stem, form.sources); f != nil {
				return f
			}
			break
		}
		if f := first(w, at, k.extensions()); f != nil {
			return f
		}
		if f := w.File(at); f != nil && f.Language != "" {
			return f
		}
	}
	if depth > 0 {
		return first(w, path.Join(at, "index"), k.extensions())
	}
	return k.directory(w, at)
}

// directory returns the file of a directory's entry point; nil if there is none.
func (k moduleKey) directory(w *resolve.World, at string) *resolve.File {
	if w.Has(path.Join(at, "package.json")) {
		if f := k.inPackage(w, at, "."); f != nil {
			return f
		}
	}
	return first(w, path.Join(at, "index"), k.extensions())
}

func (k moduleKey) extensions() []string {
	if k.script {
		return scriptExtensions
	}
	return extensions
}

func first(w *resolve.World, stem string, extensions []string) *resolve.File {
	for _, e := range extensions {
		if w.Has(stem + e) {
			return w.File(stem + e)
		}
	}
	return nil
}

// packages maps the name of each package of the workspace to the directories that have such a
// package.
func packages(w *resolve.World) map[string][]string {
	type key struct{}
	return resolve.Derive(w, key{}, func() map[string][]string {
		out := map[string][]string{}
		for _, ref := range w.Base("package.json") {
			if f := w.Load(ref); f != nil {
				if name := f.Leaf("/name"); name != "" {
					out[name] = append(out[name], f.Dir)
				}
			}
		}
		return out
	})
}

// inPackage returns the source file for an exported subpath, "." or "./a", of the package in dir;
// nil if there is none.
func (k moduleKey) inPackage(w *resolve.World, dir, sub string) *resolve.File {
	manifest := w.File(path.Join(dir, "package.json"))
	if manifest == nil {
		return nil
	}
	targets := targets(manifest, "/exports", sub)
	if sub == "." {
		for _, field := range []string{"/source", "/module", "/main", "/types", "/typings"} {
			if v := manifest.Leaf(field); v != "" {
				targets = append(targets, v)
			}
		}
		if k.script {
			slices.SortStableFunc(targets, func(a, b string) int { return boolOrder(declaration(a), declaration(b)) })
		}
		targets = append(targets, "src/index", "index")
	} else {
		targets = append(targets, sub)
	}
	for i, t := range targets {
		if f := k.source(w, dir, t); f != nil {
			if declaration(f.Path) && k.declaredTwice(w, dir, f, targets[i+1:]) {
				return nil
			}
			return f
		}
	}
	return nil
}

// declaredTwice reports whether a package has another declaration file for the same entry point,
// such as one for require and one for import. Which one applies depends on compiler settings.
func (k moduleKey) declaredTwice(w *resolve.World, dir string, f *resolve.File, targets []string) bool {
	return slices.ContainsFunc(targets, func(t string) bool {
		if !declaration(t) {
			return false
		}
		other := k.source(w, dir, t)
		return other != nil && other != f && declaration(other.Path)
	})
}

func boolOrder(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

func declaration(p string) bool {
	return strings.HasSuffix(p, ".d.ts") || strings.HasSuffix(p, ".d.mts") || strings.HasSuffix(p, ".d.cts")
}

// private resolves "#name" by the imports of the nearest package.json. It returns nil if there is
// none that names a file of the workspace.
func (k moduleKey) private(w *resolve.World, spec string) *resolve.File {
	for dir := k.dir; ; dir = code.Dir(dir) {
		if manifest := w.File(path.Join(dir, "package.json")); manifest != nil {
			for _, t := range targets(manifest, "/imports", spec) {
				if f := k.source(w, dir, t); f != nil {
					return f
				}
			}
			return nil
		}
		if dir == "" {
			return nil
		}
	}
}

var pointer = strings.NewReplacer("~1", "/", "~0", "~")

// targets returns the files to which a package.json maps a subpath in "/exports" or "/imports", in
// the order of the file. It includes those of all conditions, such as "import" and "require".
func targets(manifest *resolve.File, field, sub string) (out []string) {
	for _, fact := range manifest.Leaves(field) {
		rest := strings.TrimPrefix(fact.Name, field)
		key, _, _ := strings.Cut(strings.TrimPrefix(rest, "/"), "/")
		key = pointer.Replace(key)
		// the exports have conditions only, and no subpaths
		if !strings.HasPrefix(key, ".") && !strings.HasPrefix(key, "#") {
			key = "."
		}
		if key == sub {
			out = append(out, fact.Type)
			continue
		}
		head, tail, starred := strings.Cut(key, "*")
		if starred && strings.HasPrefix(sub, head) && strings.HasSuffix(sub, tail) && len(sub) >= len(head)+len(tail) {
			out = append(out, strings.ReplaceAll(fact.Type, "*", sub[len(head):len(sub)-len(tail)]))
		}
	}
	return out
}

// source returns the file from which a package's entry point is built. That is the entry point
// itself, or a file whose path differs in the leading directories, which are replaced by src or
// removed: src/a.ts for dist/a.js. It returns nil if the workspace has no such file.
func (k moduleKey) source(w *resolve.World, dir, target string) *resolve.File {
	target, inside := resolve.JoinPath("", target)
	if !inside {
		return nil
	}
	parts := strings.Split(target, "/")
	for i := range parts {
		rest := path.Join(parts[i:]...)
		for _, at := range []string{path.Join(dir, "src", rest), path.Join(dir, rest)} {
			if i == 0 {
				at = path.Join(dir, rest)
			}
			if f := k.file(w, at, 1); f != nil {
				return f
			}
		}
	}
	return nil
}

// alias is an entry of paths in a tsconfig.json: a pattern such as "@/*", and its targets.
type alias struct {
	pattern string
	targets []string
}

// config holds the rules for module names in a tsconfig.json, or in one that it extends.
type config struct {
	base    string // base directory for names that match no pattern; "" without a baseUrl
	hasBase bool
	aliases []alias
}

// aliased resolves the module specifier spec by the paths and the baseUrl of the configurations in
// the directories above, nearest first. It returns nil if none leads to a file.
func (k moduleKey) aliased(w *resolve.World, spec string) *resolve.File {
	for dir := k.dir; ; dir = code.Dir(dir) {
		for _, c := range configs(w, dir) {
			if f := k.byConfig(w, c, spec); f != nil {
				return f
			}
		}
		if dir == "" {
			return nil
		}
	}
}

func (k moduleKey) byConfig(w *resolve.World, c config, spec string) *resolve.File {
	best, length := alias{}, -1
	star := ""
	for _, a := range c.aliases {
		head, tail, starred := strings.Cut(a.pattern, "*")
		switch {
		case !starred && a.pattern == spec:
			best, length, star = a, 1<<30, ""
		case starred && len(head) > length && strings.HasPrefix(spec, head) && strings.HasSuffix(spec, tail) &&
			len(spec) >= len(head)+len(tail):
			best, length, star = a, len(head), spec[len(head):len(spec)-len(tail)]
		}
	}
	for _, t := range best.targets {
		if f := k.file(w, strings.ReplaceAll(t, "*", star), 0); f != nil {
			return f
		}
	}
	if !c.hasBase {
		return nil
	}
	if f := k.file(w, path.Join(c.base, spec), 0); f != nil && f.Language != "" {
		return f
	}
	return nil
}

// configs returns the rules in the tsconfig and jsconfig files of a directory, those of
// tsconfig.json first.
func configs(w *resolve.World, dir string) []config {
	type key struct{ dir string }
	return resolve.Derive(w, key{dir}, func() (out []config) {
		for _, ref := range w.Dir(dir) {
			base := path.Base(ref.Path)
			if path.Ext(base) != ".json" ||
				!strings.HasPrefix(base, "tsconfig") && !strings.HasPrefix(base, "jsconfig") {
				continue
			}
			c, ok := readConfig(w, w.Load(ref), 0)
			if !ok {
				continue
			}
			if base == "tsconfig.json" {
				out = slices.Insert(out, 0, c)
			} else {
				out = append(out, c)
			}
		}
		return out
	})
}

// maxExtends is the largest number of configurations that are read in a chain, each of which
// extends the next.
const maxExtends = 8

func readConfig(w *resolve.World, f *resolve.File, depth int) (c config, ok bool) {
	if f == nil || depth > maxExtends {
		return c, false
	}
	for _, fact := range f.Leaves("/extends") {
		if base := extended(w, f, fact.Type); base != nil {
			if b, found := readConfig(w, base, depth+1); found {
				c, ok = b, true
			}
		}
	}
	if base := f.Leaf("/compilerOptions/baseUrl"); base != "" {
		if at, inside := resolve.JoinPath(f.Dir, base); inside {
			c.base, c.hasBase, ok = at, true, true
		}
	}
	paths := f.Leaves("/compilerOptions/paths/")
	if len(paths) == 0 {
		return c, ok
	}
	from := f.Dir
	if c.hasBase {
		from = c.base
	}
	c.aliases = aliases(paths, from)
	return c, true
}

func aliases(paths []*code.Fact, from string) (out []alias) {
	for _, fact := range paths {
		name := strings.TrimPrefix(fact.Name, "/compilerOptions/paths/")
		pattern, _, _ := strings.Cut(name, "/")
		pattern = pointer.Replace(pattern)
		target, inside := resolve.JoinPath(from, fact.Type)
		if !inside {
			continue
		}
		if n := len(out); n > 0 && out[n-1].pattern == pattern {
			out[n-1].targets = append(out[n-1].targets, target)
		} else {
			out = append(out, alias{pattern, []string{target}})
		}
	}
	return out
}

// extended returns the configuration file that another extends: by path, or in a package of the
// workspace; nil if there is none.
func extended(w *resolve.World, f *resolve.File, spec string) *resolve.File {
	candidates := []string{spec, spec + ".json", spec + "/tsconfig.json"}
	if !strings.HasPrefix(spec, ".") {
		name, sub := packageName(spec)
		dir, ok := nearest(packages(w)[name], f.Dir)
		if !ok {
			return nil
		}
		for _, c := range []string{sub, sub + ".json", sub + "/tsconfig.json"} {
			if g := w.File(path.Join(dir, c)); g != nil {
				return g
			}
		}
		return nil
	}
	for _, c := range candidates {
		if at, inside := resolve.JoinPath(f.Dir, c); inside && w.Has(at) {
			return w.File(at)
		}
	}
	return nil
}

func (Language) Imports(w *resolve.World, f *resolve.File, i *code.Import) []*resolve.File {
	return []*resolve.File{tsResolve(w, f, i.Module).File}
}
