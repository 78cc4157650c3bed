package code

import "time"

// StatKey is what the file system says of a file without reading it. Equal
// keys mean equal bytes, unless the key is racy.
type StatKey struct {
	Size  int64
	MTime int64 // ns since the epoch
	CTime int64 // ns since the epoch; catches restored mtimes. 0 where the system has none
	Inode uint64
	Mode  uint32 // type and permission bits, as the system has them
}

// RacyWindow is how young a file may be, at the time its key was read, for
// a later write to leave the key unchanged: file systems stamp with clocks
// as coarse as 2 s (FAT) and seldom finer than a scheduler tick.
const RacyWindow = 2 * time.Second

// Racy reports whether a key that was read at readAt (ns since the epoch) is
// too young to prove anything: then the bytes are hashed.
func (k StatKey) Racy(readAt int64) bool {
	return readAt-max(k.MTime, k.CTime) < int64(RacyWindow)
}
