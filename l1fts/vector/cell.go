package vector

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/philippgille/chromem-go"

	"sextant/internal/budget"
)

// cell is the vectors of one cell. The store's lock guards what no lock of its
// own does.
type cell struct {
	number   uint16
	ids      []int64 // noID for one that was deleted
	sketches []byte  // in the order of ids; they say whether the cell is to be asked
	live     int     // ids that were not deleted

	extents []int64 // where the file has records, extentRecords each, in the order of ids
	tail    []byte  // the records behind those

	item      *budget.Item // counts documents
	loading   sync.Mutex
	documents atomic.Pointer[chromem.Collection] // nil until asked, and when the budget took it
}

const noID = -1

// extentRecords is how many records of a cell lie side by side in the file.
const extentRecords = 16

// noEmbedding keeps chromem from choosing an embedder of its own, which would
// look for a key in the environment.
func noEmbedding(context.Context, string) ([]float32, error) {
	return nil, errors.New("vectors come from the embedder")
}

// drop lets go of the documents.
func (c *cell) drop() { c.documents.Store(nil) }

// bytes is about what the documents take.
func (c *cell) bytes(dimensions int) int64 {
	return int64(c.live) * int64(4*dimensions+perVector)
}

// add adds a vector to the documents, if they are loaded.
func (c *cell) add(ctx context.Context, id int64, v []float32) error {
	documents := c.documents.Load()
	if documents == nil {
		return nil
	}
	return documents.AddDocument(ctx, chromem.Document{ID: name(id), Embedding: slices.Clone(v)})
}

// load is the documents of the cell, read from the file where they are not at
// hand. It wants the store's lock held for reading.
func (c *cell) load(ctx context.Context, s *Store) (*chromem.Collection, error) {
	c.item.Use()
	if documents := c.documents.Load(); documents != nil {
		return documents, nil
	}
	c.loading.Lock()
	defer c.loading.Unlock()
	if documents := c.documents.Load(); documents != nil {
		return documents, nil
	}
	r := Records{Dimensions: s.dimensions}
	var err error
	if r.Data, err = s.rest.records(c, r.size()); err != nil {
		return nil, err
	}
	documents, err := chromem.NewDB().CreateCollection("cell", nil, noEmbedding)
	if err != nil {
		return nil, err
	}
	d := s.dimensions
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

// forget takes id out. The record stays where it is; its sketch is another's,
// so that the cell is not asked for what it has no more.
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
