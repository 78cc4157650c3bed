package vector

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/philippgille/chromem-go"

	"sextant/internal/budget"
	"sextant/internal/mapped"
)

// cell is one group of similar vectors. Store.mu guards the fields, except item, loading and
// documents, which are safe for concurrent use.
type cell struct {
	number   uint16
	ids      []int64 // noID for a deleted vector
	sketches []byte  // in the order of ids; they decide whether a search visits the cell
	kept     bool    // whether ids, sketches and tail lie in the file of lists
	live     int     // number of ids that are not deleted

	extents []int64 // offsets in the file, each of extentRecords records; the records are in the order of ids
	tail    []byte  // the records after those in extents

	item      *budget.Item // counts the bytes of documents in the memory budget
	loading   sync.Mutex
	documents atomic.Pointer[chromem.Collection] // nil until needed, and after the budget dropped it
}

const noID = -1

// extentRecords is the number of records of a cell that are stored together in the file, as one
// extent.
const extentRecords = 16

// noEmbedding returns an error. It serves as the embedding function of chromem's collections, which
// never call it, since every document has a vector. Without one, chromem would choose its own, which
// reads an API key from the environment.
func noEmbedding(context.Context, string) ([]float32, error) {
	return nil, errors.New("vectors come from the embedder")
}

// drop releases the documents of the cell, chromem's copy of its vectors, from memory.
func (c *cell) drop() { c.documents.Store(nil) }

// listBytes returns the bytes of ids, sketches and tail.
func (c *cell) listBytes() int64 { return int64(8*cap(c.ids) + cap(c.sketches) + cap(c.tail)) }

// keep moves ids, sketches and tail to a file, unless it is full.
func (c *cell) keep(lists *mapped.File) {
	c.ids, c.sketches, c.tail = mapped.Keep(lists, c.ids), mapped.Keep(lists, c.sketches), mapped.Keep(lists, c.tail)
	c.kept = lists.Keeps()
}

// bytes estimates the memory of the documents.
func (c *cell) bytes(dimensions int) int64 {
	return int64(c.live) * int64(4*dimensions+perVector)
}

// add adds a vector to the cell's documents, if these are in memory.
func (c *cell) add(ctx context.Context, id int64, v []float32) error {
	documents := c.documents.Load()
	if documents == nil {
		return nil
	}
	return documents.AddDocument(ctx, chromem.Document{ID: name(id), Embedding: slices.Clone(v)})
}

// load returns the documents of the cell, reading them from the file if they
// are not in memory. The caller holds store.mu at least for reading.
func (c *cell) load(ctx context.Context, store *Store) (*chromem.Collection, error) {
	c.item.Use()
	if documents := c.documents.Load(); documents != nil {
		return documents, nil
	}
	c.loading.Lock()
	defer c.loading.Unlock()
	if documents := c.documents.Load(); documents != nil {
		return documents, nil
	}
	r := Records{Dimensions: store.dimensions}
	var err error
	if r.Data, err = store.rest.records(c, r.size()); err != nil {
		return nil, err
	}
	documents, err := chromem.NewDB().CreateCollection("cell", nil, noEmbedding)
	if err != nil {
		return nil, err
	}
	d := store.dimensions
	flat := make([]float32, c.live*d)
	for i, id := range c.ids {
		if id == noID {
			continue
		}
		v := r.Vector(i, flat[:d:d])
		flat = flat[d:]
		if err := documents.AddDocument(ctx, chromem.Document{ID: name(id), Embedding: v}); err != nil {
			return nil, err
		}
	}
	c.documents.Store(documents)
	c.item.Resize(c.bytes(d))
	return documents, nil
}

// forget deletes id and reports whether the cell had it. size is the size of a sketch in bytes.
// The record stays, but its sketch is overwritten with that of another vector, so that a deleted
// vector does not attract searches to the cell.
func (c *cell) forget(id int64, size int) bool {
	at := slices.Index(c.ids, id)
	if at < 0 {
		return false
	}
	c.ids[at] = noID
	c.live--
	if other := slices.IndexFunc(c.ids, func(id int64) bool { return id != noID }); other >= 0 {
		copy(c.sketches[at*size:(at+1)*size], c.sketches[other*size:])
	}
	return true
}
