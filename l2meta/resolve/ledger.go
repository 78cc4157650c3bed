package resolve

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"sextant/internal/budget"
	"sextant/internal/code"
	"sextant/internal/store"
	"sextant/l2meta"
)

// ledger is the verdicts of every call site of a root, and what may run in the
// place of what, at one generation of its index, in some 50 bytes a site: who
// asks for the callers of a common name reads them here rather than settle
// thousands of sites.
//
// It is made in the background, in groups of neighbouring files, each with
// everything that settling it read (reads.go). When the index moves on, the
// groups that looked up something that changed are settled anew, and only then
// does the ledger serve again: it says the same as settling would now.
type ledger struct {
	languages Languages

	mu sync.RWMutex // guards all below, but what is the settler's

	givenUp bool // the root has more sites than are kept, or a rule panicked
	contents

	item    *budget.Item // what the ledger counts for; the settler's
	counted int64        // in item; the settler's
	stored  stored       // the parts that the index keeps; the settler's
}

// contents holds the verdicts of a ledger and its indexes of them.
type contents struct {
	generation int64
	complete   bool // the calls of every group are settled at generation
	dispatched bool // and so is the dispatch, on every receiver too

	files  []*entry          // by number; nil for one that is gone
	byID   map[int64]uint32  // of files
	byPath map[string]uint32 // of files
	groups []*group
	order  []uint32          // of files, by path
	ranges map[rangeKey]bool // of base names, which rules looked up
	sites  int

	names      interned                // callees
	tokens     interned                // their tokens, folded
	tokenOf    []uint32                // name → token
	calling    [][]uint32              // token → numbers of the files that have such a call, sorted
	called     [][]place               // name → its call sites, by file and call
	texts      interned                // provenances, reasons and modules
	renaming   map[string][]rename     // name → who gives it another
	admitted   map[receiving]admission // what may run at calls that have a receiver
	overridden map[target][]target     // in whose place symbols may run, when dispatched
}

func newContents() contents {
	return contents{byID: map[int64]uint32{}, byPath: map[string]uint32{}, ranges: map[rangeKey]bool{},
		names: newInterned(), tokens: newInterned(), texts: newInterned(),
		renaming: map[string][]rename{}, admitted: map[receiving]admission{}}
}

// ledgerShare is the part of its budget that ledgers may take, in quarters.
const ledgerShare = 3

// groupFiles bounds the files of one directory that are settled together. They
// make much the same look-ups, which are kept once.
const groupFiles = 16

// entry is one indexed file.
type entry struct {
	number uint32
	ref    *store.FileRef // replaced when the file changes, and never modified
	family string
	group  *group

	callees  []uint32 // the name of each call site
	named    []named  // where that name stands
	verdicts []record // of each call site
	imports  []brought
	// receivers is the Verdict.Receiver of call sites that have one, by call.
	receivers []receiverOf

	// The symbols that may run in the place of a symbol, by its index.
	implementations map[int32][]target
	aside           []int32 // those of them of which calls settle on another declaration

	gives   []given  //  the look-ups that the file's facts bear on
	renames []string // the keys of its renames
}

// group is files that are settled together.
type group struct {
	number          int64 // of what is kept of it; 0 for none as yet
	changed         bool  // since it was kept
	files           []*entry
	calls, dispatch part
	receivers       part        // what may run at its calls that have a receiver; unsettled when calls are
	received        []receiving // those calls, once each, when receivers is settled
}

// unsettle takes back what rests on look-ups that give something else now.
func (g *group) unsettle(known bool, changed map[leaf]bool) {
	g.calls.unsettle(known, changed)
	g.dispatch.unsettle(known, changed)
	g.receivers.unsettle(known && g.calls.settled, changed)
}

// part is something of a group that is settled, with what it rests on.
type part struct {
	reads   []leaf // the look-ups, sorted
	settled bool
}

// unsettle takes back what rests on a look-up that gives something else now; all
// when it is not known which ones do.
func (p *part) unsettle(known bool, changed map[leaf]bool) {
	p.settled = p.settled && known && !slices.ContainsFunc(p.reads, func(x leaf) bool { return changed[x] })
}

// given is the share of a file in the answer to a look-up: equal hashes say the same.
type given struct {
	leaf leaf
	hash uint32
}

// target is a symbol of a file, by the file's number.
type target struct {
	file   uint32
	symbol int32
}

// receiving is a call of a target on a receiver of a type.
type receiving struct{ target, receiver target }

// admission lists the symbols that may run at such a call, and counts the groups that
// have one.
type admission struct {
	list   []target
	groups int
}

// brought is a file, by its number, that an import of that number brings.
type brought struct{ file, number uint32 }

// named is the place of the callee's name of a call.
type named struct{ offset, line uint32 }

// place is a call of a file, by the file's number.
type place struct{ file, call uint32 }

