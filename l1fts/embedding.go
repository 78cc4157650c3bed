package l1fts

import (
	"context"
	"encoding/binary"
	"fmt"
	"strings"

	"sextant/internal/code"
	"sextant/internal/store"
	"sextant/l1fts/embed"
	"sextant/l1fts/vector"
)

const (
	// maxBody is the largest number of bytes of a chunk's text that are embedded; few chunks are
	// longer. The names that a chunk declares are cut off at the same length: one line of
	// minified code may declare 100,000.
	maxBody = 4 << 10
	// maxUnowned is the largest number of chunks without a symbol that get vectors, per file. The
	// first pages of a text tell its subject, and the rest of a table of data adds nothing.
	maxUnowned = 64
)

// embedded holds the vectors of one file, as far as they are known.
type embedded struct {
	records vector.Records
	wanted  []int // indexes of the chunks that still need a vector
}

// document returns the input of an embedder for a chunk. It adds a chunk without a symbol to
// unowned, the number of such chunks so far. ok is false for a chunk that gets no vector: generated
// code, fixtures, build output, vendored code, and chunks without a symbol beyond maxUnowned.
func document(file *code.File, c *chunk, starts []int, unowned *int) (doc embed.Document, ok bool) {
	switch file.Class {
	case code.ClassGenerated, code.ClassFixture, code.ClassBuild, code.ClassVendor:
		return doc, false
	}
	doc.Path = file.Path
	var signature, body strings.Builder
	if c.symbol >= 0 {
		s := &file.Symbols[c.symbol]
		doc.Name = s.Name
		signature.WriteString(ancestors(s))
		if c.head {
			signature.WriteString(" " + s.Signature)
		}
	} else if *unowned++; *unowned > maxUnowned {
		return doc, false
	}
	for _, i := range c.folded {
		if signature.Len() >= maxBody {
			break
		}
		signature.WriteString(" " + file.Symbols[i].Name)
	}
	doc.Signature = signature.String()
	for _, r := range c.runs {
		start, end := starts[r[0]], starts[r[1]]
		if start >= maxFileBytes {
			break
		}
		body.Write(file.Text[start:min(end, start+max(0, maxBody-body.Len()))])
	}
	doc.Body = body.String()
	return doc, true
}

// documents returns the documents of a file's chunks that get a vector, and for
// each the index of its chunk.
func documents(f *code.File, cs []chunk, starts []int) (docs []embed.Document, of []int) {
	unowned := 0
	for i := range cs {
		if d, ok := document(f, &cs[i], starts, &unowned); ok {
			docs, of = append(docs, d), append(of, i)
		}
	}
	return docs, of
}

// keyOf hashes the inputs of the vector of d: its name, signature, path and text.
func keyOf(d *embed.Document) uint64 {
	h := store.HashText([]byte(d.Name + "\x00" + d.Signature + "\x00" + d.Path + "\x00" + d.Body))
	return binary.LittleEndian.Uint64(h[:])
}

// embed computes the vectors of a file's chunks. If the embedder is trailing, so that vectors are
// computed later, embed computes only the keys of the vectors, which are hashes of the text.
func (x *Index) embed(ctx context.Context, f *code.File, cs []chunk, starts []int) embedded {
	docs, of := documents(f, cs, starts)
	e := embedded{wanted: of}
	var vectors [][]float32
	if !x.trailing {
		// The built-in embedder should not fail. If it does, its vectors are computed later, like
		// those of a trailing embedder.
		if made, err := x.embedder.Documents(ctx, docs); err == nil && len(made) == len(docs) {
			vectors, e.wanted = made, nil
		}
	}
	e.records = x.records(len(cs), docs, of, vectors)
	return e
}

// records packs one record per chunk, with the vectors known so far. of has the
// index of each document's chunk; vectors is nil if none is known.
func (x *Index) records(chunks int, docs []embed.Document, of []int, vectors [][]float32) vector.Records {
	r := vector.Records{Dimensions: x.embedder.Dimensions()}
	r.Data = make([]byte, 0, chunks*(16+r.Dimensions))
	k := 0
	for i := range chunks {
		if k == len(of) || of[k] != i {
			r.Append(0, nil)
			continue
		}
		var v []float32
		if vectors != nil {
			v = vectors[k]
		}
		r.Append(keyOf(&docs[k]), v)
		k++
	}
	return r
}

// vectorID returns the key of a file's row of vectors for a model.
func vectorID(fileID, model int64) int64 { return fileID<<8 | model }

// maxModels is the largest number of embedders whose vectors are kept: the current one, and the
// one before, for a user who switches back or for another process.
const maxModels = 2

// model returns the number of the index's embedder in this database, 0 if it has none yet. complete
// reports whether every file has the vectors of that embedder.
func (x *Index) model(ctx context.Context, v *store.View) (id int64, complete bool, err error) {
	if x.embedder == nil {
		return 0, false, nil
	}
	known, err := v.QueryRow(ctx, "SELECT id, complete FROM l1_models WHERE fingerprint=?",
		[]any{x.embedder.Fingerprint()}, &id, &complete)
	if err == nil && !known { // no vector was computed, which is complete only if there are no files
		_, err = v.QueryRow(ctx, "SELECT NOT EXISTS(SELECT 1 FROM l1_chunks)", nil, &complete)
	}
	return id, complete, err
}

