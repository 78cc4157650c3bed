package contrast

// This file holds the arithmetic of training, in float32. The order of its roundings defines each
// result: products and sums are rounded separately (float32(a*b) keeps a compiler from fusing
// them), sums run in order of k, and dot products are eight partial sums. So the plain code and
// the vectorised one give the same bits, and a table does not depend on the machine that trained
// it.

const lanes = 8

// plainProduct computes the rows in the range rows of c = a·b, where a is m×k
// and b is k×n, both stored by rows. n is a multiple of 16, and the number of
// rows one of 4.
func plainProduct(c, a, b []float32, rows [2]int, k, n int) {
	for i := rows[0]; i < rows[1]; i++ {
		out := c[i*n : (i+1)*n]
		clear(out)
		for kk, x := range a[i*k : (i+1)*k] {
			for j, y := range b[kk*n : (kk+1)*n] {
				out[j] += float32(x * y)
			}
		}
	}
}

// plainAxpy adds x, times weight, to y.
func plainAxpy(y, x []float32, weight float32) {
	for i, v := range x {
		y[i] += float32(weight * v)
	}
}

// plainDot returns the inner product of x and y, whose length is a multiple of
// 8.
func plainDot(x, y []float32) float32 {
	var sum [lanes]float32
	for i := 0; i < len(x); i += lanes {
		for l := range sum {
			sum[l] += float32(x[i+l] * y[i+l])
		}
	}
	return foldLanes(&sum)
}

// foldLanes returns the sum of the eight partial sums, added pairwise in the order of the
// vectorised code.
func foldLanes(s *[lanes]float32) float32 {
	return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]))
}
