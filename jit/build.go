package jit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"sextant/internal/store"
)

// State is the state of a root's index, such as indexing.
type State string

const (
	StateNotIndexed State = "not_indexed"
	StateIndexing   State = "indexing"
	StateReady      State = "ready"
	StateFailed     State = "failed"
)

// These constants are the phases of a build.
const (
	PhaseScanning  = "scanning"
	PhaseWriting   = "writing"
	PhaseCompleted = "completed"
	PhaseFailed    = "failed"
)

// Progress is the state of the build of a root's index, as the building process last recorded it.
type Progress struct {
	State      State     `json:"state"`
	Action     string    `json:"action,omitempty"` // the request that started the build: create, reindex, …
	Phase      string    `json:"phase,omitempty"`
	FilesDone  int       `json:"filesDone"`
	FilesTotal int       `json:"filesTotal"` // 0 during scanning
	StartedAt  time.Time `json:"startedAt,omitzero"`
	UpdatedAt  time.Time `json:"updatedAt,omitzero"`
	FinishedAt time.Time `json:"finishedAt,omitzero"`
	Error      string    `json:"error,omitempty"`
	Holder     Holder    `json:"holder,omitzero"`
}

// ETA returns the remaining time of the build at the rate so far, or 0 if unknown.
func (p *Progress) ETA() time.Duration {
	if p.State != StateIndexing || p.FilesDone == 0 || p.FilesTotal <= p.FilesDone {
		return 0
	}
	spent := p.UpdatedAt.Sub(p.StartedAt)
	return time.Duration(float64(spent) / float64(p.FilesDone) * float64(p.FilesTotal-p.FilesDone))
}

// progressEvery is the interval at which a build records its progress in the
// database, for other processes.
const progressEvery = time.Second

// building runs the builds of a root in this process, one at a time.
type building struct {
	root     *Root
	mu       sync.Mutex
	progress Progress // guarded by mu; zero State if this process is not building
	// guarded by mu; channels of capacity 1, signalled on each change of progress
	news   map[chan struct{}]bool
	ending *ending   // guarded by mu; the end of the latest build; nil before the first build of this process
	noted  time.Time // guarded by mu; when progress was last recorded in the database
}

// ending tells the callers of Wait how a build ended.
type ending struct {
	done chan struct{} // closed when the build has ended
	err  error         // error of the build, set before done is closed
}

// end records the error of the build, nil for success, and wakes all goroutines that wait for its
// end.
func (e *ending) end(err error) {
	e.err = err
	close(e.done)
}

// Start starts the cold index, the first build of an index, in the background. The build compares
// all files with the files table, which is empty or was left incomplete by an earlier build. Start
// returns nil once it has the lock and has recorded the state. It returns a *HeldError if this or
// another process is already building. action names the request, such as "create".
func (r *Root) Start(ctx context.Context, action string) error {
	lock, err := r.build.lock(action)
	if err != nil {
		return err
	}
	if err := r.build.start(ctx, action, lock); err != nil {
		return errors.Join(err, lock.Unlock())
	}
	return nil
}

// lockPath returns the path of the lock that a build holds.
func (b *building) lockPath() string { return filepath.Join(b.root.dir, "op.lock") }

// lock takes the lock of builds. It returns a *HeldError if another build holds it.
func (b *building) lock(action string) (*store.Lock, error) {
	return store.TryLock(b.lockPath(), b.root.opt.holder(action))
}

// holder returns the description of this process that a lock file contains, for other processes
// that cannot get the lock.
func (o *Options) holder(action string) Holder {
	return Holder{Owner: fmt.Sprintf("sextant-%d", os.Getpid()), PID: os.Getpid(), Version: o.Version, Action: action,
		Since: o.Clock()}
}

// start starts a build in the background. The lock is released when the build ends.
func (b *building) start(ctx context.Context, action string, lock *store.Lock) error {
	now := b.root.opt.Clock()
	p := Progress{State: StateIndexing, Action: action, Phase: PhaseScanning, StartedAt: now, UpdatedAt: now,
		Holder: b.root.opt.holder(action)}
	if err := b.write(ctx, p); err != nil {
		return err
	}
	e := &ending{done: make(chan struct{})}
	b.mu.Lock()
	b.progress, b.ending, b.noted = p, e, now
	b.mu.Unlock()
	// stop must run before the lock is released, because the next build can begin then.
	stop := func() {
		b.advance(func(p *Progress) {
			if p.State == StateIndexing {
				p.State = "" // the build ended without a result; the next Sync starts a new build
			}
		})
	}
	ok := b.root.group.Go(func(ctx context.Context) {
		err := b.run(ctx)
		stop()
		e.end(errors.Join(err, lock.Unlock()))
	})
	if !ok {
		stop()
		e.end(ErrClosed)
		return ErrClosed
	}
	return nil
}

