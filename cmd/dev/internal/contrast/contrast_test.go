package contrast

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// pairs returns queries and documents; each query shares two rows with its
// document.
func pairs(n, rows int, seed uint64) []Pair {
	r := rand.New(rand.NewPCG(seed, 7))
	out := make([]Pair, n)
	for i := range out {
		for f := range int32(6) {
			out[i].Document = append(out[i].Document, Feature{int32(r.IntN(rows)), f % 2, 0.2 + r.Float32()})
		}
		out[i].Query = []Feature{{out[i].Document[0].Row, 0, 1}, {out[i].Document[1].Row, 0, 0.5},
			{int32(r.IntN(rows)), 0, 0.4}}
	}
	return out
}

// TestGradient compares the gradients with the change of the loss along a small
// step.
func TestGradient(t *testing.T) {
	const rows, dim = 40, 16
	batch := pairs(32, rows, 1)
	loss := func(m *Model) float64 {
		x := &Trainer{Model: m, Workers: 1}
		x.grow(len(batch))
		for i, p := range batch {
			m.Query(p.Query, x.q[i*dim:(i+1)*dim])
			m.Document(p.Document, x.d[i*dim:(i+1)*dim])
		}
		l, _ := x.score()
		return l
	}
	check := func(name string, values func(*Model) []float32, first func(*Model) []float32) {
		m := New(rows, dim, 2, 3)
		(&Trainer{Model: m, Workers: 1}).Step(batch, 0)
		gradient := slices.Clone(first(m)) // after one step: (1 - beta1) times the gradient
		for _, at := range []int{0, len(gradient) / 2, len(gradient) - 1} {
			const width = 1e-2
			high, low := New(rows, dim, 2, 3), New(rows, dim, 2, 3)
			values(high)[at] += width
			values(low)[at] -= width
			want := (loss(high) - loss(low)) / (2 * width)
			if got := float64(gradient[at]) / (1 - beta1); math.Abs(got-want) > 1e-3+0.03*math.Abs(want) {
				t.Errorf("%s[%d]: gradient %g, the loss moves by %g", name, at, got, want)
			}
		}
	}
	check("table", func(m *Model) []float32 { return m.Table }, func(m *Model) []float32 { return m.table.first })
	check("queries", func(m *Model) []float32 { return m.Queries }, func(m *Model) []float32 { return m.queries.first })
	check("documents", func(m *Model) []float32 { return m.Documents },
		func(m *Model) []float32 { return m.documents.first })
	check("fields", func(m *Model) []float32 { return m.Fields }, func(m *Model) []float32 { return m.fields.first })
	check("scale", func(m *Model) []float32 { return m.Scale }, func(m *Model) []float32 { return m.scale.first })
}

// TestWorkersAgree checks that the result is the same for any number of
// workers, and that the loss falls.
func TestWorkersAgree(t *testing.T) {
	train := func(workers int) (*Model, []float64) {
		m := New(64, 32, 2, 5)
		x := &Trainer{Model: m, Workers: workers}
		var losses []float64
		for step := range 40 {
			losses = append(losses, x.Step(pairs(48, 64, uint64(step%4)), 0.01))
		}
		return m, losses
	}
	one, losses := train(1)
	three, _ := train(3)
	if !slices.Equal(one.Table, three.Table) || !slices.Equal(one.Queries, three.Queries) ||
		!slices.Equal(one.Fields, three.Fields) {
		t.Error("one worker and three learn different tables")
	}
	if first, last := losses[0], losses[len(losses)-1]; last > 0.7*first {
		t.Errorf("the loss went from %g to %g", first, last)
	}
}

func TestExponential(t *testing.T) {
	for x := float32(-80); x < 0.1; x += 0.37 {
		got, want := float64(exponential(x)), math.Exp(float64(x))
		if math.Abs(got-want) > 1e-6*want {
			t.Errorf("e^%g = %g, want %g", x, got, want)
		}
	}
}
