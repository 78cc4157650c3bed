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

// Every page of a database ends with a checksum over its bytes and its offset.
// It is stored in the bytes that SQLite reserves for extensions (header byte 20
// holds their number). A VFS, a file system layer of SQLite, wraps the default
// one: it computes the checksum when a page is written and verifies it when one
// is read. Without it, SQLite would return most damage as data: a changed byte
// in a row is just another row.
//
// The WAL has checksums of its own, which SQLite verifies when it recovers one.

const (
	pageBytes = 4096
	sumBytes  = 8
	vfsName   = "sextant-sums"
)

// pageSum returns the checksum of the page at offset in the file.
func pageSum(page []byte, offset int64) uint64 {
	return xxh3.HashSeed(page[:pageBytes-sumBytes], uint64(offset))
}

// makeFile creates an empty database at path with bytes reserved for checksums, which SQLite itself
// would not reserve. It does nothing if the file exists and has content. It deletes a WAL that a
// removed database left.
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
	// WAL for writing and reading, reserved bytes, and three constants
	copy(page[18:], []byte{2, 2, sumBytes, 64, 32, 32})
	for at, value := range map[int]uint32{24: 1, 28: 1, 44: 4, 56: 1, 92: 1} {
		// Change counter, pages, schema format, UTF-8, change counter when pages were counted
		binary.BigEndian.PutUint32(page[at:], value)
	}
	page[100] = 0x0d // an empty leaf page of the schema table
	binary.BigEndian.PutUint16(page[105:], pageBytes-sumBytes)
	binary.LittleEndian.PutUint64(page[pageBytes-sumBytes:], pageSum(page, 0))
	return replaceFile(path, page)
}

// at returns addr, an address outside the Go heap, as a pointer to the C value there.
func at[T any](addr uintptr) *T { return *(**T)(unsafe.Pointer(&addr)) }

// function returns the Go function behind a function pointer of SQLite. The
// driver is C code translated to Go, so its function pointers are Go function
// values.
func function[F any](pointer uintptr) F { return *(*F)(unsafe.Pointer(&pointer)) }

// pointer returns the function pointer for fn, which must not be a closure.
func pointer[F any](fn F) uintptr { return *(*uintptr)(unsafe.Pointer(&fn)) }

// openFunc is the type of the function of a VFS that opens a file, pageFunc that of the functions of a file
// that read and write.
type (
	openFunc = func(tls *libc.TLS, vfs, name, file uintptr, flags int32, out uintptr) int32
	pageFunc = func(tls *libc.TLS, file, buf uintptr, n int32, offset int64) int32
)

// sums is the state of the VFS, the file layer of SQLite, that verifies checksums.
var sums struct {
	once sync.Once
	err  error
	base uintptr // address of the default VFS

	mu      sync.Mutex
	methods map[uintptr]uintptr // maps the original methods of a file to its summedMethods; guarded by mu
}

// summedMethods is the method table of a file in which reading and writing are replaced by
// functions that handle checksums. original is the table that it replaces.
type summedMethods struct {
	sqlite3.Tsqlite3_io_methods
	original uintptr
}

// registerSums registers the VFS that verifies checksums with SQLite, once per process.
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

// openSummed opens a file with the default VFS. For a database, it replaces the
// file's methods.
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

// usual returns the methods that a file had before openSummed replaced them by methods that
// handle checksums.
func usual(file uintptr) *sqlite3.Tsqlite3_io_methods {
	return at[sqlite3.Tsqlite3_io_methods](at[summedMethods](at[sqlite3.Tsqlite3_file](file).FpMethods).original)
}

// pages holds buffers of one page each. To read a part of a page, readSummed reads the whole page, because the
// checksum covers all of it.
var pages = sync.Pool{New: func() any { return new([pageBytes]byte) }}

// readSummed reads n bytes at offset and verifies the page that holds them.
func readSummed(tls *libc.TLS, file, buf uintptr, n int32, offset int64) int32 {
	read := function[pageFunc](usual(file).FxRead)
	switch {
	case n == pageBytes:
		return verified(read(tls, file, buf, n, offset), at[[pageBytes]byte](buf), offset)
	case offset < pageBytes:
		// A part of the header, which SQLite reads again as a whole page
		return read(tls, file, buf, n, offset)
	}
	// The end of a long row, which SQLite reads without its page cache.
	page := pages.Get().(*[pageBytes]byte)
	defer pages.Put(page)
	start := offset / pageBytes * pageBytes
	rc := verified(read(tls, file, uintptr(unsafe.Pointer(page)), pageBytes, start), page, start)
	if rc == sqlite3.SQLITE_OK {
		copy(at[[pageBytes]byte](buf)[:n], page[offset-start:])
	}
	return rc
}

// verified returns the result of reading a page: rc, or SQLITE_IOERR_DATA if
// the page is short or its checksum is wrong. SQLite would fill a short page
// with zeros.
func verified(rc int32, page *[pageBytes]byte, offset int64) int32 {
	if rc == sqlite3.SQLITE_IOERR_SHORT_READ || rc == sqlite3.SQLITE_OK &&
		binary.LittleEndian.Uint64(page[pageBytes-sumBytes:]) != pageSum(page[:], offset) {
		return sqlite3.SQLITE_IOERR_DATA
	}
	return rc
}

// writeSummed writes n bytes at offset. A whole page gets its checksum first.
func writeSummed(tls *libc.TLS, file, buf uintptr, n int32, offset int64) int32 {
	if n == pageBytes {
		page := at[[pageBytes]byte](buf)[:]
		binary.LittleEndian.PutUint64(page[pageBytes-sumBytes:], pageSum(page, offset))
	}
	return function[pageFunc](usual(file).FxWrite)(tls, file, buf, n, offset)
}
