// Command typecheck reports whether every package of the module, its tests
// included, type-checks for other systems than the one it runs on:
//
//	typecheck darwin/arm64 linux/arm64
//
// A cross compiler is not available everywhere, and without one the go command
// omits each package that uses cgo and all packages that import it. So
// typecheck lists the files that a build with cgo would compile, and checks
// their sources and those of their dependencies. It assumes that each use of
// package C is valid (go/types' FakeImportC): the C code itself is not checked.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: typecheck GOOS/GOARCH...")
		os.Exit(2)
	}
	failed := false
	for _, system := range os.Args[1:] {
		if err := check(".", system); err != nil {
			failed = true
			fmt.Fprintf(os.Stderr, "%s: %v\n", system, err)
		}
	}
	if failed {
		os.Exit(1)
	}
}

// listed is a package in the output of go list. It has only the fields that are used here.
type listed struct {
	ImportPath string // ends in " [p.test]" for a variant that a test needs
	Dir        string
	GoFiles    []string
	CgoFiles   []string
	ImportMap  map[string]string // path in the source -> ImportPath
	Module     *struct {
		Main      bool
		GoVersion string
	}
	ForTest string
}

func (p *listed) own() bool { return p.Module != nil && p.Module.Main }

// check type-checks the module in dir for a system, and returns the errors in
// the module's own packages. Errors in dependencies are ignored.
func check(dir, system string) error {
	goos, goarch, ok := strings.Cut(system, "/")
	if !ok {
		return errors.New("expected GOOS/GOARCH, as in darwin/arm64")
	}
	packages, err := list(dir, goos, goarch)
	if err != nil {
		return err
	}
	c := checker{fset: token.NewFileSet(), sizes: types.SizesFor("gc", goarch), done: map[string]*types.Package{},
		reported: map[string]bool{}}
	own := 0
	for _, p := range packages {
		if strings.HasSuffix(p.ImportPath, ".test") {
			continue // the generated main package of a test
		}
		if p.own() {
			own++
		}
		c.check(p)
	}
	if own == 0 {
		return errors.New("no package of the module was found; run typecheck in the module's folder")
	}
	return errors.Join(c.errs...)
}

// list returns the packages of the module and all that they and their tests
// import, dependencies first.
func list(dir, goos, goarch string) (packages []*listed, err error) {
	cmd := exec.Command("go", "list", "-deps", "-test",
		"-json=ImportPath,Dir,GoFiles,CgoFiles,ImportMap,Module,ForTest", "./...")
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=1")
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(out)
	for {
		p := new(listed)
		if err = decoder.Decode(p); err != nil {
			break
		}
		packages = append(packages, p)
	}
	if err == io.EOF {
		err = nil
	}
	return packages, errors.Join(err, cmd.Wait())
}

// checker holds the packages checked so far.
type checker struct {
	fset  *token.FileSet
	sizes types.Sizes
	done  map[string]*types.Package // ImportPath → package
	errs  []error                   // errors in the module's own packages

	reported map[string]bool // texts of the errors in errs
}

// check type-checks one package, whose dependencies must have been checked.
func (c *checker) check(pkg *listed) {
	if pkg.ImportPath == "unsafe" {
		c.done[pkg.ImportPath] = types.Unsafe
		return
	}
	files := c.parse(pkg)
	config := types.Config{
		FakeImportC:      true,
		IgnoreFuncBodies: !pkg.own(),
		Importer:         importer{c, pkg},
		Sizes:            c.sizes,
		Error:            func(err error) { c.report(pkg, err) },
	}
	if pkg.Module != nil && pkg.Module.GoVersion != "" {
		config.GoVersion = "go" + pkg.Module.GoVersion
	}
	path, _, _ := strings.Cut(pkg.ImportPath, " ")
	// Ignore the error: it is the first one that config.Error has reported.
	c.done[pkg.ImportPath], _ = config.Check(path, c.fset, files, nil)
}

func (c *checker) parse(p *listed) (files []*ast.File) {
	for _, name := range append(p.GoFiles, p.CgoFiles...) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(p.Dir, name)
		}
		f, err := parser.ParseFile(c.fset, name, nil, parser.SkipObjectResolution)
		if f != nil {
			files = append(files, f)
		}
		if err != nil {
			c.report(p, err)
		}
	}
	return files
}

// report records an error in a package of the module. It ignores errors about a value of an invalid
// type: either the type comes from C, or another error gives the reason why it is invalid.
func (c *checker) report(p *listed, err error) {
	text := err.Error()
	if !p.own() || c.reported[text] || strings.Contains(text, "with invalid type") {
		return
	}
	c.reported[text] = true // a package and its variant for tests share files
	c.errs = append(c.errs, err)
}

// importer resolves the imports of one package.
type importer struct {
	*checker
	of *listed
}

func (i importer) Import(path string) (*types.Package, error) {
	if mapped := i.of.ImportMap[path]; mapped != "" {
		path = mapped
	}
	if p := i.done[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("%s is not among the packages that go list named", path)
}
