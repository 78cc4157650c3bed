package resolve

import (
	"cmp"
	"encoding/binary"
	"slices"

	"sextant/internal/code"
	"sextant/internal/packing"
	"sextant/internal/store"
)

// ledgerVersion is the version of the packed form of a ledger, which this file defines. A packed
// ledger consists of numbered parts. Part 0 holds the ranges of base names that rules looked up;
// each other part holds one group. Files are identified by their ids, which last as long as the
// index. Positions and sorted lists are stored as differences from the element before.
const ledgerVersion = 4

// ledgerPacker packs one part.
type ledgerPacker struct {
	packing.Writer
	*contents
}

func (l *ledger) packRanges() []byte {
	var p packing.Writer
	p.Uint(len(l.ranges))
	for r := range l.ranges {
		p.String(r[0])
		p.String(r[1])
	}
	return p.Bytes(ledgerVersion)
}

// pack packs a group, with those of its results that are up to date.
func (l *ledger) pack(g *group) []byte {
	p := &ledgerPacker{contents: &l.contents}
	p.Uint(len(g.files))
	for _, e := range g.files {
		p.entry(l.packable(e))
	}
	for _, part := range g.parts() {
		p.Uint(btoi(part.settled))
		if part.settled {
			p.leaves(&part.reads)
		}
	}
	if !g.receivers.settled {
		p.Uint(0)
		return p.Bytes(ledgerVersion)
	}
	p.Uint(len(g.received))
	for _, k := range g.received {
		p.target(k.target)
		p.target(k.receiver)
		p.targets(l.admitted[k].list)
	}
	return p.Bytes(ledgerVersion)
}

// packable returns a copy of e without the results that may refer to removed files. It keeps
// outdated implementations except for symbols of removed files, because settleDispatch compares
// them with the new ones, to find the groups that depend on them. Groups that depend on a removed
// file are out of date anyway.
func (l *ledger) packable(e *entry) *entry {
	p := *e
	if !e.group.calls.settled {
		p = entry{number: e.number, ref: e.ref, family: e.family, group: e.group, gives: e.gives, shown: e.shown,
			implementations: e.implementations, aside: e.aside}
	}
	if !e.group.dispatch.settled {
		p.implementations = below{}
		for i, symbol := range e.implementations.symbols {
			p.implementations.add(symbol, slices.DeleteFunc(slices.Clone(e.implementations.list(i)),
				func(t target) bool { return l.files[t.file] == nil }))
		}
	}
	return &p
}

func (p *ledgerPacker) target(t target) {
	p.Uint(int(p.files[t.file].ref.ID))
	p.Signed(int(t.symbol))
}

func (p *ledgerPacker) targets(list []target) {
	p.Uint(len(list))
	for _, t := range list {
		p.target(t)
	}
}

func (p *ledgerPacker) leaves(set *leafSet) {
	p.Uint(set.count())
	last := leaf(0)
	for x := range set.all() {
		p.Uint(int(x - last))
		last = x
	}
}

// sized writes bytes with their count.
func (p *ledgerPacker) sized(b []byte) {
	p.Uint(len(b))
	p.Raw(b)
}

func (p *ledgerPacker) entry(e *entry) {
	p.Uint(int(e.ref.ID))
	p.String(e.ref.Path)
	p.Raw(e.ref.Hash[:])
	p.String(e.ref.Language)
	p.String(string(e.ref.Class))
	p.calls(&e.sites)
	p.Uint(len(e.imports))
	for _, b := range e.imports {
		p.Uint(int(p.files[b.file].ref.ID))
		p.Uint(int(b.number))
	}
	p.Uint(len(e.implementations.symbols))
	for i, symbol := range e.implementations.symbols {
		p.Signed(int(symbol))
		p.targets(e.implementations.list(i))
	}
	p.Uint(len(e.aside))
	for _, symbol := range e.aside {
		p.Signed(int(symbol))
	}
	if p.Uint(btoi(e.gives != nil)); e.gives != nil {
		p.sized(e.gives)
		p.Raw(binary.LittleEndian.AppendUint64(nil, e.shown))
	}
	p.Uint(len(e.renames))
	for _, name := range e.renames {
		p.String(name)
		to, _ := slices.BinarySearchFunc(p.renaming[name], e.ref.ID, func(r rename, id int64) int {
			return cmp.Compare(r.id, id)
		})
		p.Strings(p.renaming[name][to].to)
	}
}

func (p *ledgerPacker) calls(s *siteList) {
	p.Uint(len(s.results))
	for i := range s.results {
		r := &s.results[i]
		p.String(p.names.at(r.callee))
		p.String(p.texts.at(r.text))
		p.Uint(int(r.outcome))
		p.Uint(int(r.flags))
		if r.outcome == Settled {
			p.target(r.target)
			p.Uint(int(r.strategy))
		}
		if r.has(flagReceiver) {
			p.target(r.receiver)
		}
	}
	p.Uint(s.count())
	var last named
	for i, at := range s.named() {
		p.Uint(s.result(i))
		p.Signed(int(at.offset) - int(last.offset))
		p.Signed(int(at.line) - int(last.line))
		last = at
	}
}

