package resolve

import (
	"cmp"
	"slices"
	"sync"

	"sextant/internal/budget"
	"sextant/internal/code"
	"sextant/internal/mapped"
	"sextant/internal/store"
	"sextant/l2meta"
)

// ledger holds the results of resolution at one generation of the index: the verdict of every call
// site of a root, and the declarations that may run instead of each symbol (its dispatch). Queries
// for the callers of a common name read them here instead of resolving thousands of sites.
//
// It is computed in the background, in groups of neighbouring files. Each group is stored with all
// look-ups that were made to resolve it (reads.go). When the index changes, the groups with a
// look-up whose result changed are resolved again. Until then the ledger answers no queries, so it
// gives the same verdicts as resolving now.
type ledger struct {
	languages Languages

	mu sync.RWMutex // guards the fields below, except those that only the settler uses

	givenUp bool // the root has more sites than fit into the budget, or a rule panicked
	contents

	item    *budget.Item // item that counts the ledger's bytes; used by the settler alone
	counted int64        // bytes counted in item; used by the settler alone
	stored  stored       // describes the parts that are stored in the index; used by the settler alone
}

// contents holds the results in a ledger, and indexes to find them. Files, callee names, tokens and
// texts are identified by numbers, which are indexes into files, names, tokens and texts.
type contents struct {
	generation int64
	log        l2meta.Log // position of this generation in the index's log of replaced facts; zero if it is not known
	complete   bool       // the calls of every group are settled at generation
	dispatched bool       // the dispatch of every symbol is resolved too, also by the receiver's type

	files  []*entry          // by number; nil for a removed file
	byID   map[int64]uint32  // of files
	byPath map[string]uint32 // of files
	groups []*group
	order  []uint32          // file number → rank in the order of paths
	ranges map[rangeKey]bool // ranges of base names that rules looked up
	sites  int

	lists *mapped.File // holds the lists of entries and groups; nil if they are on the heap

	names      interned                // names of callees
	tokens     interned                // the search tokens of callees, in lower case
	tokenOf    []uint32                // number of a name → number of its token
	calling    [][]uint32              // number of a token → sorted numbers of the files that call a name with it
	texts      interned                // provenances, reasons and modules of verdicts
	renaming   map[string][]rename     // name → the files that rename it
	admitted   map[receiving]admission // which overrides may run at the calls with a known type of the receiver
	overridden map[target][]target     // symbol → the declarations that it may run instead of; set if dispatched
}

// newContents returns empty contents, whose lists will lie in the given file.
func newContents(lists *mapped.File) contents {
	return contents{byID: map[int64]uint32{}, byPath: map[string]uint32{}, ranges: map[rangeKey]bool{},
		renaming: map[string][]rename{}, admitted: map[receiving]admission{}, lists: lists}
}

// ledgerShare is the part of the budget that ledgers may take, in quarters: 3 means 75 %. Ledgers
// are not dropped to free memory.
const ledgerShare = 3

// groupFiles bounds the number of files in a group. All files of a group are in one directory, so
// they make similar look-ups, which are stored once for the group.
const groupFiles = 16

// entry holds the results for one indexed file.
type entry struct {
	number uint32
	ref    *store.FileRef // replaced when the file changes, and never modified
	family string
	group  *group

	sites   siteList
	imports []brought

	implementations below // the symbols that may run instead of symbols of the file
	// those symbols of implementations whose calls resolve to another declaration
	aside []int32

	gives   givenList // contributions of the file to the results of look-ups by name; nil if not known
	shown   uint64    // hash of what other files can see, see Languages.shown; 0 if gives is nil
	renames []string  // the keys in contents.renaming that have an entry of this file
}

// group is a group of files that are resolved together.
type group struct {
	number          int64 // number of the group's part in the index; 0 if it was never stored
	changed         bool  // whether the results differ from those in the index
	files           []*entry
	calls, dispatch part
	receivers       part // dispatch by receiver type; computed again whenever the calls are resolved again
	// distinct pairs of target and receiver type that receivers has results for; set if receivers
	// is settled
	received []receiving
}

