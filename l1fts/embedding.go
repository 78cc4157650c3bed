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
	// maxBody is how much of a chunk's text is embedded, in bytes; a chunk has
	// little more.
	maxBody = 4 << 10
	// maxUnowned is how many chunks without a symbol a file has vectors for:
	// the first pages of a text say what it is about, and a table of data says
	// nothing after them.
	maxUnowned = 64
)

// embedded is the vectors of one file, or what is known of them.
type embedded struct {
	records vector.Records
	wanted  []int // chunks that are to have a vector and have none yet
}

// document is a chunk as embedders see it, and false for one that gets no
// vector: code that a machine wrote, fixtures, what others wrote.
func document(f *code.File, c *chunk, starts []int, unowned *int) (d embed.Document, ok bool) {
	switch f.Class {
	case code.ClassGenerated, code.ClassFixture, code.ClassBuild, code.ClassVendor:
		return d, false
	}
	d.Path = f.Path
	if c.symbol >= 0 {
		s := &f.Symbols[c.symbol]
		d.Name, d.Signature = s.Name, ancestors(s)
		if c.head {
			d.Signature += " " + s.Signature
		}
	} else if *unowned++; *unowned > maxUnowned {
		return d, false
	}
	for _, i := range c.folded {
		d.Signature += " " + f.Symbols[i].Name
	}
	var body strings.Builder
	for _, r := range c.runs {
		start, end := starts[r[0]], starts[r[1]]
		if start >= maxFileBytes {
			break
		}
		body.Write(f.Text[start:min(end, start+max(0, maxBody-body.Len()))])
	}
	d.Body = body.String()
	return d, true
}

// documents are what is embedded of a file: a document a chunk, and which of
// them get a vector.
func documents(f *code.File, cs []chunk, starts []int) (docs []embed.Document, of []int) {
	unowned := 0
	for i := range cs {
		if d, ok := document(f, &cs[i], starts, &unowned); ok {
			docs, of = append(docs, d), append(of, i)
		}
	}
	return docs, of
}

// keyOf is the hash of all that a vector is made from.
func keyOf(d *embed.Document) uint64 {
	h := store.HashText([]byte(d.Name + "\x00" + d.Signature + "\x00" + d.Path + "\x00" + d.Body))
	return binary.LittleEndian.Uint64(h[:])
}

// embed makes the vectors of a file's chunks, or only their keys when the
// embedder trails.
func (x *Index) embed(f *code.File, cs []chunk, starts []int) embedded {
	docs, of := documents(f, cs, starts)
	e := embedded{wanted: of}
	var vectors [][]float32
	if !x.trailing {
		// A built-in embedder has nothing to fail on; should it, the vectors
		// are wanted as those of a trailing one are.
		if made, err := x.embedder.Documents(context.Background(), docs); err == nil && len(made) == len(docs) {
			vectors, e.wanted = made, nil
		}
	}
	e.records = x.records(len(cs), docs, of, vectors)
	return e
}

// records packs one record a chunk, with the vectors that there are.
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

// vectorID is the key of a file's row of vectors by a model.
func vectorID(fileID, model int64) int64 { return fileID<<8 | model }

// maxModels is how many embedders' vectors are kept beside each other: that of
// the last one too, for whoever changes back, or for another process.
const maxModels = 2

// model is the number of the embedder in this database, 0 when it has none yet.
func (x *Index) model(ctx context.Context, v *store.View) (id int64, complete bool, err error) {
	if x.embedder == nil {
		return 0, false, nil
	}
	_, err = v.QueryRow(ctx, "SELECT id, complete FROM l1_models WHERE fingerprint=?", []any{x.embedder.Fingerprint()}, &id, &complete)
	return id, complete, err
}

