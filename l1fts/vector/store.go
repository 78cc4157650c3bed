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
	cells map[uint16]*chromem.Collection // guarded by mu
	count int                            // guarded by mu
}

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
	return &Store{dimensions: dimensions, slots: make(chan struct{}, runtime.GOMAXPROCS(0)), db: chromem.NewDB(), cells: map[uint16]*chromem.Collection{}}
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
	cell := r.Cell(i)
	c := s.cells[cell]
	if c == nil {
		var err error
		if c, err = s.db.CreateCollection(strconv.Itoa(int(cell)), nil, noEmbedding); err != nil {
			return fmt.Errorf("make cell %d: %w", cell, err)
		}
		s.cells[cell] = c
	}
	err := c.AddDocument(ctx, chromem.Document{ID: name(id), Embedding: r.Vector(i, make([]float32, s.dimensions))})
	if err != nil {
		return fmt.Errorf("add vector %d: %w", id, err)
	}
	s.count++
	return nil
}

// name is id as chromem wants it: short, since every vector has one.
func name(id int64) string { return strconv.FormatInt(id, 36) }

// Delete removes ids from a cell.
func (s *Store) Delete(ctx context.Context, cell uint16, ids ...int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.cells[cell]
	if c == nil || len(ids) == 0 {
		return nil
	}
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = name(id)
	}
	before := c.Count()
	if err := c.Delete(ctx, nil, nil, names...); err != nil {
		return fmt.Errorf("delete vectors: %w", err)
	}
	s.count -= before - c.Count()
	return nil
}

// Near is the n vectors nearest to q in the cells given, all when nil, best
// first; equals by id.
func (s *Store) Near(ctx context.Context, q []float32, cells []uint16, n int) ([]Match, error) {
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	if cells == nil {
		for c := range s.cells {
			cells = append(cells, c)
		}
	}
	var out []Match
	for _, cell := range cells {
		c := s.cells[cell]
		if c == nil || c.Count() == 0 {
			continue
		}
		found, err := c.QueryEmbedding(ctx, q, min(n, c.Count()), nil, nil)
		if err != nil {
			return nil, fmt.Errorf("query cell %d: %w", cell, err)
		}
		for i := range found {
			id, err := strconv.ParseInt(found[i].ID, 36, 64)
			if err != nil {
				return nil, fmt.Errorf("query cell %d: %w", cell, err)
			}
			out = append(out, Match{id, float64(found[i].Similarity)})
		}
	}
	SortMatches(out)
	return out[:min(n, len(out))], nil
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
// TestStoreMemory.
const perVector = 116

// Bytes is about what the vectors occupy in memory.
func (s *Store) Bytes() int64 { return int64(s.Len()) * int64(4*s.dimensions+perVector) }

// Dimensions is the length of the vectors.
func (s *Store) Dimensions() int { return s.dimensions }
