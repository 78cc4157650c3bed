package l2meta

import (
	"context"
	"encoding/json"
	"fmt"

	"sextant/internal/store"
)

// Derivation describes the rows of table derived. They are the parts of a result that a program
// computed from all files of the index, the ledger of package resolve. They are valid for one
// generation of the index. Basis names the rules by which the program computes them.
type Derivation struct {
	Basis      string
	Generation int64 // generation of the index; 0 while the parts are being written
	Parts      int   // number of parts, not counting part 0
	Whole      bool  // whether all parts have been derived
	Log        Log   // position in the log of replaced facts at Generation, if not Whole
	Writer     int64 // random number that identifies the process that last wrote the parts
}

// metaDerivation is the meta key under which the Derivation is stored as JSON.
const metaDerivation = "l2meta_derivation"

// Derivation returns the description of the stored parts; the zero value if there are none.
func (Index) Derivation(ctx context.Context, v *store.View) (d Derivation, err error) {
	text, err := v.Meta(ctx, metaDerivation)
	if err != nil || text == "" {
		return d, err
	}
	if json.Unmarshal([]byte(text), &d) != nil {
		return Derivation{}, nil // an unreadable description is ignored: the parts are derived again
	}
	return d, nil
}

// Derived calls fn for each part with its number, in ascending order, until fn returns an error. fn
// may keep data.
func (Index) Derived(ctx context.Context, v *store.View, fn func(part int64, data []byte) error) error {
	rows, err := v.Query(ctx, "SELECT part, data FROM derived ORDER BY part")
	if err != nil {
		return fmt.Errorf("read derived parts: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var part int64
		var data []byte
		if err := rows.Scan(&part, &data); err != nil {
			return fmt.Errorf("read derived parts: %w", err)
		}
		if err := fn(part, data); err != nil {
			return err
		}
	}
	return rows.Err()
}

// PutDerived stores d as the description of the parts. It removes the parts whose numbers are in
// gone, or all parts if anew is set, and then writes those in put, by number.
func (Index) PutDerived(ctx context.Context, tx *store.Tx, d Derivation, anew bool, gone []int64,
	put map[int64][]byte) error {
	text, err := json.Marshal(d)
	if err == nil {
		err = tx.SetMeta(ctx, metaDerivation, string(text))
	}
	if err == nil && anew {
		_, err = tx.Exec(ctx, "DELETE FROM derived")
	}
	for _, part := range gone {
		if err == nil {
			_, err = tx.Exec(ctx, "DELETE FROM derived WHERE part=?", part)
		}
	}
	for part, data := range put {
		if err == nil {
			_, err = tx.Exec(ctx, "INSERT OR REPLACE INTO derived(part, data) VALUES(?,?)", part, data)
		}
	}
	if err != nil {
		return fmt.Errorf("write derived parts: %w", err)
	}
	return nil
}
