package contrast

import "golang.org/x/sys/cpu"

// product computes the same rows of c = a·b as plainProduct, with AVX2 if available. It keeps a
// block of 4×16 sums in registers.
func product(c, a, b []float32, rows [2]int, k, n int) {
	if !cpu.X86.HasAVX2 || n%16 != 0 || (rows[1]-rows[0])%4 != 0 {
		plainProduct(c, a, b, rows, k, n)
		return
	}
	if rows[0] >= rows[1] || k == 0 {
		return
	}
	_, _, _ = c[rows[1]*n-1], a[rows[1]*k-1], b[k*n-1]
	for j := 0; j < n; j += 16 {
		for i := rows[0]; i < rows[1]; i += 4 {
			block4x16(&c[i*n+j], &a[i*k], &b[j], k, n)
		}
	}
}

// axpy gives the same result as plainAxpy, with AVX2 if available.
func axpy(y, x []float32, weight float32) {
	whole := len(x) / lanes * lanes
	if !cpu.X86.HasAVX2 || whole == 0 {
		plainAxpy(y, x, weight)
		return
	}
	_ = y[len(x)-1]
	axpyLanes(&y[0], &x[0], weight, whole)
	plainAxpy(y[whole:], x[whole:], weight)
}

// dot gives the same result as plainDot, with AVX2 if available.
func dot(x, y []float32) float32 {
	if !cpu.X86.HasAVX2 || len(x) == 0 || len(x)%lanes != 0 {
		return plainDot(x, y)
	}
	_ = y[len(x)-1]
	var sum [lanes]float32
	dotLanes(&sum, &x[0], &y[0], len(x))
	return foldLanes(&sum)
}

// block4x16 computes c[0:4][0:16], a block of the product of a and b. A row of
// a has k numbers, a row of b and of c has n.
//
//go:noescape
func block4x16(c, a, b *float32, k, n int)

//go:noescape
func axpyLanes(y, x *float32, weight float32, n int)

//go:noescape
func dotLanes(sum *[lanes]float32, x, y *float32, n int)
