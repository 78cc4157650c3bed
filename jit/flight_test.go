package jit

import "testing"

// TestSharedSyncSaysThatTheIndexIsPartial checks that a call that shares the Sync of another gets the mode
// ModeCoalesced, but ModeIndexing while the index is being built: an answer without results proves nothing
// then.
func TestSharedSyncSaysThatTheIndexIsPartial(t *testing.T) {
	w := newWorld(t, seeds(), nil)
	for mode, want := range map[Mode]Mode{ModeIndexing: ModeIndexing, ModeUnchanged: ModeCoalesced} {
		f := &flight{done: make(chan struct{}), report: Report{Mode: mode}}
		close(f.done)
		w.r.flights.mu.Lock()
		w.r.flights.next = f
		w.r.flights.mu.Unlock()
		rep, err := w.r.Sync(t.Context())
		if w.must(err); rep.Mode != want {
			t.Errorf("shared with %s: %s, want %s", mode, rep.Mode, want)
		}
		w.r.flights.depart()
	}
}

// TestFlightsOneAtATime checks which calls of Sync start a flight, and which share one: a call joins the flight that
// waits, never the one that runs.
func TestFlightsOneAtATime(t *testing.T) {
	var s flights
	one, first, shared := s.join()
	if !first || shared {
		t.Errorf("the first call: starts %t, shares %t", first, shared)
	}
	if f, first, shared := s.join(); f != one || first || !shared {
		t.Errorf("a call while that waits: starts %t, shares %t", first, shared)
	}
	if s.depart() != one {
		t.Error("another flight runs than the one that waits")
	}
	two, first, shared := s.join()
	if two == one || first || shared {
		t.Errorf("a call while that runs: starts %t, shares %t", first, shared)
	}
	if s.depart() != two || s.depart() != nil {
		t.Error("the flight after it does not run next, as the last one")
	}
	if _, first, shared := s.join(); !first || shared {
		t.Errorf("a call after both: starts %t, shares %t", first, shared)
	}
}
