package l1fts

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"sextant/internal/store"
	"sextant/l1fts/vector"
)

// NearState reports how complete an answer of Near is.
type NearState struct {
	Complete bool // whether every file has all its vectors
	// Loaded reports whether the vectors are in memory and as new as the snapshot.
	// If not, Load should be called; until then Near searches the database,
	// provided it holds few enough vectors.
	Loaded  bool
	Skipped bool // whether the search was skipped, because the vectors are not in memory and too many to scan
}

// Embedder reports whether the index has an embedder.
func (x *Index) Embedder() bool { return x.embedder != nil }

// EmbedQuery returns the vector of a question. It takes as long as the embedder
// does.
func (x *Index) EmbedQuery(ctx context.Context, text string) ([]float32, error) {
	return x.embedder.Query(ctx, text)
}

// nearFetch is the number of vectors fetched per requested hit, since filters
// and several chunks of one symbol remove some.
const nearFetch = 3

// Near returns the chunks whose vectors are nearest to q and that pass the
// filter and the conditions of the query, best first. Score is the cosine.
// Chunks with equal scores are ordered by path and line.
func (x *Index) Near(ctx context.Context, v *store.View, q []float32, query Query,
	opt SearchOptions) ([]Hit, NearState, error) {
	if opt.Limit <= 0 {
		opt.Limit = 50
	}
	hits, state, err := x.near(ctx, v, q, query, opt)
	if err != nil {
		return nil, state, fmt.Errorf("search vectors: %w", err)
	}
	return hits, state, nil
}

func (x *Index) near(ctx context.Context, view *store.View, q []float32, query Query,
	opt SearchOptions) ([]Hit, NearState, error) {
	var state NearState
	filter, err := newFilter(opt.Filter, query)
	if err != nil {
		return nil, state, err
	}
	model, complete, err := x.model(ctx, view)
	if state.Complete = complete; err != nil || model == 0 || !unit(q) {
		return nil, state, err // cosines with a vector that lacks unit length have no meaning
	}
	n := nearFetch * opt.Limit
	matches, err := x.fromMemory(ctx, view, model, q, filter, n, &state)
	if err != nil {
		return nil, state, err
	}
	if !state.Loaded {
		if matches, err = x.fromDatabase(ctx, view, model, q, filter, n, &state); err != nil || state.Skipped {
			return nil, state, err
		}
	}
	hits, err := x.hitsOf(ctx, view, matches, filter)
	if err == nil && len(hits) < opt.Limit && filter.narrow() {
		hits, err = x.nearAmong(ctx, view, model, q, filter, n)
	}
	return cutHits(hits, opt.Limit), state, err
}

// unit reports whether q has roughly unit length, without which cosines have no meaning. A text
// without words has a vector of zeros, and a broken embedder may return NaN.
func unit(q []float32) bool {
	sum := 0.0
	for _, x := range q {
		sum += float64(x) * float64(x)
	}
	return sum > 0.5 && sum < 2
}

// narrow reports whether f may exclude many files. The nearest vectors of all may then include too
// few that pass, and the files that pass need a search of their own.
func (c *filter) narrow() bool { return c.onPath() || c.classMask() != 1<<len(classes)-1 }

