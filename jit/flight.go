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

// flights runs one Sync at a time. A new call joins the flight that is waiting. It cannot join the
// running one, which may have checked a directory before that directory's last change.
type flights struct {
	mu      sync.Mutex
	next    *flight // guarded by mu; the waiting flight
	running bool    // guarded by mu
}

// join returns the flight, the run of Sync, that will answer a call made now. first is true if the
// caller must start it, shared if an earlier call was already waiting for it.
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

// depart takes the waiting flight, the Sync that several callers wait for, which the caller must run; nil if none is
// waiting.
func (s *flights) depart() *flight {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.next
	s.next = nil
	s.running = f != nil
	return f
}

// fly runs a Sync for each waiting flight until none is left.
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
