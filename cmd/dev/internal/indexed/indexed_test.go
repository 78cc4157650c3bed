package indexed

import (
	"os"
	"path/filepath"
	"testing"

	"sextant/l2meta/resolve"
)

// TestRunSeesTheFolderAsItIs checks that an index in a kept data folder holds what changed between
// two runs.
func TestRunSeesTheFolderAsItIs(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	for _, target := range []string{"left", "right"} {
		text := "package a\n\nfunc left() {}\n\nfunc right() {}\n\nfunc run() { " + target + "() }\n"
		if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		err := Run(t.Context(), home, dir, func(tree *Tree) error {
			sites, err := tree.Resolver.Sites(tree.Resolver.World().File("a.go").ID)
			if err != nil {
				return err
			}
			if len(sites) != 1 || sites[0].Outcome != resolve.Settled || sites[0].Target.Symbol().Name != target {
				t.Errorf("sites %+v, want one that settles on %s", sites, target)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestRunRemovesItsDataFolder checks that nothing is left in the folder of temporary files.
func TestRunRemovesItsDataFolder(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	ran := false
	if err := Run(t.Context(), "", t.TempDir(), func(*Tree) error { ran = true; return nil }); err != nil || !ran {
		t.Fatal(ran, err)
	}
	left, err := os.ReadDir(temp)
	if err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}
