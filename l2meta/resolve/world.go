package resolve

import (
	"cmp"
	"context"
	"slices"
	"time"
	"unsafe"

	"sextant/internal/store"
	"sextant/l2meta"
)

// World is the input of resolution: one generation of a root's index. After the first error its
// look-ups return nothing, and Err returns the error. It serves one goroutine.
type World struct {
	ctx   context.Context
	view  *store.View
	index l2meta.Index
	snap  *snapshot
	known *ledger // verdicts are read here: the cache's ledger, or an empty one in a Settle
	err   error

	renaming *ledger // renames are read here: the cache's ledger, also in a Settle

	languages Languages
	partial   partiality
	until     time.Time // see Until; zero for no bound

	// overall holds the values that were derived from the whole workspace, under keys without
	// content. The cache may drop derived values at any time to free memory. If it dropped the
	// list of all routes while a query still uses it, the query would read all files with routes
	// again.
	overall map[any]derived

	frames []frame // derivations in progress
	site   int     // number of frames that were in progress when the innermost apart began
	depth  int     // number of evaluations in progress
	steps  int     // number of evaluations for the current call site
}

// maxDepth and maxSteps bound the evaluations of one call site: their nesting and their number.
// Without them, assignments that refer to each other would never end.
const (
	maxDepth = 200
	maxSteps = 20_000
)

// Enter begins an evaluation. It returns false if a bound is reached. Then the values that are
// being derived are incomplete and are not kept. Values whose derivation began before the
// innermost call of apart are an exception.
func (w *World) Enter() bool {
	if w.depth >= maxDepth || w.steps >= maxSteps {
		w.taint(w.site)
		return false
	}
	w.depth++
	w.steps++
	return true
}

// hurried reports whether the time is over that Until set. The values that are being derived are then
// incomplete and not kept.
func (w *World) hurried() bool {
	if w.until.IsZero() || time.Now().Before(w.until) {
		return false
	}
	w.taint(0)
	return true
}

// Leave ends an evaluation that Enter has begun.
func (w *World) Leave() {
	if w.depth--; w.depth == 0 {
		w.steps = 0
	}
}

// apart runs an evaluation that may reach a bound. If it does, the values that were being derived
// before are kept, although this result is incomplete. It is used for the verdict of one call
// site, and for the declarations that may run instead of one symbol. So a type that contains
// itself does not make the results about many others incomplete.
func (w *World) apart(evaluate func()) {
	outer := w.site
	defer func() { w.site = outer }()
	w.site = len(w.frames)
	evaluate()
}

// taint marks the derivations w.frames[i:] as incomplete, so that Derive does not keep them.
func (w *World) taint(i int) {
	for ; i < len(w.frames); i++ {
		w.frames[i].tainted = true
	}
}

type frame struct {
	key     any
	tainted bool // whether it is incomplete, because it depends on a derivation in progress or reached a bound
	ranged  bool // whether it depends on a look-up of the files whose base names are in a range
	reads   readings
}

func newWorld(ctx context.Context, view *store.View, cache *Cache, generation int64) *World {
	return &World{ctx: ctx, view: view, snap: cache.snapshot(generation), known: &cache.ledger,
		renaming: &cache.ledger, languages: cache.languages}
}

// Err returns the first error of a lookup.
func (w *World) Err() error {
	if w.err == nil {
		w.err = w.ctx.Err()
	}
	return w.err
}

// ok keeps err if it is the first error, and reports whether there has been no error so far.
func (w *World) ok(err error) bool {
	if w.err == nil {
		w.err = err
	}
	return w.err == nil
}

// Derive returns the result of make for key, computed once per generation. If make, directly or
// indirectly, requests its own key again, that request yields the zero value, and the results that
// depend on it are not kept. After an error, and once the context has ended, Derive returns the
// zero value unless the result is kept already, so callers must check Err before they use it. Keys
// of different meaning have different types.
func Derive[K comparable, V any](w *World, key K, make func() V) V {
	return derive(w, key, make, func(d derived) int64 { return d.bytes(key) })
}

// derive implements Derive. bytes estimates the bytes that the value takes in the snapshot.
func derive[K comparable, V any](w *World, key K, make func() V, bytes func(derived) int64) V {
	if v, ok := w.kept(key); ok {
		return v.(V)
	}
	for i := range w.frames {
		if w.frames[i].key == any(key) {
			w.taint(i + 1)
			var none V
			return none
		}
	}
	if len(w.frames) >= maxFrames {
		w.taint(w.site)
		var none V
		return none
	}
	if w.Err() != nil {
		var none V
		return none
	}
	w.frames = append(w.frames, frame{key: key})
	v := make()
	last := len(w.frames) - 1
	done := w.frames[last]
	rests := done.reads.sum()
	w.frames = w.frames[:last]
	w.read(rests)
	if w.Err() == nil && !done.tainted {
		d := derived{v, rests, done.ranged}
		w.snap.keep(key, d, bytes(d))
		if unsafe.Sizeof(key) == 0 {
			w.holdOverall(key, d)
		}
	}
	return v
}

