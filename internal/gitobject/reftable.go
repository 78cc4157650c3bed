package gitobject

import (
	"encoding/binary"
	"path/filepath"
	"strings"
)

// tableRef is the value of a reference in a reftable.
type tableRef struct {
	id ID     // zero for a symbolic reference
	to string // full name that a symbolic reference refers to
}

// tables returns the reftables of a git directory, the newest first. It returns nil for a repository that holds its
// references in files, as most do. git makes the other kind by "git init --ref-format=reftable"; its files HEAD and
// refs/heads are there for old programs alone, and name no branch.
func (s *Store) tables(dir string) [][]byte {
	if tables, ok := s.reftables[dir]; ok {
		return tables
	}
	const attempts = 3 // git may merge tables after their list was read
	var tables [][]byte
	for range attempts {
		var err error
		if tables, err = readTables(filepath.Join(dir, "reftable")); err == nil {
			break
		}
	}
	if s.reftables == nil {
		s.reftables = map[string][][]byte{}
	}
	s.reftables[dir] = tables
	return tables
}

// readTables reads the tables in a folder, the newest first. The file tables.list has their names, the oldest first.
func readTables(dir string) (tables [][]byte, err error) {
	list, err := readText(filepath.Join(dir, "tables.list"))
	if err != nil {
		return nil, err
	}
	for name := range strings.FieldsSeq(string(list)) {
		table, err := readText(filepath.Join(dir, filepath.Base(name)))
		if err != nil {
			return nil, err
		}
		tables = append([][]byte{table}, tables...)
	}
	return tables, nil
}

// tabled finds the reference with that full name in the reftables of a git directory.
func (s *Store) tabled(dir, full string) (ref tableRef, ok bool) {
	for _, table := range s.tables(dir) {
		if ref, known, deleted := s.inTable(table, full); known {
			return ref, !deleted
		}
	}
	return ref, false
}

// These constants describe a reftable: a header, then blocks of references, then blocks of other types.
const (
	tableHeader1 = 24 // bytes of the header of version 1
	tableHeader2 = 28 // bytes of the header of version 2, which also names the hash
	blockHeader  = 4  // bytes of the type of a block, and of its length
)

// inTable finds a reference in one table. known reports whether the table says anything about it, deleted that it was
// deleted. In a damaged table it finds what comes before the damage.
func (s *Store) inTable(table []byte, full string) (ref tableRef, known, deleted bool) {
	header := tableHeader1
	if len(table) > tableHeader2 && table[4] == 2 {
		header = tableHeader2
	}
	if len(table) < header+blockHeader || string(table[:4]) != "REFT" {
		return ref, false, false
	}
	aligned := uint24(table[5:])
	for start, at := 0, header; at+blockHeader <= len(table) && table[at] == 'r'; at = start {
		length := uint24(table[at+1:]) // of the first block with the header of the file
		if length <= at-start+blockHeader || start+length > len(table) {
			break
		}
		if ref, known, deleted = s.inBlock(table[at+blockHeader:start+length], full); known {
			break
		}
		next := start + length
		if next < len(table) && table[next] == 0 { // padding
			next = start + max(aligned, length)
		}
		start = next
	}
	return ref, known, deleted
}

// inBlock finds a reference in a block, given without its header.
func (s *Store) inBlock(block []byte, full string) (ref tableRef, known, deleted bool) {
	r := &tableReader{rest: block}
	if len(block) < 2 {
		return ref, false, false
	}
	restarts := 3*int(binary.BigEndian.Uint16(block[len(block)-2:])) + 2
	r.rest = block[:max(len(block)-restarts, 0)]
	name := ""
	for len(r.rest) > 0 && !r.bad {
		prefix, suffix := r.varint(), r.varint()
		if prefix > len(name) {
			break
		}
		name = name[:prefix] + string(r.bytes(suffix>>3))
		r.varint() // the time of the last change
		ref = tableRef{}
		switch suffix & 7 {
		case 1:
			copy(ref.id[:], r.bytes(s.size))
		case 2: // a tag, and the commit that it points to
			copy(ref.id[:], r.bytes(s.size))
			r.bytes(s.size)
		case 3:
			ref.to = string(r.bytes(r.varint()))
		}
		if name == full && !r.bad {
			return ref, true, suffix&7 == 0
		}
		if name > full {
			break // the names ascend
		}
	}
	return tableRef{}, false, false
}

// tableReader reads the records of a block. Behind the end, it sets bad and reads zeros.
type tableReader struct {
	rest []byte
	bad  bool
}

func (r *tableReader) bytes(n int) []byte {
	if n < 0 || n > len(r.rest) {
		r.bad, r.rest = true, nil
		return nil
	}
	out := r.rest[:n]
	r.rest = r.rest[n:]
	return out
}

// varint reads a number of seven bits a byte, the highest first; a set high bit says that another byte follows, which
// also adds one, as in the offsets of packs.
func (r *tableReader) varint() (n int) {
	const widest = 10
	for range widest {
		b := r.bytes(1)
		if b == nil {
			return 0
		}
		if n = n<<7 | int(b[0]&0x7f); b[0] < 0x80 {
			return n
		}
		n++
	}
	r.bad = true
	return 0
}

func uint24(b []byte) int { return int(b[0])<<16 | int(b[1])<<8 | int(b[2]) }
