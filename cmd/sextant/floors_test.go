package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// floors is the import graph of docs/architecture.md: the packages of this module
// that each package may import. Imports point down, tiers never import each other.
var floors = map[string][]string{
	"cmd/sextant": {"mcp", "internal/compact", "jit", "l1fts", "l1fts/embed", "l1fts/model2vec",
		"l1fts/remote", "l3lsp", "internal/navigate", "internal/navigate/contract", "internal/navigate/manage",
		"internal/navigate/search", "internal/navigate/servers", "internal/diagram", "internal/typeset",
		"internal/budget", "internal/usage", "internal/code", "l2meta/syntax"},
	"mcp": {"internal/compact", "internal/navigate/contract", "internal/spelling",
		"internal/code"},
	"internal/navigate": {"internal/navigate/callgraph", "internal/navigate/callgraph/proof",
		"internal/navigate/contract", "internal/navigate/engine", "internal/navigate/impact",
		"internal/navigate/manage", "internal/navigate/search",
		"internal/navigate/servicemap", "internal/navigate/symbols", "jit", "l1fts", "l2meta", "l2meta/languages",
		"internal/store", "internal/budget"},
	"internal/navigate/servicemap": {"internal/navigate/contract", "internal/navigate/engine", "jit",
		"l2meta/resolve", "l2meta/endpoint", "internal/code"},
	"internal/navigate/contract": {"internal/diagram", "l1fts", "internal/code"},
	"internal/navigate/engine": {"internal/background", "internal/deployable", "internal/gitobject",
		"internal/navigate/contract", "internal/program", "jit", "l1fts", "l2meta", "l2meta/languages", "l2meta/resolve",
		"l2meta/endpoint", "l2meta/endpoint/lookup", "internal/budget", "internal/code"},
	"internal/navigate/symbols": {"internal/deployable", "internal/navigate/contract",
		"internal/navigate/engine", "jit", "l2meta", "l2meta/resolve", "internal/spelling", "internal/code",
		"l2meta/languages"},
	"internal/navigate/search": {"internal/navigate/contract", "internal/navigate/engine",
		"internal/navigate/search/rank", "internal/navigate/symbols", "jit", "l1fts", "l1fts/embed", "l2meta",
		"internal/budget", "internal/code", "internal/lang"},
	"internal/navigate/search/rank": {"internal/code"},
	"internal/navigate/impact": {"internal/navigate/contract", "internal/navigate/engine", "jit", "l1fts",
		"l2meta/languages", "l2meta/resolve", "l2meta/endpoint", "internal/code"},
	"internal/navigate/callgraph": {"internal/diagram", "internal/navigate/callgraph/proof",
		"internal/navigate/contract", "internal/navigate/engine", "internal/navigate/symbols", "jit", "l1fts", "l2meta",
		"l2meta/languages", "l2meta/resolve", "l2meta/endpoint", "internal/lang", "internal/code"},
	"internal/navigate/callgraph/proof": {"internal/navigate/contract", "internal/navigate/engine",
		"internal/navigate/symbols", "jit", "l2meta", "l2meta/languages", "l2meta/resolve", "internal/budget",
		"internal/code"},
	"internal/navigate/manage": {"internal/navigate/contract", "internal/navigate/engine",
		"internal/navigate/symbols", "jit", "l1fts", "l2meta"},
	"internal/navigate/servers": {"internal/navigate/callgraph/proof", "internal/navigate/contract", "jit", "l3lsp"},
	"internal/navigate/navigatetest": {"internal/navigate", "internal/navigate/contract", "jit", "l1fts", "l2meta",
		"internal/store", "l2meta/languages"},
	"jit": {"internal/background", "internal/declared", "internal/deployable", "internal/program",
		"internal/store", "internal/workspace", "internal/lang", "internal/code"},
	"l1fts": {"l1fts/embed", "l1fts/vector", "internal/store", "internal/budget",
		"internal/code", "internal/lang"},
	"l1fts/vector":    {"internal/budget", "internal/mapped"},
	"l1fts/remote":    {"l1fts/embed"},
	"l1fts/model2vec": {"l1fts/embed", "internal/store"},
	"l1fts/embed":     {"internal/code"},
	"l2meta": {"internal/packing", "internal/store", "internal/lang", "internal/workspace",
		"internal/code"},
	"l2meta/resolve": {"internal/mapped", "internal/packing", "l2meta", "l2meta/expr", "internal/store", "internal/budget",
		"internal/code"},
	"l2meta/language": {"l2meta/resolve", "l2meta/syntax", "l2meta/services"},
	"l2meta/library":  {"l2meta/expr", "l2meta/resolve"},
	"l2meta/expr":     {"internal/code"},
	"l2meta/languages": {"internal/code", "internal/lang", "l2meta", "l2meta/languages/bash",
		"l2meta/languages/cfamily", "l2meta/languages/csharp", "l2meta/languages/data", "l2meta/languages/elixir",
		"l2meta/languages/golang", "l2meta/languages/jvm", "l2meta/languages/lua", "l2meta/languages/php",
		"l2meta/languages/python", "l2meta/languages/ruby", "l2meta/languages/rust", "l2meta/languages/swift",
		"l2meta/languages/typescript", "l2meta/manifest", "l2meta/proxies", "l2meta/resolve", "l2meta/services",
		"l2meta/syntax", "l2meta/language"},
	"l2meta/languages/languagetest": {"jit", "l2meta/languages", "l2meta/resolve", "l2meta",
		"internal/store", "internal/code"},
	"l2meta/languages/bash": {"l2meta/resolve", "l2meta/services", "l2meta/services/folding", "l2meta/syntax", "l2meta",
		"internal/store", "internal/code", "l2meta/language"},
	"l2meta/languages/cfamily": {"l2meta/resolve", "l2meta/syntax", "l2meta", "internal/store",
		"internal/code", "l2meta/expr", "l2meta/language"},
	"l2meta/languages/csharp": {"l2meta/library", "l2meta/resolve", "l2meta/proxies", "l2meta/services",
		"l2meta/services/folding", "l2meta/syntax", "l2meta", "internal/store", "internal/code", "l2meta/expr",
		"l2meta/language"},
	"l2meta/languages/golang": {"l2meta/resolve", "l2meta/services", "l2meta/services/folding", "l2meta/syntax",
		"l2meta", "internal/store", "internal/code", "l2meta/language"},
	"l2meta/languages/jvm": {"l2meta/languages/jvm/endpoints", "l2meta/languages/jvm/facts",
		"l2meta/languages/jvm/java", "l2meta/languages/jvm/kotlin", "l2meta/languages/jvm/scala", "l2meta/library",
		"l2meta/resolve", "l2meta", "internal/code", "l2meta/expr", "l2meta/language"},
	"l2meta/languages/jvm/java":   {"l2meta/languages/jvm/facts", "l2meta/syntax", "internal/code"},
	"l2meta/languages/jvm/kotlin": {"l2meta/languages/jvm/facts", "l2meta/syntax", "l2meta", "internal/code"},
	"l2meta/languages/jvm/scala":  {"l2meta/languages/jvm/facts", "l2meta/syntax", "internal/code"},
	"l2meta/languages/jvm/facts":  {"l2meta/resolve", "l2meta/syntax", "internal/code"},
	"l2meta/languages/jvm/endpoints": {"l2meta/proxies", "l2meta/services", "l2meta/services/folding", "l2meta",
		"internal/code"},
	"l2meta/languages/php": {"l2meta/resolve", "l2meta/services", "l2meta/services/folding", "l2meta/syntax", "l2meta",
		"internal/store", "internal/code", "l2meta/expr", "l2meta/language"},
	"l2meta/languages/python": {"l2meta/library", "l2meta/resolve", "l2meta/services", "l2meta/services/folding",
		"l2meta/syntax", "l2meta", "internal/store", "internal/code", "l2meta/expr", "l2meta/language"},
	"l2meta/languages/ruby": {"l2meta/library", "l2meta/resolve", "l2meta/services", "l2meta/services/folding",
		"l2meta/syntax", "l2meta", "internal/store", "internal/code", "l2meta/expr", "l2meta/language"},
	"l2meta/languages/rust": {"l2meta/library", "l2meta/resolve", "l2meta/services", "l2meta/services/folding",
		"l2meta/syntax", "l2meta", "internal/store", "internal/code", "l2meta/expr", "l2meta/language"},
	"l2meta/languages/typescript": {"l2meta/languages/typescript/rules", "l2meta/library", "l2meta/resolve",
		"l2meta/proxies", "l2meta/services", "l2meta/services/folding", "l2meta/syntax", "l2meta", "internal/code",
		"l2meta/expr", "l2meta/language"},
	"l2meta/languages/typescript/rules": {"l2meta/languages/data", "l2meta/syntax", "l2meta", "internal/code"},
	"l2meta/languages/data":             {"l2meta/syntax", "internal/code", "l2meta/language", "l2meta/resolve"},
	"l2meta/languages/elixir": {"l2meta", "l2meta/resolve", "l2meta/services", "l2meta/services/folding",
		"l2meta/syntax", "internal/code", "l2meta/language"},
	"l2meta/languages/lua": {"l2meta/syntax", "internal/code", "l2meta/language"},
	"l2meta/languages/swift": {"l2meta/services", "l2meta/services/folding", "l2meta/syntax", "l2meta",
		"internal/code", "l2meta/language"},
	"l2meta/syntax":   {"internal/code"},
	"l2meta/manifest": {"internal/code"},
	"l2meta/services": {"l2meta/services/folding", "l2meta/services/source", "internal/configtree", "l2meta/syntax",
		"l2meta", "internal/code"},
	"l2meta/services/folding": {"l2meta/syntax", "l2meta", "internal/code"},
	"l2meta/services/source":  {"l2meta/services/folding", "l2meta/syntax", "internal/code"},
	"l2meta/proxies":          {"internal/configtree", "l2meta", "l2meta/services/folding", "internal/code"},
	"l2meta/endpoint/lookup": {"l2meta", "l2meta/manifest", "l2meta/resolve", "l2meta/services",
		"l2meta/services/folding", "internal/store", "internal/code"},
	"l2meta/endpoint/hosts": {"l2meta/endpoint/lookup", "l2meta", "l2meta/resolve", "l2meta/services/folding",
		"internal/store", "internal/code"},
	"l2meta/endpoint/values": {"l2meta/endpoint/hosts", "l2meta/endpoint/lookup", "l2meta", "l2meta/resolve",
		"l2meta/services", "l2meta/services/folding", "internal/store", "internal/code"},
	"l2meta/endpoint/rpc": {"l2meta/endpoint/lookup", "l2meta", "l2meta/resolve", "l2meta/services/folding",
		"internal/store", "internal/code"},
	"l2meta/endpoint": {"l2meta/endpoint/hosts", "l2meta/endpoint/lookup", "l2meta/endpoint/rpc",
		"l2meta/endpoint/values", "internal/declared", "l2meta", "l2meta/manifest", "l2meta/proxies", "l2meta/resolve",
		"internal/store", "internal/code", "l2meta/services", "l2meta/services/folding"},
	"l3lsp":          {"internal/lang", "internal/code"},
	"internal/store": {"internal/code"},
	"internal/lang":  {"internal/code"},
	"internal/workspace": {"internal/declared", "internal/deployable", "internal/gitobject",
		"internal/spelling", "internal/code"},
	"internal/deployable": {"internal/configtree", "internal/code"},
	"internal/golden":     {},
	"internal/configtree": {},
	"internal/declared":   {},
	"internal/gitobject":  {},
	"internal/compact":    {"internal/navigate/contract", "internal/typeset", "internal/code"},
	"internal/diagram":    {"internal/typeset", "internal/code"},
	"internal/typeset":    {},
	"internal/spelling":   {},
	"internal/budget":     {},
	"internal/usage":      {"internal/store"},
	"internal/mapped":     {},
	"internal/packing":    {},
	"internal/background": {},
	"internal/program":    {},
	"internal/code":       {},

	// Programs that check, train and measure: not part of the product.
	"cmd/dev/typecheck": {},
	"cmd/dev/comments":  {},
	"cmd/dev/pictures":  {"internal/typeset"},
	"cmd/dev/mutate":    {},
	"cmd/dev/train-embedder": {"cmd/dev/internal/contrast", "cmd/dev/internal/quality", "l1fts/embed",
		"l2meta", "internal/workspace", "internal/lang", "internal/code", "l2meta/languages"},
	"cmd/dev/internal/contrast": {},
	"cmd/dev/quality": {"cmd/dev/internal/fit", "cmd/dev/internal/quality", "jit", "l1fts",
		"l1fts/embed", "l2meta", "l2meta/resolve", "internal/navigate", "internal/navigate/contract",
		"internal/navigate/search", "internal/navigate/search/rank", "internal/workspace", "internal/store",
		"internal/code", "l2meta/languages"},
	"cmd/dev/internal/fit":     {"internal/navigate/search/rank"},
	"cmd/dev/internal/quality": {"internal/workspace", "internal/lang", "internal/code"},
	"cmd/dev/bench":            {"cmd/dev/internal/accuracy", "cmd/dev/internal/stdio"},
	"cmd/dev/accuracy": {"cmd/dev/internal/accuracy", "cmd/dev/internal/indexed",
		"cmd/dev/internal/stdio", "internal/code", "l2meta/resolve", "internal/store"},
	"cmd/dev/internal/accuracy": {"cmd/dev/internal/accuracy/gotruth",
		"cmd/dev/internal/accuracy/gotrace", "internal/code"},
	"cmd/dev/internal/accuracy/gotruth": {},
	"cmd/dev/internal/accuracy/gotrace": {},
	"cmd/dev/internal/stdio":            {},
	"cmd/dev/internal/indexed":          {"jit", "l2meta", "l2meta/languages", "l2meta/resolve", "internal/store"},
	"cmd/dev/crossings": {"cmd/dev/internal/indexed", "internal/deployable", "internal/navigate/engine",
		"jit", "l2meta/endpoint", "l2meta/resolve", "internal/store", "internal/code"},
	"cmd/dev/tokens": {"cmd/dev/internal/tokens", "cmd/dev/internal/tokens/grep",
		"cmd/dev/internal/tokens/mine", "cmd/dev/internal/tokens/rename", "cmd/dev/internal/accuracy",
		"cmd/dev/internal/quality", "cmd/dev/internal/stdio"},
	"cmd/dev/internal/tokens/rename": {},
	"cmd/dev/internal/tokens":        {},
	"cmd/dev/internal/tokens/grep":   {"cmd/dev/internal/tokens"},
	"cmd/dev/internal/tokens/mine": {"cmd/dev/internal/tokens", "cmd/dev/internal/accuracy",
		"cmd/dev/internal/quality"},
}

