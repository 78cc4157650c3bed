package engine

import (
	"context"
	"time"

	"sextant/jit"
)

// LoadVectors reads the vectors of a root into memory in the background, for later requests. It
// returns a channel that is closed when they are read or have failed. It returns nil if nothing is
// read, as in a process that serves a single request.
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
		// The next request retries a failed load.
		_ = root.View(ctx, func(v *jit.View) error { return r.words.Load(ctx, v) })
	})
	if !started {
		r.loaded()
	}
	return done
}

// load marks the vectors as being read. busy reports that they are being read already.
func (r *rootState) load() (done <-chan struct{}, busy bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.loading != nil {
		return r.loading, true
	}
	r.loading = make(chan struct{})
	return r.loading, false
}

// loaded marks the vectors as no longer being read, and closes the channel that load returned.
func (r *rootState) loaded() {
	r.mu.Lock()
	defer r.mu.Unlock()
	close(r.loading)
	r.loading = nil
}

// AwaitVectors waits until the channel that LoadVectors returned is closed, but no longer than
// Options.VectorWait. It reports whether the channel was closed in time; false for nil.
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

// DefaultVectorWait is the longest time that a request waits for its root's vectors. Without them
// the answer may differ, and is usually worse.
const DefaultVectorWait = 300 * time.Millisecond
