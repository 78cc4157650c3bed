package vector

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"sync"

	"sextant/internal/budget"
)

// Store is the vectors that are asked: the directory of all of them is in
// memory, their components lie in a file that has no name, and those of the
// cells that were asked last are a chromem collection each, as far as the budget
// goes. It is safe for concurrent use.
type Store struct {
	dimensions int
	budget     *budget.Budget
	slots      chan struct{} // capacity: queries at once

	mu        sync.RWMutex
	cells     map[uint16]*cell // guarded by mu
	count     int              // guarded by mu
	rest      *spill           // guarded by mu; nil where there is none
	one       []float32        // room for a vector; guarded by mu
	directory *budget.Item     // what counts the directory
}

// StoreOptions of NewStore. The zero value works.
type StoreOptions struct {
	Budget *budget.Budget // nil is no limit
	Dir    string         // for the file; "" is the system's for such files
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

// NewStore makes an empty store, which the caller closes.
func NewStore(dimensions int, opt StoreOptions) *Store {
	// chromem hands every document of a query through a channel to as many
	// goroutines as there are processors; more queries at once only wait for
	// each other with more memory held.
	return &Store{dimensions: dimensions, budget: opt.Budget, slots: make(chan struct{}, runtime.GOMAXPROCS(0)), cells: map[uint16]*cell{},
		rest: newSpill(opt.Dir), one: make([]float32, dimensions), directory: opt.Budget.Add(0, nil)}
}

// Close gives memory and file back. A store that is closed is not asked.
func (s *Store) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.cells {
		c.item.Release()
	}
	s.cells, s.count = map[uint16]*cell{}, 0
	s.directory.Release()
	s.rest.close()
}

// Put adds record i of r under id, in its cell. The caller removes an earlier
// one of that id first.
func (s *Store) Put(ctx context.Context, id int64, r Records, i int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	number := r.Cell(i)
	c := s.cells[number]
	if c == nil {
		c = &cell{number: number}
		c.item = s.budget.Add(0, c.drop)
		s.cells[number] = c
	}
	v := r.Vector(i, s.one)
	if err := c.add(ctx, id, v); err != nil {
		return fmt.Errorf("add vector %d: %w", id, err)
	}
	c.ids, c.sketches, c.tail = append(c.ids, id), appendSketch(c.sketches, v), append(c.tail, r.at(i)...)
	c.live++
	if len(c.tail) >= extentRecords*r.size() && s.rest.append(c, r.size()) {
		c.tail = c.tail[:0]
	}
	if s.count++; s.count%countEvery == 0 {
		s.directory.Resize(s.directoryBytes())
	}
	return nil
}

// countEvery is how many vectors are counted at once.
const countEvery = 4096

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
	if documents := c.documents.Load(); documents != nil {
		if err := documents.Delete(ctx, nil, nil, names...); err != nil {
			return fmt.Errorf("delete vectors: %w", err)
		}
	}
	return nil
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
		documents, err := c.load(ctx, s)
		if err != nil {
			return nil, fmt.Errorf("load cell %d: %w", c.number, err)
		}
		found, err := documents.QueryEmbedding(ctx, q, min(n, c.live), nil, nil)
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
		if c.live > 0 {
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
// TestStoreMemory.
const perVector = 116

// perCell is what is kept of a cell beside its vectors.
const perCell = 300

// Bytes is about what the store occupies in memory now.
func (s *Store) Bytes() int64 {
	s.mu.RLock()
	defer s.mu.RUnlock()
	n := s.directoryBytes()
	for _, c := range s.cells {
		if c.documents.Load() != nil {
			n += c.bytes(s.dimensions)
		}
	}
	return n
}

// directoryBytes is what is kept of all vectors. It wants mu held.
func (s *Store) directoryBytes() (n int64) {
	for _, c := range s.cells {
		n += perCell + int64(8*cap(c.ids)+cap(c.sketches)+cap(c.tail)+8*cap(c.extents))
	}
	return n
}

// Dimensions is the length of the vectors.
func (s *Store) Dimensions() int { return s.dimensions }
