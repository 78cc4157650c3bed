package jit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sextant/internal/code"
	"sextant/internal/store"
)

// texts is a tier that stores the text of every file.
type texts struct{}

var textSchema = store.Schema{Name: "texts", Version: 1,
	SQL: "CREATE TABLE IF NOT EXISTS texts(file_id INTEGER PRIMARY KEY, text BLOB NOT NULL);"}

func (texts) Prepare(_ context.Context, f *code.File) Write {
	text := f.Text
	return func(ctx context.Context, tx *store.Tx, id int64) error {
		_, err := tx.Exec(ctx, "INSERT INTO texts(file_id, text) VALUES(?,?) "+
			"ON CONFLICT(file_id) DO UPDATE SET text=excluded.text", id, text)
		return err
	}
}

func (texts) Delete(ctx context.Context, tx *store.Tx, id int64) error {
	_, err := tx.Exec(ctx, "DELETE FROM texts WHERE file_id=?", id)
	return err
}

// linesAsSymbols extracts a symbol for each line that starts with "func ".
func linesAsSymbols(path string, text []byte) (code.File, error) {
	f := code.File{Path: path, Text: text, Parsed: true}
	for i, line := range strings.Split(string(text), "\n") {
		if name, ok := strings.CutPrefix(line, "func "); ok {
			f.Symbols = append(f.Symbols, code.Symbol{Kind: code.KindFunction, Name: name,
				Span: code.Span{StartLine: i + 1, EndLine: i + 1}})
		}
	}
	if strings.Contains(string(text), "PANIC") {
		panic("the extractor met its match")
	}
	return f, nil
}

// world is a root in a temporary directory, with its Roots.
type world struct {
	t    testing.TB
	dir  string // absolute path of the root
	home string
	opt  Options
	rs   *Roots
	r    *Root
}

// testOptions has a budget that suffices on any machine, so that a Sync without
// pending files is complete.
func testOptions(home string) Options {
	return Options{
		Home: home, Extract: linesAsSymbols, Tiers: []Indexer{texts{}}, Schemas: []store.Schema{textSchema},
		Watch: WatchOff, Workers: 2, Budget: time.Hour,
	}
}

// newWorld indexes a root with the given files. change, if not nil, alters the
// options.
func newWorld(t testing.TB, files map[string]string, change func(*Options)) *world {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, dir: filepath.Join(base, "root"), home: filepath.Join(base, "home")}
	w.opt = testOptions(w.home)
	if change != nil {
		change(&w.opt)
	}
	w.must(os.MkdirAll(w.dir, 0o755))
	for p, text := range files {
		w.write(p, text)
	}
	w.open()
	w.must(w.r.Build(t.Context(), "create", nil))
	return w
}

// open opens the Roots and tracks dir.
func (w *world) open() {
	w.t.Helper()
	rs, err := Open(w.t.Context(), w.opt)
	w.must(err)
	w.rs = rs
	w.t.Cleanup(func() { w.must(rs.Close()) })
	w.r, err = rs.Track(w.t.Context(), w.dir, Policy{})
	w.must(err)
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) abs(p string) string { return filepath.Join(w.dir, filepath.FromSlash(p)) }

func (w *world) write(p, text string) {
	w.t.Helper()
	w.must(os.MkdirAll(filepath.Dir(w.abs(p)), 0o755))
	w.must(os.WriteFile(w.abs(p), []byte(text), 0o644))
}

func (w *world) sync() Report {
	w.t.Helper()
	rep, err := w.r.Sync(w.t.Context())
	w.must(err)
	return rep
}

// indexed returns the text of every indexed file, as the tier stored it.
func (w *world) indexed() map[string]string { return w.indexedIn(w.r) }

