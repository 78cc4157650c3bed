package resolve

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"sextant/internal/mapped"
	"sextant/internal/store"
	"sextant/l2meta"
)

// Source is the index of a root, which changes over time.
type Source interface {
	// View shows one generation of the index to fn.
	View(ctx context.Context, fn func(v *store.View, generation int64) error) error
	// Changed returns the paths that were touched after a generation, up to the generation of v;
	// false if the index does not know them any more.
	Changed(ctx context.Context, v *store.View, since int64) ([]string, bool, error)
	// Keep runs a transaction that writes derived data into the index.
	Keep(ctx context.Context, fn func(tx *store.Tx) error) error
}

const (
	// settleSlice bounds the time for which one view of the index is held. A long-lived reader
	// prevents the database from checkpointing its write-ahead log.
	settleSlice = 200 * time.Millisecond
	// maxChanged is the largest number of changed files that is applied file by file. After more
	// changes the ledger is rebuilt.
	maxChanged = 5000
	// manyGroups is the number of groups of files that a Settle must have resolved to drop all values
	// that it derived when it ends.
	manyGroups = 500
)

// Settle brings the ledger of the cache up to date with the index. It resolves every call site of
// the root, or those that depend on something that has changed since, at about 25 µs a site. Only
// one Settle runs at a time: a second one returns at once. If ctx ends it, the results so far are
// kept. Queries meanwhile are answered without the ledger.
//
// Settle also calls ahead, which does short work that callers are waiting for; ahead may be nil.
// It runs first if this process has no ledger yet and the index has no complete one. Otherwise it
// runs last.
//
// If a rule panics, the root gets no ledger, but the process goes on. A query that meets the same
// site returns the error.
func (c *Cache) Settle(ctx context.Context, src Source, ahead func()) (err error) {
	if !c.settling.TryLock() {
		return nil
	}
	defer c.settling.Unlock()
	s := &settler{ledger: &c.ledger, cache: c, src: src}
	defer func() {
		if p := recover(); p != nil {
			c.ledger.giveUp()
			err = errors.Join(fmt.Errorf("settle calls: panic: %v", p), s.keep(ctx))
		}
	}()
	if ahead == nil {
		ahead = func() {}
	}
	defer c.Extend()()
	kept, err := s.kept(ctx)
	switch {
	case err != nil:
		return err
	case c.ledger.byID == nil && !kept.Whole:
		ahead()
	default:
		defer func() {
			if err == nil {
				ahead()
			}
		}()
	}
	defer s.close()
	defer s.fits() // counts the results of the last slice, and what compact saved
	written := time.Now()
	for done := false; !done; {
		if err := s.startLog(ctx); err != nil {
			return err
		}
		err := src.View(ctx, func(v *store.View, generation int64) (err error) {
			done, err = s.slice(ctx, v, generation)
			return err
		})
		if err != nil {
			return err
		}
		if due := time.Since(written) >= c.keepEvery; !done && !due {
			continue
		}
		if err := s.keep(ctx); err != nil && !errors.Is(err, errOther) {
			return err
		}
		written = time.Now()
	}
	if s.fresh >= manyGroups {
		s.close()
		c.forget() // frees the pages of values that were derived for Settle
		c.ledger.lists.Release()
	}
	c.compact()
	return nil
}

// kept describes the ledger in the index, if it is complete and was computed by the rules of this
// program. Otherwise it returns the zero value.
func (s *settler) kept(ctx context.Context) (kept l2meta.Derivation, err error) {
	if !s.cache.keeps() {
		return kept, nil
	}
	err = s.src.View(ctx, func(v *store.View, _ int64) (err error) {
		kept, err = l2meta.Index{}.Derivation(ctx, v)
		return err
	})
	if !kept.Whole || kept.Basis != s.cache.basis() {
		return l2meta.Derivation{}, err
	}
	return kept, err
}

