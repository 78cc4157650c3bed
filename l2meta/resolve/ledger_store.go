package resolve

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"sextant/internal/store"
	"sextant/l2meta"
)

// The ledger is stored in the index, so that the next process need not resolve every call site
// again. Each group is one part; when a group is resolved again, only its part is replaced. All
// parts describe one generation. A process that restores them applies later changes as it would
// apply an edit. While the ledger is incomplete, the finished results are written from time to
// time, so that even a short session adds to it.

const (
	// storeBytes is the size in bytes at which collected parts are written in one transaction,
	// which takes about 20 ms.
	storeBytes = 2 << 20
	// storeLag is the number of changed paths by which another process's ledger in the index must
	// lag behind before this process replaces it. Two processes on one root would otherwise rewrite
	// the ledger in turns.
	storeLag = 200
)

// stored describes the parts of the ledger in the index.
type stored struct {
	l2meta.Derivation                // what this process last read or wrote
	parts             map[int64]bool // numbers of the groups that have a part; nil if not known
	ranges            int            // number of ranges in part 0; unknownRanges if not known
	next              int64          // highest number of a group
	tried             bool           // whether restore has run
}

// unknownRanges is the value of stored.ranges if part 0 must be written.
const unknownRanges = -1

// KeepUnder makes Settle keep the ledger in the index. basis returns the identity of the program
// whose rules compute the ledger, or "" to keep nothing; it is called in the background. While the
// ledger is incomplete, Settle writes its new results once per interval. The first time, it writes
// all groups.
func (c *Cache) KeepUnder(basis func() string, interval time.Duration) {
	c.basis, c.keepEvery = basis, interval
}

// keeps reports whether the ledger is kept in the index.
func (c *Cache) keeps() bool { return c.basis != nil && c.basis() != "" }

// restore loads the ledger from the index, if the rules of this program computed it and the changes
// since are known. Otherwise it leaves the ledger empty.
func (s *settler) restore(ctx context.Context, v *store.View, generation int64) error {
	l := s.ledger
	if !s.cache.keeps() || l.stored.tried {
		return nil
	}
	l.stored.tried = true
	d, err := l2meta.Index{}.Derivation(ctx, v)
	if err != nil || d.Generation == 0 || d.Generation > generation || d.Basis != s.cache.basis() {
		return err
	}
	if paths, known, err := s.src.Changed(ctx, v, d.Generation); err != nil || !known || len(paths) > maxChanged {
		return err
	}
	found := newContents(s.cache.newLists())
	u := &ledgerReader{&found, l.languages}
	kept := stored{Derivation: d, parts: map[int64]bool{}, ranges: unknownRanges, tried: true}
	err = l2meta.Index{}.Derived(ctx, v, func(part int64, data []byte) error {
		if part == 0 {
			err := u.takeRanges(data)
			kept.ranges = len(found.ranges)
			return err
		}
		kept.parts[part], kept.next = true, part
		return u.takeGroup(part, data)
	})
	if ctx.Err() != nil {
		found.lists.Close()
		l.stored.tried = false
		return ctx.Err()
	}
	if err != nil || kept.ranges == unknownRanges || len(kept.parts) != d.Parts || !u.whole() {
		found.lists.Close()
		l.stored.Derivation = d // the stored ledger is damaged: everything is resolved again and rewritten
		return nil
	}
	found.lists.Release()
	found.generation, found.log = d.Generation, d.Log
	l.change(func() { l.renew(found); l.stored = kept })
	return nil
}

// errOther is returned if another process keeps its ledger in the index.
var errOther = errors.New("another process keeps the ledger")

// startLog makes the index log the facts that it replaces, as long as the ledger lacks the shares
// of some file, which are its contributions to look-ups. If such a file is edited, its old shares
// are computed from the log. Without the log, every group would have to be resolved again.
func (s *settler) startLog(ctx context.Context) error {
	l := s.ledger
	unknown := func(e *entry) bool { return e != nil && e.gives == nil }
	if l.log.ID != "" || !slices.ContainsFunc(l.files, unknown) || !s.cache.keeps() {
		return nil
	}
	return s.src.Keep(ctx, func(tx *store.Tx) error { return l2meta.Index{}.StartLog(ctx, tx) })
}

