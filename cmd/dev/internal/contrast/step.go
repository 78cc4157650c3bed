package contrast

import (
	"math"
	"slices"
)

// Trainer trains a model and holds the buffers for that. It is not safe for
// concurrent use.
type Trainer struct {
	Model   *Model
	Workers int

	size                   int       // number of pairs in a batch
	q, d, dt               []float32 // unit vectors of the queries and of the documents; dt is d transposed
	qInverse, dInverse     []float32 // inverses of the lengths before normalising
	scores, grads, flipped []float32 // n×n: cosines, their gradients, and these transposed
	dq, dd                 []float32 // gradients of the queries and documents
	columns                []float32 // for each document, the sum of the exponentials of its scores with all queries
	entries                []entry
	order, starts          []int32   // entries by row
	byField                []float32 // contribution of an entry to the gradient of its field
}

// entry is one feature of a text in a batch.
type entry struct {
	Feature
	sample int32 // index of its pair, minus the batch's size for a document
}

// Step trains the model on one batch and returns the mean loss before that. The number of pairs
// must be a multiple of 16, and the same in each step.
func (t *Trainer) Step(batch []Pair, learning float64) float64 {
	t.grow(len(batch))
	model := t.Model
	model.steps++
	dim := model.Dimensions
	split(t.Workers, t.size, func(from, to int) {
		for i := from; i < to; i++ {
			t.qInverse[i] = model.unit(batch[i].Query, model.queryWeight, t.q[i*dim:(i+1)*dim])
			t.dInverse[i] = model.unit(batch[i].Document, model.documentWeight, t.d[i*dim:(i+1)*dim])
		}
	})
	loss, scale := t.score()
	split(t.Workers, t.size, func(from, to int) {
		rows := [2]int{from, to}
		product(t.dq, t.grads, t.d, rows, t.size, dim)
		product(t.dd, t.flipped, t.q, rows, t.size, dim)
		for i := from; i < to; i++ {
			beforeUnit(t.dq[i*dim:(i+1)*dim], t.q[i*dim:(i+1)*dim], t.qInverse[i])
			beforeUnit(t.dd[i*dim:(i+1)*dim], t.d[i*dim:(i+1)*dim], t.dInverse[i])
		}
	})
	t.sortEntries(batch)
	r := rateOf(learning, model.steps)
	fields := t.moveRows(r)
	model.fields.move(model.Fields, 0, fields, r)
	model.scale.move(model.Scale, 0, []float32{scale}, r)
	model.Scale[0] = min(model.Scale[0], float32(math.Log(maxScale)))
	return loss
}

// grow allocates the buffers for batches of n pairs.
func (t *Trainer) grow(n int) {
	if t.size == n {
		return
	}
	dim := t.Model.Dimensions
	t.size = n
	for _, p := range []*[]float32{&t.q, &t.d, &t.dt, &t.dq, &t.dd} {
		*p = make([]float32, n*dim)
	}
	for _, p := range []*[]float32{&t.qInverse, &t.dInverse, &t.columns} {
		*p = make([]float32, n)
	}
	for _, p := range []*[]float32{&t.scores, &t.grads, &t.flipped} {
		*p = make([]float32, n*n)
	}
}

// score computes the cosine of each query with each document. It sets grads to the gradients of the
// loss by these cosines, and flipped to the transpose of grads. It returns the mean loss and its
// gradient by the scale.
func (t *Trainer) score() (loss float64, scale float32) {
	n, dim := t.size, t.Model.Dimensions
	s := exponentialScale(t.Model.Scale[0])
	transpose(t.dt, t.d, n, dim)
	rows := make([]float32, n)
	split(t.Workers, n, func(from, to int) {
		product(t.scores, t.q, t.dt, [2]int{from, to}, dim, n)
		for i := from; i < to; i++ {
			e, cos := t.grads[i*n:(i+1)*n], t.scores[i*n:(i+1)*n]
			var sum float32
			for j, c := range cos {
				e[j] = exponential(float32(s * (c - 1)))
				sum += e[j]
			}
			rows[i] = sum + 1e-30
		}
	})
	split(t.Workers, n, func(from, to int) {
		sums := t.columns[from:to]
		for j := range sums {
			sums[j] = 1e-30
		}
		for i := range n {
			axpy(sums, t.grads[i*n+from:i*n+to], 1)
		}
	})
	losses, scales := make([]float64, n), make([]float32, n)
	split(t.Workers, n, func(from, to int) {
		for i := from; i < to; i++ {
			losses[i], scales[i] = t.scoreRow(i, rows[i], s)
		}
	})
	split(t.Workers, n, func(from, to int) {
		for i := from; i < to; i++ {
			for j := range n {
				t.flipped[i*n+j] = t.grads[j*n+i]
			}
		}
	})
	for i := range n {
		loss += losses[i] / float64(n)
		scale += scales[i]
	}
	return loss, scale
}

