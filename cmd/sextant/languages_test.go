package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sextant/internal/lang"
)

// knowLanguages are the packages that may name a language, and why.
var knowLanguages = map[string]string{
	"internal/lang":           "the names of files, below all who ask for them",
	"internal/workspace":      "the classes of files, by their names",
	"internal/deployable":     "manifests of modules, and what their sources are written in",
	"l2meta/services":         "how expressions and manifests of a language are written",
	"l2meta/services/folding": "how expressions of a language are written",
	"l2meta/services/source":  "how expressions of a language are written",
}

// TestCoreNamesNoLanguage checks that only the package of a language names it. Code that treats one
// language differently asks the registry.
func TestCoreNamesNoLanguage(t *testing.T) {
	var names []string
	for _, l := range lang.All() {
		if l.Depth >= lang.Symbols {
			names = append(names, l.Name)
		}
	}
	read := 0
	for pkg := range floors {
		tier, _, _ := strings.Cut(pkg, "/")
		family := strings.HasPrefix(pkg, "l2meta/languages/")
		if !slices.Contains([]string{"jit", "l1fts", "l2meta", "mcp", "internal"}, tier) || family ||
			knowLanguages[pkg] != "" || slices.Contains(measuring, pkg) {
			continue
		}
		files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(pkg), "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if !strings.HasSuffix(file, "_test.go") {
				read++
				namesNone(t, file, names)
			}
		}
	}
	if read < 100 {
		t.Errorf("only %d files were read", read)
	}
}

// measuring are packages below internal that are no part of the product.
var measuring = []string{"cmd/dev/internal/contrast", "cmd/dev/internal/quality", "cmd/dev/internal/accuracy",
	"cmd/dev/internal/accuracy/gotruth", "cmd/dev/internal/accuracy/gotrace", "cmd/dev/internal/tokens",
	"cmd/dev/internal/tokens/grep", "cmd/dev/internal/tokens/mine", "cmd/dev/internal/tokens/rename"}

func namesNone(t *testing.T, file string, names []string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, file, text, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		if x, ok := n.(*ast.BasicLit); ok && x.Kind == token.STRING {
			if s, err := strconv.Unquote(x.Value); err == nil && slices.Contains(names, s) {
				t.Errorf("%s names the language %s: what is known of it belongs in its package below "+
					"l2meta/languages, as a field of its description", fset.Position(x.Pos()), s)
			}
		}
		return true
	})
}
