package l1fts

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"sextant/internal/code"
	"sextant/internal/store"
)

// SearchOptions configures Search and Near. The zero value works.
type SearchOptions struct {
	Limit  int // largest number of hits; 0 means 50
	Filter Filter
}

// Hit is one matching chunk.
type Hit struct {
	FileID             int64
	Path               string // relative to the root
	Language           string
	Class              code.Class
	StartLine, EndLine int // 1-based, inclusive; a class's chunk spans methods that have chunks of their own
	Symbol             int // the owner's index in code.File.Symbols, -1 when no symbol owns the lines
	Weight             int // static importance, 0 to 3: most for the first chunk of an exported function
	// BM25 over the weighted columns, higher is better; only scores of one answer are comparable
	Score float64
}

// Stats describes how an answer was computed.
type Stats struct {
	Terms  []Term // rarest first
	Chunks int64  // number of chunks in the index
}

// Search returns the chunks that contain the words of q and pass its conditions
// on files and kinds, best first; ties are ordered by path and line. It ignores
// the exhaustive operators: see Candidates. For a query without words it lists
// the chunks that pass, by static importance.
func (x *Index) Search(ctx context.Context, v *store.View, q Query, opt SearchOptions) ([]Hit, Stats, error) {
	if opt.Limit <= 0 {
		opt.Limit = 50
	}
	hits, stats, err := x.search(ctx, v, q, opt)
	if err != nil {
		return nil, stats, fmt.Errorf("search words: %w", err)
	}
	return hits, stats, nil
}

// search does the work of Search. opt.Limit is more than 0.
func (x *Index) search(ctx context.Context, view *store.View, q Query, opt SearchOptions) ([]Hit, Stats, error) {
	filter, err := newFilter(opt.Filter, q)
	if err != nil {
		return nil, Stats{}, err
	}
	if q.Text == "" {
		hits, err := x.list(ctx, view, filter, opt.Limit)
		return hits, Stats{}, err
	}
	s, err := readState(ctx, view)
	if err != nil {
		return nil, Stats{}, err
	}
	p, err := x.plan(ctx, view, s, q.Text)
	stats := Stats{Terms: p.terms, Chunks: s.chunks}
	if err != nil || p.candidates == "" {
		return nil, stats, err
	}
	hits, err := x.ranked(ctx, view, p, filter, opt.Limit)
	if err != nil || len(hits) > 0 || !p.common || len(p.terms) == 1 {
		return hits, stats, err
	}
	// No chunk contains all of the common words, so search only for the rarest word, in names and
	// signatures.
	p.candidates = "{name signature} : " + quote(firstFound(p.terms))
	hits, err = x.ranked(ctx, view, p, filter, opt.Limit)
	return hits, stats, err
}

// firstFound returns the first word of terms, which are sorted from rare to
// common, that occurs in the index, "" if none does.
func firstFound(terms []Term) string {
	for _, t := range terms {
		if t.Frequency > 0 {
			return t.Word
		}
	}
	return ""
}

// row is the row id and score of one matching chunk.
type row struct {
	id    int64
	score float64
}

// ranked runs the plan p and returns up to limit hits that pass f, best first.
// While too few pass, it repeats the query and fetches more rows.
func (x *Index) ranked(ctx context.Context, v *store.View, p plan, f *filter, limit int) ([]Hit, error) {
	depth := 3 * limit
	if f.onPath() {
		depth = 8 * limit
	}
	for {
		rows, more, err := x.rows(ctx, v, p, f, depth)
		if err != nil {
			return nil, err
		}
		hits, err := x.resolve(ctx, v, rows, f)
		if err != nil {
			return nil, err
		}
		if len(hits) >= limit || !more {
			x.order(hits, p.common)
			return cutHits(hits, limit), nil
		}
		depth *= 8
	}
}

func cutHits(hits []Hit, n int) []Hit { return hits[:min(n, len(hits))] }

// order sorts hits best first. common reports that all words of the query are common. Their
// scores then mean little, so static importance has priority over the score.
func (x *Index) order(hits []Hit, common bool) {
	slices.SortStableFunc(hits, func(a, b Hit) int {
		if common {
			if c := cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(len(a.Path)/16, len(b.Path)/16)); c != 0 {
				return c
			}
		}
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Path, b.Path), cmp.Compare(a.StartLine, b.StartLine))
	})
}

