package embed

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"unsafe"
)

// Table is a trained model. Row r belongs to a stem or to a bucket of n-grams.
// The vector of a text is the sum of its rows, each times its weight in the
// text; row r starts at Rows[r·Dimensions]. In a document, a row is also
// multiplied with Documents[r] and the weight of the field, in a query with
// Queries[r].
//
// A table file is the magic, then little-endian: dimensions, number of words
// and number of buckets (uint32), the weights of the fields, the document
// weights and the query weights (float32), the rows (int8), and the words, each
// preceded by its length in one byte. Documents[r] and Queries[r] include the
// scale of the int8 values of row r.
type Table struct {
	Vocabulary *Vocabulary
	Dimensions int
	Fields     [FieldCount]float32
	Documents  []float32 // row → weight in a document
	Queries    []float32 // row → weight in a query
	Rows       []int8
}

const magic = "sextant embedder 1\n"

// maxDimensions is the largest number of dimensions of a table file; no real table has more.
const maxDimensions = 4096

// Marshal encodes t as a table file.
func (t *Table) Marshal() []byte {
	out := []byte(magic)
	for _, n := range []int{t.Dimensions, len(t.Vocabulary.words), t.Vocabulary.buckets} {
		out = binary.LittleEndian.AppendUint32(out, uint32(n))
	}
	for _, list := range [][]float32{t.Fields[:], t.Documents, t.Queries} {
		for _, x := range list {
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
		}
	}
	for _, x := range t.Rows {
		out = append(out, byte(x))
	}
	for _, w := range t.Vocabulary.words {
		out = append(append(out, byte(len(w))), w...)
	}
	return out
}

var errShort = errors.New("the table of the embedder is cut short")

// Parse decodes a table file, and returns an error if it is damaged. The rows
// share the memory of data, which must not change. The built-in table lies in
// the memory that the operating system maps from the executable file, so its
// rows are not copied.
func Parse(data []byte) (*Table, error) {
	data, ok := bytes.CutPrefix(data, []byte(magic))
	if !ok || len(data) < 12 {
		return nil, errors.New("this is no table of an embedder")
	}
	dims, words, buckets := int(binary.LittleEndian.Uint32(data)), int(binary.LittleEndian.Uint32(data[4:])),
		int(binary.LittleEndian.Uint32(data[8:]))
	data = data[12:]
	rows := words + buckets
	if dims < 1 || dims > maxDimensions || rows < 1 || len(data)/(8+dims) < rows {
		return nil, fmt.Errorf("table of %d dimensions and %d rows: %w", dims, rows, errShort)
	}
	table := &Table{Dimensions: dims, Documents: make([]float32, rows), Queries: make([]float32, rows)}
	if len(data) < 4*(FieldCount+2*rows)+rows*dims {
		return nil, errShort
	}
	for _, list := range [][]float32{table.Fields[:], table.Documents, table.Queries} {
		for i := range list {
			list[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		}
		data = data[4*len(list):]
	}
	table.Rows = unsafe.Slice((*int8)(unsafe.Pointer(unsafe.SliceData(data))), rows*dims)
	data = data[len(table.Rows):]
	list := make([]string, words)
	for i := range list {
		if len(data) == 0 || len(data) <= int(data[0]) {
			return nil, errShort
		}
		list[i] = string(data[1 : 1+data[0]])
		data = data[1+data[0]:]
	}
	table.Vocabulary = NewVocabulary(list, buckets)
	return table, nil
}

// Fingerprint returns a name that identifies a table file and the version of
// the tokeniser.
func Fingerprint(file []byte) string {
	h := sha256.New()
	h.Write([]byte("tokeniser " + tokeniserVersion + "\n"))
	h.Write(file)
	return "builtin-" + hex.EncodeToString(h.Sum(nil)[:8])
}
