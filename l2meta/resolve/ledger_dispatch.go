package resolve

import (
	"cmp"
	"context"
	"slices"

	"sextant/internal/mapped"
	"sextant/internal/store"
)

// dispatch returns the declarations that may run instead of ref (implementations); if up is set,
// those that ref may run instead of (overridden). It returns false if the ledger's dispatch is not
// complete.
func (l *ledger) dispatch(w *World, ref Ref, up bool) (out []Ref, ok bool) {
	l.mu.RLock()
	e, ok := l.at(w.snap.generation, ref.File)
	if !ok || !l.dispatched {
		l.mu.RUnlock()
		return nil, false
	}
	list := e.implementations.of(int32(ref.Index))
	if up {
		list = l.overridden[target{e.number, int32(ref.Index)}]
	}
	at := l.places(list)
	l.mu.RUnlock()
	return w.refsAt(at)
}

// receiving returns the symbols that may run at calls of ref if receiver is the declared type of
// the call's receiver; false if the ledger does not know them.
func (l *ledger) receiving(w *World, ref, receiver Ref) ([]Ref, bool) {
	l.mu.RLock()
	list, ok := l.admits(w.snap.generation, ref, receiver)
	at := l.places(list)
	l.mu.RUnlock()
	if !ok {
		return nil, false
	}
	return w.refsAt(at)
}

// mayRun reports whether impl may run at calls of ref if receiver is the declared type of the
// call's receiver; the zero Ref means any receiver. It loads no file. Its second result is false if
// the ledger does not know.
func (l *ledger) mayRun(generation int64, ref, receiver, impl Ref) (may, ok bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	var list []target
	if receiver.Valid() {
		if list, ok = l.admits(generation, ref, receiver); !ok {
			return false, false
		}
	} else {
		e, ok := l.at(generation, ref.File)
		if !ok || !l.dispatched {
			return false, false
		}
		list = e.implementations.of(int32(ref.Index))
	}
	n, known := l.byID[impl.File.ID]
	return known && slices.Contains(list, target{n, int32(impl.Index)}), true
}

// admits returns the symbols that may run at calls of ref if receiver is the declared type of the
// call's receiver; false if the ledger does not know them. The caller holds mu.
func (l *ledger) admits(generation int64, ref, receiver Ref) ([]target, bool) {
	if _, ok := l.at(generation, ref.File); !ok || !l.dispatched {
		return nil, false
	}
	on, ok := l.byID[receiver.File.ID]
	if !ok {
		return nil, false
	}
	a, ok := l.admitted[receiving{target{l.byID[ref.File.ID], int32(ref.Index)}, target{on, int32(receiver.Index)}}]
	return a.list, ok
}

// places replaces the file numbers of the ledger in list by file ids. The caller holds mu.
func (l *ledger) places(list []target) []symbolAt {
	at := make([]symbolAt, len(list))
	for i, t := range list {
		at[i] = symbolAt{l.files[t.file].ref.ID, t.symbol}
	}
	return at
}

// refsAt loads the files of the given symbols; false if a file cannot be loaded.
func (w *World) refsAt(at []symbolAt) (out []Ref, ok bool) {
	for _, s := range at {
		f := w.ByID(s.file)
		if f == nil {
			return nil, false
		}
		out = append(out, f.Ref(int(s.index)))
	}
	return out, true
}

// settleDispatch finds the declarations that may run instead of each symbol of a group, and stores
// them in the ledger.
func (s *settler) settleDispatch(ctx context.Context, v *store.View, generation int64, g *group) error {
	if g.dispatch.settled {
		return nil
	}
	l := s.ledger
	r := s.resolver(ctx, v, generation)
	found, aside := make([]below, len(g.files)), make([][]int32, len(g.files))
	for i, e := range g.files {
		f := r.w.Load(*e.ref)
		if f == nil {
			break
		}
		for j := range f.Symbols {
			if !Dispatchable(&f.Symbols[j]) {
				continue
			}
			if list := l.targets(implementations(r.w, f.Ref(j))); len(list) > 0 {
				found[i].add(int32(j), list)
				if l, ok := s.cache.languages.of(f).(declaring); ok && l.Definition(r.w, f.Ref(j)) != f.Ref(j) {
					aside[i] = append(aside[i], int32(j))
				}
			}
		}
	}
	if err := r.w.Err(); err != nil {
		return err
	}
	l.change(func() {
		moved := map[target]bool{}
		for i, e := range g.files {
			e.differing(&found[i], moved)
			e.implementations, e.aside = found[i], aside[i]
			e.keepDispatch(l.lists)
		}
		l.rest(g, &g.dispatch, r.w, nil)
		l.unsettleReceivers(moved)
	})
	return nil
}

// differing adds to moved the symbols of e whose implementations change from those stored in e to
// those in after.
func (e *entry) differing(after *below, moved map[target]bool) {
	before := &e.implementations
	for _, symbol := range slices.Concat(before.symbols, after.symbols) {
		if !slices.Equal(before.of(symbol), after.of(symbol)) {
			moved[target{e.number, symbol}] = true
		}
	}
}

