package l1fts

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"sextant/internal/code"
	"sextant/internal/store"
	"sextant/l1fts/embed"
	"sextant/l1fts/vector"
)

// behindScan is the largest number of files that one call of Behind checks.
const behindScan = 20000

// Behind returns the ids of up to max files that lack vectors. The search starts after a position,
// after, which is 0 in the first call. next is the position for the next call, or 0 if no files are
// left to search.
func (x *Index) Behind(ctx context.Context, v *store.View, after int64,
	max int) (files []int64, next int64, err error) {
	model, complete, err := x.model(ctx, v)
	if err != nil || x.embedder == nil || complete {
		return nil, 0, err
	}
	rows, err := v.Query(ctx, `SELECT c.base, c.file_id, l.base IS c.base AND l.missing = 0 FROM l1_chunks c
		LEFT JOIN l1_vectors l ON l.id = c.file_id<<8|? WHERE c.base > ? ORDER BY c.base LIMIT ?`, model, after, behindScan)
	if err != nil {
		return nil, 0, fmt.Errorf("find files without vectors: %w", err)
	}
	defer rows.Close()
	seen := 0
	for rows.Next() {
		var id int64
		var has bool
		if err := rows.Scan(&after, &id, &has); err != nil {
			return nil, 0, fmt.Errorf("find files without vectors: %w", err)
		}
		if seen++; has {
			continue
		}
		if files = append(files, id); len(files) == max {
			return files, after, rows.Err()
		}
	}
	if seen == behindScan {
		return files, after, rows.Err()
	}
	return files, 0, rows.Err()
}

// lateBatch is the number of documents passed to the embedder at once.
const lateBatch = 256

// Late computes the vectors that the files, given by their ids, still lack. It takes as long as
// the embedder does, unless ctx ends. view runs a function on a snapshot of the database. The
// returned functions write the vectors of a file. Call each in a transaction that has checked
// that the file has not changed since it was read.
func (x *Index) Late(ctx context.Context, view func(context.Context, func(*store.View) error) error,
	files map[int64]*code.File) (map[int64]func(context.Context, *store.Tx, int64) error, error) {
	var late []*lateFile
	for _, id := range slices.Sorted(maps.Keys(files)) {
		late = append(late, x.late(id, files[id]))
	}
	err := view(ctx, func(v *store.View) error {
		for _, l := range late {
			if err := x.known(ctx, v, l); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read vectors: %w", err)
	}
	if err := x.embedLate(ctx, late); err != nil {
		return nil, err
	}
	writes := map[int64]func(context.Context, *store.Tx, int64) error{}
	for _, l := range late {
		r := x.records(l.chunks, l.docs, l.of, l.vectors)
		writes[l.id] = func(ctx context.Context, tx *store.Tx, fileID int64) error {
			return x.writeLate(ctx, tx, fileID, r)
		}
	}
	return writes, nil
}

// lateFile is one file whose vectors are being computed.
type lateFile struct {
	id      int64
	chunks  int
	docs    []embed.Document
	of      []int       // index of each document's chunk
	vectors [][]float32 // vector of each document; nil while it has none
}

// late returns a file with the documents for its chunks that get vectors, and no vectors yet.
func (x *Index) late(id int64, f *code.File) *lateFile {
	cs, starts := x.kept(f)
	l := &lateFile{id: id, chunks: len(cs)}
	l.docs, l.of = documents(f, cs, starts)
	l.vectors = make([][]float32, len(l.docs))
	return l
}

// known copies from the database the vectors that documents of file already have there. A stored
// vector belongs to a document with the same key, a hash of its text.
func (x *Index) known(ctx context.Context, v *store.View, file *lateFile) error {
	model, _, err := x.model(ctx, v)
	if err != nil || model == 0 {
		return err
	}
	old := vector.Records{Dimensions: x.embedder.Dimensions()}
	if _, err := v.QueryRow(ctx, "SELECT data FROM l1_vectors WHERE id=?", []any{vectorID(file.id, model)},
		&old.Data); err != nil {
		return err
	}
	byKey := map[uint64]int{}
	for i := range old.Len() {
		if old.Has(i) {
			byKey[old.Key(i)] = i
		}
	}
	for k := range file.docs {
		if i, ok := byKey[keyOf(&file.docs[k])]; ok {
			file.vectors[k] = old.Vector(i, make([]float32, old.Dimensions))
		}
	}
	return nil
}

// embedLate embeds the documents that still lack a vector, in batches across
// files.
func (x *Index) embedLate(ctx context.Context, late []*lateFile) error {
	type place struct {
		l *lateFile
		k int
	}
	var docs []embed.Document
	var places []place
	flush := func() error {
		if len(docs) == 0 {
			return nil
		}
		made, err := x.embedder.Documents(ctx, docs)
		if err == nil && len(made) != len(docs) {
			err = fmt.Errorf("%d vectors for %d documents", len(made), len(docs))
		}
		if err != nil {
			return fmt.Errorf("embed: %w", err)
		}
		for i, p := range places {
			p.l.vectors[p.k] = made[i]
		}
		docs, places = docs[:0], places[:0]
		return nil
	}
	for _, l := range late {
		for k := range l.docs {
			if l.vectors[k] != nil {
				continue
			}
			docs, places = append(docs, l.docs[k]), append(places, place{l, k})
			if len(docs) == lateBatch {
				if err := flush(); err != nil {
					return err
				}
			}
		}
	}
	return flush()
}

// writeLate writes the vectors of a file whose chunks are already written. It
// does nothing if the file has no chunks any more.
func (x *Index) writeLate(ctx context.Context, tx *store.Tx, fileID int64, records vector.Records) error {
	var base int64
	var count int
	found, err := tx.QueryRow(ctx, "SELECT base, count FROM l1_chunks WHERE file_id=?", []any{fileID}, &base, &count)
	if err != nil || !found {
		return err
	}
	if count != records.Len() {
		// The parser may skip a part of the text under a time limit. It skipped another part this
		// time than when the chunks were written, so these vectors belong to other chunks. Store
		// none: until the file is written again, searches find it by its words only.
		records = vector.Records{Dimensions: records.Dimensions}
		for range count {
			records.Append(0, nil)
		}
	}
	model, err := x.register(ctx, tx)
	if err != nil {
		return err
	}
	// The generation tells readers that there are new vectors.
	if _, err := tx.Exec(ctx, "UPDATE l1_state SET generation=generation+1 WHERE id=1"); err != nil {
		return err
	}
	return putVectors(ctx, tx, model, fileID, base, 0, records)
}

// CaughtUp marks the vectors as complete if no file lacks any.
func (x *Index) CaughtUp(ctx context.Context, tx *store.Tx) error {
	if _, complete, err := x.model(ctx, &tx.View); err != nil || complete || x.embedder == nil {
		return err
	}
	for after := int64(0); ; {
		files, next, err := x.Behind(ctx, &tx.View, after, 1)
		if err != nil || len(files) > 0 {
			return err
		}
		if after = next; after == 0 {
			break
		}
	}
	model, err := x.register(ctx, tx)
	if err == nil {
		_, err = tx.Exec(ctx, "UPDATE l1_models SET complete=1 WHERE id=?", model)
	}
	return err
}
