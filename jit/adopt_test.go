package jit

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestAdoptedRootGivesWay checks that requests in an adopted checkout are answered by the root around it, once
// the checkout is a part of that root. A root that a user tracked still answers itself.
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

// TestAdoptedRootWaitsForTheIndexAround checks that an adopted root answers for its files until the index of a
// root around it is complete.
func TestAdoptedRootWaitsForTheIndexAround(t *testing.T) {
	w := newWorld(t, seeds(), nil)
	inner := filepath.Join(w.dir, "inner")
	w.must(os.MkdirAll(inner, 0o755))
	w.must(w.rs.Clear(t.Context(), w.dir))
	r, err := w.rs.Adopt(t.Context(), inner)
	w.must(err)
	w.must(r.Build(t.Context(), "create", nil))
	around, err := w.rs.Adopt(t.Context(), w.dir)
	w.must(err)
	owner := func(want string) {
		t.Helper()
		if got, _, err := w.rs.Owner(t.Context(), inner); err != nil || got != want {
			t.Errorf("the owner is %q, %v, want %q", got, err, want)
		}
	}
	owner(inner)
	w.must(around.Build(t.Context(), "create", nil))
	owner(w.dir)
}

// TestReadUntracked reads files that are in no root. The rules for secrets and binary files are those of a
// root.
func TestReadUntracked(t *testing.T) {
	w := newWorld(t, seeds(), nil)
	dir := filepath.Join(filepath.Dir(w.dir), "loose")
	w.must(os.MkdirAll(dir, 0o755))
	for name, text := range map[string]string{"VERSION": "go1.99\n", "prog": "\x7fELF\x00", ".env": "KEY=1\n"} {
		w.must(os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	if text, _, err := w.rs.ReadUntracked(filepath.Join(dir, "VERSION")); err != nil || string(text) != "go1.99\n" {
		t.Errorf("VERSION: %q, %v", text, err)
	}
	for name, why := range map[string]string{"prog": "binary", ".env": "secret"} {
		if _, row, err := w.rs.ReadUntracked(filepath.Join(dir, name)); !errors.Is(err, ErrNotIndexed) ||
			row.Skip != why {
			t.Errorf("%s: %v, %q", name, err, row.Skip)
		}
	}
	for name, want := range map[string]error{".aws/config": ErrNotIndexed, "gh/hosts.yml": ErrNotIndexed,
		"x/.env/values": ErrNotIndexed, ".ssh/laptop": ErrIgnored, ".git/config": ErrIgnored} {
		p := filepath.Join(dir, filepath.FromSlash(name))
		w.must(os.MkdirAll(filepath.Dir(p), 0o755))
		w.must(os.WriteFile(p, []byte("password = 1\n"), 0o644))
		if text, _, err := w.rs.ReadUntracked(p); !errors.Is(err, want) {
			t.Errorf("%s: %q, %v; want %v", name, text, err, want)
		}
	}
	if _, _, err := w.rs.ReadUntracked(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if list, err := w.rs.List(t.Context()); err != nil || len(list) != 1 {
		t.Errorf("tracked: %+v, %v", list, err)
	}
}

// Adopt does not change the policy of a tracked root.
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

// The index of an adopted worktree whose folder was removed is deleted when the
// next worktree is adopted. A root whose parent folder is missing too is kept.
func TestRemovedWorktreeIsForgotten(t *testing.T) {
	w := newWorld(t, seeds(), nil)
	above := filepath.Dir(w.dir)
	dir := func(steps ...string) string {
		path := filepath.Join(append([]string{above}, steps...)...)
		w.must(os.MkdirAll(path, 0o755))
		return path
	}
	removed, kept, unmounted, next := dir("removed"), dir("kept"), dir("disk", "unmounted"), dir("next")
	for _, path := range []string{removed, unmounted} {
		_, err := w.rs.Adopt(t.Context(), path)
		w.must(err)
	}
	_, err := w.rs.Track(t.Context(), kept, Policy{})
	w.must(err)
	for _, path := range []string{removed, kept, filepath.Dir(unmounted)} {
		w.must(os.RemoveAll(path))
	}
	index := w.rs.catalog.Dir(removed)
	_, err = w.rs.Adopt(t.Context(), next)
	w.must(err)
	list, err := w.rs.catalog.Roots(t.Context())
	w.must(err)
	var got []string
	for _, r := range list {
		got = append(got, r.Path)
	}
	if want := []string{unmounted, kept, next, w.dir}; !slices.Equal(got, slices.Sorted(slices.Values(want))) {
		t.Errorf("listed: %q, want %q", got, want)
	}
	if _, err := os.Stat(index); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the index of the removed worktree: %v", err)
	}
}

// TestCheckoutsWithinARoot checks which folders below a root belong to a checkout of their own.
func TestCheckoutsWithinARoot(t *testing.T) {
	w := newWorld(t, seeds(), nil)
	w.git("init", "-q")
	w.git("add", ".")
	w.git("init", "-q", "nested")
	w.write("nested/in/a.go", "func n\n")
	for path, want := range map[string]bool{"nested": true, "nested/in": true, "nested/in/a.go": true, "sub": false,
		"sub/b.go": false, "": false, "../home": false} {
		if got := w.rs.Apart(w.dir, w.abs(path)); got != want {
			t.Errorf("%q apart: %t", path, got)
		}
	}
}
