package code

import "time"

// StatKey is the part of a file's metadata that changes with its bytes. Equal keys mean equal
// bytes, unless the file had changed just before the key was read (see Racy).
type StatKey struct {
	Size  int64
	MTime int64 // ns since the epoch
	CTime int64 // ns since the epoch, 0 on systems without it; reveals a restored mtime
	Inode uint64
	Mode  uint32 // type and permission bits, in the system's encoding
}

// RacyWindow is the age of a file below which its key does not prove that the bytes are unchanged:
// a later write may get the same time stamp and leave the key equal. The clocks of file systems
// tick every 2 s (FAT) or, for most others, as often as the scheduler.
const RacyWindow = 2 * time.Second

// Racy reports whether the key, read at readAt (ns since the epoch), is too
// young to prove that the bytes are unchanged. The caller then compares hashes.
func (k StatKey) Racy(readAt int64) bool {
	return readAt-max(k.MTime, k.CTime) < int64(RacyWindow)
}