// grammars are the packages that parse: the core, and the languages, which bring
// the grammars.
var grammars = []string{"l2meta/syntax", "l2meta/languages/bash", "l2meta/languages/cfamily", "l2meta/languages/csharp",
	"l2meta/languages/data", "l2meta/languages/elixir", "l2meta/languages/golang", "l2meta/languages/jvm/java",
	"l2meta/languages/jvm/kotlin", "l2meta/languages/jvm/scala", "l2meta/languages/lua", "l2meta/languages/php",
	"l2meta/languages/python", "l2meta/languages/ruby", "l2meta/languages/rust", "l2meta/languages/swift",
	"l2meta/languages/typescript", "l2meta/languages/typescript/rules"}

// foreign confines each outside library to the packages that wrap it. It maps a
// module path prefix to the packages that may import it.
var foreign = map[string][]string{
	"modernc.org/libc":                   {"internal/store"},
	"modernc.org/sqlite":                 {"internal/store"},
	"github.com/smacker/go-tree-sitter":  grammars,
	"github.com/tree-sitter":             grammars,
	"go.lsp.dev":                         {"l3lsp"},
	"github.com/mark3labs/mcp-go":        {"mcp"},
	"github.com/philippgille/chromem-go": {"l1fts/vector"},
	"github.com/fsnotify/fsnotify":       {"jit"},
	"github.com/spf13/": {"cmd/sextant", "cmd/dev/accuracy", "cmd/dev/bench", "cmd/dev/comments",
		"cmd/dev/crossings", "cmd/dev/mutate", "cmd/dev/quality", "cmd/dev/tokens", "cmd/dev/train-embedder"},
	"github.com/rivo/uniseg": {"internal/typeset"},
	"github.com/tiktoken-go": {"cmd/dev/internal/tokens"},
	"golang.org/x/tools":     {"cmd/dev/internal/accuracy/gotruth", "cmd/dev/internal/tokens/rename", "internal/golden"},
	"flag":                   {"internal/golden"},
	"log":                    {},
}

