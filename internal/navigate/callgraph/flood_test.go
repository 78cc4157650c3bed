package callgraph_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sextant/internal/compact"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// flood returns a workspace in which 300 types implement Store.Put, and 16 chains of three functions
// call it, each with two tests. It also returns the functions.
func flood() (files map[string]string, callers []string) {
	files = map[string]string{
		"go.mod":         "module m\n",
		"store/store.go": "package store\n\ntype Store interface{ Put(key string) error }\n",
	}
	for pkg := range 30 {
		var text strings.Builder
		text.WriteString("package impl\n\nfunc check(key string) error { return nil }\n")
		for i := range 10 {
			fmt.Fprintf(&text,
				"\ntype S%[1]d struct{}\n\nfunc (s *S%[1]d) Put(key string) error { return check(key) }\n", i)
		}
		files[fmt.Sprintf("impl%d/impl.go", pkg)] = text.String()
	}
	for i := range 16 {
		files[fmt.Sprintf("app/app%d.go", i)] = fmt.Sprintf("package app\n\nimport \"m/store\"\n\n"+
			"func Save%[1]d(s store.Store) error { return s.Put(\"k\") }\n\n"+
			"func Handle%[1]d(s store.Store) error { return Save%[1]d(s) }\n\n"+
			"func Serve%[1]d(s store.Store) error { return Handle%[1]d(s) }\n", i)
		files[fmt.Sprintf("app/app%d_test.go", i)] = fmt.Sprintf("package app\n\nimport \"testing\"\n\n"+
			"func TestSave%[1]d(t *testing.T) { _ = Save%[1]d(nil) }\n\n"+
			"func TestSaveAgain%[1]d(t *testing.T) { _ = Save%[1]d(nil) }\n", i)
		callers = append(callers, fmt.Sprintf("Save%d", i), fmt.Sprintf("Handle%d", i), fmt.Sprintf("Serve%d", i))
	}
	return files, callers
}

// textOf returns the text of the answer to a request for a graph, which is cut to the text's limits, and the answer.
func textOf(t *testing.T, b *navigatetest.Bench, req contract.GraphRequest) (string, *contract.GraphAnswer) {
	t.Helper()
	req.Price = compact.Cost(&req)
	if err := req.Normalize(); err != nil {
		t.Fatal(err)
	}
	a, err := b.Service.CallGraph(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	text, err := compact.Text(&req, a)
	if err != nil {
		t.Fatal(err)
	}
	return text, a
}

// TestFloodOfImplementations checks that the first page about an interface method shows all of its
// static callers, and folds the tests and the implementations.
func TestFloodOfImplementations(t *testing.T) {
	files, callers := flood()
	b := navigatetest.Of(t, files)
	req := contract.GraphRequest{Path: b.Dir, SymbolRef: contract.SymbolRef{SymbolLabel: "Store.Put"}, Depth: 3,
		Verify: contract.VerifyOff, Delivery: contract.Delivery{Format: contract.FormatText}}
	text, a := textOf(t, b, req)
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" :\n()", r) })
	for _, c := range callers {
		if !slices.Contains(words, c) {
			t.Errorf("the first page lacks the caller %s", c)
		}
	}
	if cost := contract.Tokens(text); cost > 1500 {
		t.Errorf("the first page costs %d tokens", cost)
	}
	if f := a.Folded; f == nil || f.Dynamic != 300 || f.Tests != 30 { // two are shown
		t.Errorf("folded: %+v", a.Folded)
	}
	if t.Failed() {
		t.Log(text)
	}
}

// TestFewFoldedTestsAreNamed checks that the line that counts calls in tests names their places, if they
// are few and the graph has one level.
func TestFewFoldedTestsAreNamed(t *testing.T) {
	var tests strings.Builder
	tests.WriteString("package m\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {\n")
	for range 6 {
		tests.WriteString("\tRun()\n")
	}
	tests.WriteString("\tRun(); Run()\n}\n")
	b := navigatetest.Of(t, map[string]string{"go.mod": "module m\n", "m.go": "package m\n\nfunc Run() {}\n",
		"m_test.go": tests.String(), "n_test.go": "package m\n\nfunc helper() { Run() }\n"})
	for depth, want := range map[int]string{
		1: "+9 calls from tests in 2 files: m_test.go:6,7,8,9,10,11,12 n_test.go:3   expand: [\"tests\"]\n",
		2: "+9 calls from tests in 2 files   expand: [\"tests\"]\n",
	} {
		req := contract.GraphRequest{Path: b.Dir, SymbolRef: contract.SymbolRef{SymbolLabel: "Run"},
			Direction: contract.DirectionCallers,
			Depth:     depth, Verify: contract.VerifyOff, Delivery: contract.Delivery{Format: contract.FormatText}}
		if text, _ := textOf(t, b, req); !strings.Contains(text, want) {
			t.Errorf("depth %d:\n%s", depth, text)
		}
	}
}

// TestTestDoublesAreFolded checks that a fake in a test is no target of production code, but one of tests.
func TestTestDoublesAreFolded(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{"go.mod": "module m\n",
		"m.go": "package m\n\ntype Store interface{ Put() }\n\ntype disk struct{}\n\nfunc (disk) Put() {}\n\n" +
			"func Save(s Store) { s.Put() }\n",
		"m_test.go": "package m\n\ntype fake struct{}\n\nfunc (fake) Put() { check() }\n\nfunc check() {}\n\n" +
			"func helper(s Store) { s.Put() }\n"})
	const folded = "+1 possible edge in 1 file   expand: [\"dynamic\"]\n"
	for _, c := range []struct {
		symbol string
		expand []contract.Fold
		shown  bool
	}{
		{"Save", nil, false}, {"Save", []contract.Fold{contract.FoldDynamic}, true}, {"helper", nil, true},
		{"Store.Put", nil, false},
	} {
		req := contract.GraphRequest{Path: b.Dir, SymbolRef: contract.SymbolRef{SymbolLabel: c.symbol},
			Direction: contract.DirectionCallees, Depth: 2, Expand: c.expand, Verify: contract.VerifyOff,
			Delivery: contract.Delivery{Format: contract.FormatText}}
		text, _ := textOf(t, b, req)
		if !strings.Contains(text, "disk.Put") || strings.Contains(text, "fake.Put") != c.shown ||
			strings.Contains(text, "check") != c.shown || strings.Contains(text, folded) == c.shown {
			t.Errorf("%s, expand %v:\n%s", c.symbol, c.expand, text)
		}
	}
}
