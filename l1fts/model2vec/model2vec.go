// Package model2vec embeds texts with a static model from a folder in
// model2vec's format: config.json, model.safetensors (one row of numbers per
// token) and tokenizer.json (WordPiece). The vector of a text is the mean of
// its tokens' rows. Everything runs in this process; nothing is downloaded and
// no code of the model is executed.
//
// Unlike model2vec itself, it keeps accents after lower-casing, so words with
// accents are split into shorter pieces.
package model2vec

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"sextant/internal/store"
	"sextant/l1fts/embed"
)

const (
	// maxTokens is the number of tokens at the start of a text that are embedded,
	// as in model2vec itself.
	maxTokens = 512
	// maxModel is the largest size in bytes of the model's file: the largest published ones have
	// 512 MB.
	maxModel = 1 << 30
	// maxJSON is the largest size in bytes of the tokenizer's file.
	maxJSON = 64 << 20
)

// Model is a model read into memory. It is safe for concurrent use.
type Model struct {
	tokens      *tokenizer
	rows        []float32 // row of each token, already multiplied with the weight of the token
	dimensions  int
	fingerprint string
}

var _ embed.Embedder = (*Model)(nil)

// Open reads the model in the folder dir.
func Open(dir string) (*Model, error) {
	m, err := open(dir)
	if err != nil {
		return nil, fmt.Errorf("open model %s: %w", dir, err)
	}
	return m, nil
}

func open(dir string) (*Model, error) {
	words, err := readBounded(filepath.Join(dir, "tokenizer.json"), maxJSON)
	if err != nil {
		return nil, err
	}
	table, err := readBounded(filepath.Join(dir, "model.safetensors"), maxModel)
	if err != nil {
		return nil, err
	}
	m := &Model{}
	if m.tokens, err = parseTokenizer(words); err != nil {
		return nil, fmt.Errorf("tokenizer.json: %w", err)
	}
	if err := m.readTable(table); err != nil {
		return nil, fmt.Errorf("model.safetensors: %w", err)
	}
	hash := store.HashText(append(table, words...))
	m.fingerprint = fmt.Sprintf("model2vec:%s/%d/%s", filepath.Base(dir), m.dimensions, hash.String()[:12])
	return m, nil
}

// readBounded reads a regular file of at most max bytes.
func readBounded(path string, max int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > max {
		return nil, fmt.Errorf("%s: expected a file of at most %d MB", path, max>>20)
	}
	return io.ReadAll(f)
}

// readTable reads the rows of the tensor "embeddings". If the file has a tensor
// "mapping", token t has row mapping[t]; if it has a tensor "weights", the row
// of token t is multiplied with weights[t].
func (m *Model) readTable(data []byte) error {
	parsed, err := parseTensors(data)
	if err != nil {
		return err
	}
	rows, shape, err := parsed.floats("embeddings")
	if err != nil {
		return err
	}
	if len(shape) != 2 || shape[0] < 1 || shape[1] < 1 || shape[1] > 8192 {
		return fmt.Errorf("embeddings have the shape %v; rows by at most 8192 columns were expected", shape)
	}
	m.dimensions = shape[1]
	tokens := m.tokens.size
	at, err := parsed.ints("mapping")
	if err != nil {
		return err
	}
	var weights []float32
	if parsed.has("weights") {
		if weights, _, err = parsed.floats("weights"); err != nil {
			return err
		}
		if len(weights) < tokens {
			return fmt.Errorf("%d weights for %d tokens", len(weights), tokens)
		}
	}
	if at == nil && weights == nil && shape[0] >= tokens {
		m.rows = rows
		return nil
	}
	m.rows = make([]float32, tokens*m.dimensions)
	for i := range tokens {
		from := i
		if at != nil && i < len(at) {
			from = at[i]
		}
		if from < 0 || from >= shape[0] {
			return fmt.Errorf("token %d has row %d of %d", i, from, shape[0])
		}
		row := m.rows[i*m.dimensions : (i+1)*m.dimensions]
		copy(row, rows[from*m.dimensions:])
		for k := range row {
			if weights != nil {
				row[k] *= weights[i]
			}
		}
	}
	return nil
}

// Fingerprint implements [embed.Embedder].
func (m *Model) Fingerprint() string { return m.fingerprint }

// Dimensions implements [embed.Embedder].
func (m *Model) Dimensions() int { return m.dimensions }

// Documents implements [embed.Embedder].
func (m *Model) Documents(ctx context.Context, docs []embed.Document) ([][]float32, error) {
	out := make([][]float32, len(docs))
	for i, d := range docs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out[i] = m.vector(d.Path + "\n" + d.Name + " " + d.Signature + "\n" + d.Body)
	}
	return out, nil
}

// Query implements [embed.Embedder].
func (m *Model) Query(ctx context.Context, text string) ([]float32, error) {
	return m.vector(text), ctx.Err()
}

