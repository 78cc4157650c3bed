package navigate_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"sextant/internal/code"
	"sextant/internal/navigate"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
	"sextant/jit"
	"sextant/l1fts"
)

// TestAFileIsNotParsedAgain checks that a file on which the parser gave up is not parsed once more by
// the tools that show it, until its bytes change.
func TestAFileIsNotParsedAgain(t *testing.T) {
	dir := t.TempDir()
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "hard.go"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("package hard\n\nfunc First() {}\n")
	opt := navigate.IndexOptions(t.TempDir(), l1fts.Options{})
	opt.Watch = jit.WatchOff
	extract, easy := opt.Extract, false
	opt.Extract = func(path string, text []byte) (code.File, error) {
		if easy {
			return extract(path, text)
		}
		return code.File{Path: path, Language: "go", Text: text, Lines: 3}, errors.New("the parser gave up")
	}
	roots, err := jit.Open(t.Context(), opt)
	if err != nil {
		t.Fatal(err)
	}
	defer roots.Close()
	b := &navigatetest.Bench{Service: navigate.New(navigate.Options{Roots: roots, Version: "test"}),
		Roots: roots, T: t, Dir: dir}
	b.Manage(contract.ManageRequest{Action: contract.ManageCreate, Path: dir, Wait: true, DeadlineMs: contract.MaxWait})
	if a := b.Outline("hard.go"); a.Reason != contract.ReasonNotParsed {
		t.Errorf("outline of a file that was given up: %+v", a.Outcome)
	}
	r, err := b.Service.Read(t.Context(),
		navigatetest.Normal(t, contract.ReadRequest{Path: filepath.Join(dir, "hard.go"),
			OpenSymbol: &contract.OpenSymbol{SymbolLabel: "First"}}))
	if err != nil || r.Reason != contract.ReasonNotParsed {
		t.Errorf("a symbol of it: %v %+v", err, r)
	}
	easy = true
	write("package hard\n\nfunc Second() {}\n")
	if a := b.Outline("hard.go"); a.Status != contract.StatusOK || len(a.Outline.Symbols) != 1 {
		t.Errorf("outline once it has changed: %+v", a)
	}
}
