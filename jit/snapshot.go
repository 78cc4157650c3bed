package jit

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"sextant/internal/code"
	"sextant/internal/store"
	"sextant/internal/workspace"
)

// A snapshot is the table in memory encoded as one value of the database, so
// that a new process need not read a row for every file. For 50,000 files,
// reading the rows takes 130 ms of CPU and the snapshot a tenth of that. The
// log changed_paths has the changes since the snapshot.
//
// The value is a sequence of directories. Each is its path, its number of
// files, and per file: base name, size, mtime, ctime, inode, mode, readAt, skip
// reason, and 16 bytes of hash. Numbers are varints, signed for the sizes and
// times. A text is its length followed by its bytes.

// snapshotAfter is the number of changed rows after which a new snapshot is
// made. Reading the rows of that many logged paths takes some 15 ms.
const snapshotAfter = 500

// encode returns the table as the value of a snapshot.
func (t *table) encode() []byte {
	t.mu.RLock()
	defer t.mu.RUnlock()
	b := make([]byte, 0, 96*t.count)
	text := func(s string) {
		b = binary.AppendUvarint(b, uint64(len(s)))
		b = append(b, s...)
	}
	for dir, files := range t.dirs {
		text(dir)
		b = binary.AppendUvarint(b, uint64(len(files)))
		for base, k := range files {
			text(base)
			b = binary.AppendVarint(b, k.key.Size)
			b = binary.AppendVarint(b, k.key.MTime)
			b = binary.AppendVarint(b, k.key.CTime)
			b = binary.AppendUvarint(b, k.key.Inode)
			b = binary.AppendUvarint(b, uint64(k.key.Mode))
			b = binary.AppendVarint(b, k.readAt)
			text(string(k.skip))
			b = append(b, k.hash[:]...)
		}
	}
	return b
}

var errSnapshot = errors.New("snapshot of the files table is cut off")

// snapshotReader reads the values of a snapshot. After a truncated value, it returns zeros for
// all others.
type snapshotReader struct {
	data []byte
	cut  bool
}

func (r *snapshotReader) uint() uint64 {
	v, n := binary.Uvarint(r.data)
	return advance(r, v, n)
}

func (r *snapshotReader) int() int64 {
	v, n := binary.Varint(r.data)
	return advance(r, v, n)
}

// advance skips n bytes, which encode v, and returns v. n is not positive if the bytes are damaged;
// advance then marks the snapshot as cut and returns 0.
func advance[T int64 | uint64](r *snapshotReader, v T, n int) T {
	if n <= 0 {
		r.cut, r.data = true, nil
		return 0
	}
	r.data = r.data[n:]
	return v
}

func (r *snapshotReader) text() string { return string(r.bytes(r.uint())) }

// bytes returns the next n bytes of the snapshot. If there are fewer, it marks the snapshot as cut and returns
// nil.
func (r *snapshotReader) bytes(n uint64) []byte {
	if n > uint64(len(r.data)) {
		r.cut, r.data = true, nil
		return nil
	}
	out := r.data[:n:n]
	r.data = r.data[n:]
	return out
}

// decodeTable decodes a table encoded by encode.
func decodeTable(data []byte) (*table, error) {
	t := newTable()
	reader := snapshotReader{data: data}
	for len(reader.data) > 0 {
		dir := reader.text()
		n := reader.uint()
		if n > uint64(len(reader.data)) {
			return nil, errSnapshot
		}
		files := make(map[string]known, n)
		for range n {
			base := reader.text()
			k := known{key: code.StatKey{Size: reader.int(), MTime: reader.int(), CTime: reader.int(),
				Inode: reader.uint(), Mode: uint32(reader.uint())}}
			k.readAt = reader.int()
			k.skip = workspace.SkipReason(reader.text())
			copy(k.hash[:], reader.bytes(uint64(len(k.hash))))
			files[base] = k
			p := code.Join(dir, base)
			t.name.add(p, k.hash)
			t.noteUnread(p, k.skip)
		}
		t.dirs[dir] = files
		t.count += len(files)
	}
	if reader.cut {
		return nil, errSnapshot
	}
	return t, nil
}

// saveSnapshot stores the table as the snapshot, unless another process has
// written to the database since the table was loaded.
func (r *Root) saveSnapshot(ctx context.Context) error {
	r.commitMu.Lock()
	defer r.commitMu.Unlock()
	err := r.db.Update(ctx, func(tx *store.Tx) error {
		gen, err := metaInt(ctx, &tx.View, metaGeneration)
		if err != nil || gen != r.table.generation() {
			return err
		}
		_, err = tx.Exec(ctx, "INSERT OR REPLACE INTO table_snapshot(id, generation, data) VALUES(1,?,?)",
			gen, r.table.encode())
		return err
	})
	if err != nil {
		return fmt.Errorf("save snapshot: %w", err)
	}
	r.unsaved.Store(0)
	return nil
}

// loadSnapshot returns the table of the last snapshot. It returns nil if there
// is no snapshot whose generation is in [floor, gen], the range of the log.
func loadSnapshot(ctx context.Context, v *store.View, floor, gen int64) (*table, error) {
	var at int64
	var data []byte
	const last = "SELECT generation, data FROM table_snapshot WHERE id=1 AND generation BETWEEN ? AND ?"
	found, err := v.QueryRow(ctx, last,
		[]any{floor, gen}, &at, &data)
	if err != nil || !found {
		return nil, err
	}
	t, err := decodeTable(data)
	if err != nil {
		return nil, nil // the caller reads the rows instead
	}
	t.gen = at
	return t, nil
}
