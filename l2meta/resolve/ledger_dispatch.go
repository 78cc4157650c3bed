package resolve

import (
	"context"

	"sextant/internal/store"
)

// dispatch is what implementations gives for ref, or with up what overridden
// does; false when it is not settled.
func (l *ledger) dispatch(w *World, ref Ref, up bool) (out []Ref, ok bool) {
	l.mu.RLock()
	e, ok := l.at(w.snap.generation, ref.File)
	if !ok || !l.dispatched {
		l.mu.RUnlock()
		return nil, false
	}
	list := e.implementations[int32(ref.Index)]
	if up {
		list = e.overridden[int32(ref.Index)]
	}
	ids := make([]int64, len(list))
	for i, t := range list {
		ids[i] = l.files[t.file].ref.ID
	}
	l.mu.RUnlock()
	for i, t := range list {
		f := w.ByID(ids[i])
		if f == nil {
			return nil, false
		}
		out = append(out, f.Ref(int(t.symbol)))
	}
	return out, true
}

// settleDispatch finds what may run in the place of the symbols of a group, and
// in whose place they may run, and enters it.
func (s *settler) settleDispatch(ctx context.Context, v *store.View, generation int64, g *group) error {
	if g.dispatch.settled {
		return nil
	}
	l := s.ledger
	r := s.resolver(ctx, v, generation)
	below, above := make([]map[int32][]target, len(g.files)), make([]map[int32][]target, len(g.files))
	for i, e := range g.files {
		f := r.w.Load(*e.ref)
		if f == nil {
			break
		}
		below[i], above[i] = map[int32][]target{}, map[int32][]target{}
		for j := range f.Symbols {
			if s := &f.Symbols[j]; dispatchable(s) {
				l.enterTargets(below[i], j, implementations(r.w, f.Ref(j)))
			}
			if mayReplace(&f.Symbols[j]) {
				l.enterTargets(above[i], j, overridden(r.w, f.Ref(j)))
			}
		}
	}
	if err := r.w.Err(); err != nil {
		return err
	}
	l.change(func() {
		for i, e := range g.files {
			e.implementations, e.overridden = below[i], above[i]
		}
		l.rest(&g.dispatch, r.w)
	})
	return nil
}

func (l *ledger) enterTargets(of map[int32][]target, symbol int, refs []Ref) {
	for _, r := range refs {
		of[int32(symbol)] = append(of[int32(symbol)], target{l.byID[r.File.ID], int32(r.Index)})
	}
}
