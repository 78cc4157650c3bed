package jit

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"sextant/internal/store"
)

const (
	// tendEvery is the interval of the housekeeping.
	tendEvery = 2 * time.Second
	// sweepEvery is the time after which all files of a root in use are compared again, even if the
	// watcher reports no changes: writes through mmap raise no event.
	sweepEvery = 45 * time.Second
	// inUse is the time after its last request for which a root counts as in use.
	inUse = 2 * time.Minute
	// idleAfter is the time without a request after which work that can wait begins, such as
	// merging the segments of the indexes.
	idleAfter = time.Second
	// maxLog is the number of logged paths above which the log is dropped.
	maxLog = 20000
)

// upkeep does the work of a root for which no answer waits. It merges segments of the tiers'
// indexes, writes late rows (see Trailer), drops old logs, and from time to time compares all
// files, because the watcher does not see every write.
type upkeep struct {
	root  *Root
	begun sync.Once
	late  *semaphore.Weighted // weight 1: at most one goroutine of this process computes late rows

	mu      sync.Mutex
	merged  int64 // guarded by mu; the generation at which the tiers had nothing to merge
	trailed int64 // guarded by mu; the generation at which no late rows were missing
}

// tend starts the housekeeping of the root, once.
func (u *upkeep) tend() {
	u.begun.Do(func() {
		u.root.group.Go(u.trail)
		u.root.group.Go(func(ctx context.Context) {
			tick := time.NewTicker(tendEvery)
			defer tick.Stop()
			for {
				select {
				case <-tick.C:
					// No answer depends on the housekeeping, and the next round retries it after
					// an error.
					_ = u.housekeep(ctx)
				case <-ctx.Done():
					return
				}
			}
		})
	})
}

// housekeep does the housekeeping that is due now.
func (u *upkeep) housekeep(ctx context.Context) error {
	now := u.root.opt.Clock()
	u.root.syncMu.Lock()
	lastUsed, lastSweep := u.root.lastUsed, u.root.lastSweep
	u.root.syncMu.Unlock()
	if now.Sub(lastUsed) > inUse {
		return nil
	}
	if now.Sub(lastSweep) > sweepEvery {
		u.root.sweepNext()
		if _, err := u.root.sync(ctx); err != nil {
			return err
		}
	}
	if now.Sub(lastUsed) < idleAfter {
		return nil
	}
	if err := u.root.flushTouched(ctx); err != nil {
		return err
	}
	if err := u.root.noteSync(ctx); err != nil {
		return err
	}
	if err := u.pruneLog(ctx); err != nil {
		return err
	}
	if u.root.unsaved.Load() > snapshotAfter {
		if err := u.root.saveSnapshot(ctx); err != nil {
			return err
		}
	}
	for {
		more, err := u.merge(ctx)
		if err != nil || !more || u.root.idle() < idleAfter {
			return err
		}
	}
}

// Tidy does the work that writes postpone until idle time: the tiers merge their segments and
// group their vectors. It also finds the services, so that the first question of the next process
// need not. A process that ends before the root is idle calls it. It takes some seconds for a large
// root.
func (r *Root) Tidy(ctx context.Context) error {
	r.Services()
	for {
		if more, err := r.upkeep.merge(ctx); err != nil || !more {
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

// merge lets each tier, such as the word index, do a bounded part of its housekeeping, and reports
// whether more is left.
func (u *upkeep) merge(ctx context.Context) (more bool, err error) {
	u.mu.Lock()
	clean := u.merged == u.root.table.generation()
	u.mu.Unlock()
	if clean {
		return false, nil
	}
	gen := u.root.table.generation()
	for _, tier := range u.root.opt.Tiers {
		m, ok := tier.(Merger)
		if !ok {
			continue
		}
		err := u.root.db.Update(ctx, func(tx *store.Tx) error {
			left, err := m.Merge(ctx, tx)
			more = more || left
			return err
		})
		if err != nil {
			return false, err
		}
	}
	if !more {
		u.mu.Lock()
		u.merged = gen
		u.mu.Unlock()
	}
	return more, nil
}

// pruneLog drops the log of changed paths if it has become too long.
func (u *upkeep) pruneLog(ctx context.Context) error {
	var n int
	err := u.root.db.View(ctx, func(v *store.View) error {
		_, err := v.QueryRow(ctx, "SELECT count(*) FROM changed_paths", nil, &n)
		return err
	})
	if err != nil || n <= maxLog {
		return err
	}
	return u.root.db.Update(ctx, func(tx *store.Tx) error {
		gen, err := metaInt(ctx, &tx.View, metaGeneration)
		if err != nil {
			return err
		}
		return dropLog(ctx, tx, gen)
	})
}
