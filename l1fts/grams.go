package l1fts

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// A gram is three neighbouring bytes of one line, each folded to six bits: letters lose their case,
// and rare bytes share a code. There are 2^18 grams, so the set of a file's grams takes 32 KiB,
// which fits a first-level cache. Because of the folding, a file may have all grams of a literal
// without containing it; reading the text excludes such files.
type gram uint32

const (
	gramBits  = 18
	gramCount = 1 << gramBits
)

// gramCodes maps a byte to its code: 1 to 26 for a to z, 27 to 36 for digits, 0
// for the end of a line.
var gramCodes = makeGramCodes()

func makeGramCodes() (t [256]byte) {
	const shared = 63
	for i := range t {
		t[i] = shared // control characters and rare bytes share a code
	}
	for i := range 26 {
		t['a'+i], t['A'+i] = byte(1+i), byte(1+i)
	}
	for i := range 10 {
		t['0'+i] = byte(27 + i)
	}
	for i, c := range []byte("_ \t.,;:()[]{}\"'`=+-*/<>!&|") {
		t[c] = byte(37 + i%26)
	}
	for i := 0x80; i < 0x100; i++ { // bytes of UTF-8 sequences
		t[i] = 60 + byte(i%3)
	}
	t['\n'] = 0
	return t
}

// grammer collects the distinct grams of texts, one text after the other. It is not safe for
// concurrent use.
type grammer struct {
	set [gramCount / 64]uint64
	out []byte
}

func newGrammer() *grammer { return &grammer{} }

// add adds the grams of text to the set, except those that span lines.
func (g *grammer) add(text []byte) {
	if len(text) < 3 {
		return
	}
	a, b := uint32(gramCodes[text[0]]), uint32(gramCodes[text[1]])
	for _, c := range text[2:] {
		d := uint32(gramCodes[c])
		if v := a<<12 | b<<6 | d; a != 0 && b != 0 && d != 0 {
			g.set[v>>6] |= 1 << (v & 63)
		}
		a, b = b, d
	}
}

// file returns the grams of a file's text, packed: the differences of the
// sorted grams, as uvarints.
func (g *grammer) file(text []byte) []byte {
	clear(g.set[:])
	g.add(text)
	g.out = g.out[:0]
	prev := uint64(0)
	for i, word := range g.set {
		for ; word != 0; word &= word - 1 {
			v := uint64(i<<6 + bits.TrailingZeros64(word))
			g.out = binary.AppendUvarint(g.out, v-prev)
			prev = v
		}
	}
	return append([]byte{}, g.out...) // nil would be stored as NULL
}

// eachGram calls fn for every gram of a packed set, in order, until fn
// returns false.
func eachGram(packed []byte, fn func(gram) bool) error {
	v := uint64(0)
	for len(packed) > 0 {
		d, n := binary.Uvarint(packed)
		if n <= 0 || v+d >= gramCount {
			return fmt.Errorf("packed grams are damaged")
		}
		v, packed = v+d, packed[n:]
		if !fn(gram(v)) {
			return nil
		}
	}
	return nil
}

// gramsOf returns the distinct grams of s. Every line that contains s, in any
// case, has all of them.
func gramsOf(s string) []gram {
	var out []gram
	seen := map[gram]bool{}
	for i := 0; i+3 <= len(s); i++ {
		a, b, c := gramCodes[s[i]], gramCodes[s[i+1]], gramCodes[s[i+2]]
		v := gram(uint32(a)<<12 | uint32(b)<<6 | uint32(c))
		if a == 0 || b == 0 || c == 0 || seen[v] {
			continue
		}
		seen[v] = true
		out = append(out, v)
	}
	return out
}
