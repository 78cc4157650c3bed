package l1fts

import (
	"context"
	"fmt"
	"sync"
	"time"

	"sextant/internal/store"
	"sextant/l1fts/vector"
)

const (
	// idleVectors is how long vectors stay in memory after the last question.
	idleVectors = 10 * time.Minute
	// inlineLoad is how many files' vectors a question itself brings up to
	// date; more is for Load, which nobody waits for.
	inlineLoad = 600
	// reconcileAfter is how many vectors of files that are gone a question may
	// meet before the whole set is compared with the database.
	reconcileAfter = 20
)

// memory is the vectors of a root while they are asked for: the directory of all
// of them, and the cells that were asked last.
type memory struct {
	mu         sync.RWMutex // guards all below; held for reading while the store is asked
	store      *vector.Store
	model      int64
	generation int64 // of the index that store shows
	partition  int64
	files      map[int64]inMemory // by file
	gone       int                // vectors met that no file has any more
	unload     *time.Timer

	options vector.StoreOptions
}

// inMemory is what the store has of a file: the cell of each of its chunks,
// noCell for one without a vector.
type inMemory struct {
	base  int64
	class int
	cells []uint16
}

const noCell = ^uint16(0)

// MemoryState is what the vectors of a root occupy in memory.
type MemoryState struct {
	Loaded  bool
	Vectors int
	Bytes   int64
}

// Memory says what the vectors occupy now.
func (x *Index) Memory() MemoryState {
	m := &x.memory
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.store == nil {
		return MemoryState{}
	}
	return MemoryState{true, m.store.Len(), m.store.Bytes()}
}

// Unload gives the memory of the vectors back; the next Load reads them again.
func (x *Index) Unload() {
	m := &x.memory
	m.mu.Lock()
	defer m.mu.Unlock()
	m.close()
	m.generation, m.partition, m.gone = 0, 0, 0
}

// Load brings the vectors in memory up to the snapshot v. The first time it
// reads them all: 200,000 take about a second.
func (x *Index) Load(ctx context.Context, v *store.View) error {
	model, _, err := x.model(ctx, v)
	if err != nil || model == 0 {
		return err
	}
	m := &x.memory
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := x.load(ctx, v, model); err != nil {
		m.close() // half of a generation is none
		return fmt.Errorf("load vectors: %w", err)
	}
	m.touch(x)
	return nil
}

// touch puts off the unloading.
func (m *memory) touch(x *Index) {
	if m.unload == nil {
		m.unload = time.AfterFunc(idleVectors, x.Unload)
		return
	}
	m.unload.Reset(idleVectors)
}

// load wants m.mu held.
func (x *Index) load(ctx context.Context, v *store.View, model int64) error {
	m := &x.memory
	s, err := readState(ctx, v)
	if err != nil {
		return err
	}
	if m.store == nil || m.model != model {
		m.open(x.embedder.Dimensions())
		m.model, m.generation, m.partition, m.gone = model, 0, 0, 0
	}
	if s.generation == m.generation && m.gone < reconcileAfter {
		return nil
	}
	if err := m.followPartition(ctx, v); err != nil {
		return err
	}
	if err := m.loadNew(ctx, v); err != nil {
		return err
	}
	if m.gone >= reconcileAfter {
		if err := m.reconcile(ctx, v); err != nil {
			return err
		}
		m.gone = 0
	}
	m.generation = s.generation
	return nil
}

// followPartition starts anew when the cells are others than those in memory:
// their numbers mean nothing any more.
func (m *memory) followPartition(ctx context.Context, v *store.View) error {
	var partition int64
	_, err := v.QueryRow(ctx, "SELECT partition FROM l1_models WHERE id=?", []any{m.model}, &partition)
	if err != nil || partition == m.partition {
		return err
	}
	if m.partition != 0 || len(m.files) > 0 {
		m.open(m.dimensions())
		m.generation = 0
	}
	m.partition = partition
	return nil
}

// open begins an empty store in the place of the one before.
func (m *memory) open(dimensions int) {
	m.close()
	m.store, m.files = vector.NewStore(dimensions, m.options), map[int64]inMemory{}
}

func (m *memory) close() {
	if m.store != nil {
		m.store.Close()
	}
	m.store, m.files = nil, nil
}

func (m *memory) dimensions() int { return m.store.Dimensions() }

const vectorsSince = `SELECT l.id>>8, l.base, c.class, l.partition, l.data FROM l1_vectors l INDEXED BY l1_vectors_new
	JOIN l1_chunks c ON c.base = l.base WHERE l.model = ? AND l.generation > ?`

// loadNew reads the rows written since the generation in memory.
func (m *memory) loadNew(ctx context.Context, v *store.View) error {
	rows, err := v.Query(ctx, vectorsSince, m.model, m.generation)
	if err != nil {
		return err
	}
	defer rows.Close()
	r := vector.Records{Dimensions: m.dimensions()}
	for rows.Next() {
		var file, partition int64
		var in inMemory
		if err := rows.Scan(&file, &in.base, &in.class, &partition, &r.Data); err != nil {
			return err
		}
		if err := m.drop(ctx, file); err != nil {
			return err
		}
		for i := range r.Len() {
			if partition != m.partition {
				r.SetCell(i, 0)
			}
			if !r.Has(i) {
				in.cells = append(in.cells, noCell)
				continue
			}
			in.cells = append(in.cells, r.Cell(i))
			if err := m.store.Put(ctx, rowID(in.base+int64(i), in.class), r, i); err != nil {
				return err
			}
		}
		m.files[file] = in
	}
	return rows.Err()
}

// drop takes the vectors of a file out.
func (m *memory) drop(ctx context.Context, file int64) error {
	in, ok := m.files[file]
	if !ok {
		return nil
	}
	delete(m.files, file)
	for i, cell := range in.cells {
		if cell == noCell {
			continue
		}
		if err := m.store.Delete(ctx, cell, rowID(in.base+int64(i), in.class)); err != nil {
			return err
		}
	}
	return nil
}

// reconcile drops what no file of the index has any more.
func (m *memory) reconcile(ctx context.Context, v *store.View) error {
	rows, err := v.Query(ctx, "SELECT file_id, base FROM l1_chunks")
	if err != nil {
		return err
	}
	defer rows.Close()
	live := make(map[int64]int64, len(m.files))
	for rows.Next() {
		var file, base int64
		if err := rows.Scan(&file, &base); err != nil {
			return err
		}
		live[file] = base
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for file, in := range m.files {
		if live[file] != in.base {
			if err := m.drop(ctx, file); err != nil {
				return err
			}
		}
	}
	return nil
}