const (
	// followTime bounds the time for which a query waits for a Settle that only follows changes.
	// Without the ledger, a graph takes ten times as long.
	followTime = 300 * time.Millisecond
	// restoreTime bounds the time for which a query waits for a Settle that first reads a ledger of
	// at least restoreParts parts from the index. With 20,926 files (5,147 parts), the first graph
	// of a process took 1.9 s with the ledger and 2.5 s without it; with 3,454 files (some 600
	// parts), 0.7 s with it and 0.4 s without it.
	restoreTime  = 3 * time.Second
	restoreParts = 3000
)

// Follows returns how long a query should wait for a Settle that only brings a complete ledger up
// to a generation. It returns 0 if a Settle would have more to do or nothing to do, and while
// another Settle is running.
func (c *Cache) Follows(ctx context.Context, src Source, generation int64) time.Duration {
	if !c.settling.TryLock() {
		return 0
	}
	defer c.settling.Unlock()
	l := &c.ledger
	if l.byID != nil {
		if l.whole(l.generation) && l.generation != generation {
			return followTime
		}
		return 0
	}
	s := &settler{ledger: l, cache: c, src: src}
	kept, err := s.kept(ctx)
	if err != nil || kept.Parts < restoreParts || l.givenUp || l.stored.tried {
		return 0
	}
	return restoreTime
}

// Behind reports whether the ledger is not complete at a generation and no Settle is running.
func (c *Cache) Behind(generation int64) bool {
	if !c.settling.TryLock() {
		return false
	}
	defer c.settling.Unlock()
	return !c.ledger.givenUp && !c.ledger.whole(generation)
}

// Settled reports whether every call site and all dispatch are resolved at a generation.
func (c *Cache) Settled(generation int64) bool {
	c.ledger.mu.RLock()
	defer c.ledger.mu.RUnlock()
	return c.ledger.whole(generation)
}

// settler is one Settle in progress. It alone changes the ledger, so it reads the ledger without
// the lock.
type settler struct {
	ledger *ledger
	cache  *Cache
	src    Source
	ahead  *snapshot // its derived values, at the current generation
	fresh  int       // number of groups whose calls were resolved
}

// resolver returns a resolver that records its look-ups and keeps its derived values apart from
// those of queries. It reads no verdict from the ledger, because the look-ups behind a single
// verdict are not known there.
func (s *settler) resolver(ctx context.Context, v *store.View, generation int64) *Resolver {
	if s.ahead == nil || s.ahead.generation != generation || !s.ahead.whole() {
		s.close()
		s.ahead = s.cache.newSnapshot(generation)
		s.ahead.reads = newRecorder()
		s.cache.settle(s.ahead)
	}
	return &Resolver{&World{derivations: derivations{snap: s.ahead}, ctx: ctx, view: v, known: &ledger{},
		renaming: s.ledger, languages: s.cache.languages}}
}

func (s *settler) close() {
	s.ahead.release()
	s.cache.settle(nil)
}

// slice continues the computation of the ledger for about settleSlice. It returns true if there is
// nothing left to do: the ledger is complete or given up, or the index is still partial.
func (s *settler) slice(ctx context.Context, v *store.View, generation int64) (done bool, err error) {
	l := s.ledger
	if l.givenUp || l.whole(generation) {
		return true, nil
	}
	if partial, err := s.cache.isPartial(ctx, v); err != nil || partial {
		// more files will be indexed; resolving sites whose declarations are missing would be done
		// twice
		return true, err
	}
	if l.generation != generation || l.byID == nil {
		if err := s.follow(ctx, v, generation); err != nil {
			return false, err
		}
	}
	if l.log.ID == "" {
		if l.log, err = (l2meta.Index{}).LogEnd(ctx, v); err != nil {
			return false, err
		}
	}
	if !s.fits() {
		l.giveUp()
		return true, nil
	}
	until := time.Now().Add(settleSlice)
	for _, g := range l.groups {
		if time.Now().After(until) {
			return false, nil
		}
		if err := s.settleCalls(ctx, v, generation, g); err != nil {
			return false, err
		}
	}
	if !l.complete {
		order := l.inOrder() // computed outside of the lock
		l.change(func() { l.order = order; l.finish() })
	}
	for _, settle := range []func(context.Context, *store.View, int64, *group) error{s.settleDispatch,
		s.settleReceivers} {
		for _, g := range l.groups {
			if time.Now().After(until) {
				return false, nil
			}
			if err := settle(ctx, v, generation, g); err != nil {
				return false, err
			}
		}
	}
	overridden := l.replaced() // computed outside of the lock
	l.change(func() { l.overridden, l.dispatched = overridden, true })
	return true, nil
}

