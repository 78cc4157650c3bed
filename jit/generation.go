package jit

import (
	"context"
	"database/sql"
	"errors"
)

// Generation names the state of the index that v shows: equal numbers show
// equal rows.
func Generation(ctx context.Context, v *View) (int64, error) { return metaInt(ctx, v, metaGeneration) }

// Changed is the paths whose rows differ, or may, between an earlier generation
// and the one that v shows. It reports false when the log does not reach back
// that far, or the generation is none that came before.
func Changed(ctx context.Context, v *View, since int64) (paths []string, known bool, err error) {
	now, err := Generation(ctx, v)
	if err != nil {
		return nil, false, err
	}
	floor, err := metaInt(ctx, v, metaLogFloor)
	if err != nil || since < floor || since <= 0 || since > now {
		return nil, false, err
	}
	rows, err := v.Query(ctx, "SELECT DISTINCT path FROM changed_paths WHERE generation>?", since)
	if err != nil {
		return nil, false, err
	}
	paths, err = scanPaths(rows)
	return paths, err == nil, err
}

func scanPaths(rows *sql.Rows) (paths []string, err error) {
	for rows.Next() {
		var p string
		if err := rows.Scan(&p); err != nil {
			return nil, errors.Join(err, rows.Close())
		}
		paths = append(paths, p)
	}
	return paths, errors.Join(rows.Err(), rows.Close())
}
