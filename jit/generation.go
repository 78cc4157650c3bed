package jit

import (
	"context"
	"encoding/json"

	"sextant/internal/store"
)

// Generation returns the generation of the index that v shows, a number that grows with every
// transaction that changes rows. Two views with equal generations have equal rows.
func Generation(ctx context.Context, v *View) (int64, error) { return metaInt(ctx, v, metaGeneration) }

// Changed returns the paths whose rows may differ between an earlier generation, since, and the one
// that v shows. known is false if the log does not reach back to that generation, or if it is not
// an earlier one.
func Changed(ctx context.Context, v *View, since int64) (paths []string, known bool, err error) {
	now, err := Generation(ctx, v)
	if err != nil {
		return nil, false, err
	}
	floor, err := metaInt(ctx, v, metaLogFloor)
	if err != nil || since < floor || since <= 0 || since > now {
		return nil, false, err
	}
	paths, err = changedSince(ctx, v, since)
	return paths, err == nil, err
}

// Partial reports whether the index that v shows may lack files, because its
// build has not ended or has failed.
func Partial(ctx context.Context, v *View) (bool, error) {
	text, err := v.Meta(ctx, metaBuild)
	if err != nil || text == "" {
		return true, err
	}
	var p Progress
	err = json.Unmarshal([]byte(text), &p)
	return p.State != StateReady, err
}

// changedSince returns the logged paths of all generations after since.
func changedSince(ctx context.Context, v *View, since int64) ([]string, error) {
	return store.Column[string](ctx, v, "SELECT DISTINCT path FROM changed_paths WHERE generation>?", since)
}