func (w *world) indexedIn(r *Root) map[string]string {
	w.t.Helper()
	got := map[string]string{}
	w.must(r.View(w.t.Context(), func(v *View) error {
		rows, err := v.Query(w.t.Context(), "SELECT f.path, f.hash, t.text FROM files f "+
			"LEFT JOIN texts t ON t.file_id=f.id WHERE f.skip=''")
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var p string
			var hash, text []byte
			if err := rows.Scan(&p, &hash, &text); err != nil {
				return err
			}
			if code.Hash(hash) != store.HashText(text) {
				w.t.Errorf("%s: the row's hash is not that of the tier's text %q", p, text)
			}
			got[p] = string(text)
		}
		if err := rows.Err(); err != nil {
			return err
		}
		var orphans int
		const count = "SELECT count(*) FROM texts WHERE file_id NOT IN (SELECT id FROM files WHERE skip='')"
		if _, err := v.QueryRow(w.t.Context(), count, nil, &orphans); err != nil {
			return err
		}
		if orphans != 0 {
			w.t.Errorf("%d rows of the tier belong to no indexed file", orphans)
		}
		return nil
	}))
	return got
}

// inventory returns the inventory of the present index.
func (w *world) inventory() *Inventory {
	w.t.Helper()
	var i *Inventory
	w.must(w.r.View(w.t.Context(), func(v *View) (err error) {
		i, err = w.r.Inventory(w.t.Context(), v)
		return err
	}))
	return i
}

// onDisk returns the text of every file of the root that must be indexed. Its
// walk shares no code with the code under test. ignored reports whether the
// rules of the test ignore a path.
func (w *world) onDisk(ignored func(p string) bool) map[string]string {
	w.t.Helper()
	want := map[string]string{}
	w.must(filepath.WalkDir(w.dir, func(abs string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		p, err := filepath.Rel(w.dir, abs)
		if err != nil {
			return err
		}
		switch {
		case d.Name() == ".git":
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir() || !d.Type().IsRegular() || ignored != nil && ignored(p):
			return nil
		}
		text, err := os.ReadFile(abs)
		want[filepath.ToSlash(p)] = string(text)
		return err
	}))
	return want
}

// check compares the index with the disk.
func (w *world) check(after string, ignored func(p string) bool) {
	w.t.Helper()
	if diff := difference(w.indexed(), w.onDisk(ignored)); diff != "" {
		w.t.Fatalf("after %s the index is not the disk:\n%s", after, diff)
	}
}

func difference(got, want map[string]string) string {
	var b strings.Builder
	for p := range maps.Keys(want) {
		if text, ok := got[p]; !ok {
			fmt.Fprintf(&b, "  %s is missing\n", p)
		} else if text != want[p] {
			fmt.Fprintf(&b, "  %s is %.60q, want %.60q\n", p, text, want[p])
		}
	}
	for p := range got {
		if _, ok := want[p]; !ok {
			fmt.Fprintf(&b, "  %s is not on disk\n", p)
		}
	}
	return b.String()
}

// awaitWatcher syncs until the watcher vouches.
func (w *world) awaitWatcher() {
	w.t.Helper()
	for range 200 {
		if rep := w.sync(); rep.Vouched {
			return
		}
		w.r.watch.settle()
	}
	w.t.Fatalf("the watcher never vouched: %+v", w.r.watch.state())
}

// settle waits for the instance that is being built.
func (w *watcher) settle() {
	w.mu.Lock()
	ready := w.ready
	w.mu.Unlock()
	if ready != nil {
		<-ready
	}
}

// fakeClock is a clock that tests set.
type fakeClock struct{ ns atomic.Int64 }

func newFakeClock() *fakeClock {
	c := &fakeClock{}
	c.ns.Store(time.Now().UnixNano())
	return c
}

func (c *fakeClock) now() time.Time          { return time.Unix(0, c.ns.Load()) }
func (c *fakeClock) advance(d time.Duration) { c.ns.Add(int64(d)) }

func wantError(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("error %v, want %v", err, want)
	}
}
