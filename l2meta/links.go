package l2meta

import (
	"context"
	"fmt"

	"sextant/internal/store"
)

// Links holds the edges between the services of a root, encoded by package endpoint. They are
// valid for one generation of the index. Basis identifies the program that found them and the
// services that it knew.
type Links struct {
	Basis      string
	Generation int64
	Data       []byte
}

// LinksAt returns the stored links if they are those of a generation, otherwise the zero value.
func (Index) LinksAt(ctx context.Context, v *store.View, generation int64) (l Links, err error) {
	_, err = v.QueryRow(ctx, "SELECT basis, generation, data FROM links WHERE generation=?", []any{generation},
		&l.Basis, &l.Generation, &l.Data)
	if err != nil {
		return Links{}, fmt.Errorf("read the links between services: %w", err)
	}
	return l, nil
}

// PutLinks replaces the stored links by l, unless they are those of a later generation.
func (Index) PutLinks(ctx context.Context, tx *store.Tx, l Links) error {
	_, err := tx.Exec(ctx, `INSERT INTO links(id, basis, generation, data) VALUES(1,?,?,?)
		ON CONFLICT(id) DO UPDATE SET basis=excluded.basis, generation=excluded.generation, data=excluded.data
		WHERE links.generation<=excluded.generation`, l.Basis, l.Generation, l.Data)
	if err != nil {
		return fmt.Errorf("write the links between services: %w", err)
	}
	return nil
}
