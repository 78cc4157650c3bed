package jit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"sextant/internal/code"
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

// TestFailedBuildAfterTheClockWasSetBack checks that a failed build is retried although it ended in the future,
// by a clock that was wrong.
func TestFailedBuildAfterTheClockWasSetBack(t *testing.T) {
	clock := newFakeClock()
	w := newWorld(t, seeds(), func(o *Options) { o.Clock = clock.now })
	failed := Progress{State: StateFailed, FinishedAt: clock.now(), Error: "the disk is full"}
	w.must(w.r.build.write(t.Context(), failed))
	if _, err := w.r.Sync(t.Context()); !errors.Is(err, ErrBuildFailed) {
		t.Fatalf("just after it failed: %v", err)
	}
	clock.advance(-1000 * time.Hour)
	if rep := w.sync(); rep.Mode != ModeIndexing {
		t.Errorf("after the clock was set back: %+v", rep)
	}
	w.must(w.r.Wait(t.Context(), nil))
	w.sync()
	w.check("the clock was set back", nil)
}

// fragile is a tier that panics on a file with a symbol called boom.
type fragile struct{ texts }

func (fragile) Prepare(ctx context.Context, f *code.File) Write {
	for _, s := range f.Symbols {
		if s.Name == "boom" {
			panic("a symbol that nobody foresaw")
		}
	}
	return texts{}.Prepare(ctx, f)
}

// TestTierThatPanics checks that the text of a file whose facts a tier cannot take is indexed nevertheless.
func TestTierThatPanics(t *testing.T) {
	w := newWorld(t, map[string]string{"a.go": "func a\n", "b.go": "func boom\n"},
		func(o *Options) { o.Tiers = []Indexer{fragile{}} })
	w.sync()
	w.check("a tier panicked", nil)
	if c := w.inventory().Coverage; c.Indexed != 2 || c.Parsed != 1 {
		t.Errorf("coverage %+v", c)
	}
}

// TestEventsOfABrokenInstance checks that a watcher of which nobody asks anything does not collect what it can no
// longer use.
func TestEventsOfABrokenInstance(t *testing.T) {
	i := &instance{root: "/r", home: "/h", watched: map[string]bool{"": true}, dirty: map[string]bool{}}
	for n := range 1000 {
		i.event(fsnotify.Event{Name: fmt.Sprintf("/r/d%d/.gitignore", n), Op: fsnotify.Create})
	}
	if dirty, broken := i.take(); !errors.Is(broken, errRules) || len(broken.Error()) > 200 || len(dirty) > 1 {
		t.Errorf("%d directories, %d bytes of errors", len(dirty), len(broken.Error()))
	}
}
