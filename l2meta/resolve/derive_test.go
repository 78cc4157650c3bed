package resolve

import (
	"context"
	"testing"
)

// TestDeriveStopsWithItsContext checks that a derivation is not begun once the context has ended, so that
// a long chain of them ends with the call that asked for it.
func TestDeriveStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	w := newWorld(ctx, nil, NewCache(Languages{}, nil), 1)
	made := 0
	var chain func(n int) int
	chain = func(n int) int {
		return Derive(w, n, func() int {
			if made++; n == 3 {
				cancel()
			}
			return chain(n+1) + 1
		})
	}
	if chain(0); made != 4 || w.Err() == nil {
		t.Errorf("%d derivations, error %v", made, w.Err())
	}
}
