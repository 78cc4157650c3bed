package jit

import (
	"encoding/binary"
	"encoding/hex"
	"sync"

	"sextant/internal/code"
	"sextant/internal/store"
	"sextant/internal/workspace"
)

// known is the entry of one indexed or skipped file in the table.
type known struct {
	key    code.StatKey
	readAt int64 // when the file was read, in ns since the epoch
	hash   code.Hash
	skip   workspace.SkipReason
}

// table is the copy in memory of the database's files table, grouped by
// directory. A sweep compares the disk with it.
type table struct {
	mu    sync.RWMutex
	dirs  map[string]map[string]known // guarded by mu; directory → base name → file
	count int                         // guarded by mu; number of files in dirs
	gen   int64                       // guarded by mu; the generation of dirs, -1 before the first load
	name  digest                      // guarded by mu; sum over all paths and hashes in dirs, which identifies them
	// touched holds the files whose stat key changed while their bytes did not;
	// guarded by mu. flushTouched stores the new keys.
	touched map[string]bool
	// unread holds the files whose text is missing from every answer, because they
	// were never readable, are too large or are pointers of git-lfs; guarded by mu.
	unread map[string]workspace.SkipReason
}

func newTable() *table {
	return &table{dirs: map[string]map[string]known{}, touched: map[string]bool{},
		unread: map[string]workspace.SkipReason{}, gen: -1}
}

// split returns the directory of p ("" is the root) and its base name.
func split(p string) (dir, base string) {
	return code.Dir(p), code.Base(p)
}

// get returns the entry of p. It returns false if there is none.
func (t *table) get(p string) (known, bool) {
	dir, base := split(p)
	t.mu.RLock()
	defer t.mu.RUnlock()
	k, ok := t.dirs[dir][base]
	return k, ok
}

// put adds or replaces the entry of p. The caller holds t.mu for writing.
func (t *table) put(p string, k known) {
	dir, base := split(p)
	files := t.dirs[dir]
	if files == nil {
		files = map[string]known{}
		t.dirs[dir] = files
	}
	if old, ok := files[base]; ok {
		t.name.remove(p, old.hash)
	} else {
		t.count++
	}
	files[base] = k
	t.name.add(p, k.hash)
	t.noteUnread(p, k.skip)
}

// noteUnread adds p to t.unread, the files whose text is missing from every answer, if the reason
// for which it is skipped is such a case. Otherwise it removes p. The caller holds t.mu for
// writing.
func (t *table) noteUnread(p string, skip workspace.SkipReason) {
	if skip == workspace.SkipUnreadable || skip == workspace.SkipLFSPointer || skip == workspace.SkipTooLarge {
		t.unread[p] = skip
	} else {
		delete(t.unread, p)
	}
}

// missing returns the files whose text is missing from answers for the given reason, in no order.
func (t *table) missing(why workspace.SkipReason) (paths []string) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	for p, skip := range t.unread {
		if skip == why {
			paths = append(paths, p)
		}
	}
	return paths
}

// remove removes the entry of p, if there is one. The caller holds t.mu for writing.
func (t *table) remove(p string) {
	dir, base := split(p)
	old, ok := t.dirs[dir][base]
	if !ok {
		return
	}
	t.name.remove(p, old.hash)
	t.count--
	delete(t.dirs[dir], base)
	delete(t.touched, p)
	delete(t.unread, p)
	if len(t.dirs[dir]) == 0 {
		delete(t.dirs, dir)
	}
}

// touch records that the bytes of p, which were read at readAt, still have the indexed hash
// although p has a new stat key. It ignores older readings.
func (t *table) touch(p string, hash code.Hash, key code.StatKey, readAt int64) {
	dir, base := split(p)
	t.mu.Lock()
	defer t.mu.Unlock()
	k, ok := t.dirs[dir][base]
	if !ok || k.hash != hash || k.readAt > readAt {
		return
	}
	k.key, k.readAt = key, readAt
	t.dirs[dir][base] = k
	t.touched[p] = true
}

// takeTouched returns the entries of the touched files, whose stat key has changed but not their
// bytes, by path. It clears the set of these files.
func (t *table) takeTouched() map[string]known {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := make(map[string]known, len(t.touched))
	for p := range t.touched {
		dir, base := split(p)
		out[p] = t.dirs[dir][base]
	}
	clear(t.touched)
	return out
}

// replace makes the table equal to fresh. It drops the stat keys that are not
// stored yet; the next sweep finds them again.
func (t *table) replace(fresh *table) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.dirs, t.count, t.gen, t.name, t.unread = fresh.dirs, fresh.count, fresh.gen, fresh.name, fresh.unread
	clear(t.touched)
}

// generation returns the generation of the database that the table reflects, -1 before the first load.
func (t *table) generation() int64 {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.gen
}

func (t *table) size() int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.count
}

// indexed returns the paths of the indexed files, in no order.
func (t *table) indexed() []string {
	t.mu.RLock()
	defer t.mu.RUnlock()
	paths := make([]string, 0, t.count)
	for dir, files := range t.dirs {
		for base, k := range files {
			if k.skip == "" {
				paths = append(paths, code.Join(dir, base))
			}
		}
	}
	return paths
}

// named reports whether fits is true for the base name of an indexed file.
func (t *table) named(fits func(base string) bool) bool {
	t.mu.RLock()
	defer t.mu.RUnlock()
	for _, files := range t.dirs {
		for base, k := range files {
			if k.skip == "" && fits(base) {
				return true
			}
		}
	}
	return false
}

// digest is a sum of 128-bit hashes of the path and content hash of each file.
// It is independent of their order and identifies the content of an index. It
// is a sum rather than an exclusive or so that equal terms do not cancel out.
// It protects against chance, not against forgery.
type digest struct{ hi, lo uint64 }

// term returns the hash of one file's path and content hash, which is the file's term in a
// digest.
func term(p string, h code.Hash) (hi, lo uint64) {
	b := make([]byte, 0, len(p)+len(h)+1)
	b = append(append(append(b, p...), 0), h[:]...)
	sum := store.HashText(b)
	return binary.BigEndian.Uint64(sum[:8]), binary.BigEndian.Uint64(sum[8:])
}

func (d *digest) add(p string, h code.Hash) {
	hi, lo := term(p, h)
	d.hi, d.lo = d.hi+hi, d.lo+lo
}

func (d *digest) remove(p string, h code.Hash) {
	hi, lo := term(p, h)
	d.hi, d.lo = d.hi-hi, d.lo-lo
}

func (d digest) String() string {
	var b [16]byte
	binary.BigEndian.PutUint64(b[:8], d.hi)
	binary.BigEndian.PutUint64(b[8:], d.lo)
	return hex.EncodeToString(b[:])
}
