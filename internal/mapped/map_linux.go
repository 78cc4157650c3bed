package mapped

import (
	"os"

	"golang.org/x/sys/unix"
)

// reserve extends a file from size at by size bytes, and maps these. The space is allocated at once:
// a page without space on disk would end the process when it is written to.
func reserve(f *os.File, at int64, size int) ([]byte, error) {
	if err := unix.Fallocate(int(f.Fd()), 0, at, int64(size)); err != nil {
		return nil, err
	}
	return unix.Mmap(int(f.Fd()), at, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
}

// rest removes the pages of a piece from memory. Its content stays in the file.
func rest(piece []byte) { _ = unix.Madvise(piece, unix.MADV_DONTNEED) }

func unmap(piece []byte) { _ = unix.Munmap(piece) }