func comparePlaces(a, b place) int {
	if a.file != b.file {
		return cmp.Compare(a.file, b.file)
	}
	return cmp.Compare(a.call, b.call)
}

// record is a Verdict.
type record struct {
	target   target // of a settled one
	text     uint32
	outcome  Outcome
	strategy uint8 // index into strategies
	direct   bool
	// of External, as of Verdict
	undeclared bool
}

// receiverOf is the type of the receiver of a call.
type receiverOf struct {
	call uint32
	typ  target
}

// receiver returns the type of the receiver of a call; false where none is kept.
func (e *entry) receiver(call uint32) (target, bool) {
	i, ok := slices.BinarySearchFunc(e.receivers, call, func(r receiverOf, call uint32) int { return cmp.Compare(r.call, call) })
	if !ok {
		return target{}, false
	}
	return e.receivers[i].typ, true
}

// rename is a file that gives another name to one.
type rename struct {
	id int64
	to []string
}

// strategies are those of a settled site, by their number in a record.
var strategies = []Strategy{SameScope, SameFile, SameType, Inherited, SamePackage, Imported, TypedStatic, Constructed, TypedWritten, TypedValue,
	TypedResult, TypedElement, UniqueName, Alternative}

// interned numbers texts.
type interned struct {
	list  []string
	index map[string]uint32
}

func newInterned() interned { return interned{index: map[string]uint32{}} }

func (t *interned) number(s string) uint32 {
	n, ok := t.index[s]
	if !ok {
		n = uint32(len(t.list))
		s = strings.Clone(s) // it may be a piece of a file's facts
		t.list = append(t.list, s)
		t.index[s] = n
	}
	return n
}

// serves reports whether the ledger is whole at a generation. The caller holds mu.
func (l *ledger) serves(generation int64) bool { return l.complete && l.generation == generation }

// whole reports whether dispatch is settled too. The caller holds mu.
func (l *ledger) whole(generation int64) bool { return l.serves(generation) && l.dispatched }

// verdict returns what is known of a call site of f.
func (l *ledger) verdict(w *World, f *File, call int) (Verdict, bool) {
	l.mu.RLock()
	e, ok := l.at(w.snap.generation, f)
	if !ok {
		l.mu.RUnlock()
		return Verdict{}, false
	}
	r := e.verdicts[call]
	text, target, on := l.texts.list[r.text], int64(-1), symbolAt{}
	if r.outcome == Settled {
		target = l.files[r.target.file].ref.ID
		on = l.receiver(e, uint32(call))
	}
	l.mu.RUnlock()
	switch r.outcome {
	case Settled:
		// Loading reads the index: not under the lock.
		to := w.ByID(target)
		v := Resolved(Ref{to, int(r.target.symbol)}, strategies[r.strategy], text)
		if v.Direct = r.direct; on.file != 0 {
			v.Receiver = Ref{w.ByID(on.file), int(on.index)}
		}
		return v, to != nil && (on.file == 0 || v.Receiver.File != nil)
	case External:
		if r.undeclared {
			return undeclared(f.Language, f.Calls()[call].Callee), true
		}
		return ExternalTo(text), true
	case FuncValue:
		return ThroughValue(text), true
	case NoCall:
		return Verdict{Outcome: NoCall, Reason: text}, true
	}
	return Unresolved(text), true
}

// importers returns who imports f; false when the ledger does not serve.
func (l *ledger) importers(generation int64, f *File) (out []importPlace, ok bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	number, ok := l.byID[f.ID]
	if !ok || !l.serves(generation) {
		return nil, false
	}
	for _, e := range l.files {
		if e == nil {
			continue
		}
		for _, b := range e.imports {
			if b.file == number {
				out = append(out, importPlace{e.ref.ID, int(b.number)})
			}
		}
	}
	return out, true
}

// receiver returns the type of the receiver of a call of e, where one is kept. The
// caller holds mu.
func (l *ledger) receiver(e *entry, call uint32) symbolAt {
	if t, ok := e.receiver(call); ok {
		return symbolAt{l.files[t.file].ref.ID, t.symbol}
	}
	return symbolAt{}
}

// at returns the entry of f, whose sites are settled. The caller holds mu.
func (l *ledger) at(generation int64, f *File) (*entry, bool) {
	if !l.serves(generation) {
		return nil, false
	}
	n, ok := l.byID[f.ID]
	if !ok || l.files[n].ref.Hash != f.Hash || len(l.files[n].verdicts) != f.Sites() {
		return nil, false
	}
	return l.files[n], true
}

