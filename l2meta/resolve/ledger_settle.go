package resolve

import (
	"context"
	"slices"
	"strings"
	"time"

	"sextant/internal/code"
	"sextant/internal/store"
	"sextant/l2meta"
)

// Source is the index of a root as it moves on.
type Source interface {
	// View shows one generation of the index to fn.
	View(ctx context.Context, fn func(v *store.View, generation int64) error) error
	// Changed is the paths that were touched after a generation up to that of v;
	// false when that is not known any more.
	Changed(ctx context.Context, v *store.View, since int64) ([]string, bool, error)
}

const (
	// settleSlice is how long one view of the index is held: a reader that
	// stays keeps the database's log from being folded back.
	settleSlice = 200 * time.Millisecond
	// maxChanged is how many touched files are followed one by one; after more
	// the ledger is made anew.
	maxChanged = 5000
)

// Settle brings the ledger of the cache up to the index: it settles every call
// site of the root, or those that rest on something that changed since. It
// takes some 25 µs a site, runs once at a time, and returns at once where
// another does; what was done stays when ctx ends it. Questions are answered
// in the meantime as they are without it.
func (c *Cache) Settle(ctx context.Context, src Source) error {
	if !c.settling.TryLock() {
		return nil
	}
	defer c.settling.Unlock()
	s := &settler{ledger: &c.ledger, cache: &Cache{recording: true}, src: src}
	for done := false; !done; {
		err := src.View(ctx, func(v *store.View, generation int64) (err error) {
			done, err = s.slice(ctx, v, generation)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Behind reports whether Settle has something to do at a generation, and is not
// at it.
func (c *Cache) Behind(generation int64) bool {
	if !c.settling.TryLock() {
		return false
	}
	defer c.settling.Unlock()
	return !c.ledger.tooLarge && !c.ledger.serves(generation)
}

// Settled reports whether every call site is settled at a generation.
func (c *Cache) Settled(generation int64) bool {
	c.ledger.mu.RLock()
	defer c.ledger.mu.RUnlock()
	return c.ledger.serves(generation)
}

// settler is one Settle under way. It alone changes the ledger, so it reads it
// without its lock.
type settler struct {
	ledger *ledger
	cache  *Cache // of its own: it passes through the whole root
	src    Source
}

// slice goes on for a while, and reports whether the ledger is whole, or given
// up.
func (s *settler) slice(ctx context.Context, v *store.View, generation int64) (done bool, err error) {
	l := s.ledger
	if l.serves(generation) {
		return true, nil
	}
	if l.tooLarge {
		return true, nil
	}
	if l.generation != generation || l.byID == nil {
		if err := s.follow(ctx, v, generation); err != nil {
			return false, err
		}
	}
	until := time.Now().Add(settleSlice)
	for _, g := range l.groups {
		if g.settled {
			continue
		}
		if time.Now().After(until) {
			return false, nil
		}
		if err := s.settle(ctx, v, generation, g); err != nil {
			return false, err
		}
		if l.sites > maxLedgerSites {
			l.change(func() { l.clear(); l.tooLarge = true })
			return true, nil
		}
	}
	l.change(l.finish)
	return true, nil
}

// change runs fn while nobody reads the ledger.
func (l *ledger) change(fn func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	fn()
}

// clear empties the ledger.
func (l *ledger) clear() {
	l.complete, l.tooLarge, l.files, l.groups, l.sites = false, false, nil, nil, 0
	l.byID, l.byPath, l.ranges = map[int64]uint32{}, map[string]uint32{}, map[rangeKey]bool{}
	l.names, l.tokens, l.texts = newInterned(), newInterned(), newInterned()
	l.tokenOf, l.calling, l.renaming = nil, nil, map[string][]rename{}
}

// finish makes the ledger serve its generation.
func (l *ledger) finish() {
	for _, files := range l.calling {
		slices.Sort(files)
	}
	for _, list := range l.renaming {
		slices.SortFunc(list, func(a, b rename) int { return int(a.id - b.id) })
	}
	l.complete = true
}

// follow takes over what changed in the list of files, and unsettles what read
// any of it.
func (s *settler) follow(ctx context.Context, v *store.View, generation int64) error {
	l := s.ledger
	if l.byID != nil && !l.worn() {
		paths, known, err := s.src.Changed(ctx, v, l.generation)
		if err != nil {
			return err
		}
		if known && len(paths) <= maxChanged {
			return s.apply(ctx, v, generation, paths)
		}
	}
	var refs []store.FileRef
	err := v.Files(ctx, func(f store.FileRow) error {
		if f.Skip == "" {
			refs = append(refs, store.FileRef{ID: f.ID, Path: f.Path, Hash: f.Hash, Language: f.Language, Class: f.Class})
		}
		return nil
	})
	if err != nil {
		return err
	}
	l.change(func() {
		l.clear()
		l.generation = generation
		last := map[string]*group{} // of each directory
		for _, r := range refs {
			dir := store.Dir(r.Path)
			g := last[dir]
			if g == nil || len(g.files) >= groupFiles {
				g = &group{}
				last[dir] = g
				l.groups = append(l.groups, g)
			}
			l.add(r, g)
		}
	})
	return nil
}

// worn reports whether what was left behind by changes is worth being rid of.
func (l *ledger) worn() bool {
	return len(l.files) > 2*len(l.byID)+maxChanged || len(l.texts.list) > l.sites/2+maxChanged*100
}

func (l *ledger) add(r store.FileRef, g *group) {
	e := &entry{number: uint32(len(l.files)), ref: r, family: family(r.Language), group: g}
	g.files = append(g.files, e)
	l.files = append(l.files, e)
	l.byID[r.ID], l.byPath[r.Path] = e.number, e.number
}

// apply follows changes of single files. What another group read of them makes
// it unsettled.
func (s *settler) apply(ctx context.Context, v *store.View, generation int64, paths []string) error {
	l := s.ledger
	changed := map[leaf]bool{}
	now := make([][]store.FileRef, len(paths))
	for i, p := range paths {
		refs, err := v.FileAt(ctx, p)
		if err != nil {
			return err
		}
		now[i] = refs
		n, was := l.byPath[p]
		if was {
			old := l.files[n]
			changed[fileLeaf(old.ref.ID)] = true
			for _, x := range old.gives {
				changed[x] = true
			}
			was = len(refs) > 0 && refs[0].ID == old.ref.ID && refs[0].Language == old.ref.Language && refs[0].Class == old.ref.Class
		}
		for _, r := range refs {
			changed[fileLeaf(r.ID)] = true
			facts, err := l2meta.Index{}.Facts(ctx, v, r.ID)
			if err != nil {
				return err
			}
			for _, x := range gives(&facts) {
				changed[x] = true
			}
		}
		if !was {
			l.placeLeaves(p, changed)
		}
	}
	l.change(func() {
		l.complete, l.generation = false, generation
		for i, p := range paths {
			l.replace(p, now[i])
		}
		for _, g := range l.groups {
			g.settled = g.settled && !slices.ContainsFunc(g.reads, func(x leaf) bool { return changed[x] })
		}
		l.groups = slices.DeleteFunc(l.groups, func(g *group) bool { return len(g.files) == 0 })
	})
	return nil
}

// placeLeaves is the look-ups that see whether a file lies at a path.
func (l *ledger) placeLeaves(p string, changed map[leaf]bool) {
	dir, base := store.Dir(p), p[strings.LastIndexByte(p, '/')+1:]
	changed[leafOf(readPath, p)], changed[leafOf(readDir, dir)], changed[leafOf(readBase, base)] = true, true, true
	for d := dir; ; d = store.Dir(d) {
		changed[leafOf(readBelow, d)] = true
		if d == "" {
			break
		}
	}
	for r := range l.ranges {
		if r[0] <= base && base < r[1] {
			changed[rangeLeaf(r)] = true
		}
	}
}

// replace puts what lies at a path now in the place of what lay there.
func (l *ledger) replace(p string, now []store.FileRef) {
	n, was := l.byPath[p]
	if was && len(now) > 0 && now[0].ID == l.files[n].ref.ID {
		e := l.files[n]
		e.ref, e.family, e.group.settled = now[0], family(now[0].Language), false
		return
	}
	if was {
		e := l.files[n]
		l.forget(e)
		e.group.files = slices.DeleteFunc(e.group.files, func(o *entry) bool { return o == e })
		l.files[n] = nil
		delete(l.byID, e.ref.ID)
		delete(l.byPath, p)
	}
	for _, r := range now {
		g := &group{}
		l.groups = append(l.groups, g)
		l.add(r, g)
	}
}

// forget removes what settling e entered.
func (l *ledger) forget(e *entry) {
	l.sites -= len(e.verdicts)
	for _, t := range l.tokensIn(e) {
		l.calling[t] = slices.DeleteFunc(l.calling[t], func(f uint32) bool { return f == e.number })
	}
	for _, name := range e.renames {
		l.renaming[name] = slices.DeleteFunc(l.renaming[name], func(r rename) bool { return r.id == e.ref.ID })
	}
	e.callees, e.verdicts, e.gives, e.renames = nil, nil, nil, nil
}

// tokensIn is the tokens of the callees of e.
func (l *ledger) tokensIn(e *entry) []uint32 {
	tokens := make([]uint32, len(e.callees))
	for i, c := range e.callees {
		tokens[i] = l.tokenOf[c]
	}
	slices.Sort(tokens)
	return slices.Compact(tokens)
}

// settle settles the call sites of a group and enters what they are.
func (s *settler) settle(ctx context.Context, v *store.View, generation int64, g *group) error {
	r := New(ctx, v, s.cache, generation)
	files, verdicts := make([]*File, len(g.files)), make([][]Verdict, len(g.files))
	for i, e := range g.files {
		f := r.w.Load(e.ref)
		if f == nil {
			break
		}
		files[i], verdicts[i] = f, make([]Verdict, len(f.Calls))
		for c := range f.Calls {
			verdicts[i][c] = r.verdict(f, c)
		}
	}
	if err := r.w.Err(); err != nil {
		return err
	}
	l := s.ledger
	l.change(func() {
		for i, e := range g.files {
			l.forget(e)
			l.enter(e, files[i], verdicts[i])
		}
		g.reads, g.settled = slices.Clip(r.w.snap.reads.take()), true
		for k := range r.w.snap.reads.ranges {
			l.ranges[k] = true
		}
	})
	return nil
}

// enter writes down what the call sites of a file are.
func (l *ledger) enter(e *entry, f *File, verdicts []Verdict) {
	l.sites += len(verdicts)
	e.gives = gives(&f.Facts)
	e.callees, e.verdicts = make([]uint32, len(verdicts)), make([]record, len(verdicts))
	for i := range verdicts {
		e.callees[i], e.verdicts[i] = l.callee(f.Calls[i].Callee), l.recordOf(&verdicts[i])
	}
	for _, t := range l.tokensIn(e) {
		l.calling[t] = append(l.calling[t], e.number)
	}
	l.enterRenames(e, f)
}

// callee is the number of a callee's name.
func (l *ledger) callee(name string) uint32 {
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

func (l *ledger) recordOf(v *Verdict) record {
	switch r := (record{outcome: v.Outcome}); v.Outcome {
	case Settled:
		r.target, r.symbol = l.byID[v.Target.File.ID], int32(v.Target.Index)
		r.text, r.strategy = l.texts.number(v.Provenance), uint8(slices.Index(strategies, v.Strategy))
		return r
	case External:
		r.text = l.texts.number(v.Module)
		return r
	default:
		r.text = l.texts.number(v.Reason)
		return r
	}
}

// enterRenames notes the names to which f gives others.
func (l *ledger) enterRenames(e *entry, f *File) {
	for _, name := range f.renamedNames() {
		to := renamed(f, name)
		for i := range to {
			to[i] = strings.Clone(to[i])
		}
		name = strings.Clone(name)
		e.renames = append(e.renames, name)
		l.renaming[name] = append(l.renaming[name], rename{e.ref.ID, to})
	}
}

// renamedNames is the names that f gives others to, once each.
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
	slices.Sort(out)
	return slices.Compact(out)
}

// gives is the look-ups by name that the facts of a file bear on, sorted: those
// of its declarations, callees, renames and base types.
func gives(f *l2meta.Facts) []leaf {
	seen := map[leaf]bool{}
	for i := range f.Symbols {
		seen[leafOf(readNamed, foldASCII(f.Symbols[i].Name))] = true
	}
	for i := range f.Calls {
		seen[leafOf(readCalling, foldASCII(f.Calls[i].Callee))] = true
	}
	for i := range f.Imports {
		seen[leafOf(readRenaming, foldASCII(f.Imports[i].Name))] = true
	}
	for i := range f.Exports {
		seen[leafOf(readRenaming, foldASCII(f.Exports[i].Local))] = true
	}
	for i := range f.Facts {
		if k := f.Facts[i].Kind; k == code.FactBase || k == code.FactImpl {
			seen[leafOf(readExtending, foldASCII(l2meta.TypeName(f.Facts[i].Type)))] = true
		}
	}
	out := make([]leaf, 0, len(seen))
	for x := range seen {
		out = append(out, x)
	}
	return out
}
