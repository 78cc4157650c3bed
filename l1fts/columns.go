package l1fts

import (
	"hash/maphash"

	"sextant/internal/code"
)

// maxRepeats is the largest number of occurrences of a word that are indexed within a column. In
// a chunk of average length, each occurrence after the fourth would raise the word's BM25 score
// (k1 = 1.2) by less than a tenth, but would cost indexing time and disk.
const maxRepeats = 4

// columns holds the words of one chunk by column, each value separated by spaces for the FTS5 tokenizer.
type columns struct{ name, signature, path, body string }

// empty reports whether all columns except the path are empty.
func (c *columns) empty() bool { return c.body == "" && c.signature == "" && c.name == "" }

// weaver turns text into column values: the words of the text, separated by spaces. It reuses its
// buffers between chunks and files, and is not safe for concurrent use.
type weaver struct {
	seed    maphash.Seed
	out     []byte
	scratch []byte
	seen    []seenWord // words of this column; a hash table with open addressing, its size a power of two
	epoch   uint32
	used    int
}

// seenWord is a slot of the hash table weaver.seen: a word of the current column and its number of occurrences.
// A slot with an epoch other than the weaver's is empty.
type seenWord struct {
	hash  uint64
	epoch uint32
	count uint32
}

func newWeaver() *weaver {
	return &weaver{seed: maphash.MakeSeed(), seen: make([]seenWord, 1<<11)}
}

// column starts a new column value.
func (w *weaver) column() {
	w.epoch++
	w.used = 0
	w.out = w.out[:0]
}

// full adds every word of text. body does the same without stop words, single characters and
// numbers of more than four digits.
func (w *weaver) full(text string) { w.add([]byte(text), false) }
func (w *weaver) body(text []byte) { w.add(text, true) }

// add appends the words of text to the column. If stop is set, it skips stop words, single
// characters and long numbers.
func (w *weaver) add(text []byte, stop bool) {
	w.scratch = words(text, w.scratch, func(word []byte) {
		if stop && (len(word) < 2 || len(word) <= 8 && stopWords[string(word)] || number(word)) {
			return
		}
		if !w.count(word) {
			return
		}
		w.out = append(w.out, word...)
		w.out = append(w.out, ' ')
	})
}

// number reports whether word has more than four digits and nothing else. Years
// and ports are worth searching for, measurements are not.
func number(word []byte) bool {
	if len(word) <= 4 {
		return false
	}
	for _, c := range word {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// count adds an occurrence of word to this column, and reports whether it is
// still within maxRepeats.
func (w *weaver) count(word []byte) bool {
	if w.used*2 >= len(w.seen) {
		w.grow()
	}
	h := maphash.Bytes(w.seed, word)
	mask := uint64(len(w.seen) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		s := &w.seen[i]
		if s.epoch != w.epoch {
			*s = seenWord{h, w.epoch, 1}
			w.used++
			return true
		}
		if s.hash == h {
			s.count++
			return s.count <= maxRepeats
		}
	}
}

func (w *weaver) grow() {
	old := w.seen
	w.seen = make([]seenWord, 2*len(old))
	mask := uint64(len(w.seen) - 1)
	for _, s := range old {
		if s.epoch != w.epoch {
			continue
		}
		i := s.hash & mask
		for w.seen[i].epoch == w.epoch {
			i = (i + 1) & mask
		}
		w.seen[i] = s
	}
}

// columns returns the column values of one chunk.
func (w *weaver) columns(file *code.File, c *chunk, starts []int, path string) columns {
	row := columns{path: path}
	w.column()
	if c.symbol >= 0 {
		s := &file.Symbols[c.symbol]
		w.full(s.Name)
		row.name = string(w.out)
		w.column()
		w.full(ancestors(s))
		if c.head {
			w.full(s.Signature)
			for _, a := range s.Annotations {
				w.full(a)
			}
		}
	}
	for _, i := range c.folded {
		w.full(file.Symbols[i].Name)
	}
	row.signature = string(w.out)
	w.column()
	for _, r := range c.runs {
		for l := r[0]; l < r[1]; l++ {
			start, end := starts[l], starts[l+1]
			if start >= maxFileBytes {
				break
			}
			w.body(file.Text[start:min(end, start+maxLineBytes)])
		}
	}
	row.body = string(w.out)
	return row
}

// pathColumn returns the words of a path, extension included.
func (w *weaver) pathColumn(path string) string {
	w.column()
	w.full(path)
	return string(w.out)
}