// callers returns what Resolver.Callers seeks, read off the ledger; false when it
// does not serve.
func (l *ledger) callers(generation int64, ref Ref, names []string, maxFiles int) (out Inbound, ok bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if !l.serves(generation) {
		return out, false
	}
	number, ok := l.byID[ref.File.ID]
	if !ok {
		return out, false
	}
	files := l.callingFiles(l.languages.Family(ref.File.Language), names)
	out.Files, out.Read = len(files), min(len(files), maxFiles)
	sites := l.calls(names, l.languages.Family(ref.File.Language), target{number, int32(ref.Index)})
	if out.Read < out.Files {
		near := map[uint32]bool{}
		for _, r := range l.nearest(files, ref.File.Path)[:out.Read] {
			near[r.file] = true
		}
		sites = slices.DeleteFunc(sites, func(p place) bool { return !near[p.file] })
	}
	for _, r := range l.nearest(sites, ref.File.Path) {
		for _, p := range sites[r.from:r.to] {
			if at := l.siteRef(p); at.Outcome == Settled {
				out.Callers = append(out.Callers, at)
			} else {
				out.Open = append(out.Open, at)
			}
		}
	}
	return out, true
}

func (l *ledger) siteRef(p place) SiteRef {
	e := l.files[p.file]
	v := &e.verdicts[p.call]
	at := SiteRef{File: e.ref, Call: int(p.call), Callee: l.names.list[e.callees[p.call]], Offset: int(e.named[p.call].offset),
		Line: int(e.named[p.call].line), Outcome: v.outcome}
	if v.outcome == Settled {
		at.Confidence, at.Direct = Confidence(e.ref.Language, strategies[v.strategy]), v.direct
		at.receiver = l.receiver(e, p.call)
	}
	return at
}

// calls returns the call sites of names in files of a family that call own or may,
// by file and call. The caller holds mu.
func (l *ledger) calls(names []string, family string, own target) (out []place) {
	for _, n := range names {
		i, ok := l.names.index[n]
		if !ok {
			continue
		}
		for _, p := range l.called[i] {
			e := l.files[p.file]
			if e.family != family {
				continue
			}
			if r := &e.verdicts[p.call]; r.outcome == External || r.outcome == NoCall || r.outcome == Settled && r.target != own {
				continue
			}
			out = append(out, p)
		}
	}
	if len(names) > 1 {
		slices.SortFunc(out, comparePlaces)
		out = slices.Compact(out)
	}
	return out
}

// callingFiles returns the files of a family that may call one of names, each as the
// place of its first call. The caller holds mu.
func (l *ledger) callingFiles(family string, names []string) (out []place) {
	calls := make([]bool, len(l.files))
	for _, n := range names {
		if token, ok := l.tokens.index[foldASCII(l2meta.CalleeToken(n))]; ok {
			for _, f := range l.calling[token] {
				calls[f] = true
			}
		}
	}
	for f, yes := range calls {
		if yes && l.files[f].family == family {
			out = append(out, place{file: uint32(f)})
		}
	}
	return out
}

// run is the places of one file in a list of places.
type run struct {
	file     uint32
	from, to int
}

// nearest returns the files of a list of places that is sorted: those that share the
// longest path with one first, then by path. The caller holds mu.
func (l *ledger) nearest(places []place, path string) []run {
	var runs []run
	for i, p := range places {
		if n := len(runs); n > 0 && runs[n-1].file == p.file {
			runs[n-1].to = i + 1
		} else {
			runs = append(runs, run{p.file, i, i + 1})
		}
	}
	slices.SortFunc(runs, func(a, b run) int { return cmp.Compare(l.order[a.file], l.order[b.file]) })
	before := func(p string) int { // how many runs lie before p
		n, _ := slices.BinarySearchFunc(runs, p, func(r run, p string) int { return cmp.Compare(l.files[r.file].ref.Path, p) })
		return n
	}
	out := make([]run, 0, len(runs))
	from := before(path)
	to := from
	if from < len(runs) && l.files[runs[from].file].ref.Path == path {
		to++
	}
	out = append(out, runs[from:to]...)
	// The files below a folder lie together, and around those of the one before.
	for dir := code.Dir(path); dir != ""; dir = code.Dir(dir) {
		low, high := before(dir+"/"), before(dir+string('/'+1))
		out = append(append(out, runs[low:from]...), runs[to:high]...)
		from, to = low, high
	}
	return append(append(out, runs[:from]...), runs[to:]...)
}

// inOrder returns the rank of each file by its path.
func (l *ledger) inOrder() []uint32 {
	var live []*entry
	for _, e := range l.files {
		if e != nil {
			live = append(live, e)
		}
	}
	slices.SortFunc(live, func(a, b *entry) int { return cmp.Compare(a.ref.Path, b.ref.Path) })
	order := make([]uint32, len(l.files))
	for i, e := range live {
		order[e.number] = uint32(i)
	}
	return order
}

// renamed returns the files that give other names to one, false when the ledger does
// not serve. Of the default export it is those that do so by assignment.
func (l *ledger) renamed(generation int64, name string) (out []rename, ok bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if !l.serves(generation) {
		return nil, false
	}
	return slices.Clone(l.renaming[name]), true
}