// unsettleReceivers marks the results of settleReceivers as out of date in the groups that have
// calls of a symbol in moved.
func (l *ledger) unsettleReceivers(moved map[target]bool) {
	for _, g := range l.groups {
		if len(moved) > 0 && g.receivers.settled && slices.ContainsFunc(g.received, func(k receiving) bool {
			return moved[k.target]
		}) {
			g.receivers.settled = false
		}
	}
}

// replaced inverts entry.implementations: it returns, for each symbol, the declarations that it may
// run instead of, sorted by path and index. The ledger must not change meanwhile.
func (l *ledger) replaced() map[target][]target {
	out := map[target][]target{}
	for _, e := range l.files {
		if e == nil {
			continue
		}
		for i, base := range e.implementations.symbols {
			if slices.Contains(e.aside, base) {
				continue
			}
			for _, t := range e.implementations.list(i) {
				out[t] = append(out[t], target{e.number, base})
			}
		}
	}
	for _, list := range out {
		slices.SortFunc(list, func(a, b target) int {
			return cmp.Or(cmp.Compare(l.order[a.file], l.order[b.file]), cmp.Compare(a.symbol, b.symbol))
		})
	}
	return out
}

// settleReceivers finds the symbols that may run at those calls of a group whose receivers have a
// known type, and stores them. It selects them from the implementations in the ledger, so
// settleDispatch must have run for all groups before. If the implementations of a symbol change
// later, settleDispatch marks the results for the groups that call it as out of date.
func (s *settler) settleReceivers(ctx context.Context, v *store.View, generation int64, g *group) error {
	if g.receivers.settled {
		return nil
	}
	l := s.ledger
	r := s.resolver(ctx, v, generation)
	admitted := map[receiving][]target{}
	for _, e := range g.files {
		for i := range e.sites.results {
			at := &e.sites.results[i]
			k := receiving{at.target, at.receiver}
			if _, ok := admitted[k]; ok || !at.has(flagReceiver) || at.has(flagDirect) {
				continue
			}
			list, ok := l.admittedBy(r, k)
			if !ok {
				break
			}
			admitted[k] = list
		}
	}
	if err := r.w.Err(); err != nil {
		return err
	}
	l.change(func() {
		l.dismiss(g)
		for k, list := range admitted {
			l.admitted[k] = admission{list, l.admitted[k].groups + 1}
			g.received = append(g.received, k)
		}
		// Look-ups that g.calls depends on need not be stored again: if one of them changes, unsettle marks
		// both g.calls and g.receivers as out of date.
		l.rest(g, &g.receivers, r.w, g.calls.reads.has)
	})
	return nil
}

// admittedBy returns the symbols that may run instead of k.target at the calls that resolve to it and
// whose receiver has the declared type k.receiver. It returns nil and true if nothing can run instead
// of k.target on any receiver, and false if a file cannot be loaded.
func (l *ledger) admittedBy(r *Resolver, k receiving) ([]target, bool) {
	all := l.files[k.target.file].implementations.of(k.target.symbol)
	if len(all) == 0 {
		return nil, true
	}
	refs, ok := r.w.refsAt(l.places(append([]target{k.target, k.receiver}, all...)))
	if !ok {
		return nil, false
	}
	return l.targets(r.admitted(refs[0], refs[1], refs[2:])), true
}

// dismiss removes the results that settleReceivers stored for a group, except those that another
// group needs too.
func (l *ledger) dismiss(g *group) {
	for _, k := range g.received {
		a := l.admitted[k]
		if a.groups--; a.groups == 0 {
			delete(l.admitted, k)
		} else {
			l.admitted[k] = a
		}
	}
	g.received = nil
}

// targets replaces the files in refs by their numbers in the ledger.
func (l *ledger) targets(refs []Ref) []target {
	out := make([]target, len(refs))
	for i, r := range refs {
		out[i] = target{l.byID[r.File.ID], int32(r.Index)}
	}
	return out
}

// below lists, for symbols of one file, the symbols that may run instead of them.
type below struct {
	symbols []int32  // indexes of symbols, in ascending order
	ends    []uint32 // for each of symbols, the end of its list in targets
	targets []target // the lists, one after the other
}

// add adds the list for a symbol, whose index is larger than those of all symbols added before.
func (b *below) add(symbol int32, list []target) {
	b.symbols = append(b.symbols, symbol)
	b.targets = append(b.targets, list...)
	b.ends = append(b.ends, uint32(len(b.targets)))
}

// of returns the symbols that may run instead of a symbol; nil if b has no list for it.
func (b *below) of(symbol int32) []target {
	i, found := slices.BinarySearch(b.symbols, symbol)
	if !found {
		return nil
	}
	return b.list(i)
}

// list returns the list for b.symbols[i].
func (b *below) list(i int) []target {
	from := uint32(0)
	if i > 0 {
		from = b.ends[i-1]
	}
	return b.targets[from:b.ends[i]:b.ends[i]]
}

// keep moves the lists of b to a file; see mapped.Keep.
func (b *below) keep(lists *mapped.File) {
	b.symbols, b.ends, b.targets = mapped.Keep(lists, b.symbols), mapped.Keep(lists, b.ends), mapped.Keep(lists, b.targets)
}

// bytes returns the bytes that b refers to.
func (b *below) bytes() int64 { return size(b.symbols) + size(b.ends) + size(b.targets) }