// register is model for a writer: it gives a number to a new embedder, and
// forgets the oldest beyond maxModels. The vectors of a root without files
// are complete, and stay so as long as every writer makes them.
func (x *Index) register(ctx context.Context, tx *store.Tx) (int64, error) {
	id, _, err := x.model(ctx, &tx.View)
	if err != nil || id > 0 {
		return id, err
	}
	_, err = tx.QueryRow(ctx, "SELECT coalesce(max(id), 0)%255+1 FROM l1_models", nil, &id)
	if err == nil {
		_, err = tx.Exec(ctx, "DELETE FROM l1_models WHERE id=?1 OR id NOT IN (SELECT id FROM l1_models ORDER BY rowid DESC LIMIT ?2)", id, maxModels-1)
	}
	if err == nil {
		_, err = tx.Exec(ctx, "INSERT INTO l1_models(id, fingerprint, complete) VALUES(?,?,(SELECT count(*)=0 FROM l1_chunks))", id, x.embedder.Fingerprint())
	}
	if err == nil {
		_, err = tx.Exec(ctx, "DELETE FROM l1_vectors WHERE model NOT IN (SELECT id FROM l1_models) OR model=?", id)
	}
	if err != nil {
		return 0, fmt.Errorf("register embedder: %w", err)
	}
	return id, nil
}

// writeVectors replaces the vectors of a file whose chunks begin at base. Of a
// trailing embedder those are taken over whose chunks are as they were.
func (x *Index) writeVectors(ctx context.Context, tx *store.Tx, fileID, base int64, e *embedded) error {
	var model int64
	if x.embedder != nil {
		var err error
		if model, err = x.register(ctx, tx); err != nil {
			return err
		}
	}
	// What another embedder has of the file is out of date now.
	if err := outdate(ctx, tx, model); err != nil || model == 0 {
		return err
	}
	missing := 0
	if len(e.wanted) > 0 {
		var err error
		if missing, err = x.takeOver(ctx, tx, vectorID(fileID, model), e); err != nil {
			return err
		}
		if missing > 0 {
			if _, err := tx.Exec(ctx, "UPDATE l1_models SET complete=0 WHERE id=? AND complete=1", model); err != nil {
				return err
			}
		}
	}
	return putVectors(ctx, tx, model, fileID, base, missing, e.records)
}

// outdate says of every embedder but one that vectors are missing. It asks
// first: an update of many rows opens a savepoint, at which FTS5 writes out what
// it has gathered, and that for every file.
func outdate(ctx context.Context, tx *store.Tx, model int64) error {
	var complete bool
	_, err := tx.QueryRow(ctx, "SELECT EXISTS(SELECT 1 FROM l1_models WHERE id<>? AND complete=1)", []any{model}, &complete)
	if err == nil && complete {
		_, err = tx.Exec(ctx, "UPDATE l1_models SET complete=0 WHERE id<>?", model)
	}
	return err
}

func putVectors(ctx context.Context, tx *store.Tx, model, fileID, base int64, missing int, r vector.Records) error {
	id := vectorID(fileID, model)
	if _, err := tx.Exec(ctx, "DELETE FROM l1_vectors WHERE id=?", id); err != nil {
		return err
	}
	data := r.Data
	if data == nil {
		data = []byte{} // not NULL
	}
	_, err := tx.Exec(ctx, `INSERT INTO l1_vectors(id, model, generation, base, vectors, missing, partition, data)
		VALUES(?,?,(SELECT generation FROM l1_state WHERE id=1),?,?,?,0,?)`, id, model, base, r.Vectors(), missing, data)
	return err
}

// takeOver fills in the vectors that the file's row of before has under the
// same keys, and returns how many are still wanted.
func (x *Index) takeOver(ctx context.Context, tx *store.Tx, id int64, e *embedded) (missing int, err error) {
	old := vector.Records{Dimensions: e.records.Dimensions}
	found, err := tx.QueryRow(ctx, "SELECT data FROM l1_vectors WHERE id=?", []any{id}, &old.Data)
	if err != nil || !found {
		return len(e.wanted), err
	}
	byKey := map[uint64]int{}
	for i := range old.Len() {
		if old.Has(i) {
			byKey[old.Key(i)] = i
		}
	}
	whole := vector.Records{Dimensions: old.Dimensions}
	for i := range e.records.Len() {
		if from, ok := byKey[e.records.Key(i)]; ok && e.records.Key(i) != 0 {
			whole.AppendFrom(old, from)
		} else {
			whole.AppendFrom(e.records, i)
		}
	}
	for _, i := range e.wanted {
		if !whole.Has(i) {
			missing++
		}
	}
	e.records = whole
	return missing, nil
}
