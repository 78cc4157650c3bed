package mcp

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"sextant/internal/golden"
)

// answerTypes lists the types of the tools' answers in package contract, in the order of the tools.
var answerTypes = []string{"ListAnswer", "SearchAnswer", "OutlineAnswer", "GraphAnswer", "ReadAnswer", "ManageAnswer"}

// TestAnswersDocument compares docs/answers.md with the types of package contract, from whose
// declarations and comments it is generated. It needs no field to be set in a golden.
func TestAnswersDocument(t *testing.T) {
	d := &shapes{types: map[string]*ast.GenDecl{}, values: map[string][]string{}, uses: map[string]int{},
		done: map[string]bool{}}
	d.read(t, filepath.Join("..", "internal", "navigate", "contract"))
	d.read(t, filepath.Join("..", "internal", "code")) // whose spans and kinds the answers contain
	for _, name := range answerTypes {
		met := map[string]bool{}
		d.visit(name, met)
		for used := range met {
			d.uses[used]++
		}
	}
	var b strings.Builder
	b.WriteString("# The fields of answers\n\nEvery field of the JSON that the tools answer, made from the types of " +
		"`internal/navigate/contract` by `go test ./mcp -update`. A field with `?` is left out if it is empty. " +
		"[contract.md](contract.md) has the arguments and says what the text form shows; examples are the goldens in " +
		"`testdata/tools/`.\n")
	for i, own := range tools() {
		fmt.Fprintf(&b, "\n## %s\n", own.name)
		d.write(&b, answerTypes[i])
	}
	b.WriteString("\n## Types of several tools\n")
	for len(d.shared) > 0 {
		name := d.shared[0]
		d.shared = d.shared[1:]
		d.write(&b, name)
	}
	b.WriteString("\n## Values\n\n| type | values |\n|---|---|\n")
	for _, name := range d.enums {
		fmt.Fprintf(&b, "| %s | %s |\n", name, strings.Join(d.values[name], ", "))
	}
	golden.File(t, filepath.Join("..", "docs", "answers.md"), b.String())
}

// shapes holds the types of packages as their sources declare them.
type shapes struct {
	types  map[string]*ast.GenDecl
	values map[string][]string // type of strings → its values, in the order of their declarations
	uses   map[string]int      // type → number of answers that it is part of
	shared []string            // types of several answers that are not written yet
	enums  []string            // types of strings that the written fields have
	done   map[string]bool
}

// read adds the types of the package in dir, and the values of its types of strings.
func (d *shapes) read(t *testing.T, dir string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			if g, ok := decl.(*ast.GenDecl); ok {
				d.add(g)
			}
		}
	}
}

// add keeps the types and the constants of a declaration.
func (d *shapes) add(g *ast.GenDecl) {
	for _, spec := range g.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			doc := s.Doc
			if doc == nil {
				doc = g.Doc
			}
			if d.types[s.Name.Name] == nil {
				d.types[s.Name.Name] = &ast.GenDecl{Doc: doc, Specs: []ast.Spec{s}}
			}
		case *ast.ValueSpec:
			of, typed := s.Type.(*ast.Ident)
			if !typed || len(s.Values) != 1 {
				continue
			}
			if lit, ok := s.Values[0].(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if text, err := strconv.Unquote(lit.Value); err == nil && text != "" {
					d.values[of.Name] = append(d.values[of.Name], "`"+text+"`")
				}
			}
		}
	}
}

// spec returns the declaration of a struct, nil for any other type.
func (d *shapes) spec(name string) *ast.StructType {
	if g := d.types[name]; g != nil {
		s, _ := g.Specs[0].(*ast.TypeSpec).Type.(*ast.StructType)
		return s
	}
	return nil
}

// visit adds name and the structs in its fields to met.
func (d *shapes) visit(name string, met map[string]bool) {
	s := d.spec(name)
	if s == nil || met[name] {
		return
	}
	met[name] = true
	for _, f := range s.Fields.List {
		for _, of := range d.named(f.Type) {
			d.visit(of, met)
		}
	}
}