// maxFrames bounds the nesting of derivations; no real chain of types is longer.
const maxFrames = 64

func (w *World) kept(key any) (any, bool) {
	d, ok := w.overall[key]
	if !ok {
		w.snap.mu.Lock()
		d, ok = w.snap.memo[key]
		w.snap.mu.Unlock()
	}
	w.read(d.rests)
	if d.ranged {
		w.readRange()
	}
	return d.value, ok
}

// holdOverall keeps a value derived from the whole workspace for as long as the query runs.
func (w *World) holdOverall(key any, d derived) {
	if w.overall == nil {
		w.overall = map[any]derived{}
	}
	w.overall[key] = d
}

// These are the keys of the following look-ups.
type (
	dirKey       string
	baseKey      string
	rangeKey     [2]string
	pathKey      string
	placeKey     int64
	belowKey     string
	namedKey     string
	foldedKey    string
	callingKey   string
	accessingKey string
	renamingKey  string
	extendingKey string
	givingKey    string
)

// Dir returns the indexed files directly in a directory ("" is the root), by path.
func (w *World) Dir(dir string) []store.FileRef {
	return w.refs(dirKey(dir), func() ([]store.FileRef, error) {
		w.note(readDir, dir)
		return w.view.FilesIn(w.ctx, dir)
	})
}

// Below returns the indexed files in a directory ("" is the root) or below it, by path. The look-up
// is not recorded as a dependency (reads.go), so no verdict may depend on it.
func (w *World) Below(dir string) (out []store.FileRef) {
	out, err := w.view.FilesBelow(w.ctx, dir)
	w.ok(err)
	return out
}

// Base returns the indexed files of that base name, by path.
func (w *World) Base(name string) []store.FileRef {
	return w.refs(baseKey(name), func() ([]store.FileRef, error) {
		w.note(readBase, name)
		return w.view.FilesNamed(w.ctx, name)
	})
}

// BasesBetween returns the indexed files whose base name is in [low, high), by path.
func (w *World) BasesBetween(low, high string) []store.FileRef {
	return w.refs(rangeKey{low, high}, func() ([]store.FileRef, error) {
		w.noteRange(low, high)
		return w.view.FilesBetween(w.ctx, low, high)
	})
}

// Has reports whether the root has an indexed file at a path.
func (w *World) Has(path string) bool { return len(w.At(path)) > 0 }

// At returns the indexed file at a path; none or one.
func (w *World) At(path string) []store.FileRef {
	return w.refs(pathKey(path), func() ([]store.FileRef, error) {
		w.note(readPath, path)
		return w.view.FileAt(w.ctx, path)
	})
}

func (w *World) refs(key any, ask func() ([]store.FileRef, error)) []store.FileRef {
	return DeriveDetached(w, key, func() []store.FileRef {
		if w.Err() != nil {
			return nil
		}
		out, err := ask()
		w.ok(err)
		return out
	})
}

// HasDir reports whether an indexed file is in a directory or below it.
func (w *World) HasDir(dir string) bool {
	return DeriveDetached(w, belowKey(dir), func() bool {
		if w.Err() != nil {
			return false
		}
		w.note(readBelow, dir)
		found, err := w.view.AnyBelow(w.ctx, dir)
		w.ok(err)
		return found
	})
}

// File returns the file at a path; nil if there is none.
func (w *World) File(path string) *File {
	if refs := w.At(path); len(refs) > 0 {
		return w.Load(refs[0])
	}
	return nil
}

// ByID returns the file with an id; nil if there is none.
func (w *World) ByID(id int64) *File {
	w.noteFile(id)
	w.snap.mu.Lock()
	k := w.snap.files[id]
	w.snap.mu.Unlock()
	if f := k.get(); f != nil || w.Err() != nil {
		return f
	}
	if ref, ok := w.Place(id); ok {
		return w.Load(ref)
	}
	return nil
}

// Peer is like ByID for a look-up about a declaration in file of. It returns nil for a file whose language does not
// call that of the declaration directly, without loading it.
func (w *World) Peer(id int64, of *File) *File {
	if at, ok := w.Place(id); !ok || !w.languages.Together(at.Language, of.Language) {
		return nil
	}
	return w.ByID(id)
}

