package l1fts

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"sextant/internal/store"
)

// segmentFiles is the number of files in a full segment of the gram index. The set of files that
// contain a gram then takes 512 bytes in memory, a bit per file. Inverting the grams of so many
// files takes some 0.4 s.
const segmentFiles = 4096

// ordinals is a set of files of one segment. Bit n is set for the file with the ordinal n, its
// number within the segment.
type ordinals [segmentFiles / 64]uint64

// writeGrams stores the grams of a file as pending, not yet in a segment. When there are enough
// pending files, it folds them into a segment.
func (x *Index) writeGrams(ctx context.Context, tx *store.Tx, fileID int64, grams []byte) error {
	if _, err := tx.Exec(ctx, "DELETE FROM l1_gram_files WHERE file_id=?", fileID); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, "INSERT INTO l1_gram_files(file_id, segment, grams) VALUES(?,0,?)", fileID,
		grams); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, "UPDATE l1_state SET pending=pending+1 WHERE id=1"); err != nil {
		return err
	}
	var n int
	if _, err := tx.QueryRow(ctx, "SELECT pending FROM l1_state WHERE id=1", nil, &n); err != nil || n < segmentFiles {
		return err
	}
	return x.foldPending(ctx, tx, segmentFiles/2)
}

// foldPending turns the pending files into one segment if there are at least atLeast of them.
// Instead of one set of grams per file, the index then has one list of files per gram.
func (x *Index) foldPending(ctx context.Context, tx *store.Tx, atLeast int) error {
	ids, sets, err := pendingGrams(ctx, &tx.View, segmentFiles)
	if err != nil {
		return err
	}
	// The counter counts a file again each time it is written. Replace it by the number of files.
	left := len(ids)
	if left >= atLeast {
		left = 0
	}
	if _, err := tx.Exec(ctx, "UPDATE l1_state SET pending=? WHERE id=1", left); err != nil || left > 0 ||
		len(ids) == 0 {
		return err
	}
	postings, err := invert(sets)
	if err != nil {
		return err
	}
	return writeSegment(ctx, tx, ids, postings)
}

// pendingGrams returns the ids and packed grams of at most limit pending files.
func pendingGrams(ctx context.Context, v *store.View, limit int) (ids []int64, sets [][]byte, err error) {
	rows, err := v.Query(ctx, "SELECT file_id, grams FROM l1_gram_files WHERE segment=0 ORDER BY file_id LIMIT ?",
		limit)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var set []byte
		if err := rows.Scan(&id, &set); err != nil {
			return nil, nil, err
		}
		ids, sets = append(ids, id), append(sets, set)
	}
	return ids, sets, rows.Err()
}

// posting lists the files that contain a gram, by their ordinals (numbers within a segment),
// ascending.
type posting struct {
	gram     gram
	ordinals []uint16
}

// invert turns the lists of the grams of each file into lists of the files of each gram, with a
// counting sort.
func invert(sets [][]byte) ([]posting, error) {
	starts := make([]uint32, gramCount+1)
	for _, set := range sets {
		if err := eachGram(set, func(g gram) bool { starts[g+1]++; return true }); err != nil {
			return nil, err
		}
	}
	distinct := 0
	for g := 1; g <= gramCount; g++ {
		if starts[g] > 0 {
			distinct++
		}
		starts[g] += starts[g-1]
	}
	all := make([]uint16, starts[gramCount])
	next := slices.Clone(starts[:gramCount])
	for i, set := range sets {
		if err := eachGram(set, func(g gram) bool {
			all[next[g]] = uint16(i)
			next[g]++
			return true
		}); err != nil {
			return nil, err
		}
	}
	out := make([]posting, 0, distinct)
	for g := range gram(gramCount) {
		if starts[g] < starts[g+1] {
			out = append(out, posting{g, all[starts[g]:starts[g+1]]})
		}
	}
	return out, nil
}

// writeSegment writes a new segment of the files ids, which are then no longer
// pending.
func writeSegment(ctx context.Context, tx *store.Tx, ids []int64, postings []posting) error {
	var segment int64
	if _, err := tx.QueryRow(ctx, "SELECT coalesce(max(id), 0)+1 FROM l1_gram_segments", nil, &segment); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, "INSERT INTO l1_gram_segments(id, files) VALUES(?,?)", segment,
		packIDs(ids)); err != nil {
		return err
	}
	var blob []byte
	for _, p := range postings {
		blob = packOrdinals(blob[:0], p.ordinals)
		if _, err := tx.Exec(ctx, "INSERT INTO l1_grams(id, ordinals) VALUES(?,?)", segment<<gramBits|int64(p.gram),
			blob); err != nil {
			return err
		}
	}
	for _, id := range ids {
		if _, err := tx.Exec(ctx, "UPDATE l1_gram_files SET segment=?, grams=NULL WHERE file_id=?", segment,
			id); err != nil {
			return err
		}
	}
	return nil
}

// packIDs encodes ascending ids as uvarint differences.
func packIDs(ids []int64) (out []byte) {
	prev := int64(0)
	for _, id := range ids {
		out = binary.AppendUvarint(out, uint64(id-prev))
		prev = id
	}
	return out
}

func unpackIDs(data []byte) (ids []int64, err error) {
	prev := int64(0)
	for len(data) > 0 {
		d, n := binary.Uvarint(data)
		if n <= 0 {
			return nil, fmt.Errorf("packed file ids are damaged")
		}
		prev, data = prev+int64(d), data[n:]
		ids = append(ids, prev)
	}
	return ids, nil
}

// These constants are the first byte of a packed set of ordinals, which gives the form of the
// rest: a list of the differences of the ordinals as uvarints, or a bitmap. The shorter form is
// used.
const (
	formList   = 0
	formBitmap = 1
)

// packOrdinals appends ascending ordinals to out, packed as a list or a bitmap, whichever is
// shorter.
func packOrdinals(out []byte, list []uint16) []byte {
	out = append(out, formList)
	prev := uint16(0)
	for _, o := range list {
		out = binary.AppendUvarint(out, uint64(o-prev))
		prev = o
	}
	if len(out) <= segmentFiles/8 {
		return out
	}
	var set ordinals
	for _, o := range list {
		set[o>>6] |= 1 << (o & 63)
	}
	out = append(out[:0], formBitmap)
	for _, w := range set {
		out = binary.LittleEndian.AppendUint64(out, w)
	}
	return out
}

// unpackOrdinals decodes a set packed by packOrdinals.
func unpackOrdinals(data []byte) (set ordinals, err error) {
	damaged := fmt.Errorf("packed ordinals are damaged")
	if len(data) == 0 {
		return set, damaged
	}
	form, data := data[0], data[1:]
	if form == formBitmap {
		if len(data) != segmentFiles/8 {
			return set, damaged
		}
		for i := range set {
			set[i] = binary.LittleEndian.Uint64(data[8*i:])
		}
		return set, nil
	}
	at := uint64(0)
	for len(data) > 0 {
		d, n := binary.Uvarint(data)
		if n <= 0 || at+d >= segmentFiles {
			return set, damaged
		}
		at, data = at+d, data[n:]
		set[at>>6] |= 1 << (at & 63)
	}
	return set, nil
}
