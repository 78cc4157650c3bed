package resolve

import (
	"cmp"
	"context"
	"slices"

	"sextant/internal/store"
	"sextant/l2meta"
)

// World is the input of resolution: one generation of a root's index. After the first error its
// look-ups return nothing, and Err returns the error. It serves one goroutine.
type World struct {
	derivations

	ctx   context.Context
	view  *store.View
	index l2meta.Index
	known *ledger // verdicts are read here: the cache's ledger, or an empty one in a Settle
	err   error

	renaming *ledger // renames are read here: the cache's ledger, also in a Settle

	languages Languages
	partial   partiality
}

func newWorld(ctx context.Context, view *store.View, cache *Cache, generation int64) *World {
	return &World{derivations: derivations{snap: cache.snapshot(generation)}, ctx: ctx, view: view,
		known: &cache.ledger, renaming: &cache.ledger, languages: cache.languages}
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

// Peer is like ByID for a look-up about code in a language. It returns nil for a file whose language does not call
// that code directly, without loading the file.
func (w *World) Peer(id int64, language string) *File {
	if at, ok := w.Place(id); !ok || !w.languages.Together(at.Language, language) {
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