// keep writes the changed parts of the ledger. It returns errOther if another process keeps a ledger
// that is new enough.
func (s *settler) keep(ctx context.Context) error {
	l := s.ledger
	whole := l.whole(l.generation)
	if l.givenUp && l.log.ID != "" {
		return s.src.Keep(ctx, func(tx *store.Tx) error { return l2meta.Index{}.EndLog(ctx, tx) })
	}
	if !s.cache.keeps() || l.givenUp || l.byID == nil ||
		l.stored.parts != nil && l.stored.Generation == l.generation && l.stored.Whole {
		return nil
	}
	if !whole {
		l.change(l.sort)
	}
	anew, err := s.mayKeep(ctx)
	if err != nil {
		return err
	}
	if anew {
		l.stored.parts, l.stored.ranges, l.stored.next = map[int64]bool{}, unknownRanges, 0
	}
	w := &ledgerWriter{settler: s, anew: anew, put: map[int64][]byte{}}
	present := map[int64]bool{}
	for _, g := range l.groups {
		if err := w.group(ctx, g, present); err != nil {
			return err
		}
	}
	if len(l.ranges) != l.stored.ranges {
		w.put[0] = l.packRanges()
	}
	for part := range l.stored.parts {
		if !present[part] {
			w.gone = append(w.gone, part)
		}
	}
	d := l2meta.Derivation{Generation: l.generation, Parts: len(present), Whole: whole}
	if !whole {
		d.Log = l.log
	}
	if err := w.flush(ctx, d); err != nil {
		return err
	}
	l.stored.parts, l.stored.ranges = present, len(l.ranges)
	return nil
}

// mayKeep reports whether all parts must be written, not only the changed ones. It returns errOther
// if another process keeps a ledger that is new enough.
func (s *settler) mayKeep(ctx context.Context) (anew bool, err error) {
	l := s.ledger
	err = s.src.View(ctx, func(v *store.View, generation int64) error {
		d, err := l2meta.Index{}.Derivation(ctx, v)
		if err != nil || d == l.stored.Derivation {
			return err
		}
		anew = true
		if d.Basis != s.cache.basis() || d.Generation == 0 || !d.Whole && l.whole(l.generation) {
			return nil
		}
		paths, known, err := s.src.Changed(ctx, v, d.Generation)
		if err == nil && known && len(paths) <= storeLag {
			return errOther
		}
		return err
	})
	return anew || l.stored.parts == nil, err
}

// ledgerWriter collects parts, and writes them in transactions of bounded size.
type ledgerWriter struct {
	*settler
	anew  bool // whether all parts in the index are replaced
	gone  []int64
	put   map[int64][]byte
	bytes int
}

// group adds the part of a group to those to be written, unless the part in the index is up to
// date. It also adds the part's number to present.
func (w *ledgerWriter) group(ctx context.Context, g *group, present map[int64]bool) error {
	kept := &w.ledger.stored
	if !kept.parts[g.number] {
		kept.next++
		g.number, g.changed = kept.next, true
	}
	present[g.number] = true
	if !g.changed {
		return nil
	}
	data := w.ledger.pack(g)
	w.put[g.number], g.changed = data, false
	if w.bytes += len(data); w.bytes < storeBytes {
		return nil
	}
	return w.flush(ctx, l2meta.Derivation{})
}

// flush writes the collected parts, and next as the description of the ledger. next is the zero
// Derivation while more parts follow.
func (w *ledgerWriter) flush(ctx context.Context, next l2meta.Derivation) error {
	kept := &w.ledger.stored
	next.Basis, next.Writer = w.cache.basis(), rand.Int64()
	err := w.src.Keep(ctx, func(tx *store.Tx) error {
		before, err := l2meta.Index{}.Derivation(ctx, &tx.View)
		if err == nil && before != kept.Derivation && !w.anew {
			err = errOther
		}
		if err != nil {
			return err
		}
		if next.Whole {
			if err := (l2meta.Index{}).EndLog(ctx, tx); err != nil {
				return err
			}
		}
		return l2meta.Index{}.PutDerived(ctx, tx, next, w.anew, w.gone, w.put)
	})
	if err != nil {
		kept.Derivation, kept.parts = l2meta.Derivation{}, nil // after an error, the stored state is unknown
		return fmt.Errorf("keep the ledger: %w", err)
	}
	kept.Derivation, w.anew, w.gone, w.bytes = next, false, nil, 0
	clear(w.put)
	return nil
}