// fits updates the ledger's size in the budget. It returns false, without the update, if too little
// of the budget would remain for the caches.
func (s *settler) fits() bool {
	l := s.ledger
	if l.item == nil {
		l.item = s.cache.budget.Add(0, nil)
	}
	n := l.bytes()
	if !s.cache.budget.Room(n-l.counted, ledgerShare) {
		return false
	}
	l.item.Resize(n)
	l.counted = n
	return true
}

// change runs fn under the write lock.
func (l *ledger) change(fn func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	fn()
}

// giveUp drops the ledger for good.
func (l *ledger) giveUp() {
	none := newContents(nil)
	none.log = l.log // keeps the log's position, so that keep ends the log
	l.change(func() { l.renew(none); l.givenUp = true })
}

// finish sorts the indexes and makes the ledger serve its generation.
func (l *ledger) finish() {
	l.sort()
	l.complete = true
}

// sort sorts the numbers of the files that call each token, and the renames of each name by file.
func (l *ledger) sort() {
	for i, files := range l.calling {
		slices.Sort(files)
		if cap(files) > len(files) {
			l.calling[i] = mapped.Keep(l.lists, files)
		}
	}
	for _, list := range l.renaming {
		slices.SortFunc(list, func(a, b rename) int { return int(a.id - b.id) })
	}
}

// forget removes the results of e from the ledger.
func (l *ledger) forget(e *entry) {
	l.sites -= e.sites.count()
	for _, t := range l.tokensIn(e) {
		l.calling[t] = slices.DeleteFunc(l.calling[t], func(f uint32) bool { return f == e.number })
	}
	for _, name := range e.renames {
		l.renaming[name] = slices.DeleteFunc(l.renaming[name], func(r rename) bool { return r.id == e.ref.ID })
	}
	e.sites, e.renames, e.imports = siteList{}, nil, nil
}

// tokensIn returns the distinct search tokens of the callees in e.
func (l *contents) tokensIn(e *entry) []uint32 {
	tokens := e.sites.callees()
	for i, name := range tokens {
		tokens[i] = l.tokenOf[name]
	}
	slices.Sort(tokens)
	return slices.Compact(tokens)
}

// settleCalls resolves the call sites of a group, and stores their verdicts.
func (s *settler) settleCalls(ctx context.Context, v *store.View, generation int64, g *group) error {
	if g.calls.settled {
		return nil
	}
	r := s.resolver(ctx, v, generation)
	files, verdicts, imports, gave := make([]*File, len(g.files)), make([][]Verdict, len(g.files)),
		make([][]ImportEdge, len(g.files)), make([]shares, len(g.files))
	for i, e := range g.files {
		f := r.w.Load(*e.ref)
		if f == nil {
			break
		}
		files[i], verdicts[i] = f, make([]Verdict, len(f.Calls()))
		for c := range f.Calls() {
			verdicts[i][c] = r.verdict(f, c)
		}
		imports[i], gave[i] = r.w.imports(f), s.ledger.sharesOf(f.Language, f.unpacked(), f.Accesses())
	}
	if err := r.w.Err(); err != nil {
		return err
	}
	l := s.ledger
	l.change(func() {
		for i, e := range g.files {
			l.forget(e)
			e.gives, e.shown = gave[i].gives, gave[i].shown
			l.enter(e, files[i], verdicts[i])
			l.enterImports(e, imports[i])
			e.keepCalls(l.lists)
		}
		l.rest(g, &g.calls, r.w, nil)
		g.receivers.settled = false
	})
	s.fresh++
	return nil
}

