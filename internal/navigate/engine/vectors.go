package engine

import (
	"context"
	"time"

	"sextant/jit"
)

// LoadVectors reads the vectors of a root into memory in the background, for
// the questions that follow. A process that answers once has none to follow.
// It returns what is closed when they are read or cannot be; nil where nothing
// is read.
func (s *Engine) LoadVectors(root *jit.Root) <-chan struct{} {
	if !s.Resident {
		return nil
	}
	r := s.state(root)
	done, busy := r.load()
	if busy {
		return done
	}
	started := root.Go(func(ctx context.Context) {
		defer r.loaded()
		s.grant(ctx, root)
		// The next question loads again what could not be loaded now.
		_ = root.View(ctx, func(v *jit.View) error { return r.words.Load(ctx, v) })
	})
	if !started {
		r.loaded()
	}
	return done
}

// load begins to read the vectors. It reports true when that is under way
// already.
func (r *rootState) load() (done <-chan struct{}, busy bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.loading != nil {
		return r.loading, true
	}
	r.loading = make(chan struct{})
	return r.loading, false
}

// loaded ends what load began.
func (r *rootState) loaded() {
	r.mu.Lock()
	defer r.mu.Unlock()
	close(r.loading)
	r.loading = nil
}

// AwaitVectors waits for the vectors of a root, as long as a question may. It reports
// whether they were waited for to the end.
func (s *Engine) AwaitVectors(ctx context.Context, loaded <-chan struct{}) bool {
	if loaded == nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, s.vectorWait)
	defer cancel()
	select {
	case <-loaded:
		return true
	case <-ctx.Done():
		return false
	}
}

// DefaultVectorWait bounds the time for which a question waits until its root's vectors
// are in memory: without them it has another answer, mostly a worse one.
const DefaultVectorWait = 300 * time.Millisecond
