package engine

import (
	"context"
	"time"

	"sextant/internal/deployable"
	"sextant/jit"
	"sextant/l2meta/endpoint"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/resolve"
)

// Settle starts background work for later requests: it resolves every call site of a root, and matches the
// requests between its services to their handlers. It does nothing if that is already done.
func (s *Engine) Settle(root *jit.Root, generation int64) {
	cache := s.Derived(root)
	if !cache.Behind(generation) {
		return
	}
	root.Go(func(ctx context.Context) {
		s.grant(ctx, root)
		// An error does no harm: requests resolve the rest themselves.
		_ = cache.Settle(ctx, indexOf{root}, func() { s.Linked(ctx, root, generation) })
	})
}

// Follow waits until the resolved calls of a root are updated after the last edits, or read from the index.
// Its wait is limited, and shorter than an answer without these calls would take. It does nothing while the
// calls of a root are resolved for the first time.
func (s *Engine) Follow(ctx context.Context, root *jit.Root, generation int64) {
	cache := s.Derived(root)
	wait := cache.Follows(ctx, indexOf{root}, generation)
	if wait == 0 {
		return
	}
	s.Settle(root, generation)
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for until := time.Now().Add(wait); time.Now().Before(until) && !cache.Settled(generation); {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// indexOf adapts a root to the interface that the resolver's cache requires.
type indexOf struct{ root *jit.Root }

func (x indexOf) View(ctx context.Context, fn func(v *jit.View, generation int64) error) error {
	return x.root.View(ctx, func(v *jit.View) error {
		generation, err := jit.Generation(ctx, v)
		if err != nil {
			return err
		}
		return fn(v, generation)
	})
}

func (x indexOf) Keep(ctx context.Context, fn func(tx *jit.Tx) error) error {
	return x.root.Keep(ctx, fn)
}

func (x indexOf) Changed(ctx context.Context, v *jit.View, since int64) ([]string, bool, error) {
	return jit.Changed(ctx, v, since)
}

// Settled reports whether every call site of a root is resolved for a generation, a state of the index.
// Only the speed of answers depends on it.
func (s *Engine) Settled(root *jit.Root, generation int64) bool {
	return s.Derived(root).Settled(generation)
}

// Joiner returns a Joiner, which matches requests between the services of a root to their handlers, on
// the snapshot of the index that r reads.
func Joiner(r *resolve.Resolver, services *jit.Services) *endpoint.Joiner {
	return endpoint.New(r, func() []lookup.Service { return joined(services.List) }).
		Declared(func() endpoint.Declarations {
			return endpoint.Declarations{Calls: services.Declared, Text: services.Text}
		})
}

// joined converts services to the form that package endpoint uses.
func joined(services []jit.Service) (out []lookup.Service) {
	for i := range services {
		s := &services[i]
		out = append(out, lookup.Service{Name: s.Name, Root: s.Root, Also: s.Also, Names: s.Names,
			Beside: s.Kind == deployable.Library || s.Kind == deployable.Test,
			Tests:  s.Kind == deployable.Test,
			Plays:  s.Kind == deployable.LoadGenerator})
	}
	return out
}
