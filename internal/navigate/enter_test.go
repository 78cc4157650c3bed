package navigate

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
)

// A question about a worktree, below its checkout or beside it, is answered from
// the worktree's own files, which are indexed for that: by each tool that asks
// about code.
func TestWorktreeIsIndexedByItsFirstQuestion(t *testing.T) {
	b := of(t, map[string]string{"shop.go": "package shop\n\nfunc Sell() { pay() }\n\nfunc pay() {}\n"})
	b.git("init", "-q", "-b", "main")
	b.git("add", "-A")
	b.git("commit", "-q", "-m", "x")
	for _, below := range []string{"trees/", "../side-"} {
		tree := func(name string) *bench {
			dir := filepath.Join(b.dir, below+name)
			b.git("worktree", "add", "-q", "--detach", dir)
			side := b.at(dir)
			side.edit("shop.go", func(string) string { return "package shop\n\nfunc Sell() { lend() }\n\nfunc lend() {}\n" })
			return side
		}
		created := func(codes ...string) bool { return slices.Contains(codes, "INDEX_CREATED") }
		side := tree("search")
		if a := side.search(SearchRequest{Query: "must:lend"}); a.Status != StatusOK || a.CodebaseRoot != side.dir || a.Matches.Lines != 2 || !created(codes(a.Warnings)...) {
			t.Errorf("search: %+v, %+v, %v", a.Outcome, a.Matches, a.Warnings)
		}
		if a := side.search(SearchRequest{Query: "must:pay"}); a.Status != StatusOK || a.Matches.Lines != 0 || created(codes(a.Warnings)...) {
			t.Errorf("search again: %+v, %+v, %v", a.Outcome, a.Matches, a.Warnings)
		}
		side = tree("graph")
		if a := side.graph(GraphRequest{SymbolRef: SymbolRef{SymbolLabel: "lend"}}); len(a.Edges) != 1 || a.CodebaseRoot != side.dir || !created(a.Warnings...) {
			t.Errorf("call_graph: %+v, %+v", a.Outcome, a.Edges)
		}
		side = tree("outline")
		if a := side.outline("shop.go"); a.Status != StatusOK || len(a.Outline.Symbols) != 2 || a.Outline.Symbols[1].SymbolLabel != "lend" || !created(a.Warnings...) {
			t.Errorf("file_outline: %+v, %+v", a.Outcome, a.Outline)
		}
		side = tree("read")
		if a, err := side.read(ReadRequest{Path: filepath.Join(side.dir, "shop.go")}); err != nil || a.CodebaseRoot != side.dir || string(a.Text) != "package shop\n\nfunc Sell() { lend() }\n\nfunc lend() {}\n" {
			t.Errorf("read_file: %+v, %v", a, err)
		}
	}
	var refusal *Refusal
	_, err := b.service.Outline(t.Context(), normal(t, OutlineRequest{Path: b.dir, File: "trees/outline/shop.go"}))
	if !errors.As(err, &refusal) {
		t.Fatalf("an outline of a worktree's file by the checkout: %v", err)
	}
	next := refusal.Hints.NextSteps[0].Args.(*OutlineRequest)
	if a, err := b.service.Outline(t.Context(), normal(t, *next)); err != nil || a.CodebaseRoot != filepath.Join(b.dir, "trees", "outline") || len(a.Outline.Symbols) != 2 {
		t.Errorf("what it leads to: %+v, %v", a, err)
	}
	if a := b.search(SearchRequest{Query: "must:lend"}); a.Matches.Lines != 0 {
		t.Errorf("the checkout has the worktrees' files: %+v", a.Matches)
	}
}

// Status asks about an index, and makes none; what is no project is not indexed
// because somebody asks.
func TestFoldersThatNoQuestionIndexes(t *testing.T) {
	b := of(t, map[string]string{"shop.go": "package shop\n\nfunc Sell() {}\n"})
	outside, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, action := range []string{"status", "sync", "reindex", "repair", "clear"} {
		if a := b.at(outside).manage(ManageRequest{Action: action, Path: outside}); a.Status != StatusNotIndexed {
			t.Errorf("%s: %+v", action, a.Outcome)
		}
	}
	if a := b.at("/").search(SearchRequest{Query: "Sell"}); a.Status != StatusNotIndexed || a.Hints.Create == nil {
		t.Errorf("search of everything: %+v", a.Outcome)
	}
	file := filepath.Join(outside, "notes.go")
	if err := os.WriteFile(file, []byte("package notes\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var refusal *Refusal
	if _, err := b.read(ReadRequest{Path: file}); !errors.As(err, &refusal) || refusal.Reason != ReasonOutside {
		t.Errorf("read of a file that is in no checkout: %v", err)
	}
	list, err := b.service.ListCodebases(t.Context(), ListRequest{})
	if err != nil || list.Total() != 1 {
		t.Errorf("tracked: %+v, %v", list, err)
	}
}

// Questions that come together share the index that the first of them makes.
func TestFirstQuestionsShareTheirIndex(t *testing.T) {
	b := of(t, map[string]string{"shop.go": "package shop\n\nfunc Sell() {}\n"})
	b.manage(ManageRequest{Action: "clear", Path: b.dir})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			a, err := b.service.Search(t.Context(), SearchRequest{Path: b.dir, Query: "must:Sell", Scope: "mixed", Limit: 1, Delivery: Delivery{MaxTokens: DefaultMaxTokens}})
			if err != nil || a.Status != StatusOK || a.Matches.Complete && a.Matches.Lines != 1 {
				t.Errorf("%+v, %v", a, err)
			}
		})
	}
	wg.Wait()
	if a := b.search(SearchRequest{Query: "must:Sell"}); a.Matches.Lines != 1 || !a.Matches.Complete {
		t.Errorf("afterwards: %+v", a.Matches)
	}
}
