package l1fts

import (
	"context"
	"fmt"

	"sextant/internal/code"
	"sextant/internal/store"
)

// Counts says how much of a root this tier knows.
type Counts struct{ Chunks int }

// Count sums up the rows.
func (x *Index) Count(ctx context.Context, v *store.View) (c Counts, err error) {
	if _, err = v.QueryRow(ctx, "SELECT coalesce(sum(count), 0) FROM l1_chunks", nil, &c.Chunks); err != nil {
		return c, fmt.Errorf("count chunks: %w", err)
	}
	return c, nil
}

// Passes returns the condition that q and f put on a file, for results that
// come from elsewhere than this index.
func (f Filter) Passes(q Query) (func(path, language string, class code.Class) bool, error) {
	c, err := newFilter(f, q)
	if err != nil {
		return nil, err
	}
	return c.passes, nil
}
