package vector

import "math/bits"

// A sketch holds the signs of a vector's components, one bit each: a 32nd of the size of the vector in float32.
// The inner product of a question's vector with the sketches orders vectors nearly as the inner product with
// the vectors themselves does, and takes one table lookup per eight components.

// sketchBytes returns the size of a sketch.
func sketchBytes(dimensions int) int { return (dimensions + 7) / 8 }

// appendSketch appends the sketch of v to list.
func appendSketch(list []byte, v []float32) []byte {
	for len(v) > 0 {
		n, b := min(8, len(v)), byte(0)
		for i, x := range v[:n] {
			if x > 0 {
				b |= 1 << i
			}
		}
		list, v = append(list, b), v[n:]
	}
	return list
}

// sums is a lookup table for one question. For byte i of a sketch with the value b, sums[i][b] is
// the sum of the question's components 8i to 8i+7 at the bits that are set in b. The inner product
// of the question with the signs is twice the total over all bytes, minus a constant.
type sums [][256]float32

// newSums returns the lookup table for the vector q of a question.
func newSums(q []float32) sums {
	out := make(sums, sketchBytes(len(q)))
	for at := range out {
		part := q[8*at : min(8*at+8, len(q))]
		for b := 1; b < 1<<len(part); b++ {
			out[at][b] = out[at][b&(b-1)] + part[bits.TrailingZeros8(uint8(b))]
		}
	}
	return out
}

// best returns the highest score of the sketches that are concatenated in list, -1e9 if list is
// empty.
func (s sums) best(list []byte) float32 {
	most := float32(-1e9)
	for ; len(list) >= len(s); list = list[len(s):] {
		one := list[:len(s)]
		var a, b float32
		at := 0
		for ; at+2 <= len(s); at += 2 {
			a += s[at][one[at]]
			b += s[at+1][one[at+1]]
		}
		if at < len(s) {
			a += s[at][one[at]]
		}
		most = max(most, a+b)
	}
	return most
}
