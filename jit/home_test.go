package jit

import (
	"os"
	"path/filepath"
	"testing"
)

// TestHomeWithinTheRoot checks that a root that contains the folder of all indexes does not index it, whatever
// its name, and indexes everything beside it.
func TestHomeWithinTheRoot(t *testing.T) {
	for _, home := range []string{"home", "my [1] home ", "a*b/ho?me", `back\slash`, "data/roots/home", "link"} {
		t.Run(home, func(t *testing.T) {
			base := t.TempDir()
			w := newWorld(t, map[string]string{"a.txt": "func a\n", "data/b.txt": "func b\n",
				"data/roots/c.txt": "func c\n", "my 1 home/d.txt": "func d\n"}, func(o *Options) {
				root := filepath.Join(filepath.Dir(o.Home), "root")
				if o.Home = filepath.Join(root, home); home == "link" {
					o.Home = filepath.Join(base, "link")
					if err := os.MkdirAll(filepath.Join(root, "real"), 0o755); err != nil {
						t.Fatal(err)
					}
					if err := os.Symlink(filepath.Join(root, "real"), o.Home); err != nil {
						t.Fatal(err)
					}
				}
			})
			for range 3 {
				w.sync()
			}
			if got := w.indexed(); len(got) != 4 {
				t.Errorf("indexed: %q", got)
			}
			if n := w.r.table.size(); n != 4 {
				t.Errorf("%d rows instead of 4", n)
			}
		})
	}
}
