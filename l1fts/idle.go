package l1fts

import (
	"context"
	"fmt"

	"sextant/internal/store"
)

const (
	// mergePages is the number of pages of the FTS5 index that one Merge merges:
	// 500 pages of 4 KB take about 20 ms.
	mergePages = 500
	// idlePending is the number of pending files from which Merge folds their
	// grams; scanning fewer costs a query some 2 ms.
	idlePending = 512
)

// Merge does a bounded part of the maintenance that writes put off, and reports
// whether more is left. It merges small FTS5 segments (automerge is off, which
// takes the 90th percentile of a one-file update from 20 ms to 0.8), groups
// vectors into cells, and folds the grams of pending files into a segment or
// joins two small segments (which may take half a second after thousands of
// edits). Call it when the index is idle; without work to do it costs a few
// queries.
func (x *Index) Merge(ctx context.Context, tx *store.Tx) (more bool, err error) {
	before, err := totalChanges(ctx, tx)
	if err != nil {
		return false, err
	}
	if _, err := tx.Exec(ctx, "INSERT INTO l1_fts(l1_fts, rank) VALUES('merge', ?)", mergePages); err != nil {
		return false, fmt.Errorf("merge the word index: %w", err)
	}
	after, err := totalChanges(ctx, tx)
	if err != nil {
		return false, err
	}
	if err := x.foldPending(ctx, tx, idlePending); err != nil {
		return false, fmt.Errorf("fold the gram index: %w", err)
	}
	if err := x.compact(ctx, tx); err != nil {
		return false, fmt.Errorf("compact the gram index: %w", err)
	}
	grouping, err := x.groupVectors(ctx, tx)
	if err != nil {
		return false, fmt.Errorf("group vectors: %w", err)
	}
	// The merge statement itself counts as one change; a merge that wrote anything
	// makes more.
	return grouping || after-before > 1, nil
}

func totalChanges(ctx context.Context, tx *store.Tx) (n int64, err error) {
	_, err = tx.QueryRow(ctx, "SELECT total_changes()", nil, &n)
	return n, err
}
