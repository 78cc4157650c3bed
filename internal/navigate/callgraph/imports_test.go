package callgraph_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// importEdges returns the import edges of an answer, as "from -> to".
func importEdges(a *contract.GraphAnswer) (out []string) {
	file := map[string]string{}
	for _, n := range a.Nodes {
		file[n.SymbolID] = n.File
	}
	for _, e := range a.Edges {
		if e.Kind == "import" {
			out = append(out, file[e.Src]+" -> "+file[e.Dst])
		}
	}
	slices.Sort(out)
	return out
}

// importSamples holds a workspace for each language whose imports are followed, in which
// file from imports file to.
var importSamples = map[string]struct {
	files    map[string]string
	from, to string
}{
	"alias of a tsconfig": {map[string]string{"tsconfig.json": `{"compilerOptions":{"baseUrl":".","paths":{"@lib/*":["lib/*"]}}}`,
		"app.ts": "import {put as send} from '@lib/wire';\nsend();\n", "lib/wire.ts": "export function put() {}\n"},
		"app.ts", "lib/wire.ts"},
	"shared library": {map[string]string{"libs/money/package.json": `{"name":"@shop/money","main":"src/index.ts"}`,
		"libs/money/src/index.ts":    "export const cents = 100;\n",
		"services/cart/package.json": `{"name":"cart","dependencies":{"@shop/money":"*"}}`,
		"services/cart/main.ts":      "import {cents} from '@shop/money';\nconsole.log(cents);\n"},
		"services/cart/main.ts", "libs/money/src/index.ts"},
	"re-export": {map[string]string{"index.ts": "export {run as go} from './run';\n",
		"run.ts": "export function run() {}\n"}, "index.ts", "run.ts"},
	"require": {map[string]string{"a.js": "const b = require('./b');\nb.x();\n", "b.js": "exports.x = () => 1;\n"},
		"a.js", "b.js"},
	"svelte": {map[string]string{"App.svelte": "<script>\nimport {load} from './load';\nload();\n</script>\n<p>x</p>\n",
		"load.js": "export function load() {}\n"}, "App.svelte", "load.js"},
	"python": {map[string]string{"shop/__init__.py": "", "shop/cart.py": "from . import price\nprice.of()\n",
		"shop/price.py": "def of():\n    pass\n"}, "shop/cart.py", "shop/price.py"},
	"go": {map[string]string{"go.mod": "module m\n\ngo 1.24\n",
		"main.go":    "package main\n\nimport \"m/pay\"\n\nfunc main() { pay.Now() }\n",
		"pay/pay.go": "package pay\n\nfunc Now() {}\n"}, "main.go", "pay/pay.go"},
	"java": {map[string]string{"a/Cart.java": "package a;\n\nimport b.Price;\n\nclass Cart { Price p; }\n",
		"b/Price.java": "package b;\n\npublic class Price {}\n"}, "a/Cart.java", "b/Price.java"},
	"kotlin": {map[string]string{"a/cart.kt": "package a\n\nimport b.price\n\nfun cart() = price()\n",
		"b/prices.kt": "package b\n\nfun price() = 1\n"}, "a/cart.kt", "b/prices.kt"},
	"scala": {map[string]string{"a/Cart.scala": "package a\n\nimport b.Price\n\nclass Cart(p: Price)\n",
		"b/Price.scala": "package b\n\nclass Price\n"}, "a/Cart.scala", "b/Price.scala"},
	"rust": {map[string]string{"Cargo.toml": "[package]\nname = \"shop\"\n",
		"src/lib.rs": "mod price;\n\npub fn run() { price::of() }\n", "src/price.rs": "pub fn of() {}\n"},
		"src/lib.rs", "src/price.rs"},
	"elixir": {map[string]string{"lib/cart.ex": "defmodule Shop.Cart do\n  alias Shop.Price\n" +
		"  def p, do: Price.of()\nend\n", "lib/price.ex": "defmodule Shop.Price do\n  def of, do: 1\nend\n"},
		"lib/cart.ex", "lib/price.ex"},
	"ruby": {map[string]string{"cart.rb": "require_relative './price'\nprice\n", "price.rb": "def price\nend\n"},
		"cart.rb", "price.rb"},
	"php": {map[string]string{"a/Cart.php": "<?php\nnamespace A;\nuse B\\Price;\nclass Cart { function p(Price $p) " +
		"{} }\n", "b/Price.php": "<?php\nnamespace B;\nclass Price {}\n"}, "a/Cart.php", "b/Price.php"},
	"c": {map[string]string{"cart.c": "#include \"price.h\"\nint cart(void) { return price(); }\n",
		"price.h": "int price(void);\n"}, "cart.c", "price.h"},
	"bash": {map[string]string{"run.sh": "#!/bin/bash\nsource ./lib.sh\nhelp_me\n", "lib.sh": "help_me() { echo; }\n"},
		"run.sh", "lib.sh"},
}