// results lists the types behind the interface SearchResult.
var results = []string{"Group", "Chunk"}

// named returns the structs and the types of strings that a type expression names, the items of named
// lists among them.
func (d *shapes) named(x ast.Expr) (out []string) {
	ast.Inspect(x, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		switch {
		case !ok:
		case id.Name == "SearchResult":
			out = append(out, results...)
		case d.values[id.Name] != nil || d.spec(id.Name) != nil:
			out = append(out, id.Name)
		case d.list(id.Name) != nil:
			out = append(out, d.named(d.list(id.Name).Elt)...)
		}
		return true
	})
	return out
}

// list returns the declaration of a named list such as Warnings, nil for any other type.
func (d *shapes) list(name string) *ast.ArrayType {
	if g := d.types[name]; g != nil {
		list, _ := g.Specs[0].(*ast.TypeSpec).Type.(*ast.ArrayType)
		return list
	}
	return nil
}

// write writes the table of a struct and those of the structs in its fields. It writes each once, and
// leaves those that several answers have for later.
func (d *shapes) write(b *strings.Builder, name string) {
	s := d.spec(name)
	if s == nil || d.done[name] {
		return
	}
	d.done[name] = true
	fmt.Fprintf(b, "\n### %s\n\n%s\n\n| field | type | |\n|---|---|---|\n", name, flat(d.types[name].Doc))
	var next []string
	d.rows(b, s, &next)
	for _, of := range next {
		switch {
		case d.values[of] != nil && !d.done[of]:
			d.done[of] = true
			d.enums = append(d.enums, of)
		case d.uses[of] > 1 && d.uses[name] < 2:
			d.shared = append(d.shared, of)
		default:
			d.write(b, of)
		}
	}
}

// rows writes a row for each field of a struct, those of embedded structs among them, and adds the types of
// the fields to next.
func (d *shapes) rows(b *strings.Builder, s *ast.StructType, next *[]string) {
	for _, f := range s.Fields.List {
		of := d.named(f.Type)
		if len(f.Names) == 0 {
			for _, name := range of {
				if inner := d.spec(name); inner != nil {
					d.rows(b, inner, next)
				}
			}
			continue
		}
		if f.Tag == nil {
			continue
		}
		tag, _ := strconv.Unquote(f.Tag.Value)
		name, options, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		if strings.HasPrefix(options, "omit") {
			name += "?"
		}
		about := flat(f.Doc)
		if about == "" {
			about = flat(f.Comment)
		}
		// "Matches is set if …" reads as a row without the Go name.
		about = strings.TrimPrefix(about, f.Names[0].Name+" ")
		about = strings.TrimPrefix(strings.TrimPrefix(about, "is "), "are ")
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", name, d.typeText(f.Type), about)
		*next = append(*next, of...)
	}
}

// typeText returns a type as the document writes it: "list of LineSpan", "map of integer".
func (d *shapes) typeText(x ast.Expr) string {
	switch v := x.(type) {
	case *ast.StarExpr:
		return d.typeText(v.X)
	case *ast.ArrayType:
		return "list of " + d.typeText(v.Elt)
	case *ast.IndexExpr: // List[T]
		return "list of " + d.typeText(v.Index)
	case *ast.MapType:
		return "map of " + d.typeText(v.Value)
	case *ast.SelectorExpr:
		return v.Sel.Name
	case *ast.Ident:
		switch v.Name {
		case "int", "int64", "uint16":
			return "integer"
		case "float64":
			return "number"
		case "bool":
			return "boolean"
		case "any":
			return "any value"
		case "SearchResult":
			return strings.Join(results, " or ")
		}
		if list := d.list(v.Name); list != nil {
			return d.typeText(list)
		}
		return v.Name
	}
	return "value"
}

// flat returns the text of a comment in one line, "" for none.
func flat(c *ast.CommentGroup) string {
	text := strings.Join(strings.Fields(c.Text()), " ")
	return strings.NewReplacer("[", "", "] ", " ", "],", ",", "].", ".", "|", "\\|").Replace(text)
}
