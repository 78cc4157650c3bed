package main

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"sextant/internal/budget"
	"sextant/jit"
	"sextant/l2meta/syntax"
)

const (
	// cacheBytes is the budget that all caches of a process share.
	// engine.PerFile adds to it for each file of the roots in use.
	cacheBytes = 72 << 20
	// heapGrowth is the GOGC of a server, in percent. Most of the heap is
	// long-lived caches, so Go's default of 100 would keep as much again in
	// reserve, to save a tenth of processor time.
	heapGrowth = 50
	// reserveBytes bounds that reserve where the heap is large, as while calls are
	// resolved ahead, down to leastGrowth. Less would cost more than it saves: a
	// collection marks the whole heap again.
	reserveBytes = 72 << 20
	leastGrowth  = 25
	// startGrowth is GOGC of a single command, and of a server until restAfter. While
	// the heap grows to its size, 50 would collect it some ten times, a seventh of a
	// first answer's CPU; 100 would take a twentieth of a cold index, for 20 MB less.
	startGrowth = 200
	// workBytes is the room for building an index or an answer. The soft memory
	// limit is five quarters of the caches plus workBytes, or three halves of what is
	// live if that is more: a limit next to the live heap would make the collector
	// take half of the processor, as with 60,000 files.
	workBytes = 200 << 20
	// restAfter is the idle time after which a server returns memory.
	restAfter = 5 * time.Second
	// restBytes bounds idleness: a server that allocates less than this within
	// restAfter is idle. It is also the least allocation since the last return
	// that makes another one worthwhile.
	restBytes = 8 << 20
)

// heap is the heap of a long-running process. GOGC and GOMEMLIMIT, if set, take
// precedence over its bounds.
type heap struct {
	env    func(string) string
	caches *budget.Budget
}

// beThrifty bounds the heap and returns memory to the system while the process
// is idle. end stops that and waits for it.
func (h heap) beThrifty(ctx context.Context) (end func()) {
	h.bound(startGrowth, 0)
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		h.giveBack(ctx)
	}()
	return func() { cancel(); <-done }
}

// bound sets GOGC, in percent, and the soft memory limit of a heap with so many live bytes.
func (h heap) bound(growth int, live uint64) {
	h.pace(growth)
	if h.env("GOMEMLIMIT") == "" {
		_, caches := h.caches.Held()
		debug.SetMemoryLimit(max(caches*5/4+workBytes, int64(live)*3/2))
	}
}

// pace sets GOGC, in percent.
func (h heap) pace(growth int) {
	if h.env("GOGC") == "" {
		debug.SetGCPercent(growth)
	}
}

// giveBack collects the heap and returns free memory to the system once after
// each busy period, until ctx ends.
func (h heap) giveBack(ctx context.Context) {
	tick := time.NewTicker(restAfter)
	defer tick.Stop()
	var last, returned uint64 // bytes allocated at the last tick and at the last return
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		live := heapBytes("live")
		h.bound(growth(live), live)
		now := heapBytes("allocs")
		idle := now-last < restBytes
		if last = now; idle && now-returned > restBytes {
			debug.FreeOSMemory()
			syntax.ReturnMemory()
			jit.ReturnMemory()
			returned = heapBytes("allocs")
		}
	}
}

// growth returns the GOGC of a server whose heap has so many live bytes.
func growth(live uint64) int {
	return max(leastGrowth, min(heapGrowth, int(100*reserveBytes/max(live, 1))))
}

// heapBytes returns a metric of the heap: "live", the bytes that the last
// collection left, or "allocs", those allocated since the process started, freed
// ones included.
func heapBytes(metric string) uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/" + metric + ":bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