// rankedRows selects the rows that match an FTS5 expression, best first. The
// numbers weight the columns name, signature, path and body. The inner limit
// bounds the rows that are scored. Ordering by bm25() costs 0.7 times as much
// as ordering by FTS5's column rank.
const rankedRows = `SELECT id, score FROM (
	SELECT rowid AS id, -bm25(l1_fts, 8.0, 3.0, 1.0, 2.0) AS score FROM l1_fts WHERE l1_fts MATCH ? AND (? >> (rowid & 7)) & 1 LIMIT ?)
	ORDER BY score DESC, id LIMIT ?`

// newestRows is like rankedRows, but the inner limit keeps the rows that were written last. A query whose
// words are all common may match more rows than can be scored. Those of the files that are being edited must
// not be the ones left out.
const newestRows = `SELECT id, score FROM (
	SELECT rowid AS id, -bm25(l1_fts, 8.0, 3.0, 1.0, 2.0) AS score FROM l1_fts WHERE l1_fts MATCH ? AND (? >> (rowid & 7)) & 1
	ORDER BY rowid DESC LIMIT ?) ORDER BY score DESC, id LIMIT ?`

// commonRows is the number of rows that are scored for a query whose words are all common, as a multiple of
// Options.Postings. In a Java project a word of the packages' names is in the path of every chunk.
const commonRows = 4

// rows returns the best rows that match p and whose class passes f, best first: up to depth, without those
// at the end whose score equal ones beyond depth have, too. The order of equal rows is that of the edits, so
// which of them are kept must not depend on it. more reports whether there are further rows.
func (x *Index) rows(ctx context.Context, v *store.View, p plan, f *filter, depth int) (out []row, more bool,
	err error) {
	query, bound := rankedRows, x.postings+x.postings/4 // frequencies are estimates
	if p.common {
		query, bound = newestRows, commonRows*x.postings
	}
	best := map[int64]float64{}
	// Rank the rows that also contain common words first. If they are enough, the other rows are
	// not read, because they would hardly rank among them.
	for _, match := range []string{p.boost, p.candidates} {
		if match == "" || more {
			continue
		}
		var found []row
		if found, more, err = matching(ctx, v, query, depth, match, f.classMask(), bound); err != nil {
			return nil, false, err
		}
		for _, r := range found {
			best[r.id] = max(best[r.id], r.score)
		}
	}
	for id, score := range best {
		out = append(out, row{id, score})
	}
	slices.SortFunc(out, func(a, b row) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.id, b.id)) })
	out, cut := cutRows(out, depth)
	return out, more || cut, nil
}

// matching returns up to depth rows of a query, best first, cut as cutRows does. args are those of the query
// without its limit.
func matching(ctx context.Context, v *store.View, query string, depth int, args ...any) (found []row, more bool,
	err error) {
	rows, err := v.Query(ctx, query, append(args, depth+1)...)
	if err != nil {
		return nil, false, err
	}
	defer rows.Close()
	for rows.Next() {
		var r row
		if err := rows.Scan(&r.id, &r.score); err != nil {
			return nil, false, err
		}
		found = append(found, r)
	}
	found, more = cutRows(found, depth)
	return found, more, rows.Err()
}

// cutRows returns the rows, which are sorted by score, up to depth, without those at the end that score as
// the first row beyond does. It reports whether it removed any.
func cutRows(rows []row, depth int) ([]row, bool) {
	if len(rows) <= depth {
		return rows, false
	}
	n := depth
	for n > 0 && rows[n-1].score == rows[depth].score {
		n--
	}
	return rows[:n], true
}

// fileChunks holds the chunks of one file, and a Hit with the fields that describe the file, such
// as its path.
type fileChunks struct {
	base   int64
	hit    Hit // a hit with only the fields of the file set
	chunks []chunkInfo
	passes bool
}

// filesOfSeqs finds, in one query, the files that own the chunks with the given
// sequence numbers. One query per chunk took a tenth of the time of a search.
const filesOfSeqs = `SELECT c.base, c.count, c.data, f.id, f.path, f.language, f.class
	FROM l1_chunks c JOIN files f ON f.id = c.file_id WHERE c.base IN
	(SELECT (SELECT base FROM l1_chunks WHERE base <= j.value ORDER BY base DESC LIMIT 1) FROM json_each(?) j)
	ORDER BY c.base`

