package jit

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"

	"sextant/internal/store"
	"sextant/internal/workspace"
)

// The first index of a root is a copy of the index of another checkout of the same repository, if
// there is one. The build that follows reads every file, but extracts symbols and words only from
// those whose bytes differ from the copy. A row of the copy is used only if the hash of the file is
// the same here.

// seed copies the index of another tracked checkout of the repository that
// contains root, if there is one. It ignores errors: without a copy, the first
// build only takes longer.
func (rs *Roots) seed(ctx context.Context, root string) {
	from := rs.seedOf(ctx, root)
	if from == "" {
		return
	}
	opt := store.Options{Dir: rs.catalog.Dir(root), Schemas: rs.opt.schemas()}
	_ = store.Seed(ctx, rs.catalog.Dir(from), opt, rs.adapt)
}

// seedOf returns the tracked root whose index to copy: the same directory in another checkout. If
// there are several, it returns the one whose index was written last. It returns "" if there is
// none.
func (rs *Roots) seedOf(ctx context.Context, root string) (from string) {
	place, ok := workspace.PlaceOf(root)
	if !ok {
		return ""
	}
	list, err := rs.catalog.Roots(ctx)
	if err != nil {
		return ""
	}
	var newest int64
	for _, t := range list {
		if p, ok := workspace.PlaceOf(t.Path); t.Path == root || !ok || p != place {
			continue
		}
		if at := rs.writtenAt(t.Path); at > newest {
			from, newest = t.Path, at
		}
	}
	return from
}

// writtenAt returns the time at which the index of a root was last written, in
// ns since the epoch; 0 if this version of the program has no index of the
// root.
func (rs *Roots) writtenAt(root string) (at int64) {
	name := filepath.Join(rs.catalog.Dir(root), store.FileName(rs.opt.schemas()))
	for _, suffix := range []string{"", "-wal"} {
		if info, err := os.Stat(name + suffix); err == nil {
			at = max(at, info.ModTime().UnixNano())
		} else if suffix == "" {
			return 0
		}
	}
	return at
}

// adapt turns a copied database into one of a root that is not indexed yet. It
// clears the stat keys, so that the build reads every file. It keeps the log of
// changed paths: results that were derived from the other checkout's index stay
// valid here for files that have not changed since.
func (rs *Roots) adapt(ctx context.Context, tx *store.Tx) error {
	gen := rs.opt.Clock().UnixNano() // the first generation, as in a new database
	_, clearKeys := tx.Exec(ctx, "UPDATE files SET mtime=0, ctime=0, inode=0, read_at=0")
	_, clearSnapshot := tx.Exec(ctx, "DELETE FROM table_snapshot")
	return errors.Join(clearKeys, clearSnapshot,
		tx.SetMeta(ctx, metaBuild, ""), tx.SetMeta(ctx, metaLastSync, "0"),
		tx.SetMeta(ctx, metaGeneration, strconv.FormatInt(gen, 10)))
}
