package search_test

import (
	"fmt"
	"slices"
	"testing"

	"sextant/internal/code"
	"sextant/internal/navigate"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
	"sextant/internal/navigate/search"
	"sextant/l1fts"
	"sextant/l1fts/embed"
)

// namedFiles is a workspace for queries by file name.
var namedFiles = map[string]string{
	"README.md":            "# Shop\n\nIt sells. The settings.py file is read first.\n",
	"Dockerfile":           "FROM python\nCOPY settings.py .\n",
	"Makefile":             "image:\n\tdocker build -f Dockerfile .\n",
	"shop/settings.py":     "DEBUG = False\n",
	"shop/a/b/settings.py": "DEBUG = True\n",
	"shop/load.py": "import settings\n\ndef load_settings():\n    \"\"\"Reads settings.py and the " +
		"settings.\"\"\"\n    return settings\n",
	"src/http_client.rs": "pub struct Client;\n",
	"src/lib.rs":         "mod http_client;\n\n/// http_client.rs has the client of http.\npub fn http_client() {}\n",
	"cart/server.js":     "exports.listen = () => 1\n",
	"web/server.js":      "exports.listen = () => 2\n",
	"web/cart.js":        "const server = require('./cart/server.js')\n\nfunction cartServer() { return server }\n",
	"docs/setup.md":      "# Setup\n\nRun it.\n",
	"api/stub_pb2.py":    "class CartServiceStub:\n    def AddItem(self): pass\n",
	"cart/add.py":        "class CartServiceStubFactory:\n    def make(self): pass\n",
}

// TestNamedFileComesFirst checks that the first result is the file if the query is its name or the
// end of its path, in every class.
func TestNamedFileComesFirst(t *testing.T) {
	off := navigatetest.Of(t, namedFiles)
	on := off.With(navigate.Options{Words: l1fts.Options{Embedder: embed.Builtin()}})
	for query, want := range map[string]string{
		"settings.py": "shop/settings.py", "a/b/settings.py": "shop/a/b/settings.py",
		"http_client.rs": "src/http_client.rs", "Dockerfile": "Dockerfile", "dockerfile": "Dockerfile",
		"cart/server.js": "cart/server.js", "cart/server": "cart/server.js", "./web/server.js": "web/server.js",
		"README": "README.md", "readme": "README.md", "README.md": "README.md",
		"docs/setup.md": "docs/setup.md", "stub_pb2.py": "api/stub_pb2.py",
		"what does cart/server.js listen to": "cart/server.js",
	} {
		for name, b := range map[string]*navigatetest.Bench{"off": off, "on": on} {
			a := b.Search(contract.SearchRequest{Query: query})
			if g := a.Results[0].(*contract.Group); g.File != want || g.SymbolLabel != want ||
				a.Confidence == contract.Low {
				t.Errorf("%s, embedder %s: first is %s in %s, confidence %s; want %s", query, name, g.SymbolLabel,
					g.File, a.Confidence, want)
			}
		}
	}
	second := off.Search(contract.SearchRequest{Query: "settings.py"}).Results[1].(*contract.Group)
	if second.SymbolLabel != "shop/a/b/settings.py" {
		t.Errorf("the other settings.py is not second, but %s in %s", second.SymbolLabel, second.File)
	}
}

// TestWordsNameNoFiles checks that a word which is no file name returns no file.
func TestWordsNameNoFiles(t *testing.T) {
	b := navigatetest.Of(t, namedFiles)
	for _, query := range []string{"server", "http client", "settings", "how are settings loaded at the start"} {
		for _, r := range b.Search(contract.SearchRequest{Query: query}).Results {
			if g := r.(*contract.Group); g.Score >= search.FileFirst-1 {
				t.Errorf("%s: %s has the score %v", query, g.SymbolLabel, g.Score)
			}
		}
	}
}

// TestManyFilesOfOneName checks that the many files of a name do not push the code that a question is about off
// the first page.
func TestManyFilesOfOneName(t *testing.T) {
	files := map[string]string{"src/cache.ts": "// Keeps what a package.json says until the file changes.\n" +
		"export function packageCache(path: string) { return known.get(path) }\n"}
	for i := range 12 {
		files[fmt.Sprintf("play/%d/package.json", i)] = "{}\n"
	}
	b := navigatetest.Of(t, files)
	if labels := labelsOf(b.Search(contract.SearchRequest{
		Query: "where is the cache of a package.json"})); !slices.Contains(labels, "packageCache") {
		t.Errorf("found %v, want packageCache", labels)
	}
	if n := len(b.Search(contract.SearchRequest{Query: "package.json", Limit: 50}).Results); n < 12 {
		t.Errorf("%d files of the name, want all", n)
	}
}

// TestExactNameInEveryClass checks that a declaration in generated code is found by its name, below
// the same name in source, with its class.
func TestExactNameInEveryClass(t *testing.T) {
	b := navigatetest.Of(t, namedFiles)
	a := b.Search(contract.SearchRequest{Query: "CartServiceStub"})
	if g := a.Results[0].(*contract.Group); g.File != "api/stub_pb2.py" || g.Class != code.ClassGenerated {
		t.Errorf("first is %s in %s, class %q", g.SymbolLabel, g.File, g.Class)
	}
	b.Write("cart/stub.py", "class CartServiceStub:\n    pass\n")
	a = b.Search(contract.SearchRequest{Query: "CartServiceStub"})
	if first, second := a.Results[0].(*contract.Group), a.Results[1].(*contract.Group); first.File != "cart/stub.py" ||
		second.File != "api/stub_pb2.py" || first.Class != "" {
		t.Errorf("first are %s, %s", first.File, second.File)
	}
	if a = b.Search(contract.SearchRequest{Query: "CartServiceStub -path:api/"}); slices.Contains(found(a),
		"api/stub_pb2.py") {
		t.Error("a path that is left out is found")
	}
}

// TestScopeIsWidened checks that a scope which excludes all files that path: or the folder names is
// widened, with a warning.
func TestScopeIsWidened(t *testing.T) {
	b := navigatetest.Of(t, namedFiles)
	for _, test := range []struct {
		query, scope string
		want         string
		widened      bool
	}{
		{"path:docs/ run", "", "docs/setup.md", true}, {"path:README.md sells", "", "README.md", true},
		{"path:**/*_pb2.py add", "", "api/stub_pb2.py", true},
		{"path:shop/load.py settings", "docs", "shop/load.py", true}, {"path:shop/** load", "", "shop/load.py", false},
		{"path:nowhere/ run", "", "", false},
	} {
		a := b.Search(contract.SearchRequest{Query: test.query, Scope: contract.Scope(test.scope)})
		said := slices.ContainsFunc(a.Warnings, func(w contract.Warning) bool { return w.Code == "SCOPE_WIDENED" })
		if said != test.widened || (a.Scope == contract.ScopeMixed) != (test.widened || test.want == "") {
			t.Errorf("%s: scope %s, warnings %+v", test.query, a.Scope, a.Warnings)
		}
		if files := found(a); (len(files) > 0) != (test.want != "") ||
			test.want != "" && !slices.Contains(files, test.want) {
			t.Errorf("%s: %q, want %s", test.query, files, test.want)
		}
	}
}
