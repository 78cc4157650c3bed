package navigate_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/engine"
	"sextant/internal/navigate/navigatetest"
)

// TestNestedCheckoutsAreNamed checks that answers which find nothing, or claim to find everything, name the clones
// within the root that they leave out, and that other answers do not.
func TestNestedCheckoutsAreNamed(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{"a.py": "def outer(): pass\n", "lib/inner/b.py": "def innermost(): pass\n",
		"lib/c.py": "def other(): pass\n", "app/d.py": "def last(): pass\n"})
	b.Git("init", "-q")
	inner := filepath.Join(b.Dir, "lib/inner")
	b.At(inner).Git("init", "-q")
	warned := func(ws contract.Warnings) bool {
		return slices.ContainsFunc(ws, func(w contract.Warning) bool {
			return w.Code == engine.WarnApart && strings.Contains(w.Message, `"`+inner+`"`)
		})
	}
	for query, want := range map[string]bool{"must:innermost": true, "innermost path:lib/inner/**": true, "outer": false} {
		if a := b.Search(contract.SearchRequest{Query: query}); warned(a.Warnings) != want {
			t.Errorf("%s: %+v, want a warning: %t", query, a.Warnings, want)
		}
	}
	for folder, want := range map[string]bool{".": true, "lib": true, "app": false} {
		a := b.Outline(folder)
		if got := strings.Contains(strings.Join(a.Warnings, "\n"), inner); got != want {
			t.Errorf("outline of %s: %+v", folder, a.Warnings)
		}
	}
	if a := b.Status(); a.Coverage == nil || !slices.Equal(a.Coverage.Apart, []string{"lib/inner"}) {
		t.Errorf("the coverage is %+v", a.Coverage)
	}
}