// fromMemory returns the n vectors in memory that are nearest to q, and drops those of them whose class f
// excludes. It sets state.Loaded if vectors are in memory and up to date, and returns no matches otherwise, nor while
// they are being read for the first time.
func (x *Index) fromMemory(ctx context.Context, v *store.View, model int64, q []float32, f *filter, n int,
	state *NearState) ([]vector.Match, error) {
	m := &x.memory
	if m.filling.Load() {
		return nil, nil // the caller decides how long it waits for them
	}
	if err := x.freshen(ctx, v, model); err != nil {
		return nil, err
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	s, err := readState(ctx, v)
	if err != nil || !m.holds(s.database, model) || m.version != s.version {
		return nil, err
	}
	state.Loaded = true
	m.unload.Reset(idleVectors)
	all, err := m.store.Near(ctx, q, n)
	mask := f.classMask()
	return slices.DeleteFunc(all, func(a vector.Match) bool { return mask>>(a.ID&(1<<classBits-1))&1 == 0 }), err
}

// freshen reads into memory the vectors written since the last question. It does nothing if there
// are more than inlineLoad files with such vectors, or if no vectors are in memory yet.
func (x *Index) freshen(ctx context.Context, view *store.View, model int64) error {
	m := &x.memory
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.holds(view.Database(), model) {
		return nil
	}
	s, err := readState(ctx, view)
	if err != nil || s.generation < m.generation {
		return err // view is an older snapshot
	}
	var n int
	_, err = view.QueryRow(ctx, `SELECT count(*) FROM (SELECT 1 FROM l1_vectors INDEXED BY l1_vectors_new
		WHERE model=? AND generation>? LIMIT ?)`, []any{model, m.generation, inlineLoad + 1}, &n)
	if err != nil || n > inlineLoad {
		return err
	}
	return x.load(ctx, view, model)
}

// fromDatabase scans every vector in the database, or sets state.Skipped if
// there are more than Options.ScanLimit. Reading the rows takes most of the
// time.
func (x *Index) fromDatabase(ctx context.Context, v *store.View, model int64, q []float32, f *filter, n int,
	state *NearState) ([]vector.Match, error) {
	var total int
	if _, err := v.QueryRow(ctx,
		"SELECT coalesce(sum(vectors), 0) FROM l1_vectors INDEXED BY l1_vectors_new WHERE model=?", []any{model},
		&total); err != nil {
		return nil, err
	}
	if total > x.scan {
		state.Skipped = true
		return nil, nil
	}
	s := &scan{q: q, n: n, mask: f.classMask(), records: vector.Records{Dimensions: len(q)}}
	err := s.run(ctx, v,
		"SELECT l.base, c.class, l.data FROM l1_vectors l JOIN l1_chunks c ON c.base = l.base WHERE l.model = ?", model)
	return s.best(), err
}

// nearAmong scans all vectors of the files that pass f.
func (x *Index) nearAmong(ctx context.Context, view *store.View, model int64, q []float32, f *filter,
	n int) ([]Hit, error) {
	files, err := indexedFiles(ctx, view, f)
	if err != nil {
		return nil, err
	}
	ids := make([]int64, len(files))
	for i := range files {
		ids[i] = vectorID(files[i].FileID, model)
	}
	s := &scan{q: q, n: n, mask: f.classMask(), records: vector.Records{Dimensions: len(q)}}
	if f.kinds != 0 {
		s.n *= 8
	}
	err = s.run(ctx, view, `SELECT l.base, c.class, l.data FROM json_each(?) j
		JOIN l1_vectors l ON l.id = j.value JOIN l1_chunks c ON c.base = l.base`, jsonArray(ids))
	if err != nil {
		return nil, err
	}
	return x.hitsOf(ctx, view, s.best(), f)
}

// scan reads vectors from the database and keeps the n nearest.
type scan struct {
	q       []float32
	n, mask int
	records vector.Records
	found   []vector.Match
	least   float64 // matches with a smaller cosine are dropped
}

// run scans the rows of a query that returns base, class and packed vectors.
func (s *scan) run(ctx context.Context, v *store.View, query string, arg any) error {
	s.least = math.Inf(-1)
	rows, err := v.Query(ctx, query, arg)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var base int64
		var class int
		if err := rows.Scan(&base, &class, &s.records.Data); err != nil {
			return err
		}
		if s.mask>>class&1 == 0 {
			continue
		}
		for i := range s.records.Len() {
			if !s.records.Has(i) {
				continue
			}
			if cos := float64(s.records.Dot(i, s.q)); cos >= s.least {
				s.keep(vector.Match{ID: rowID(base+int64(i), class), Cosine: cos})
			}
		}
	}
	return rows.Err()
}

