package engine_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sextant/internal/code"
	"sextant/internal/navigate/callgraph"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/engine"
	"sextant/internal/navigate/impact"
	"sextant/internal/navigate/navigatetest"
	"sextant/internal/navigate/symbols"
)

// orders holds two services of which one sends a request to the other.
var orders = map[string]string{
	"compose.yml": "services:\n  shop: {build: ./shop}\n  stock: {build: ./stock}\n",
	"shop/go.mod": "module example.com/shop\n",
	"shop/main.go": "package main\n\nimport \"net/http\"\n\nfunc page() { load() }\n\n" +
		"func load() { http.Get(\"http://stock/items\") }\n",
	"stock/go.mod": "module example.com/stock\n",
	"stock/main.go": "package main\n\nimport \"net/http\"\n\n" +
		"func main() { http.HandleFunc(\"GET /items\", items) }\n\n" +
		"func items(w http.ResponseWriter, r *http.Request) {}\n",
}

// TestGraphDoesNotLoseCallers checks that a graph whose time does not suffice for the links between services has
// the calls within services, says what it lacks, and suggests the request that finds it.
func TestGraphDoesNotLoseCallers(t *testing.T) {
	b := navigatetest.Of(t, orders)
	e := engine.New(engine.Options{Roots: b.Roots, Version: "test"})
	defer e.Close()
	graphs := callgraph.New(e, symbols.New(e, 200), nil)
	ask := func(r contract.GraphRequest) *contract.GraphAnswer {
		a, err := graphs.CallGraph(t.Context(), navigatetest.Normal(t, r))
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	kinds := func(a *contract.GraphAnswer) (out []code.EdgeKind) {
		for _, e := range a.Edges {
			out = append(out, e.Kind)
		}
		slices.Sort(out)
		return out
	}
	pending := func(a *contract.GraphAnswer) bool {
		return slices.ContainsFunc(a.Warnings, func(w string) bool {
			return strings.HasPrefix(w, callgraph.WarnLinksPending+":")
		})
	}
	p, _, _, err := e.Enter(t.Context(), b.Dir)
	if err != nil {
		t.Fatal(err)
	}
	release := e.HoldLinks(p.Root)
	request := contract.GraphRequest{Path: b.Dir, SymbolRef: contract.SymbolRef{SymbolLabel: "load"}, DeadlineMs: 2000}
	first := ask(request)
	if got := kinds(first); !slices.Equal(got, []code.EdgeKind{code.EdgeCall}) || !pending(first) {
		t.Errorf("without links: edges %q, warnings %q", got, first.Warnings)
	}
	if first.Hints == nil || first.Hints.Retry == nil {
		t.Fatal("without links: no request is suggested")
	}
	release()
	again := *first.Hints.Retry.Args.(*contract.GraphRequest)
	again.DeadlineMs = contract.MaxDeadline
	second := ask(again)
	if got := kinds(second); !slices.Equal(got, []code.EdgeKind{code.EdgeCall, code.EdgeHTTP}) || pending(second) {
		t.Errorf("with links: edges %q, warnings %q", got, second.Warnings)
	}
}

// TestImpactDoesNotLoseCallers checks the same of the impact of a change.
func TestImpactDoesNotLoseCallers(t *testing.T) {
	b := navigatetest.Of(t, orders)
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"},
		{"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "first"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = b.Dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	b.Edit("stock/main.go", func(s string) string {
		return strings.Replace(s, "*http.Request) {}", "*http.Request) { list() }\n\nfunc list() {}", 1)
	})
	e := engine.New(engine.Options{Roots: b.Roots, Version: "test"})
	defer e.Close()
	p, _, _, err := e.Enter(t.Context(), b.Dir)
	if err != nil {
		t.Fatal(err)
	}
	head := "HEAD"
	ask := func(deadline int) *contract.Impact {
		a, err := impact.New(e).Impact(t.Context(), navigatetest.Normal(t, contract.GraphRequest{Path: b.Dir,
			SymbolRef: contract.SymbolRef{Diff: &head}, DeadlineMs: deadline}))
		if err != nil || a.Impact == nil {
			t.Fatalf("%+v, %v", a, err)
		}
		return a.Impact
	}
	pending := func(x *contract.Impact) bool {
		return slices.ContainsFunc(x.Unwalked, func(s string) bool {
			return strings.HasPrefix(s, "calls between services are still being searched for")
		})
	}
	release := e.HoldLinks(p.Root)
	first := ask(2000)
	if first.TotalCallers != 0 || !pending(first) {
		t.Errorf("without links: %d callers, unwalked %q", first.TotalCallers, first.Unwalked)
	}
	release()
	if second := ask(contract.MaxDeadline); second.TotalCallers <= first.TotalCallers || pending(second) {
		t.Errorf("with links: %d callers, unwalked %q", second.TotalCallers, second.Unwalked)
	}
}

// TestLinked checks that answers share one search for links, which follows the index and survives the answers.
func TestLinked(t *testing.T) {
	b := navigatetest.Of(t, orders)
	e := engine.New(engine.Options{Roots: b.Roots, Version: "test"})
	defer e.Close()
	p, _, _, err := e.Enter(t.Context(), b.Dir)
	if err != nil {
		t.Fatal(err)
	}
	generation := func() int64 {
		report, err := p.Root.Sync(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return report.Generation
	}
	at := generation()
	release := e.HoldLinks(p.Root)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if e.Linked(gone, p.Root, at) {
		t.Error("a search in progress counts as done")
	}
	release()
	if !e.Linked(t.Context(), p.Root, at) {
		t.Fatal("the search fails")
	}
	if !e.Linked(gone, p.Root, at) {
		t.Error("links that are known are not found without waiting")
	}
	if err := os.WriteFile(filepath.Join(b.Dir, "stock/more.go"), []byte("package main\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if later := generation(); later == at || !e.Linked(t.Context(), p.Root, later) {
		t.Errorf("after an edit, generation %d to %d, the links are not known", at, later)
	}
}
