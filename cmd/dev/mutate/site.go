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
	"regexp"
	"strconv"
	"strings"
)

// site is one mutation: it replaces the bytes from start to end of a file.
// Offsets are in bytes, from 0.
type site struct {
	file, pkg     string
	line          int // 1-based line
	start, end    int
	was, now      string
	statement     int    // start of the statement around it, in a list of statements
	body, bodyEnd int    // range of the body of the outermost function around the mutation, with its braces
	results       string // results of that function, as in its declaration; "" if there are none
}

func (s *site) String() string {
	return fmt.Sprintf("%s:%d  %s  ->  %s", s.file, s.line, oneLine(s.was), oneLine(s.now))
}

// oneLine returns text in one line, cut to 60 bytes, for a message.
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

// sitesOf returns every mutation of the files of a package, in order, except tests. It skips files
// whose name matches the pattern except, if that is not "".
func sitesOf(ctx context.Context, pkg, except string) (sites []site, err error) {
	skipped, err := regexp.Compile(except)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "go", "list", "-f", "{{.Dir}}\n{{range .GoFiles}}{{.}}\n{{end}}", pkg)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	names := strings.Fields(string(out))
	for _, name := range names[1:] {
		if except != "" && skipped.MatchString(name) {
			continue
		}
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

// finder collects the mutations of a file.
type finder struct {
	fset  *token.FileSet
	text  []byte
	base  site // fields common to the next sites: file, package, function and statement
	sites []site
}

// mutations returns the mutations of a file, in the order of its text. It skips code outside
// functions, such as the value of a constant, which cannot be switched at run time.
func mutations(name string, text []byte) ([]site, error) {
	f := &finder{fset: token.NewFileSet(), text: text}
	file, err := parser.ParseFile(f.fset, name, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	f.base = site{file: name, pkg: file.Name.Name}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			f.function(n.Type, n.Body)
			return false
		case *ast.FuncLit:
			f.function(n.Type, n.Body)
			return false
		}
		return true
	})
	return f.sites, nil
}

// function collects the mutations of an outermost function. It skips a function whose parameter hides the
// type of a result, as in f(name string) (n name): a copy of the body cannot name that type.
func (f *finder) function(typ *ast.FuncType, body *ast.BlockStmt) {
	if body == nil || hidesResult(typ) {
		return
	}
	f.base.body, f.base.bodyEnd, f.base.results = f.offset(body.Pos()), f.offset(body.End()), ""
	if typ.Results != nil {
		f.base.results = f.source(typ.Results)
	}
	f.statements(body.List)
}

// statements collects the mutations of a list of statements and of the lists
// within them.
func (f *finder) statements(list []ast.Stmt) {
	for _, s := range list {
		outer := f.base.statement
		switch s.(type) {
		case *ast.CaseClause, *ast.CommClause: // a clause is no statement that can be replaced; the switch around it is
		default:
			f.base.statement = f.offset(s.Pos())
		}
		if droppable(s) {
			f.replace(s.Pos(), s.End(), "")
		}
		ast.Inspect(s, f.visit)
		f.base.statement = outer
	}
}

// visit collects the mutations of one node, for ast.Inspect. It returns false if the nodes within need no
// visit.
func (f *finder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GenDecl:
		return n.Tok != token.CONST
	case *ast.BlockStmt:
		f.statements(n.List)
		return false
	case *ast.CaseClause:
		for _, x := range n.List {
			ast.Inspect(x, f.visit)
		}
		f.statements(n.Body)
		return false
	case *ast.CommClause:
		f.statements(n.Body)
		return false
	case *ast.BinaryExpr:
		if flip, ok := flips[n.Op]; ok {
			f.replace(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), flip.String())
		}
	case *ast.IfStmt:
		if c, ok := n.Cond.(*ast.BinaryExpr); !ok || c.Op != token.EQL && c.Op != token.NEQ { // flipping these is the same
			f.replace(n.Cond.Pos(), n.Cond.End(), "!("+f.source(n.Cond)+")")
		}
	case *ast.BasicLit:
		if i, err := strconv.Atoi(n.Value); n.Kind == token.INT && err == nil {
			f.replace(n.Pos(), n.End(), strconv.Itoa(i+1))
		}
	case *ast.Ident:
		if n.Name == "true" || n.Name == "false" {
			f.replace(n.Pos(), n.End(), strconv.FormatBool(n.Name == "false"))
		}
	}
	return true
}

func (f *finder) offset(p token.Pos) int { return f.fset.Position(p).Offset }

func (f *finder) source(n ast.Node) string {
	return string(f.text[f.offset(n.Pos()):f.offset(n.End())])
}

// replace adds the mutation that replaces the text in a range by now.
func (f *finder) replace(from, to token.Pos, now string) {
	s := f.base
	s.line, s.start, s.end = f.fset.Position(from).Line, f.offset(from), f.offset(to)
	s.was, s.now = string(f.text[s.start:s.end]), now
	f.sites = append(f.sites, s)
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

// hidesResult reports whether a function has a parameter or a named result with the name of a type in its results.
func hidesResult(typ *ast.FuncType) bool {
	if typ.Results == nil {
		return false
	}
	names := map[string]bool{}
	for _, list := range []*ast.FieldList{typ.Params, typ.Results} {
		for _, field := range list.List {
			for _, name := range field.Names {
				names[name.Name] = true
			}
		}
	}
	hidden := false
	for _, field := range typ.Results.List {
		ast.Inspect(field.Type, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			hidden = hidden || ok && names[id.Name]
			return true
		})
	}
	return hidden
}
