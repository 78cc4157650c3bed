// Package gotruth resolves every call in a Go work tree with go/types, and every
// function that is used as a value. It covers the packages of its modules, tests
// included, as built for Linux without cgo.
//
// A file that no such build compiles has no sites. A site may have the class
// unknown if its package has type errors. A promoted method is resolved to its
// declaration, an instance of a generic function to the generic function, and a
// method of a type parameter to the method of its constraint.
package gotruth

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Site is one call. Class is the kind of its callee, as in package accuracy. TargetFile is set only
// for the classes static and interface.
type Site struct {
	File         string // path relative to the work tree, like TargetFile
	Line, Column int
	Name         string
	Class        string
	TargetFile   string
	TargetLine   int
	Module       string // the package of an external callee
}

// Sites returns every call in the packages of the modules under dir. A module
// that the go command refuses to load (its go.mod is out of date) has none; if
// all modules are refused, it returns an error.
func Sites(ctx context.Context, dir string) ([]Site, error) { return all(ctx, dir, (*reader).calls) }

// References returns every function and method in the packages of the modules under dir that is used
// without a call, such as less in sort.Slice(rows, less). A name that the type checker cannot resolve
// has the class unknown, and so has the name in the package clause, so that each file has a site.
// References fails like Sites.
func References(ctx context.Context, dir string) ([]Site, error) {
	return all(ctx, dir, (*reader).references)
}

// fileSites returns the sites of one kind in a file.
type fileSites func(*reader, *types.Info, *ast.File) []Site

// all returns the sites of all files in the modules under dir.
func all(ctx context.Context, dir string, of fileSites) (out []Site, err error) {
	dir, err = filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	modules, err := modules(dir)
	if err != nil {
		return nil, err
	}
	var refused []error
	for _, m := range modules {
		sites, err := ofModule(ctx, dir, m, of)
		if err != nil {
			refused = append(refused, fmt.Errorf("load %s: %w", m, err))
		}
		out = append(out, sites...)
	}
	if len(refused) == len(modules) || ctx.Err() != nil {
		return nil, errors.Join(append(refused, ctx.Err())...)
	}
	return out, nil
}

// modules returns the folders under dir with a go.mod, except those in folders
// named node_modules, vendor or testdata, or with a name that begins with "." or "_".
func modules(dir string) (out []string, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && path != dir && (name == "vendor" || name == "testdata" || name == "node_modules" ||
			name[0] == '.' || name[0] == '_') {
			return filepath.SkipDir
		}
		if !d.IsDir() && name == "go.mod" {
			out = append(out, filepath.Dir(path))
		}
		return nil
	})
	return out, err
}

// ofModule returns the sites of one module. It loads the module and its imports
// from source, because export data would require a build of every dependency.
func ofModule(ctx context.Context, top, module string, of fileSites) (out []Site, err error) {
	cfg := &packages.Config{
		Context: ctx, Dir: module, Tests: true, Fset: token.NewFileSet(),
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps |
			packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedTypesSizes,
		Env: append(os.Environ(), "GOOS=linux", "CGO_ENABLED=0"),
	}
	pkgs, err := packages.Load(cfg, "./...")
	if err != nil {
		return nil, err
	}
	r := reader{top: top, fset: cfg.Fset}
	for _, p := range pkgs {
		if len(p.Syntax) == 0 && len(p.Errors) > 0 {
			err = p.Errors[0]
		}
		for _, file := range p.Syntax {
			out = append(out, of(&r, p.TypesInfo, file)...)
		}
	}
	if len(out) == 0 && err != nil {
		return nil, err
	}
	return out, nil
}

// reader converts positions in one loaded module to files and lines of the work
// tree.
type reader struct {
	top  string
	fset *token.FileSet
}

// place returns the file and position of pos in the source; it ignores the
// //line comments of generated files. The file is "" outside the work tree.
func (r *reader) place(pos token.Pos) (file string, at token.Position) {
	at = r.fset.PositionFor(pos, false)
	rel, err := filepath.Rel(r.top, at.Filename)
	if err != nil || at.Filename == "" || rel == ".." || strings.HasPrefix(rel, "../") {
		return "", at
	}
	return filepath.ToSlash(rel), at
}

// calls returns the calls in one file. A call of a function literal, or of a
// function that another call returned, as in f()(), has no name and is no site.
func (r *reader) calls(info *types.Info, file *ast.File) (out []Site) {
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		name := calleeName(info, call.Fun)
		if name == nil {
			return true // the callee is a function literal, or the result of an expression
		}
		path, at := r.place(name.Pos())
		if path == "" {
			return false
		}
		s := Site{File: path, Line: at.Line, Column: at.Column, Name: name.Name}
		r.callee(&s, info.Uses[name])
		out = append(out, s)
		return true
	})
	return out
}

// references returns the functions in one file that are used without a call.
func (r *reader) references(info *types.Info, file *ast.File) (out []Site) {
	callees := map[*ast.Ident]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			callees[calleeName(info, n.Fun)] = true
		case *ast.Ident:
			path, at := r.place(n.Pos())
			if path == "" {
				return false
			}
			s := Site{File: path, Line: at.Line, Column: at.Column, Name: n.Name, Class: "unknown"}
			switch fn := info.Uses[n].(type) {
			case *types.Func:
				if callees[n] {
					return true
				}
				r.function(&s, fn.Origin())
			default:
				if n.Name == "_" || info.ObjectOf(n) != nil {
					return true
				}
			}
			out = append(out, s)
		}
		return true
	})
	return out
}

// calleeName returns the last name of a callee, nil if it has none.
func calleeName(info *types.Info, fun ast.Expr) *ast.Ident {
	switch fun := ast.Unparen(fun).(type) {
	case *ast.Ident:
		return fun
	case *ast.SelectorExpr:
		return fun.Sel
	case *ast.IndexExpr: // f[T](x), and not fs[0](x)
		return instantiated(info, fun.X)
	case *ast.IndexListExpr:
		return instantiated(info, fun.X)
	}
	return nil
}

// instantiated returns the name of a generic function or type that is
// instantiated, as f in f[int](x); nil if the index expression is not an
// instantiation.
func instantiated(info *types.Info, generic ast.Expr) *ast.Ident {
	name := calleeName(info, generic)
	if name == nil {
		return nil
	}
	switch info.Uses[name].(type) {
	case *types.Func, *types.TypeName:
		return name
	}
	return nil
}

// callee sets the class and target of s. obj is the object that the callee's
// name refers to.
func (r *reader) callee(s *Site, obj types.Object) {
	switch obj := obj.(type) {
	case *types.Func:
		r.function(s, obj.Origin())
	case *types.Builtin:
		s.Class, s.Module = "external", "builtin"
	case *types.Var: // a call of a field of the workspace counts like one of an interface method
		s.Class = "value"
		if file, at := r.place(obj.Origin().Pos()); obj.IsField() && file != "" {
			s.Class, s.TargetFile, s.TargetLine = "interface", file, at.Line
		}
	case *types.TypeName: // a conversion calls nothing
		s.Class = "value"
	default:
		s.Class = "unknown"
	}
}

// function sets the class and target of s for a callee that is a declared
// function.
func (r *reader) function(s *Site, fn *types.Func) {
	file, at := r.place(fn.Pos())
	if file == "" {
		s.Class, s.Module = "external", "builtin"
		if fn.Pkg() != nil {
			s.Module = fn.Pkg().Path()
		}
		return
	}
	s.Class, s.TargetFile, s.TargetLine = "static", file, at.Line
	if recv := fn.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
		s.Class = "interface"
	}
}
