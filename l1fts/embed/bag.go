package embed

import (
	"math"
	"strings"
)

// These constants are the fields of a document; each has a weight of its own.
const (
	FieldName = iota
	FieldSignature
	FieldPath
	FieldBody
	FieldCount
)

const (
	// pathSteps is the number of segments at the end of a path that are embedded; earlier
	// segments are the same throughout a project.
	pathSteps = 4
	// maxDistinct is the largest number of distinct stems of a field. The first 200 stems of a
	// long body suffice to recognize its topic.
	maxDistinct = 200
	minGram     = 3
	maxGram     = 4
)

// Feature is one row of the table that occurs in a text, with a weight: (1 + ln tf) / √(distinct
// stems + 1), where tf is the number of occurrences of the stem. The n-grams of a stem without a
// row of its own share the weight of the stem. The caller multiplies the weight with the learned
// weights of the table.
type Feature struct {
	Row    int32
	Weight float32
}

// Vocabulary maps a stem to rows of the table: its own row, or those of its
// n-grams. It is immutable.
type Vocabulary struct {
	words   []string // row → stem
	buckets int      // number of rows for n-grams, after those of words
	slots   []vocabularySlot
}

type vocabularySlot struct {
	hash uint64
	row  int32 // number of the row, plus 1; 0 in an empty slot
}

// NewVocabulary returns a vocabulary that assigns the first rows to words, in
// order, and the buckets rows after them to n-grams.
func NewVocabulary(words []string, buckets int) *Vocabulary {
	size := 1024
	for size < 2*len(words) {
		size *= 2
	}
	v := &Vocabulary{words: words, buckets: buckets, slots: make([]vocabularySlot, size)}
	for row, w := range words {
		h := hashOf([]byte(w))
		i := h & uint64(size-1)
		for v.slots[i].row != 0 {
			i = (i + 1) & uint64(size-1)
		}
		v.slots[i] = vocabularySlot{h, int32(row) + 1}
	}
	return v
}

// Rows returns the number of rows of a table with this vocabulary.
func (v *Vocabulary) Rows() int { return len(v.words) + v.buckets }

// Words returns the stems that have rows, by row.
func (v *Vocabulary) Words() []string { return v.words }

// row returns the row of the stem with this hash, -1 if it has none.
func (v *Vocabulary) row(hash uint64) int32 {
	mask := uint64(len(v.slots) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		if s := &v.slots[i]; s.hash == hash || s.row == 0 {
			return s.row - 1
		}
	}
}

// hashOf returns the FNV-1a hash of b, mixed once more to improve the low bits.
func hashOf(b []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range b {
		h = (h ^ uint64(c)) * 1099511628211
	}
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	return h ^ h>>32
}

// Bags turns texts into features. It reuses its buffers between texts, and is
// not safe for concurrent use.
type Bags struct {
	vocabulary *Vocabulary
	seen       [1024]seenStem // hash table with open addressing; over twice maxDistinct slots
	epoch      uint32
	stems      []bagStem
	grams      []int32 // rows of the n-grams of the stems without a row
	features   []Feature
	logs       [64]float32 // 1 + ln tf
}

// seenStem is a slot of Bags.seen. A slot with an epoch other than that of Bags is empty.
type seenStem struct {
	hash  uint64
	epoch uint32
	at    int32 // index in stems
}

// bagStem is one distinct stem of a text, with its count.
type bagStem struct {
	row   int32 // -1 if grams[from:to] are used instead
	count int32
	from  int32
	to    int32
}

// NewBags returns Bags for the vocabulary v.
func NewBags(v *Vocabulary) *Bags {
	b := &Bags{vocabulary: v}
	for tf := 1; tf < len(b.logs); tf++ {
		b.logs[tf] = float32(1 + math.Log(float64(tf)))
	}
	return b
}

// Document calls field with the features of each field of d that has any. The
// slice features is valid until field returns.
func (b *Bags) Document(d Document, field func(field int, features []Feature)) {
	for f, text := range [FieldCount]string{d.Name, d.Signature, lastSteps(d.Path), d.Body} {
		if features := b.Text(text); len(features) > 0 {
			field(f, features)
		}
	}
}

// Text returns the features of one text, valid until the next call.
func (b *Bags) Text(text string) []Feature {
	b.epoch++
	b.stems, b.grams, b.features = b.stems[:0], b.grams[:0], b.features[:0]
	stems([]byte(text), b.add)
	norm := float32(1 / math.Sqrt(float64(len(b.stems)+1)))
	for i := range b.stems {
		s := &b.stems[i]
		weight := b.logs[min(int(s.count), len(b.logs)-1)] * norm
		if s.row >= 0 {
			b.features = append(b.features, Feature{s.row, weight})
			continue
		}
		weight /= float32(max(s.to-s.from, 1))
		for _, row := range b.grams[s.from:s.to] {
			b.features = append(b.features, Feature{row, weight})
		}
	}
	return b.features
}

// Known counts the distinct stems of the last text. known is the number of stems that have rows of
// their own, all the number of all stems.
func (b *Bags) Known() (known, all int) {
	for i := range b.stems {
		if b.stems[i].row >= 0 {
			known++
		}
	}
	return known, len(b.stems)
}

// add counts one stem; beyond maxDistinct, new stems are ignored.
func (b *Bags) add(stem []byte) {
	h := hashOf(stem)
	mask := uint64(len(b.seen) - 1)
	i := h & mask
	for b.seen[i].epoch == b.epoch {
		if b.seen[i].hash == h {
			b.stems[b.seen[i].at].count++
			return
		}
		i = (i + 1) & mask
	}
	if len(b.stems) == maxDistinct {
		return
	}
	b.seen[i] = seenStem{h, b.epoch, int32(len(b.stems))}
	s := bagStem{row: b.vocabulary.row(h), count: 1, from: int32(len(b.grams))}
	if s.row < 0 {
		b.addGrams(stem)
	}
	s.to = int32(len(b.grams))
	b.stems = append(b.stems, s)
}

// addGrams adds the rows of the n-grams of <stem>. The angle brackets mark the ends of the stem, so
// that an n-gram at an end differs from one in the middle.
func (b *Bags) addGrams(stem []byte) {
	if b.vocabulary.buckets == 0 {
		return
	}
	var buf [maxStem + 8]byte
	marked := append(append(append(buf[:0], '<'), stem...), '>')
	for n := minGram; n <= maxGram; n++ {
		for i := 0; i+n <= len(marked); i++ {
			bucket := hashOf(marked[i:i+n]) % uint64(b.vocabulary.buckets)
			b.grams = append(b.grams, int32(len(b.vocabulary.words))+int32(bucket))
		}
	}
}

// lastSteps returns the last pathSteps segments of a path, such as b/c/d/e.go of a/b/c/d/e.go.
func lastSteps(path string) string {
	at := len(path)
	for range pathSteps {
		i := strings.LastIndexByte(path[:at], '/')
		if i < 0 {
			return path
		}
		at = i
	}
	return path[at+1:]
}

// Stems calls emit with every stem of text, including repetitions. Training
// uses it to collect a vocabulary.
func Stems(text string, emit func(stem []byte)) { stems([]byte(text), emit) }
