package mapped

import (
	"os"

	"golang.org/x/sys/unix"
)

// leastFree is the number of bytes that lists leave free on a disk, for the index and for others.
const leastFree = 512 << 20

// reserve extends a file from size at by size bytes, and maps these. The space is allocated at once:
// a page without space on disk would end the process when it is written to.
func reserve(f *os.File, at int64, size int) ([]byte, error) {
	var disk unix.Statfs_t
	if err := unix.Fstatfs(int(f.Fd()), &disk); err != nil {
		return nil, err
	}
	if free := int64(disk.Bavail) * int64(disk.Bsize); free < leastFree+int64(size) {
		return nil, unix.ENOSPC
	}
	if err := unix.Fallocate(int(f.Fd()), 0, at, int64(size)); err != nil {
		return nil, err
	}
	return unix.Mmap(int(f.Fd()), at, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
}

// release removes the pages of a piece from memory. Its content stays in the file.
func release(piece []byte) { _ = unix.Madvise(piece, unix.MADV_DONTNEED) }

func unmap(piece []byte) { _ = unix.Munmap(piece) }
