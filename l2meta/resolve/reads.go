package resolve

import (
	"encoding/binary"
	"slices"

	"github.com/zeebo/xxh3"
)

// Derived values read the index through the look-ups of World and in no other way. Each look-up
// records itself, so no rule can omit something that its result depends on.

// readKind is the kind of a look-up. Together with a key, such as a path, it identifies the
// look-up.
type readKind byte

const (
	readFile      readKind = iota // the facts of a file, by id
	readPath                      // the file at a path
	readDir                       // the files directly in a directory
	readBelow                     // whether any file is below a directory
	readBase                      // the files with a base name
	readRange                     // the files with a base name in a range
	readNamed                     // the declarations of a name; whether a file has it in l2meta.Bears (bearingLeaf)
	readCalling                   // the files that call a name
	readRenaming                  // the files that rename a name: import { name as other }
	readExtending                 // the files that declare a subtype of a name
	readGiving                    // the files that store a function in a property of a name, or a function of that name
)

// leaf identifies a look-up by its hash. Two look-ups with equal hashes count as one: if the
// result of either changes, everything that depends on the other is resolved again, too.
type leaf uint32

// leafMask limits a leaf to 28 bits, so that a leafSet takes three bytes for each. Of two million
// look-ups, one in 130 has the leaf of another one.
const leafMask leaf = 1<<28 - 1

// leafOf returns the leaf of a look-up. It is the same in every process, because leaves are stored
// in the index with the ledger.
func leafOf(kind readKind, text string) leaf {
	return leafMask & leaf(xxh3.HashStringSeed(text, uint64(kind)))
}

// bearingLeaf returns the leaf for the look-up whether any file has a name in its l2meta.Bears.
// named is the leaf for the look-up of the declarations of that name (readNamed). The result is
// computed from named, so that entry.gives needs to store only named.
func bearingLeaf(named leaf) leaf { return named ^ 0x5bd1e995&leafMask }

func rangeLeaf(r rangeKey) leaf { return leafOf(readRange, r[0]+"\x00"+r[1]) }

func fileLeaf(id int64) leaf {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(id))
	return leafMask & leaf(xxh3.HashSeed(b[:], uint64(readFile)))
}

// reading is a recorded dependency of a derived value: one look-up, or the union of other readings.
type reading struct {
	leaf leaf
	of   []*reading // the readings of a union; nil for a look-up
	seen uint64     // value of recorder.turn in the last leavesOf that visited this reading
}

// readings collects the readings of one derived value.
type readings struct{ list []*reading }

// sum returns the union of the readings; nil if there are none.
func (r *readings) sum() *reading {
	switch len(r.list) {
	case 0:
		return nil
	case 1:
		return r.list[0]
	}
	return &reading{of: slices.Clip(r.list)}
}

// recorder records the look-ups of one goroutine's derived values.
type recorder struct {
	leaves map[leaf]*reading
	ranges map[rangeKey]bool // every range of base names that was looked up
	whole  readings          // readings outside of any derivation
	turn   uint64            // number of calls of leavesOf
}

func newRecorder() *recorder {
	return &recorder{leaves: map[leaf]*reading{}, ranges: map[rangeKey]bool{}}
}

// take returns the look-ups since the last take, sorted.
func (r *recorder) take() (out []leaf) {
	out = r.leavesOf(r.whole.list)
	r.whole.list = nil
	return out
}

// leavesOf returns the look-ups of readings, sorted; none from a nil r.
func (r *recorder) leavesOf(list []*reading) (out []leaf) {
	if r == nil {
		return nil
	}
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
	visit(list)
	slices.Sort(out)
	return slices.Compact(out)
}

// read adds x to the readings of the value that is being derived; outside of a derivation, to those
// of the recorder.
func (w *World) read(x *reading) {
	if x == nil || w.snap.reads == nil {
		return
	}
	to := &w.snap.reads.whole
	if n := len(w.frames); n > 0 {
		to = &w.frames[n-1].reads
	}
	// A repetition of a look-up mostly follows closely, so only the last eight readings are
	// compared.
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
		w.readRange()
		w.readLeaf(rangeLeaf(rangeKey{low, high}))
	}
}

// readRange marks the derivations in progress as dependent on a look-up of a range of base names.
// The recorded leaves are hashes, so they do not show that.
func (w *World) readRange() {
	for i := range w.frames {
		w.frames[i].ranged = true
	}
}

// perLeaf is the estimated size of a recorded look-up and its map entry.
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

// readLeaves records look-ups for the value that is being derived. They were stored with another
// value, which it uses.
func (w *World) readLeaves(leaves []leaf) {
	if w.snap.reads != nil {
		for _, l := range leaves {
			w.readLeaf(l)
		}
	}
}

// foldASCII returns name with ASCII capitals in lower case, because the index finds names in any
// ASCII case.
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
