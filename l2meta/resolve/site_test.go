package resolve

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"testing"
)

// TestStrategiesAreListed checks that strategies lists each declared Strategy once: the ledger
// stores a strategy as its index in that list.
func TestStrategiesAreListed(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "site.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var declared []Strategy
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.CONST {
			for _, s := range g.Specs {
				v := s.(*ast.ValueSpec)
				if typ, ok := v.Type.(*ast.Ident); ok && typ.Name == "Strategy" {
					name, err := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
					if err != nil {
						t.Fatal(err)
					}
					declared = append(declared, Strategy(name))
				}
			}
		}
	}
	listed := slices.Clone(strategies)
	slices.Sort(declared)
	slices.Sort(listed)
	if len(declared) == 0 || !slices.Equal(declared, listed) {
		t.Errorf("declared %v, listed %v", declared, listed)
	}
}
