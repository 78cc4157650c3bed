package l1fts

import (
	"context"
	"fmt"

	"sextant/internal/code"
	"sextant/internal/store"
)

// Counts holds the size of the index of a root.
type Counts struct {
	Generation int64 // see Generation
	Chunks     int
	Model      string // fingerprint of the embedder, "" for none
	Vectors    int    // number of vectors of that embedder
}

// Generation returns a number that grows whenever chunks or vectors of the root
// are written. While it is unchanged, Count returns the same.
func (x *Index) Generation(ctx context.Context, v *store.View) (int64, error) {
	s, err := readState(ctx, v)
	return s.generation, err
}

// Count counts the chunks of the root, and their vectors by the embedder in use.
// It reads one row per file.
func (x *Index) Count(ctx context.Context, v *store.View) (c Counts, err error) {
	if c.Generation, err = x.Generation(ctx, v); err != nil {
		return c, fmt.Errorf("count chunks: %w", err)
	}
	if _, err = v.QueryRow(ctx, "SELECT coalesce(sum(count), 0) FROM l1_chunks", nil, &c.Chunks); err != nil {
		return c, fmt.Errorf("count chunks: %w", err)
	}
	if x.embedder == nil {
		return c, nil
	}
	c.Model = x.embedder.Fingerprint()
	model, _, err := x.model(ctx, v)
	if err == nil && model > 0 {
		_, err = v.QueryRow(ctx,
			"SELECT coalesce(sum(l.vectors), 0) FROM l1_vectors l JOIN l1_chunks c ON c.base = l.base WHERE l.model=?",
			[]any{model}, &c.Vectors)
	}
	if err != nil {
		return c, fmt.Errorf("count vectors: %w", err)
	}
	return c, nil
}

// Passes returns a function that reports whether a file passes f and the conditions of q on files.
// It serves to filter results of other indexes. It returns an error if a path pattern of q is
// invalid.
func (f Filter) Passes(q Query) (func(path, language string, class code.Class) bool, error) {
	c, err := newFilter(f, q)
	if err != nil {
		return nil, err
	}
	return c.passes, nil
}
