package engine_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/engine"
	"sextant/internal/navigate/navigatetest"
)

// TestWorktreeIsIndexedByItsFirstQuestion checks that a request about a worktree, inside or beside
// its checkout, is answered from the worktree's own files, which are indexed first, for each tool
// about code.
func TestWorktreeIsIndexedByItsFirstQuestion(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{"shop.go": "package shop\n\nfunc Sell() { pay() }\n\nfunc pay() {}\n"})
	b.Git("init", "-q", "-b", "main")
	b.Git("add", "-A")
	b.Git("commit", "-q", "-m", "x")
	for _, below := range []string{"trees/", "../side-"} {
		tree := func(name string) *navigatetest.Bench {
			dir := filepath.Join(b.Dir, below+name)
			b.Git("worktree", "add", "-q", "--detach", dir)
			side := b.At(dir)
			side.Edit("shop.go", func(string) string {
				return "package shop\n\nfunc Sell() { lend() }\n\nfunc lend() {}\n"
			})
			return side
		}
		created := func(codes ...string) bool { return slices.Contains(codes, "INDEX_CREATED") }
		side := tree("search")
		if a := side.Search(contract.SearchRequest{Query: "must:lend"}); a.Status != contract.StatusOK ||
			a.CodebaseRoot != side.Dir || a.Matches.Lines != 2 || !created(engine.Codes(a.Warnings)...) {
			t.Errorf("search: %+v, %+v, %v", a.Outcome, a.Matches, a.Warnings)
		}
		if a := side.Search(contract.SearchRequest{Query: "must:pay"}); a.Status != contract.StatusOK ||
			a.Matches.Lines != 0 || created(engine.Codes(a.Warnings)...) {
			t.Errorf("search again: %+v, %+v, %v", a.Outcome, a.Matches, a.Warnings)
		}
		side = tree("graph")
		if a := side.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "lend"}}); len(a.Edges) !=
			1 || a.CodebaseRoot != side.Dir || !created(a.Warnings...) {
			t.Errorf("call_graph: %+v, %+v", a.Outcome, a.Edges)
		}
		side = tree("outline")
		if a := side.Outline("shop.go"); a.Status != contract.StatusOK || len(a.Outline.Symbols) != 2 ||
			a.Outline.Symbols[1].SymbolLabel != "lend" || !created(a.Warnings...) {
			t.Errorf("file_outline: %+v, %+v", a.Outcome, a.Outline)
		}
		side = tree("read")
		if a, err := side.Read(contract.ReadRequest{Path: filepath.Join(side.Dir, "shop.go")}); err != nil ||
			a.CodebaseRoot != side.Dir || string(a.Text) !=
			"package shop\n\nfunc Sell() { lend() }\n\nfunc lend() {}\n" {
			t.Errorf("read_file: %+v, %v", a, err)
		}
	}
	var refusal *contract.Refusal
	_, err := b.Service.Outline(t.Context(),
		navigatetest.Normal(t, contract.OutlineRequest{Path: b.Dir, File: "trees/outline/shop.go"}))
	if !errors.As(err, &refusal) {
		t.Fatalf("an outline of a worktree's file by the checkout: %v", err)
	}
	next := refusal.Hints.NextSteps[0].Args.(*contract.OutlineRequest)
	if a, err := b.Service.Outline(t.Context(), navigatetest.Normal(t, *next)); err != nil ||
		a.CodebaseRoot != filepath.Join(b.Dir, "trees", "outline") || len(a.Outline.Symbols) != 2 {
		t.Errorf("what it leads to: %+v, %v", a, err)
	}
	if a := b.Search(contract.SearchRequest{Query: "must:lend"}); a.Matches.Lines != 0 {
		t.Errorf("the checkout has the worktrees' files: %+v", a.Matches)
	}
}

// TestFoldersThatNoQuestionIndexes checks that status creates no index, and that a request about a
// folder without a project does not index it.
func TestFoldersThatNoQuestionIndexes(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{"shop.go": "package shop\n\nfunc Sell() {}\n"})
	outside, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, action := range []string{"status", "sync", "reindex", "repair", "clear"} {
		if a := b.At(outside).Manage(contract.ManageRequest{Action: contract.ManageAction(action),
			Path: outside}); a.Status != contract.StatusNotIndexed {
			t.Errorf("%s: %+v", action, a.Outcome)
		}
	}
	if a := b.At("/").Search(contract.SearchRequest{Query: "Sell"}); a.Status != contract.StatusNotIndexed ||
		a.Hints.Create == nil {
		t.Errorf("search of everything: %+v", a.Outcome)
	}
	file := filepath.Join(outside, "notes.go")
	if err := os.WriteFile(file, []byte("package notes\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var refusal *contract.Refusal
	if _, err := b.Read(contract.ReadRequest{Path: file}); !errors.As(err, &refusal) ||
		refusal.Reason != contract.ReasonOutside {
		t.Errorf("read of a file that is in no checkout: %v", err)
	}
	list, err := b.Service.ListCodebases(t.Context(), contract.ListRequest{})
	if err != nil || list.Total() != 1 {
		t.Errorf("tracked: %+v, %v", list, err)
	}
}

// TestFirstQuestionsShareTheirIndex checks that concurrent first requests share one build.
func TestFirstQuestionsShareTheirIndex(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{"shop.go": "package shop\n\nfunc Sell() {}\n"})
	b.Manage(contract.ManageRequest{Action: contract.ManageClear, Path: b.Dir})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			a, err := b.Service.Search(t.Context(),
				contract.SearchRequest{Path: b.Dir, Query: "must:Sell", Scope: contract.ScopeMixed, Limit: 1,
					Delivery: contract.Delivery{MaxTokens: contract.DefaultMaxTokens}})
			if err != nil || a.Status != contract.StatusOK || a.Matches.Complete && a.Matches.Lines != 1 {
				t.Errorf("%+v, %v", a, err)
			}
		})
	}
	wg.Wait()
	if a := b.Search(contract.SearchRequest{Query: "must:Sell"}); a.Matches.Lines != 1 || !a.Matches.Complete {
		t.Errorf("afterwards: %+v", a.Matches)
	}
}
