package impact

import (
	"cmp"
	"container/heap"
	"context"
	"math"
	"slices"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/engine"
	"sextant/jit"
	"sextant/l2meta/endpoint"
	"sextant/l2meta/resolve"
)

// These constants are factors for the weight of a path when it grows by one step, from a symbol
// to its caller.
const (
	stepWeight    = 0.8 // each call in between makes it less likely that a test is about the change
	dynamicWeight = 0.6 // for a call that may dispatch elsewhere
	importWeight  = 0.5 // for an import
	leastWeight   = 1e-4
)

// These constants bound the walk from changed symbols to their callers.
const (
	maxNodes       = 4000 // symbols whose callers the walk requests
	maxSites       = 400  // call sites of one symbol that are followed
	maxFilesCalled = 1000 // files that one search for callers reads, nearest first
)

// step is a symbol that reaches the change. The steps that follow, by next, are its best path to a
// changed symbol.
type step struct {
	ref     resolve.Ref
	weight  float64
	depth   int
	next    *step // the next step toward the change; nil for a changed symbol
	line    int   // line of the call
	kind    code.EdgeKind
	via     string // route of a call to another service
	dynamic bool   // whether the path has a call that may dispatch elsewhere
	label   string // for steps that are no symbol of the index; "" means ref's label
}

// name returns the name to show for a step: a qualified name, or that of a file.
func (s *step) name() string {
	switch {
	case s.label != "":
		return s.label
	case s.ref.Index < 0:
		return code.Base(s.ref.File.Path)
	}
	return s.ref.Symbol().QualifiedName
}

// target returns the changed symbol at the end of a path.
func (s *step) target() *step {
	for s.next != nil {
		s = s.next
	}
	return s
}

// imported reports whether a path contains an import.
func (s *step) imported() bool {
	for ; s.next != nil; s = s.next {
		if s.kind == code.EdgeImport {
			return true
		}
	}
	return false
}

// walk goes from the changed symbols to their callers, to the callers of these, and so
// on, the highest weight first.
type walk struct {
	ctx     context.Context
	r       *resolve.Resolver
	join    *endpoint.Joiner
	across  bool    // whether to follow calls from other services
	least   float64 // least confidence of the calls that are followed
	deepest int
	known   map[resolve.Ref]*step
	queue   steps
	// importsLast postpones imports until no call is left.
	importsLast bool
	files       []*step // postponed imports
	done        int     // number of symbols whose callers were searched
	left        int     // symbols whose callers were not searched
	late        bool    // the deadline ended the walk
	sitesCut    int     // call sites that were not followed
}

func newWalk(ctx context.Context, r *resolve.Resolver, services *jit.Services, req *contract.GraphRequest) *walk {
	return &walk{ctx: ctx, r: r, join: engine.Joiner(r, services), across: *req.CrossService,
		least: *req.MinConfidence, deepest: req.Depth, known: map[resolve.Ref]*step{}}
}

// begin adds a changed symbol as a start of the walk to callers.
func (w *walk) begin(ref resolve.Ref) { w.reach(&step{ref: ref, weight: 1}) }

// reach records that the symbol of s reaches the change, unless a better path is known, and queues it. Each step
// lowers the weight, so all paths of one weight to a symbol are known before its callers are searched.
func (w *walk) reach(s *step) {
	if s.weight < leastWeight {
		return
	}
	if was := w.known[s.ref]; was != nil && comparePaths(was, s) <= 0 {
		return
	}
	w.known[s.ref] = s
	heap.Push(&w.queue, s)
}

// comparePaths orders the paths from one symbol to the change, the best first. Between paths of one weight it decides
// by what the sources say, since the order in which callers are found depends on the order in which files were indexed.
func comparePaths(a, b *step) int {
	if c := cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.depth, b.depth)); c != 0 || a.next == nil ||
		b.next == nil {
		return c
	}
	return cmp.Or(resolve.CompareRefs(a.next.ref, b.next.ref), cmp.Compare(a.next.label, b.next.label),
		cmp.Compare(a.line, b.line), cmp.Compare(a.kind, b.kind), cmp.Compare(a.via, b.via))
}

