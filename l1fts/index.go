package l1fts

import (
	"context"
	"encoding/binary"
	"fmt"
	"sync"

	"sextant/internal/budget"
	"sextant/internal/code"
	"sextant/internal/store"
	"sextant/l1fts/embed"
	"sextant/l1fts/vector"
)

// Options configures New. The zero value works.
type Options struct {
	// Postings is the largest number of matching chunks that a ranked query scores; 0 means
	// 4,000. Scoring one costs 1.5 to 2 µs, two thirds of it in BM25.
	Postings int
	// Frequencies is the largest number of entries in the cache of document frequencies; 0 means
	// 4,096 (some 300 KB).
	Frequencies int
	// Embedder computes the vectors; nil means there are none.
	Embedder embed.Embedder
	// Trailing marks Embedder as slow or fallible (a server): files are written
	// without waiting for it, and Late adds their vectors.
	Trailing bool
	// ScanLimit is the largest number of vectors that one question may read from the database
	// while they are not in memory; 0 means 40,000, which takes some 25 ms.
	ScanLimit int
	// Budget counts the bytes of the vectors in memory; nil means no limit.
	Budget *budget.Budget
	// Scratch is the folder in which an unnamed temporary file holds the vectors
	// that are not in memory; it should be as private as the code. "" means the
	// system's folder for temporary files.
	Scratch string
}

// Index is the index of words and vectors of one root. The rows are in the database that is passed
// to its methods. Index itself holds scratch memory, a bounded cache of document frequencies and,
// after Load, the vectors. It is safe for concurrent use.
type Index struct {
	postings int
	embedder embed.Embedder
	trailing bool
	scan     int
	memory   memory
	weavers  sync.Pool // elements are *weaver
	grammers sync.Pool // elements are *grammer
	freqs    *frequencies
	upkeep   upkeep
}

// New returns the index of one root.
func New(opt Options) *Index {
	if opt.Postings <= 0 {
		opt.Postings = 4000
	}
	if opt.Frequencies <= 0 {
		opt.Frequencies = 4096
	}
	if opt.ScanLimit <= 0 {
		opt.ScanLimit = 40000
	}
	return &Index{
		postings: opt.Postings,
		embedder: opt.Embedder, trailing: opt.Trailing, scan: opt.ScanLimit,
		weavers:  sync.Pool{New: func() any { return newWeaver() }},
		grammers: sync.Pool{New: func() any { return newGrammer() }},
		freqs:    newFrequencies(opt.Frequencies),
		memory:   memory{options: vector.StoreOptions{Budget: opt.Budget, Dir: opt.Scratch}},
	}
}

// prepared is the content of one file's rows, ready to be written.
type prepared struct {
	class int // number of the file's class, as in row ids
	rows  []columns
	data  []byte // packed chunks
	grams []byte // packed trigrams
	embedded
}

// Prepare cuts f into chunks and collects their words, without touching the
// database; it may run in parallel. The returned function replaces the rows of
// the file within tx and must be called at most once. f is not retained. If ctx
// ends meanwhile, Prepare returns early, and its result must not be used.
func (x *Index) Prepare(ctx context.Context, f *code.File) func(context.Context, *store.Tx, int64) error {
	p := x.prepare(ctx, f)
	path := f.Path
	return func(ctx context.Context, tx *store.Tx, fileID int64) error {
		if err := x.write(ctx, tx, fileID, p); err != nil {
			return fmt.Errorf("index words of %s: %w", path, err)
		}
		return nil
	}
}

// prepare does the part of Prepare that needs no database.
func (x *Index) prepare(ctx context.Context, f *code.File) *prepared {
	w := x.weavers.Get().(*weaver)
	defer x.weavers.Put(w)
	g := x.grammers.Get().(*grammer)
	defer x.grammers.Put(g)

	p := &prepared{class: classNumber(f.Class)}
	cut, starts := chunks(f)
	path := w.pathColumn(f.Path)
	kept := cut[:0]
	for i := range cut {
		if ctx.Err() != nil {
			return p
		}
		row := w.columns(f, &cut[i], starts, path)
		if i > 0 && row.empty() {
			continue
		}
		p.rows = append(p.rows, row)
		kept = append(kept, cut[i])
	}
	p.data = packChunks(f, kept)
	p.grams = g.file(f.Text)
	if x.embedder != nil {
		p.embedded = x.embed(ctx, f, kept, starts)
	}
	return p
}

