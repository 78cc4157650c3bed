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

// Extractor extracts the symbols, calls and other facts of a file from its text. It is called in
// parallel, and its result must depend on its arguments alone. path is relative to the root. A
// File that is returned together with an error is indexed too, with those facts that it has.
type Extractor func(path string, text []byte) (code.File, error)

// Write replaces the rows of one tier, such as the word index, for one file.
type Write = func(ctx context.Context, tx *store.Tx, fileID int64) error

// Indexer is the part of a tier (the word index, the symbol index) that writes the rows of a file.
type Indexer interface {
	// Prepare does the work that needs no database, and returns the function that
	// writes the rows. It is called in parallel and must not modify f. If ctx ends
	// meanwhile, it returns soon, and its result is not used.
	Prepare(ctx context.Context, f *code.File) Write
	// Delete removes the rows of a file, if there are any.
	Delete(ctx context.Context, tx *store.Tx, fileID int64) error
}

// Merger is an Indexer with work that waits until the root is idle, such as merging segments of
// an index. Merge does a limited part of the work and reports whether more is left.
type Merger interface {
	Merge(ctx context.Context, tx *store.Tx) (more bool, err error)
}

// Trailer is an Indexer with late rows, such as the vectors of an embedding server. Late rows may
// be missing for a while, because computing them is slow or may fail. They are written in the
// background.
type Trailer interface {
	// Behind returns the ids of at most max files that lack late rows, searched
	// in the order of ids above after. next is the argument after of the next
	// call, 0 when the search is complete.
	Behind(ctx context.Context, v *store.View, after int64, max int) (files []int64, next int64, err error)
	// Late computes the late rows of files, by id. It may take long; it returns early if ctx
	// ends.
	Late(ctx context.Context, view func(context.Context, func(*store.View) error) error,
		files map[int64]*code.File) (map[int64]Write, error)
	// CaughtUp records that no file lacks late rows, if that is still so.
	CaughtUp(ctx context.Context, tx *store.Tx) error
}

// The interface of this package contains these types of package store, so that packages above it
// need not import the store.
type (
	View      = store.View
	Tx        = store.Tx
	Identity  = store.Identity
	FileRow   = store.FileRow
	FileRef   = store.FileRef
	Holder    = store.Holder
	HeldError = store.HeldError
	// DamagedError says why a damaged index has not been rebuilt yet.
	DamagedError = store.DamagedError
	Policy       = workspace.Policy
)

// WatchMode selects whether to watch a root for changes.
type WatchMode uint8

const (
	WatchAuto WatchMode = iota // watch the root if the system and its limits allow it
	WatchOff                   // do not watch: every Sync compares all files
)

// Options configures Open. Home and Extract are required.
type Options struct {
	Home    string // absolute folder of the catalog and of all databases
	Extract Extractor
	Tiers   []Indexer
	Schemas []store.Schema // table definitions of the tiers
	Watch   WatchMode
	Version string // version of this program, which is shown to processes that wait for a lock
	Workers int    // number of parallel readers and extractors; 0 means one per CPU
	// Budget is the longest time that a Sync waits for indexing. After it, indexing continues in
	// the background, and the report says so. 0 means 1.5 s.
	Budget time.Duration
	Clock  func() time.Time // nil means time.Now
	// Moved is called after each commit with the files whose rows were added, changed or removed,
	// unless it is nil. It is called from any goroutine and must return quickly.
	Moved func(Moves)
	// Readers is the number of read connections to each database; 0 means the
	// store's default.
	Readers int
}

// Moves lists the files that were added, changed or removed, as absolute paths. Changes by
// another process are reported as Changed even if the file is new.
type Moves struct{ Created, Changed, Removed []string }

// defaultBudget is the default of Options.Budget, a delay that an agent accepts
// after a branch switch. Some 1,500 files are indexed in that time.
const defaultBudget = 1500 * time.Millisecond

// withDefaults returns o with defaults for the zero fields.
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

// now returns the time of the clock in ns since the epoch, the unit of stat
// keys.
func (o *Options) now() int64 { return o.Clock().UnixNano() }

// schemas returns all schemas of a root's database except the store's own.
func (o *Options) schemas() []store.Schema {
	return append([]store.Schema{logSchema}, o.Schemas...)
}

// These are the errors on which callers branch.
var (
	// ErrNotTracked means that no tracked root contains the path.
	ErrNotTracked = errors.New("no tracked root owns the path")
	// ErrMoved means that the file has changed since it was indexed. The caller should call
	// Verify and retry.
	ErrMoved = errors.New("the file changed since it was indexed")
	// ErrNotIndexed means that the index has no text of the file.
	ErrNotIndexed = errors.New("the file is not in the index")
	// ErrIgnored means that a rule ignores the file. ErrApart, which wraps ErrIgnored, means that
	// the file is in another checkout. ErrOutside means that it is not below the root, ErrSymlink
	// that it is a symbolic link or behind one.
	ErrIgnored, ErrApart   = workspace.ErrIgnored, workspace.ErrApart
	ErrOutside, ErrSymlink = workspace.ErrOutside, workspace.ErrSymlink
	// ErrUnverified means that the file is indexed but cannot be read now.
	ErrUnverified = errors.New("the file cannot be read")
	// ErrClosed means that the root or the set of roots was closed or cleared.
	ErrClosed = store.ErrClosed
	// ErrReplaced means that the index was cleared, rebuilt or found damaged while it was used,
	// by this or another process. The caller should retry.
	ErrReplaced = store.ErrReplaced
)

// FullError is store.FullError: the disk has no room for the index.
type FullError = store.FullError
