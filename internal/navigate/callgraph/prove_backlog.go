package callgraph

import (
	"context"
	"fmt"
	"sync"
	"time"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/engine"
)

// backlog holds jobs that ask language servers, in the background, about the edges of answered requests.
// The newest job runs first, because its caller is most likely to continue from that answer. If there are
// too many jobs, the oldest are dropped; the next request for their edges asks again.
type backlog struct {
	spawn func(func(context.Context)) bool // Engine.Spawn

	mu      sync.Mutex
	waiting []backlogJob    // guarded by mu; the newest last
	workers int             // guarded by mu
	busy    map[string]bool // guarded by mu; keys of the jobs that wait or run
}

// backlogJob is one job. drop is called instead of run if the backlog is full.
type backlogJob struct {
	run  func(context.Context)
	drop func()
}

const (
	// backgroundJobs is the number of jobs that run at once.
	backgroundJobs = 2
	// maxBacklog is the largest number of waiting jobs. Each may keep a server busy for
	// minutes.
	maxBacklog = 8
)

// add queues a job, drops the oldest if there are too many, and starts a worker if one is
// free.
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

// work runs jobs, the newest first, until none is left.
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

// claim marks the job with a key as waiting or running. It returns false if it already is.
func (b *backlog) claim(what string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.busy[what] {
		return false
	}
	if b.busy == nil {
		b.busy = map[string]bool{}
	}
	b.busy[what] = true
	return true
}

func (b *backlog) release(what string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.busy, what)
}

// inBackground queues a job that asks the language servers for which this request did not
// wait, so that the next request finds their answers. In a process that serves a single
// request it does nothing.
func (g *graphing) inBackground(symbol string) {
	s := g.service
	if !s.Resident {
		return
	}
	b := &s.proving
	what := fmt.Sprintf("%x %d %d", fingerprint(g.req, g.place.Root.Path(), symbol), g.req.Limit, g.from())
	if !b.claim(what) {
		return
	}
	release := func() { b.release(what) }
	req := anew(g.req, g.answer.SymbolRef)
	if req.Verify = contract.VerifyWait; req.Normalize() != nil {
		release() // an error is impossible: the same request has just been answered
		return
	}
	b.add(backlogJob{drop: release, run: func(ctx context.Context) {
		defer release()
		ctx, cancel := context.WithTimeout(ctx, backgroundTime)
		defer cancel()
		until, _ := ctx.Deadline()
		later := &graphing{service: s, place: g.place, req: req, answer: &contract.GraphAnswer{}, sync: g.sync,
			until: until, behind: true}
		for range engine.MaxPasses {
			if done, err := later.pass(ctx); done || err != nil {
				return
			}
		}
	}})
}

// backgroundTime is the time limit of one background job: a server reads the largest
// workspaces in some minutes.
const backgroundTime = 5 * time.Minute
