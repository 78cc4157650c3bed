package jit

import (
	"context"
	"sync"
)

// flight is one run of Sync that is running or waits for its turn; several
// callers share its result.
type flight struct {
	done   chan struct{} // closed after report and err are set
	report Report
	err    error
}

// flights runs one Sync at a time. A new call joins the waiting flight, not the
// running one: that one may have checked a directory before its last change.
type flights struct {
	mu      sync.Mutex
	next    *flight // guarded by mu; the waiting flight
	running bool    // guarded by mu
}

// join returns the flight that will answer a call made now. It reports first if
// the caller must start it, and shared if an earlier call was already waiting
// for it.
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

// depart returns the waiting flight, which the caller must run; nil if there is
// none.
func (s *flights) depart() *flight {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.next
	s.next = nil
	s.running = f != nil
	return f
}

// fly runs flights until none is waiting.
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