// register is like model, but assigns a number to an embedder that has none, and deletes the oldest
// embedders beyond maxModels. The vectors of a root without files are complete, and stay complete
// as long as every writer adds them.
func (x *Index) register(ctx context.Context, tx *store.Tx) (int64, error) {
	id, _, err := x.model(ctx, &tx.View)
	if err != nil || id > 0 {
		return id, err
	}
	_, err = tx.QueryRow(ctx, "SELECT coalesce(max(id), 0)%255+1 FROM l1_models", nil, &id)
	if err == nil {
		_, err = tx.Exec(ctx,
			"DELETE FROM l1_models WHERE id=?1 OR id NOT IN (SELECT id FROM l1_models ORDER BY rowid DESC LIMIT ?2)",
			id, maxModels-1)
	}
	if err == nil {
		_, err = tx.Exec(ctx,
			"INSERT INTO l1_models(id, fingerprint, complete) VALUES(?,?,(SELECT count(*)=0 FROM l1_chunks))", id,
			x.embedder.Fingerprint())
	}
	if err == nil {
		_, err = tx.Exec(ctx, "DELETE FROM l1_vectors WHERE model NOT IN (SELECT id FROM l1_models) OR model=?", id)
	}
	if err != nil {
		return 0, fmt.Errorf("register embedder: %w", err)
	}
	return id, nil
}

// writeVectors replaces the vectors of a file whose first chunk has the sequence number base. For
// a trailing embedder, whose vectors are computed later, it keeps the vectors of unchanged
// chunks.
func (x *Index) writeVectors(ctx context.Context, tx *store.Tx, fileID, base int64, vectors *embedded) error {
	var model int64
	if x.embedder != nil {
		var err error
		if model, err = x.register(ctx, tx); err != nil {
			return err
		}
	}
	// Vectors of this file by other embedders are out of date now.
	if err := outdate(ctx, tx, model); err != nil || model == 0 {
		return err
	}
	missing := 0
	if len(vectors.wanted) > 0 {
		var err error
		if missing, err = x.takeOver(ctx, tx, vectorID(fileID, model), vectors); err != nil {
			return err
		}
		if missing > 0 {
			if _, err := tx.Exec(ctx, "UPDATE l1_models SET complete=0 WHERE id=? AND complete=1", model); err != nil {
				return err
			}
		}
	}
	return putVectors(ctx, tx, model, fileID, base, missing, vectors.records)
}

// outdate marks the vectors of every embedder except model as incomplete. It first checks whether
// there are any to mark, because the update would open a savepoint for each file, at which FTS5
// writes out its pending words.
func outdate(ctx context.Context, tx *store.Tx, model int64) error {
	var complete bool
	_, err := tx.QueryRow(ctx, "SELECT EXISTS(SELECT 1 FROM l1_models WHERE id<>? AND complete=1)", []any{model},
		&complete)
	if err == nil && complete {
		_, err = tx.Exec(ctx, "UPDATE l1_models SET complete=0 WHERE id<>?", model)
	}
	return err
}

// putVectors replaces a file's row of vectors for a model.
func putVectors(ctx context.Context, tx *store.Tx, model, fileID, base int64, missing int, r vector.Records) error {
	id := vectorID(fileID, model)
	if _, err := tx.Exec(ctx, "DELETE FROM l1_vectors WHERE id=?", id); err != nil {
		return err
	}
	data := r.Data
	if data == nil {
		data = []byte{} // nil would be stored as NULL
	}
	_, err := tx.Exec(ctx, `INSERT INTO l1_vectors(id, model, generation, base, vectors, missing, partition, data)
		VALUES(?,?,(SELECT generation FROM l1_state WHERE id=1),?,?,?,0,?)`, id, model, base, r.Vectors(), missing, data)
	return err
}

// takeOver copies vectors from the file's previous row, whose id is given, into vectors: those of
// chunks with the same keys, whose text is unchanged. It returns how many vectors are still
// missing.
func (x *Index) takeOver(ctx context.Context, tx *store.Tx, id int64, vectors *embedded) (missing int, err error) {
	old := vector.Records{Dimensions: vectors.records.Dimensions}
	found, err := tx.QueryRow(ctx, "SELECT data FROM l1_vectors WHERE id=?", []any{id}, &old.Data)
	if err != nil || !found {
		return len(vectors.wanted), err
	}
	byKey := map[uint64]int{}
	for i := range old.Len() {
		if old.Has(i) {
			byKey[old.Key(i)] = i
		}
	}
	whole := vector.Records{Dimensions: old.Dimensions}
	for i := range vectors.records.Len() {
		if from, ok := byKey[vectors.records.Key(i)]; ok && vectors.records.Key(i) != 0 {
			whole.AppendFrom(old, from)
		} else {
			whole.AppendFrom(vectors.records, i)
		}
	}
	for _, i := range vectors.wanted {
		if !whole.Has(i) {
			missing++
		}
	}
	vectors.records = whole
	return missing, nil
}
