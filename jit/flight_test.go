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