// TestImportEdges checks that each import edge is found from both of its ends, before and after the
// calls and imports of the root are resolved in advance.
func TestImportEdges(t *testing.T) {
	for name, s := range importSamples {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := navigatetest.Of(t, s.files)
			want := []string{s.from + " -> " + s.to}
			for _, when := range []string{"at once", "with the ledger"} {
				down := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: s.from},
					Direction: contract.DirectionCallees, Limit: 100})
				up := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: s.to},
					Direction: contract.DirectionCallers, Limit: 100})
				if got := importEdges(down); !slices.Equal(got, want) {
					t.Errorf("%s: %s imports %v, want %v: %+v", when, s.from, got, want, down.Notes)
				}
				if got := importEdges(up); !slices.Equal(got, want) {
					t.Errorf("%s: %s is imported by %v, want %v", when, s.to, got, want)
				}
				if down.Counts.Outgoing.Imports != 1 || up.Counts.Inbound.Imports != 1 {
					t.Errorf("%s: the counts are %+v and %+v", when, down.Counts, up.Counts)
				}
				settled(b)
			}
		})
	}
}

// An answer lists importers several steps up, in a cycle too, and once for each pair of
// files.
func TestImportsOfImports(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{
		"a.ts": "import {b} from './b';\nimport type {B} from './b';\nb();\n",
		"b.ts": "export * from './c';\nimport {a} from './a';\nexport type B = number;\n",
		"c.ts": "export const b = () => 1;\nimport './gone';\n",
	})
	up := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "c.ts"},
		Direction: contract.DirectionCallers, Depth: 3, View: contract.ViewTree})
	if got, want := importEdges(up),
		[]string{"a.ts -> b.ts", "b.ts -> a.ts", "b.ts -> c.ts"}; !slices.Equal(got, want) {
		t.Errorf("the importers of c.ts are %v, want %v", got, want)
	}
	if cycle := fmt.Sprint(up.Notes); !strings.Contains(cycle, "2 files import each other in a circle: b.ts, a.ts") {
		t.Errorf("the cycle is not noted: %s", cycle)
	}
	if !strings.Contains(up.Tree, "b.ts  b.ts:1  [syntactic") {
		t.Errorf("the tree is\n%s", up.Tree)
	}
	down := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "c.ts"},
		Direction: contract.DirectionCallees})
	if notes := fmt.Sprint(down.Notes); !strings.Contains(notes, "./gone") {
		t.Errorf("an import that leads to no file is not noted: %s", notes)
	}
}

// An empty list of importers comes with its evidence.
func TestNobodyImports(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{"lone.py": "def f():\n    pass\n",
		"App.swift": "class A { func f() {} }\n", "lone.js": "", "page.html": "<script>f()</script>\n"})
	a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "lone.py"},
		Direction: contract.DirectionCallers})
	if e := a.InboundCoverageEvidence; e == nil || !e.IndexComplete || e.FilesConsidered == 0 ||
		len(e.UncoveredLanguages) > 0 { // no file of Swift imports one of Python
		t.Errorf("the evidence is %+v", e)
	}
	script := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "lone.js"},
		Direction: contract.DirectionCallers})
	if e := script.InboundCoverageEvidence; e == nil || !slices.Equal(e.UncoveredLanguages, []string{"html"}) {
		t.Errorf("the evidence of a script is %+v", e)
	}
	if a.Hints == nil || !strings.HasPrefix(a.Hints.NextSteps[0].Args.(*contract.SearchRequest).Query, "must:lone") {
		t.Errorf("the hints are %+v", a.Hints)
	}
}

// settled waits until every call site of the root is resolved in advance.
func settled(b *navigatetest.Bench) {
	b.T.Helper()
	root, _, err := b.Roots.Resolve(b.T.Context(), b.Dir)
	if err != nil {
		b.T.Fatal(err)
	}
	rep, err := root.Sync(b.T.Context())
	for err == nil && !b.Service.Settled(root, rep.Generation) {
		// each question starts the background pass if needed
		b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "x"}})
	}
	if err != nil {
		b.T.Fatal(err)
	}
}
