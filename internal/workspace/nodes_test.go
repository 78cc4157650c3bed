package workspace

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"sextant/internal/code"
)

// TestKidsFollowNodes checks after each of many random changes of directories and rules that the tree finds every node
// from the root, each directory once, and keeps no directory without a node in or below it.
func TestKidsFollowNodes(t *testing.T) {
	root := t.TempDir()
	writeFile(t, filepath.Join(root, ".git/HEAD"), "x\n")
	tree := openTree(t, root, Policy{})
	random := rand.New(rand.NewPCG(1, 2))
	dir := func() string {
		path := ""
		for range 1 + random.IntN(4) {
			path = filepath.Join(path, string(rune('a'+random.IntN(3))))
		}
		return path
	}
	for step := range 400 {
		at := dir()
		switch random.IntN(5) {
		case 0, 1:
			writeFile(t, filepath.Join(root, at, "f.go"), "x")
		case 2:
			writeFile(t, filepath.Join(root, at, ".gitignore"), string(rune('a'+random.IntN(3)))+"/\n")
		case 3:
			if err := os.RemoveAll(filepath.Join(root, at)); err != nil {
				t.Fatal(err)
			}
		case 4:
			tree.Ignored(filepath.Join(at, "new.go"), false) // lists directories on demand
		}
		if random.IntN(2) == 0 {
			scanAll(t, tree)
		} else {
			tree.Reload()
		}
		checkKids(t, tree)
		if t.Failed() {
			t.Fatalf("after step %d at %s", step, at)
		}
	}
}

func checkKids(t *testing.T, tree *Tree) {
	t.Helper()
	for rel := range tree.nodes {
		for at := rel; at != ""; at = code.Dir(at) {
			if !slices.Contains(tree.kids[code.Dir(at)], at) {
				t.Errorf("%s is not found from the root", rel)
			}
		}
	}
	for rel, kids := range tree.kids {
		sorted := slices.Sorted(slices.Values(kids))
		if len(kids) == 0 || len(slices.Compact(sorted)) != len(kids) {
			t.Errorf("%s has the directories %q", rel, kids)
		}
		for _, k := range kids {
			if tree.nodes[k] == nil && tree.kids[k] == nil {
				t.Errorf("%s is empty", k)
			}
		}
	}
}
