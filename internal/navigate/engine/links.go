package engine

import (
	"context"
	"errors"
	"fmt"

	"sextant/jit"
	"sextant/l2meta/resolve"
)

// linking is a search for the links between the services of a root: all routes, requests and messages.
// An answer about one service needs them all, and to find them takes seconds on a large root. So one
// search in the background serves all answers, and goes on when the time of an answer is over.
type linking struct {
	generation int64              // the state of the index that is searched, or an earlier one
	cancel     context.CancelFunc // ends the search
	done       chan struct{}      // closed when the search has ended
	err        error              // why the search failed; valid when done is closed
}

// Linked waits until the links between the services of a root are known at a generation of its index. It
// returns false if ctx ends first, or if the search fails. When ctx ends, the search goes on.
func (s *Engine) Linked(ctx context.Context, root *jit.Root, generation int64) bool {
	for l := s.link(root, generation); l != nil; l = s.link(root, generation) {
		select {
		case <-l.done:
		case <-ctx.Done():
		}
		if ended, err := l.ended(); !ended || !errors.Is(err, context.Canceled) {
			return ended && err == nil
		} // else a search at a later generation has taken its place
	}
	return false
}

// FindLinks starts the search for the links between the services of a root at a generation of its index, unless
// it is under way or done.
func (s *Engine) FindLinks(root *jit.Root, generation int64) { s.link(root, generation) }

// link returns the search for links at a generation of a root. It starts one if there is none, and ends one
// at an earlier generation. A search that failed is not repeated until the index changes. link returns nil if
// the root is closed.
func (s *Engine) link(root *jit.Root, generation int64) *linking {
	r := s.state(root)
	r.mu.Lock()
	defer r.mu.Unlock()
	if l := r.linking; l != nil {
		if _, err := l.ended(); l.generation >= generation && !errors.Is(err, context.Canceled) {
			return l
		}
		l.cancel()
	}
	ctx, cancel := context.WithCancel(context.Background())
	l := &linking{generation: generation, cancel: cancel, done: make(chan struct{})}
	if !root.Go(func(open context.Context) {
		defer cancel()
		defer context.AfterFunc(open, cancel)()
		defer close(l.done)
		if l.err = s.findLinks(ctx, root); l.err != nil && ctx.Err() != nil {
			l.err = ctx.Err() // the database reports an interruption in its own words
		}
	}) {
		cancel()
		return nil
	}
	r.linking = l
	return l
}

// ended reports whether the search has ended, and with which error.
func (l *linking) ended() (bool, error) {
	select {
	case <-l.done:
		return true, l.err
	default:
		return false, nil
	}
}

// findLinks finds the links between the services of a root and keeps them in its cache. It returns a panic
// of a rule as an error. A query that meets the same place panics, too.
func (s *Engine) findLinks(ctx context.Context, root *jit.Root) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("find links between services: panic: %v", p)
		}
	}()
	cache := s.Derived(root)
	defer cache.Extend()()
	return indexOf{root}.View(ctx, func(v *jit.View, generation int64) error {
		return Joiner(resolve.New(ctx, v, cache, generation), root.Services()).Prepare()
	})
}
