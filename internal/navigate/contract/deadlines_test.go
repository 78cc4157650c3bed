package contract

import "testing"

// TestLongerDeadline checks that the first repetition has time for an answer on a busy machine, and that none
// goes beyond what a request may ask for.
func TestLongerDeadline(t *testing.T) {
	for ms, want := range map[int]int{1: 30_000, DefaultDeadline: 30_000, 5000: 50_000, 30_000: MaxDeadline,
		MaxDeadline: MaxDeadline} {
		if got := LongerDeadline(ms); got != want {
			t.Errorf("after %d ms: %d, want %d", ms, got, want)
		}
	}
}
