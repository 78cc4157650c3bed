package callgraph_test

import (
	"errors"
	"path"
	"slices"
	"strings"
	"testing"

	"sextant/internal/navigate/callgraph"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// folderEdges returns the edges of an answer as "label -> label".
func folderEdges(a *contract.GraphAnswer) (out []string) {
	label := map[string]string{}
	for _, n := range a.Nodes {
		label[n.SymbolID] = n.SymbolLabel
	}
	for _, e := range a.Edges {
		out = append(out, label[e.Src]+" -> "+label[e.Dst])
	}
	slices.Sort(out)
	return out
}

func importsOf(b *navigatetest.Bench, label, direction string, depth int) *contract.GraphAnswer {
	b.T.Helper()
	return b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: label},
		Direction: contract.Direction(direction), Depth: depth, Limit: contract.MaxEdgeLimit})
}

// A folder imports the folders of the files that its files import, in each language whose
// imports are followed.
func TestFoldersImport(t *testing.T) {
	for name, s := range importSamples {
		from, to := callgraph.DirOf(s.from), callgraph.DirOf(s.to)
		if from == to || from == "" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := navigatetest.Of(t, s.files)
			want := []string{from + " -> " + to}
			if got := folderEdges(importsOf(b, from+"/", "callees", 1)); !slices.Equal(got, want) {
				t.Errorf("%s imports %q, want %q", from, got, want)
			}
			if got := folderEdges(importsOf(b, to+"/", "callers", 1)); !slices.Equal(got, want) {
				t.Errorf("%s is imported by %q, want %q", to, got, want)
			}
		})
	}
}

// shelves holds folders of several languages, each language in a service.
var shelves = map[string]string{
	"go.mod":                    "module example.com/shop\n\ngo 1.24\n",
	"main.go":                   "package main\n\nimport (\n\t_ \"example.com/shop/cart\"\n\t_ \"fmt\"\n)\n",
	"cart/cart.go":              "package cart\n\nimport _ \"example.com/shop/cart/price\"\n",
	"cart/cart_test.go":         "package cart\n\nimport _ \"example.com/shop/lend\"\n",
	"cart/price/price.go":       "package price\n\nimport _ \"example.com/shop/money\"\n",
	"money/money.go":            "package money\n",
	"lend/lend.go":              "package lend\n",
	"tools/lend/lend.go":        "package lend\n",
	"web/package.json":          `{"name":"@shop/web"}`,
	"web/src/page/page.ts":      "import {send} from '../net/wire';\nimport {box} from './parts/box';\nsend(box);\n",
	"web/src/page/parts/box.ts": "export const box = 1;\n",
	"web/src/net/wire.ts":       "import {page} from './deep/more';\nexport function send(x) { page(x); }\n",
	"web/src/net/deep/more.ts":  "import * as page from '../../page/page';\nexport {page};\n",
	"py/app/__init__.py":        "from app.core import run\n",
	"py/app/core.py":            "import app.io.disk\n\ndef run():\n    pass\n",
	"py/app/io/disk.py":         "import os\n",
	"py/job.py":                 "from app import run\nimport app.io.disk\n",
	"docs/note.md":              "# Note\n",
}

