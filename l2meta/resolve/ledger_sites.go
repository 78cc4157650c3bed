package resolve

import (
	"encoding/binary"
	"iter"
	"slices"

	"sextant/internal/mapped"
)

// siteList holds the results for the call sites of one file, in some 20 bytes a site. Most sites of
// a file that call the same name have the same result, so each distinct result is held once.
type siteList struct {
	results   []result
	of        []byte // for each site, the index of its result, as a number of width bytes
	positions []byte // for each site, the differences of its position from that of the site before, as varints
}

// result holds the name that a call site calls and, in compact form, the Verdict on the call.
type result struct {
	callee   uint32 // number of the callee's name
	text     uint32 // index into contents.texts: provenance, reason or module
	target   target // target of a settled call
	receiver target // Verdict.Receiver, if flagReceiver is set
	outcome  Outcome
	strategy uint8 // index into strategies
	flags    uint8
}

// Flags of a result.
const (
	flagDirect     = 1 << iota
	flagUndeclared // Verdict.Undeclared of an External verdict
	flagReceiver   // the receiver has a declared type
)

func (r *result) has(flag uint8) bool { return r.flags&flag != 0 }

// mayCall reports whether a site with the result calls own, or could not be resolved.
func (r *result) mayCall(own target) bool {
	return r.outcome != External && r.outcome != NoCall && (r.outcome != Settled || r.target == own)
}

// named is the position of the callee's name of a call.
type named struct{ offset, line uint32 }

// siteWriter makes a siteList. The sites of a file are added to it in document order.
type siteWriter struct {
	results   []result
	of        []uint32
	positions []byte
	known     map[result]uint32 // the index of each element of results
	last      named
}

// add adds a site with its result.
func (w *siteWriter) add(at named, r result) {
	if w.known == nil {
		w.known = map[result]uint32{}
	}
	i, ok := w.known[r]
	if !ok {
		i = uint32(len(w.results))
		w.results, w.known[r] = append(w.results, r), i
	}
	w.place(at, i)
}

// place adds a site at a position, given the index of its result in w.results.
func (w *siteWriter) place(at named, result uint32) {
	w.of = append(w.of, result)
	w.positions = binary.AppendVarint(w.positions, int64(at.offset)-int64(w.last.offset))
	w.positions = binary.AppendVarint(w.positions, int64(at.line)-int64(w.last.line))
	w.last = at
}

// list returns the list of the sites added.
func (w *siteWriter) list() siteList {
	s := siteList{results: w.results, positions: w.positions}
	s.of = make([]byte, 0, len(w.of)*s.width())
	var b [4]byte
	for _, i := range w.of {
		binary.LittleEndian.PutUint32(b[:], i)
		s.of = append(s.of, b[:s.width()]...)
	}
	return s
}

// width returns the number of bytes that the index of a result takes in s.of.
func (s *siteList) width() int {
	switch n := len(s.results); {
	case n <= 1<<8:
		return 1
	case n <= 1<<16:
		return 2
	}
	return 4
}

// count returns the number of sites.
func (s *siteList) count() int { return len(s.of) / s.width() }

// result returns the index of the result of site i.
func (s *siteList) result(i int) int {
	switch s.width() {
	case 1:
		return int(s.of[i])
	case 2:
		return int(binary.LittleEndian.Uint16(s.of[2*i:]))
	}
	return int(binary.LittleEndian.Uint32(s.of[4*i:]))
}

// at returns the result of site i.
func (s *siteList) at(i int) *result { return &s.results[s.result(i)] }

// named yields the index and the position of each site, in order.
func (s *siteList) named() iter.Seq2[int, named] {
	return func(yield func(int, named) bool) {
		rest, at := s.positions, named{}
		for i := range s.count() {
			offset, n := binary.Varint(rest)
			line, m := binary.Varint(rest[n:])
			rest, at = rest[n+m:], named{uint32(int64(at.offset) + offset), uint32(int64(at.line) + line)}
			if !yield(i, at) {
				return
			}
		}
	}
}

// callees returns the distinct names that the sites call, by number and sorted.
func (s *siteList) callees() []uint32 {
	out := make([]uint32, len(s.results))
	for i := range s.results {
		out[i] = s.results[i].callee
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// calling returns the indexes of the sites that call one of names and may call own, in ascending
// order.
func (s *siteList) calling(names []uint32, own target) (out []int) {
	var wanted []bool
	for i := range s.results {
		if r := &s.results[i]; slices.Contains(names, r.callee) && r.mayCall(own) {
			if wanted == nil {
				wanted = make([]bool, len(s.results))
			}
			wanted[i] = true
		}
	}
	if wanted == nil {
		return nil
	}
	for i := range s.count() {
		if wanted[s.result(i)] {
			out = append(out, i)
		}
	}
	return out
}

// keep moves the lists of s to a file; see mapped.Keep.
func (s *siteList) keep(lists *mapped.File) {
	s.results, s.of, s.positions = mapped.Keep(lists, s.results), mapped.Keep(lists, s.of), mapped.Keep(lists, s.positions)
}

// bytes returns the bytes that s refers to.
func (s *siteList) bytes() int64 { return size(s.results) + size(s.of) + size(s.positions) }
