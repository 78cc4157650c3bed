package jit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"sextant/internal/store"
	"sextant/internal/workspace"
)

// Sync finds stale files and reindexes them. When it returns without error, every change that was
// on disk before the call is in the index, except for the files that the report lists: Pending
// files are being indexed in the background, and Unverified files could not be read. A report
// with ModeIndexing does not cover the files, because the index is still being built. Concurrent
// calls share their work. The context ends the wait, not the work.
func (r *Root) Sync(ctx context.Context) (Report, error) {
	r.syncMu.Lock()
	r.lastUsed = r.opt.Clock()
	r.syncMu.Unlock()
	return r.sync(ctx)
}

// sync does the work of Sync. Unlike Sync, it does not mark the root as used just now.
func (r *Root) sync(ctx context.Context) (Report, error) {
	f, first, shared := r.flights.join()
	if first && !r.group.Go(r.fly) {
		return Report{}, ErrClosed
	}
	select {
	case <-f.done:
	case <-ctx.Done():
		return Report{}, ctx.Err()
	case <-r.group.Stopped():
		return Report{}, ErrClosed
	}
	rep := f.report
	// ModeIndexing stays: ModeCoalesced would hide that the index is still being built.
	if shared && f.err == nil && rep.Mode != ModeIndexing {
		rep.Mode = ModeCoalesced
	}
	return rep, f.err
}

// syncOnce does the work of one Sync, whose result all calls that wait for it
// share.
func (r *Root) syncOnce(ctx context.Context) (rep Report, err error) {
	start := r.opt.Clock()
	rep = Report{CheckedAt: start}
	var left []string
	defer func() {
		rep.Duration = r.opt.Clock().Sub(start)
		rep.Pending = r.pending.sizeWith(left)
		r.left.Store(len(left) > 0)
		rep.Generation = r.table.generation()
		r.warn(&rep)
	}()
	if err := r.disk.present(); err != nil {
		rep.Mode = ModeMissingPath
		return rep, fmt.Errorf("sync %s: %w", r.path, err)
	}
	if err := r.refresh(ctx); err != nil {
		return rep, err
	}
	switch ready, err := r.build.doneOrBegun(ctx); {
	case err != nil:
		return rep, err
	case !ready:
		rep.Mode = ModeIndexing
		return rep, nil
	}
	suspects, err := r.suspects(ctx, &rep)
	if err != nil {
		return rep, err
	}
	c := &changes{}
	left, err = r.updateWithin(ctx, suspects, c)
	rep.Unverified = append(rep.Unverified, r.table.missing(workspace.SkipUnreadable)...)
	c.into(&rep)
	if err != nil {
		return rep, err
	}
	if rep.Mode == "" {
		rep.Mode = ModeUnchanged
		if rep.Changed() || r.pending.sizeWith(left) > 0 {
			rep.Mode = ModeSynced
		}
	}
	r.syncMu.Lock()
	r.lastSync = start
	r.syncMu.Unlock()
	r.upkeep.tend()
	return rep, nil
}

// suspects returns every file whose row may be outdated. If the watcher has proven that it saw all
// changes, suspects checks only the directories with events, else all files.
func (r *Root) suspects(ctx context.Context, rep *Report) ([]string, error) {
	sweep := r.newSweep()
	sweep.suspects = r.suspect.take()
	dirty, inst, ok := r.vouched(ctx)
	if ok && !r.disk.rulesMoved(ctx) {
		rep.Vouched = true
		sweep.dirty(ctx, dirty)
		r.sweepIfUnreadable(sweep)
		sweep.report(rep)
		return sweep.suspects, nil
	}
	began := r.opt.Clock()
	for again := true; again; {
		if err := sweep.everything(ctx); err != nil {
			r.suspect.add(sweep.suspects...)
			r.sweepNext()
			return nil, err
		}
		again = inst != nil && inst.adopt(sweep.met())
	}
	if inst == nil {
		r.watchAll(sweep.met()) // not beside the sweep, which an answer waits for
	}
	r.syncMu.Lock()
	r.lastSweep = began
	r.syncMu.Unlock()
	r.sweepIfUnreadable(sweep)
	if sweep.rulesChanged {
		rep.Mode = ModeIgnoreReconciled
	}
	sweep.report(rep)
	return sweep.suspects, nil
}

