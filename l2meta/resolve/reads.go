package resolve

import (
	"encoding/binary"
	"slices"

	"github.com/zeebo/xxh3"
)

// What a derivation reads of the index goes through the lookups of World, and
// nothing else does: each of them takes note of what it asked for, so that
// nobody who derives something can forget what it rests on.

// readKind is what a lookup asks by.
type readKind byte

const (
	readFile      readKind = iota // the facts of a file, by id
	readPath                      // which file lies at a path
	readDir                       // which files lie right in a directory
	readBelow                     // whether any lies below it
	readBase                      // which have a base name
	readRange                     // which have one in a range
	readNamed                     // the declarations of a name; whether a file bears it (bearingLeaf)
	readCalling                   // who calls a name
	readRenaming                  // who gives it another
	readExtending                 // who declares a subtype of it
	readGiving                    // who gives a function to a property of that name, or that function to one
)

// leaf names one lookup by a hash of it. Two that have the same are taken for
// one: what changes one of them is taken to change the other.
type leaf uint32

// leafOf returns the leaf of a look-up. It is the same in every process, as a
// ledger is kept beside the index.
func leafOf(kind readKind, text string) leaf { return leaf(xxh3.HashStringSeed(text, uint64(kind))) }

// bearingLeaf returns the look-up whether any file bears a name, where named is that of
// the declarations of the name. It is made of that one, so that a file's
// declarations are not listed twice.
func bearingLeaf(named leaf) leaf { return named ^ 0x5bd1e995 }

func rangeLeaf(r rangeKey) leaf { return leafOf(readRange, r[0]+"\x00"+r[1]) }

func fileLeaf(id int64) leaf {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(id))
	return leaf(xxh3.HashSeed(b[:], uint64(readFile)))
}

// reading is what a derivation rests on: one lookup, or all that other
// readings rest on.
type reading struct {
	leaf leaf
	of   []*reading // nil for a lookup
	seen uint64     // the number of the last collection that came by
}

// readings gathers what one derivation reads.
type readings struct{ list []*reading }

// sum returns one reading for all that was gathered, nil for none.
func (r *readings) sum() *reading {
	switch len(r.list) {
	case 0:
		return nil
	case 1:
		return r.list[0]
	}
	return &reading{of: slices.Clip(r.list)}
}

// recorder is what one goroutine's derivations read.
type recorder struct {
	leaves map[leaf]*reading
	ranges map[rangeKey]bool // every range of base names that was asked for
	whole  readings          // read outside of any derivation
	turn   uint64
}

func newRecorder() *recorder {
	return &recorder{leaves: map[leaf]*reading{}, ranges: map[rangeKey]bool{}}
}

// take returns the lookups that were read since the last take, sorted.
func (r *recorder) take() (out []leaf) {
	r.turn++
	var visit func(list []*reading)
	visit = func(list []*reading) {
		for _, x := range list {
			if x.seen == r.turn {
				continue
			}
			x.seen = r.turn
			if x.of == nil {
				out = append(out, x.leaf)
			}
			visit(x.of)
		}
	}
	visit(r.whole.list)
	r.whole.list = nil
	slices.Sort(out)
	return slices.Compact(out)
}

// read takes note that what is being derived rests on x too.
func (w *World) read(x *reading) {
	if x == nil || w.snap.reads == nil {
		return
	}
	to := &w.snap.reads.whole
	if n := len(w.frames); n > 0 {
		to = &w.frames[n-1].reads
	}
	// The last ones are what repeats.
	for i := len(to.list) - 1; i >= max(0, len(to.list)-8); i-- {
		if to.list[i] == x {
			return
		}
	}
	to.list = append(to.list, x)
}

func (w *World) note(kind readKind, text string) {
	if w.snap.reads != nil {
		w.readLeaf(leafOf(kind, text))
	}
}

func (w *World) noteBearing(name string) {
	if w.snap.reads != nil {
		w.readLeaf(bearingLeaf(leafOf(readNamed, foldASCII(name))))
	}
}

func (w *World) noteFile(id int64) {
	if w.snap.reads != nil {
		w.readLeaf(fileLeaf(id))
	}
}

func (w *World) noteRange(low, high string) {
	if w.snap.reads != nil {
		w.snap.reads.ranges[rangeKey{low, high}] = true
		w.readLeaf(rangeLeaf(rangeKey{low, high}))
	}
}

// perLeaf is what a look-up takes that is noted, and its place in the map.
const perLeaf = 80

func (w *World) readLeaf(l leaf) {
	x := w.snap.reads.leaves[l]
	if x == nil {
		x = &reading{leaf: l}
		w.snap.reads.leaves[l] = x
		w.snap.count(perLeaf)
	}
	w.read(x)
}

// foldASCII returns name with its ASCII capitals made small: the index finds names
// in any ASCII case.
func foldASCII(name string) string {
	for i := range len(name) {
		if 'A' <= name[i] && name[i] <= 'Z' {
			b := []byte(name)
			for j := i; j < len(b); j++ {
				if 'A' <= b[j] && b[j] <= 'Z' {
					b[j] += 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return name
}
