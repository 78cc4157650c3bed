package callgraph

import (
	"context"
	"slices"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/symbols"
	"sextant/jit"
	"sextant/l2meta"
)

// isService reports whether a directory is that of a service, and not only a part of one.
func isService(services *jit.Services, dir string) bool {
	if dir == "" || services == nil {
		return false
	}
	of := services.Of(dir + "/_")
	return of.Name != "" && of.Root == dir
}

// crossedByService returns the edges from calls in other services to the service whose folder is the root of the
// graph or, on the side of callees, from the folder to what its calls reach in other services. It returns nil for any
// other folder. The tests of a service are no part of what it does.
func (w *walk) crossedByService(s *side, t task) (out []tracedEdge, err error) {
	dir := t.node.folder.dir
	if !*w.req.CrossService || t.depth > 0 || !isService(w.services, dir) {
		return nil, nil
	}
	world := w.links.Resolver.World()
	at := map[edgeKey]int{}
	for _, ref := range world.Below(dir) {
		if ref.Class == code.ClassTest || w.services.Of(ref.Path).Root != dir {
			continue
		}
		f := world.Load(ref)
		if f == nil {
			continue
		}
		for i := -1; i < len(f.Symbols); i++ {
			found, err := w.crossingsOf(s, f.Ref(i))
			if err != nil {
				return nil, err
			}
			for k := range found {
				if x := &found[k]; !x.Handler.Valid() || w.services.Of(x.Handler.File.Path).Root !=
					w.services.Of(x.File.Path).Root {
					out = w.surest(at, w.crossing(out, s, t, x))
				}
			}
		}
	}
	return out, world.Err()
}

// surest removes the last edge if an earlier one is of the same call, which several handlers of the service may
// answer, and keeps the one of the higher confidence. at has the edges before it.
func (w *walk) surest(at map[edgeKey]int, out []tracedEdge) []tracedEdge {
	last := len(out) - 1
	if last < 0 {
		return out
	}
	i, known := at[out[last].key]
	switch {
	case !known:
		at[out[last].key] = last
	case i != last:
		if out[last].Confidence > out[i].Confidence {
			out[i] = out[last]
		}
		out = out[:last]
	}
	return out
}

// serviceNamed returns the row of the folder of the service that a reference names. It returns false if no service has
// the name, or if where, to which the name leads otherwise, may have calls: the entry of a service in a compose file
// has its name, too, and calls nothing.
func (g *graphing) serviceNamed(ctx context.Context, ref contract.SymbolRef,
	where symbols.Located) (row l2meta.Row, found bool, err error) {
	p, name := g.place, ref.SymbolLabel
	if name == "" || ref.File != "" || ref.SymbolID != "" || ref.SymbolInstanceID != "" ||
		slices.ContainsFunc(where.Candidates, func(c contract.Candidate) bool { return traceable(code.Kind(c.Kind)) }) {
		return row, false, nil
	}
	var dirs []string
	for _, s := range p.Root.Services().List {
		if s.Root != "" && slices.Contains(s.Names, name) && code.Within(s.Root, p.Rel) {
			dirs = append(dirs, s.Root)
		}
	}
	if len(dirs) != 1 {
		return row, false, nil
	}
	err = p.Root.View(ctx, func(v *jit.View) error {
		if where.File != "" {
			f, known, err := v.File(ctx, where.File)
			if _, calls := l2meta.Understands(f.Language); err != nil || !known || calls {
				return err
			}
		}
		row, err = g.folderIn(ctx, v, dirs[0], ref, false)
		found = err == nil
		return err
	})
	return row, found, err
}
