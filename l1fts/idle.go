package l1fts

import (
	"context"
	"fmt"

	"sextant/internal/store"
)

const (
	// mergePages is how much of the FTS5 index one Idle merges: 500 pages of
	// some 4 KB, about 20 ms.
	mergePages = 500
	// idlePending is how many files' grams may stay unfolded: looking through
	// these costs a query some 2 ms.
	idlePending = 512
)

// Idle does a bounded piece of the work that writing put off: it merges FTS5
// segments that small updates left (automerge is off, which takes the 90th
// percentile of a one-file update from 20 ms to 0.8), and folds the grams of
// pending files into a segment, or joins two small segments (which may take
// half a second, after thousands of edits). It is for times when nobody waits; without
// work to do it costs a look.
func (x *Index) Idle(ctx context.Context, tx *store.Tx) error {
	if _, err := tx.Exec(ctx, "INSERT INTO l1_fts(l1_fts, rank) VALUES('merge', ?)", mergePages); err != nil {
		return fmt.Errorf("merge the word index: %w", err)
	}
	if err := x.foldPending(ctx, tx, idlePending); err != nil {
		return fmt.Errorf("fold the gram index: %w", err)
	}
	if err := x.compact(ctx, tx); err != nil {
		return fmt.Errorf("compact the gram index: %w", err)
	}
	return nil
}
