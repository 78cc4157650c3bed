package resolve

import "github.com/zeebo/xxh3"

// interned numbers strings in the order in which they are first seen. It needs some ten bytes for a
// string, besides the string's own: a ledger holds hundreds of thousands of short ones.
type interned struct {
	text  []byte   // the strings, one after the other
	ends  []uint32 // by number, the end of the string in text
	slots []uint32 // hash table with open addressing; an element is 1 + the number of a string, or 0 if it is free
}

// count returns the number of strings.
func (t *interned) count() int { return len(t.ends) }

// bytesOf returns the bytes of the string with a number. They must not be modified.
func (t *interned) bytesOf(number uint32) []byte {
	from := uint32(0)
	if number > 0 {
		from = t.ends[number-1]
	}
	return t.text[from:t.ends[number]]
}

// at returns a copy of the string with a number.
func (t *interned) at(number uint32) string { return string(t.bytesOf(number)) }

// find returns the number of s; false if s has none.
func (t *interned) find(s string) (uint32, bool) {
	if len(t.slots) == 0 {
		return 0, false
	}
	if found := t.slots[t.slot(s)]; found > 0 {
		return found - 1, true
	}
	return 0, false
}

// number returns the number of s. It assigns the next number to a new string.
func (t *interned) number(s string) uint32 {
	if 4*len(t.ends) >= 3*len(t.slots) {
		t.grow()
	}
	slot := t.slot(s)
	if found := t.slots[slot]; found > 0 {
		return found - 1
	}
	t.text = append(t.text, s...)
	t.ends = append(t.ends, uint32(len(t.text)))
	t.slots[slot] = uint32(len(t.ends))
	return uint32(len(t.ends) - 1)
}

// slot returns the index in slots that holds s, or the free one where it belongs.
func (t *interned) slot(s string) uint64 {
	mask := uint64(len(t.slots) - 1) // len(t.slots) is a power of two
	for i := xxh3.HashString(s) & mask; ; i = (i + 1) & mask {
		if n := t.slots[i]; n == 0 || string(t.bytesOf(n-1)) == s {
			return i
		}
	}
}

// grow doubles the hash table.
func (t *interned) grow() {
	t.slots = make([]uint32, max(16, 2*len(t.slots)))
	mask := uint64(len(t.slots) - 1)
	for n := range uint32(len(t.ends)) {
		i := xxh3.Hash(t.bytesOf(n)) & mask
		for ; t.slots[i] > 0; i = (i + 1) & mask {
		}
		t.slots[i] = n + 1
	}
}

// bytes returns the bytes that t refers to.
func (t *interned) bytes() int64 { return size(t.text) + size(t.ends) + size(t.slots) }
