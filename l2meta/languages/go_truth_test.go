package languages_test

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sextant/l2meta/languages"
	"sextant/l2meta/syntax"
)

// goRoot returns the source tree of the Go distribution, real code that is always available.
func goRoot() string { return filepath.Join(build.Default.GOROOT, "src") }

// TestGoSymbolsAgainstGoAST compares the extracted declarations with go/ast over the standard
// library and the compiler: same name, kind and lines. With SEXTANT_FULL=1 it reads all files.
func TestGoSymbolsAgainstGoAST(t *testing.T) {
	t.Parallel()
	var files []string
	err := filepath.WalkDir(goRoot(), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, ".go") && !strings.Contains(path, "/testdata/") {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var score tally
	for _, path := range sampled(files, 1500) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, path, text, parser.SkipObjectResolution)
		if err != nil {
			continue // go/parser rejects it
		}
		score.compare(path, goTruth(fset, file), goFound(t, path, text))
	}
	score.require(t, 0.995)
}

func goFound(t *testing.T, path string, text []byte) []string {
	f, err := languages.Extract(path, text)
	if err != nil {
		t.Errorf("%v", err)
	}
	var out []string
	for _, s := range f.Symbols {
		kind := s.Kind
		if kind == "test" {
			kind = "function"
		}
		out = append(out, fmt.Sprintf("%s %s %d-%d", kind, s.QualifiedName, s.Span.StartLine, s.Span.EndLine))
	}
	return out
}

func goTruth(fset *token.FileSet, file *ast.File) (out []string) {
	add := func(kind, name string, from, to token.Pos) {
		out = append(out, fmt.Sprintf("%s %s %d-%d", kind, name, fset.Position(from).Line, fset.Position(to).Line))
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			kind, name := "function", d.Name.Name
			if d.Recv != nil && len(d.Recv.List) > 0 {
				kind, name = "method", baseName(d.Recv.List[0].Type)+"."+name
			}
			add(kind, name, d.Pos(), d.End())
			if d.Body != nil {
				goTruthTypes(d.Body, name, add)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				from := spec.Pos()
				if !d.Lparen.IsValid() {
					from = d.Pos()
				}
				goTruthSpec(d.Tok, spec, from, "", add)
			}
		}
	}
	return out
}

type adder = func(kind, name string, from, to token.Pos)

func goTruthSpec(tok token.Token, spec ast.Spec, from token.Pos, owner string, add adder) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		kind := "type"
		switch spec.Type.(type) {
		case *ast.StructType:
			kind = "struct"
		case *ast.InterfaceType:
			kind = "interface"
		}
		add(kind, syntax.Join(owner, spec.Name.Name), from, spec.End())
		goTruthMembers(spec.Type, syntax.Join(owner, spec.Name.Name), add)
	case *ast.ValueSpec:
		kind := "variable"
		if tok == token.CONST {
			kind = "constant"
		}
		for _, n := range spec.Names {
			add(kind, syntax.Join(owner, n.Name), from, spec.End())
		}
	}
}

func goTruthMembers(typ ast.Expr, owner string, add adder) {
	var list *ast.FieldList
	method := false
	switch typ := typ.(type) {
	case *ast.StructType:
		list = typ.Fields
	case *ast.InterfaceType:
		list, method = typ.Methods, true
	}
	if list == nil {
		return
	}
	for _, f := range list.List {
		kind := "field"
		names := f.Names
		if _, isFunc := f.Type.(*ast.FuncType); method && isFunc {
			kind = "method"
		} else if method {
			continue // an embedded interface or a constraint
		}
		if len(names) == 0 {
			names = []*ast.Ident{{Name: baseName(f.Type)}}
		}
		end := f.End()
		for _, n := range names {
			add(kind, syntax.Join(owner, n.Name), f.Pos(), end)
		}
		if len(f.Names) > 0 && !method {
			goTruthNested(f.Type, syntax.Join(owner, names[len(names)-1].Name), add)
		}
	}
}

// goTruthNested adds struct types inside a field's type.
func goTruthNested(typ ast.Expr, owner string, add adder) {
	ast.Inspect(typ, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.StructType:
			goTruthMembers(n, owner, add)
			return false
		case *ast.InterfaceType:
			goTruthMembers(n, owner, add)
			return false
		}
		return true
	})
}

func goTruthTypes(body *ast.BlockStmt, owner string, add adder) {
	ast.Inspect(body, func(n ast.Node) bool {
		if d, ok := n.(*ast.GenDecl); ok && d.Tok == token.TYPE {
			for _, spec := range d.Specs {
				from := spec.Pos()
				if !d.Lparen.IsValid() {
					from = d.Pos()
				}
				goTruthSpec(d.Tok, spec, from, owner, add)
			}
			return false
		}
		return true
	})
}

func baseName(e ast.Expr) string {
	for {
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		case *ast.SelectorExpr:
			return x.Sel.Name
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}
