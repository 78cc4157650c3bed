package store

import (
	"context"
	"fmt"
)

const (
	// ftsSegments and ftsApart are the number of segments of an FTS5 table, and the
	// part of its pages outside of the largest one, from which all are merged into
	// one. A look-up of a word searches every segment: in the names that 11,477 files
	// call it took 160 µs in 10 segments and 48 in one, which took 41 ms to make.
	ftsSegments, ftsApart = 8, 8
)

// MergeFTS does a part of merging the segments of an FTS5 table, bounded by a number
// of pages of the index, and reports whether more is left.
func MergeFTS(ctx context.Context, tx *Tx, table string, pages int) (more bool, err error) {
	var segments, largest, all int
	_, err = tx.QueryRow(ctx, fmt.Sprintf(`SELECT count(*), coalesce(max(n), 0), coalesce(sum(n), 0)
		FROM (SELECT count(*) AS n FROM %s_idx GROUP BY segid)`, table), nil, &segments, &largest, &all)
	if err != nil {
		return false, err
	}
	if segments > ftsSegments && (all-largest)*ftsApart > all {
		pages = -pages // of all segments; otherwise of those of one size, if they are several
	}
	before, err := totalChanges(ctx, tx)
	if err != nil {
		return false, err
	}
	if _, err := tx.Exec(ctx, fmt.Sprintf("INSERT INTO %s(%[1]s, rank) VALUES('merge', ?)", table), pages); err != nil {
		return false, err
	}
	after, err := totalChanges(ctx, tx)
	// The statement itself counts as one change; a merge that wrote anything makes more.
	return after-before > 1, err
}

func totalChanges(ctx context.Context, tx *Tx) (n int64, err error) {
	_, err = tx.QueryRow(ctx, "SELECT total_changes()", nil, &n)
	return n, err
}
