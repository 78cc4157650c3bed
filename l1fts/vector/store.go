package vector

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strconv"
	"sync"

	"sextant/internal/budget"
	"sextant/internal/mapped"
)

// Store is a set of vectors to search. The ids and sketches of all vectors, the
// directory, are in memory, most of them in a file that is mapped there. The
// components of the vectors are in an unnamed file; those of recently used
// cells are also in memory, as chromem collections, as far as the budget
// allows. Store is safe for concurrent use.
type Store struct {
	dimensions int
	budget     *budget.Budget
	slots      chan struct{} // holds one token per running query; capacity GOMAXPROCS

	mu        sync.RWMutex
	cells     map[uint16]*cell // guarded by mu
	count     int              // guarded by mu
	rest      *spill           // the unnamed file; guarded by mu; nil if it could not be created
	one       []float32        // scratch space for a vector; guarded by mu
	directory *budget.Item     // counts the bytes of the directory in the budget
	dir       string           // folder of the unnamed files
	settleAt  int64            // bytes in loose from which Settle moves them
	lists     *mapped.File     // holds the lists of the cells that are kept; guarded by mu; nil if there are none
	loose     int64            // bytes of the lists of all other cells; guarded by mu
}

// StoreOptions configures NewStore. The zero value works.
type StoreOptions struct {
	Budget *budget.Budget // nil means no limit
	Dir    string         // folder of the unnamed file; "" means the system's folder for temporary files
}

// probes is the number of cells that a search visits: those with the best
// sketches. Measured with 200,000 chunks of four repositories in Go, Ruby and
// Python, and sentences of their documentation as questions: the best 32 cells
// contain 97 % of the ten nearest vectors, 48 contain 98 %, 64 contain 99 %. 40
// cells are a thirtieth of the vectors.
const probes = 40

// Match is a vector found by Near, with its cosine.
type Match struct {
	ID     int64
	Cosine float64
}

// NewStore returns an empty store, which the caller must close.
func NewStore(dimensions int, opt StoreOptions) *Store {
	// chromem passes every document of a query through a channel to as many goroutines as there are
	// processors. So more concurrent queries would only wait for each other, and hold memory.
	return &Store{dimensions: dimensions, budget: opt.Budget, slots: make(chan struct{}, runtime.GOMAXPROCS(0)),
		cells: map[uint16]*cell{}, dir: opt.Dir, settleAt: looseBytes,
		rest: newSpill(opt.Dir), one: make([]float32, dimensions), directory: opt.Budget.Add(0, nil)}
}

// Close frees the memory and the file. The store must not be used afterwards.
func (s *Store) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.cells {
		c.item.Release()
	}
	s.cells, s.count = map[uint16]*cell{}, 0
	s.directory.Release()
	s.rest.close()
	s.lists.Close()
}

// Put adds record i of records under id, to the record's cell. The caller must
// have deleted an earlier vector with that id.
func (s *Store) Put(ctx context.Context, id int64, records Records, i int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	number := records.Cell(i)
	c := s.cells[number]
	if c == nil {
		c = &cell{number: number}
		c.item = s.budget.Add(0, c.drop)
		s.cells[number] = c
	}
	v := records.Vector(i, s.one)
	if err := c.add(ctx, id, v); err != nil {
		return fmt.Errorf("add vector %d: %w", id, err)
	}
	if c.kept {
		c.kept, s.loose = false, s.loose+c.listBytes() // append copies the lists to the heap
	}
	before := c.listBytes()
	c.ids, c.sketches, c.tail = append(c.ids, id), appendSketch(c.sketches, v), append(c.tail, records.at(i)...)
	s.loose += c.listBytes() - before
	c.live++
	if len(c.tail) >= extentRecords*records.size() && s.rest.append(c, records.size()) {
		c.tail = c.tail[:0]
	}
	if s.count++; s.count%countEvery == 0 {
		s.directory.Resize(s.directoryBytes())
	}
	return nil
}

// Settle moves the directory to a mapped file if much of it is on the heap. It is called after
// vectors were put.
func (s *Store) Settle() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.loose < s.settleAt {
		return
	}
	s.loose = 0
	old := s.lists
	if anew := old == nil || old.Used() > 2*s.listBytes()+s.settleAt; anew {
		lists, err := mapped.Create(s.dir)
		if err != nil {
			return // the heap holds the directory, too
		}
		s.lists = lists
		for _, c := range s.cells {
			c.kept = false
		}
		defer old.Close()
	}
	for _, c := range s.cells {
		if !c.kept {
			c.keep(s.lists)
		}
	}
	s.directory.Resize(s.directoryBytes())
}

