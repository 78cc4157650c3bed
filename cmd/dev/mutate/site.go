package main

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// site is one mutation: the bytes start to end of a file, and their
// replacement.
type site struct {
	file       string
	line       int // from 1
	start, end int
	was, now   string
}

func (s *site) String() string {
	return fmt.Sprintf("%s:%d  %s  ->  %s", s.file, s.line, oneLine(s.was), oneLine(s.now))
}

func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > 60 {
		text = text[:57] + "..."
	}
	if text == "" {
		return "(nothing)"
	}
	return text
}

// sitesOf returns every mutation of the files of a package, except tests, in
// order.
func sitesOf(ctx context.Context, pkg string) (sites []site, err error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-f", "{{.Dir}}\n{{range .GoFiles}}{{.}}\n{{end}}", pkg)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	names := strings.Fields(string(out))
	for _, name := range names[1:] {
		file := filepath.Join(names[0], name)
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		found, err := mutations(file, text)
		if err != nil {
			return nil, err
		}
		sites = append(sites, found...)
	}
	return sites, nil
}

// flips maps an operator to its replacement.
var flips = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD: token.SUB, token.SUB: token.ADD,
}

// mutations returns the mutations of a file, in the order of its text.
func mutations(name string, text []byte) (sites []site, err error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	replace := func(from, to token.Pos, now string) {
		start, end := fset.Position(from), fset.Position(to)
		sites = append(sites, site{file: name, line: start.Line, start: start.Offset, end: end.Offset,
			was: string(text[start.Offset:end.Offset]), now: now})
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GenDecl:
			return n.Tok != token.IMPORT
		case *ast.BinaryExpr:
			if flip, ok := flips[n.Op]; ok {
				replace(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), flip.String())
			}
		case *ast.IfStmt:
			cond := string(text[fset.Position(n.Cond.Pos()).Offset:fset.Position(n.Cond.End()).Offset])
			replace(n.Cond.Pos(), n.Cond.End(), "!("+cond+")")
		case *ast.BasicLit:
			if i, err := strconv.Atoi(n.Value); n.Kind == token.INT && err == nil {
				replace(n.Pos(), n.End(), strconv.Itoa(i+1))
			}
		case *ast.Ident:
			if n.Name == "true" || n.Name == "false" {
				replace(n.Pos(), n.End(), strconv.FormatBool(n.Name == "false"))
			}
		case *ast.BlockStmt:
			for _, s := range n.List {
				if droppable(s) {
					replace(s.Pos(), s.End(), "")
				}
			}
		case *ast.CaseClause:
			for _, s := range n.Body {
				if droppable(s) {
					replace(s.Pos(), s.End(), "")
				}
			}
		}
		return true
	})
	return sites, nil
}

// droppable reports whether a statement can be removed without removing a
// declaration.
func droppable(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.AssignStmt:
		return s.Tok != token.DEFINE
	case *ast.ExprStmt, *ast.IncDecStmt, *ast.BranchStmt, *ast.DeferStmt:
		return true
	}
	return false
}