// run walks until all callers are reached, or until maxNodes or the deadline ends the
// walk.
func (w *walk) run() error {
	for {
		s := w.next()
		if s == nil {
			return nil
		}
		if w.ctx.Err() == nil && w.done < maxNodes {
			w.done++
			if err := w.up(s); err != nil && w.ctx.Err() == nil {
				return err
			}
		}
		if w.late = w.ctx.Err() != nil; w.late || w.done == maxNodes {
			w.left = w.queue.Len() + len(w.files) + 1
			return nil
		}
	}
}

// next returns the surest symbol whose callers are still to be searched, or nil.
func (w *walk) next() *step {
	for w.queue.Len() > 0 {
		s := heap.Pop(&w.queue).(*step)
		switch {
		case w.known[s.ref] != s || s.depth >= w.deepest:
			continue // a path of greater weight has replaced this one, or the path has too many calls
		case w.importsLast && s.ref.Index < 0:
			w.files = append(w.files, s)
			continue
		}
		return s
	}
	if len(w.files) == 0 {
		return nil
	}
	s := w.files[0]
	w.files = w.files[1:]
	return s
}

// up adds the callers of the symbol of s to those whose callers are searched in turn.
func (w *walk) up(s *step) error {
	if s.ref.Index < 0 {
		return w.importers(s)
	}
	in, err := w.r.Callers(s.ref, maxFilesCalled)
	if err != nil {
		return err
	}
	if err := w.sites(s, in.Callers, 1, false); err != nil {
		return err
	}
	bases, err := w.r.Overridden(s.ref)
	if err != nil {
		return err
	}
	for _, b := range bases {
		through, err := w.r.CallersThrough(b.Target, s.ref, maxFilesCalled)
		if err != nil {
			return err
		}
		if err := w.sites(s, through.Callers, dynamicWeight/math.Sqrt(float64(len(bases))), true); err != nil {
			return err
		}
	}
	return w.crossings(s)
}

// sites adds the symbols that contain the call sites to the walk. weight is the factor for each
// call; dynamic is true if the calls may run another function, as calls of an interface method
// may.
func (w *walk) sites(s *step, sites []resolve.SiteRef, weight float64, dynamic bool) error {
	if n := len(sites) - maxSites; n > 0 {
		w.sitesCut += n
		sites = sites[:maxSites]
	}
	for _, at := range sites {
		if at.Confidence < w.least {
			continue
		}
		site, ok, err := w.r.At(at)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		kind := code.EdgeCall
		if dynamic || site.Call.Kind == code.CallReference {
			kind = code.EdgeDynamic
		}
		w.reach(&step{ref: site.Caller, weight: s.weight * weight * stepWeight * at.Confidence,
			depth: s.depth + 1, next: s,
			line: site.Call.NameSpan.StartLine, kind: kind, dynamic: s.dynamic || dynamic})
	}
	return nil
}

// crossings adds the callers in other services, such as senders of an HTTP request that s handles.
func (w *walk) crossings(s *step) error {
	if !w.across {
		return nil
	}
	list, err := w.join.Incoming(s.ref)
	for _, x := range list {
		if x.Caller.File != nil && x.Confidence >= w.least {
			w.reach(&step{ref: x.Caller, weight: s.weight * stepWeight * x.Confidence, depth: s.depth + 1, next: s,
				line: x.Call.NameSpan.StartLine, kind: x.Kind, via: x.Via, dynamic: s.dynamic})
		}
	}
	return err
}

// importers adds, for the code of a file outside of symbols, the files that import it.
func (w *walk) importers(s *step) error {
	list, err := w.r.Importers(s.ref.File)
	var met []*resolve.File
	for _, x := range list {
		if !slices.Contains(met, x.File) {
			met = append(met, x.File)
			w.reach(&step{ref: x.File.Ref(-1), weight: s.weight * importWeight, depth: s.depth + 1, next: s,
				line: x.Import().Span.StartLine,
				kind: code.EdgeImport, dynamic: s.dynamic})
		}
	}
	return err
}

// steps is a priority queue of steps, the surest first.
type steps []*step

func (q steps) Len() int { return len(q) }
func (q steps) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(q[j].weight, q[i].weight), resolve.CompareRefs(q[i].ref, q[j].ref)) < 0
}
func (q steps) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *steps) Push(x any)   { *q = append(*q, x.(*step)) }
func (q *steps) Pop() any {
	old := *q
	last := old[len(old)-1]
	*q = old[:len(old)-1]
	return last
}