func TestWhatAFolderIs(t *testing.T) {
	b := navigatetest.Of(t, shelves)
	for label, want := range map[string][]string{
		// A Go package is its own files; "cart/..." means all below it, too.
		"cart/":                 {". -> cart", "cart -> cart/price", "cart -> lend"},
		"cart/...":              {". -> cart/...", "cart/... -> lend", "cart/... -> money"},
		"example.com/shop/cart": {". -> cart", "cart -> cart/price", "cart -> lend"},
		"example.com/shop":      {". -> cart"},
		".":                     {". -> cart"},
		// A folder in TypeScript or Python means all below it.
		"web/src/net":        {"web/src/net/... -> web/src/page", "web/src/page -> web/src/net/..."},
		"src/page":           {"web/src/net/deep -> web/src/page/...", "web/src/page/... -> web/src/net"},
		"web/src/page/parts": {"web/src/page -> web/src/page/parts"},
		"py/app":             {"py -> py/app/..."},
		"app.io":             {"py -> py/app/io", "py/app -> py/app/io"},
		"tools/":             nil,
		"@shop/web":          nil,
	} {
		a := importsOf(b, label, "both", 1)
		if got := folderEdges(a); a.Status != contract.StatusOK || !slices.Equal(got, want) {
			t.Errorf("%s: %+v: %q, want %q", label, a.Outcome, got, want)
		}
		// The reference of each node selects that node.
		for _, n := range a.Nodes {
			again := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{File: n.File, SymbolID: n.SymbolID,
				SymbolLabel: n.SymbolLabel}})
			if again.Status != contract.StatusOK || again.SymbolRef.SymbolID != n.SymbolID ||
				again.SymbolRef.SymbolLabel != n.SymbolLabel {
				t.Errorf("%s: the node %+v leads to %+v, %+v", label, n, again.Outcome, again.SymbolRef)
			}
		}
	}
}

func TestFoldersThatAreNotTraced(t *testing.T) {
	b := navigatetest.Of(t, shelves)
	if a := importsOf(b, "lend/", "both", 1); a.Status != contract.StatusOK || a.SymbolRef.File != "lend" {
		t.Errorf("a path goes before the end of another: %+v", a.SymbolRef)
	}
	if a := importsOf(b, "src", "both", 1); a.Status != contract.StatusOK || a.SymbolRef.File != "web/src" {
		t.Errorf("the end of one path: %+v, %+v", a.Outcome, a.SymbolRef)
	}
	if a := importsOf(b, "docs/", "both", 1); a.Reason != contract.ReasonUnsupportedLanguage || a.Hints == nil {
		t.Errorf("a folder without code: %+v", a.Outcome)
	} else if next, ok := a.Hints.NextSteps[0].Args.(*contract.OutlineRequest); !ok || next.File != "docs" {
		t.Errorf("a folder without code leads to %+v", a.Hints.NextSteps)
	}
	if a := importsOf(b, "github.com/else/money", "both", 1); a.Reason != contract.ReasonMissingSymbol {
		t.Errorf("a package of elsewhere: %+v, %+v", a.Outcome, a.SymbolRef)
	}
	if a := importsOf(b, "nosuch/", "both", 1); a.Reason != contract.ReasonMissingSymbol {
		t.Errorf("a folder that is not there: %+v", a.Outcome)
	}
	b.Write("assets/logo.png", "\x89PNG\x00")
	var refused *contract.Refusal
	req := contract.GraphRequest{Path: b.Dir, SymbolRef: contract.SymbolRef{File: "assets", SymbolLabel: "assets"},
		DeadlineMs: contract.DefaultDeadline}
	if _, err := b.Service.CallGraph(t.Context(), req); !errors.As(err, &refused) ||
		strings.Contains(refused.Message, "()") || !strings.Contains(refused.Message, "folder") {
		t.Errorf("a folder of pictures: %v", err)
	}
	b.Write("web/lend/x.ts", "export {};\n")
	if a := importsOf(b, "web/lend", "both", 1); a.Status != contract.StatusOK {
		t.Errorf("%+v", a.Outcome)
	}
	b.Write("py/web/lend/x.py", "")
	b.Write("go/web/lend/x.py", "")
	if a := importsOf(b.At(b.Dir), "web.lend", "both", 1); a.Reason != contract.ReasonAmbiguousSymbol ||
		len(a.Candidates) != 3 {
		t.Errorf("the end of three paths: %+v, %+v", a.Outcome, a.Candidates)
	}
}

