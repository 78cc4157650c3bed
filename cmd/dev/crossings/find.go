package main

import (
	"context"
	"errors"
	"os"
	"time"

	"sextant/internal/code"
	"sextant/internal/navigate/engine"
	"sextant/internal/store"
	"sextant/jit"
	"sextant/l2meta"
	"sextant/l2meta/endpoint"
	"sextant/l2meta/languages"
	"sextant/l2meta/resolve"
)

// found is every crossing of a workspace, as its clients and as its handlers have
// it, and its services.
type found struct {
	out, in  []endpoint.Crossing
	services []jit.Service
}

// find indexes dir into a home of its own and asks for the crossings of every
// symbol.
func find(ctx context.Context, dir string) (all *found, err error) {
	home, err := os.MkdirTemp("", "crossings-*")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(home)) }()
	roots, err := jit.Open(ctx, jit.Options{
		Home: home, Extract: languages.Extract, Tiers: []jit.Indexer{l2meta.Index{}},
		Schemas: []store.Schema{l2meta.Schema()}, Watch: jit.WatchOff, Version: "crossings", Budget: time.Hour,
	})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, roots.Close()) }()
	root, err := roots.Track(ctx, dir, jit.Policy{})
	if err != nil {
		return nil, err
	}
	if err := root.Build(ctx, "create", nil); err != nil {
		return nil, err
	}
	all = &found{services: root.Services().List}
	return all, root.View(ctx, func(v *jit.View) error {
		generation, err := jit.Generation(ctx, v)
		if err != nil {
			return err
		}
		r := resolve.New(ctx, v, resolve.NewCache(languages.All, nil), generation)
		return all.read(ctx, r, engine.Joiner(r, root.Services()), v)
	})
}

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
		if file.File == nil || file.File.Class == code.ClassTest { // truths leave tests out
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
