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
	// cacheBytes is the budget that all caches of a process share, in bytes. For
	// data that must stay in memory, the roots in use grant engine.PerFile for
	// each of their files besides.
	cacheBytes = 72 << 20
	// heapGrowth is the GOGC of a server, in percent: how far the heap may grow
	// before the next collection. Most of the heap is long-lived caches. Go's
	// default of 100 would reserve as much memory again as these take, and save a
	// tenth of processor time.
	heapGrowth = 50
	// reserveBytes is the largest growth of a large heap before the next collection, such as
	// while calls are resolved in advance. GOGC is then lower than heapGrowth, but at least
	// leastGrowth. A smaller reserve would cost more than it saves, because each collection marks
	// the whole heap again.
	reserveBytes = 72 << 20
	leastGrowth  = 25
	// startGrowth is the GOGC of a single command, and of a server in its first
	// restAfter. While the heap grows to its usual size, a GOGC of 50 would collect
	// it some ten times, which takes a seventh of a first answer's CPU. 100 would
	// take a twentieth of the CPU for a new index and save only 20 MB.
	startGrowth = 200
	// commandReserve is the largest growth of the heap of a single command, such as one that
	// indexes 200,000 files: GOGC is then lower than startGrowth, but at least heapGrowth.
	commandReserve = 128 << 20
	// workBytes is the memory for building an index or an answer, besides the caches.
	// The soft memory limit is 5/4 of the caches plus workBytes, or 3/2 of the live
	// heap if that is more: with a limit close to the live heap the collector would
	// take half of the processor, as it did with 60,000 files.
	workBytes = 200 << 20
	// restAfter is the idle time after which a server returns memory.
	restAfter = 5 * time.Second
	// restBytes is the limit below which a server counts as idle: it has allocated
	// fewer bytes within restAfter. Its free memory is then given back to the
	// system, if it has allocated more than restBytes since that was last done.
	restBytes = 8 << 20
)

// heap manages the heap of this process. If GOGC or GOMEMLIMIT is set in the
// environment, heap leaves that setting as it is.
type heap struct {
	env    func(string) string
	caches *budget.Budget
}

// beThrifty limits the heap, and returns memory to the system whenever the process is idle. The
// returned function stops that and waits until it has stopped.
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

// bound sets GOGC, in percent, and the soft memory limit for a heap with live bytes
// in use.
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

// watch adapts GOGC to the growing heap of a single command, until ctx ends.
func (h heap) watch(ctx context.Context) {
	tick := time.NewTicker(restAfter)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			h.pace(growth(heapBytes("live"), commandReserve, heapGrowth, startGrowth))
		}
	}
}

// giveBack adapts GOGC to the heap, and collects the heap and returns free
// memory to the system once after each busy period, until ctx ends.
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
		h.bound(growth(live, reserveBytes, leastGrowth, heapGrowth), live)
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

// growth returns the GOGC, from least to most, with which a heap with live bytes in use grows by
// reserve bytes at most.
func growth(live, reserve uint64, least, most int) int {
	return max(least, min(most, int(100*reserve/max(live, 1))))
}

// heapBytes returns a metric of the heap in bytes: "live" counts the bytes that
// the last collection left, "allocs" those allocated since the process started,
// including freed memory.
func heapBytes(metric string) uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/" + metric + ":bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
