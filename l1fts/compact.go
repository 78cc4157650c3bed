package l1fts

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"
	"slices"

	"sextant/internal/store"
)

// spareSegments is the number of segments allowed beyond the number that full
// segments would need. If there are more, two are joined: each segment costs a
// query some 0.2 ms.
const spareSegments = 8

// segmentCount is the number of segments, and the id of the latest one. Both are as before if no segment was written
// or joined since.
type segmentCount struct{ number, last int64 }

// compact joins the two segments with the fewest files if there are too many segments, unless the two have too
// many files for one. Small segments arise because a file that is written again leaves its old segment, and
// because Merge writes small ones.
func (x *Index) compact(ctx context.Context, tx *store.Tx) error {
	var now segmentCount
	if _, err := tx.QueryRow(ctx, "SELECT count(*), coalesce(max(id), 0) FROM l1_gram_segments", nil, &now.number,
		&now.last); err != nil {
		return err
	}
	if now == x.upkeep.compacted {
		return nil
	}
	var files int64
	if _, err := tx.QueryRow(ctx, "SELECT count(*) FROM l1_gram_files", nil, &files); err != nil {
		return err
	}
	if now.number <= files/segmentFiles+spareSegments {
		x.upkeep.compacted = now
		return nil
	}
	live, err := liveFiles(ctx, &tx.View)
	if err != nil || len(live) < 2 {
		return err
	}
	slices.SortFunc(live, func(a, b liveSegment) int {
		return cmp.Or(cmp.Compare(len(a.files), len(b.files)), cmp.Compare(a.id, b.id))
	})
	a, b := live[0], live[1]
	if len(a.files)+len(b.files) > segmentFiles {
		return nil
	}
	// Each file belongs to one segment, so ids has no duplicates.
	ids := slices.Concat(a.files, b.files)
	slices.Sort(ids)
	lists := map[gram][]uint16{}
	for _, s := range []liveSegment{a, b} {
		if err := s.remap(ctx, &tx.View, ids, lists); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "DELETE FROM l1_grams WHERE id >= ? AND id < ?", s.id<<gramBits, (s.id+1)<<gramBits)
		if err == nil {
			_, err = tx.Exec(ctx, "DELETE FROM l1_gram_segments WHERE id=?", s.id)
		}
		if err != nil {
			return err
		}
	}
	postings := make([]posting, 0, len(lists))
	for g, list := range lists {
		slices.Sort(list)
		postings = append(postings, posting{g, list})
	}
	slices.SortFunc(postings, func(a, b posting) int { return cmp.Compare(a.gram, b.gram) })
	return writeSegment(ctx, tx, ids, postings)
}

// liveSegment is a segment with the files that still belong to it.
type liveSegment struct {
	segment
	files []int64 // ascending
}

// liveFiles returns all segments, each with the files that still belong to it.
func liveFiles(ctx context.Context, v *store.View) ([]liveSegment, error) {
	segments, err := readSegments(ctx, v)
	if err != nil {
		return nil, err
	}
	at := map[int64]int{}
	live := make([]liveSegment, len(segments))
	for i, s := range segments {
		live[i].segment, at[s.id] = s, i
	}
	rows, err := v.Query(ctx, "SELECT file_id, segment FROM l1_gram_files WHERE segment > 0 ORDER BY file_id")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id, segment int64
		if err := rows.Scan(&id, &segment); err != nil {
			return nil, err
		}
		i, ok := at[segment]
		if !ok {
			return nil, fmt.Errorf("file %d is in segment %d, which is missing", id, segment)
		}
		live[i].files = append(live[i].files, id)
	}
	return live, rows.Err()
}

// remap adds the postings of s to lists. Each file that still belongs to s gets a new ordinal,
// its number within the segment: the file's index in ids. remap drops other files.
func (s liveSegment) remap(ctx context.Context, v *store.View, ids []int64, lists map[gram][]uint16) error {
	all, err := unpackIDs(s.packed)
	if err != nil {
		return err
	}
	to := make([]int, len(all)) // new ordinal, -1 for files that have left the segment
	for i, id := range all {
		to[i] = -1
		if _, ok := slices.BinarySearch(s.files, id); ok {
			to[i], _ = slices.BinarySearch(ids, id)
		}
	}
	rows, err := v.Query(ctx, "SELECT id, ordinals FROM l1_grams WHERE id >= ? AND id < ?", s.id<<gramBits,
		(s.id+1)<<gramBits)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var key int64
		var data []byte
		if err := rows.Scan(&key, &data); err != nil {
			return err
		}
		set, err := unpackOrdinals(data)
		if err != nil {
			return err
		}
		g := gram(key & (gramCount - 1))
		for w, word := range set {
			for ; word != 0; word &= word - 1 {
				if o := w<<6 + bits.TrailingZeros64(word); o < len(to) && to[o] >= 0 {
					lists[g] = append(lists[g], uint16(to[o]))
				}
			}
		}
	}
	return rows.Err()
}