// vector returns the unit vector of a text, zeros if it has no known token.
func (m *Model) vector(text string) []float32 {
	v := make([]float32, m.dimensions)
	for _, id := range m.tokens.encode(text, maxTokens) {
		for k, x := range m.rows[id*m.dimensions : (id+1)*m.dimensions] {
			v[k] += x
		}
	}
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if !(sum > 0) || math.IsInf(sum, 0) {
		clear(v)
		return v
	}
	f := float32(1 / math.Sqrt(sum))
	for k := range v {
		v[k] *= f
	}
	return v
}

// tensors is a safetensors file. The file has three parts: the length of the header in 8 bytes; the
// header in JSON, with the offsets of each tensor in the data; and the data.
type tensors struct {
	header map[string]struct {
		Type    string `json:"dtype"`
		Shape   []int  `json:"shape"`
		Offsets [2]int `json:"data_offsets"`
	}
	data []byte
}

// parseTensors splits a safetensors file into its header and its data.
func parseTensors(file []byte) (out tensors, err error) {
	if len(file) < 8 {
		return out, errors.New("the file is cut off")
	}
	n := binary.LittleEndian.Uint64(file)
	if n > uint64(len(file)-8) {
		return out, errors.New("the header is cut off")
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(file[8:8+n], &raw); err != nil {
		return out, fmt.Errorf("header: %w", err)
	}
	delete(raw, "__metadata__")
	rest, err := json.Marshal(raw)
	if err == nil {
		err = json.Unmarshal(rest, &out.header)
	}
	out.data = file[8+n:]
	return out, err
}

func (t tensors) has(name string) bool { _, ok := t.header[name]; return ok }

// bytes returns the data of a tensor whose elements have width bytes.
func (t tensors) bytes(name string, width int) ([]byte, error) {
	h := t.header[name]
	n := width
	for _, s := range h.Shape {
		if s < 0 || s > maxModel/max(n, 1) {
			return nil, fmt.Errorf("%s has the shape %v", name, h.Shape)
		}
		n *= s
	}
	from, to := h.Offsets[0], h.Offsets[1]
	if from < 0 || to < from || to > len(t.data) || to-from != n {
		return nil, fmt.Errorf("%s of shape %v lies at %v of %d bytes", name, h.Shape, h.Offsets, len(t.data))
	}
	return t.data[from:to], nil
}

// floats returns a tensor of F64, F32, F16, BF16 or I8, and its shape.
func (t tensors) floats(name string) (out []float32, shape []int, err error) {
	h, ok := t.header[name]
	if !ok {
		return nil, nil, fmt.Errorf("there is no tensor %s", name)
	}
	width := map[string]int{"F64": 8, "F32": 4, "F16": 2, "BF16": 2, "I8": 1}[h.Type]
	if width == 0 {
		return nil, nil, fmt.Errorf("%s is of type %s; expected F64, F32, F16, BF16 or I8", name, h.Type)
	}
	data, err := t.bytes(name, width)
	if err != nil {
		return nil, nil, err
	}
	out = make([]float32, len(data)/width)
	for i := range out {
		b := data[i*width:]
		switch h.Type {
		case "F64":
			out[i] = float32(math.Float64frombits(binary.LittleEndian.Uint64(b)))
		case "F32":
			out[i] = math.Float32frombits(binary.LittleEndian.Uint32(b))
		case "F16":
			out[i] = half(binary.LittleEndian.Uint16(b))
		case "BF16":
			out[i] = math.Float32frombits(uint32(binary.LittleEndian.Uint16(b)) << 16)
		case "I8":
			out[i] = float32(int8(b[0]))
		}
	}
	return out, h.Shape, nil
}

// half decodes an IEEE 754 binary16.
func half(b uint16) float32 {
	exponent, fraction := int(b>>10&31), float64(b&1023)
	var x float64
	switch exponent {
	case 0:
		x = math.Ldexp(fraction, -24)
	case 31:
		x = math.Inf(1)
		if fraction > 0 {
			x = math.NaN()
		}
	default:
		x = math.Ldexp(1024+fraction, exponent-25)
	}
	if b>>15 == 1 {
		x = -x
	}
	return float32(x)
}

// ints returns a tensor of I64 or I32, nil if there is none with that name.
func (t tensors) ints(name string) ([]int, error) {
	h, ok := t.header[name]
	if !ok {
		return nil, nil
	}
	width := map[string]int{"I64": 8, "I32": 4}[h.Type]
	if width == 0 {
		return nil, fmt.Errorf("%s is of type %s; expected I64 or I32", name, h.Type)
	}
	data, err := t.bytes(name, width)
	if err != nil {
		return nil, err
	}
	out := make([]int, len(data)/width)
	for i := range out {
		if width == 8 {
			out[i] = int(int64(binary.LittleEndian.Uint64(data[i*8:])))
		} else {
			out[i] = int(int32(binary.LittleEndian.Uint32(data[i*4:])))
		}
	}
	return out, nil
}