// keep adds m. Once the list has 2n matches, it cuts the list to the best n.
func (s *scan) keep(m vector.Match) {
	if s.found = append(s.found, m); len(s.found) < 2*s.n {
		return
	}
	vector.SortMatches(s.found)
	s.found = s.found[:s.n]
	s.least = s.found[s.n-1].Cosine
}

// best returns the n nearest vectors of those scanned, best first.
func (s *scan) best() []vector.Match {
	vector.SortMatches(s.found)
	return s.found[:min(s.n, len(s.found))]
}

// hitsOf looks up the files and lines of matches and returns them as hits, best first. It drops
// matches that f excludes, and those whose file is gone.
func (x *Index) hitsOf(ctx context.Context, v *store.View, matches []vector.Match, f *filter) ([]Hit, error) {
	byID := slices.Clone(matches)
	slices.SortFunc(byID, func(a, b vector.Match) int { return cmp.Compare(a.ID, b.ID) })
	seqs := make([]int64, len(byID))
	for i, m := range byID {
		seqs[i] = m.ID >> classBits
	}
	files, err := readFiles(ctx, v, seqs, f)
	if err != nil {
		return nil, err
	}
	hits := make([]Hit, 0, len(matches))
	gone := 0
	for i, m := range byID {
		file := holder(&files, seqs[i])
		if file == nil {
			gone++
			continue
		}
		if c := file.chunks[seqs[i]-file.base]; file.passes && (f.kinds == 0 || c.kinds&f.kinds != 0) {
			hits = append(hits, file.at(c, m.Cosine))
		}
	}
	if gone > 0 {
		x.memory.mu.Lock()
		x.memory.gone += gone
		x.memory.mu.Unlock()
	}
	slices.SortStableFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Path, b.Path), cmp.Compare(a.StartLine, b.StartLine))
	})
	return hits, nil
}

// holds reports whether the chunk with the sequence number seq belongs to the file.
func (f *fileChunks) holds(seq int64) bool {
	return seq >= f.base && seq < f.base+int64(len(f.chunks))
}

// Place identifies a chunk by its file, first line and owning symbol.
type Place struct {
	FileID            int64
	StartLine, Symbol int
}

// Cosines returns the cosine of q with the chunks at places, which other
// searches found. Chunks without a vector are missing in the result.
func (x *Index) Cosines(ctx context.Context, view *store.View, q []float32, places []Place) (map[Place]float64, error) {
	out := map[Place]float64{}
	model, _, err := x.model(ctx, view)
	if err != nil || model == 0 || !unit(q) {
		return out, err
	}
	byFile := map[int64][]Place{}
	var ids []int64
	for _, p := range places {
		if byFile[p.FileID] == nil {
			ids = append(ids, vectorID(p.FileID, model))
		}
		byFile[p.FileID] = append(byFile[p.FileID], p)
	}
	rows, err := view.Query(ctx, `SELECT c.file_id, c.count, c.data, l.data FROM json_each(?) j
		JOIN l1_vectors l ON l.id = j.value JOIN l1_chunks c ON c.base = l.base`, jsonArray(ids))
	if err != nil {
		return nil, fmt.Errorf("read vectors: %w", err)
	}
	defer rows.Close()
	records := vector.Records{Dimensions: len(q)}
	for rows.Next() {
		var file int64
		var count int
		var packed []byte
		if err := rows.Scan(&file, &count, &packed, &records.Data); err != nil {
			return nil, fmt.Errorf("read vectors: %w", err)
		}
		if records.Len() != count {
			continue
		}
		chunks, err := unpackChunks(packed, count)
		if err != nil {
			return nil, err
		}
		for i, c := range chunks {
			p := Place{file, c.first, c.symbol}
			if slices.Contains(byFile[file], p) && records.Has(i) {
				out[p] = float64(records.Dot(i, q))
			}
		}
	}
	return out, rows.Err()
}