func TestImportsPointDown(t *testing.T) {
	root := filepath.Join("..", "..")
	seen := map[string]bool{}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == ".git") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		rel, err := filepath.Rel(root, filepath.Dir(file))
		if err != nil {
			return err
		}
		pkg := filepath.ToSlash(rel)
		seen[pkg] = true
		checkImports(t, pkg, file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(seen) < 8 {
		t.Errorf("only %d packages were read: %v", len(seen), seen)
	}
}

func checkImports(t *testing.T, pkg, file string) {
	t.Helper()
	allowed, known := floors[pkg]
	if !known {
		t.Errorf("%s: package %s has no place in the floors", file, pkg)
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range parsed.Imports {
		target, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		if own, ok := strings.CutPrefix(target, "sextant/"); ok {
			if !slices.Contains(allowed, own) {
				t.Errorf("%s imports %s: %s may import only %v", path.Base(file), own, pkg, allowed)
			}
			continue
		}
		for prefix, owners := range foreign {
			if belongs(target, prefix) && !slices.Contains(owners, pkg) {
				t.Errorf("%s imports %s, which belongs to %v", file, target, owners)
			}
		}
	}
}

// belongs reports whether the package target is covered by prefix: a module
// with all its packages, or one package of the standard library.
func belongs(target, prefix string) bool {
	if !strings.Contains(prefix, "/") {
		return target == prefix
	}
	return target == prefix || strings.HasPrefix(target, strings.TrimSuffix(prefix, "/")+"/")
}

// TestTopLevel fixes the names at the top of the tree, from which a newcomer
// guesses where things are.
func TestTopLevel(t *testing.T) {
	want := []string{".ci", ".git", ".gitignore", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile", "README.md",
		"SECURITY.md", "bin", "cmd", "docs", "go.mod", "go.sum", "internal", "jit", "l1fts", "l2meta",
		"l3lsp", "mcp", "testdata"}
	entries, err := os.ReadDir(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !slices.Contains(want, e.Name()) {
			t.Errorf("%s stands at the top level", e.Name())
		}
	}
}