// sweepIfUnreadable makes the next Sync compare all files if the sweep met a directory that it
// could not read. Each report must name that directory, but the watcher reports a change of its
// mode only once. The directory may also contain new rule files, which take effect when it
// becomes readable, and the watcher may not report that for every directory in it.
func (r *Root) sweepIfUnreadable(s *sweep) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.unreadable) > 0 {
		r.sweepNext()
	}
}

// report adds the numbers of a sweep to rep. It removes duplicates from the suspects, the files
// whose rows may be outdated.
func (s *sweep) report(rep *Report) {
	s.mu.Lock()
	defer s.mu.Unlock()
	rep.FilesChecked += s.files
	rep.DirectoriesChecked += len(s.directories)
	rep.Unverified = append(rep.Unverified, s.unreadable...)
	slices.Sort(s.suspects)
	s.suspects = slices.Compact(s.suspects)
}

// updateWithin reindexes the files. If the budget of time is exceeded, the rest continues in the
// background and counts as pending. It does not start files again that another call is already
// indexing, but returns them as left, even if that call ends meanwhile: it may have read them
// before their last change.
func (r *Root) updateWithin(ctx context.Context, paths []string, c *changes) (left []string, err error) {
	if len(paths) == 0 {
		r.stuck.Store(nil)
	}
	mine := r.pending.claim(paths)
	left = without(paths, mine)
	r.suspect.add(left...)
	_, err = r.withinBudget(ctx, mine, func(ctx context.Context) error { return r.attempt(ctx, mine, mine, c) })
	return left, err
}

// attempt reindexes files, of which mine were claimed for this. It records in r.stuck why that failed, because
// nobody may wait for it any more.
func (r *Root) attempt(ctx context.Context, paths, mine []string, c *changes) error {
	defer r.pending.remove(mine...)
	err := r.update(ctx, paths, c)
	if err != nil {
		r.suspect.add(paths...) // the watcher reports a change only once, so the next Sync would miss these files
	}
	if err == nil || ctx.Err() == nil {
		r.stuck.Store(&failure{err})
	}
	return err
}

// failure is the result of an attempt to index files; err is nil if it succeeded.
type failure struct{ err error }

// why returns why changed files could not be indexed the last time, "" if they were. A nil failure is that of no
// attempt.
func (f *failure) why() string {
	var full *FullError
	switch {
	case f == nil || f.err == nil:
		return ""
	case errors.As(f.err, &full):
		return full.Advice()
	}
	return f.err.Error()
}

// withinBudget runs work in a goroutine and waits for it until the budget of time is exceeded or
// ctx ends, because a single file can occupy a parser for longer. done reports whether work ended
// in time. If not, work continues. If paths is empty, withinBudget does nothing.
func (r *Root) withinBudget(ctx context.Context, paths []string,
	work func(context.Context) error) (done bool, err error) {
	if len(paths) == 0 {
		return true, nil
	}
	ended := make(chan error, 1)
	if !r.group.Go(func(ctx context.Context) { ended <- work(ctx) }) {
		return false, ErrClosed
	}
	timer := time.NewTimer(r.opt.Budget)
	defer timer.Stop()
	select {
	case err := <-ended:
		return true, err
	case <-timer.C:
		return false, nil
	case <-ctx.Done():
		return false, ctx.Err()
	}
}

// without returns the elements of the list all that are not in the list some. The elements of some
// must be in all, in the same order.
func without(all, some []string) (rest []string) {
	for _, p := range all {
		if len(some) > 0 && some[0] == p {
			some = some[1:]
			continue
		}
		rest = append(rest, p)
	}
	return rest
}

// warn sets the warnings that follow from the report and the state of the root.
func (r *Root) warn(rep *Report) {
	if rep.Pending > 0 {
		rep.Warnings, rep.Stuck = append(rep.Warnings, WarnPending), r.stuck.Load().why()
	}
	if len(rep.Unverified) > 0 {
		rep.Warnings = append(rep.Warnings, WarnUnverified)
	}
	if rep.Mode == ModeIndexing {
		rep.Warnings = append(rep.Warnings, WarnBuilding)
		if r.db.Healing() {
			rep.Warnings = append(rep.Warnings, WarnDamaged)
		}
	}
	if r.watch != nil && r.watch.limited() {
		rep.Warnings = append(rep.Warnings, WarnWatchLimit)
	}
	if len(r.disk.Problems()) > 0 {
		rep.Warnings = append(rep.Warnings, WarnConfig)
	}
	slices.Sort(rep.Warnings)
}

