package main

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

const (
	// cacheBytes is the budget that the caches of a process share. engine.PerFile
	// adds to it for each file of the roots that are asked.
	cacheBytes = 80 << 20
	// heapGrowth is by how many percent the heap of a server grows until it is
	// collected. Most of it is caches, which live long: Go's 100 would have as
	// much again stand empty, for a tenth less processor time.
	heapGrowth = 50
	// workBytes is added to five quarters of the caches to make the limit from which
	// the heap is collected sooner. It leaves room to build an index or an answer.
	workBytes = 200 << 20
	// restAfter is how long a server has done nothing when it gives memory back.
	restAfter = 5 * time.Second
	// restBytes is how much it may allocate in that time and still do nothing,
	// and how much there has to be to give back.
	restBytes = 8 << 20
)

// beThrifty bounds what the heap of a process takes that stays, and gives memory
// back to the system while nobody asks. The function it returns ends that.
func (a *app) beThrifty(ctx context.Context) (end func()) {
	if a.env("GOGC") == "" {
		debug.SetGCPercent(heapGrowth)
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		a.giveBack(ctx)
	}()
	return func() { cancel(); <-done }
}

// giveBack collects the heap and returns what is free of it, once after each
// time of work, in the background or for an answer.
func (a *app) giveBack(ctx context.Context) {
	tick := time.NewTicker(restAfter)
	defer tick.Stop()
	var last, returned uint64
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if a.env("GOMEMLIMIT") == "" {
			_, caches := a.caches.Held()
			debug.SetMemoryLimit(caches*5/4 + workBytes)
		}
		now := allocated()
		idle := now-last < restBytes
		if last = now; idle && now-returned > restBytes {
			debug.FreeOSMemory()
			returned = allocated()
		}
	}
}

// allocated is how many bytes were allocated since the process began.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
