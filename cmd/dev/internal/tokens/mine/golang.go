package mine

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
)

// goDeclarations returns the top-level declarations of the Go files below dir, by go/parser. It
// skips files with syntax errors.
func goDeclarations(dir string) (out []Declaration, err error) {
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != dir && (d.Name() == "testdata" || d.Name() == "vendor" || d.Name()[0] == '.') {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") {
			return nil
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil
		}
		rel, err := filepath.Rel(dir, name)
		r := goReader{fset: fset, file: filepath.ToSlash(rel)}
		for _, decl := range file.Decls {
			r.declare(decl)
		}
		out = append(out, r.out...)
		return err
	})
	return out, err
}

// goReader collects the declarations of one Go file.
type goReader struct {
	fset *token.FileSet
	file string
	out  []Declaration
}

func (r *goReader) declare(decl ast.Decl) {
	switch x := decl.(type) {
	case *ast.FuncDecl:
		name := x.Name.Name
		if x.Recv != nil && len(x.Recv.List) == 1 {
			name = receiver(x.Recv.List[0].Type) + "." + name
		}
		r.add(x.Name, name, x, x.Doc, false)
	case *ast.GenDecl:
		for _, spec := range x.Specs {
			doc := x.Doc
			var whole ast.Node = x
			if len(x.Specs) > 1 || x.Lparen.IsValid() {
				doc, whole = nil, spec
			}
			switch s := spec.(type) {
			case *ast.TypeSpec:
				if s.Doc != nil {
					doc = s.Doc
				}
				r.add(s.Name, s.Name.Name, whole, doc, true)
			case *ast.ValueSpec:
				if s.Doc != nil {
					doc = s.Doc
				}
				for _, name := range s.Names {
					if name.Name != "_" {
						r.add(name, name.Name, whole, doc, true)
					}
				}
			}
		}
	}
}

// add adds a declaration. whole is the node that spans it. Constants and variables count as types (isType),
// because they cannot be called.
func (r *goReader) add(name *ast.Ident, qualified string, whole ast.Node, doc *ast.CommentGroup, isType bool) {
	line := func(p token.Pos) int { return r.fset.PositionFor(p, false).Line }
	owner, _, method := strings.Cut(qualified, ".")
	d := Declaration{File: r.file, Name: name.Name, Qualified: qualified, Line: line(name.Pos()),
		From: line(whole.Pos()),
		End:  line(whole.End()), Exported: name.IsExported() && (!method || ast.IsExported(owner)), Type: isType}
	if doc != nil {
		d.Doc, d.DocFrom, d.DocEnd = doc.Text(), line(doc.Pos()), line(doc.End())
		d.From = d.DocFrom
	}
	r.out = append(r.out, d)
}

// receiver returns the name of a receiver's type.
func receiver(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.StarExpr:
		return receiver(x.X)
	case *ast.IndexExpr:
		return receiver(x.X)
	case *ast.IndexListExpr:
		return receiver(x.X)
	case *ast.ParenExpr:
		return receiver(x.X)
	case *ast.Ident:
		return x.Name
	}
	return ""
}
