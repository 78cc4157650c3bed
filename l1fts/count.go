package l1fts

import (
	"context"
	"fmt"

	"sextant/internal/code"
	"sextant/internal/store"
)

// Counts reports the size of the word index of a root.
type Counts struct{ Chunks int }

// Count counts the chunks of the root.
func (x *Index) Count(ctx context.Context, v *store.View) (c Counts, err error) {
	if _, err = v.QueryRow(ctx, "SELECT coalesce(sum(count), 0) FROM l1_chunks", nil, &c.Chunks); err != nil {
		return c, fmt.Errorf("count chunks: %w", err)
	}
	return c, nil
}

// Passes returns the condition that q and f place on a file, for filtering
// results of other indexes. It returns an error if a path pattern of q is
// invalid.
func (f Filter) Passes(q Query) (func(path, language string, class code.Class) bool, error) {
	c, err := newFilter(f, q)
	if err != nil {
		return nil, err
	}
	return c.passes, nil
}
