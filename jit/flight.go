package jit

import (
	"context"
	"sync"
)

// flight is one Sync under way or waiting for its turn.
type flight struct {
	done   chan struct{} // closed when report and err are set
	report Report
	err    error
}

// flights runs Syncs one after the other. A call joins the flight that waits,
// never the one that has begun: what changed after that looked at a directory
// would be missed.
type flights struct {
	mu      sync.Mutex
	next    *flight // guarded by mu; not begun
	running bool    // guarded by mu
}

// join returns the flight that answers a call of now, whether it is to be
// run by the caller, and whether others were waiting for it before.
func (s *flights) join() (f *flight, first, shared bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.next != nil {
		return s.next, false, true
	}
	s.next = &flight{done: make(chan struct{})}
	first = !s.running
	s.running = true
	return s.next, first, false
}

// depart takes the waiting flight, nil when there is none.
func (s *flights) depart() *flight {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.next
	s.next = nil
	s.running = f != nil
	return f
}

// fly runs flights until none waits.
func (r *Root) fly(ctx context.Context) {
	for {
		f := r.flights.depart()
		if f == nil {
			return
		}
		f.report, f.err = r.syncOnce(ctx)
		close(f.done)
	}
}
