package jit

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"sextant/internal/code"
	"sextant/internal/store"
)

const (
	// trailEvery is how often it is looked whether rows are behind.
	trailEvery = time.Second
	// trailFiles and trailBytes bound what is read and embedded between two
	// commits: what a kill costs.
	trailFiles = 32
	trailBytes = 1 << 20
)

// trailBackoff is how long the next try waits after so many failures.
var trailBackoff = []time.Duration{5 * time.Second, 15 * time.Second, 30 * time.Second, time.Minute}

// trail keeps the late rows of a root in use up, until ctx ends.
func (r *Root) trail(ctx context.Context) {
	failures := 0
	wait := trailEvery
	for {
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return
		}
		wait = trailEvery
		r.syncMu.Lock()
		used := r.opt.Clock().Sub(r.lastUsed) <= inUse
		r.syncMu.Unlock()
		if !used {
			continue
		}
		// Whoever answers says why rows are missing; here is nobody to tell.
		if err := r.CatchUp(ctx); err != nil {
			wait = trailBackoff[min(failures, len(trailBackoff)-1)]
			failures++
		} else {
			failures = 0
		}
	}
}

// CatchUp makes the rows that tiers make later than others, for all files
// that lack them now. A *HeldError says that another process is at it; calls
// within one process wait for each other. What is done before an error, or
// before ctx ends, stays.
func (r *Root) CatchUp(ctx context.Context) error {
	if err := r.late.Acquire(ctx, 1); err != nil {
		return err
	}
	defer r.late.Release(1)
	var generation int64
	err := r.View(ctx, func(v *View) (err error) {
		// The table's would not count what was written beside another process.
		generation, err = metaInt(ctx, v, metaGeneration)
		return err
	})
	if err != nil {
		return fmt.Errorf("catch up %s: %w", r.path, err)
	}
	r.syncMu.Lock()
	done := r.trailed == generation && generation > 0
	r.syncMu.Unlock()
	if done {
		return nil
	}
	for _, tier := range r.opt.Tiers {
		t, ok := tier.(Trailer)
		if !ok {
			continue
		}
		left, err := r.catchUpTier(ctx, t)
		if err != nil {
			return fmt.Errorf("catch up %s: %w", r.path, err)
		}
		if left > 0 {
			return fmt.Errorf("catch up %s: %d files cannot be read, or change", r.path, left)
		}
	}
	r.syncMu.Lock()
	r.trailed = generation
	r.syncMu.Unlock()
	return nil
}

// catchUpTier makes the late rows of one tier, and returns how many files are
// left without.
func (r *Root) catchUpTier(ctx context.Context, t Trailer) (left int, err error) {
	var lock *store.Lock
	defer func() {
		if lock != nil {
			err = errors.Join(err, lock.Unlock())
		}
	}()
	for after := int64(0); ; {
		var files []int64
		look := func(v *store.View) (err error) {
			files, after, err = t.Behind(ctx, v, after, trailFiles)
			return err
		}
		if err := r.db.View(ctx, look); err != nil {
			return 0, err
		}
		if len(files) > 0 && lock == nil {
			if lock, err = store.TryLock(filepath.Join(r.dir, "late.lock"), r.holder("embed")); err != nil {
				return 0, err
			}
			after = 0 // another process may have been at it until now
			continue
		}
		for len(files) > 0 {
			done, taken, err := r.makeLate(ctx, t, files)
			if err != nil {
				return 0, err
			}
			left += taken - done
			files = files[taken:]
		}
		if after == 0 {
			break
		}
	}
	if left > 0 {
		return left, nil
	}
	return 0, r.db.Update(ctx, func(tx *store.Tx) error { return t.CaughtUp(ctx, tx) })
}

// makeLate makes the rows of the first of files, as many as trailBytes allow; done
// of those taken have them now.
func (r *Root) makeLate(ctx context.Context, t Trailer, files []int64) (done, taken int, err error) {
	found := map[int64]*code.File{}
	rows := map[int64]store.FileRow{}
	for bytes := 0; taken < len(files) && bytes < trailBytes; taken++ {
		row, text, ok, err := r.indexedText(ctx, files[taken])
		if err != nil {
			return 0, 0, err
		}
		if !ok {
			continue // gone, changed or unreadable: the gate takes it up
		}
		file, _ := guard(r.opt.Extract, row.Path, text) // what could be read, as when it was indexed
		file.Path, file.Text, file.Hash, file.Class, file.Language = row.Path, text, row.Hash, row.Class, row.Language
		found[files[taken]], rows[files[taken]] = &file, row
		bytes += len(text)
	}
	if len(found) == 0 {
		return 0, taken, nil
	}
	writes, err := t.Late(ctx, r.View, found)
	if err != nil {
		return 0, taken, err
	}
	err = r.db.Update(ctx, func(tx *store.Tx) error {
		for id, write := range writes {
			row, ok, err := tx.File(ctx, rows[id].Path)
			if err != nil {
				return err
			}
			if !ok || row.ID != id || row.Hash != rows[id].Hash || row.Skip != "" {
				continue // it was written anew meanwhile
			}
			if err := write(ctx, tx, id); err != nil {
				return err
			}
			done++
		}
		return nil
	})
	return done, taken, err
}

// indexedText is an indexed file with the bytes that its rows were made from,
// if these are still on disk.
func (r *Root) indexedText(ctx context.Context, id int64) (row store.FileRow, text []byte, ok bool, err error) {
	err = r.View(ctx, func(v *View) (err error) {
		row, ok, err = v.FileByID(ctx, id)
		return err
	})
	if err != nil || !ok {
		return row, nil, false, err
	}
	text, row, err = r.Read(ctx, row.Path)
	if err != nil {
		return row, nil, false, ctx.Err()
	}
	return row, text, row.ID == id, nil
}
