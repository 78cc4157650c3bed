// Package background runs goroutines that end with their owner.
package background

import (
	"context"
	"sync"
)

// Group holds the goroutines of one owner. It is safe for concurrent use.
type Group struct {
	ctx    context.Context
	cancel context.CancelFunc

	mu sync.Mutex // orders wg.Go before the Wait of Close
	wg sync.WaitGroup
}

// NewGroup returns a group whose goroutines get a context with the values of ctx. The end of ctx
// does not end that context; only Stop and Close of the group cancel it.
func NewGroup(ctx context.Context) *Group {
	g := &Group{}
	g.ctx, g.cancel = context.WithCancel(context.WithoutCancel(ctx))
	return g
}

// Go runs fn in a goroutine. After Stop it does not run fn, and returns false.
func (g *Group) Go(fn func(context.Context)) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.ctx.Err() != nil {
		return false
	}
	g.wg.Go(func() { fn(g.ctx) })
	return true
}

// Stop cancels the context of all goroutines and lets no other start. It does
// not wait for them.
func (g *Group) Stop() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.cancel()
}

// Stopped returns a channel that Stop closes.
func (g *Group) Stopped() <-chan struct{} { return g.ctx.Done() }

// Wait returns when no goroutine of the group runs.
func (g *Group) Wait() { g.wg.Wait() }

// Close stops the group and waits for its goroutines.
func (g *Group) Close() {
	g.Stop()
	g.Wait()
}
