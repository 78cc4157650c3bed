package manage_test

import (
	"reflect"
	"testing"

	"sextant/internal/navigate"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
	"sextant/jit"
	"sextant/l1fts"
	"sextant/l1fts/embed"
)

// TestUnchangedIndexIsCountedOnce checks that answers about an unchanged index do not read the rows
// of its files again. The test changes the rows without a new generation, which the program never
// does, so that an answer that reads them differs.
func TestUnchangedIndexIsCountedOnce(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{"a.go": "package a\n\nfunc F() {}\n",
		"go.mod": "module example.com/a\n"}).
		With(navigate.Options{Words: l1fts.Options{Embedder: embed.Builtin()}})
	list := func() contract.ListAnswer {
		t.Helper()
		a, err := b.Service.ListCodebases(t.Context(), contract.ListRequest{})
		if err != nil || len(a.Ready) != 1 {
			t.Fatalf("%+v, %v", a, err)
		}
		return a
	}
	listed, status := list(), b.Status()
	if status.Tiers.L1.Vectors == 0 || status.Tiers.L2.Symbols == 0 || len(status.Services) == 0 {
		t.Fatalf("%+v", status.Tiers)
	}
	root, _, err := b.Roots.Resolve(t.Context(), b.Dir)
	if err != nil {
		t.Fatal(err)
	}
	err = root.Keep(t.Context(), func(tx *jit.Tx) error {
		for _, change := range []string{"UPDATE l1_vectors SET vectors=vectors+1", "UPDATE l1_chunks SET count=count+1",
			"UPDATE facts SET symbols=symbols+1", "UPDATE files SET parsed=0, bad_bytes=1",
			"DELETE FROM files WHERE path='go.mod'"} {
			if _, err := tx.Exec(t.Context(), change); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if got := list(); !reflect.DeepEqual(got, listed) {
			t.Fatalf("list_codebases counted again: %+v, want %+v", got, listed)
		}
		got := b.Status()
		if !reflect.DeepEqual(got.Tiers, status.Tiers) || !reflect.DeepEqual(got.Coverage, status.Coverage) ||
			!reflect.DeepEqual(got.Services, status.Services) {
			t.Fatalf("status counted again: %+v %+v %+v, want %+v %+v %+v", got.Tiers, got.Coverage, got.Services,
				status.Tiers, status.Coverage, status.Services)
		}
	}
	b.Write("b.go", "package a\n\nfunc G() {}\n")
	b.Manage(contract.ManageRequest{Action: contract.ManageSync, Path: b.Dir})
	if got := b.Status(); reflect.DeepEqual(got.Tiers, status.Tiers) ||
		reflect.DeepEqual(got.Coverage, status.Coverage) {
		t.Errorf("a change was not counted: %+v", got.Tiers)
	}
}

// TestNewIndexIsCountedAnew checks that an index that was cleared and rebuilt is counted anew,
// although the generations of its tiers start again at the same numbers.
func TestNewIndexIsCountedAnew(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{"a.go": "package a\n\nfunc F() {}\n"})
	if n := b.Status().Tiers.L2.Symbols; n != 1 {
		t.Fatalf("%d symbols", n)
	}
	b.Manage(contract.ManageRequest{Action: contract.ManageClear, Path: b.Dir})
	b.Write("a.go", "package a\n\nfunc F() {}\nfunc G() {}\n")
	b.Manage(contract.ManageRequest{Action: contract.ManageCreate, Path: b.Dir, Wait: true,
		DeadlineMs: contract.MaxWait})
	a := b.Status()
	if a.Tiers.L2.Symbols != 2 {
		t.Errorf("%d symbols, want 2", a.Tiers.L2.Symbols)
	}
}
