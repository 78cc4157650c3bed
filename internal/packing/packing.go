// Package packing encodes and decodes the blobs of the index in a compact form: varints, and
// strings by their index in a table at the start of the blob.
//
// The form is:
//
//	version
//	n, then n strings: length, bytes   the table
//	the body: unsigned varints, zigzag varints, raw bytes; a string is its index in the table
package packing

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"unsafe"
)

// ErrDamaged is the error for bytes that were not written by a Writer of the same version.
var ErrDamaged = errors.New("packed bytes are damaged")

// Writer collects the packed values, and a table of the strings among them. The zero value is
// ready.
type Writer struct {
	body    []byte
	strings []string
	index   map[string]uint64
}

// Uint writes a number that must not be negative.
func (w *Writer) Uint(n int) { w.body = binary.AppendUvarint(w.body, uint64(n)) }

// Signed writes a number of either sign.
func (w *Writer) Signed(n int) { w.body = binary.AppendVarint(w.body, int64(n)) }

// Bool writes a Boolean.
func (w *Writer) Bool(b bool) {
	n := 0
	if b {
		n = 1
	}
	w.Uint(n)
}

// Raw writes bytes without their count, which the reader must know.
func (w *Writer) Raw(b []byte) { w.body = append(w.body, b...) }

// String writes a string, by its index in the table.
func (w *Writer) String(s string) {
	i, ok := w.index[s]
	if !ok {
		if w.index == nil {
			w.index = map[string]uint64{}
		}
		i = uint64(len(w.strings))
		w.index[s] = i
		w.strings = append(w.strings, s)
	}
	w.body = binary.AppendUvarint(w.body, i)
}

// Sized calls the function write, and puts the number of bytes that write wrote in front of them,
// so that a reader can skip them.
func (w *Writer) Sized(write func()) {
	start := len(w.body)
	write()
	w.body = slices.Insert(w.body, start, binary.AppendUvarint(nil, uint64(len(w.body)-start))...)
}

// Strings writes a list of strings.
func (w *Writer) Strings(list []string) {
	w.Uint(len(list))
	for _, s := range list {
		w.String(s)
	}
}

// Bytes returns the packed form of everything written so far.
func (w *Writer) Bytes(version int) []byte {
	out := binary.AppendUvarint(nil, uint64(version))
	out = binary.AppendUvarint(out, uint64(len(w.strings)))
	for _, s := range w.strings {
		out = binary.AppendUvarint(out, uint64(len(s)))
		out = append(out, s...)
	}
	return append(out, w.body...)
}

// Reader reads the packed form. After an error, all its methods return zero values, and End returns
// the error.
type Reader struct {
	all, in []byte
	// offset in all of each string of the table; a list of strings would cost the garbage collector
	// time
	strings []uint32
	bad     bool
}

// NewReader returns a reader of the body that a Writer packed with the same version. The caller
// must not modify b any more: returned strings share its memory.
func NewReader(b []byte, version int) *Reader {
	r := &Reader{all: b, in: b}
	if r.Uint() != version {
		r.fail()
		return r
	}
	r.strings = make([]uint32, r.Count())
	for i := range r.strings {
		r.strings[i] = uint32(r.Offset())
		r.in = r.in[r.Count():]
	}
	return r
}

func (r *Reader) fail() { r.bad, r.in = true, nil }

// Uint reads a number written by Writer.Uint.
func (r *Reader) Uint() int {
	n, size := binary.Uvarint(r.in)
	if size <= 0 || n > 1<<62 {
		r.fail()
		return 0
	}
	r.in = r.in[size:]
	return int(n)
}

// Signed reads a number written by Writer.Signed.
func (r *Reader) Signed() int {
	n, size := binary.Varint(r.in)
	if size <= 0 {
		r.fail()
		return 0
	}
	r.in = r.in[size:]
	return int(n)
}

// Bool reads a truth value written by Writer.Bool.
func (r *Reader) Bool() bool { return r.Uint() == 1 }

// Count reads the number of items in a list, which Writer.Uint wrote before the items. Each item
// takes at least one byte, so Count fails if fewer bytes than items are left.
func (r *Reader) Count() int {
	n := r.Uint()
	if n > len(r.in) {
		r.fail()
		return 0
	}
	return n
}

// Raw reads n bytes. The result shares the memory of the reader's input.
func (r *Reader) Raw(n int) []byte {
	if n > len(r.in) {
		r.fail()
		return make([]byte, n)
	}
	out := r.in[:n:n]
	r.in = r.in[n:]
	return out
}

// Skip skips the bytes that Writer.Sized wrote, and returns the offset at which they begin, for
// Seek.
func (r *Reader) Skip() (offset int) {
	n := r.Count()
	offset = r.Offset()
	r.Raw(n)
	return offset
}

// String reads a string written by Writer.String.
func (r *Reader) String() string {
	i := r.Uint()
	if r.bad || i >= len(r.strings) { // if the data is damaged, an offset may be out of range
		r.fail()
		return ""
	}
	at := r.all[r.strings[i]:]
	n, size := binary.Uvarint(at)
	return unsafe.String(unsafe.SliceData(at[size:]), int(n))
}

// Strings reads a list written by Writer.Strings; nil for an empty list.
func (r *Reader) Strings() []string {
	n := r.Count()
	if n == 0 {
		return nil
	}
	out := make([]string, n)
	for i := range out {
		out[i] = r.String()
	}
	return out
}

// Offset returns the offset of the next byte to read, for Seek.
func (r *Reader) Offset() int { return len(r.all) - len(r.in) }

// Seek sets the offset of the next byte to read.
func (r *Reader) Seek(offset int) { r.in = r.all[offset:] }

// End returns an error that wraps ErrDamaged if a read failed or bytes are left.
func (r *Reader) End() error {
	if r.bad || len(r.in) > 0 {
		return fmt.Errorf("%w (%d bytes)", ErrDamaged, len(r.all))
	}
	return nil
}
