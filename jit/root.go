package jit

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"sextant/internal/background"
	"sextant/internal/code"
	"sextant/internal/lang"
	"sextant/internal/store"
	"sextant/internal/workspace"
)

// Root is one tracked root with its index. It is safe for concurrent use, and
// other processes may work on the same root.
type Root struct {
	path  string // absolute, symbolic links resolved
	dir   string // folder of the database and the locks
	asked string // the root's policy as the catalog stores it
	opt   *Options
	disk  *disk

	table *table
	// unsaved is the approximate number of rows changed since the last snapshot of the files
	// table.
	unsaved atomic.Int64
	left    atomic.Bool // whether another call was indexing a file that the last Sync found changed
	// suspect holds files that the next Sync must check even if the watcher
	// reports no event for them. pending holds files that are being indexed.
	suspect, pending pathSet
	// stuck is the result of the last attempt to index changed files.
	stuck atomic.Pointer[failure]

	// commitMu is held during a commit and the update of the table that
	// follows.
	commitMu sync.Mutex

	db *store.Keeper
	// lost counts how often the database of this root was given up: cleared, rebuilt, found damaged
	// or closed. All Roots that were opened for the same path share the counter.
	lost *atomic.Int64

	flights  flights
	inspect  inspector
	build    building
	git      gitView
	services serviceView
	watch    *watcher // nil if the root is not watched
	upkeep   upkeep

	group *background.Group // everything that runs in the background; Close closes it

	syncMu    sync.Mutex
	lastUsed  time.Time // guarded by syncMu; time of the last request
	lastSync  time.Time // guarded by syncMu
	lastSweep time.Time // guarded by syncMu
}

// openRoot opens the index of path in folder dir, or creates it. It increments lost whenever the
// database is given up, because it was cleared, rebuilt, found damaged or closed.
func openRoot(ctx context.Context, path, dir string, p Policy, opt *Options, lost *atomic.Int64) (*Root, error) {
	if rel, ok := homeWithin(path, opt.Home); ok { // indexing would change the files of the root without end
		p.IgnorePatterns = append(slices.Clone(p.IgnorePatterns), "/"+workspace.Literal(rel)+"/")
	}
	disk, err := openDisk(path, p)
	if err != nil {
		return nil, err
	}
	r := &Root{path: path, dir: dir, opt: opt, disk: disk, table: newTable(), lost: lost}
	r.inspect = inspector{disk: disk, table: r.table, opt: opt}
	r.build.root, r.services.root = r, r
	r.upkeep.root, r.upkeep.late = r, semaphore.NewWeighted(1)
	r.group = background.NewGroup(ctx)
	r.git.git = workspace.NewGit(disk.Tree)
	if opt.Watch == WatchAuto {
		r.watch = newWatcher(r)
	}
	r.db, err = store.Keep(ctx, store.KeeperOptions{
		Options: store.Options{Dir: dir, Schemas: opt.schemas(), Readers: opt.Readers},
		Clock:   opt.Clock,
		Lost:    r.forget,
	})
	return r, err
}

