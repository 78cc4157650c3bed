package engine

import (
	"context"

	"sextant/jit"
	"sextant/l1fts"
	"sextant/l2meta"
)

// counts caches the statistics of a root for one state of its index. Each statistic is nil until
// its first use, because computing it reads a row for every file. The statistics must not be
// modified.
type counts struct {
	generation int64 // see jit.Generation; two databases of a root never share one

	inventory *jit.Inventory
	coverage  *Coverage
	symbols   *l2meta.Counts
	// valid for a generation of their own, because vectors are written after the rest of the index
	words *l1fts.Counts
}

// Coverage counts the files of a root.
type Coverage struct {
	jit.Coverage
	// Broken holds the files with parse errors, by path.
	Broken map[string]jit.FileRow
}

// Coverage returns how many files of a root are indexed and parsed, and which have parse errors. The
// caller must not modify it.
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

// Inventory returns the summary of a root's files: their number by state and language, and the services.
// The caller must not modify it.
func (s *Engine) Inventory(ctx context.Context, root *jit.Root) (*jit.Inventory, error) {
	c, err := s.count(ctx, root, func(v *jit.View, c *counts) (err error) {
		if c.inventory == nil {
			c.inventory, err = root.Inventory(ctx, v)
		}
		return err
	})
	return c.inventory, err
}

// Symbols returns the numbers of symbols and calls of a root. The caller must not modify it.
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

// Chunks returns the numbers of chunks and vectors of a root. The caller must not modify it.
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

// count returns the counts of a root in its current state, after fill has added those that are
// missing.
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

// keep stores c. A statistic that is nil in c keeps its stored value if the index has not changed since:
// another call may have computed it meanwhile.
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
