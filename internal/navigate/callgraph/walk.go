package callgraph

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"sextant/internal/code"
	"sextant/internal/navigate/callgraph/proof"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/symbols"
	"sextant/jit"
	"sextant/l2meta"
	"sextant/l2meta/endpoint"
	"sextant/l2meta/resolve"
)

// walk discovers the edges around one symbol, one at a time and breadth first. It takes callers and
// callees in turn, and the edges of a symbol in the order of their call sites. The order is always the
// same, so a number of edges identifies a position in it.
//
// A walk may be stopped between any two edges. A new walk that skips the edges shown already continues
// without a gap or a duplicate.
type walk struct {
	req      *contract.GraphRequest
	links    *proof.Linker
	join     *endpoint.Joiner // matches calls between services; nil before the first use
	services *jit.Services

	roots []*tracedNode // the requested symbol; for a type, its members, too
	nodes map[string]*tracedNode
	// folders holds the nodes of all folders met so far, in the graph or not.
	folders map[folder]*tracedNode
	edges   []tracedEdge // in the order of discovery
	known   map[edgeKey]bool
	sides   []*side
	turn    int         // index of the side whose turn is next
	ahead   *tracedEdge // the next edge, if the walk was stopped at a number of edges

	notes   []tracedNote
	asks    []tracedAsk // questions to language servers that are about no edge
	beyond  []leaving
	tallies []tally
	folded  []foldedEdges
	tests   int                    // number of calls from tests that are shown
	keeps   func(*tracedNode) bool // whether include and exclude keep edges to a symbol; nil means all
	ofRoots proof.Inbound          // call sites that call or may call the roots
	late    bool                   // whether a search for callers was cut short, so that no other is begun
	serves  []contract.Served      // routes and messages that the roots without callers handle
}

// side is one direction of a walk: to callers or to callees.
type side struct {
	up      bool
	levels  [contract.MaxDepth + 2][]task // depth → tasks
	pending []tracedEdge                  // edges that were found but are not in walk.edges yet
	state   map[string]*expanded          // symbol id → state, for every queued symbol
}

// task is a symbol whose edges are to be found: those of its call sites or, if dispatch is set,
// those to the declarations that its resolved calls may run instead of their targets.
type task struct {
	node     *tracedNode
	depth    int
	dispatch bool
	settled  []proof.Link // the resolved calls, if dispatch is set
}

// expanded is the state of the search for one symbol's callers or callees, with counts of its call sites.
type expanded struct {
	done     bool
	tooDeep  bool
	open     int // number of unresolved calls
	value    int // number of calls of a value that holds a function
	builtin  int
	external []string // the module of each external call
	// unanswered counts calls to services without a handler in the workspace.
	unanswered int
	hidden     int // number of calls with a confidence below the request's minConfidence
}

func newWalk(l *proof.Linker, req *contract.GraphRequest, services *jit.Services) *walk {
	w := &walk{req: req, links: l, services: services, nodes: map[string]*tracedNode{},
		folders: map[folder]*tracedNode{}, known: map[edgeKey]bool{}}
	w.keeps = keeps(req)
	if req.Direction != contract.DirectionCallees {
		w.sides = append(w.sides, &side{up: true, state: map[string]*expanded{}})
	}
	if req.Direction != contract.DirectionCallers {
		w.sides = append(w.sides, &side{state: map[string]*expanded{}})
	}
	return w
}

// root makes the symbol of row the start of the walk.
func (w *walk) root(row l2meta.Row) {
	n := nodeOf(row, w.services)
	w.nodes[n.SymbolID] = n
	w.begin(n)
}

// begin adds n to the symbols that the walk starts from, and queues it on all sides.
func (w *walk) begin(n *tracedNode) {
	w.roots = append(w.roots, n)
	for _, s := range w.sides {
		s.queue(n, 0, w.req.Depth)
	}
}

