package contrast

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestKernels checks that the vectorised arithmetic gives the same bits as the
// plain one.
func TestKernels(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	random := func(n int) []float32 {
		out := make([]float32, n)
		for i := range out {
			out[i] = r.Float32() - 0.5
		}
		return out
	}
	const m, k, n = 12, 40, 48
	a, b, got, want := random(m*k), random(k*n), make([]float32, m*n), make([]float32, m*n)
	product(got, a, b, [2]int{4, m}, k, n)
	plainProduct(want, a, b, [2]int{4, m}, k, n)
	if !slices.Equal(got, want) {
		t.Error("products differ")
	}
	if dot(a, b[:len(a)]) != plainDot(a, b[:len(a)]) {
		t.Error("dots differ")
	}
	x, y := slices.Clone(a), slices.Clone(a)
	axpy(x, b[:len(x)], 0.3)
	plainAxpy(y, b[:len(y)], 0.3)
	if !slices.Equal(x, y) {
		t.Error("sums differ")
	}
}

func BenchmarkProduct(b *testing.B) {
	const m, k, n = 1024, 128, 1024
	c, x, y := make([]float32, m*n), make([]float32, m*k), make([]float32, k*n)
	for b.Loop() {
		product(c, x, y, [2]int{0, m}, k, n)
	}
	b.ReportMetric(float64(m*k*n)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GMAC/s")
}
