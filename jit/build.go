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

// State is how far the index of a root is.
type State string

const (
	StateNotIndexed State = "not_indexed"
	StateIndexing   State = "indexing"
	StateReady      State = "ready"
	StateFailed     State = "failed"
)

// Phases of a build.
const (
	PhaseScanning  = "scanning"
	PhaseWriting   = "writing"
	PhaseCompleted = "completed"
	PhaseFailed    = "failed"
)

// Progress is the state of the cold index of a root, as its builder last
// wrote it down.
type Progress struct {
	State      State     `json:"state"`
	Action     string    `json:"action,omitempty"` // what was asked for: create, reindex, …
	Phase      string    `json:"phase,omitempty"`
	FilesDone  int       `json:"filesDone"`
	FilesTotal int       `json:"filesTotal"` // 0 while scanning
	StartedAt  time.Time `json:"startedAt,omitzero"`
	UpdatedAt  time.Time `json:"updatedAt,omitzero"`
	FinishedAt time.Time `json:"finishedAt,omitzero"`
	Error      string    `json:"error,omitempty"`
	Holder     Holder    `json:"holder,omitzero"`
}

// ETA is the time that the rest will take at the rate so far, 0 when that
// cannot be told.
func (p *Progress) ETA() time.Duration {
	if p.State != StateIndexing || p.FilesDone == 0 || p.FilesTotal <= p.FilesDone {
		return 0
	}
	spent := p.UpdatedAt.Sub(p.StartedAt)
	return time.Duration(float64(spent) / float64(p.FilesDone) * float64(p.FilesTotal-p.FilesDone))
}

// progressEvery is how often a build writes its progress down for others.
const progressEvery = time.Second

// building is the build of this process.
type building struct {
	mu       sync.Mutex
	progress Progress               // guarded by mu; the zero State when this process builds nothing
	news     map[chan struct{}]bool // guarded by mu; capacity 1 each, told of each change of progress
	ending   *ending                // guarded by mu; of the last build that began, nil when none did
	noted    time.Time              // guarded by mu; when progress was last written down
}

// ending is the end of one build.
type ending struct {
	done chan struct{} // closed when the build has ended
	err  error         // of the build, set before done is closed
}

func (e *ending) end(err error) {
	e.err = err
	close(e.done)
}

// Start begins the cold index in the background: a sweep over an empty table,
// or over a half-built one that its builder left behind. It returns a
// *HeldError when this or another process is at it already, and nil once the
// lock is taken and the state is written down. Action names what was asked.
func (r *Root) Start(ctx context.Context, action string) error {
	lock, err := store.TryLock(r.lockPath(), r.holder(action))
	if err != nil {
		return err
	}
	if err := r.startLocked(ctx, action, lock); err != nil {
		return errors.Join(err, lock.Unlock())
	}
	return nil
}

func (r *Root) lockPath() string { return filepath.Join(r.dir, "op.lock") }

func (r *Root) holder(action string) Holder {
	return Holder{Owner: fmt.Sprintf("sextant-%d", os.Getpid()), PID: os.Getpid(), Version: r.opt.Version, Action: action, Since: r.opt.Clock()}
}

