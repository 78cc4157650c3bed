package jit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"sextant/internal/store"
)

// Sync finds stale files and reindexes them: it brings the index up to date
// with the disk. When it returns without error, every change that was on disk
// when it was called is in the index, but for what the report names: Pending
// files, which are being indexed in the background, and Unverified ones, which
// could not be read. Concurrent calls share their work. The context ends the wait, not the work.
func (r *Root) Sync(ctx context.Context) (Report, error) {
	r.syncMu.Lock()
	r.lastUsed = r.opt.Clock()
	r.syncMu.Unlock()
	return r.sync(ctx)
}

func (r *Root) sync(ctx context.Context) (Report, error) {
	f, first, shared := r.flights.join()
	if first && !r.spawn(r.fly) {
		return Report{}, ErrClosed
	}
	select {
	case <-f.done:
	case <-ctx.Done():
		return Report{}, ctx.Err()
	case <-r.ctx.Done():
		return Report{}, ErrClosed
	}
	rep := f.report
	if shared && f.err == nil && rep.Mode != ModeIndexing { // of which "none" would be concluded
		rep.Mode = ModeCoalesced
	}
	return rep, f.err
}

func (r *Root) syncOnce(ctx context.Context) (rep Report, err error) {
	start := r.opt.Clock()
	rep = Report{CheckedAt: start}
	defer func() {
		rep.Duration = r.opt.Clock().Sub(start)
		rep.Pending = r.pending.size()
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
	switch ready, err := r.builtOrBuilding(ctx); {
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
	err = r.updateWithin(ctx, suspects, c)
	c.into(&rep)
	if err != nil {
		r.suspect.add(suspects...) // what the watcher said of them is used up
		return rep, err
	}
	if rep.Mode == "" {
		rep.Mode = ModeUnchanged
		if rep.Changed() || r.pending.size() > 0 {
			rep.Mode = ModeSynced
		}
	}
	r.syncMu.Lock()
	r.lastSync = start
	r.syncMu.Unlock()
	r.tend()
	return rep, nil
}

// suspects is every file whose row may not hold. The watcher is asked first;
// what it cannot vouch for is swept.
func (r *Root) suspects(ctx context.Context, rep *Report) ([]string, error) {
	s := r.newSweep()
	s.suspects = r.suspect.take()
	dirty, inst, ok := r.vouched(ctx)
	if ok && !r.disk.rulesMoved(ctx) {
		rep.Vouched = true
		r.sweepDirty(ctx, s, dirty)
		s.report(rep)
		return s.suspects, nil
	}
	began := r.opt.Clock()
	for again := true; again; {
		if err := s.everything(ctx); err != nil {
			r.suspect.add(s.suspects...)
			r.sweepNext()
			return nil, err
		}
		again = inst != nil && inst.adopt(s.met())
	}
	r.syncMu.Lock()
	r.lastSweep = began
	r.syncMu.Unlock()
	if len(s.unreadable) > 0 {
		// What became of the rules for what lies below shows when it can be
		// read again, and no event says that of every directory there.
		r.sweepNext()
	}
	if s.rulesChanged {
		rep.Mode = ModeIgnoreReconciled
	}
	s.report(rep)
	return s.suspects, nil
}

// report adds what a sweep met to rep, and leaves each suspect named once.
func (s *sweep) report(rep *Report) {
	s.mu.Lock()
	defer s.mu.Unlock()
	rep.FilesChecked += s.files
	rep.DirectoriesChecked += len(s.directories)
	rep.Unverified = append(rep.Unverified, s.unreadable...)
	slices.Sort(s.suspects)
	s.suspects = slices.Compact(s.suspects)
}

// updateWithin updates the files, and leaves what the budget does not cover to
// the background, where Pending names it. Files that are pending already are
// not taken up twice.
func (r *Root) updateWithin(ctx context.Context, paths []string, c *changes) error {
	mine := r.pending.claim(paths)
	if len(mine) < len(paths) {
		// One that is pending may have been read before its last change.
		r.suspect.add(without(paths, mine)...)
	}
	return r.withinBudget(ctx, mine, func(ctx context.Context) error {
		defer r.pending.remove(mine...)
		err := r.update(ctx, mine, c)
		if err != nil {
			r.suspect.add(mine...)
		}
		return err
	})
}

// withinBudget runs work on paths apart from the caller, who waits for it no
// longer than the budget: even one file can keep a parser busy for longer.
func (r *Root) withinBudget(ctx context.Context, paths []string, work func(context.Context) error) error {
	if len(paths) == 0 {
		return nil
	}
	done := make(chan error, 1)
	if !r.spawn(func(ctx context.Context) { done <- work(ctx) }) {
		return ErrClosed
	}
	timer := time.NewTimer(r.opt.Budget)
	defer timer.Stop()
	select {
	case err := <-done:
		return err
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// without is the elements of all that are not in some, which is a subsequence.
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

// warn sets the codes that follow from the report.
func (r *Root) warn(rep *Report) {
	if rep.Pending > 0 {
		rep.Warnings = append(rep.Warnings, WarnPending)
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

// Verify proves that the rows of the given files are what the disk has now,
// and reindexes the stale ones, in one transaction where they are few. A
// report that says Changed means that what was read of the index before has to
// be read again. A path without a row is looked at too, and counts as added
// when it turns out to belong into the index. Files that the budget does not
// cover go on in the background, where Pending counts them.
func (r *Root) Verify(ctx context.Context, paths []string) (Report, error) {
	start := r.opt.Clock()
	rep := Report{Mode: ModeVerified, CheckedAt: start, FilesChecked: len(paths)}
	var suspects []string
	for _, p := range paths {
		k, ok := r.table.get(p)
		entry, err := r.disk.stat(p)
		if !ok && isGone(err) {
			continue
		}
		if !ok || err != nil || !k.vouches(&entry) {
			suspects = append(suspects, p)
		}
	}
	slices.Sort(suspects)
	suspects = slices.Compact(suspects)
	c := &changes{}
	mine := r.pending.claim(suspects)
	err := r.withinBudget(ctx, suspects, func(ctx context.Context) error {
		defer r.pending.remove(mine...)
		err := r.update(ctx, suspects, c)
		if err != nil {
			r.suspect.add(suspects...)
		}
		return err
	})
	c.into(&rep)
	rep.Pending, rep.Generation = r.pending.size(), r.table.generation()
	rep.Duration = r.opt.Clock().Sub(start)
	r.warn(&rep)
	if err != nil && !errors.Is(err, context.Canceled) {
		err = fmt.Errorf("verify: %w", err)
	}
	return rep, err
}

// noteSync stores when the root was last found fresh, for other processes.
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
