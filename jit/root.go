package jit

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"sextant/internal/lang"
	"sextant/internal/store"
	"sextant/internal/workspace"
)

// Root is one tracked root with its index. It is safe for concurrent use, and
// other processes may work on the same root.
type Root struct {
	path  string // absolute, links resolved
	dir   string // of the database and the locks
	asked string // the policy as the catalog has it
	opt   *Options
	disk  *disk

	table *table
	// unsaved is how many rows changed since the last snapshot, about.
	unsaved atomic.Int64
	// suspect holds files that the next Sync has to look at whatever the
	// watcher says; pending those that are being indexed.
	suspect, pending pathSet

	// commitMu orders transactions and what they make of the table.
	commitMu sync.Mutex

	db *store.Keeper
	// lost counts the databases of this root that were given up, over all its
	// handles.
	lost *atomic.Int64

	flights   flights
	build     building
	git       gitView
	services  serviceView
	inventory atomic.Pointer[inventory] // what Status counted last; nil before
	watch     *watcher                  // nil when the root is not to be watched
	tended    sync.Once
	late      *semaphore.Weighted // of weight 1: who makes late rows in this process

	// ctx ends with Close, and with it all that runs in the background; wg
	// waits for that. owned guards wg against an Add behind Close's Wait.
	ctx    context.Context
	cancel context.CancelFunc
	owned  sync.Mutex
	wg     sync.WaitGroup

	syncMu    sync.Mutex
	lastUsed  time.Time // guarded by syncMu; when a caller last asked
	lastSync  time.Time // guarded by syncMu
	lastSweep time.Time // guarded by syncMu
	merged    int64     // guarded by syncMu; the generation after which the tiers had nothing to merge
	trailed   int64     // guarded by syncMu; the generation of which no late rows were missing
}

// openRoot opens the index of path. The directory dir is made when missing. The
// counter lost is raised with every database that is given up.
func openRoot(ctx context.Context, path, dir string, p Policy, opt *Options, lost *atomic.Int64) (*Root, error) {
	if rel, ok := strings.CutPrefix(dir, path+"/"); ok {
		// The home lies in the root. It is no part of it, and would never be at rest.
		top, _, _ := strings.Cut(rel, "/roots/")
		p.IgnorePatterns = append(slices.Clone(p.IgnorePatterns), "/"+top+"/")
	}
	disk, err := openDisk(path, p)
	if err != nil {
		return nil, err
	}
	r := &Root{path: path, dir: dir, opt: opt, disk: disk, table: newTable(), lost: lost, late: semaphore.NewWeighted(1)}
	r.ctx, r.cancel = context.WithCancel(context.WithoutCancel(ctx))
	r.git.git = workspace.NewGit(disk.Tree)
	if opt.Watch == WatchAuto {
		r.watch = newWatcher(r)
	}
	r.db, err = store.Keep(store.KeeperOptions{Options: store.Options{Dir: dir, Schemas: opt.schemas(), Readers: opt.Readers}, Clock: opt.Clock, Lost: r.forget})
	return r, err
}

// Path is the absolute path of the root, links resolved.
func (r *Root) Path() string { return r.path }

// Problems is what cannot be used of the rules that decide what is indexed
// (sextant.toml, ignore files, git's index), one line each.
func (r *Root) Problems() []string { return r.disk.Problems() }

// Dir is the folder that holds the root's database and locks.
func (r *Root) Dir() string { return r.dir }

// spawn runs fn in a goroutine that Close waits for; it reports false when the
// root is closed.
func (r *Root) spawn(fn func(context.Context)) bool {
	r.owned.Lock()
	defer r.owned.Unlock()
	if r.ctx.Err() != nil {
		return false
	}
	r.wg.Go(func() { fn(r.ctx) })
	return true
}

// Go runs fn in the background until it returns or the root is closed, which
// ends its context and waits for it. It reports false when the root is closed.
func (r *Root) Go(fn func(context.Context)) bool { return r.spawn(fn) }

// Close ends what runs in the background and closes the database.
func (r *Root) Close() error {
	r.owned.Lock()
	r.cancel()
	r.owned.Unlock()
	if r.watch != nil {
		r.watch.stop()
	}
	r.wg.Wait()
	// Only a cold cache is lost when this fails.
	_ = r.flushTouched(context.Background())
	r.lost.Add(1)
	return r.db.Close()
}

// forget drops what was known of a database that was given up.
func (r *Root) forget() {
	r.lost.Add(1)
	r.replaceTable(newTable())
	r.sweepNext() // what the watcher said was written to the old one
}

// View runs fn on a snapshot of the index; all that fn reads is of one
// generation. What it reads is as fresh as the Sync before and is verified
// after with Verify. ErrReplaced says that the index was cleared, made anew or
// found damaged: Sync, and ask again.
func (r *Root) View(ctx context.Context, fn func(*View) error) error { return r.db.View(ctx, fn) }

// Keep runs fn in a write transaction, for rows that the generation does not
// count: what a tier keeps beside the facts of files, and can do without.
func (r *Root) Keep(ctx context.Context, fn func(*Tx) error) error { return r.db.Update(ctx, fn) }

// Read is the bytes of an indexed file as they are on disk now, which are the
// bytes that its rows were made from, and its row. ErrMoved says that they
// are not: Verify the path and ask again. ErrNotIndexed comes with the row
// where the file was skipped, and ErrUnverified where the file cannot be read.
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
	text, _, err = r.disk.read(path)
	if err != nil {
		return nil, row, readError(path, err)
	}
	if store.HashText(text) != row.Hash {
		return nil, row, fmt.Errorf("read %s: %w", path, ErrMoved)
	}
	return text, row, nil
}

// Dirty reports whether the file is known to have changed and is not indexed
// yet: its rows are only to be used after Verify.
func (r *Root) Dirty(path string) bool { return r.pending.has(path) || r.suspect.has(path) }

func languageOf(path string, head []byte) string {
	if l, ok := lang.DetectText(path, head[:min(len(head), 256)]); ok {
		return l.Name
	}
	return ""
}
