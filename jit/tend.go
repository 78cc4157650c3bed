package jit

import (
	"context"
	"time"

	"sextant/internal/store"
)

const (
	// tendEvery is the interval of the housekeeping.
	tendEvery = 2 * time.Second
	// sweepEvery is the age of the last full sweep at which a root in use is
	// swept although the watcher vouches: writes through mmap raise no event.
	sweepEvery = 45 * time.Second
	// inUse is the time after its last Sync for which a root counts as in use.
	inUse = 2 * time.Minute
	// idleAfter is the time without a request after which the tiers merge.
	idleAfter = time.Second
	// maxLog is the number of logged paths above which the log is dropped.
	maxLog = 20000
)

// tend starts the housekeeping of the root, once.
func (r *Root) tend() {
	r.tended.Do(func() {
		r.group.Go(r.trail)
		r.group.Go(func(ctx context.Context) {
			tick := time.NewTicker(tendEvery)
			defer tick.Stop()
			for {
				select {
				case <-tick.C:
					// No answer depends on it, and errors are retried in the
					// next round.
					_ = r.housekeep(ctx)
				case <-ctx.Done():
					return
				}
			}
		})
	})
}

// housekeep does the housekeeping that is due now.
func (r *Root) housekeep(ctx context.Context) error {
	now := r.opt.Clock()
	r.syncMu.Lock()
	lastUsed, lastSweep := r.lastUsed, r.lastSweep
	r.syncMu.Unlock()
	if now.Sub(lastUsed) > inUse {
		return nil
	}
	if now.Sub(lastSweep) > sweepEvery {
		r.sweepNext()
		if _, err := r.sync(ctx); err != nil {
			return err
		}
	}
	if now.Sub(lastUsed) < idleAfter {
		return nil
	}
	if err := r.flushTouched(ctx); err != nil {
		return err
	}
	if err := r.noteSync(ctx); err != nil {
		return err
	}
	if err := r.pruneLog(ctx); err != nil {
		return err
	}
	if r.unsaved.Load() > snapshotAfter {
		if err := r.saveSnapshot(ctx); err != nil {
			return err
		}
	}
	for {
		more, err := r.merge(ctx)
		if err != nil || !more || r.idle() < idleAfter {
			return err
		}
	}
}

// Tidy does all the work that writes have postponed: the tiers merge their
// segments and group their vectors. It is for a process that builds an index
// for others. It takes some seconds for a large root.
func (r *Root) Tidy(ctx context.Context) error {
	for {
		if more, err := r.merge(ctx); err != nil || !more {
			return err
		}
	}
}

// idle returns the time since the last request.
func (r *Root) idle() time.Duration {
	r.syncMu.Lock()
	defer r.syncMu.Unlock()
	return r.opt.Clock().Sub(r.lastUsed)
}

// merge lets each tier do a bounded part of its housekeeping, and reports
// whether more is left.
func (r *Root) merge(ctx context.Context) (more bool, err error) {
	r.syncMu.Lock()
	clean := r.merged == r.table.generation()
	r.syncMu.Unlock()
	if clean {
		return false, nil
	}
	gen := r.table.generation()
	for _, tier := range r.opt.Tiers {
		m, ok := tier.(Merger)
		if !ok {
			continue
		}
		err := r.db.Update(ctx, func(tx *store.Tx) error {
			left, err := m.Merge(ctx, tx)
			more = more || left
			return err
		})
		if err != nil {
			return false, err
		}
	}
	if !more {
		r.syncMu.Lock()
		r.merged = gen
		r.syncMu.Unlock()
	}
	return more, nil
}

// pruneLog drops the log of changed paths if it has become too long.
func (r *Root) pruneLog(ctx context.Context) error {
	var n int
	err := r.db.View(ctx, func(v *store.View) error {
		_, err := v.QueryRow(ctx, "SELECT count(*) FROM changed_paths", nil, &n)
		return err
	})
	if err != nil || n <= maxLog {
		return err
	}
	return r.db.Update(ctx, func(tx *store.Tx) error {
		gen, err := metaInt(ctx, &tx.View, metaGeneration)
		if err != nil {
			return err
		}
		return dropLog(ctx, tx, gen)
	})
}