// Place returns the reference to the file with an id, without loading the file; false if there is none.
func (w *World) Place(id int64) (store.FileRef, bool) {
	refs := w.refs(placeKey(id), func() ([]store.FileRef, error) {
		w.noteFile(id)
		return w.view.FileOf(w.ctx, id)
	})
	if len(refs) == 0 {
		return store.FileRef{}, false
	}
	return refs[0], true
}

// Load returns the file that a look-up found; nil after an error.
func (w *World) Load(ref store.FileRef) *File {
	w.noteFile(ref.ID)
	k := w.snap.at(ref)
	if f := k.get(); f != nil || w.Err() != nil {
		return f
	}
	facts, err := w.index.Facts(w.ctx, w.view, ref.ID)
	if !w.ok(err) {
		return nil
	}
	return k.put(newFile(ref, facts))
}

// maxNamed bounds the number of declarations of one name that are considered.
const maxNamed = 2000

// Named returns the declarations of exactly that name anywhere in the root, by path and index. It
// reports false if there are too many to list.
func (w *World) Named(name string) ([]l2meta.Declaration, bool) {
	rows := DeriveDetached(w, namedKey(name), func() []l2meta.Declaration {
		rows := w.declared(name)
		exact := rows[:0]
		for _, r := range rows {
			if r.Name == name || len(rows) == maxNamed {
				exact = append(exact, r)
			}
		}
		return exact
	})
	return rows, len(rows) < maxNamed
}

// NamedInAnyCase returns the declarations that Named returns, and those whose names differ from name
// only in the case of ASCII letters.
func (w *World) NamedInAnyCase(name string) ([]l2meta.Declaration, bool) {
	name = foldASCII(name)
	rows := DeriveDetached(w, foldedKey(name), func() []l2meta.Declaration { return w.declared(name) })
	return rows, len(rows) < maxNamed
}

// declared returns the declarations of a name in any case. Ids depend on the history of an index, but
// answers must not, so the order is that of paths.
func (w *World) declared(name string) []l2meta.Declaration {
	if w.Err() != nil {
		return nil
	}
	w.note(readNamed, foldASCII(name))
	rows, err := w.index.Declared(w.ctx, w.view, name, maxNamed)
	if !w.ok(err) {
		return nil
	}
	slices.SortStableFunc(rows, func(a, b l2meta.Declaration) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Index, b.Index))
	})
	return rows
}

// Ref returns the symbol of a stored declaration; the zero Ref if it does not exist any more.
func (w *World) Ref(row l2meta.Declaration) Ref {
	if f := w.ByID(row.FileID); f != nil && row.Index < len(f.Symbols) {
		return f.Ref(row.Index)
	}
	return Ref{}
}

// Calling returns the ids of the files that may call a function of a name, in order. It may return
// too many files, never too few.
func (w *World) Calling(name string) []int64 {
	return w.ids(callingKey(name), func() ([]int64, error) {
		w.note(readCalling, foldASCII(name))
		return w.index.Calling(w.ctx, w.view, name)
	})
}

// Taking returns the ids of the files that may use a function of a name as a value where that is stored
// beside the accesses, in order. It may return too many files. The look-up is not recorded as a
// dependency (reads.go).
func (w *World) Taking(name string) []int64 { return w.accessing(name) }

// Renaming returns the ids of the files that may import or export a name under another name.
func (w *World) Renaming(name string) []int64 {
	return w.ids(renamingKey(name), func() ([]int64, error) {
		w.note(readRenaming, foldASCII(name))
		return w.index.Renaming(w.ctx, w.view, name)
	})
}

// Extending returns the ids of the files that may declare a subtype of a type of that name.
func (w *World) Extending(name string) []int64 {
	return w.ids(extendingKey(name), func() ([]int64, error) {
		w.note(readExtending, foldASCII(name))
		return w.index.Extending(w.ctx, w.view, name)
	})
}

// Giving returns the ids of the files that may store a function in a property of that name, or a
// function of that name in a property.
func (w *World) Giving(name string) []int64 {
	return w.ids(givingKey(name), func() ([]int64, error) {
		w.note(readGiving, foldASCII(name))
		return w.index.Giving(w.ctx, w.view, name)
	})
}

func (w *World) ids(key any, ask func() ([]int64, error)) []int64 {
	return DeriveDetached(w, key, func() []int64 {
		if w.Err() != nil {
			return nil
		}
		ids, err := ask()
		w.ok(err)
		return ids
	})
}
