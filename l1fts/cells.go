package l1fts

import (
	"context"
	"fmt"

	"sextant/internal/store"
	"sextant/l1fts/vector"
)

const (
	// cellsFrom is the number of vectors at which they are grouped into cells (see package
	// vector). Fewer vectors are searched without cells, which takes some 7 ms of CPU, at most
	// twice as long as with them.
	cellsFrom = 8000
	// regrow is the factor by which the number of a root's vectors has to grow before the cells are
	// trained again.
	regrow = 2
	// assignFiles is the number of files whose vectors are assigned to cells in
	// one transaction, which takes 20 to 50 ms.
	assignFiles = 500
)

// readCells returns the cells, groups of similar vectors, of an embedder. partition counts how
// often they were trained. The results are 0 and nil if there are no cells.
func readCells(ctx context.Context, v *store.View, model int64) (partition int64, c *vector.Cells, err error) {
	var data []byte
	_, err = v.QueryRow(ctx, "SELECT partition, cells FROM l1_models WHERE id=?", []any{model}, &partition, &data)
	if err != nil || data == nil {
		return 0, nil, err
	}
	c, err = vector.UnpackCells(data)
	return partition, c, err
}

// groupVectors trains new cells if the number of vectors has grown by the factor regrow. Otherwise
// it assigns the vectors of some files to the cells. It reports whether more is left to do.
func (x *Index) groupVectors(ctx context.Context, tx *store.Tx) (more bool, err error) {
	model, _, err := x.model(ctx, &tx.View)
	if err != nil || model == 0 {
		return false, err
	}
	if x.upkeep.assigning {
		return x.assignCells(ctx, tx, model)
	}
	var total, trained int64
	_, err = tx.QueryRow(ctx, `SELECT (SELECT coalesce(sum(vectors), 0) FROM l1_vectors INDEXED BY l1_vectors_new
		WHERE model=?1), trained FROM l1_models WHERE id=?1`, []any{model}, &total, &trained)
	if err != nil || total < cellsFrom {
		return false, err
	}
	if total >= regrow*max(trained, 1) {
		return true, x.trainCells(ctx, tx, model, total)
	}
	return x.assignCells(ctx, tx, model)
}

// trainCells trains the cells of an embedder from a sample of its vectors.
func (x *Index) trainCells(ctx context.Context, tx *store.Tx, model, total int64) error {
	sample, err := x.sample(ctx, tx, model, total)
	if err != nil {
		return fmt.Errorf("sample vectors: %w", err)
	}
	c := vector.Train(x.embedder.Dimensions(), int(total), sample)
	_, err = tx.Exec(ctx, "UPDATE l1_models SET cells=?, trained=?, partition=partition+1 WHERE id=?", c.Pack(),
		total, model)
	return err
}

// sample returns about vector.SampleSize of the vectors, concatenated. They are
// evenly spaced over the files in order of their ids.
func (x *Index) sample(ctx context.Context, tx *store.Tx, model, total int64) (flat []float32, err error) {
	rows, err := tx.Query(ctx, "SELECT data FROM l1_vectors WHERE model=? ORDER BY id", model)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	r := vector.Records{Dimensions: x.embedder.Dimensions()}
	buf := make([]float32, r.Dimensions)
	size := int64(vector.SampleSize(int(total)))
	step, n := (total+size-1)/size, int64(0)
	for rows.Next() {
		if err := rows.Scan(&r.Data); err != nil {
			return nil, err
		}
		for i := range r.Len() {
			if !r.Has(i) {
				continue
			}
			if n%step == 0 {
				flat = append(flat, r.Vector(i, buf)...)
			}
			n++
		}
	}
	return flat, rows.Err()
}

// assignCells assigns the vectors of up to assignFiles files to cells, and reports whether more may
// be left.
func (x *Index) assignCells(ctx context.Context, tx *store.Tx, model int64) (more bool, err error) {
	x.upkeep.assigning = false
	partition, cells, err := readCells(ctx, &tx.View, model)
	if err != nil || cells == nil {
		return false, err
	}
	ids, err := unassigned(ctx, tx, model, partition)
	x.upkeep.assigning = len(ids) == assignFiles
	if err != nil || len(ids) == 0 {
		return false, err
	}
	if _, err := tx.Exec(ctx, "UPDATE l1_state SET generation=generation+1 WHERE id=1"); err != nil {
		return false, err
	}
	buf := make([]float32, cells.Dimensions)
	for _, id := range ids {
		r := vector.Records{Dimensions: cells.Dimensions}
		if _, err := tx.QueryRow(ctx, "SELECT data FROM l1_vectors WHERE id=?", []any{id}, &r.Data); err != nil {
			return false, err
		}
		for i := range r.Len() {
			if r.Has(i) {
				r.SetCell(i, cells.Of(r.Vector(i, buf)))
			}
		}
		_, err := tx.Exec(ctx, `UPDATE l1_vectors SET data=?, partition=?,
			generation=(SELECT generation FROM l1_state WHERE id=1) WHERE id=?`, r.Data, partition, id)
		if err != nil {
			return false, err
		}
	}
	return len(ids) == assignFiles, nil
}

// unassigned returns the ids of up to assignFiles rows whose vectors are not assigned to the
// current cells. partition is the number of the training that made these cells.
func unassigned(ctx context.Context, tx *store.Tx, model, partition int64) ([]int64, error) {
	return store.Column[int64](ctx, &tx.View, `SELECT id FROM l1_vectors INDEXED BY l1_vectors_new
		WHERE model=? AND partition<>? AND vectors>0 LIMIT ?`, model, partition, assignFiles)
}
