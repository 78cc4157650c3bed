// Package contrast trains a bag of learned vectors to find, among many
// documents, the one that a query belongs to. It is a dual encoder with one
// table for both sides, a weight of each row per side, weights for the fields
// of a document, and the symmetric InfoNCE loss within a batch (van den Oord et
// al., 2018; Radford et al., 2021). It knows rows and numbers, no text.
//
// The result depends on the data and the seed alone, not on the number of
// workers or the processor: each number is computed by one worker, in an order
// given by the data.
package contrast

import (
	"math"
	"math/rand/v2"
	"sync"
)

// Feature is a row of the table that occurs in a text, with the field of the
// document (0 in a query) and its weight there.
type Feature struct {
	Row    int32
	Field  int32
	Weight float32
}

// Pair is a query and the document it belongs to.
type Pair struct{ Query, Document []Feature }

// Model holds the learned parameters and the state of the optimiser.
type Model struct {
	Rows, Dimensions int
	Table            []float32 // Rows × Dimensions
	Queries          []float32 // weight of each row in a query
	Documents        []float32 // weight of each row in a document
	Fields           []float32
	Scale            []float32 // one number: the logarithm of the inverse temperature

	table, queries, documents, fields, scale moments
	steps                                    int
}

// maxScale is the largest inverse temperature, which keeps exponentials from overflowing.
const maxScale = 50

// New returns a model with random vectors for the given number of rows. dimensions is their length,
// a multiple of 16. The seed determines the vectors. Fields and Scale have good initial values.
// Queries and Documents are 1; the caller should set them.
func New(rows, dimensions, fields int, seed uint64) *Model {
	m := &Model{
		Rows: rows, Dimensions: dimensions, Table: make([]float32, rows*dimensions),
		Queries: ones(rows), Documents: ones(rows), Fields: ones(fields), Scale: []float32{3},
	}
	r := rand.New(rand.NewPCG(seed, 1))
	width := 2 * float32(math.Sqrt(3/float64(dimensions)))
	for i := range m.Table {
		m.Table[i] = float32((r.Float32() - 0.5) * width)
	}
	m.table, m.queries, m.documents = newMoments(len(m.Table)), newMoments(rows), newMoments(rows)
	m.fields, m.scale = newMoments(fields), newMoments(1)
	return m
}

func ones(n int) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = 1
	}
	return out
}

// Query computes the unit vector of a query into out.
func (m *Model) Query(features []Feature, out []float32) { m.unit(features, m.queryWeight, out) }

// Document computes the unit vector of a document into out.
func (m *Model) Document(features []Feature, out []float32) { m.unit(features, m.documentWeight, out) }

func (m *Model) queryWeight(f Feature) float32 { return float32(f.Weight * m.Queries[f.Row]) }
func (m *Model) documentWeight(f Feature) float32 {
	return float32(float32(f.Weight*m.Documents[f.Row]) * m.Fields[f.Field])
}

// unit computes the normalised weighted sum of rows into out. It returns the
// inverse of the sum's length, or 0 if that is 0.
func (m *Model) unit(features []Feature, weight func(Feature) float32, out []float32) float32 {
	clear(out)
	for _, f := range features {
		axpy(out, m.row(f.Row), weight(f))
	}
	length := float32(math.Sqrt(float64(dot(out, out))))
	if length == 0 {
		return 0
	}
	inverse := 1 / length
	for i := range out {
		out[i] = float32(out[i] * inverse)
	}
	return inverse
}

func (m *Model) row(r int32) []float32 {
	return m.Table[int(r)*m.Dimensions : (int(r)+1)*m.Dimensions]
}

// moments holds the running means of gradients and of their squares that the optimiser Adam keeps
// (Kingma and Ba, 2014). The means of a row change only if the row is in a batch.
type moments struct{ first, second []float32 }

func newMoments(n int) moments { return moments{make([]float32, n), make([]float32, n)} }

const (
	beta1   = 0.9
	beta2   = 0.999
	epsilon = 1e-8
)

// rate is the width of a step, with Adam's bias corrections.
type rate struct{ width, root float32 }

func rateOf(learning float64, step int) rate {
	return rate{
		width: float32(learning / (1 - math.Pow(beta1, float64(step)))),
		root:  float32(1 / math.Sqrt(1-math.Pow(beta2, float64(step)))),
	}
}

// move changes values[at:] by one step of the optimiser Adam against gradient.
func (a *moments) move(values []float32, at int, gradient []float32, r rate) {
	values, first, second := values[at:at+len(gradient)], a.first[at:at+len(gradient)], a.second[at:at+len(gradient)]
	for i, g := range gradient {
		first[i] = float32(beta1*first[i]) + float32((1-beta1)*g)
		second[i] = float32(beta2*second[i]) + float32((1-beta2)*float32(g*g))
		root := float32(math.Sqrt(float64(second[i])))
		values[i] -= float32(r.width*first[i]) / (float32(root*r.root) + epsilon)
	}
}

// split divides n items among workers goroutines and calls work with the range
// of each. The length of each range but the last is a multiple of 16.
func split(workers, n int, work func(from, to int)) {
	size := (n/max(workers, 1) + 15) / 16 * 16
	if size = max(size, 16); size >= n {
		work(0, n)
		return
	}
	var wg sync.WaitGroup
	for from := 0; from < n; from += size {
		wg.Go(func() { work(from, min(from+size, n)) })
	}
	wg.Wait()
}

// exponential returns e to the x for x near 0 and below, accurate to a few
// units in the last place and identical on every machine.
func exponential(x float32) float32 {
	if x < -86 {
		return 0
	}
	n := int32(float32(x*1.44269504) - 0.5)
	r := x - float32(float32(n)*0.693359375)
	r -= float32(float32(n) * -2.12194440e-4)
	p := float32(1.0 / 720)
	for _, c := range [...]float32{1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1, 1} {
		p = float32(p*r) + c
	}
	return float32(p * math.Float32frombits(uint32(n+127)<<23))
}

// Dot returns the inner product of two vectors whose length is a multiple of 8.
func Dot(x, y []float32) float32 { return dot(x, y) }
