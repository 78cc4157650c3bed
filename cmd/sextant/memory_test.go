package main

import (
	"runtime"
	"testing"
)

// TestTheReserveOfTheHeapIsBounded checks how much memory the collector may leave unused for heaps
// of some sizes, in MB.
func TestTheReserveOfTheHeapIsBounded(t *testing.T) {
	type heap struct{ live, reserve uint64 }
	server := []heap{{0, 0}, {100, 50}, {200, 72}, {280, 70}, {400, 100}}
	command := []heap{{0, 0}, {50, 100}, {100, 128}, {400, 200}}
	check := func(c heap, percent int) {
		if got := c.live * uint64(percent) / 100; got > c.reserve || got < c.reserve*9/10 {
			t.Errorf("%d MB are live: %d MB in reserve, want %d", c.live, got, c.reserve)
		}
	}
	for _, c := range server {
		check(c, growth(c.live<<20, reserveBytes, leastGrowth, heapGrowth))
	}
	for _, c := range command {
		check(c, growth(c.live<<20, commandReserve, heapGrowth, startGrowth))
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
