package symbols_test

import (
	"path/filepath"
	"slices"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// TestFilesInOtherCase checks that the usual cases of a file's name are found, also beyond ASCII.
func TestFilesInOtherCase(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{"docs/Übersicht.md": "# Inhalt\n", "docs/ÄNDERUNGEN.md": "# Neu\n",
		"docs/plan.md": "# Plan\n", "docs/Ohne.md": "# Ohne\n", "a/übersicht.md": "# Kurz\n",
		"a/änderungen.md": "# Alt\n"})
	for file, want := range map[string]string{"übersicht.md": "docs/Übersicht.md", "änderungen.md": "docs/ÄNDERUNGEN.md",
		"ohne.md": "docs/Ohne.md", "PLAN.md": "docs/plan.md"} {
		if paths, err := b.Service.FilesLike(t.Context(), b.Dir, file); err != nil || !slices.Contains(paths, want) {
			t.Errorf("%s: %q, %v", file, paths, err)
		}
	}
}

// TestFilesAreNamedRelative checks that a file may be given relative to the root, as answers name
// it, or relative to the path of the call.
func TestFilesAreNamedRelative(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{"go.mod": "module m\n", "a/b/c.go": "package b\n\nfunc F() {}\n",
		"a/c.go": "package a\n"})
	for _, c := range []struct{ path, file, want string }{
		{"", "a/b/c.go", "a/b/c.go"},
		{"a", "a/b/c.go", "a/b/c.go"},
		{"a", "b/c.go", "a/b/c.go"},
		{"a/b", "c.go", "a/b/c.go"},
		{"a/b", "a/c.go", "a/c.go"},
	} {
		path := filepath.Join(b.Dir, c.path)
		read, err := b.Read(contract.ReadRequest{Path: path, File: c.file})
		if err != nil || read.Status != contract.StatusOK || read.File != c.want {
			t.Errorf("read %s in %q: %v, %+v", c.file, c.path, err, read)
		}
		outline, err := b.Service.Outline(t.Context(),
			navigatetest.Normal(t, contract.OutlineRequest{Path: path, File: c.file}))
		if err != nil || outline.Status != contract.StatusOK || outline.File != c.want {
			t.Errorf("outline %s in %q: %v, %+v", c.file, c.path, err, outline)
		}
	}
	symbol := contract.ReadRequest{Path: b.Dir, File: "a/b/c.go", OpenSymbol: &contract.OpenSymbol{SymbolLabel: "F"}}
	if read, err := b.Read(symbol); err != nil || string(read.Text) != "func F() {}\n" {
		t.Errorf("F: %v, %+v", err, read)
	}
}
