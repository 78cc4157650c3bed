package callgraph_test

import (
	"slices"
	"strings"
	"testing"

	"sextant/internal/compact"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// TestIncludeAndExclude checks that include and exclude select by their paths the callers that are shown,
// and that the walk does not continue from those left out. It also checks that the answer counts the edges
// left out, and that a cursor is refused with other patterns.
func TestIncludeAndExclude(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{
		"go.mod":           "module m\n",
		"core/core.go":     "package core\n\nfunc Run() {}\n",
		"api/api.go":       "package api\n\nimport \"m/core\"\n\nfunc Serve() { core.Run() }\n",
		"api/api_test.go":  "package api\n\nimport \"testing\"\n\nfunc TestServe(t *testing.T) { Serve() }\n",
		"cmd/main.go":      "package main\n\nimport \"m/api\"\n\nfunc main() { api.Serve() }\n",
		"tools/tool.go":    "package tools\n\nimport \"m/core\"\n\nfunc Tool() { core.Run() }\n",
		"tools/b/other.go": "package b\n\nimport \"m/tools\"\n\nfunc Other() { tools.Tool() }\n",
	})
	ask := func(r contract.GraphRequest) (*contract.GraphAnswer, []string) {
		r.SymbolRef.SymbolLabel, r.Direction, r.Depth, r.Verify = "core.Run", contract.DirectionCallers, 3,
			contract.VerifyOff
		a := b.Graph(r)
		var files []string
		for _, e := range a.Edges {
			files = append(files, e.Site.File)
		}
		slices.Sort(files)
		return a, files
	}
	for _, c := range []struct {
		name             string
		include, exclude []string
		want             string
		left             int
	}{
		{"all", nil, nil, "api/api.go api/api_test.go cmd/main.go tools/b/other.go tools/tool.go", 0},
		{"no tools", nil, []string{"/tools/"}, "api/api.go api/api_test.go cmd/main.go", 1},
		{"no tests", nil, []string{"*_test.go", "tools/**"}, "api/api.go cmd/main.go", 2},
		{"api alone", []string{"api/**"}, nil, "api/api.go api/api_test.go", 2},
		{"api without tests", []string{"api/**"}, []string{"*_test.go"}, "api/api.go", 3},
	} {
		a, files := ask(contract.GraphRequest{Include: c.include, Exclude: c.exclude})
		left := 0
		if a.Folded != nil {
			left = a.Folded.Filtered
		}
		if strings.Join(files, " ") != c.want || left != c.left {
			t.Errorf("%s: %v, %d left out, want %s, %d", c.name, files, left, c.want, c.left)
		}
	}
	a, _ := ask(contract.GraphRequest{Limit: 1})
	r := contract.GraphRequest{Path: b.Dir, SymbolRef: contract.SymbolRef{SymbolLabel: "core.Run"},
		Direction: contract.DirectionCallers,
		Depth:     3, Verify: contract.VerifyOff, Limit: 1, Exclude: []string{"cmd/"}, Cursor: a.Cursor}
	if err := r.Normalize(); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Service.CallGraph(t.Context(), r); err == nil {
		t.Error("the cursor of another request is taken")
	}
	none, _ := ask(contract.GraphRequest{Exclude: []string{"**"}})
	text, err := compact.Text(&contract.GraphRequest{}, none)
	if err != nil || !strings.Contains(text, "no callers left of Run") ||
		!strings.Contains(text, "2 edges left out by include and exclude") {
		t.Errorf("%v\n%s", err, text)
	}
	bad := contract.GraphRequest{Path: b.Dir, SymbolRef: contract.SymbolRef{SymbolLabel: "core.Run"},
		Exclude: []string{"["}}
	if err := bad.Normalize(); err == nil || !strings.Contains(err.Error(), "exclude") {
		t.Errorf("a bad pattern: %v", err)
	}
}

// TestFileOfAPackageLeadsToItsFolder checks that a file that the importers of its Go package do not
// compile, such as a test, leads to the folder of the package.
func TestFileOfAPackageLeadsToItsFolder(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{
		"go.mod":            "module m\n",
		"core/core.go":      "package core\n\nfunc Run() {}\n",
		"core/core_test.go": "package core\n\nfunc TestRun() { Run() }\n",
		"api/api.go":        "package api\n\nimport \"m/core\"\n\nfunc Serve() { core.Run() }\n",
	})
	a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "core_test.go"},
		Direction: contract.DirectionCallers, Verify: contract.VerifyOff})
	if a.Status != contract.StatusOK || a.Hints == nil || len(a.Hints.NextSteps) != 1 {
		t.Fatalf("%+v, %+v, %+v", a.Outcome, a.Hints, a.Edges)
	}
	next, ok := a.Hints.NextSteps[0].Args.(*contract.GraphRequest)
	if !ok || next.SymbolRef.SymbolLabel != "core/" {
		t.Fatalf("the next step is %+v", a.Hints.NextSteps[0].Args)
	}
	if a = b.Graph(*next); a.Status != contract.StatusOK || len(a.Edges) != 1 || a.Edges[0].Site.File != "api/api.go" {
		t.Errorf("the folder: %+v, %+v", a.Outcome, a.Edges)
	}
}
