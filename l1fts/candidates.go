package l1fts

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"sextant/internal/code"
	"sextant/internal/store"
)

// Candidate is a file that may match a query. Only its text, which was not read yet, tells
// whether it does.
type Candidate struct {
	FileID   int64
	Path     string // relative to the root
	Language string
	Class    code.Class
}

// Candidates returns the files that pass the conditions of q and f and whose text may match the
// operators must: and regex: of q, in order of path. The result contains all files that match,
// and some that do not; use Matcher to decide. If no must: or regex: of q requires three
// neighbouring characters, all files that pass are candidates.
func (x *Index) Candidates(ctx context.Context, v *store.View, q Query, f Filter) ([]Candidate, error) {
	filter, err := newFilter(f, q)
	if err != nil {
		return nil, fmt.Errorf("find candidates: %w", err)
	}
	cond := gramsOfQuery(q)
	var out []Candidate
	switch cond.op {
	case matchNone:
	case matchAll:
		out, err = indexedFiles(ctx, v, filter)
	default:
		err = eachHolding(ctx, v, cond, func(segment int64, ids []int64) (bool, error) {
			out, err = appendFiles(ctx, v, out, segment, ids, filter)
			return err == nil, err
		})
	}
	if err != nil {
		return nil, fmt.Errorf("find candidates: %w", err)
	}
	sortByPath(out)
	return out, nil
}

func sortByPath(list []Candidate) {
	slices.SortFunc(list, func(a, b Candidate) int { return cmp.Compare(a.Path, b.Path) })
}

// looseHolding bounds the files that Holding looks up, as a multiple of the files that it may
// return. It is more than 1 because some of them do not pass the filter.
const looseHolding = 8

// Holding returns the files that pass f and q's conditions on files and whose
// text may contain literal in any mix of upper and lower case, in order of
// path. If there are more than most of them, or if the literal is too short to
// be looked up, it returns no files and few = false.
func (x *Index) Holding(ctx context.Context, view *store.View, literal string, q Query, f Filter,
	most int) (files []Candidate, few bool, err error) {
	filter, err := newFilter(f, q)
	cond := gramsOfQuery(Query{Must: []string{literal}})
	if err != nil || cond.op == matchAll {
		return nil, false, err
	}
	looked := 0
	few = true
	err = eachHolding(ctx, view, cond, func(segment int64, ids []int64) (bool, error) {
		if looked += len(ids); looked > looseHolding*most {
			few = false
			return false, nil
		}
		var err error
		files, err = appendFiles(ctx, view, files, segment, ids, filter)
		few = len(files) <= most
		return few && err == nil, err
	})
	if err != nil {
		return nil, false, fmt.Errorf("find what holds %q: %w", literal, err)
	}
	if !few {
		return nil, false, nil
	}
	sortByPath(files)
	return files, true, nil
}

// eachHolding calls fn with the ids of the files that satisfy cond, one segment at a time, until fn
// returns false. The last call is for segment 0, the pending files that are not yet in a segment.
func eachHolding(ctx context.Context, view *store.View, cond *gramCond,
	fn func(segment int64, ids []int64) (bool, error)) error {
	segments, err := readSegments(ctx, view)
	if err != nil {
		return err
	}
	wanted := cond.grams(nil)
	slices.Sort(wanted)
	wanted = slices.Compact(wanted)
	for _, s := range segments {
		ids, err := s.find(ctx, view, cond, wanted)
		if err != nil {
			return err
		}
		if on, err := fn(s.id, ids); err != nil || !on {
			return err
		}
	}
	ids, err := findPending(ctx, view, cond, wanted)
	if err == nil {
		_, err = fn(0, ids)
	}
	return err
}

// appendFiles appends to out the files with the given ids that pass the filter and still belong to
// the segment. A file that was written again after the segment is pending or in a later segment.
func appendFiles(ctx context.Context, v *store.View, out []Candidate, segment int64, ids []int64,
	f *filter) ([]Candidate, error) {
	if len(ids) == 0 {
		return out, nil
	}
	rows, err := v.Query(ctx, `SELECT f.id, f.path, f.language, f.class FROM json_each(?) j
		JOIN l1_gram_files g ON g.file_id = j.value JOIN files f ON f.id = j.value WHERE g.segment = ?`, jsonArray(ids), segment)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var c Candidate
		var class string
		if err := rows.Scan(&c.FileID, &c.Path, &c.Language, &class); err != nil {
			return nil, err
		}
		if c.Class = code.Class(class); f.passes(c.Path, c.Language, c.Class) {
			out = append(out, c)
		}
	}
	return out, rows.Err()
}