// rest marks part p of g as up to date. It stores the look-ups that w has recorded, because p
// depends on them, except those for which but returns true; but may be nil.
func (l *ledger) rest(g *group, p *part, w *World, but func(leaf) bool) {
	reads := w.snap.reads.take()
	if but != nil {
		reads = slices.DeleteFunc(reads, but)
	}
	g.changed = true
	p.reads, p.settled = newLeafSet(reads), true
	p.reads.keep(l.lists)
	maps.Copy(l.ranges, w.snap.reads.ranges)
}

// enter stores the verdicts of the call sites of a file.
func (l *ledger) enter(e *entry, f *File, verdicts []Verdict) {
	l.sites += len(verdicts)
	var w siteWriter
	for i := range verdicts {
		c := &f.Calls()[i]
		w.add(named{uint32(c.NameSpan.StartByte), uint32(c.NameSpan.StartLine)}, l.resultOf(c.Callee, &verdicts[i]))
	}
	e.sites = w.list()
	for _, t := range l.tokensIn(e) {
		l.calling[t] = append(l.calling[t], e.number)
	}
	l.enterRenames(e, f)
}

func (l *ledger) enterImports(e *entry, imports []ImportEdge) {
	e.imports = make([]brought, len(imports))
	for i, x := range imports {
		e.imports[i] = brought{l.byID[x.Target.ID], uint32(x.Number)}
	}
}

// callee returns the number of a callee's name, and adds the name if it is new.
func (l *contents) callee(name string) uint32 {
	n := l.names.number(name)
	if int(n) == len(l.tokenOf) {
		t := l.tokens.number(foldASCII(l2meta.CalleeToken(name)))
		l.tokenOf = append(l.tokenOf, t)
		if int(t) == len(l.calling) {
			l.calling = append(l.calling, nil)
		}
	}
	return n
}

// resultOf returns the compact form of the verdict of a call.
func (l *ledger) resultOf(callee string, v *Verdict) result {
	r := result{callee: l.callee(callee), outcome: v.Outcome}
	switch v.Outcome {
	case Settled:
		r.target = target{l.byID[v.Target.File.ID], int32(v.Target.Index)}
		r.text, r.strategy = l.texts.number(v.Provenance), uint8(slices.Index(strategies, v.Strategy))
		if v.Direct {
			r.flags |= flagDirect
		}
		if on := v.Receiver; on.Valid() {
			r.receiver, r.flags = target{l.byID[on.File.ID], int32(on.Index)}, r.flags|flagReceiver
		}
	case External:
		r.text = l.texts.number(v.Module)
		if v.Undeclared {
			r.flags |= flagUndeclared
		}
	default:
		r.text = l.texts.number(v.Reason)
	}
	return r
}

// enterRenames stores the names that f renames, with the other names that it gives them.
func (l *ledger) enterRenames(e *entry, f *File) {
	for _, name := range f.renamedNames() {
		to := renamed(f, name)
		if name == l2meta.DefaultExport { // imports of default exports are found through entry.imports
			to = assigned(f, name)
		}
		for i := range to {
			to[i] = strings.Clone(to[i])
		}
		name = strings.Clone(name)
		e.renames = append(e.renames, name)
		l.renaming[name] = append(l.renaming[name], rename{e.ref.ID, to})
	}
}

// renamedNames returns the distinct names that f renames: save for import { save as store }.
func (f *File) renamedNames() (out []string) {
	for _, i := range f.Imports {
		if i.Alias != "" && i.Name != "" && i.Name != "*" {
			out = append(out, i.Name)
		}
	}
	for _, e := range f.Exports {
		if e.Local != "" && e.Local != e.Name {
			out = append(out, e.Local)
		}
	}
	for _, a := range f.Aliases() {
		out = append(out, a.Of)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