// parts returns the parts of g, in the order in which they are computed.
func (g *group) parts() [3]*part { return [3]*part{&g.calls, &g.dispatch, &g.receivers} }

// unsettle marks those parts of g that must be computed again because they depend on a look-up in
// changed, a sorted list. If known is false, the changed look-ups are not known, and it marks all
// parts.
func (g *group) unsettle(known bool, changed []leaf) {
	g.calls.unsettle(known, changed)
	g.dispatch.unsettle(known, changed)
	g.receivers.unsettle(known && g.calls.settled, changed)
}

// part says whether one kind of results of a group is up to date, and on which look-ups these
// results depend.
type part struct {
	reads   leafSet // the look-ups
	settled bool
}

// unsettle marks p as out of date if p depends on a look-up in changed. If known is false, the
// changed look-ups are not known, and it marks p in any case.
func (p *part) unsettle(known bool, changed []leaf) {
	p.settled = p.settled && known && !p.reads.overlaps(changed)
}

// target identifies a symbol by the number of its file in the ledger and its index in the file.
type target struct {
	file   uint32
	symbol int32
}

// receiving identifies the calls that resolve to target and whose receiver has the declared type
// receiver.
type receiving struct{ target, receiver target }

// admission lists the symbols that may run at the calls with one target and one declared type of
// the receiver. It counts the groups that have such a call.
type admission struct {
	list   []target
	groups int
}

// brought is a file that an import leads to, with the number of the import statement.
type brought struct{ file, number uint32 }

// rename lists the other names that one file gives to a declaration: store, if it has
// import { save as store }.
type rename struct {
	id int64
	to []string
}

// serves reports whether the ledger can answer queries at a generation. The caller holds mu.
func (l *ledger) serves(generation int64) bool { return l.complete && l.generation == generation }

// whole reports whether the ledger can also answer queries for dispatch. The caller holds mu.
func (l *ledger) whole(generation int64) bool { return l.serves(generation) && l.dispatched }

