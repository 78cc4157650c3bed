package rename

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/tools/go/packages"
)

// names holds the identifiers of a work tree.
type names struct {
	own   map[string]bool // identifiers that its modules declare
	fixed map[string]bool // identifiers that must not be renamed
}

// load type-checks the modules below dir and collects their names. There must
// be exactly one module, without errors.
func load(ctx context.Context, dir string) (*names, error) {
	cfg := &packages.Config{Context: ctx, Dir: dir, Tests: true, Fset: token.NewFileSet(),
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedTypes | packages.NeedSyntax |
			packages.NeedTypesInfo | packages.NeedModule,
		Env: append(os.Environ(), "GOOS=linux", "CGO_ENABLED=0", "GOFLAGS=-mod=mod")}
	list, err := packages.Load(cfg, "./...")
	if err != nil {
		return nil, err
	}
	n := &names{own: map[string]bool{},
		fixed: map[string]bool{"main": true, "init": true, "_": true, "err": true, "ok": true}}
	var failed []error
	seen := map[*types.Package]bool{}
	for _, p := range list {
		for _, e := range p.Errors {
			failed = append(failed, e)
		}
		if p.Module == nil || p.Types == nil {
			continue // the main package of a test
		}
		n.declared(p)
		for _, i := range p.Types.Imports() {
			n.outside(i, p.Module.Path, seen)
		}
	}
	if len(n.own) == 0 {
		failed = append(failed, fmt.Errorf("no package of a module in %s", dir))
	}
	return n, errors.Join(append(failed, n.unchecked(dir))...)
}

// declared records the names that a package of the module declares. It marks as fixed, not to be
// renamed, the names of other packages that it uses.
func (n *names) declared(p *packages.Package) {
	n.fixed[p.Name] = true
	inside := func(o types.Object) bool {
		return o.Pkg() != nil && (o.Pkg() == p.Types || strings.HasPrefix(o.Pkg().Path(), p.Module.Path))
	}
	for id, o := range p.TypesInfo.Defs {
		if o == nil {
			continue
		}
		if _, ok := o.(*types.PkgName); ok {
			n.fixed[id.Name] = true
			continue
		}
		n.own[id.Name] = true
		if _, ok := o.(*types.Func); ok && isTest(id.Name) {
			n.fixed[id.Name] = true
		}
	}
	for id, o := range p.TypesInfo.Uses {
		if _, ok := o.(*types.PkgName); ok || !inside(o) {
			n.fixed[id.Name] = true
		}
	}
}

// isTest reports whether the go command finds a function of this name as a test, benchmark, fuzz test or
// example.
func isTest(name string) bool {
	return slices.ContainsFunc([]string{"Test", "Benchmark", "Fuzz", "Example"},
		func(p string) bool { return strings.HasPrefix(name, p) })
}

// outside marks as fixed, not to be renamed, the methods of interfaces in p and in the packages
// that p imports, as far as these are of other modules. A type of the module may implement such an
// interface without naming it.
func (n *names) outside(p *types.Package, module string, seen map[*types.Package]bool) {
	if seen[p] {
		return
	}
	seen[p] = true
	for _, i := range p.Imports() {
		n.outside(i, module, seen)
	}
	if strings.HasPrefix(p.Path(), module) {
		return
	}
	for _, name := range p.Scope().Names() {
		if i, ok := p.Scope().Lookup(name).Type().Underlying().(*types.Interface); ok {
			for m := range i.Methods() {
				n.fixed[m.Name()] = true
			}
		}
	}
}

// unchecked marks as fixed, not to be renamed, the names in files that are not type-checked on this
// system: names from packages that files for other systems import, and all words of assembly and of
// directives such as //go:linkname.
func (n *names) unchecked(dir string) error {
	return filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		ext := filepath.Ext(name)
		if err != nil || d.IsDir() || ext != ".go" && ext != ".s" {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if ext == ".s" {
			n.words(string(text))
			return nil
		}
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, "//go:") {
				n.words(line)
			}
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err == nil {
			n.imported(file)
		}
		return nil
	})
}

// words marks all words of a text as fixed, not to be renamed.
func (n *names) words(text string) {
	for _, w := range word.FindAllString(text, -1) {
		n.fixed[w] = true
	}
}

// imported marks as fixed, not to be renamed, the names that a file uses from packages of the
// standard library and golang.org/x. A package of the standard library has no dot in its first path
// element.
func (n *names) imported(file *ast.File) {
	standard := map[string]bool{}
	for _, i := range file.Imports {
		path := strings.Trim(i.Path.Value, `"`)
		if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") &&
			!strings.HasPrefix(path, "golang.org/x/") {
			continue
		}
		standard[path[strings.LastIndexByte(path, '/')+1:]] = true
	}
	ast.Inspect(file, func(x ast.Node) bool {
		if s, ok := x.(*ast.SelectorExpr); ok {
			if id, ok := s.X.(*ast.Ident); ok && standard[id.Name] {
				n.fixed[s.Sel.Name] = true
			}
		}
		return true
	})
}

// change maps each name to its new name. Each word of a name is replaced by an invented word, the
// same in all names.
func (n *names) change() map[string]string {
	out, taken, words := map[string]string{}, maps.Clone(n.own), map[string]string{}
	maps.Copy(taken, n.fixed)
	for _, name := range slices.Sorted(maps.Keys(n.own)) {
		if n.fixed[name] || len(name) < 2 {
			continue
		}
		var with strings.Builder
		for _, part := range parts(name) {
			lower := strings.ToLower(part)
			if words[lower] == "" && lower != "_" {
				words[lower] = invent(len(words))
			}
			switch {
			case part == "_":
				with.WriteString(part)
			case unicode.IsUpper(rune(part[0])):
				with.WriteString(strings.ToUpper(words[lower][:1]) + words[lower][1:])
			default:
				with.WriteString(words[lower])
			}
		}
		renamed := with.String()
		for taken[renamed] {
			renamed += "a"
		}
		taken[renamed] = true
		out[name] = renamed
	}
	return out
}

// parts splits a name into words, and underscores: "readHTTPPage_v2" into read,
// HTTP, Page, _, v2.
func parts(name string) (out []string) {
	from := 0
	for i := 1; i <= len(name); i++ {
		if i < len(name) && !boundary(name, i) {
			continue
		}
		out = append(out, name[from:i])
		from = i
	}
	return out
}

// boundary reports whether a new part of name begins at index i.
func boundary(name string, i int) bool {
	before, at := rune(name[i-1]), rune(name[i])
	switch {
	case at == '_' || before == '_':
		return true
	case unicode.IsUpper(at):
		return !unicode.IsUpper(before) || i+1 < len(name) && unicode.IsLower(rune(name[i+1]))
	}
	return false
}

// invent returns an invented word of two syllables or more. Different numbers n give different
// words.
func invent(n int) string {
	const consonants, vowels = "bdfgklmnprstvz", "aeiou"
	count := len(consonants) * len(vowels)
	var out strings.Builder
	for i := 0; i < 2 || n > 0; i++ {
		// 37 shares no factor with count, so consecutive numbers take every syllable once.
		s := (n%count*37 + i*11) % count
		out.WriteByte(consonants[s/len(vowels)])
		out.WriteByte(vowels[s%len(vowels)])
		n /= count
	}
	return out.String()
}
