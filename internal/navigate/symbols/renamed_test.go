package symbols_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"sextant/internal/code"
	"sextant/internal/navigate"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
	"sextant/jit"
	"sextant/l1fts"
)

// TestSymbolOfRenamedFolder checks that a symbol whose file is gone, because its folder was renamed and not indexed
// yet, is not said to be in a file that is missing, and that a route is not said to be like a symbol of its last word.
func TestSymbolOfRenamedFolder(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "a"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a/x.py"), []byte("def only():\n    return 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "b.py"), []byte("def stays():\n    return 2\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	b := navigatetest.Tracked(t, dir)
	gate := make(chan struct{})
	open := sync.OnceFunc(func() { close(gate) })
	opt := navigate.IndexOptions(b.Home, l1fts.Options{})
	opt.Watch, opt.Version, opt.Budget = jit.WatchOff, "test", time.Millisecond
	extract := opt.Extract
	opt.Extract = func(path string, text []byte) (code.File, error) {
		<-gate
		return extract(path, text)
	}
	roots, err := jit.Open(t.Context(), opt)
	if err != nil {
		t.Fatal(err)
	}
	defer roots.Close()
	defer open()
	service := navigate.New(navigate.Options{Roots: roots, Version: "test", ReadLines: 200})
	if err := os.Rename(filepath.Join(b.Dir, "a"), filepath.Join(b.Dir, "z")); err != nil {
		t.Fatal(err)
	}
	ask := func() (read, graph contract.Outcome) {
		t.Helper()
		r, err := service.Read(t.Context(), navigatetest.Normal(t, contract.ReadRequest{Path: b.Dir,
			OpenSymbol: &contract.OpenSymbol{SymbolLabel: "only"}}))
		if err != nil {
			t.Fatal(err)
		}
		g, err := service.CallGraph(t.Context(), navigatetest.Normal(t, contract.GraphRequest{Path: b.Dir,
			SymbolRef: contract.SymbolRef{SymbolLabel: "only"}}))
		if err != nil {
			t.Fatal(err)
		}
		return r.Outcome, g.Outcome
	}
	read, graph := ask()
	for name, o := range map[string]contract.Outcome{"read_file": read, "call_graph": graph} {
		if o.Reason != contract.ReasonIndexing {
			t.Errorf("%s: %+v, want that the index is being made", name, o)
		}
	}
	route, err := service.CallGraph(t.Context(), navigatetest.Normal(t, contract.GraphRequest{Path: b.Dir,
		SymbolRef: contract.SymbolRef{SymbolLabel: "GET /v1/stays"}}))
	if err != nil || route.Reason != contract.ReasonIndexing || len(route.Candidates) > 0 {
		t.Errorf("a route: %v, %+v with candidates %v", err, route.Outcome, route.Candidates)
	}
	open()
	for deadline := time.Now().Add(time.Minute); read.Status != contract.StatusOK || graph.Status != contract.StatusOK; {
		if read, graph = ask(); time.Now().After(deadline) {
			t.Fatalf("after the folder was indexed: %+v, %+v", read, graph)
		}
	}
}