// startLocked starts the build that ends with the release of lock.
func (r *Root) startLocked(ctx context.Context, action string, lock *store.Lock) error {
	now := r.opt.Clock()
	p := Progress{State: StateIndexing, Action: action, Phase: PhaseScanning, StartedAt: now, UpdatedAt: now, Holder: r.holder(action)}
	if err := r.writeProgress(ctx, p); err != nil {
		return err
	}
	e := &ending{done: make(chan struct{})}
	r.build.mu.Lock()
	r.build.progress, r.build.ending, r.build.noted = p, e, now
	r.build.mu.Unlock()
	// Before the lock is released: with it the next build may begin.
	stop := func() {
		r.advance(func(p *Progress) {
			if p.State == StateIndexing {
				p.State = "" // it ended without a word: the next Sync sees to it
			}
		})
	}
	ok := r.spawn(func(ctx context.Context) {
		err := r.runBuild(ctx)
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

// Build is Start and waiting for the end. When another is building already,
// its *HeldError is returned. fn, which may be nil, is called with each
// progress, from one goroutine at a time. The context ends the wait, not the
// build.
func (r *Root) Build(ctx context.Context, action string, fn func(Progress)) error {
	if err := r.Start(ctx, action); err != nil {
		return err
	}
	return r.Wait(ctx, fn)
}

// Wait waits for the build of this process, if one is under way, and returns
// what became of it. fn is as for Build.
func (r *Root) Wait(ctx context.Context, fn func(Progress)) error {
	news := make(chan struct{}, 1)
	b := &r.build
	b.mu.Lock()
	e := b.ending
	if b.news == nil {
		b.news = map[chan struct{}]bool{}
	}
	b.news[news] = true
	b.mu.Unlock()
	defer func() {
		b.mu.Lock()
		delete(b.news, news)
		b.mu.Unlock()
	}()
	if e == nil {
		return nil
	}
	tell := func() {
		if fn != nil {
			b.mu.Lock()
			p := b.progress
			b.mu.Unlock()
			fn(p)
		}
	}
	for {
		select {
		case <-news:
			tell()
		case <-e.done:
			tell()
			return e.err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// unusedFor is how long the index of another version of the program is kept:
// two that are in use live side by side.
const unusedFor = 14 * 24 * time.Hour

// buildTries is how often a build begins again that lost its database: it was
// found damaged, or somebody removed its files.
const buildTries = 5

func (r *Root) runBuild(ctx context.Context) (err error) {
	for range buildTries {
		if err = r.buildOnce(ctx); !errors.Is(err, ErrReplaced) {
			break
		}
	}
	return err
}

// buildOnce fills the database and writes down what became of it. ErrReplaced
// says that it was exchanged meanwhile, so that a part of the rows is lost.
func (r *Root) buildOnce(ctx context.Context) error {
	lost := r.lost.Load()
	err := r.fillTable(ctx)
	if ctx.Err() != nil {
		return ctx.Err() // the state stays at indexing: whoever comes next resumes
	}
	if errors.Is(err, ErrReplaced) || r.lost.Load() != lost {
		return ErrReplaced
	}
	now := r.opt.Clock()
	p := r.advance(func(p *Progress) {
		p.State, p.Phase, p.FinishedAt = StateReady, PhaseCompleted, now
		if err != nil {
			p.State, p.Phase, p.Error = StateFailed, PhaseFailed, err.Error()
		}
	})
	if err := errors.Join(err, r.finish(ctx, p, lost)); err != nil {
		return err
	}
	// What cannot be removed now is tried after the next build.
	_ = store.RemoveUnused(r.dir, r.opt.schemas(), now.Add(-unusedFor))
	return nil
}

// finish writes down how a build ended, in the database that it filled.
func (r *Root) finish(ctx context.Context, p Progress, lost int64) error {
	return r.db.Update(ctx, func(tx *store.Tx) error {
		if r.lost.Load() != lost {
			return ErrReplaced
		}
		return setProgress(ctx, tx, p)
	})
}

func (r *Root) fillTable(ctx context.Context) error {
	if err := r.refresh(ctx); err != nil {
		return err
	}
	began := r.opt.Clock()
	s := r.newSweep()
	if err := s.everything(ctx); err != nil {
		return err
	}
	var rep Report
	s.report(&rep)
	r.advance(func(p *Progress) {
		p.Phase, p.FilesTotal, p.FilesDone = PhaseWriting, max(s.files, len(s.suspects)), max(0, s.files-len(s.suspects))
	})
	c := &changes{onCommit: func(n int) { r.progressed(ctx, n) }}
	if err := r.update(ctx, s.suspects, c); err != nil {
		return err
	}
	r.syncMu.Lock()
	r.lastSync, r.lastSweep = began, began
	r.syncMu.Unlock()
	if err := r.noteSync(ctx); err != nil {
		return err
	}
	return r.saveSnapshot(ctx)
}

// advance changes the progress and tells those that wait.
func (r *Root) advance(change func(*Progress)) Progress {
	b := &r.build
	b.mu.Lock()
	defer b.mu.Unlock()
	change(&b.progress)
	b.progress.UpdatedAt = r.opt.Clock()
	for news := range b.news {
		select {
		case news <- struct{}{}:
		default: // it has not seen the last change yet
		}
	}
	return b.progress
}

// progressed counts committed files, and writes the count down now and then.
// A count that could not be written is only an older count.
func (r *Root) progressed(ctx context.Context, files int) {
	p := r.advance(func(p *Progress) { p.FilesDone = min(p.FilesDone+files, p.FilesTotal) })
	b := &r.build
	b.mu.Lock()
	due := p.UpdatedAt.Sub(b.noted) >= progressEvery
	if due {
		b.noted = p.UpdatedAt
	}
	b.mu.Unlock()
	if due {
		_ = r.writeProgress(ctx, p)
	}
}

func (r *Root) writeProgress(ctx context.Context, p Progress) error {
	return r.db.Update(ctx, func(tx *store.Tx) error { return setProgress(ctx, tx, p) })
}

func setProgress(ctx context.Context, tx *store.Tx, p Progress) error {
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return tx.SetMeta(ctx, metaBuild, string(text))
}

// progress is the state of the cold index: this process's own build, else
// what is written down.
func (r *Root) progress(ctx context.Context) (p Progress, err error) {
	r.build.mu.Lock()
	p = r.build.progress
	r.build.mu.Unlock()
	if p.State == StateIndexing {
		return p, nil
	}
	p = Progress{}
	err = r.View(ctx, func(v *View) error {
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

// actionHeal is the Progress.Action of a build in the place of a damaged index.
const actionHeal = "heal"

// failedFor is how long a build that failed is not tried again: a full disk, say,
// is not emptied sooner.
const failedFor = time.Minute

// Whole reports whether the index lacks nothing that is known of: its build has
// ended, and no changed file waits.
func (r *Root) Whole(ctx context.Context) (bool, error) {
	p, err := r.progress(ctx)
	return p.State == StateReady && r.pending.size() == 0, err
}

// ErrBuildFailed is what Sync returns while the cold index is a failed one:
// Status says why. It is tried again after a minute, or with Start.
var ErrBuildFailed = errors.New("building the index has failed")

// builtOrBuilding reports whether the index is complete. Where it is not, and
// nobody is building it (its builder died, or this version of the program has
// none yet), it starts a build.
func (r *Root) builtOrBuilding(ctx context.Context) (ready bool, err error) {
	p, err := r.progress(ctx)
	if err != nil {
		return false, err
	}
	switch p.State {
	case StateReady:
		return true, nil
	case StateFailed:
		if r.opt.Clock().Sub(p.FinishedAt) < failedFor {
			return false, fmt.Errorf("%s: %w: %s", r.path, ErrBuildFailed, p.Error)
		}
	}
	action := "create"
	if r.db.Healing() {
		action = actionHeal
	}
	var held *HeldError
	if err := r.Start(ctx, action); err != nil && !errors.As(err, &held) {
		return false, err
	}
	return false, nil
}
