package jit

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// A checkout within the root that a question had indexed owns its files until it
// is a part of the root; one that somebody tracked, always.
func TestAdoptedRootGivesWay(t *testing.T) {
	for name, track := range map[string]func(w *world, dir string) error{
		"adopted": func(w *world, dir string) error { _, err := w.rs.Adopt(t.Context(), dir); return err },
		"tracked": func(w *world, dir string) error { _, err := w.rs.Track(t.Context(), dir, Policy{}); return err },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, seeds(), nil)
			w.git("-C", w.dir, "init", "-q", "-b", "main")
			clone := filepath.Join(w.dir, "clone")
			w.git("init", "-q", clone)
			w.must(os.WriteFile(filepath.Join(clone, "c.go"), []byte("func c\n"), 0o644))
			owner := func(want string) {
				t.Helper()
				got, _, err := w.rs.Owner(t.Context(), filepath.Join(clone, "c.go"))
				if want == "" && !errors.Is(err, ErrNotTracked) || want != "" && (err != nil || got != want) {
					t.Errorf("the owner is %q, %v, want %q", got, err, want)
				}
			}
			owner("")
			w.must(track(w, clone))
			owner(clone)
			w.must(os.RemoveAll(filepath.Join(clone, ".git")))
			if name == "adopted" {
				owner(w.dir)
			} else {
				owner(clone)
			}
			w.git("init", "-q", clone)
			owner(clone)
		})
	}
}

// What is tracked already keeps the policy that it was given.
func TestAdoptKeepsThePolicy(t *testing.T) {
	w := newWorld(t, seeds(), nil)
	_, err := w.rs.Track(t.Context(), w.dir, Policy{CustomExtensions: []string{"foo"}})
	w.must(err)
	r, err := w.rs.Adopt(t.Context(), w.dir)
	w.must(err)
	list, err := w.rs.List(t.Context())
	if err != nil || len(list) != 1 || len(list[0].Policy.CustomExtensions) != 1 || r.Path() != w.dir {
		t.Errorf("tracked: %+v, %v", list, err)
	}
}
