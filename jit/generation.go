package jit

import "context"

// Generation names the state of the index that v shows: equal numbers show
// equal rows.
func Generation(ctx context.Context, v *View) (int64, error) { return metaInt(ctx, v, metaGeneration) }