// verdict returns the verdict of a call of f; false if the ledger cannot serve it.
func (l *ledger) verdict(w *World, f *File, call int) (Verdict, bool) {
	l.mu.RLock() // the lists in the ledger's file are valid as long as the lock is held
	e, ok := l.at(w.snap.generation, f)
	if !ok || call >= e.sites.count() { // the call is an access; the ledger holds no accesses
		l.mu.RUnlock()
		return Verdict{}, false
	}
	r := *e.sites.at(call)
	text, target, on := l.texts.at(r.text), int64(-1), symbolAt{}
	if r.outcome == Settled {
		target = l.files[r.target.file].ref.ID
		on = l.receiver(&r)
	}
	l.mu.RUnlock()
	switch r.outcome {
	case Settled:
		// ByID may read the index, so it is called without the lock.
		to := w.ByID(target)
		v := Resolved(Ref{to, int(r.target.symbol)}, strategies[r.strategy], text)
		if v.Direct = r.has(flagDirect); on.file != 0 {
			v.Receiver = Ref{w.ByID(on.file), int(on.index)}
		}
		return v, to != nil && (on.file == 0 || v.Receiver.File != nil)
	case External:
		if r.has(flagUndeclared) {
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

// importers returns the imports of f by other files; false if the ledger cannot answer.
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

// receiver returns the declared type of the receiver of a call with a result; the zero value if none
// is stored. The caller holds mu.
func (l *ledger) receiver(r *result) symbolAt {
	if r.has(flagReceiver) {
		return symbolAt{l.files[r.receiver.file].ref.ID, r.receiver.symbol}
	}
	return symbolAt{}
}

// at returns the entry of f; false if the ledger has no verdicts for this version of f. The caller
// holds mu.
func (l *ledger) at(generation int64, f *File) (*entry, bool) {
	if !l.serves(generation) {
		return nil, false
	}
	n, ok := l.byID[f.ID]
	if !ok || l.files[n].ref.Hash != f.Hash || l.files[n].sites.count() != f.Sites() {
		return nil, false
	}
	return l.files[n], true
}

// callers returns the result of Resolver.Callers; false if the ledger cannot answer.
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
	files := l.nearest(l.callingFiles(l.languages.Family(ref.File.Language), names), ref.File.Path)
	out.Files, out.Read = len(files), min(len(files), maxFiles)
	var called []uint32
	for _, n := range names {
		if i, ok := l.names.find(n); ok {
			called = append(called, i)
		}
	}
	for _, f := range files[:out.Read] {
		for _, at := range l.sitesIn(l.files[f], called, target{number, int32(ref.Index)}) {
			if at.Outcome == Settled {
				out.Callers = append(out.Callers, at)
			} else {
				out.Open = append(out.Open, at)
			}
		}
	}
	return out, true
}

// sitesIn returns the sites of e that call one of the names with the given numbers, in order. It
// leaves out those that resolve to another symbol than own. The caller holds mu.
func (l *ledger) sitesIn(e *entry, names []uint32, own target) (out []SiteRef) {
	calls := e.sites.calling(names, own)
	if len(calls) == 0 {
		return nil
	}
	for i, at := range e.sites.named() {
		if i != calls[0] {
			continue
		}
		r := e.sites.at(i)
		site := SiteRef{File: e.ref, Call: i, Callee: l.names.at(r.callee), Offset: int(at.offset),
			Line: int(at.line), Outcome: r.outcome}
		if r.outcome == Settled {
			site.Confidence = Confidence(e.ref.Language, strategies[r.strategy])
			site.Direct, site.receiver = r.has(flagDirect), l.receiver(r)
		}
		out = append(out, site)
		if calls = calls[1:]; len(calls) == 0 {
			break
		}
	}
	return out
}

// callingFiles returns the numbers of the files of a family that may call one of names. The caller
// holds mu.
func (l *ledger) callingFiles(family string, names []string) (out []uint32) {
	calls := make([]bool, len(l.files))
	for _, n := range names {
		if token, ok := l.tokens.find(foldASCII(l2meta.CalleeToken(n))); ok {
			for _, f := range l.calling[token] {
				calls[f] = true
			}
		}
	}
	for f, yes := range calls {
		if yes && l.files[f].family == family {
			out = append(out, uint32(f))
		}
	}
	return out
}

// nearest sorts files: the one at path comes first, then those that share the most leading folders
// with it; ties are in order of path. The caller holds mu.
func (l *ledger) nearest(files []uint32, path string) []uint32 {
	slices.SortFunc(files, func(a, b uint32) int { return cmp.Compare(l.order[a], l.order[b]) })
	before := func(p string) int { // the number of files whose path is less than p
		n, _ := slices.BinarySearchFunc(files, p, func(f uint32, p string) int {
			return cmp.Compare(l.files[f].ref.Path, p)
		})
		return n
	}
	out := make([]uint32, 0, len(files))
	from := before(path)
	to := from
	if from < len(files) && l.files[files[from]].ref.Path == path {
		to++
	}
	out = append(out, files[from:to]...)
	// The files below a folder are consecutive, and surround those of its subfolder.
	for dir := code.Dir(path); dir != ""; dir = code.Dir(dir) {
		low, high := before(dir+"/"), before(dir+string('/'+1))
		out = append(append(out, files[low:from]...), files[to:high]...)
		from, to = low, high
	}
	return append(append(out, files[:from]...), files[to:]...)
}

// inOrder returns, for each file number, the rank of the file in the order of paths.
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

// renamed returns the files of a language family that give other names to name; false if the ledger cannot
// answer. For default exports it returns only the names given by assignment.
func (l *ledger) renamed(generation int64, name, family string) (out []rename, ok bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if !l.serves(generation) {
		return nil, false
	}
	for _, x := range l.renaming[name] {
		if n, ok := l.byID[x.id]; ok && l.files[n].family == family {
			out = append(out, x)
		}
	}
	return out, true
}
