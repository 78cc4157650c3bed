package gitobject

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
)

// pack is an open pack: a file of many objects, and its index.
type pack struct {
	index, data *os.File
	size        int64 // size of data in bytes
	fanout      [256]uint32
}

// These constants describe the parts of the index of a pack.
const (
	packMagic    = "\xfftOc\x00\x00\x00\x02"
	fanoutBytes  = 4 * 256
	largeOffset  = 1 << 31 // the offset is a place in the table of 64-bit offsets
	maxDeltas    = 5000    // bound on the deltas of one object; git creates at most 4095
	maxPackCount = 10_000
)

// open opens the packs, once.
func (s *Store) open() {
	if s.packs != nil {
		return
	}
	s.packs = []*pack{}
	for _, dir := range s.objects {
		names, _ := filepath.Glob(filepath.Join(globQuoted(dir), "pack", "pack-*.idx"))
		for _, name := range names[:min(len(names), maxPackCount)] {
			if p := openPack(name); p != nil {
				s.packs = append(s.packs, p)
			}
		}
	}
}

// globQuoted escapes the characters of dir that have a meaning in a glob pattern.
func globQuoted(dir string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(dir)
}

// openPack opens the pack whose index is the file called name. It returns nil if the pack cannot
// be read, for example because another process is replacing it.
func openPack(name string) *pack {
	index, err := openRegular(name)
	if err != nil {
		return nil
	}
	data, err := openRegular(strings.TrimSuffix(name, ".idx") + ".pack")
	if err != nil {
		index.Close()
		return nil
	}
	p := &pack{index: index, data: data}
	head := make([]byte, len(packMagic)+fanoutBytes)
	st, err := data.Stat()
	if _, errHead := index.ReadAt(head, 0); err != nil || errHead != nil ||
		string(head[:len(packMagic)]) != packMagic {
		index.Close()
		data.Close()
		return nil
	}
	p.size = st.Size()
	for i := range p.fanout {
		p.fanout[i] = binary.BigEndian.Uint32(head[len(packMagic)+4*i:])
	}
	return p
}

// find returns the pack that contains an object, and the offset of its entry.
// The error is ErrMissing if no pack contains it.
func (s *Store) find(id ID) (*pack, int64, error) {
	s.open()
	for _, p := range s.packs {
		at, err := p.search(id[:s.size], s.size)
		if err != nil {
			return nil, 0, err
		}
		if at < 0 {
			continue
		}
		offset, err := p.offset(at, s.size)
		return p, offset, err
	}
	return nil, 0, ErrMissing
}

// rows returns the range [low, high) of the positions of ids that begin with the byte first,
// among the pack's sorted ids.
func (p *pack) rows(first byte) (low, high int) {
	if first > 0 {
		low = int(p.fanout[first-1])
	}
	return low, int(p.fanout[first])
}

// search returns the position of id among the pack's sorted ids; -1 if the pack does not contain
// it. An id has size bytes.
func (p *pack) search(id []byte, size int) (int, error) {
	low, high := p.rows(id[0])
	for low < high {
		middle := low + (high-low)/2
		at, err := p.id(middle, size)
		if err != nil {
			return 0, err
		}
		switch c := bytes.Compare(at, id); {
		case c == 0:
			return middle, nil
		case c < 0:
			low = middle + 1
		default:
			high = middle
		}
	}
	return -1, nil
}

// id returns id number i of the pack's sorted ids.
func (p *pack) id(i, size int) ([]byte, error) {
	out := make([]byte, size)
	_, err := p.index.ReadAt(out, int64(len(packMagic)+fanoutBytes)+int64(i)*int64(size))
	return out, err
}

// offset returns the offset in the pack of the entry that belongs to id number
// i of the sorted ids.
func (p *pack) offset(i, size int) (int64, error) {
	count := int64(p.fanout[255])
	// the table of offsets follows the ids and checksums
	table := int64(len(packMagic)+fanoutBytes) + count*int64(size+4)
	var word [8]byte
	if _, err := p.index.ReadAt(word[:4], table+4*int64(i)); err != nil {
		return 0, err
	}
	v := int64(binary.BigEndian.Uint32(word[:]))
	if v < largeOffset {
		return v, nil
	}
	if _, err := p.index.ReadAt(word[:], table+4*count+8*(v-largeOffset)); err != nil {
		return 0, err
	}
	if v := binary.BigEndian.Uint64(word[:]); v <= math.MaxInt64 {
		return int64(v), nil
	}
	return 0, errCorrupt
}