// Verify checks that the rows of the given files are up to date and reindexes stale ones, in one
// transaction if they are few. If the report's Changed returns true, all data read from the index
// before must be read again. A path without a row is checked too, and counts as added if it
// belongs in the index. Files that are not indexed within the budget of time continue in the
// background and count as Pending.
func (r *Root) Verify(ctx context.Context, paths []string) (Report, error) {
	start := r.opt.Clock()
	rep := Report{Mode: ModeVerified, CheckedAt: start, FilesChecked: len(paths)}
	var suspects []string
	for _, p := range paths {
		k, ok := r.table.get(p)
		entry, err := r.disk.stat(p)
		if !ok && isGone(err) {
			stray, err := r.stray(ctx, p)
			if err != nil {
				return rep, fmt.Errorf("verify: %w", err)
			}
			if !stray {
				continue
			}
		}
		if !ok || err != nil || !k.vouches(&entry) {
			suspects = append(suspects, p)
		}
	}
	slices.Sort(suspects)
	suspects = slices.Compact(suspects)
	c := &changes{}
	mine := r.pending.claim(suspects)
	done, err := r.withinBudget(ctx, suspects, func(ctx context.Context) error {
		return r.attempt(ctx, suspects, mine, c)
	})
	c.into(&rep)
	var left []string
	if !done {
		left = without(suspects, mine) // files that another call is indexing, perhaps from an older text
	}
	rep.Pending, rep.Generation = r.pending.sizeWith(left), r.table.generation()
	rep.Duration = r.opt.Clock().Sub(start)
	r.warn(&rep)
	if err != nil && !errors.Is(err, context.Canceled) {
		err = fmt.Errorf("verify: %w", err)
	}
	return rep, err
}

// stray reports whether the database has a row for a path that the table in memory lacks. Sweeps
// compare the disk with the table, so they never remove such a row.
func (r *Root) stray(ctx context.Context, path string) (has bool, err error) {
	err = r.db.View(ctx, func(v *store.View) error {
		_, has, err = v.File(ctx, path)
		return err
	})
	return has, err
}

// VerifySince does the same as Verify, for an answer that was computed from rows of generation
// since or later. A file whose rows another call or process has replaced in the meantime counts
// as modified, even if its rows are up to date, because the answer shows older rows. The next
// answer must be computed from the report's generation.
func (r *Root) VerifySince(ctx context.Context, paths []string, since int64) (Report, error) {
	rep, err := r.Verify(ctx, paths)
	if err != nil {
		return rep, err
	}
	err = r.View(ctx, func(v *View) error {
		now, err := Generation(ctx, v)
		if err != nil || now == since {
			return err
		}
		rep.Generation = now
		replaced, known, err := Changed(ctx, v, since)
		if err != nil {
			return err
		}
		if !known {
			// A build adds rows in batches too large for the log, and replaces none.
			if partial, err := Partial(ctx, v); err != nil || partial {
				return err
			}
			replaced = paths
		}
		seen := slices.Concat(rep.Added, rep.Modified, rep.Removed)
		for _, p := range paths {
			if slices.Contains(replaced, p) && !slices.Contains(seen, p) {
				rep.Modified = append(rep.Modified, p)
			}
		}
		slices.Sort(rep.Modified)
		rep.Modified = slices.Compact(rep.Modified)
		return nil
	})
	if err != nil {
		return rep, fmt.Errorf("verify: %w", err)
	}
	return rep, nil
}

// noteSync records the time of the last Sync, for other processes.
func (r *Root) noteSync(ctx context.Context) error {
	r.syncMu.Lock()
	at := r.lastSync
	r.syncMu.Unlock()
	if at.IsZero() {
		return nil
	}
	return r.db.Update(ctx, func(tx *store.Tx) error {
		return tx.SetMeta(ctx, metaLastSync, strconv.FormatInt(at.UnixNano(), 10))
	})
}
