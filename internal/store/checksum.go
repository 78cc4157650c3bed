package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"sync"
	"unsafe"

	"github.com/zeebo/xxh3"
	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// Every page of a database ends in the checksum of its bytes and its place, in
// the space that SQLite leaves to extensions: the header's byte 20 says how much.
// It is written and compared where pages are, by a file system of SQLite's that is
// the usual one but for that. SQLite itself would read most damage as data: a
// changed byte of a row is another row.
//
// The log has checksums of its own, which SQLite compares when it recovers one.

const (
	pageBytes = 4096
	sumBytes  = 8
	vfsName   = "sextant-sums"
)

func pageSum(page []byte, offset int64) uint64 {
	return xxh3.HashSeed(page[:pageBytes-sumBytes], uint64(offset))
}

// makeFile makes an empty database at path, unless there is a file: SQLite makes
// none that leaves space. A log that a removed database left is none of it.
func makeFile(path string) error {
	if info, err := os.Stat(path); err == nil && info.Size() > 0 {
		return nil
	}
	if err := removeDatabase(path); err != nil {
		return err
	}
	page := make([]byte, pageBytes)
	copy(page, "SQLite format 3\x00")
	binary.BigEndian.PutUint16(page[16:], pageBytes)
	copy(page[18:], []byte{2, 2, sumBytes, 64, 32, 32}) // write-ahead log to write and to read, space left, and three constants
	for at, value := range map[int]uint32{24: 1, 28: 1, 44: 4, 56: 1, 92: 1} {
		binary.BigEndian.PutUint32(page[at:], value) // changes, pages, schema format, UTF-8, changes when the pages were counted
	}
	page[100] = 0x0d // an empty leaf of the schema's table
	binary.BigEndian.PutUint16(page[105:], pageBytes-sumBytes)
	binary.LittleEndian.PutUint64(page[pageBytes-sumBytes:], pageSum(page, 0))
	fresh := path + ".new"
	return errors.Join(os.WriteFile(fresh, page, 0o600), os.Rename(fresh, path))
}

// at is the C value at an address, which the garbage collector knows nothing of.
func at[T any](addr uintptr) *T { return *(**T)(unsafe.Pointer(&addr)) }

// function is the Go function behind a function pointer of SQLite, which is a
// translation of the C code to Go: its pointers are the values of functions.
func function[F any](pointer uintptr) F { return *(*F)(unsafe.Pointer(&pointer)) }

// pointer is the function pointer for a Go function that is no closure.
func pointer[F any](fn F) uintptr { return *(*uintptr)(unsafe.Pointer(&fn)) }

type (
	openFunc = func(tls *libc.TLS, vfs, name, file uintptr, flags int32, out uintptr) int32
	pageFunc = func(tls *libc.TLS, file, buf uintptr, n int32, offset int64) int32
)

// sums is the file system that compares checksums.
var sums struct {
	once sync.Once
	err  error
	base uintptr // the usual one

	mu      sync.Mutex
	methods map[uintptr]uintptr // guarded by mu; the methods of a file → summedMethods
}

// summedMethods is the methods of a file, those that read and write exchanged.
type summedMethods struct {
	sqlite3.Tsqlite3_io_methods
	original uintptr
}

// registerSums makes the file system known to SQLite, once.
func registerSums() error {
	sums.once.Do(func() {
		tls := libc.NewTLS()
		defer tls.Close()
		if rc := sqlite3.Xsqlite3_initialize(tls); rc != sqlite3.SQLITE_OK {
			sums.err = fmt.Errorf("initialize SQLite: code %d", rc)
			return
		}
		sums.base, sums.methods = sqlite3.Xsqlite3_vfs_find(tls, 0), map[uintptr]uintptr{}
		vfs := libc.Xcalloc(tls, 1, libc.Tsize_t(unsafe.Sizeof(sqlite3.Tsqlite3_vfs{})))
		name, err := libc.CString(vfsName)
		if err != nil || vfs == 0 || sums.base == 0 {
			sums.err = errors.Join(errors.New("register checksums with SQLite"), err)
			return
		}
		v := at[sqlite3.Tsqlite3_vfs](vfs)
		*v = *at[sqlite3.Tsqlite3_vfs](sums.base)
		v.FpNext, v.FzName, v.FxOpen = 0, name, pointer(openFunc(openSummed))
		if rc := sqlite3.Xsqlite3_vfs_register(tls, vfs, 0); rc != sqlite3.SQLITE_OK {
			sums.err = fmt.Errorf("register checksums with SQLite: code %d", rc)
		}
	})
	return sums.err
}

