package search

import (
	"os"
	"path/filepath"
	"testing"

	"sextant/jit"
	"sextant/l2meta/languages/languagetest"
)

// TestReaderKeepsToTheSnapshot checks that an answer does not show a file that was reindexed
// meanwhile with the old positions of its symbols.
func TestReaderKeepsToTheSnapshot(t *testing.T) {
	dir := t.TempDir()
	write := func(text string) {
		if err := os.WriteFile(filepath.Join(dir, "jar.go"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("package jar\n\nfunc open() {}\n")
	root := languagetest.Indexed(t, dir)
	files := &reader{root: root, files: map[string]*shownFile{}}
	err := root.View(t.Context(), func(v *jit.View) error {
		row, _, err := v.File(t.Context(), "jar.go")
		files.known, _ = knowFiles(t.Context(), v,
			[]candidate{{path: "jar.go", fileID: row.ID}, {path: "gone.go", fileID: row.ID + 1000}})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	write("package jar\n\nfunc open() {}\n\nfunc added() {}\n")
	if _, err := root.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := files.file(t.Context(), "jar.go"); !isGone(err) {
		t.Errorf("the text of another snapshot is read: %v", err)
	}
}
