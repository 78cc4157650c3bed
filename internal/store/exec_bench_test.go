package store

import (
	"context"
	"testing"
)

// BenchmarkExec writes a row for a caller who may go away, as an index is built.
func BenchmarkExec(b *testing.B) {
	db := openTest(b, b.TempDir())
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	err := db.Update(ctx, func(tx *Tx) error {
		for b.Loop() {
			if err := tx.SetMeta(ctx, "key", "value"); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
}
