package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// TestPathsOfNoProject checks that a request about a device, or about a link to a file elsewhere, indexes nothing and
// says what the path is.
func TestPathsOfNoProject(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{"a.go": "package a\n"})
	for name, target := range map[string]string{"zero.go": os.DevNull, "passwd.go": filepath.Join(t.TempDir(), "x")} {
		if target != os.DevNull {
			if err := os.WriteFile(target, []byte("package x\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		link := filepath.Join(b.Dir, name)
		if err := os.Symlink(target, link); err != nil {
			t.Fatal(err)
		}
		for path, want := range map[string]string{link: "is a symbolic link out of its codebase",
			os.DevNull: "is no regular file"} {
			a, err := b.Service.Search(t.Context(), navigatetest.Normal(t, contract.SearchRequest{Path: path, Query: "a"}))
			if err != nil {
				t.Fatal(err)
			}
			if a.Reason != contract.ReasonNotIndexed || !strings.Contains(a.Message, want) {
				t.Errorf("%s: %+v", path, a.Outcome)
			}
		}
	}
}
