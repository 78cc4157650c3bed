package engine

import (
	"math"
	"testing"

	"sextant/jit"
)

// HoldLinks makes the search for the links between the services of a root last until release is called.
func (s *Engine) HoldLinks(root *jit.Root) (release func()) {
	held := &linking{generation: math.MaxInt64, cancel: func() {}, done: make(chan struct{})}
	r := s.state(root)
	set := func(l *linking) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.linking = l
	}
	set(held)
	return func() {
		set(nil)
		close(held.done)
	}
}

// KeepAllLinks makes engines store the links of every search in the index until the test ends.
func KeepAllLinks(t *testing.T) {
	was := keptLinks
	keptLinks = 0
	t.Cleanup(func() { keptLinks = was })
}
