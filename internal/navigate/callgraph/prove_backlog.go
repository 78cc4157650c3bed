package callgraph

import (
	"context"
	"sync"
)

// backlog is the graphs that wait to be proven in the background. What was
// asked last comes first, since whoever asked goes on from there, and the oldest
// are dropped: asked for again, they are proven then.
type backlog struct {
	spawn func(func(context.Context)) bool // as Service.spawn

	mu      sync.Mutex
	waiting []backlogJob // guarded by mu; the newest last
	workers int          // guarded by mu
}

// backlogJob is run, or dropped.
type backlogJob struct {
	run  func(context.Context)
	drop func()
}

const (
	// backgroundJobs is how many graphs are proven at once.
	backgroundJobs = 2
	// maxBacklog bounds those that wait: each may keep a server for minutes.
	maxBacklog = 8
)

// add takes a job in.
func (b *backlog) add(j backlogJob) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.waiting = append(b.waiting, j); len(b.waiting) > maxBacklog {
		b.waiting[0].drop()
		b.waiting = b.waiting[1:]
	}
	if b.workers < backgroundJobs && b.spawn(b.work) {
		b.workers++
	}
}

// work runs jobs until there is none.
func (b *backlog) work(ctx context.Context) {
	for {
		b.mu.Lock()
		n := len(b.waiting)
		if n == 0 || ctx.Err() != nil {
			b.workers--
			b.mu.Unlock()
			return
		}
		j := b.waiting[n-1]
		b.waiting = b.waiting[:n-1]
		b.mu.Unlock()
		j.run(ctx)
	}
}
