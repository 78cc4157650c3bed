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

// A root's first index is seeded from that of another checkout of the same
// repository: its database is copied, and the build that follows reads every
// file, and extracts those alone whose bytes are others. Nothing is taken from
// the other checkout but what its files' content hashes vouch for.

// seed copies the index of another checkout of the repository that root lies
// in, if one is tracked. That none could be copied costs time alone: the cold
// index makes everything.
func (rs *Roots) seed(ctx context.Context, root string) {
	from := rs.seedOf(ctx, root)
	if from == "" {
		return
	}
	_ = store.Seed(ctx, rs.catalog.Dir(from), store.Options{Dir: rs.catalog.Dir(root), Schemas: rs.opt.schemas()}, rs.adapt)
}

// seedOf is the tracked root to seed from: that directory of another checkout
// whose index was written last, "" when there is none.
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

// writtenAt is when the index of a root was written last, in ns since the
// epoch, 0 for one that this version of the program does not have.
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

// adapt makes a copy of another root's database one of a root that is not
// indexed yet. No file of it is vouched for by its stat key: each is read.
func (rs *Roots) adapt(ctx context.Context, tx *store.Tx) error {
	gen := rs.opt.Clock().UnixNano() // as for a database that was made anew
	_, clearKeys := tx.Exec(ctx, "UPDATE files SET mtime=0, ctime=0, inode=0, read_at=0")
	_, clearSnapshot := tx.Exec(ctx, "DELETE FROM table_snapshot")
	return errors.Join(clearKeys, clearSnapshot,
		tx.SetMeta(ctx, metaBuild, ""), tx.SetMeta(ctx, metaLastSync, "0"),
		tx.SetMeta(ctx, metaGeneration, strconv.FormatInt(gen, 10)), dropLog(ctx, tx, gen))
}
