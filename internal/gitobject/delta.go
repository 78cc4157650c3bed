package gitobject

import "encoding/binary"

// apply applies diff, a delta, to base and returns the resulting object. A delta holds the sizes
// of both objects, then commands. A command byte with the top bit set copies a part of base: its
// other seven bits say which bytes of the part's offset and size follow. Any other command byte
// is the number of bytes, up to 127, that follow and are inserted. apply returns ErrTooLarge if
// the object has more than limit bytes.
func apply(base, diff []byte, limit int64) ([]byte, error) {
	from, diff, ok := varint(diff)
	if !ok || from != int64(len(base)) {
		return nil, errCorrupt
	}
	size, diff, ok := varint(diff)
	if !ok {
		return nil, errCorrupt
	}
	if size > limit {
		return nil, ErrTooLarge
	}
	out := make([]byte, 0, size)
	for len(diff) > 0 {
		c := diff[0]
		diff = diff[1:]
		var part []byte
		if c&0x80 == 0 {
			if c == 0 || int(c) > len(diff) {
				return nil, errCorrupt
			}
			part, diff = diff[:c], diff[c:]
		} else {
			var at, n int
			if at, n, diff, ok = copied(c, diff); !ok || at > len(base) || n > len(base)-at {
				return nil, errCorrupt
			}
			part = base[at : at+n]
		}
		if len(out)+len(part) > int(size) {
			return nil, errCorrupt
		}
		out = append(out, part...)
	}
	if len(out) != int(size) {
		return nil, errCorrupt
	}
	return out, nil
}

// copied decodes the offset and the size of the copy command c from the start
// of diff, and returns the bytes after them.
func copied(c byte, diff []byte) (at, n int, rest []byte, ok bool) {
	var word [8]byte // four bytes of offset, three of size
	for i := range 7 {
		if c&(1<<i) == 0 {
			continue
		}
		if len(diff) == 0 {
			return 0, 0, nil, false
		}
		word[i], diff = diff[0], diff[1:]
	}
	at, n = int(binary.LittleEndian.Uint32(word[:])), int(binary.LittleEndian.Uint32(word[4:]))
	if n == 0 {
		n = 1 << 16
	}
	return at, n, diff, true
}

// varint decodes a number from the start of b: seven bits a byte, the lowest
// first.
func varint(b []byte) (v int64, rest []byte, ok bool) {
	for i := 0; i < len(b) && i < 8; i++ {
		v |= int64(b[i]&0x7f) << (7 * i)
		if b[i]&0x80 == 0 {
			return v, b[i+1:], true
		}
	}
	return 0, nil, false
}

// baseCache caches objects from which others are derived: an entry of a pack may hold only the
// difference to another object. The trees of one repository are often long chains of differences.
type baseCache struct {
	held  map[place]object
	bytes int
}

// object is an object in the cache.
type object struct {
	kind kind
	text []byte
}

// maxCached bounds the bytes in the cache, which is emptied when another object would exceed it. A larger
// object than maxOneHeld is not cached.
const (
	maxCached  = 32 << 20
	maxOneHeld = 1 << 20
)

// get returns a cached object; its text is nil if it is not cached.
func (c *baseCache) get(p place) (kind, []byte) { o := c.held[p]; return o.kind, o.text }

// put caches an object that is neither empty nor larger than maxOneHeld.
func (c *baseCache) put(p place, k kind, text []byte) {
	if len(text) == 0 || len(text) > maxOneHeld {
		return
	}
	if c.held == nil || c.bytes+len(text) > maxCached {
		c.held, c.bytes = map[place]object{}, 0
	}
	if _, ok := c.held[p]; !ok {
		c.held[p], c.bytes = object{k, text}, c.bytes+len(text)
	}
}
