package l1fts

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"sextant/internal/store"
	"sextant/l1fts/vector"
)

const (
	// idleVectors is the time after the last question at which vectors leave
	// memory.
	idleVectors = 10 * time.Minute
	// inlineLoad is the largest number of files whose new vectors are read into memory while a
	// question waits. If there are more, Load reads them in the background.
	inlineLoad = 600
	// reconcileAfter is the number of vectors of removed files found by questions after which the
	// vectors in memory are compared with the files in the database.
	reconcileAfter = 20
)

// memory holds the vectors of a root between Load and Unload. It has the ids of all vectors, but
// the components only of those in recently used cells.
type memory struct {
	mu        sync.RWMutex // guards all below; read-locked while the store is searched
	store     *vector.Store
	model     int64
	version                      // of the index that store reflects
	partition int64              // number of the training that made the cells; 0 if there are none
	files     map[int64]inMemory // file id → its vectors
	gone      int                // number of hits on vectors of removed files
	unload    *time.Timer

	options vector.StoreOptions
	filling atomic.Bool // whether a load that begins with an empty store holds mu, for up to some seconds
}

// inMemory describes one file whose vectors are in the store. cells has the cell of each of its chunks, noCell
// for a chunk without a vector.
type inMemory struct {
	base  int64 // sequence number of its first chunk
	class int   // number of its class, as in row ids
	cells []uint16
}

const noCell = ^uint16(0)

// holds reports whether vectors of that database and model are in memory. The caller holds m.mu.
func (m *memory) holds(database *store.Identity, model int64) bool {
	return m.store != nil && m.database == database && m.model == model
}

// MemoryState reports whether the vectors of a root are in memory, and their
// size.
type MemoryState struct {
	Loaded  bool
	Vectors int
	Bytes   int64
}

// Memory returns the current state of the vectors in memory.
func (x *Index) Memory() MemoryState {
	m := &x.memory
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.store == nil {
		return MemoryState{}
	}
	return MemoryState{true, m.store.Len(), m.store.Bytes()}
}

// Unload frees the vectors in memory; the next Load reads them again.
func (x *Index) Unload() {
	m := &x.memory
	m.mu.Lock()
	defer m.mu.Unlock()
	m.close()
	m.version, m.partition, m.gone = version{}, 0, 0
}

// Load brings the vectors in memory up to date with the snapshot v. The first
// call reads all of them: 200,000 take about a second.
func (x *Index) Load(ctx context.Context, v *store.View) error {
	model, _, err := x.model(ctx, v)
	if err != nil || model == 0 {
		return err
	}
	m := &x.memory
	m.mu.Lock()
	defer m.mu.Unlock()
	m.filling.Store(!m.holds(v.Database(), model))
	defer m.filling.Store(false)
	if err := x.load(ctx, v, model); err != nil {
		m.close() // the store holds only a part of a generation, which is useless
		return fmt.Errorf("load vectors: %w", err)
	}
	m.touch(x)
	return nil
}

// VectorState returns the state of the vectors without searching them. Loaded only means that vectors are in
// memory; they may be older than v. Like a search, VectorState postpones the time at which vectors in memory
// are unloaded.
func (x *Index) VectorState(ctx context.Context, v *store.View) (state NearState, err error) {
	var model int64
	if model, state.Complete, err = x.model(ctx, v); err != nil || model == 0 {
		return state, err
	}
	m := &x.memory
	if m.filling.Load() {
		return state, nil
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	if state.Loaded = m.holds(v.Database(), model); state.Loaded {
		m.unload.Reset(idleVectors)
	}
	return state, nil
}

// touch restarts the timer that unloads the vectors.
func (m *memory) touch(x *Index) {
	if m.unload == nil {
		m.unload = time.AfterFunc(idleVectors, x.Unload)
		return
	}
	m.unload.Reset(idleVectors)
}

// load updates the vectors of a model in memory; see Load. The caller holds
// m.mu.
func (x *Index) load(ctx context.Context, view *store.View, model int64) error {
	m := &x.memory
	state, err := readState(ctx, view)
	if err != nil {
		return err
	}
	if !m.holds(state.database, model) {
		m.open(x.embedder.Dimensions())
		m.version, m.model, m.partition, m.gone = version{database: state.database}, model, 0, 0
	}
	if state.version == m.version && m.gone < reconcileAfter {
		return nil
	}
	if err := m.followPartition(ctx, view); err != nil {
		return err
	}
	if err := m.loadNew(ctx, view); err != nil {
		return err
	}
	if m.gone >= reconcileAfter {
		if err := m.reconcile(ctx, view); err != nil {
			return err
		}
		m.gone = 0
	}
	m.version = state.version
	return nil
}

// followPartition empties the store if the cells were trained again since the last load. The old
// cell numbers have no meaning then.
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

// open replaces the store by an empty one.
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

// loadNew reads the vectors of files that were written after the generation in memory.
func (m *memory) loadNew(ctx context.Context, v *store.View) error {
	rows, err := v.Query(ctx, vectorsSince, m.model, m.generation)
	if err != nil {
		return err
	}
	defer rows.Close()
	records := vector.Records{Dimensions: m.dimensions()}
	for rows.Next() {
		var file, partition int64
		var in inMemory
		if err := rows.Scan(&file, &in.base, &in.class, &partition, &records.Data); err != nil {
			return err
		}
		if err := m.drop(ctx, file); err != nil {
			return err
		}
		for i := range records.Len() {
			if partition != m.partition {
				records.SetCell(i, 0)
			}
			if !records.Has(i) {
				in.cells = append(in.cells, noCell)
				continue
			}
			in.cells = append(in.cells, records.Cell(i))
			if err := m.store.Put(ctx, rowID(in.base+int64(i), in.class), records, i); err != nil {
				return err
			}
		}
		m.files[file] = in
	}
	m.store.Settle()
	return rows.Err()
}

// drop removes the vectors of a file from the store.
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

// reconcile removes from memory the vectors of files that are no longer in the index or were
// written again.
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
