package jit

import (
	"context"
	"errors"
	"runtime"
	"time"

	"sextant/internal/code"
	"sextant/internal/store"
	"sextant/internal/workspace"
)

// Extractor reads the facts of one file from its text. It is pure and called
// in parallel; path is relative to the root. A File that comes with an error
// is indexed all the same: it is what could be read.
type Extractor func(path string, text []byte) (code.File, error)

// Write replaces the rows that a tier has of one file.
type Write = func(ctx context.Context, tx *store.Tx, fileID int64) error

// Indexer is one tier's share of the rows of a file.
type Indexer interface {
	// Prepare does the work that needs no database. It is called in parallel,
	// and f is not to be modified.
	Prepare(f *code.File) Write
	// Delete removes the rows of a file; it has no effect when there are none.
	Delete(ctx context.Context, tx *store.Tx, fileID int64) error
}

// Merger is an Indexer with housekeeping to do while nobody waits: Merge does
// a bounded share of it and reports whether more is left.
type Merger interface {
	Merge(ctx context.Context, tx *store.Tx) (more bool, err error)
}

// Trailer is an Indexer some of whose rows may come later than the file's
// other rows, because making them is slow or may fail. They are made in the
// background, where nobody waits for them.
type Trailer interface {
	// Behind is files that lack such rows, at most max, looked for behind
	// after, and where the next call goes on: 0 at the end.
	Behind(ctx context.Context, v *store.View, after int64, max int) (files []int64, next int64, err error)
	// Late makes the rows of files, by id. It may take long, and ends with ctx.
	Late(ctx context.Context, view func(context.Context, func(*store.View) error) error, files map[int64]*code.File) (map[int64]Write, error)
	// CaughtUp notes that nothing is behind, if that is so.
	CaughtUp(ctx context.Context, tx *store.Tx) error
}

// These names of package store are part of this package's interface, so that
// what stands above the gate need not import the store.
type (
	View      = store.View
	Tx        = store.Tx
	FileRow   = store.FileRow
	FileRef   = store.FileRef
	Holder    = store.Holder
	HeldError = store.HeldError
	// DamagedError says why a damaged index is not made anew yet.
	DamagedError = store.DamagedError
	Policy       = workspace.Policy
)

// WatchMode says whether a root is watched.
type WatchMode uint8

const (
	WatchAuto WatchMode = iota // where the system and its limits allow it
	WatchOff                   // every Sync sweeps
)

// Options of Open. Home and Extract are required.
type Options struct {
	Home    string // absolute folder of the catalog and of every root's database
	Extract Extractor
	Tiers   []Indexer
	Schemas []store.Schema // of the tiers
	Watch   WatchMode
	Version string // of the program, for those that a lock keeps waiting
	Workers int    // parallel readers and extractors; 0 means one per CPU
	// Budget is how long a Sync indexes before it leaves the rest to the
	// background and says so; 0 means 1.5 s.
	Budget time.Duration
	Clock  func() time.Time // nil means time.Now
	// Moved, if not nil, hears of every file whose row came, changed or went,
	// by its absolute path, when the change has been committed. It is called
	// from any goroutine and must be quick.
	Moved func(Moves)
	// Readers is the number of database connections for reading a root; 0
	// means the store's default.
	Readers int
}

// Moves is files that came, changed or went; the paths are absolute. What
// another process indexed counts as changed where it may have come.
type Moves struct{ Created, Changed, Removed []string }

// defaultBudget keeps an answer after a branch switch within what an agent
// waits for; some 1,500 files are indexed in it.
const defaultBudget = 1500 * time.Millisecond

func (o Options) withDefaults() (Options, error) {
	if o.Home == "" || o.Extract == nil {
		return o, errors.New("open roots: Home and Extract are required")
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Budget <= 0 {
		o.Budget = defaultBudget
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	return o, nil
}

// now is the clock in ns since the epoch, as stat keys have it.
func (o *Options) now() int64 { return o.Clock().UnixNano() }

// schemas is every schema of a root's database but the store's own.
func (o *Options) schemas() []store.Schema {
	return append([]store.Schema{logSchema}, o.Schemas...)
}

// Errors that callers branch on.
var (
	// ErrNotTracked: no tracked root owns the path.
	ErrNotTracked = errors.New("no tracked root owns the path")
	// ErrMoved: the bytes on disk are not the indexed ones; Verify, then ask again.
	ErrMoved = errors.New("the file changed since it was indexed")
	// ErrNotIndexed: the index has no text of the file.
	ErrNotIndexed = errors.New("the file is not in the index")
	// ErrIgnored: a rule keeps the file out. ErrApart, which also is ErrIgnored:
	// the file is in a checkout of its own. ErrOutside: it is not below the root.
	// ErrSymlink: a link is on the way to it, or it is one.
	ErrIgnored, ErrApart, ErrOutside, ErrSymlink = workspace.ErrIgnored, workspace.ErrApart, workspace.ErrOutside, workspace.ErrSymlink
	// ErrUnverified: the file is in the index, and cannot be read now.
	ErrUnverified = errors.New("the file cannot be read")
	// ErrClosed: the root or the set of roots was closed or cleared.
	ErrClosed = store.ErrClosed
	// ErrReplaced: the index was cleared, made anew or found damaged while it was
	// used, by whichever process. Ask again.
	ErrReplaced = store.ErrReplaced
)
