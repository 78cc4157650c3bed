// Package indexed indexes the symbols and calls of a folder, without words and vectors, and
// resolves its calls. It serves the programs that measure the resolver.
package indexed

import (
	"context"
	"errors"
	"os"
	"time"

	"sextant/internal/store"
	"sextant/jit"
	"sextant/l2meta"
	"sextant/l2meta/languages"
	"sextant/l2meta/resolve"
)

// Tree is one snapshot of an indexed work tree.
type Tree struct {
	Root     *jit.Root
	View     *jit.View
	Resolver *resolve.Resolver
}

// Run indexes the work tree dir in the data folder home and runs fn on the index, which is closed
// when fn returns. If home is "", the data folder is a temporary one that Run removes.
func Run(ctx context.Context, home, dir string, fn func(*Tree) error) (err error) {
	if home == "" {
		if home, err = os.MkdirTemp("", "sextant-measure-*"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(home)) }()
	}
	roots, err := jit.Open(ctx, jit.Options{
		Home: home, Extract: languages.Extract, Tiers: []jit.Indexer{l2meta.Index{}},
		Schemas: []store.Schema{l2meta.Schema()}, Watch: jit.WatchOff, Version: "measure",
		Budget: time.Hour, // Sync returns only when all is indexed
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, roots.Close()) }()
	root, err := roots.Track(ctx, dir, jit.Policy{})
	if err != nil {
		return err
	}
	if err := root.Build(ctx, "create", nil); err != nil {
		return err
	}
	if _, err := root.Sync(ctx); err != nil {
		return err
	}
	return root.View(ctx, func(v *jit.View) error {
		generation, err := jit.Generation(ctx, v)
		if err != nil {
			return err
		}
		return fn(&Tree{Root: root, View: v,
			Resolver: resolve.New(ctx, v, resolve.NewCache(languages.All, nil), generation)})
	})
}