// jsonArray encodes ids as a JSON array. SQLite's json_each reads it, so one constant SQL statement
// serves any number of ids.
func jsonArray(ids []int64) string {
	b := []byte{'['}
	for i, id := range ids {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, id, 10)
	}
	return string(append(b, ']'))
}

// segment is one part of the gram index (see gram): the postings of at most segmentFiles files.
type segment struct {
	id     int64
	packed []byte // ids of the segment's files in order of their ordinals; see packIDs
}

// readSegments returns all segments of the gram index, by id.
func readSegments(ctx context.Context, v *store.View) (out []segment, err error) {
	rows, err := v.Query(ctx, "SELECT id, files FROM l1_gram_segments ORDER BY id")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var s segment
		if err := rows.Scan(&s.id, &s.packed); err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, rows.Err()
}

// find returns the ids of the files of s that satisfy cond. wanted lists all grams that cond tests.
func (s segment) find(ctx context.Context, v *store.View, cond *gramCond, wanted []gram) ([]int64, error) {
	keys := make([]int64, len(wanted))
	for i, g := range wanted {
		keys[i] = s.id<<gramBits | int64(g)
	}
	rows, err := v.Query(ctx, "SELECT g.id, g.ordinals FROM json_each(?) j JOIN l1_grams g ON g.id = j.value",
		jsonArray(keys))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	sets := map[gram]*ordinals{}
	for rows.Next() {
		var key int64
		var data []byte
		if err := rows.Scan(&key, &data); err != nil {
			return nil, err
		}
		set, err := unpackOrdinals(data)
		if err != nil {
			return nil, err
		}
		sets[gram(key&(gramCount-1))] = &set
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	found := cond.inSegment(sets)
	files, err := unpackIDs(s.packed)
	ids := files[:0]
	for i, id := range files {
		if found[i>>6]>>(i&63)&1 == 1 {
			ids = append(ids, id)
		}
	}
	return ids, err
}

// findPending returns the ids of the pending files, those not yet in a segment, that satisfy
// cond. wanted lists the grams of cond, ascending.
func findPending(ctx context.Context, v *store.View, cond *gramCond, wanted []gram) (ids []int64, err error) {
	rows, err := v.Query(ctx, "SELECT file_id, grams FROM l1_gram_files WHERE segment=0")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	held := map[gram]bool{}
	for rows.Next() {
		var id int64
		var set []byte
		if err := rows.Scan(&id, &set); err != nil {
			return nil, err
		}
		clear(held)
		next := 0
		if err := eachGram(set, func(g gram) bool {
			for next < len(wanted) && wanted[next] < g {
				next++
			}
			if next < len(wanted) && wanted[next] == g {
				held[g] = true
			}
			return next < len(wanted)
		}); err != nil {
			return nil, err
		}
		if cond.inSet(held) {
			ids = append(ids, id)
		}
	}
	return ids, rows.Err()
}

// AnyPasses reports whether an indexed file passes f and q's conditions on files.
func AnyPasses(ctx context.Context, v *store.View, q Query, f Filter) (bool, error) {
	filter, err := newFilter(f, q)
	if err != nil {
		return false, err
	}
	any := false
	err = eachIndexed(ctx, v, filter, func(Candidate) bool { any = true; return false })
	return any, err
}

// indexedFiles returns the files that pass f, in order of path.
func indexedFiles(ctx context.Context, v *store.View, f *filter) (out []Candidate, err error) {
	err = eachIndexed(ctx, v, f, func(c Candidate) bool { out = append(out, c); return true })
	return out, err
}

// eachIndexed calls fn with the files that pass f, in order of path, until fn
// returns false.
func eachIndexed(ctx context.Context, v *store.View, f *filter, fn func(Candidate) bool) error {
	low, high := f.pathRange()
	rows, err := v.Query(ctx,
		"SELECT id, path, language, class FROM files WHERE skip = '' AND (path >= ? AND path < ? OR path = ?) "+
			"ORDER BY path", low, high, f.Prefix)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var c Candidate
		var class string
		if err := rows.Scan(&c.FileID, &c.Path, &c.Language, &class); err != nil {
			return err
		}
		if c.Class = code.Class(class); f.passes(c.Path, c.Language, c.Class) && !fn(c) {
			return nil
		}
	}
	return rows.Err()
}