// scoreRow converts row i of grads, the exponentials of the scores of query i, into gradients.
func (t *Trainer) scoreRow(i int, sum, s float32) (loss float64, scale float32) {
	n := t.size
	e, cos := t.grads[i*n:(i+1)*n], t.scores[i*n:(i+1)*n]
	hit := float64(s) * float64(cos[i]-1)
	loss = (math.Log(float64(sum))+math.Log(float64(t.columns[i])))/2 - hit
	inverse, width := 1/sum, s/float32(n)
	for j, x := range e {
		g := float32(0.5 * (float32(x*inverse) + x/t.columns[j]))
		if j == i {
			g--
		}
		e[j] = float32(g * width)
		scale += float32(e[j] * cos[j])
	}
	return loss, scale
}

func exponentialScale(log float32) float32 { return float32(math.Exp(float64(log))) }

func transpose(out, in []float32, rows, columns int) {
	for i := range rows {
		for j, x := range in[i*columns : (i+1)*columns] {
			out[j*rows+i] = x
		}
	}
}

// beforeUnit converts the gradient of a unit vector into the gradient of the sum that was
// normalised to it: it removes the component along the vector and divides the rest by the sum's
// length.
func beforeUnit(gradient, unit []float32, inverse float32) {
	axpy(gradient, unit, -dot(gradient, unit))
	for i := range gradient {
		gradient[i] = float32(gradient[i] * inverse)
	}
}

// sortEntries sorts the features of the batch by row. It is a counting sort, which keeps the order
// of the features of a row.
func (t *Trainer) sortEntries(batch []Pair) {
	t.entries = t.entries[:0]
	for i, p := range batch {
		for _, f := range p.Query {
			t.entries = append(t.entries, entry{f, int32(i)})
		}
		for _, f := range p.Document {
			t.entries = append(t.entries, entry{f, int32(i - len(batch))})
		}
	}
	t.starts = append(t.starts[:0], make([]int32, t.Model.Rows+1)...)
	for _, e := range t.entries {
		t.starts[e.Row+1]++
	}
	for r := range t.Model.Rows {
		t.starts[r+1] += t.starts[r]
	}
	next := slices.Clone(t.starts)
	t.order = slices.Grow(t.order[:0], len(t.entries))[:len(t.entries)]
	for i, e := range t.entries {
		t.order[next[e.Row]] = int32(i)
		next[e.Row]++
	}
	t.byField = slices.Grow(t.byField[:0], len(t.entries))[:len(t.entries)]
}

// moveRows updates the rows of the batch and their weights by one step of the optimiser. It returns
// the gradient of the fields.
func (t *Trainer) moveRows(r rate) []float32 {
	// Divide the work by entries, not by rows: frequent words have the first rows.
	bounds := []int{0}
	for w := 1; w < t.Workers; w++ {
		want := int32(len(t.entries) * w / t.Workers)
		row, _ := slices.BinarySearch(t.starts, want)
		bounds = append(bounds, max(min(row, t.Model.Rows), bounds[w-1]))
	}
	bounds = append(bounds, t.Model.Rows)
	split(len(bounds)-1, 16*(len(bounds)-1), func(from, to int) {
		gradient := make([]float32, t.Model.Dimensions)
		for part := from / 16; part < to/16; part++ {
			for row := bounds[part]; row < bounds[part+1]; row++ {
				if t.starts[row] < t.starts[row+1] {
					t.moveRow(row, gradient, r)
				}
			}
		}
	})
	fields := make([]float32, len(t.Model.Fields))
	for i, e := range t.entries {
		if e.sample < 0 {
			fields[e.Field] += t.byField[i]
		}
	}
	return fields
}

// moveRow updates one row and its weights in queries and documents. gradient is scratch space.
func (t *Trainer) moveRow(row int, gradient []float32, r rate) {
	model := t.Model
	dim := model.Dimensions
	clear(gradient)
	var query, document [1]float32
	values := model.row(int32(row))
	for _, at := range t.order[t.starts[row]:t.starts[row+1]] {
		e := &t.entries[at]
		if e.sample >= 0 {
			g := t.dq[int(e.sample)*dim : (int(e.sample)+1)*dim]
			axpy(gradient, g, model.queryWeight(e.Feature))
			query[0] += float32(e.Weight * dot(g, values))
			continue
		}
		i := int(e.sample) + t.size
		g := t.dd[i*dim : (i+1)*dim]
		axpy(gradient, g, model.documentWeight(e.Feature))
		along := float32(e.Weight * dot(g, values))
		document[0] += float32(along * model.Fields[e.Field])
		t.byField[at] = float32(along * model.Documents[row])
	}
	model.table.move(model.Table, row*dim, gradient, r)
	if query[0] != 0 {
		model.queries.move(model.Queries, row, query[:], r)
	}
	if document[0] != 0 {
		model.documents.move(model.Documents, row, document[:], r)
	}
}
