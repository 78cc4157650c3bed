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
	// trailEvery is the interval at which trail looks for missing late rows.
	trailEvery = time.Second
	// trailFiles and trailBytes are the largest number of files and bytes of text between two
	// commits. That much work is lost when the process is killed.
	trailFiles = 32
	trailBytes = 1 << 20
)

// trailBackoff is the wait after 1, 2, 3 and more failures in a row.
var trailBackoff = []time.Duration{5 * time.Second, 15 * time.Second, 30 * time.Second, time.Minute}

// trail writes missing late rows, such as vectors (see Trailer), while the root is in use, until
// ctx is done.
func (u *upkeep) trail(ctx context.Context) {
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
		u.root.syncMu.Lock()
		used := u.root.opt.Clock().Sub(u.root.lastUsed) <= inUse
		u.root.syncMu.Unlock()
		if !used {
			continue
		}
		// The error is dropped, because each answer says why rows are missing.
		if err := u.catchUp(ctx); err != nil {
			wait = trailBackoff[min(failures, len(trailBackoff)-1)]
			failures++
		} else {
			failures = 0
		}
	}
}

// CatchUp writes the late rows, such as vectors (see Trailer), of all files that lack them now.
// It returns a *HeldError if another process is doing so; calls in this process wait for each
// other. Rows written before an error stay.
func (r *Root) CatchUp(ctx context.Context) error { return r.upkeep.catchUp(ctx) }

// catchUp implements [Root.CatchUp].
func (u *upkeep) catchUp(ctx context.Context) error {
	if err := u.late.Acquire(ctx, 1); err != nil {
		return err
	}
	defer u.late.Release(1)
	var generation int64
	err := u.root.View(ctx, func(v *View) (err error) {
		// The table's generation may not include writes of other processes.
		generation, err = metaInt(ctx, v, metaGeneration)
		return err
	})
	if err != nil {
		return fmt.Errorf("catch up %s: %w", u.root.path, err)
	}
	u.mu.Lock()
	done := u.trailed == generation && generation > 0
	u.mu.Unlock()
	if done {
		return nil
	}
	for _, tier := range u.root.opt.Tiers {
		t, ok := tier.(Trailer)
		if !ok {
			continue
		}
		left, err := u.catchUpTier(ctx, t)
		if err != nil {
			return fmt.Errorf("catch up %s: %w", u.root.path, err)
		}
		if left > 0 {
			return fmt.Errorf("catch up %s: %d files cannot be read, or change", u.root.path, left)
		}
	}
	u.mu.Lock()
	u.trailed = generation
	u.mu.Unlock()
	return nil
}

// catchUpTier writes the late rows of one tier, such as the vectors of the word index, and
// returns the number of files that still lack them.
func (u *upkeep) catchUpTier(ctx context.Context, t Trailer) (left int, err error) {
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
		if err := u.root.db.View(ctx, look); err != nil {
			return 0, err
		}
		if len(files) > 0 && lock == nil {
			if lock, err = store.TryLock(filepath.Join(u.root.dir, "late.lock"),
				u.root.opt.holder("embed")); err != nil {
				return 0, err
			}
			after = 0 // search from the start, because another process may have written late rows meanwhile
			continue
		}
		for len(files) > 0 {
			done, taken, err := u.makeLate(ctx, t, files)
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
	return 0, u.root.db.Update(ctx, func(tx *store.Tx) error { return t.CaughtUp(ctx, tx) })
}

// makeLate writes the late rows of the first files of the list, up to trailBytes of text. taken
// is the number of files that it tried, done the number of files that got their rows.
func (u *upkeep) makeLate(ctx context.Context, t Trailer, files []int64) (done, taken int, err error) {
	found := map[int64]*code.File{}
	rows := map[int64]store.FileRow{}
	for bytes := 0; taken < len(files) && bytes < trailBytes; taken++ {
		row, text, ok, err := u.indexedText(ctx, files[taken])
		if err != nil {
			return 0, 0, err
		}
		if !ok {
			continue // the next Sync handles a file that is gone, changed or unreadable
		}
		file, _ := guard(ctx, u.root.opt.Extract, row.Path, text) // on error the partial result is used, as in indexing
		if err := ctx.Err(); err != nil {
			return 0, 0, err
		}
		file.Path, file.Text, file.Hash, file.Class, file.Language = row.Path, text, row.Hash, row.Class, row.Language
		found[files[taken]], rows[files[taken]] = &file, row
		bytes += len(text)
	}
	if len(found) == 0 {
		return 0, taken, nil
	}
	writes, err := t.Late(ctx, u.root.View, found)
	if err != nil {
		return 0, taken, err
	}
	err = u.root.db.Update(ctx, func(tx *store.Tx) error {
		for id, write := range writes {
			row, ok, err := tx.File(ctx, rows[id].Path)
			if err != nil {
				return err
			}
			if !ok || row.ID != id || row.Hash != rows[id].Hash || row.Skip != "" {
				continue // the file was reindexed meanwhile
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

// indexedText returns an indexed file and its text, if the bytes on disk are
// still those indexed.
func (u *upkeep) indexedText(ctx context.Context, id int64) (row store.FileRow, text []byte, ok bool, err error) {
	err = u.root.View(ctx, func(v *View) (err error) {
		row, ok, err = v.FileByID(ctx, id)
		return err
	})
	if err != nil || !ok {
		return row, nil, false, err
	}
	text, row, err = u.root.Read(ctx, row.Path)
	if err != nil {
		return row, nil, false, ctx.Err()
	}
	return row, text, row.ID == id, nil
}