// homeWithin returns the path of the folder home relative to the root at path. It reports false if home is
// not below the root.
func homeWithin(path, home string) (rel string, ok bool) {
	if real, err := filepath.EvalSymlinks(home); err == nil {
		home = real
	}
	rel, err := filepath.Rel(path, home)
	if err != nil || rel == "." || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// HasNamed reports whether fits is true for the base name of an indexed file, as of the last Sync. It calls fits for
// every file if there is none, which takes some 30 ms for 100,000 files.
func (r *Root) HasNamed(fits func(base string) bool) bool { return r.table.named(fits) }

// Path returns the absolute path of the root, with symbolic links resolved.
func (r *Root) Path() string { return r.path }

// Problems returns the errors in the rules that decide what is indexed
// (sextant.toml, ignore files, the git index), one line each.
func (r *Root) Problems() []string { return r.disk.Problems() }

// Dir returns the folder of the root's database and locks.
func (r *Root) Dir() string { return r.dir }

// Go runs fn in the background. Close cancels its context and waits for it. Go returns false
// without running fn if the root is closed.
func (r *Root) Go(fn func(context.Context)) bool { return r.group.Go(fn) }

// Close stops the background work and closes the database.
func (r *Root) Close() error {
	r.group.Stop()
	if r.watch != nil {
		r.watch.stop()
	}
	r.group.Wait()
	// If this fails, the next process must hash some files again.
	_ = r.flushTouched(context.Background())
	r.lost.Add(1)
	return r.db.Close()
}

// forget drops all data in memory that came from a database that is no longer in use.
func (r *Root) forget() {
	r.lost.Add(1)
	r.replaceTable(newTable())
	r.sweepNext() // the events that the watcher reported were for the old database
}

// View runs fn on a snapshot of the index; all data that fn reads has the same generation. The
// snapshot is as fresh as the last Sync; check the files that the answer uses with Verify
// afterwards. ErrReplaced means that the index was cleared, rebuilt or found damaged: call Sync
// and retry.
func (r *Root) View(ctx context.Context, fn func(*View) error) error { return r.db.View(ctx, fn) }

// Keep runs fn in a write transaction that does not change the generation. It is for rows that do
// not come from the text of a file, such as caches.
func (r *Root) Keep(ctx context.Context, fn func(*Tx) error) error { return r.db.Update(ctx, fn) }

// Read returns the text of an indexed file and its row. It compares the bytes on disk with the
// row's hash. The error is ErrMoved if they differ: call Verify and retry. It is ErrNotIndexed if
// the file has no text in the index; the row gives the reason if the file was skipped. It is
// ErrUnverified if the file cannot be read.
func (r *Root) Read(ctx context.Context, path string) (text []byte, row FileRow, err error) {
	var found bool
	err = r.View(ctx, func(v *View) (err error) {
		row, found, err = v.File(ctx, path)
		return err
	})
	switch {
	case err != nil:
		return nil, row, fmt.Errorf("read %s: %w", path, err)
	case !found || row.Skip != "":
		return nil, row, fmt.Errorf("read %s: %w", path, ErrNotIndexed)
	}
	text, err = r.ReadAs(path, row.Hash)
	return text, row, err
}

// ReadAs reads a file like Read, but without a query of the index, for a caller that knows the
// file's hash in the index. The error is ErrMoved if the bytes on disk have another hash.
func (r *Root) ReadAs(path string, hash code.Hash) (text []byte, err error) {
	text, same, err := r.disk.readAs(path, hash)
	if err != nil {
		return nil, readError(path, err)
	}
	if !same {
		return nil, fmt.Errorf("read %s: %w", path, ErrMoved)
	}
	return text, nil
}

// Dirty reports whether the file is known to have changed and is not indexed
// yet: its rows are valid only after Verify.
func (r *Root) Dirty(path string) bool { return r.pending.has(path) || r.suspect.has(path) }

// Pointers returns the files whose content git-lfs has not fetched, as of the last
// Sync, sorted.
func (r *Root) Pointers() []string {
	return slices.Sorted(slices.Values(r.table.missing(workspace.SkipLFSPointer)))
}

// maxPeeks bounds the files of which TooLarge reads the beginning.
const maxPeeks = 100

// TooLarge returns the files of text that are not indexed because of their size and for which fits is true, as of
// the last Sync, sorted. Of more than maxPeeks files it returns the first.
func (r *Root) TooLarge(fits func(path, language string) bool) (paths []string) {
	peeks := 0
	for _, p := range slices.Sorted(slices.Values(r.table.missing(workspace.SkipTooLarge))) {
		if peeks == maxPeeks {
			break
		}
		if !fits(p, languageOf(p, nil)) {
			continue
		}
		if peeks++; r.disk.Textual(p) {
			paths = append(paths, p)
		}
	}
	return paths
}

// Apart returns the directories below the root that are checkouts of their own, and therefore not indexed with it.
func (r *Root) Apart() []string { return r.disk.Apart() }

// languageOf returns the language of a file, "" if unknown.
func languageOf(path string, head []byte) string {
	if l, ok := lang.DetectText(path, head[:min(len(head), 256)]); ok {
		return l.Name
	}
	return ""
}