// looseBytes is the number of bytes of the directory on the heap from which Settle moves them. A
// vector of an edited file makes a copy of the lists of its cell there; the bytes of those before it
// in the file are lost until much of the file is.
const looseBytes = 4 << 20

// listBytes returns the bytes of the lists of all cells. The caller holds s.mu.
func (s *Store) listBytes() (n int64) {
	for _, c := range s.cells {
		n += c.listBytes()
	}
	return n
}

// countEvery is the number of added vectors after which the directory's size in
// the budget is updated.
const countEvery = 4096

// name returns id as a chromem document id. It is short, since each vector has
// one.
func name(id int64) string { return strconv.FormatInt(id, 36) }

// Delete removes ids from the cell with that number. Unknown ids are ignored.
func (s *Store) Delete(ctx context.Context, number uint16, ids ...int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	cell := s.cells[number]
	if cell == nil {
		return nil
	}
	var names []string
	for _, id := range ids {
		if cell.forget(id, sketchBytes(s.dimensions)) {
			names = append(names, name(id))
		}
	}
	if len(names) == 0 {
		return nil // without names, chromem would reject the call
	}
	s.count -= len(names)
	if documents := cell.documents.Load(); documents != nil {
		if err := documents.Delete(ctx, nil, nil, names...); err != nil {
			return fmt.Errorf("delete vectors: %w", err)
		}
	}
	return nil
}

// Near returns the n vectors nearest to q in the cells that it visits, best
// first; ties are ordered by id.
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
	worst := math.Inf(-1) // vectors with a smaller cosine are not among the best n
	for _, c := range s.asked(q) {
		documents, err := c.load(ctx, s)
		if err != nil {
			return nil, fmt.Errorf("load cell %d: %w", c.number, err)
		}
		found, err := documents.QueryEmbedding(ctx, q, min(n, c.live), nil, nil)
		if err != nil {
			return nil, fmt.Errorf("query cell %d: %w", c.number, err)
		}
		for i := range found { // best first
			if float64(found[i].Similarity) < worst {
				break
			}
			id, err := strconv.ParseInt(found[i].ID, 36, 64)
			if err != nil {
				return nil, fmt.Errorf("query cell %d: %w", c.number, err)
			}
			out = append(out, Match{id, float64(found[i].Similarity)})
		}
		if len(out) >= 2*n {
			SortMatches(out)
			out = out[:n]
			worst = out[n-1].Cosine
		}
	}
	SortMatches(out)
	return out[:min(n, len(out))], nil
}

// asked returns the cells to search for vectors near q: at most probes, those with the best
// sketches, best first. Ties are ordered by number. The caller holds s.mu.
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
	slices.SortFunc(all, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score),
			cmp.Compare(a.number, b.number))
	})
	var out []*cell
	for _, c := range all[:min(probes, len(all))] {
		out = append(out, c.cell)
	}
	return out
}

// SortMatches sorts matches best first; ties are ordered by id.
func SortMatches(list []Match) {
	slices.SortFunc(list, func(a, b Match) int {
		return cmp.Or(cmp.Compare(b.Cosine, a.Cosine),
			cmp.Compare(a.ID, b.ID))
	})
}

// Len returns the number of vectors.
func (s *Store) Len() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.count
}

// perVector is the number of bytes that chromem uses for a vector besides its
// components: the document, its name, its empty metadata and its map entry.
// Measured by TestStoreMemory.
const perVector = 116

// perCell estimates the bytes of a cell besides its vectors.
const perCell = 300

// Bytes estimates the memory that the store uses.
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

// directoryBytes estimates the heap memory of the directory. The caller holds s.mu.
func (s *Store) directoryBytes() (n int64) {
	for _, c := range s.cells {
		if n += perCell + int64(8*cap(c.extents)); !c.kept {
			n += c.listBytes()
		}
	}
	return n
}

// Dimensions returns the length of the vectors.
func (s *Store) Dimensions() int { return s.dimensions }