// Symbols take precedence over folders of their name.
func TestSymbolsGoBeforeFolders(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{"cart/cart.go": "package cart\n\nfunc price() {}\n",
		"price/price.go": "package price\n", "go.mod": "module m\n"})
	if a := importsOf(b, "price", "both", 1); a.SymbolRef.File != "cart/cart.go" {
		t.Errorf("price is %+v", a.SymbolRef)
	}
	if a := importsOf(b, "price/", "both", 1); a.SymbolRef.File != "price" {
		t.Errorf("price/ is %+v", a.SymbolRef)
	}
}

// Folders that import each other are a cycle. An empty list of importers comes with its
// evidence.
func TestCyclesAndEmptyFolders(t *testing.T) {
	b := navigatetest.Of(t, shelves)
	a := importsOf(b, "web/src/net", "both", 3)
	if !slices.ContainsFunc(a.Notes, func(n contract.Note) bool {
		return n.Type == contract.NoteCycle && strings.Contains(n.Detail, "2 folders import each other")
	}) {
		t.Errorf("notes: %+v", a.Notes)
	}
	a = importsOf(b, "tools/lend", "callers", 1)
	if a.Status != contract.StatusOK || len(a.Edges) != 0 || a.InboundCoverageEvidence == nil ||
		!a.InboundCoverageEvidence.IndexComplete || a.Hints == nil {
		t.Errorf("a folder that nothing imports: %+v", a)
	}
	outline, ok := a.Hints.NextSteps[0].Args.(*contract.OutlineRequest)
	if !ok || outline.File != "tools/lend" || len(a.Hints.NextSteps) != 2 {
		t.Fatalf("a folder that nothing imports leads to %+v", a.Hints.NextSteps)
	}
	if o := b.Outline(outline.File); o.Status != contract.StatusOK || o.Folder == nil {
		t.Errorf("the outline of it: %+v", o.Outcome)
	}
	if imports := a.Hints.NextSteps[1].Args.(*contract.GraphRequest); imports.Direction != contract.DirectionCallees ||
		imports.SymbolRef != (contract.SymbolRef{SymbolLabel: "tools/lend"}) {
		t.Errorf("its imports: %+v", imports)
	}
	tree := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "cart/"},
		View: contract.ViewTree, Depth: 2})
	want := `importers of cart (lines are import statements)
└─ .  main.go:4  [syntactic 0.99] imports

imports of cart (lines are import statements)
├─ cart/price  cart/cart.go:3  [syntactic 0.99] imports
│  └─ money  cart/price/price.go:3  [syntactic 0.99] imports  … depth 2
└─ lend  cart/cart_test.go:3  [syntactic 0.99] imports`
	if tree.Tree != want {
		t.Errorf("the tree is\n%s\nwant\n%s", tree.Tree, want)
	}
}

// In real code every edge between packages is found from both ends, and is the sum of the
// edges between their files.
func TestFolderEdgesAreSums(t *testing.T) {
	b := navigatetest.Indexed(t, "net/http")
	b.Write("go.mod", "module net/http\n")
	b.Manage(contract.ManageRequest{Action: contract.ManageSync, Path: b.Dir})
	want := map[string]bool{}
	dirs := map[string]bool{}
	name := func(file string) string { return path.Dir(file) }
	for _, x := range allImports(b) {
		from, to := name(x.File.Path), name(x.Target.Path)
		dirs[from], dirs[to] = true, true
		if from != to {
			want[from+" -> "+to] = true
		}
	}
	for _, direction := range []string{"callers", "callees"} {
		got := map[string]bool{}
		for d := range dirs {
			for _, e := range folderEdges(b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{File: d,
				SymbolLabel: d}, Direction: contract.Direction(direction), Limit: contract.MaxEdgeLimit})) {
				got[e] = true
			}
		}
		for e := range want {
			if !got[e] {
				t.Errorf("%s: %s is missing", direction, e)
			}
		}
		if len(got) != len(want) || len(want) < 10 {
			t.Errorf("%s: %d edges, want %d", direction, len(got), len(want))
		}
	}
}
