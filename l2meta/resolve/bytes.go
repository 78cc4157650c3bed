package resolve

import (
	"reflect"
	"sync"
	"unsafe"

	"sextant/internal/code"
	"sextant/internal/store"
)

// The caches estimate the bytes of memory that they hold: the sizes of values, plus the overhead
// of maps and of growing lists. TestCacheCountsItsBytes compares the estimates with the heap. The
// memo of a cache is its map of derived values.
const (
	perFile = 400 // bytes of the cache's own record of a file

	perMemo = 80 // bytes of a map entry whose key and value are interfaces
)

// bytes estimates the size in bytes of the memo's entry for d under key.
func (d derived) bytes(key any) int64 {
	n := entryBytes(key, d.value)
	if d.rests != nil && d.rests.of != nil {
		n += int64(unsafe.Sizeof(*d.rests)) + int64(8*len(d.rests.of))
	}
	return n
}

// entryBytes estimates the size in bytes of an entry of a memo.
func entryBytes(key, value any) int64 {
	n := int64(perMemo) + int64(reflect.TypeOf(key).Size())
	if value == nil {
		return n
	}
	t := reflect.TypeOf(value)
	n += int64(t.Size())
	if !flat(t) {
		b := referred{left: maxVisits}
		n += b.bytes(reflect.ValueOf(value))
	}
	return n
}

// referred adds up the bytes to which values refer. left counts down the values that it still
// visits, from maxVisits. Afterwards it extrapolates large lists and maps from the elements that
// it has visited.
type referred struct{ left int }

const maxVisits = 200

// shared holds the types of values that are counted with their owner. A pointer to one adds no
// bytes where it is stored.
var shared = map[reflect.Type]bool{
	reflect.TypeFor[File](): true, reflect.TypeFor[code.Symbol](): true, reflect.TypeFor[code.Fact](): true,
	reflect.TypeFor[code.Call](): true, reflect.TypeFor[code.Import](): true, reflect.TypeFor[store.FileRef](): true,
}

func (b *referred) bytes(v reflect.Value) int64 {
	if b.left--; b.left < 0 || !v.IsValid() || flat(v.Type()) {
		return 0
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() || shared[v.Type().Elem()] {
			return 0
		}
		return int64(v.Type().Elem().Size()) + b.bytes(v.Elem())
	case reflect.Interface:
		return b.bytes(v.Elem())
	case reflect.Struct:
		n := int64(0)
		for i := range v.NumField() {
			n += b.bytes(v.Field(i))
		}
		return n
	case reflect.Slice:
		return int64(v.Cap())*int64(v.Type().Elem().Size()) + b.list(v)
	case reflect.Map:
		return b.table(v)
	}
	return 0
}

func (b *referred) list(v reflect.Value) (n int64) {
	if flat(v.Type().Elem()) {
		return 0
	}
	seen := 0
	for ; seen < v.Len() && b.left > 0; seen++ {
		n += b.bytes(v.Index(seen))
	}
	return extrapolate(n, seen, v.Len())
}

func (b *referred) table(v reflect.Value) (n int64) {
	t := v.Type()
	own := int64(v.Len()) * (int64(t.Key().Size()+t.Elem().Size()) + 16)
	seen := 0
	if !flat(t.Elem()) {
		for it := v.MapRange(); b.left > 0 && it.Next(); seen++ {
			n += b.bytes(it.Value())
		}
	}
	return 48 + own + extrapolate(n, seen, v.Len())
}

// extrapolate estimates the bytes of a list from those of its first elements: the first seen of
// all elements take n bytes. It returns 0 if seen is 0.
func extrapolate(n int64, seen, all int) int64 {
	if seen == 0 {
		return 0
	}
	return n * int64(all) / int64(seen)
}

// flat reports whether values of t refer to no memory of their own. Strings count as flat: most are
// substrings of a file's stored data, which is counted with the file.
func flat(t reflect.Type) bool {
	if known, ok := flats.Load(t); ok {
		return known.(bool)
	}
	is := true
	switch t.Kind() {
	case reflect.Pointer:
		is = shared[t.Elem()]
	case reflect.Slice, reflect.Map, reflect.Interface:
		is = false
	case reflect.Array:
		is = flat(t.Elem())
	case reflect.Struct:
		for i := 0; i < t.NumField() && is; i++ {
			is = flat(t.Field(i).Type)
		}
	}
	flats.Store(t, is)
	return is
}

// flats caches the results of flat, by type.
var flats sync.Map
