package jit

import (
	"os"
	"slices"
	"testing"

	"sextant/internal/store"
)

// TestChangedSinceGenerations checks which paths changed since a generation, and that nothing is known of generations
// that the log does not have.
func TestChangedSinceGenerations(t *testing.T) {
	w := newWorld(t, seeds(), nil)
	built := w.sync().Generation
	w.write("a.go", "func one\n")
	first := w.sync().Generation
	w.write("new.go", "func two\n")
	w.must(os.Remove(w.abs("sub/b.go")))
	last := w.sync().Generation
	w.must(w.r.View(t.Context(), func(v *View) error {
		if now, err := Generation(t.Context(), v); now != last || err != nil {
			t.Errorf("generation %d, %v; the report says %d", now, err, last)
		}
		for _, c := range []struct {
			since int64
			want  []string
			known bool
		}{
			{built, []string{"a.go", "new.go", "sub/b.go"}, true}, {first, []string{"new.go", "sub/b.go"}, true},
			{last, nil, true}, {last + 1, nil, false}, {0, nil, false}, {1, nil, false}, {-1, nil, false},
		} {
			got, known, err := Changed(t.Context(), v, c.since)
			slices.Sort(got)
			if !slices.Equal(got, c.want) || known != c.known || err != nil {
				t.Errorf("since %d: %q, known %t, %v; want %q, %t", c.since, got, known, err, c.want, c.known)
			}
		}
		return nil
	}))
}

// TestPartialUntilBuilt checks that an index counts as partial from the time that it has no build until one has ended.
func TestPartialUntilBuilt(t *testing.T) {
	w := newWorld(t, seeds(), nil)
	partial := func() (partial bool) {
		t.Helper()
		w.must(w.r.View(t.Context(), func(v *View) (err error) {
			partial, err = Partial(t.Context(), v)
			return err
		}))
		return partial
	}
	if partial() {
		t.Error("an index that is built is partial")
	}
	for _, text := range []string{"", `{"state":"failed"}`} {
		w.must(w.r.Keep(t.Context(), func(tx *store.Tx) error { return tx.SetMeta(t.Context(), metaBuild, text) }))
		if !partial() {
			t.Errorf("an index whose build is %q is whole", text)
		}
	}
}

// TestRepairLooksAtEveryFile checks that a repair of a sound database compares all files, whatever the watcher says.
func TestRepairLooksAtEveryFile(t *testing.T) {
	w := newWorld(t, seeds(), func(o *Options) { o.Watch = WatchAuto })
	w.untended()
	w.awaitWatcher()
	rebuilt, rep, err := w.r.Repair(t.Context())
	if err != nil || rebuilt || rep.Vouched || rep.FilesChecked != len(seeds()) {
		t.Errorf("rebuilt %t, %v, %+v; want a look at %d files", rebuilt, err, rep, len(seeds()))
	}
}