// kept returns the chunks of f for which prepare creates rows, and the line starts of f.
func (x *Index) kept(f *code.File) (kept []chunk, starts []int) {
	w := x.weavers.Get().(*weaver)
	defer x.weavers.Put(w)
	cut, starts := chunks(f)
	for i := range cut {
		if row := w.columns(f, &cut[i], starts, ""); i == 0 || !row.empty() {
			kept = append(kept, cut[i])
		}
	}
	return kept, starts
}

// write replaces all rows of a file.
func (x *Index) write(ctx context.Context, tx *store.Tx, fileID int64, file *prepared) error {
	gone, err := x.deleteChunks(ctx, tx, fileID)
	if err != nil {
		return err
	}
	// RETURNING or an upsert would open a savepoint here, at which FTS5 writes its pending words
	// as a segment, one per file. So neither is used.
	n := int64(len(file.rows))
	var base int64
	if _, err := tx.QueryRow(ctx, "SELECT next FROM l1_state WHERE id=1", nil, &base); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, "UPDATE l1_state SET next=next+?, chunks=chunks+?, generation=generation+1 WHERE id=1",
		max(n, 1), n-gone); err != nil {
		return err
	}
	if err := x.writeVectors(ctx, tx, fileID, base, &file.embedded); err != nil {
		return err
	}
	for i := range file.rows {
		r := &file.rows[i]
		_, err := tx.Exec(ctx, "INSERT INTO l1_fts(rowid, name, signature, path, body) VALUES(?,?,?,?,?)",
			rowID(base+int64(i), file.class), r.name, r.signature, r.path, r.body)
		if err != nil {
			return err
		}
	}
	_, err = tx.Exec(ctx, "INSERT INTO l1_chunks(base, file_id, class, count, data) VALUES(?,?,?,?,?)", base,
		fileID, file.class, n, file.data)
	if err != nil {
		return err
	}
	return x.writeGrams(ctx, tx, fileID, file.grams)
}

// Delete removes the rows of a file. A file without rows is not an error.
func (x *Index) Delete(ctx context.Context, tx *store.Tx, fileID int64) error {
	gone, err := x.deleteChunks(ctx, tx, fileID)
	if err == nil {
		_, err = tx.Exec(ctx, "UPDATE l1_state SET chunks=chunks-?, generation=generation+1 WHERE id=1", gone)
	}
	if err == nil {
		_, err = tx.Exec(ctx, "DELETE FROM l1_gram_files WHERE file_id=?", fileID)
	}
	if err == nil {
		_, err = tx.Exec(ctx, "DELETE FROM l1_vectors WHERE id BETWEEN ?1<<8 AND (?1<<8)+255", fileID)
	}
	if err != nil {
		return fmt.Errorf("delete words of file %d: %w", fileID, err)
	}
	return nil
}

// deleteChunks deletes the chunks of a file and their words. It returns their number.
func (x *Index) deleteChunks(ctx context.Context, tx *store.Tx, fileID int64) (count int64, err error) {
	var base int64
	var class int
	found, err := tx.QueryRow(ctx, "SELECT base, count, class FROM l1_chunks WHERE file_id=?", []any{fileID}, &base,
		&count, &class)
	if err != nil || !found {
		return 0, err
	}
	for i := range count {
		if _, err := tx.Exec(ctx, "DELETE FROM l1_fts WHERE rowid=?", rowID(base+i, class)); err != nil {
			return 0, err
		}
	}
	_, err = tx.Exec(ctx, "DELETE FROM l1_chunks WHERE base=?", base)
	return count, err
}

// classBits is the number of low bits of a row id that hold the class of the
// file, so that a filter by class is a condition on the row id and needs no
// join.
const classBits = 3

