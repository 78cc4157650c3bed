package l1fts

import (
	"bytes"
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"sextant/internal/code"
	"sextant/internal/store"
)

// goFile returns a code.File of Go source with the symbols that go/ast finds. A
// file in another language has none.
func goFile(path string, text []byte) *code.File {
	f := &code.File{Path: path, Text: text, Class: code.ClassSource, Hash: store.HashText(text)}
	index := code.NewLineIndex(text)
	f.Lines = index.Count()
	switch {
	case strings.Contains(path, "testdata/"):
		f.Class = code.ClassFixture
	case strings.HasSuffix(path, "_test.go"):
		f.Class = code.ClassTest
	case strings.HasSuffix(path, ".md"):
		f.Class = code.ClassDocs
	}
	f.Language = strings.TrimPrefix(filepath.Ext(path), ".")
	if f.Language != "go" {
		return f
	}
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, path, text, parser.SkipObjectResolution)
	if err != nil {
		return f
	}
	f.Parsed = true
	span := func(n ast.Node) code.Span {
		return index.Span(fset.Position(n.Pos()).Offset, min(fset.Position(n.End()).Offset, len(text)))
	}
	add := func(kind code.Kind, name, parent string, up int, n ast.Node, signature string) int {
		qualified := name
		if parent != "" {
			qualified = parent + "." + name
		}
		f.Symbols = append(f.Symbols, code.Symbol{Kind: kind, Name: name, QualifiedName: qualified, Parent: up,
			Span:      span(n),
			Signature: signature, Exported: ast.IsExported(name)})
		return len(f.Symbols) - 1
	}
	for _, d := range tree.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			kind, parent := code.KindFunction, ""
			if d.Recv != nil && len(d.Recv.List) > 0 {
				s := span(d.Recv.List[0].Type)
				kind, parent = code.KindMethod, strings.Trim(string(text[s.StartByte:s.EndByte]), "*")
			}
			s := span(d)
			// The span excludes the doc comment.
			s = index.Span(fset.Position(d.Type.Pos()).Offset, s.EndByte)
			end := s.EndByte
			if d.Body != nil {
				end = fset.Position(d.Body.Pos()).Offset
			}
			i := add(kind, d.Name.Name, parent, -1, d,
				strings.Join(strings.Fields(string(text[s.StartByte:max(end, s.StartByte)])), " "))
			f.Symbols[i].Span = s
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					kind := code.KindType
					st, isStruct := spec.Type.(*ast.StructType)
					if isStruct {
						kind = code.KindStruct
					}
					var n ast.Node = spec
					if !d.Lparen.IsValid() {
						n = d
					}
					i := add(kind, spec.Name.Name, "", -1, n, "type "+spec.Name.Name)
					if isStruct {
						for _, field := range st.Fields.List {
							for _, name := range field.Names {
								add(code.KindField, name.Name, spec.Name.Name, i, field, "")
							}
						}
					}
				case *ast.ValueSpec:
					kind := code.KindVariable
					if d.Tok == token.CONST {
						kind = code.KindConstant
					}
					for _, name := range spec.Names {
						add(kind, name.Name, "", -1, spec, "")
					}
				}
			}
		}
	}
	return f
}

// tree reads the text files below dir, at most max of them, in order of path.
func tree(tb testing.TB, dir string, max int) []*code.File {
	tb.Helper()
	var paths []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		if len(paths) == max {
			return fs.SkipAll
		}
		if info, err := d.Info(); err == nil && info.Size() < 4<<20 {
			paths = append(paths, path)
		}
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	files := make([]*code.File, len(paths))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, path := range paths {
		g.Go(func() error {
			text, err := os.ReadFile(path)
			if err != nil || bytes.IndexByte(text[:min(len(text), 8000)], 0) >= 0 {
				return err
			}
			rel, err := filepath.Rel(dir, path)
			files[i] = goFile(filepath.ToSlash(rel), text)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		tb.Fatal(err)
	}
	kept := files[:0]
	for _, f := range files {
		if f != nil {
			kept = append(kept, f)
		}
	}
	return kept
}

func openDB(tb testing.TB) *store.DB {
	tb.Helper()
	db, err := store.Open(tb.Context(), store.Options{Dir: tb.TempDir(), Schemas: []store.Schema{Schema()}})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { db.Close() })
	return db
}

// put writes files, some in each transaction.
func put(tb testing.TB, db *store.DB, x *Index, files ...*code.File) {
	tb.Helper()
	const batch = 500
	ctx := tb.Context()
	for len(files) > 0 {
		n := min(batch, len(files))
		writes := make([]func(context.Context, *store.Tx, int64) error, n)
		var g errgroup.Group
		g.SetLimit(runtime.GOMAXPROCS(0))
		for i, f := range files[:n] {
			g.Go(func() error { writes[i] = x.Prepare(ctx, f); return nil })
		}
		g.Wait()
		err := db.Update(ctx, func(tx *store.Tx) error {
			for i, f := range files[:n] {
				id, err := tx.PutFile(ctx, store.FileRow{Path: f.Path, Language: f.Language, Class: f.Class,
					Lines: f.Lines, Hash: f.Hash})
				if err != nil {
					return err
				}
				if err := writes[i](ctx, tx, id); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			tb.Fatal(err)
		}
		files = files[n:]
	}
}
