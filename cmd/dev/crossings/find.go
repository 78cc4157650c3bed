package main

import (
	"context"

	"sextant/cmd/dev/internal/indexed"
	"sextant/internal/code"
	"sextant/internal/navigate/engine"
	"sextant/internal/store"
	"sextant/jit"
	"sextant/l2meta/endpoint"
	"sextant/l2meta/resolve"
)

// found holds all crossings of a workspace, and its services. A crossing is a call from one service
// that a handler of another answers. out has the crossings that a query about the caller shows, in
// has those that a query about the handler shows.
type found struct {
	out, in  []endpoint.Crossing
	services []jit.Service
}

// find indexes dir and collects the crossings, calls between services, of every symbol.
func find(ctx context.Context, dir string) (all *found, err error) {
	err = indexed.Run(ctx, "", dir, func(tree *indexed.Tree) error {
		all = &found{services: tree.Root.Services().List}
		return all.read(ctx, tree.Resolver, engine.Joiner(tree.Resolver, tree.Root.Services()), tree.View)
	})
	return all, err
}

// read collects the crossings of all symbols that may contain calls, except those in tests.
func (all *found) read(ctx context.Context, r *resolve.Resolver, join *endpoint.Joiner, v *jit.View) error {
	var ids []int64
	if err := v.Files(ctx, func(f store.FileRow) error { ids = append(ids, f.ID); return nil }); err != nil {
		return err
	}
	handlers := map[resolve.Ref]bool{}
	for _, id := range ids {
		file, err := r.Symbol(id, -1)
		if err != nil {
			return err
		}
		if file.File == nil || file.File.Class == code.ClassTest { // truths do not cover tests
			continue
		}
		for i := -1; i < len(file.File.Symbols); i++ {
			if i >= 0 && !file.File.Symbols[i].Kind.Callable() {
				continue
			}
			crossings, err := join.Outgoing(file.File.Ref(i))
			if err != nil {
				return err
			}
			all.out = append(all.out, crossings...)
			for _, x := range crossings {
				if x.Handler.Valid() {
					handlers[x.Handler] = true
				}
			}
		}
	}
	for ref := range handlers {
		crossings, err := join.Incoming(ref)
		if err != nil {
			return err
		}
		all.in = append(all.in, crossings...)
	}
	return nil
}
