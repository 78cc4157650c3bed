package jit

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"sextant/internal/store"
)

// TestMovesAreTold checks that Options.Moved is called with the absolute paths of the files whose rows are new, changed
// and gone, by this process or by another, and not for a file that is only touched.
func TestMovesAreTold(t *testing.T) {
	var mu sync.Mutex
	var got Moves
	watch := func(o *Options) {
		o.Moved = func(m Moves) {
			mu.Lock()
			defer mu.Unlock()
			got.Created, got.Changed = append(got.Created, m.Created...), append(got.Changed, m.Changed...)
			got.Removed = append(got.Removed, m.Removed...)
		}
	}
	w := newWorld(t, seeds(), watch)
	expect := func(what string, want Moves) {
		t.Helper()
		mu.Lock()
		defer mu.Unlock()
		for _, c := range []struct {
			kind      string
			got, want []string
		}{{"created", got.Created, want.Created}, {"changed", got.Changed, want.Changed},
			{"removed", got.Removed, want.Removed}} {
			slices.Sort(c.got)
			for i := range c.want {
				c.want[i] = w.abs(c.want[i])
			}
			if !slices.Equal(c.got, c.want) {
				t.Errorf("%s: %s %q, want %q", what, c.kind, c.got, c.want)
			}
		}
		got = Moves{}
	}
	expect("the build", Moves{Created: []string{"a.go", "empty.txt", "other/d.go", "sub/b.go", "sub/deep/c.go"}})
	w.write("a.go", "func z\n")
	w.write("new.go", "func n\n")
	w.write("empty.txt", "") // touched
	w.must(os.Remove(w.abs("sub/b.go")))
	w.sync()
	expect("edits", Moves{Created: []string{"new.go"}, Changed: []string{"a.go"}, Removed: []string{"sub/b.go"}})
	other := *w
	other.opt.Moved = nil
	other.open()
	w.write("a.go", "func y\n")
	w.must(os.Remove(w.abs("new.go")))
	other.sync()
	expect("before this process reads what another wrote", Moves{})
	w.sync()
	expect("edits that another process indexed", Moves{Changed: []string{"a.go"}, Removed: []string{"new.go"}})
}

// TestUnreadableDirectoriesHideTheirFiles checks that the files below a directory that cannot be listed are not taken
// for removed, and those of a directory that is gone are.
func TestUnreadableDirectoriesHideTheirFiles(t *testing.T) {
	w := newWorld(t, seeds(), nil)
	for _, c := range []struct {
		err        error
		suspects   []string
		unverified []string
	}{
		{fs.ErrPermission, []string{"a.go", "empty.txt", "other/d.go"}, []string{"sub"}},
		{fs.ErrNotExist, []string{"a.go", "empty.txt", "other/d.go", "sub/b.go", "sub/deep/c.go"}, nil},
	} {
		s := w.r.newSweep()
		s.compare(listing{dir: "sub", err: fmt.Errorf("list sub: %w", c.err)})
		s.vanished("")
		var rep Report
		s.report(&rep)
		if !slices.Equal(s.suspects, c.suspects) || !slices.Equal(rep.Unverified, c.unverified) {
			t.Errorf("%v: suspects %q, unverified %q; want %q, %q", c.err, s.suspects, rep.Unverified, c.suspects,
				c.unverified)
		}
	}
}

// TestSnapshotsOfTheLog checks which snapshot is loaded: one whose generation the log reaches, with that generation.
func TestSnapshotsOfTheLog(t *testing.T) {
	w := newWorld(t, seeds(), nil)
	w.must(w.r.saveSnapshot(t.Context()))
	gen := w.r.table.generation()
	load := func(floor, last int64) *table {
		t.Helper()
		var got *table
		w.must(w.r.View(t.Context(), func(v *View) (err error) {
			got, err = loadSnapshot(t.Context(), v, floor, last)
			return err
		}))
		return got
	}
	for _, c := range []struct {
		floor, last int64
		found       bool
	}{{gen, gen, true}, {gen - 1, gen + 1, true}, {gen + 1, gen + 2, false}, {gen - 2, gen - 1, false}} {
		got := load(c.floor, c.last)
		if (got != nil) != c.found || got != nil && (got.gen != gen || got.count != w.r.table.count) {
			t.Errorf("a log from %d to %d: %+v, want found %t, of generation %d", c.floor, c.last, got, c.found, gen)
		}
	}
	w.must(w.r.Keep(t.Context(), func(tx *store.Tx) error {
		_, err := tx.Exec(t.Context(), "UPDATE table_snapshot SET data=x'ff'")
		return err
	}))
	if got := load(gen, gen); got != nil {
		t.Errorf("a snapshot that cannot be decoded: %+v", got)
	}
}

// TestOnlyFoldersAreTracked checks that a root must be a folder that exists, given by an absolute path.
func TestOnlyFoldersAreTracked(t *testing.T) {
	w := newWorld(t, seeds(), nil)
	t.Chdir(filepath.Dir(w.dir))
	for _, path := range []string{w.abs("a.go"), w.abs("nothing"), filepath.Base(w.dir), ""} {
		if r, err := w.rs.Track(t.Context(), path, Policy{}); err == nil {
			t.Errorf("%q is tracked as %s", path, r.path)
		}
	}
	list, err := w.rs.List(t.Context())
	if w.must(err); len(list) != 1 {
		t.Errorf("tracked: %+v", list)
	}
}

// TestInventoryCountsFilesOfServices checks that a service is counted with its indexed files alone.
func TestInventoryCountsFilesOfServices(t *testing.T) {
	w := newWorld(t, map[string]string{"pay/go.mod": "module example.com/pay\n", "pay/main.go": "func main\n",
		"pay/data.txt": "a\x00b", "web/package.json": `{"name":"web"}`}, nil)
	var got []string
	for _, s := range w.inventory().Services {
		got = append(got, fmt.Sprintf("%s %d", s.Root, s.Files))
	}
	if want := []string{"pay 2", "web 1"}; !slices.Equal(got, want) {
		t.Errorf("services %q, want %q", got, want)
	}
}

// TestBuildTellsItsEnd checks that the last progress that a build tells is that it has ended, with all of its files.
func TestBuildTellsItsEnd(t *testing.T) {
	w := newWorld(t, seeds(), nil)
	var last Progress
	w.must(w.r.Build(t.Context(), "reindex", func(p Progress) { last = p }))
	if last.State != StateReady || last.Phase != PhaseCompleted || last.FinishedAt.IsZero() || last.Error != "" {
		t.Errorf("the last progress: %+v", last)
	}
}
