package workspace

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// The index, git's list of tracked files, has versions 2 to 4: "DIRC", version, number of entries,
// the entries sorted by path, extensions, a checksum. An entry consists of ten 32-bit words of stat
// data, the object id, 16 bits of flags, from version 3 on optionally 16 more, and the path. Before
// version 4, NULs pad the entry to a multiple of eight bytes. From version 4 on, the path omits the
// prefix that it shares with the previous one. See gitformat-index(5).

// indexEntry is the index entry of one file.
type indexEntry struct {
	path           string
	mtimeS, mtimeN uint32
	size           uint32
	mode           uint32
	oid            [32]byte // SHA-1 in the first 20 bytes, or SHA-256
	trusted        bool     // whether git does not compare the file: assume-unchanged or skip-worktree
	conflicted     bool     // whether the path has merge stages
	added          bool     // whether the file is marked with intent to add, so that no content is staged
}

// gitlink reports whether the entry is a submodule.
func (e *indexEntry) gitlink() bool { return e.mode&modeTypeMask == modeGitlink }

const (
	flagAssumeValid  = 0x8000
	flagExtended     = 0x4000
	flagStage        = 0x3000
	extSkipWorktree  = 0x4000
	extIntentToAdd   = 0x2000
	modeGitlink      = 0o160000
	modeTypeMask     = 0o170000
	modeTree         = 0o040000
	statBytes        = 40
	maxIndexEntries  = 20 << 20 // a file that states more is not an index
	minEntryBytes    = statBytes + 20 + 2 + 1
	indexHeaderBytes = 12
)

// errIndex says that a file is not an index that parseIndex supports.
var errIndex = errors.New("not a readable git index")

// parseIndex parses an index whose object ids have hashBytes bytes (20 or 32). It returns the
// entries ordered by the bytes of their paths. Submodules are entries without content. It omits
// the directories of a sparse index. It returns an error for an index that is split over two
// files.
func parseIndex(data []byte, hashBytes int) ([]indexEntry, error) {
	if len(data) < indexHeaderBytes+hashBytes || string(data[:4]) != "DIRC" {
		return nil, errIndex
	}
	version, n := binary.BigEndian.Uint32(data[4:]), binary.BigEndian.Uint32(data[8:])
	if version < 2 || version > 4 || n > maxIndexEntries || int(n)*minEntryBytes > len(data) {
		return nil, fmt.Errorf("%w: version %d, %d entries", errIndex, version, n)
	}
	r := &indexReader{data: data[:len(data)-hashBytes], at: indexHeaderBytes, version: version, hashBytes: hashBytes,
		paths: make([]byte, 0, len(data)/2), ends: make([]int, 0, n)}
	out := make([]indexEntry, 0, n)
	for range n {
		e, err := r.entry()
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	if bytes.HasPrefix(r.data[r.at:], []byte("link")) {
		return nil, fmt.Errorf("%w: split index", errIndex)
	}
	r.name(out)
	out = slices.DeleteFunc(out, func(e indexEntry) bool { return e.mode&modeTypeMask == modeTree })
	byPath := func(a, b indexEntry) int { return strings.Compare(a.path, b.path) }
	if !slices.IsSortedFunc(out, byPath) { // git itself always sorts the entries
		slices.SortStableFunc(out, byPath)
	}
	return out, nil
}

// indexReader decodes the entries of an index.
type indexReader struct {
	data      []byte
	at        int // offset of the next byte
	version   uint32
	hashBytes int
	paths     []byte // paths of all entries so far, concatenated
	ends      []int  // end of each path in paths
}

// name sets the paths of the entries. All paths are parts of one string: separate strings would
// double the time of parseIndex.
func (r *indexReader) name(out []indexEntry) {
	all, at := string(r.paths), 0
	for i, end := range r.ends {
		out[i].path, at = all[at:end], end
	}
}

// previous returns the path of the last entry.
func (r *indexReader) previous() []byte {
	switch n := len(r.ends); n {
	case 0:
		return nil
	case 1:
		return r.paths[:r.ends[0]]
	default:
		return r.paths[r.ends[n-2]:r.ends[n-1]]
	}
}

// entry decodes the next entry. It appends the path of the entry to r.paths.
func (r *indexReader) entry() (indexEntry, error) {
	start := r.at
	fixed := statBytes + r.hashBytes + 2
	if len(r.data)-r.at < fixed {
		return indexEntry{}, errIndex
	}
	b := r.data[r.at:]
	word := func(i int) uint32 { return binary.BigEndian.Uint32(b[4*i:]) }
	entry := indexEntry{mtimeS: word(2), mtimeN: word(3), mode: word(6), size: word(9)}
	copy(entry.oid[:], b[statBytes:statBytes+r.hashBytes])
	flags := binary.BigEndian.Uint16(b[statBytes+r.hashBytes:])
	entry.trusted = flags&flagAssumeValid != 0
	entry.conflicted = flags&flagStage != 0
	r.at += fixed
	if flags&flagExtended != 0 {
		if r.version < 3 || len(r.data)-r.at < 2 {
			return indexEntry{}, errIndex
		}
		ext := binary.BigEndian.Uint16(r.data[r.at:])
		entry.trusted = entry.trusted || ext&extSkipWorktree != 0
		entry.added = ext&extIntentToAdd != 0
		r.at += 2
	}
	var shared []byte
	if r.version == 4 {
		before := r.previous()
		strip, ok := r.varint()
		if !ok || strip > len(before) {
			return indexEntry{}, errIndex
		}
		shared = before[:len(before)-strip]
	}
	end := bytes.IndexByte(r.data[r.at:], 0)
	if end < 0 {
		return indexEntry{}, errIndex
	}
	path := len(shared) + end
	r.paths = append(append(r.paths, shared...), r.data[r.at:r.at+end]...)
	r.ends = append(r.ends, len(r.paths))
	r.at += end + 1
	if pad := (r.at - start) % 8; r.version < 4 && pad != 0 {
		r.at += 8 - pad
	}
	if r.at > len(r.data) || path == 0 {
		return indexEntry{}, errIndex
	}
	return entry, nil
}

// varint decodes git's offset encoding: seven bits a byte, the highest first;
// each byte after the first adds one.
func (r *indexReader) varint() (int, bool) {
	v := 0
	for i := 0; r.at < len(r.data) && v < 1<<24; i++ {
		c := r.data[r.at]
		r.at++
		if i > 0 {
			v++
		}
		v = v<<7 | int(c&0x7f)
		if c&0x80 == 0 {
			return v, true
		}
	}
	return 0, false
}