// ledgerReader unpacks the parts of a ledger into contents.
type ledgerReader struct {
	*contents
	languages Languages
}

// number returns the number of the file with an id, and assigns a number if the file is new. The
// part that holds the file may be read later.
func (u *ledgerReader) number(id int) uint32 {
	n, ok := u.byID[int64(id)]
	if !ok {
		n = uint32(len(u.files))
		u.byID[int64(id)] = n
		u.files = append(u.files, nil)
	}
	return n
}

// takeRanges unpacks part 0, the ranges of base names that rules looked up.
func (u *ledgerReader) takeRanges(data []byte) error {
	r := packing.NewReader(data, ledgerVersion)
	for range r.Count() {
		u.ranges[rangeKey{cloned(r), cloned(r)}] = true
	}
	return r.End()
}

// cloned reads a string into memory of its own, so that the packed data can be freed.
func cloned(r *packing.Reader) string { return string([]byte(r.String())) }

// takeGroup unpacks the part of a group.
func (u *ledgerReader) takeGroup(number int64, data []byte) error {
	r := packing.NewReader(data, ledgerVersion)
	g := &group{number: number}
	for range r.Count() {
		g.files = append(g.files, u.entry(r, g))
	}
	for _, part := range g.parts() {
		if part.settled = r.Uint() > 0; part.settled {
			part.reads = leaves(r)
		}
	}
	for range r.Count() {
		k := receiving{u.target(r), u.target(r)}
		g.received = append(g.received, k)
		u.admitted[k] = admission{u.targets(r), u.admitted[k].groups + 1}
	}
	g.keep(u.lists)
	u.groups = append(u.groups, g)
	return r.End()
}

func (u *ledgerReader) target(r *packing.Reader) target {
	return target{u.number(r.Uint()), int32(r.Signed())}
}

func (u *ledgerReader) targets(r *packing.Reader) []target {
	out := make([]target, r.Count())
	for i := range out {
		out[i] = u.target(r)
	}
	return out
}

func leaves(r *packing.Reader) leafSet {
	out := make([]leaf, r.Count())
	last := leaf(0)
	for i := range out {
		last = (last + leaf(r.Uint())) & leafMask
		out[i] = last
	}
	return newLeafSet(out)
}

// sized reads bytes with their count into memory of their own. The result is never nil.
func sized(r *packing.Reader) []byte {
	b := r.Raw(r.Count())
	return append(make([]byte, 0, len(b)), b...)
}

func (u *ledgerReader) entry(r *packing.Reader, g *group) *entry {
	ref := &store.FileRef{ID: int64(r.Uint()), Path: cloned(r), Hash: code.Hash(r.Raw(len(code.Hash{}))),
		Language: cloned(r), Class: code.Class(cloned(r))}
	e := &entry{number: u.number(int(ref.ID)), ref: ref, family: u.languages.Family(ref.Language), group: g}
	u.files[e.number], u.byPath[ref.Path] = e, e.number
	u.takeCalls(r, e)
	e.imports = make([]brought, r.Count())
	for i := range e.imports {
		e.imports[i] = brought{u.number(r.Uint()), uint32(r.Uint())}
	}
	var found below
	for range r.Count() {
		found.add(int32(r.Signed()), u.targets(r))
	}
	e.implementations = found
	for range r.Count() {
		e.aside = append(e.aside, int32(r.Signed()))
	}
	if r.Uint() > 0 {
		e.gives = sized(r)
		e.shown = binary.LittleEndian.Uint64(r.Raw(8))
	}
	for range r.Count() {
		name := cloned(r)
		to := make([]string, r.Count())
		for i := range to {
			to[i] = cloned(r)
		}
		e.renames = append(e.renames, name)
		u.renaming[name] = append(u.renaming[name], rename{ref.ID, to})
	}
	return e
}

// takeCalls reads the results of e's call sites.
func (u *ledgerReader) takeCalls(r *packing.Reader, e *entry) {
	w := siteWriter{results: make([]result, r.Count())}
	for i := range w.results {
		x := result{callee: u.callee(r.String()), text: u.texts.number(r.String()), outcome: Outcome(r.Uint()),
			flags: uint8(r.Uint())}
		if x.outcome == Settled {
			x.target, x.strategy = u.target(r), uint8(min(r.Uint(), len(strategies)-1))
		}
		if x.has(flagReceiver) {
			x.receiver = u.target(r)
		}
		w.results[i] = x
	}
	for range r.Count() {
		if i := r.Uint(); i < len(w.results) { // if not, the part is damaged; the end of the part shows that
			w.place(named{w.last.offset + uint32(r.Signed()), w.last.line + uint32(r.Signed())}, uint32(i))
		}
	}
	e.sites = w.list()
	u.sites += e.sites.count()
	for _, t := range u.tokensIn(e) {
		u.calling[t] = append(u.calling[t], e.number)
	}
}

// whole reports whether every file that the unpacked ledger refers to is in one of its parts.
func (u *ledgerReader) whole() bool { return !slices.Contains(u.files, nil) }