// place is the pack and the offset of an entry.
type place struct {
	pack *pack
	at   int64
}

// delta is an entry that holds only the difference to another object.
type delta struct {
	place
	text []byte
}

// unpack returns the object at an offset: it follows differences down to an
// object that is whole, and applies them on the way back.
func (s *Store) unpack(p *pack, at, limit int64) (k kind, text []byte, err error) {
	var chain []delta
	for {
		if k, text = s.cache.get(place{p, at}); text != nil {
			break
		}
		var e entry
		if e, err = s.entry(p, at, limit); err != nil {
			return 0, nil, err
		}
		if e.kind != kindOffDelta && e.kind != kindRefDelta {
			k, text = e.kind, e.text
			s.cache.put(place{p, at}, k, text)
			break
		}
		if chain = append(chain, delta{place{p, at}, e.text}); len(chain) > maxDeltas {
			return 0, nil, errCorrupt
		}
		if e.kind == kindRefDelta {
			if p, at, err = s.find(e.base); err == ErrMissing {
				// The object to which a difference applies may be a file of its own.
				k, text, err = s.loose(e.base, limit)
				if err == nil {
					break
				}
			}
			if err != nil {
				return 0, nil, err
			}
		} else {
			at = e.baseAt
		}
	}
	for i := len(chain) - 1; i >= 0; i-- {
		if text, err = apply(text, chain[i].text, limit); err != nil {
			return 0, nil, err
		}
		s.cache.put(chain[i].place, k, text)
	}
	if int64(len(text)) > limit {
		return 0, nil, ErrTooLarge
	}
	return k, text, nil
}

// entry is one entry of a pack, inflated.
type entry struct {
	kind   kind
	text   []byte // the object, or the difference to another one
	base   ID     // id of that other object, for a kindRefDelta
	baseAt int64  // offset of its entry, for a kindOffDelta
}

// entry reads the entry at an offset.
func (s *Store) entry(p *pack, at, limit int64) (e entry, err error) {
	if at < 12 || at >= p.size {
		return e, errCorrupt
	}
	r := bufio.NewReaderSize(io.NewSectionReader(p.data, at, p.size-at), 4096)
	c, err := r.ReadByte()
	if err != nil {
		return e, errCorrupt
	}
	e.kind = kind(c >> 4 & 7)
	size := int64(c & 15)
	for shift := 4; c&0x80 != 0; shift += 7 {
		if c, err = r.ReadByte(); err != nil || shift > 56 {
			return e, errCorrupt
		}
		size |= int64(c&0x7f) << shift
	}
	switch e.kind {
	case kindOffDelta:
		var back int64
		if back, err = backOffset(r); err != nil || back <= 0 || back >= at {
			return e, errCorrupt
		}
		e.baseAt = at - back
	case kindRefDelta:
		if _, err := io.ReadFull(r, e.base[:s.size]); err != nil {
			return e, errCorrupt
		}
	case kindCommit, kindTree, kindBlob, kindTag:
	default:
		return e, errCorrupt
	}
	if size > limit {
		return e, ErrTooLarge
	}
	if err := s.inflate(r); err != nil {
		return e, err
	}
	e.text = make([]byte, size)
	if _, err := io.ReadFull(s.inflater, e.text); err != nil {
		return e, errCorrupt
	}
	return e, nil
}

// backOffset reads the distance from an entry back to the entry that it differs
// from: seven bits a byte, the highest first. Each byte after the first adds
// one, as git encodes it.
func backOffset(r io.ByteReader) (v int64, err error) {
	for i := 0; i < 9; i++ {
		c, err := r.ReadByte()
		if err != nil {
			return 0, err
		}
		if i > 0 {
			v++
		}
		v = v<<7 | int64(c&0x7f)
		if c&0x80 == 0 {
			return v, nil
		}
	}
	return 0, errCorrupt
}

// inflate makes s.inflater read a deflated stream.
func (s *Store) inflate(r io.Reader) (err error) {
	if s.inflater == nil {
		s.inflater, err = zlib.NewReader(r)
	} else {
		err = s.inflater.(zlib.Resetter).Reset(r, nil)
	}
	if err != nil {
		s.inflater = nil
		return errCorrupt
	}
	return nil
}
