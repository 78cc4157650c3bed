package embed

import (
	"context"
	"math"
	"sync"
)

// encoder is the Embedder of a table in memory.
type encoder struct {
	table       *Table
	fingerprint string
	bags        sync.Pool // of *Bags
}

// NewEncoder returns an embedder that uses t. fingerprint identifies its
// vectors.
func NewEncoder(t *Table, fingerprint string) Embedder {
	e := &encoder{table: t, fingerprint: fingerprint}
	e.bags.New = func() any { return NewBags(t.Vocabulary) }
	return e
}

func (e *encoder) Fingerprint() string { return e.fingerprint }
func (e *encoder) Dimensions() int     { return e.table.Dimensions }

func (e *encoder) Documents(ctx context.Context, docs []Document) ([][]float32, error) {
	bags := e.bags.Get().(*Bags)
	defer e.bags.Put(bags)
	d := e.table.Dimensions
	all := make([]float32, len(docs)*d)
	out := make([][]float32, len(docs))
	for i := range docs {
		if i%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		out[i] = all[i*d : (i+1)*d : (i+1)*d]
		bags.Document(docs[i], func(field int, features []Feature) {
			for _, f := range features {
				e.table.add(out[i], f.Row, f.Weight*e.table.Documents[f.Row]*e.table.Fields[field])
			}
		})
		normalise(out[i])
	}
	return out, nil
}

// Query returns the vector of text. The vector is zero if fewer than half of the stems of text have
// rows of their own, as for text in a language that the table was not trained on. Other stems have
// only the rows of their n-grams, which they share with many words, so these tell little about a
// meaning.
func (e *encoder) Query(ctx context.Context, text string) ([]float32, error) {
	bags := e.bags.Get().(*Bags)
	defer e.bags.Put(bags)
	v := make([]float32, e.table.Dimensions)
	features := bags.Text(text)
	if known, all := bags.Known(); 2*known < all {
		return v, ctx.Err()
	}
	for _, f := range features {
		e.table.add(v, f.Row, f.Weight*e.table.Queries[f.Row])
	}
	normalise(v)
	return v, ctx.Err()
}

// add adds a row, times weight, to v.
func (t *Table) add(v []float32, row int32, weight float32) {
	at := int(row) * t.Dimensions
	values := t.Rows[at : at+t.Dimensions]
	v = v[:len(values)]
	for len(values) >= 8 && len(v) >= 8 {
		v[0] += weight * float32(values[0])
		v[1] += weight * float32(values[1])
		v[2] += weight * float32(values[2])
		v[3] += weight * float32(values[3])
		v[4] += weight * float32(values[4])
		v[5] += weight * float32(values[5])
		v[6] += weight * float32(values[6])
		v[7] += weight * float32(values[7])
		values, v = values[8:], v[8:]
	}
	for i, x := range values {
		v[i] += weight * float32(x)
	}
}

// normalise scales v to unit length; zeros stay zeros.
func normalise(v []float32) {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 {
		return
	}
	n := float32(1 / math.Sqrt(sum))
	for i := range v {
		v[i] *= n
	}
}
