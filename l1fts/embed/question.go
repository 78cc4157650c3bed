package embed

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// Question measures how much of a query's meaning a text contains. Similar words count in part. It
// is not safe for concurrent use.
type Question struct {
	table   *Table
	bags    *Bags
	rows    []int32
	weights []float64 // weight of each row in rows; their sum is 1
	norms   []float64 // length of each row in rows
	best    []float32 // best cosine of each row in rows with a row of the current document
	known   []int32   // by row of the table: index of its cosines in near, plus 1
	near    []float32 // cosines with rows, len(rows) for each row seen so far
}

// mostRows is the largest number of rows of the table that are kept for a question; for a long
// question, those with the largest weights. A stem without a row of its own takes the rows of
// some ten n-grams.
const mostRows = 64

// Ask returns a Question for text. It uses the table of the built-in embedder.
func Ask(text string) *Question {
	e := Builtin().(*encoder)
	question := &Question{table: e.table, bags: NewBags(e.table.Vocabulary),
		known: make([]int32, e.table.Vocabulary.Rows())}
	weights := map[int32]float64{}
	for _, f := range question.bags.Text(text) {
		weights[f.Row] += math.Abs(float64(f.Weight*e.table.Queries[f.Row])) * question.table.norm(f.Row)
	}
	question.rows = slices.SortedFunc(maps.Keys(weights),
		func(a, b int32) int { return cmp.Or(cmp.Compare(weights[b], weights[a]), cmp.Compare(a, b)) })
	question.rows = question.rows[:min(len(question.rows), mostRows)]
	sum := 0.0
	for _, row := range question.rows {
		sum += weights[row]
	}
	for _, row := range question.rows {
		question.weights = append(question.weights, weights[row]/max(sum, math.SmallestNonzeroFloat64))
		question.norms = append(question.norms, question.table.norm(row))
	}
	question.best = make([]float32, len(question.rows))
	return question
}

// Held returns the share of q that d contains, 0 to 1. Each row of q, of a stem or an n-gram,
// counts with its weight, times its cosine with the most similar row of d.
func (q *Question) Held(d Document) (share float64) {
	if len(q.rows) == 0 {
		return 0
	}
	clear(q.best)
	q.bags.Document(d, func(_ int, features []Feature) {
		for _, f := range features {
			for i, cosine := range q.cosines(f.Row) {
				q.best[i] = max(q.best[i], cosine)
			}
		}
	})
	for i, cosine := range q.best {
		share += q.weights[i] * float64(cosine)
	}
	return share
}

// cosines returns the cosines of a row with each of q's rows.
func (q *Question) cosines(row int32) []float32 {
	n := len(q.rows)
	if q.known[row] == 0 {
		norm := q.table.norm(row)
		for i, own := range q.rows {
			cosine := float64(q.table.product(own, row)) / max(norm*q.norms[i], 1)
			q.near = append(q.near, float32(cosine))
		}
		q.known[row] = int32(len(q.near) / n)
	}
	at := int(q.known[row]-1) * n
	return q.near[at : at+n]
}

// norm returns the length of a row.
func (t *Table) norm(row int32) float64 { return math.Sqrt(float64(t.product(row, row))) }

// product returns the inner product of two rows.
func (t *Table) product(a, b int32) (sum int32) {
	x := t.Rows[int(a)*t.Dimensions:][:t.Dimensions]
	y := t.Rows[int(b)*t.Dimensions:][:t.Dimensions]
	for i, v := range x {
		sum += int32(v) * int32(y[i])
	}
	return sum
}
