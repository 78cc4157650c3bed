package vector

import (
	"encoding/binary"
	"math"
)

// head is the size of a record's header: key, scale, cell.
const head = 8 + 4 + 2

// Records holds packed vectors, one per chunk, in the format that the package
// comment describes.
type Records struct {
	Dimensions int
	Data       []byte
}

// size returns the number of bytes of one record.
func (r Records) size() int { return head + r.Dimensions }

// Len returns the number of records, including those without a vector.
func (r Records) Len() int { return len(r.Data) / r.size() }

func (r Records) at(i int) []byte { return r.Data[i*r.size() : (i+1)*r.size()] }

// Append adds a record with key and v, a vector of unit length. If v is nil or
// all zeros, the record has no vector.
func (r *Records) Append(key uint64, v []float32) {
	r.Data = append(r.Data, make([]byte, r.size())...)
	rec := r.at(r.Len() - 1)
	binary.LittleEndian.PutUint64(rec, key)
	most := float32(0)
	for _, x := range v {
		most = max(most, max(x, -x))
	}
	if !(most > 0) {
		return
	}
	var sum float64
	for i, x := range v {
		n := math.Round(float64(x / most * 127))
		rec[head+i] = byte(int8(n))
		sum += n * n
	}
	// The scale gives the rounded vector unit length again.
	binary.LittleEndian.PutUint32(rec[8:], math.Float32bits(float32(1/math.Sqrt(sum))))
}

// AppendFrom adds a copy of record i of o, without its cell.
func (r *Records) AppendFrom(o Records, i int) {
	r.Data = append(r.Data, o.at(i)...)
	r.SetCell(r.Len()-1, 0)
}

// Key returns the hash of the text to which record i belongs.
func (r Records) Key(i int) uint64 { return binary.LittleEndian.Uint64(r.at(i)) }

// Cell returns the cell of record i, 0 if it has none.
func (r Records) Cell(i int) uint16 { return binary.LittleEndian.Uint16(r.at(i)[12:]) }

// SetCell assigns record i to a cell.
func (r Records) SetCell(i int, cell uint16) { binary.LittleEndian.PutUint16(r.at(i)[12:], cell) }

func (r Records) scale(i int) float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(r.at(i)[8:]))
}

// Has reports whether record i has a vector.
func (r Records) Has(i int) bool { return r.scale(i) > 0 }

// Vectors returns the number of records that have a vector.
func (r Records) Vectors() (n int) {
	for i := range r.Len() {
		if r.Has(i) {
			n++
		}
	}
	return n
}

// Vector decodes the vector of record i into out, whose capacity must suffice,
// and returns it.
func (r Records) Vector(i int, out []float32) []float32 {
	out = out[:r.Dimensions]
	scale := r.scale(i)
	for k, b := range r.at(i)[head:] {
		out[k] = float32(int8(b)) * scale
	}
	return out
}

// Dot returns the inner product of record i with q.
func (r Records) Dot(i int, q []float32) float32 {
	rec := r.at(i)[head:]
	q = q[:len(rec)]
	var a, b, c, d float32
	k := 0
	for ; k+4 <= len(rec); k += 4 {
		a += q[k] * float32(int8(rec[k]))
		b += q[k+1] * float32(int8(rec[k+1]))
		c += q[k+2] * float32(int8(rec[k+2]))
		d += q[k+3] * float32(int8(rec[k+3]))
	}
	for ; k < len(rec); k++ {
		a += q[k] * float32(int8(rec[k]))
	}
	return (a + b + c + d) * r.scale(i)
}

// dot returns the inner product of two vectors of equal length. It is exempt
// from the race detector, which would check each component and take ten times
// as long as the product. That is safe: callers own both vectors, or read cells
// that do not change.
//
//go:norace
func dot(p, q []float32) float32 {
	var a, b, c, d float32
	for ; len(p) >= 8 && len(q) >= 8; p, q = p[8:], q[8:] {
		x, y := (*[8]float32)(p), (*[8]float32)(q) // arrays, so that the elements need no bounds checks
		a += x[0]*y[0] + x[4]*y[4]
		b += x[1]*y[1] + x[5]*y[5]
		c += x[2]*y[2] + x[6]*y[6]
		d += x[3]*y[3] + x[7]*y[7]
	}
	for i, x := range p {
		a += x * q[i]
	}
	return a + b + c + d
}

// normalize scales v to unit length; zeros stay zeros.
func normalize(v []float32) {
	if s := dot(v, v); s > 0 {
		f := float32(1 / math.Sqrt(float64(s)))
		for i := range v {
			v[i] *= f
		}
	}
}