func rowID(seq int64, class int) int64 { return seq<<classBits | int64(class) }

// classes lists the classes of files in the order of their numbers in row ids.
var classes = [1 << classBits]code.Class{code.ClassSource, code.ClassTest, code.ClassDocs, code.ClassConfig,
	code.ClassGenerated, code.ClassFixture, code.ClassBuild, code.ClassVendor}

// classNumber returns the number of a class in row ids, its index in classes.
func classNumber(c code.Class) int {
	for i, k := range classes {
		if k == c {
			return i
		}
	}
	return 0 // a file without a class is source
}

// kinds lists the kinds of symbols in the order of their bits in chunkInfo.kinds.
var kinds = []code.Kind{code.KindFile, code.KindModule, code.KindNamespace, code.KindClass, code.KindInterface,
	code.KindStruct, code.KindType,
	code.KindEnum, code.KindTrait, code.KindMacro, code.KindFunction, code.KindMethod, code.KindConstructor,
	code.KindField, code.KindProperty,
	code.KindConstant, code.KindVariable, code.KindComponent, code.KindHook, code.KindConfig, code.KindTest,
	code.KindRoute, code.KindRPC, code.KindMessage}

// kindBit returns the bit of a kind of symbol in chunkInfo.kinds; 0 for a kind that kinds does not list.
func kindBit(k code.Kind) uint64 {
	for i, o := range kinds {
		if o == k {
			return 1 << i
		}
	}
	return 0
}

// chunkInfo is one chunk as stored in l1_chunks.
type chunkInfo struct {
	symbol      int
	first, last int    // lines, 1-based, inclusive
	kinds       uint64 // bits of kindBit for the kinds of the symbol and of those declared in its lines
	weight      int    // static importance: 0 to 3
}

// packChunks encodes cs. Each chunk is five uvarints: symbol+1, first line
// minus the previous chunk's first line (zigzag), number of lines minus one,
// weight, kinds.
func packChunks(file *code.File, cs []chunk) []byte {
	out := []byte{} // nil would be stored as NULL
	line := 0
	for i := range cs {
		c := &cs[i]
		var set uint64
		if c.symbol >= 0 {
			set = kindBit(file.Symbols[c.symbol].Kind)
		}
		for _, s := range c.folded {
			set |= kindBit(file.Symbols[s].Kind)
		}
		out = binary.AppendUvarint(out, uint64(c.symbol+1))
		out = binary.AppendVarint(out, int64(c.first-line))
		out = binary.AppendUvarint(out, uint64(c.last-c.first))
		out = binary.AppendUvarint(out, uint64(weight(file, c)))
		out = binary.AppendUvarint(out, set)
		line = c.first
	}
	return out
}

// weight returns the static importance of a chunk, 0 to 3. It orders the
// results of a query whose words are all common. The first chunk of an exported
// function or method has 3, that of another exported symbol 2, that of any
// other symbol 1; all other chunks have 0.
func weight(f *code.File, c *chunk) int {
	if c.symbol < 0 || !c.head {
		return 0
	}
	w := 1
	s := &f.Symbols[c.symbol]
	if s.Exported {
		w++
		if s.Kind.Callable() {
			w++
		}
	}
	return w
}

// unpackChunks decodes n chunks packed by packChunks.
func unpackChunks(data []byte, n int) ([]chunkInfo, error) {
	out := make([]chunkInfo, 0, n)
	line := 0
	for range n {
		var c chunkInfo
		var v [5]uint64
		for i := range v {
			u, size := binary.Uvarint(data)
			if size <= 0 {
				return nil, fmt.Errorf("chunk %d of %d: packed data ends early", len(out), n)
			}
			v[i], data = u, data[size:]
		}
		delta := int64(v[1]>>1) ^ -int64(v[1]&1)
		line += int(delta)
		c.symbol, c.first, c.last = int(v[0])-1, line, line+int(v[2])
		c.weight, c.kinds = int(v[3]), v[4]
		out = append(out, c)
	}
	return out, nil
}
