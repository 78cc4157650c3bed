// Package mapped keeps lists in a file that is mapped into memory, instead of on the heap. The
// garbage collector does not see such lists, and the system can write them to disk when it needs
// their memory.
package mapped

import (
	"fmt"
	"os"
	"reflect"
	"unsafe"
)

const (
	leastPiece = 1 << 20  // bytes by which a file grows first; each further piece is twice as large
	mostPiece  = 16 << 20 // largest number of bytes by which a file grows, but for a longer list
	alignment  = 8        // of the first element of a list, in bytes
)

// File is a temporary file for lists. The file has no name, so its space on disk is free when the
// process ends. A nil File keeps lists on the heap. A File may be used by one goroutine at a time;
// its lists are plain memory, which any goroutine may read.
type File struct {
	file   *os.File
	pieces [][]byte // the mapped parts of the file
	unused []byte   // the end of the last piece
	size   int64    // bytes of the file
	used   int64    // bytes that lists were given
	full   bool     // whether the file could not grow
}

// Create returns a new file in the folder dir. It returns an error if dir is not writable, if its disk
// is nearly full, or if the system cannot reserve space in a file and map it.
func Create(dir string) (*File, error) {
	file, err := Unnamed(dir)
	if err != nil {
		return nil, err
	}
	f := &File{file: file}
	if err := f.grow(leastPiece); err != nil {
		f.Close()
		return nil, fmt.Errorf("map a file in %s: %w", dir, err)
	}
	return f, nil
}

// Unnamed creates a file in the folder dir, "" for that of temporary files, and removes its name. The
// file disappears when the process ends, even in a crash.
func Unnamed(dir string) (*os.File, error) {
	f, err := os.CreateTemp(dir, "sextant-*")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Keep returns a copy of list that lies in f. The copy has no spare capacity. It is valid until f is
// closed. If f is nil or cannot grow, for example because the disk is full, the copy lies on the
// heap. T must contain no pointers.
func Keep[T any](f *File, list []T) []T {
	if list == nil {
		return nil
	}
	t := reflect.TypeFor[T]()
	if hasPointers(t) {
		panic("mapped: " + t.String() + " contains pointers")
	}
	b := f.allocate(len(list) * int(t.Size()))
	if b == nil {
		return append(make([]T, 0, len(list)), list...)
	}
	out := unsafe.Slice((*T)(unsafe.Pointer(&b[0])), len(list))
	copy(out, list)
	return out
}

// allocate returns size unused bytes of f; nil if size is 0 or f has no such bytes.
func (f *File) allocate(size int) []byte {
	if f == nil || size == 0 {
		return nil
	}
	whole := (size + alignment - 1) / alignment * alignment
	if len(f.unused) < whole && (f.full || f.grow(max(whole, min(int(f.size), mostPiece))) != nil) {
		f.full = true
		return nil
	}
	b := f.unused[:whole]
	f.unused, f.used = f.unused[whole:], f.used+int64(whole)
	return b
}

// grow adds a piece of at least size bytes to the file.
func (f *File) grow(size int) error {
	size = (size + leastPiece - 1) / leastPiece * leastPiece
	piece, err := reserve(f.file, f.size, size)
	if err != nil {
		return err
	}
	f.pieces, f.unused, f.size = append(f.pieces, piece), piece, f.size+int64(size)
	return nil
}

// Used returns the bytes that lists were given, those of lists that nobody uses any more included;
// 0 for a nil File.
func (f *File) Used() int64 {
	if f == nil {
		return 0
	}
	return f.used
}

// Keeps reports whether f keeps further lists outside of the heap.
func (f *File) Keeps() bool { return f != nil && !f.full }

// Release gives the memory of all lists back to the system, which reads them from the file again when
// they are used. It does nothing for a nil File.
func (f *File) Release() {
	if f == nil {
		return
	}
	for _, piece := range f.pieces {
		release(piece)
	}
}

// Close frees the lists in f. No list may be used any more. It does nothing for a nil File.
func (f *File) Close() error {
	if f == nil {
		return nil
	}
	for _, piece := range f.pieces {
		unmap(piece)
	}
	f.pieces, f.unused, f.full = nil, nil, true
	return f.file.Close()
}

// hasPointers reports whether values of type t may refer to other memory.
func hasPointers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return hasPointers(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if hasPointers(t.Field(i).Type) {
				return true
			}
		}
		return false
	}
	return t.Kind() > reflect.Complex128
}
