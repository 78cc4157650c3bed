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
	"sextant/jit"
	"sextant/l2meta"
	"sextant/l2meta/resolve"
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
	if e.Linked(gone, p.Root, at) || !e.LinksAreSlow(p.Root) {
		t.Error("a search that has been going on for long counts as done, or as one that is about to be")
	}
	release()
	if !e.Linked(t.Context(), p.Root, at) {
		t.Fatal("the search fails")
	}
	if !e.Linked(gone, p.Root, at) || e.LinksAreSlow(p.Root) {
		t.Error("links that are known are not found without waiting")
	}
	if err := os.WriteFile(filepath.Join(b.Dir, "stock/more.go"), []byte("package main\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if later := generation(); later == at || !e.Linked(t.Context(), p.Root, later) {
		t.Errorf("after an edit, generation %d to %d, the links are not known", at, later)
	}
}

// TestLinksAreStored checks that a process reads the links that an earlier one has found, unless they are damaged or
// the services have changed.
func TestLinksAreStored(t *testing.T) {
	engine.KeepAllLinks(t)
	b := navigatetest.Of(t, orders)
	var root *jit.Root
	// found returns the kinds of edges of a graph in a new process.
	found := func() (kinds []code.EdgeKind) {
		t.Helper()
		e := engine.New(engine.Options{Roots: b.Roots, Version: "test"})
		defer e.Close()
		a, err := callgraph.New(e, symbols.New(e, 200), nil).CallGraph(t.Context(), navigatetest.Normal(t,
			contract.GraphRequest{Path: b.Dir, SymbolRef: contract.SymbolRef{SymbolLabel: "load"}}))
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range a.Edges {
			kinds = append(kinds, x.Kind)
		}
		p, _, _, err := e.Enter(t.Context(), b.Dir)
		if err != nil {
			t.Fatal(err)
		}
		root = p.Root
		slices.Sort(kinds)
		return kinds
	}
	// stored returns the links in the index; change replaces them by what it returns.
	stored := func(change func(l2meta.Links) l2meta.Links) (l l2meta.Links) {
		t.Helper()
		err := root.View(t.Context(), func(v *jit.View) error {
			generation, err := jit.Generation(t.Context(), v)
			if err == nil {
				l, err = l2meta.Index{}.LinksAt(t.Context(), v, generation)
			}
			return err
		})
		if err == nil && change != nil {
			err = root.Keep(t.Context(), func(tx *jit.Tx) error {
				return l2meta.Index{}.PutLinks(t.Context(), tx, change(l))
			})
		}
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	both := []code.EdgeKind{code.EdgeCall, code.EdgeHTTP}
	if got := found(); !slices.Equal(got, both) {
		t.Fatalf("the first process finds the edges %q", got)
	}
	if stored(nil).Data == nil {
		t.Fatal("the first process stores no links")
	}
	none := noLinks(t)
	whole := stored(func(l l2meta.Links) l2meta.Links { l.Data = none; return l })
	if got := found(); !slices.Equal(got, both[:1]) {
		t.Errorf("the next process searches for links again: it finds %q", got)
	}
	stored(func(l l2meta.Links) l2meta.Links { l.Data = whole.Data[:len(whole.Data)/2]; return l })
	if got := found(); !slices.Equal(got, both) {
		t.Errorf("with damaged links, a process finds the edges %q", got)
	}
	stored(func(l l2meta.Links) l2meta.Links { l.Data, l.Basis = none, "of other services"; return l })
	if got := found(); !slices.Equal(got, both) {
		t.Errorf("with the links of other services, a process finds the edges %q", got)
	}
}

// noLinks returns the encoded links of a root without services.
func noLinks(t *testing.T) (data []byte) {
	t.Helper()
	b := navigatetest.Of(t, map[string]string{"a.go": "package a\n"})
	e := engine.New(engine.Options{Roots: b.Roots, Version: "test"})
	defer e.Close()
	p, _, _, err := e.Enter(t.Context(), b.Dir)
	if err != nil {
		t.Fatal(err)
	}
	err = p.Root.View(t.Context(), func(v *jit.View) error {
		r := resolve.New(t.Context(), v, e.Derived(p.Root), 0)
		j := engine.Joiner(r, p.Root.Services())
		err := j.Prepare()
		if err == nil {
			data, err = j.Pack()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return data
}