// openSummed opens a file the usual way, and puts its own methods on databases.
func openSummed(tls *libc.TLS, _, name, file uintptr, flags int32, out uintptr) int32 {
	rc := function[openFunc](at[sqlite3.Tsqlite3_vfs](sums.base).FxOpen)(tls, sums.base, name, file, flags, out)
	if rc != sqlite3.SQLITE_OK || flags&sqlite3.SQLITE_OPEN_MAIN_DB == 0 {
		return rc
	}
	f := at[sqlite3.Tsqlite3_file](file)
	sums.mu.Lock()
	defer sums.mu.Unlock()
	methods := sums.methods[f.FpMethods]
	if methods == 0 {
		if methods = libc.Xcalloc(tls, 1, libc.Tsize_t(unsafe.Sizeof(summedMethods{}))); methods == 0 {
			return sqlite3.SQLITE_NOMEM
		}
		m := at[summedMethods](methods)
		m.Tsqlite3_io_methods, m.original = *at[sqlite3.Tsqlite3_io_methods](f.FpMethods), f.FpMethods
		m.FxRead, m.FxWrite = pointer(pageFunc(readSummed)), pointer(pageFunc(writeSummed))
		sums.methods[f.FpMethods] = methods
	}
	f.FpMethods = methods
	return rc
}

// usual is the methods that a file had at first.
func usual(file uintptr) *sqlite3.Tsqlite3_io_methods {
	return at[sqlite3.Tsqlite3_io_methods](at[summedMethods](at[sqlite3.Tsqlite3_file](file).FpMethods).original)
}

// pages are whole pages of which SQLite wants a part.
var pages = sync.Pool{New: func() any { return new([pageBytes]byte) }}

func readSummed(tls *libc.TLS, file, buf uintptr, n int32, offset int64) int32 {
	read := function[pageFunc](usual(file).FxRead)
	switch {
	case n == pageBytes:
		return verified(read(tls, file, buf, n, offset), at[[pageBytes]byte](buf), offset)
	case offset < pageBytes:
		return read(tls, file, buf, n, offset) // of the header, which is read again as a page
	}
	// The end of a long row, which SQLite reads past its cache.
	page := pages.Get().(*[pageBytes]byte)
	defer pages.Put(page)
	start := offset / pageBytes * pageBytes
	rc := verified(read(tls, file, uintptr(unsafe.Pointer(page)), pageBytes, start), page, start)
	if rc == sqlite3.SQLITE_OK {
		copy(at[[pageBytes]byte](buf)[:n], page[offset-start:])
	}
	return rc
}

// verified is what becomes of reading a page with the result rc. SQLite would take
// what is missing of it for zeros.
func verified(rc int32, page *[pageBytes]byte, offset int64) int32 {
	if rc == sqlite3.SQLITE_IOERR_SHORT_READ || rc == sqlite3.SQLITE_OK && binary.LittleEndian.Uint64(page[pageBytes-sumBytes:]) != pageSum(page[:], offset) {
		return sqlite3.SQLITE_IOERR_DATA
	}
	return rc
}

func writeSummed(tls *libc.TLS, file, buf uintptr, n int32, offset int64) int32 {
	if n == pageBytes {
		page := at[[pageBytes]byte](buf)[:]
		binary.LittleEndian.PutUint64(page[pageBytes-sumBytes:], pageSum(page, offset))
	}
	return function[pageFunc](usual(file).FxWrite)(tls, file, buf, n, offset)
}