// Build calls Start and waits for the end. It returns a *HeldError if a build
// is running already. It calls fn, unless nil, after each change of progress,
// from one goroutine at a time. The context ends the wait, not the build.
func (r *Root) Build(ctx context.Context, action string, fn func(Progress)) error {
	if err := r.Start(ctx, action); err != nil {
		return err
	}
	return r.Wait(ctx, fn)
}

// Wait waits for the build of this process and returns its error; nil if there was no build. It
// calls fn, unless nil, after each change of progress.
func (r *Root) Wait(ctx context.Context, fn func(Progress)) error {
	news := make(chan struct{}, 1)
	build := &r.build
	build.mu.Lock()
	last := build.ending
	if build.news == nil {
		build.news = map[chan struct{}]bool{}
	}
	build.news[news] = true
	build.mu.Unlock()
	defer func() {
		build.mu.Lock()
		delete(build.news, news)
		build.mu.Unlock()
	}()
	if last == nil {
		return nil
	}
	tell := func() {
		if fn != nil {
			build.mu.Lock()
			p := build.progress
			build.mu.Unlock()
			fn(p)
		}
	}
	for {
		select {
		case <-news:
			tell()
		case <-last.done:
			tell()
			return last.err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// unusedFor is the time after which the unused index of another version of the
// program is removed. Two versions in use keep their indexes side by side.
const unusedFor = 14 * 24 * time.Hour

// buildTries is the largest number of times that a build starts, if its database is damaged or
// removed each time.
const buildTries = 5

// run builds the index. It starts again if the database is replaced meanwhile.
func (b *building) run(ctx context.Context) (err error) {
	for range buildTries {
		if err = b.once(ctx); !errors.Is(err, ErrReplaced) {
			break
		}
	}
	return err
}

// once builds the index in the database once and records the result. It returns ErrReplaced if
// the database was replaced meanwhile, so that some rows are lost.
func (b *building) once(ctx context.Context) error {
	lost := b.root.lost.Load()
	err := b.fill(ctx)
	if ctx.Err() != nil {
		return ctx.Err() // the recorded state stays at indexing, so another process resumes
	}
	if errors.Is(err, ErrReplaced) || b.root.lost.Load() != lost {
		return ErrReplaced
	}
	now := b.root.opt.Clock()
	p := b.advance(func(p *Progress) {
		p.State, p.Phase, p.FinishedAt = StateReady, PhaseCompleted, now
		if err != nil {
			p.State, p.Phase, p.Error = StateFailed, PhaseFailed, err.Error()
		}
	})
	if err := errors.Join(err, b.finish(ctx, p, lost)); err != nil {
		return err
	}
	// A removal that fails is tried again after the next build.
	_ = store.RemoveUnused(b.root.dir, b.root.opt.schemas(), now.Add(-unusedFor))
	return nil
}

// finish records the result of a build in the database that the build filled. lost is the number
// of databases of this root that had been given up when the build began. If that number has
// grown, finish returns ErrReplaced.
func (b *building) finish(ctx context.Context, p Progress, lost int64) error {
	return b.root.db.Update(ctx, func(tx *store.Tx) error {
		if b.root.lost.Load() != lost {
			return ErrReplaced
		}
		return setProgress(ctx, tx, p)
	})
}

// fill compares all files of the root with the files table. It indexes the files that the table
// lacks or has in an older state.
func (b *building) fill(ctx context.Context) error {
	if err := b.root.refresh(ctx); err != nil {
		return err
	}
	began := b.root.opt.Clock()
	s := b.root.newSweep()
	if err := s.everything(ctx); err != nil {
		return err
	}
	var rep Report
	s.report(&rep)
	b.advance(func(p *Progress) {
		p.Phase, p.FilesTotal, p.FilesDone = PhaseWriting, max(s.files, len(s.suspects)),
			max(0, s.files-len(s.suspects))
	})
	c := &changes{onCommit: func(n int) { b.progressed(ctx, n) }}
	if err := b.root.update(ctx, s.suspects, c); err != nil {
		return err
	}
	b.root.syncMu.Lock()
	b.root.lastSync, b.root.lastSweep = began, began
	b.root.syncMu.Unlock()
	if err := b.root.noteSync(ctx); err != nil {
		return err
	}
	return b.root.saveSnapshot(ctx)
}

// advance changes the progress and signals the callers of Wait.
func (b *building) advance(change func(*Progress)) Progress {
	b.mu.Lock()
	defer b.mu.Unlock()
	change(&b.progress)
	b.progress.UpdatedAt = b.root.opt.Clock()
	for news := range b.news {
		select {
		case news <- struct{}{}:
		default: // the receiver has not received the previous signal yet, which suffices
		}
	}
	return b.progress
}

// progressed counts committed files, and records the count in the database at most once per
// progressEvery. If recording fails, other processes see an older count.
func (b *building) progressed(ctx context.Context, files int) {
	p := b.advance(func(p *Progress) { p.FilesDone = min(p.FilesDone+files, p.FilesTotal) })
	b.mu.Lock()
	due := p.UpdatedAt.Sub(b.noted) >= progressEvery
	if due {
		b.noted = p.UpdatedAt
	}
	b.mu.Unlock()
	if due {
		_ = b.write(ctx, p)
	}
}

// write records p in the database.
func (b *building) write(ctx context.Context, p Progress) error {
	return b.root.db.Update(ctx, func(tx *store.Tx) error { return setProgress(ctx, tx, p) })
}

func setProgress(ctx context.Context, tx *store.Tx, p Progress) error {
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return tx.SetMeta(ctx, metaBuild, string(text))
}

// state returns the progress of the build that runs in this process. If none runs, it returns the
// progress that was last recorded in the database.
func (b *building) state(ctx context.Context) (p Progress, err error) {
	b.mu.Lock()
	p = b.progress
	b.mu.Unlock()
	if p.State == StateIndexing {
		return p, nil
	}
	p = Progress{}
	err = b.root.View(ctx, func(v *View) error {
		text, err := v.Meta(ctx, metaBuild)
		if err != nil || text == "" {
			return err
		}
		return json.Unmarshal([]byte(text), &p)
	})
	if p.State == "" {
		p.State = StateNotIndexed
	}
	return p, err
}

// actionHeal is the Progress.Action of a build that replaces a damaged index.
const actionHeal = "heal"

// failedFor is the time after which a failed build is retried. A full disk, for
// example, is not emptied sooner.
const failedFor = time.Minute

// Whole reports whether the index is complete as far as known: its build has ended, no changed
// file waits to be indexed, and no other call was indexing a file that the last Sync found
// changed.
func (r *Root) Whole(ctx context.Context) (bool, error) {
	p, err := r.build.state(ctx)
	return p.State == StateReady && r.pending.size() == 0 && !r.left.Load(), err
}

// ErrBuildFailed is the error of Sync if the build of the index has failed; Status says why. A
// minute later, Sync starts the build again; Start does so at once.
var ErrBuildFailed = errors.New("building the index has failed")

// doneOrBegun reports whether the index is complete. If not, it starts a build unless one is
// running: the process that was building may have died, or the index may be missing. It returns
// ErrBuildFailed if the last build failed less than failedFor ago.
func (b *building) doneOrBegun(ctx context.Context) (ready bool, err error) {
	p, err := b.state(ctx)
	if err != nil {
		return false, err
	}
	switch p.State {
	case StateReady:
		return true, nil
	case StateFailed:
		// A time in the future comes from a clock that was wrong.
		if since := b.root.opt.Clock().Sub(p.FinishedAt); 0 <= since && since < failedFor {
			return false, fmt.Errorf("%s: %w: %s", b.root.path, ErrBuildFailed, p.Error)
		}
	}
	action := "create"
	if b.root.db.Healing() {
		action = actionHeal
	}
	var held *HeldError
	if err := b.root.Start(ctx, action); err != nil && !errors.As(err, &held) {
		return false, err
	}
	return false, nil
}