// start looks up the requested symbol in the snapshot. If it is a type, its callable members
// become starting points too, because calls lead to them. If it is a function, the functions
// declared in it do as well; see beginNested.
func (w *walk) start(row l2meta.Row) error {
	root := w.roots[0]
	if f, ok := folderOf(row); ok {
		root.folder = &f
		files, err := w.filesIn(&f)
		if len(files) > 0 {
			root.Language = files[0].Language
		}
		return err
	}
	ref, err := w.links.Resolver.Symbol(row.FileID, row.Index)
	if err == nil && ref.File == nil {
		err = errors.New("the index and the file disagree; call manage_index repair")
	}
	if err != nil {
		return err
	}
	root.ref = ref
	if works(root) {
		w.beginNested(root)
		return nil
	}
	if !symbols.IsType(root.kind) {
		return nil
	}
	members, err := w.links.Resolver.Members(ref)
	if err != nil {
		return err
	}
	// Constructors precede the other members: they are requested most often.
	slices.SortStableFunc(members, func(a, b resolve.Ref) int {
		return cmp.Compare(btoi(b.Symbol().Kind == code.KindConstructor), btoi(a.Symbol().Kind == code.KindConstructor))
	})
	for _, m := range members {
		n := w.node(m, 0)
		w.nodes[n.SymbolID] = n
		w.begin(n)
	}
	return nil
}

// queue adds a task for a symbol, unless there was one. A symbol at the depth limit, most, is only
// marked as too deep.
func (s *side) queue(n *tracedNode, depth, most int) {
	if _, queued := s.state[n.SymbolID]; queued || n.External {
		return
	}
	s.state[n.SymbolID] = &expanded{tooDeep: depth >= most}
	if depth < most {
		s.levels[depth] = append(s.levels[depth], task{node: n, depth: depth})
	}
}

// run finds edges until n are known or none is left, and reports whether there are more. When ctx ends it
// returns its error; the edges found so far stay.
func (w *walk) run(ctx context.Context, n int) (more bool, err error) {
	for {
		ok, err := w.next(ctx)
		if err != nil || !ok {
			return false, err
		}
		if len(w.edges) > n {
			w.ahead, w.edges = &w.edges[n], w.edges[:n]
			return true, nil
		}
	}
}

// next discovers one more edge. It returns false if there is none.
func (w *walk) next(ctx context.Context) (bool, error) {
	for range w.sides {
		s := w.sides[w.turn]
		w.turn = (w.turn + 1) % len(w.sides)
		for {
			if taken, err := w.take(s); taken || err != nil {
				return taken, err
			}
			more, err := w.step(ctx, s)
			if err != nil {
				return false, err
			}
			if !more {
				break
			}
		}
	}
	return false, nil
}

// take moves the first pending edge to w.edges and queues the symbol that it leads to. After an
// error the edge is still pending.
func (w *walk) take(s *side) (taken bool, err error) {
	for len(s.pending) > 0 {
		e, ok := s.pending[0], true
		if e.unread != nil {
			if e, ok, err = w.read(e.unread); err != nil {
				return false, err
			}
		}
		s.pending = s.pending[1:]
		if !ok {
			continue
		}
		if n, ok := w.nodes[e.to.SymbolID]; ok {
			n.Depth = min(n.Depth, e.depth)
			e.to = n
		} else {
			w.nodes[e.to.SymbolID] = e.to
		}
		s.queue(e.to, e.depth, w.req.Depth)
		w.queueAlong(s, e.to, e.depth)
		if w.known[e.key] {
			continue // the edge was already found from its other symbol
		}
		w.known[e.key] = true
		w.edges = append(w.edges, e)
		return true, nil
	}
	return false, nil
}

// step finds the edges of the next queued symbol of a side. It returns false if there is none, or
// if the time is over. After an error the symbol stays queued.
func (w *walk) step(ctx context.Context, s *side) (bool, error) {
	if s.up && w.late {
		return false, nil
	}
	for depth := range s.levels {
		level := s.levels[depth]
		if len(level) == 0 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return false, err
		}
		found, later, err := w.expand(s, level[0])
		if err != nil {
			return false, err
		}
		s.levels[depth] = append(level[1:], later...)
		s.pending = w.fold(w.filter(found))
		return true, nil
	}
	return false, nil
}
