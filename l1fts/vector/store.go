package vector

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"sync"

	"github.com/philippgille/chromem-go"
)

// Store is vectors in memory, a chromem collection a cell. It is safe for
// concurrent use.
type Store struct {
	dimensions int
	slots      chan struct{} // capacity: queries at once

	mu    sync.RWMutex
	db    *chromem.DB
	cells map[uint16]*cell // guarded by mu
	count int              // guarded by mu
}

// cell is the vectors of one cell: chromem has them, and their sketches say
// whether it is to be asked.
type cell struct {
	number    uint16
	documents *chromem.Collection
	ids       []int64
	at        map[int64]int32 // index in ids
	sketches  []byte          // in the order of ids
}

// probes is how many cells are asked: those with the vectors whose sketches are
// nearest. Of 200,000 chunks of four repositories in Go, Ruby and Python, asked
// sentences of their documentation, 32 cells have 0.97 of the ten nearest, 48
// have 0.98, 64 have 0.99; 40 are a thirtieth of the vectors.
const probes = 40

// Match is one vector that is near.
type Match struct {
	ID     int64
	Cosine float64
}

// NewStore makes an empty store.
func NewStore(dimensions int) *Store {
	// chromem hands every document of a query through a channel to as many
	// goroutines as there are processors; more queries at once only wait for
	// each other with more memory held.
	return &Store{dimensions: dimensions, slots: make(chan struct{}, runtime.GOMAXPROCS(0)), db: chromem.NewDB(), cells: map[uint16]*cell{}}
}

// noEmbedding keeps chromem from choosing an embedder of its own, which would
// look for a key in the environment.
func noEmbedding(context.Context, string) ([]float32, error) {
	return nil, errors.New("vectors come from the embedder")
}

// Put adds record i of r under id, in its cell. The caller removes an earlier
// one of that id first.
func (s *Store) Put(ctx context.Context, id int64, r Records, i int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	number := r.Cell(i)
	c := s.cells[number]
	if c == nil {
		documents, err := s.db.CreateCollection(strconv.Itoa(int(number)), nil, noEmbedding)
		if err != nil {
			return fmt.Errorf("make cell %d: %w", number, err)
		}
		c = &cell{number: number, documents: documents, at: map[int64]int32{}}
		s.cells[number] = c
	}
	v := r.Vector(i, make([]float32, s.dimensions))
	if err := c.documents.AddDocument(ctx, chromem.Document{ID: name(id), Embedding: v}); err != nil {
		return fmt.Errorf("add vector %d: %w", id, err)
	}
	c.at[id] = int32(len(c.ids))
	c.ids, c.sketches = append(c.ids, id), appendSketch(c.sketches, v)
	s.count++
	return nil
}

// name is id as chromem wants it: short, since every vector has one.
func name(id int64) string { return strconv.FormatInt(id, 36) }

// Delete removes ids from a cell.
func (s *Store) Delete(ctx context.Context, number uint16, ids ...int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.cells[number]
	if c == nil {
		return nil
	}
	var names []string
	for _, id := range ids {
		if c.forget(id, sketchBytes(s.dimensions)) {
			names = append(names, name(id))
		}
	}
	if len(names) == 0 {
		return nil // to chromem, no names are no condition
	}
	s.count -= len(names)
	if err := c.documents.Delete(ctx, nil, nil, names...); err != nil {
		return fmt.Errorf("delete vectors: %w", err)
	}
	return nil
}

// forget takes id and its sketch, of size bytes, out of the lists; the last
// takes its place.
func (c *cell) forget(id int64, size int) bool {
	at, ok := c.at[id]
	if !ok {
		return false
	}
	delete(c.at, id)
	last := len(c.ids) - 1
	if int(at) < last {
		c.ids[at] = c.ids[last]
		c.at[c.ids[at]] = at
		copy(c.sketches[int(at)*size:(int(at)+1)*size], c.sketches[last*size:])
	}
	c.ids, c.sketches = c.ids[:last], c.sketches[:last*size]
	return true
}

// Near is the n vectors nearest to q in the cells that are asked, best first;
// equals by id.
func (s *Store) Near(ctx context.Context, q []float32, n int) ([]Match, error) {
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	var out []Match
	for _, c := range s.asked(q) {
		found, err := c.documents.QueryEmbedding(ctx, q, min(n, len(c.ids)), nil, nil)
		if err != nil {
			return nil, fmt.Errorf("query cell %d: %w", c.number, err)
		}
		for i := range found {
			id, err := strconv.ParseInt(found[i].ID, 36, 64)
			if err != nil {
				return nil, fmt.Errorf("query cell %d: %w", c.number, err)
			}
			out = append(out, Match{id, float64(found[i].Similarity)})
		}
	}
	SortMatches(out)
	return out[:min(n, len(out))], nil
}

// asked are the cells to look into for what is near to q, best first; equals by
// number. It wants s.mu held.
func (s *Store) asked(q []float32) []*cell {
	type scored struct {
		*cell
		score float32
	}
	sums := newSums(q)
	all := make([]scored, 0, len(s.cells))
	for _, c := range s.cells {
		if len(c.ids) > 0 {
			all = append(all, scored{c, sums.best(c.sketches)})
		}
	}
	slices.SortFunc(all, func(a, b scored) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.number, b.number)) })
	var out []*cell
	for _, c := range all[:min(probes, len(all))] {
		out = append(out, c.cell)
	}
	return out
}

// SortMatches sorts best first, equals by id.
func SortMatches(list []Match) {
	slices.SortFunc(list, func(a, b Match) int { return cmp.Or(cmp.Compare(b.Cosine, a.Cosine), cmp.Compare(a.ID, b.ID)) })
}

// Len is the number of vectors.
func (s *Store) Len() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.count
}

// perVector is what chromem keeps of a vector beside its components: the
// document, its name, its empty metadata and its place in the map. Measured by
// TestStoreMemory, as is what a list that grows has to spare.
const perVector = 116

// perSketch is what is kept beside each sketch: an id, and its place in a map.
const perSketch = 34

// Bytes is about what the vectors occupy in memory.
func (s *Store) Bytes() int64 {
	return int64(s.Len()) * int64(4*s.dimensions+perVector+perSketch+sketchBytes(s.dimensions))
}

// Dimensions is the length of the vectors.
func (s *Store) Dimensions() int { return s.dimensions }
