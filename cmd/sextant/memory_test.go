package main

import (
	"runtime"
	"testing"
)

// TestTheReserveOfTheHeapIsBounded checks what the collector may leave unused for
// heaps of some sizes, in MB.
func TestTheReserveOfTheHeapIsBounded(t *testing.T) {
	for _, c := range []struct{ live, reserve uint64 }{{0, 0}, {100, 50}, {200, 72}, {280, 70}, {400, 100}} {
		got := c.live * uint64(growth(c.live<<20)) / 100
		if got > c.reserve || got < c.reserve*9/10 {
			t.Errorf("%d MB are live: %d MB in reserve, want %d", c.live, got, c.reserve)
		}
	}
}

// TestHeapBytes checks that both metrics exist.
func TestHeapBytes(t *testing.T) {
	before := heapBytes("allocs")
	kept := make([]byte, 1<<20)
	runtime.GC()
	if after := heapBytes("allocs"); after < before+1<<20 || heapBytes("live") < 1<<20 {
		t.Errorf("%d bytes allocated before a MB, and %d after; %d live", before, after, heapBytes("live"))
	}
	runtime.KeepAlive(kept)
}
