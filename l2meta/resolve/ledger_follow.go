package resolve

import (
	"context"
	"encoding/binary"
	"maps"
	"slices"

	"github.com/zeebo/xxh3"

	"sextant/internal/code"
	"sextant/internal/store"
	"sextant/l2meta"
)

// follow updates the ledger's list of files to a generation, and marks the groups of files whose
// results depend on a changed file as out of date. If the changes are unknown, are too many, or left
// too many unused entries in the ledger, it starts with an empty ledger. The first time, it loads the
// ledger that the index stores, if there is one.
func (s *settler) follow(ctx context.Context, v *store.View, generation int64) error {
	l := s.ledger
	if l.byID == nil {
		if err := s.restore(ctx, v, generation); err != nil || l.generation == generation {
			return err
		}
	}
	if l.byID != nil && !l.worn() {
		paths, known, err := s.src.Changed(ctx, v, l.generation)
		if err != nil {
			return err
		}
		if known && len(paths) <= maxChanged {
			return s.apply(ctx, v, generation, paths)
		}
	}
	log, err := l2meta.Index{}.LogEnd(ctx, v)
	if err != nil {
		return err
	}
	var refs []store.FileRef
	err = v.Files(ctx, func(f store.FileRow) error {
		if f.Skip == "" {
			refs = append(refs, store.FileRef{ID: f.ID, Path: f.Path, Hash: f.Hash,
				Language: f.Language, Class: f.Class})
		}
		return nil
	})
	if err != nil {
		return err
	}
	present := make(map[store.FileRef]bool, len(refs))
	for _, r := range refs {
		present[r] = true
	}
	s.cache.outdate(func(r store.FileRef) bool { return !present[r] })
	l.change(func() {
		l.renew(newContents(s.cache.newLists()))
		l.generation, l.log, l.stored.ranges = generation, log, unknownRanges
		last := map[string]*group{} // the last group of each directory
		for _, r := range refs {
			dir := code.Dir(r.Path)
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

// worn reports whether past changes left so much unused data in the ledger that it should be
// rebuilt.
func (l *ledger) worn() bool {
	return len(l.files) > 2*len(l.byID)+maxChanged || l.texts.count() > l.sites/2+maxChanged*100
}

func (l *ledger) add(r store.FileRef, g *group) {
	e := &entry{number: uint32(len(l.files)), ref: &r, family: l.languages.Family(r.Language), group: g}
	g.files = append(g.files, e)
	l.files = append(l.files, e)
	l.byID[r.ID], l.byPath[r.Path] = e.number, e.number
}

// apply updates the ledger for the files at changed paths, and marks the groups that depend on them
// as out of date.
func (s *settler) apply(ctx context.Context, v *store.View, generation int64, paths []string) error {
	l := s.ledger
	changed := map[leaf]bool{}
	now, facts := make([][]store.FileRef, len(paths)), make([]shares, len(paths))
	known := true
	log, err := l2meta.Index{}.LogEnd(ctx, v)
	if err != nil {
		return err
	}
	for i, p := range paths {
		refs, err := v.FileAt(ctx, p)
		if err != nil {
			return err
		}
		for _, r := range refs {
			f, err := l2meta.Index{}.Facts(ctx, v, r.ID)
			if err != nil {
				return err
			}
			facts[i] = l.sharesOf(r.Language, f.Unpack(), f.Accesses())
		}
		now[i] = refs
		before, ok, err := l.before(ctx, v, p)
		if err != nil {
			return err
		}
		if known = known && ok; ok {
			l.compare(p, refs, before, facts[i], changed)
		}
	}
	s.outdate(paths, now)
	sorted := slices.Sorted(maps.Keys(changed))
	l.change(func() {
		l.complete, l.dispatched, l.generation, l.log = false, false, generation, log
		for i, p := range paths {
			l.replace(p, now[i], facts[i])
		}
		for _, g := range l.groups {
			if g.unsettle(known, sorted); !g.receivers.settled {
				l.dismiss(g)
			}
		}
		l.groups = slices.DeleteFunc(l.groups, func(g *group) bool { return len(g.files) == 0 })
		// An edited file is likely to be edited again soon. Its group is resolved first, so that
		// its share in look-ups is known.
		slices.SortStableFunc(l.groups, func(a, b *group) int { return btoi(a.calls.settled) - btoi(b.calls.settled) })
	})
	return nil
}

// outdate makes the cache forget the files that the ledger has at paths, except those that are there now.
func (s *settler) outdate(paths []string, now [][]store.FileRef) {
	gone := map[store.FileRef]bool{}
	for i, p := range paths {
		if n, ok := s.ledger.byPath[p]; ok && !slices.Contains(now[i], *s.ledger.files[n].ref) {
			gone[*s.ledger.files[n].ref] = true
		}
	}
	s.cache.outdate(func(r store.FileRef) bool { return gone[r] })
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// shares holds what a file contributes to the results of look-ups, and a hash of what verdicts in
// other files may depend on.
type shares struct {
	gives givenList
	shown uint64
}

func (l *ledger) sharesOf(language string, f *code.File, accesses []code.Call) shares {
	return shares{newGivenList(gives(f)), l.languages.shown(language, f, accesses)}
}

// before returns the shares of the file that the ledger has at path p; empty shares if the ledger
// has no file there. known is false if the ledger does not store them and they can no longer be
// computed.
func (l *ledger) before(ctx context.Context, v *store.View, p string) (s shares, known bool, err error) {
	n, ok := l.byPath[p]
	if !ok {
		return s, true, nil
	}
	if old := l.files[n]; old.gives == nil {
		f, known, err := l2meta.Index{}.Earlier(ctx, v, l.log, old.ref.ID)
		if err != nil || !known {
			return s, false, err
		}
		return l.sharesOf(old.ref.Language, f.Unpack(), f.Accesses()), true, nil
	}
	return shares{l.files[n].gives, l.files[n].shown}, true, nil
}

// compare adds to changed the look-ups whose results differ after a change at path p. now holds the
// file that is at p now, if any; before and after are the shares of the old and of the new file.
func (l *ledger) compare(p string, now []store.FileRef, before, after shares, changed map[leaf]bool) {
	same := l.remains(p, now)
	if n, ok := l.byPath[p]; ok && !(same && before.shown == after.shown) {
		changed[fileLeaf(l.files[n].ref.ID)] = true
	}
	if !same {
		for _, r := range now {
			changed[fileLeaf(r.ID)] = true
		}
		l.placeLeaves(p, changed)
	}
	gave, gives := before.gives.list(), after.gives.list()
	seen := map[given]int{} // an entry occurs once in each list, so a count of 1 means that only one list has it
	for _, x := range slices.Concat(gave, gives) {
		seen[x]++
	}
	for x, times := range seen {
		if !same || times < 2 {
			changed[x.leaf] = true
		}
	}
	bears := map[leaf]int{} // the same for names that a file bears
	for _, x := range slices.Concat(gave, gives) {
		bears[bearingLeaf(x.leaf)]++
	}
	for x, times := range bears {
		if !same || times < 2 {
			changed[x] = true
		}
	}
}

// remains reports whether the file at p is still the one that the ledger has there, perhaps edited.
// now holds the file that is at p now, if any.
func (l *ledger) remains(p string, now []store.FileRef) bool {
	n, ok := l.byPath[p]
	if !ok || len(now) == 0 {
		return false
	}
	old := l.files[n].ref
	return now[0].ID == old.ID && now[0].Language == old.Language && now[0].Class == old.Class
}

// placeLeaves adds to changed the look-ups whose results depend on whether a file exists at path p.
func (l *ledger) placeLeaves(p string, changed map[leaf]bool) {
	dir, base := code.Dir(p), code.Base(p)
	changed[leafOf(readPath, p)], changed[leafOf(readDir, dir)], changed[leafOf(readBase, base)] = true, true, true
	for d := dir; ; d = code.Dir(d) {
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

// replace replaces the ledger's entry for path p by entries for the files that are there now, if
// any. facts holds the shares of the file that is there now.
func (l *ledger) replace(p string, now []store.FileRef, facts shares) {
	n, was := l.byPath[p]
	if was && len(now) > 0 && now[0].ID == l.files[n].ref.ID {
		e := l.files[n]
		same := l.remains(p, now) && e.shown == facts.shown
		e.ref, e.family, e.gives, e.shown = &now[0], l.languages.Family(now[0].Language), facts.gives, facts.shown
		e.group.calls.settled, e.group.dispatch.settled = false, same && e.group.dispatch.settled
		return
	}
	if was {
		e := l.files[n]
		l.forget(e)
		e.group.files, e.group.changed = slices.DeleteFunc(e.group.files, func(o *entry) bool { return o == e }), true
		l.files[n] = nil
		if l.byID[e.ref.ID] == n { // the index may assign the id of its newest file again
			delete(l.byID, e.ref.ID)
		}
		delete(l.byPath, p)
	}
	for _, r := range now {
		g := &group{}
		l.groups = append(l.groups, g)
		l.add(r, g)
		e := l.files[l.byID[r.ID]]
		e.gives, e.shown = facts.gives, facts.shown
	}
}

// declaration returns a hash of those parts of a symbol that a look-up by name (World.Named)
// returns.
func declaration(index int, s *code.Symbol) uint32 {
	var buf [128]byte
	b := buf[:0]
	for _, n := range []int{index, s.Parent, s.Ordinal, btoi(s.Exported)} {
		b = binary.AppendVarint(b, int64(n))
	}
	for _, text := range []string{string(s.Kind), s.Name, s.QualifiedName} {
		b = append(binary.AppendUvarint(b, uint64(len(text))), text...)
	}
	return uint32(xxh3.Hash(b))
}

// gives returns the contributions of a file to look-ups by name, one for each name. They say what
// the file does with the name: it declares or calls it, renames it, has a base type of that name,
// or stores a function in a property of that name or the reverse. Names in l2meta.Bears, by which
// a declaration may be called although no symbol has that name, count as well.
func gives(f *code.File) []given {
	found := map[leaf]uint32{}
	for i := range f.Symbols {
		s := &f.Symbols[i]
		found[leafOf(readNamed, foldASCII(s.Name))] += declaration(i, s)
	}
	for _, c := range f.Calls {
		found[leafOf(readCalling, foldASCII(c.Callee))] = 1
	}
	for i := range f.Imports {
		found[leafOf(readRenaming, foldASCII(f.Imports[i].Name))] = 1
	}
	if len(l2meta.Defaults(f)) > 0 {
		found[leafOf(readRenaming, l2meta.DefaultExport)] = 1
	}
	for i := range f.Exports {
		found[leafOf(readRenaming, foldASCII(f.Exports[i].Local))] = 1
	}
	for _, a := range l2meta.Aliases(f) {
		found[leafOf(readRenaming, foldASCII(a.Of))] = 1
	}
	for _, fact := range f.Facts {
		if fact.Kind == code.FactBase || fact.Kind == code.FactImpl {
			found[leafOf(readExtending, foldASCII(l2meta.TypeName(fact.Type)))] = 1
		}
		if fact.Kind == code.FactGiven {
			for _, name := range l2meta.GivenNames(&fact) {
				found[leafOf(readGiving, foldASCII(name))] = 1
			}
		}
	}
	for _, name := range l2meta.Bears(f) {
		if x := leafOf(readNamed, foldASCII(name)); found[x] == 0 {
			found[x] = 1 // any hash will do: only the leaf of bearingLeaf is needed
		}
	}
	out := make([]given, 0, len(found))
	for x, hash := range found {
		out = append(out, given{x, hash})
	}
	return out
}
