package l2meta

import (
	"context"
	"encoding/json"
	"fmt"

	"sextant/internal/store"
)

// Derivation says what the table of derived parts holds: something that a program
// derived from all files of the index. It holds for one generation; Basis tells
// programs apart that derive otherwise.
type Derivation struct {
	Basis      string
	Generation int64 // of the index; 0 while the parts are being written
	Parts      int   // beside part 0
	Writer     int64 // a number of whoever wrote it last
}

// metaDerivation is the key of the JSON of the Derivation.
const metaDerivation = "l2meta_derivation"

// Derivation returns what is kept, the zero value where nothing is.
func (Index) Derivation(ctx context.Context, v *store.View) (d Derivation, err error) {
	text, err := v.Meta(ctx, metaDerivation)
	if err != nil || text == "" {
		return d, err
	}
	if json.Unmarshal([]byte(text), &d) != nil {
		return Derivation{}, nil // it is derived again
	}
	return d, nil
}

// Derived calls fn with every part, by number. The data are fn's to keep.
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

// PutDerived says what is kept from now on, removes the parts gone (all of them
// with anew), and writes put.
func (Index) PutDerived(ctx context.Context, tx *store.Tx, d Derivation, anew bool, gone []int64, put map[int64][]byte) error {
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