// resolve looks up the files and lines of rows and returns them as hits. It drops rows that f
// excludes.
func (x *Index) resolve(ctx context.Context, v *store.View, rows []row, f *filter) ([]Hit, error) {
	byID := slices.Clone(rows)
	slices.SortFunc(byID, func(a, b row) int { return cmp.Compare(a.id, b.id) })
	seqs := make([]int64, len(byID))
	for i, r := range byID {
		seqs[i] = r.id >> classBits
	}
	files, err := readFiles(ctx, v, seqs, f)
	if err != nil {
		return nil, err
	}
	hits := make([]Hit, 0, len(rows))
	for i, r := range byID {
		file := holder(&files, seqs[i])
		if file == nil {
			return nil, fmt.Errorf("row %d belongs to no file", r.id)
		}
		if c := file.chunks[seqs[i]-file.base]; file.passes && (f.kinds == 0 || c.kinds&f.kinds != 0) {
			hits = append(hits, file.at(c, r.score))
		}
	}
	return hits, nil
}

// readFiles returns the files that own the chunks with the sequence numbers seqs, ordered by base.
// It may also return files that own none of these chunks.
func readFiles(ctx context.Context, v *store.View, seqs []int64, f *filter) (files []fileChunks, err error) {
	rows, err := v.Query(ctx, filesOfSeqs, jsonArray(seqs))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var file fileChunks
		if err := file.scan(rows.Scan, f); err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, rows.Err()
}

// holder returns the file that owns the chunk with the sequence number seq, or nil if no file does.
// files is ordered by base. holder removes the files before the result from the list, so a later
// call must not pass a smaller seq.
func holder(files *[]fileChunks, seq int64) *fileChunks {
	for len(*files) > 0 {
		if file := &(*files)[0]; seq < file.base+int64(len(file.chunks)) {
			if file.holds(seq) {
				return file
			}
			return nil
		}
		*files = (*files)[1:]
	}
	return nil
}

// at returns the hit for chunk c of the file, with the given score.
func (f *fileChunks) at(c chunkInfo, score float64) Hit {
	h := f.hit
	h.StartLine, h.EndLine, h.Symbol, h.Weight, h.Score = c.first, c.last, c.symbol, c.weight, score
	return h
}

// scan reads the columns of filesOfSeqs and chunksOfFile into f.
func (f *fileChunks) scan(scan func(...any) error, by *filter) (err error) {
	var count int
	var data []byte
	var class string
	h := &f.hit
	if err := scan(&f.base, &count, &data, &h.FileID, &h.Path, &h.Language, &class); err != nil {
		return err
	}
	h.Class = code.Class(class)
	f.passes = by.passes(h.Path, h.Language, h.Class)
	f.chunks, err = unpackChunks(data, count)
	return err
}

// readFile returns the chunks of a file, and whether the file passes f. The
// result is zero if there is no such file.
func readFile(ctx context.Context, v *store.View, id int64, f *filter) (file fileChunks, err error) {
	rows, err := v.Query(ctx, chunksOfFile, id)
	if err != nil {
		return file, err
	}
	defer rows.Close()
	if rows.Next() {
		err = file.scan(rows.Scan, f)
	}
	return file, cmp.Or(err, rows.Err())
}

const (
	chunksOfFile = `SELECT c.base, c.count, c.data, f.id, f.path, f.language, f.class
	FROM l1_chunks c JOIN files f ON f.id = c.file_id WHERE c.file_id = ?`
	// maxListed is the largest number of files that are read at once for a query without words.
	// More are read while there are fewer hits than the query asks for.
	maxListed = 200
)

// list answers a query without words: it returns chunks of the files with the
// shortest paths, most important first.
func (x *Index) list(ctx context.Context, v *store.View, f *filter, limit int) ([]Hit, error) {
	files, err := indexedFiles(ctx, v, f)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(files, func(a, b Candidate) int { return cmp.Compare(len(a.Path), len(b.Path)) })
	var hits []Hit
	for i, file := range files {
		if i >= maxListed && len(hits) >= limit {
			break
		}
		chunks, err := readFile(ctx, v, file.FileID, f)
		if err != nil {
			return nil, err
		}
		for _, c := range chunks.chunks {
			if f.kinds == 0 || c.kinds&f.kinds != 0 {
				hits = append(hits, chunks.at(c, 0))
			}
		}
	}
	x.order(hits, true)
	return cutHits(hits, limit), nil
}
