package engine

import (
	"context"

	"sextant/jit"
	"sextant/l1fts"
	"sextant/l2meta"
)

// counts caches the statistics of a root for one state of its index. Computing one
// reads a row of every file, so each is computed when it is first asked for; until
// then it is nil. The parts must not be modified.
type counts struct {
	generation int64 // of the index; no two databases of a root have equal ones

	inventory *jit.Inventory
	coverage  *Coverage
	symbols   *l2meta.Counts
	words     *l1fts.Counts // of a generation of its own: vectors may trail
}

// Coverage counts the files of a root.
type Coverage struct {
	jit.Coverage
	// Broken is the files that their grammars could not place as a whole, by path.
	Broken map[string]jit.FileRow
}

// Coverage returns how much of a root is known. It must not be modified.
func (s *Engine) Coverage(ctx context.Context, root *jit.Root) (*Coverage, error) {
	c, err := s.count(ctx, root, func(v *jit.View, c *counts) error {
		if c.coverage != nil {
			return nil
		}
		known := &Coverage{Broken: map[string]jit.FileRow{}}
		var err error
		if c.inventory != nil {
			known.Coverage = c.inventory.Coverage
		} else if known.Coverage, err = jit.Covered(ctx, v); err != nil {
			return err
		}
		if known.ParseErrors > 0 {
			err = v.Broken(ctx, func(f jit.FileRow) error { known.Broken[f.Path] = f; return nil })
		}
		c.coverage = known
		return err
	})
	return c.coverage, err
}

// Inventory returns what the files of a root come to. It must not be modified.
func (s *Engine) Inventory(ctx context.Context, root *jit.Root) (*jit.Inventory, error) {
	c, err := s.count(ctx, root, func(v *jit.View, c *counts) (err error) {
		if c.inventory == nil {
			c.inventory, err = root.Inventory(ctx, v)
		}
		return err
	})
	return c.inventory, err
}

// Symbols returns how many symbols and calls of a root are known. It must not be
// modified.
func (s *Engine) Symbols(ctx context.Context, root *jit.Root) (*l2meta.Counts, error) {
	c, err := s.count(ctx, root, func(v *jit.View, c *counts) error {
		if c.symbols != nil {
			return nil
		}
		symbols, err := s.Facts.Count(ctx, v)
		c.symbols = &symbols
		return err
	})
	return c.symbols, err
}

// Chunks returns how many chunks and vectors a root has. It must not be modified.
func (s *Engine) Chunks(ctx context.Context, root *jit.Root) (*l1fts.Counts, error) {
	x := s.Words(root)
	c, err := s.count(ctx, root, func(v *jit.View, c *counts) error {
		if now, err := x.Generation(ctx, v); err != nil || c.words != nil && c.words.Generation == now {
			return err
		}
		words, err := x.Count(ctx, v)
		c.words = &words
		return err
	})
	return c.words, err
}

// count returns the counts of a root at its present state, after fill has counted
// what they lack.
func (s *Engine) count(ctx context.Context, root *jit.Root, fill func(*jit.View, *counts) error) (c counts, err error) {
	r := s.state(root)
	err = root.View(ctx, func(v *jit.View) error {
		generation, err := jit.Generation(ctx, v)
		if err != nil {
			return err
		}
		r.mu.Lock()
		c = r.counted
		r.mu.Unlock()
		if c.generation != generation {
			c = counts{generation: generation}
		}
		return fill(v, &c)
	})
	if err != nil {
		return counts{}, err
	}
	r.keep(&c)
	return c, nil
}

// keep stores counts. Parts that another call counted of the same state
// meanwhile stay.
func (r *rootState) keep(c *counts) {
	r.mu.Lock()
	defer r.mu.Unlock()
	old := r.counted
	r.counted = *c
	if old.generation != c.generation {
		return
	}
	if c.inventory == nil {
		r.counted.inventory = old.inventory
	}
	if c.coverage == nil {
		r.counted.coverage = old.coverage
	}
	if c.symbols == nil {
		r.counted.symbols = old.symbols
	}
	if c.words == nil {
		r.counted.words = old.words
	}
}
