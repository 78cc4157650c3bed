package jit

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"sextant/internal/store"
)

// Status describes the index of a root.
type Status struct {
	Progress
	Generation int64
	// Merkle identifies the content: an order-independent sum over every path
	// and content hash, equal for equal indexes.
	Merkle   string
	LastSync time.Time // zero if never
	Coverage Coverage
	Services []ServiceSize // by directory
	Bytes    int64         // size of the database, without its WAL
	Pending  int           // files known to have changed but not indexed yet
	Watching WatchState
}

// Coverage counts the files of the root that no rule ignores.
type Coverage struct {
	Files       int            // all of them
	Indexed     int            // with text
	Parsed      int            // parsed by a grammar
	ParseErrors int            // parsed, with bytes that the grammar could not place
	Languages   map[string]int // indexed files by language, "" if unknown
	Skipped     map[string]int // skipped files by reason
}

// Status returns the state of the root. It starts and changes nothing.
func (r *Root) Status(ctx context.Context) (s Status, err error) {
	if s.Progress, err = r.progress(ctx); err != nil {
		return s, fmt.Errorf("status of %s: %w", r.path, err)
	}
	err = r.View(ctx, func(v *View) error {
		if s.Generation, err = metaInt(ctx, v, metaGeneration); err != nil {
			return err
		}
		last, err := metaInt(ctx, v, metaLastSync)
		if err != nil {
			return err
		}
		if last != 0 {
			s.LastSync = time.Unix(0, last)
		}
		if s.Bytes, err = v.Bytes(ctx); err != nil {
			return err
		}
		i, err := r.takeInventory(ctx, v, s.Generation)
		s.Merkle, s.Coverage, s.Services = i.merkle, i.coverage.clone(), slices.Clone(i.services)
		return err
	})
	if err != nil {
		return s, fmt.Errorf("status of %s: %w", r.path, err)
	}
	r.syncMu.Lock()
	if r.lastSync.After(s.LastSync) {
		s.LastSync = r.lastSync
	}
	r.syncMu.Unlock()
	s.Pending = r.pending.size()
	if r.watch != nil {
		s.Watching = r.watch.state()
	}
	return s, nil
}

// inventory is the part of a Status that requires reading every row of the files
// table. A Root caches the last one: 62,000 files take more than a second.
type inventory struct {
	epoch      store.Epoch
	generation int64
	synced     bool // services was computed from the table of a Sync

	merkle   string
	coverage Coverage
	services []ServiceSize
}

// takeInventory returns the inventory of the generation that v shows, from the cache
// if it is of that generation.
func (r *Root) takeInventory(ctx context.Context, v *View, generation int64) (*inventory, error) {
	synced := r.table.generation() >= 0
	if i := r.inventory.Load(); i != nil && i.epoch == v.Epoch() && i.generation == generation && i.synced == synced {
		return i, nil
	}
	i := &inventory{epoch: v.Epoch(), generation: generation, synced: synced, coverage: newCoverage()}
	var name digest
	var indexed []string
	err := v.Files(ctx, func(row FileRow) error {
		name.add(row.Path, row.Hash)
		i.coverage.count(&row)
		if row.Skip == "" {
			indexed = append(indexed, row.Path)
		}
		return nil
	})
	if err != nil {
		return &inventory{coverage: newCoverage()}, err
	}
	i.merkle, i.services = name.String(), r.sizes(indexed)
	r.inventory.Store(i)
	return i, nil
}

func newCoverage() Coverage { return Coverage{Languages: map[string]int{}, Skipped: map[string]int{}} }

// clone returns a copy that shares no map with c.
func (c Coverage) clone() Coverage {
	c.Languages, c.Skipped = maps.Clone(c.Languages), maps.Clone(c.Skipped)
	return c
}

func (c *Coverage) count(row *FileRow) {
	c.add(row.Skip, row.Language, row.Parsed, row.BadBytes > 0, 1)
}

// add counts n files with the same properties.
func (c *Coverage) add(skip, language string, parsed, bad bool, n int) {
	c.Files += n
	if skip != "" {
		c.Skipped[skip] += n
		return
	}
	c.Indexed += n
	c.Languages[language] += n
	if parsed {
		c.Parsed += n
	}
	if bad {
		c.ParseErrors += n
	}
}

// Covered returns the coverage of the index that v shows. It lets the database
// count, rather than read every row as Status does.
func Covered(ctx context.Context, v *View) (Coverage, error) {
	c := newCoverage()
	rows, err := v.Query(ctx, "SELECT skip, language, parsed, bad_bytes > 0, count(*) FROM files GROUP BY 1, 2, 3, 4")
	if err != nil {
		return c, fmt.Errorf("count files: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var skip, language string
		var parsed, bad bool
		var n int
		if err := rows.Scan(&skip, &language, &parsed, &bad, &n); err != nil {
			return c, fmt.Errorf("count files: %w", err)
		}
		c.add(skip, language, parsed, bad, n)
	}
	return c, rows.Err()
}

// Rebuild deletes the index and starts a new cold index in the background. The
// error is a *HeldError if another process is building.
func (r *Root) Rebuild(ctx context.Context, action string) error {
	lock, err := store.TryLock(r.lockPath(), r.holder(action))
	if err != nil {
		return err
	}
	r.commitMu.Lock()
	err = r.db.Remove()
	r.commitMu.Unlock()
	if err != nil {
		return errors.Join(fmt.Errorf("rebuild %s: %w", r.path, err), lock.Unlock())
	}
	if err := r.startLocked(ctx, action, lock); err != nil {
		return errors.Join(err, lock.Unlock())
	}
	return nil
}

// Repair checks the database. If it is sound, Repair sweeps the root, or builds
// again if the last build failed. If it is damaged, Repair deletes and rebuilds
// it. It reports rebuilt if it started a build, without waiting for its end.
func (r *Root) Repair(ctx context.Context) (rebuilt bool, rep Report, err error) {
	sound := false
	err = r.View(ctx, func(v *View) error {
		var word string
		if _, err := v.QueryRow(ctx, "PRAGMA quick_check(1)", nil, &word); err != nil {
			return err
		}
		sound = word == "ok"
		return nil
	})
	var damaged *DamagedError
	if err != nil && !errors.Is(err, ErrReplaced) && !errors.As(err, &damaged) {
		return false, rep, fmt.Errorf("repair %s: %w", r.path, err)
	}
	if sound {
		if p, err := r.progress(ctx); err == nil && p.State == StateFailed {
			return true, rep, r.Start(ctx, "repair")
		}
		r.sweepNext()
		rep, err = r.Sync(ctx)
		return false, rep, err
	}
	return true, rep, r.Rebuild(ctx, "repair")
}
