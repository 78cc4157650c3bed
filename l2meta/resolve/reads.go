package resolve

import (
	"encoding/binary"
	"slices"
	"time"
	"unsafe"

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

// derivations are the values that are being derived for one goroutine, and the bounds of their work.
type derivations struct {
	snap  *snapshot
	until time.Time // see Until; zero for no bound

	// overall holds the values that were derived from the whole workspace, under keys without
	// content. The cache may drop derived values at any time to free memory. If it dropped the
	// list of all routes while a query still uses it, the query would read all files with routes
	// again.
	overall map[any]derived

	frames []frame // derivations in progress
	site   int     // number of frames that were in progress when the innermost apart began
	depth  int     // number of evaluations in progress
	steps  int     // number of evaluations for the current call site
}

// read adds x to the readings of the value that is being derived; outside of a derivation, to those
// of the recorder.
func (d *derivations) read(x *reading) {
	if x == nil || d.snap.reads == nil {
		return
	}
	to := &d.snap.reads.whole
	if n := len(d.frames); n > 0 {
		to = &d.frames[n-1].reads
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

func (d *derivations) note(kind readKind, text string) {
	if d.snap.reads != nil {
		d.readLeaf(leafOf(kind, text))
	}
}

func (d *derivations) noteBearing(name string) {
	if d.snap.reads != nil {
		d.readLeaf(bearingLeaf(leafOf(readNamed, foldASCII(name))))
	}
}

func (d *derivations) noteFile(id int64) {
	if d.snap.reads != nil {
		d.readLeaf(fileLeaf(id))
	}
}

func (d *derivations) noteRange(low, high string) {
	if d.snap.reads != nil {
		d.snap.reads.ranges[rangeKey{low, high}] = true
		d.readRange()
		d.readLeaf(rangeLeaf(rangeKey{low, high}))
	}
}

// readRange marks the derivations in progress as dependent on a look-up of a range of base names.
// The recorded leaves are hashes, so they do not show that.
func (d *derivations) readRange() {
	for i := range d.frames {
		d.frames[i].ranged = true
	}
}

// perLeaf is the estimated size of a recorded look-up and its map entry.
const perLeaf = 80

func (d *derivations) readLeaf(l leaf) {
	x := d.snap.reads.leaves[l]
	if x == nil {
		x = &reading{leaf: l}
		d.snap.reads.leaves[l] = x
		d.snap.count(perLeaf)
	}
	d.read(x)
}

// readLeaves records look-ups for the value that is being derived. They were stored with another
// value, which it uses.
func (d *derivations) readLeaves(leaves []leaf) {
	if d.snap.reads != nil {
		for _, l := range leaves {
			d.readLeaf(l)
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

// maxDepth and maxSteps bound the evaluations of one call site: their nesting and their number.
// Without them, assignments that refer to each other would never end.
const (
	maxDepth = 200
	maxSteps = 20_000
)

// Enter begins an evaluation. It returns false if a bound is reached. Then the values that are
// being derived are incomplete and are not kept. Values whose derivation began before the
// innermost call of apart are an exception.
func (d *derivations) Enter() bool {
	if d.depth >= maxDepth || d.steps >= maxSteps {
		d.taint(d.site)
		return false
	}
	d.depth++
	d.steps++
	return true
}

// hurried reports whether the time is over that Until set. The values that are being derived are then
// incomplete and not kept.
func (d *derivations) hurried() bool {
	if d.until.IsZero() || time.Now().Before(d.until) {
		return false
	}
	d.taint(0)
	return true
}

// Leave ends an evaluation that Enter has begun.
func (d *derivations) Leave() {
	if d.depth--; d.depth == 0 {
		d.steps = 0
	}
}

// apart runs an evaluation that may reach a bound. If it does, the values that were being derived
// before are kept, although this result is incomplete. It is used for the verdict of one call
// site, and for the declarations that may run instead of one symbol. So a type that contains
// itself does not make the results about many others incomplete.
func (d *derivations) apart(evaluate func()) {
	outer := d.site
	defer func() { d.site = outer }()
	d.site = len(d.frames)
	evaluate()
}

// taint marks the derivations d.frames[i:] as incomplete, so that Derive does not keep them.
func (d *derivations) taint(i int) {
	for ; i < len(d.frames); i++ {
		d.frames[i].tainted = true
	}
}

type frame struct {
	key     any
	tainted bool // whether it is incomplete, because it depends on a derivation in progress or reached a bound
	ranged  bool // whether it depends on a look-up of the files whose base names are in a range
	reads   readings
}

// Derive returns the result of make for key, computed once per generation. If make, directly or
// indirectly, requests its own key again, that request yields the zero value, and the results that
// depend on it are not kept. After an error, and once the context has ended, Derive returns the
// zero value unless the result is kept already, so callers must check Err before they use it. Keys
// of different meaning have different types.
func Derive[K comparable, V any](w *World, key K, make func() V) V {
	return derive(w, key, make, func(d derived) int64 { return d.bytes(key) })
}

// derive implements Derive. bytes estimates the bytes that the value takes in the snapshot.
func derive[K comparable, V any](w *World, key K, make func() V, bytes func(derived) int64) V {
	if v, ok := w.kept(key); ok {
		return v.(V)
	}
	for i := range w.frames {
		if w.frames[i].key == any(key) {
			w.taint(i + 1)
			var none V
			return none
		}
	}
	if len(w.frames) >= maxFrames {
		w.taint(w.site)
		var none V
		return none
	}
	if w.Err() != nil {
		var none V
		return none
	}
	w.frames = append(w.frames, frame{key: key})
	v := make()
	last := len(w.frames) - 1
	done := w.frames[last]
	rests := done.reads.sum()
	w.frames = w.frames[:last]
	w.read(rests)
	if w.Err() == nil && !done.tainted {
		d := derived{v, rests, done.ranged}
		w.snap.keep(key, d, bytes(d))
		if unsafe.Sizeof(key) == 0 {
			w.holdOverall(key, d)
		}
	}
	return v
}

// maxFrames bounds the nesting of derivations; no real chain of types is longer.
const maxFrames = 64

func (d *derivations) kept(key any) (any, bool) {
	known, ok := d.overall[key]
	if !ok {
		d.snap.mu.Lock()
		known, ok = d.snap.memo[key]
		d.snap.mu.Unlock()
	}
	d.read(known.rests)
	if known.ranged {
		d.readRange()
	}
	return known.value, ok
}

// holdOverall keeps a value derived from the whole workspace for as long as the query runs.
func (d *derivations) holdOverall(key any, value derived) {
	if d.overall == nil {
		d.overall = map[any]derived{}
	}
	d.overall[key] = value
}
