//go:build !amd64

package contrast

func product(c, a, b []float32, rows [2]int, k, n int) { plainProduct(c, a, b, rows, k, n) }
func axpy(y, x []float32, weight float32)              { plainAxpy(y, x, weight) }
func dot(x, y []float32) float32                       { return plainDot(x, y) }
