package callgraph

import (
	"cmp"
	"context"
	"errors"
	"path"
	"slices"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/symbols"
	"sextant/jit"
	"sextant/l2meta"
	"sextant/l2meta/endpoint"
	"sextant/l2meta/resolve"
)

// walk discovers the edges around one symbol, one at a time and always in the
// same order, so that a number says where a walk stands: breadth first, the
// edges of a symbol by their site, callers and callees taking turns.
//
// It may be stopped between any two edges. Whoever walks anew and leaves out
// as many edges as were shown goes on without a gap or a duplicate.
type walk struct {
	req      *contract.GraphRequest
	links    *linker
	join     *endpoint.Joiner // nil until it is asked
	services *jit.Services

	roots []*tracedNode // the symbol; of a type its members too
	nodes map[string]*tracedNode
	// folders are those that were met, taken into the graph or not.
	folders map[folder]*tracedNode
	edges   []tracedEdge // in the order of discovery
	known   map[edgeKey]bool
	sides   []*side
	turn    int         // the side that is to be asked next
	ahead   *tracedEdge // known to come next, when the walk was stopped at a number of edges

	notes   []tracedNote
	asks    []tracedAsk // what servers could say beside what edges ask
	beyond  []leaving   // calls that leave the workspace
	tallies []tally
	folded  []foldedEdges
	ofRoots inbound // what is known of the callers of the roots
}

// side is one direction of a walk.
type side struct {
	up      bool
	levels  [contract.MaxDepth + 2][]task // what is to be looked at, by depth
	pending []tracedEdge                  // found, and not yet taken
	state   map[string]*expanded          // of every symbol that was queued
}

// task is a symbol to be looked at: its call sites, or what those of them that
// are settled may run in the place of what they settle on.
type task struct {
	node     *tracedNode
	depth    int
	dispatch bool
	settled  []link // with dispatch
}

// expanded is what became of a symbol on one side.
type expanded struct {
	done     bool
	tooDeep  bool
	open     int // call sites that stay open
	value    int // call sites through values
	builtin  int
	external []string // modules, one an external call site
	// unanswered is calls of other services that nothing in the workspace answers.
	unanswered int
	hidden     int // below minConfidence
}

// tracedNode is a node with the symbol that it stands for.
type tracedNode struct {
	contract.Node
	ref   resolve.Ref // zero when External
	kind  code.Kind
	class code.Class // of the file
	// folder is the folder of a node without a symbol, nil for others.
	folder *folder
}

// tracedEdge is an edge with what found it.
type tracedEdge struct {
	contract.Edge
	key   edgeKey
	from  *tracedNode // the end it was found from
	to    *tracedNode
	depth int // of to
	up    bool
	call  code.Call // zero where declares is set
	// declares says that the edge is from a method without a body to what
	// implements it, and no call.
	declares bool
	// question is what a server could say of it, nil where it has or none could.
	question *question
	late     bool     // as of the link
	unread   *unread  // what the edge is made of when it is taken; nil of one that is made
	rests    []string // files that it rests on beside both ends
}

// edgeKey tells edges apart; several sites between two symbols are several
// edges.
type edgeKey struct {
	src, dst string
	kind     code.EdgeKind
	file     string
	at       int // byte of the callee's name
}

// tracedNote is a note with the number of edges before it.
type tracedNote struct {
	contract.Note
	at int
}

func newWalk(l *linker, req *contract.GraphRequest, services *jit.Services) *walk {
	w := &walk{req: req, links: l, services: services, nodes: map[string]*tracedNode{}, folders: map[folder]*tracedNode{}, known: map[edgeKey]bool{}}
	if req.Direction != contract.DirectionCallees {
		w.sides = append(w.sides, &side{up: true, state: map[string]*expanded{}})
	}
	if req.Direction != contract.DirectionCallers {
		w.sides = append(w.sides, &side{state: map[string]*expanded{}})
	}
	return w
}

// root makes the symbol of row the one that is walked around.
func (w *walk) root(row l2meta.Row) {
	n := nodeOf(row, w.services)
	w.nodes[n.SymbolID] = n
	w.begin(n)
}

func (w *walk) begin(n *tracedNode) {
	w.roots = append(w.roots, n)
	for _, s := range w.sides {
		s.queue(n, 0, w.req.Depth)
	}
}

// start finds the root in the snapshot. A type is walked with its members:
// what is called of it are they.
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
	ref, ok, err := w.links.at(row.FileID, row.Index)
	if err == nil && !ok {
		err = errors.New("the index and the file disagree; call manage_index repair")
	}
	if err != nil {
		return err
	}
	root.ref = ref
	if root.kind.Callable() {
		w.beginNested(ref)
		return nil
	}
	if !symbols.IsType(root.kind) {
		return nil
	}
	members, err := w.links.members(ref)
	if err != nil {
		return err
	}
	// Constructors first: they are what most who ask for a type look for.
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

// beginNested walks the functions that are declared inside of a function for
// what they call: a factory, a hook or a decorator does its work in them. Who
// calls them is not asked, as that is the function around them.
func (w *walk) beginNested(outer resolve.Ref) {
	span := outer.Symbol().Span
	for i := range outer.File.Symbols {
		s := &outer.File.Symbols[i]
		if i == outer.Index || !s.Kind.Callable() || s.Span.StartByte < span.StartByte || s.Span.EndByte > span.EndByte || s.Span == span {
			continue
		}
		n := w.node(outer.File.Ref(i), 0)
		w.nodes[n.SymbolID] = n
		for _, side := range w.sides {
			if !side.up {
				w.roots = append(w.roots, n)
				side.queue(n, 0, w.req.Depth)
			}
		}
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// queue has a symbol looked at, once.
func (s *side) queue(n *tracedNode, depth, most int) {
	if _, queued := s.state[n.SymbolID]; queued || n.External {
		return
	}
	s.state[n.SymbolID] = &expanded{tooDeep: depth >= most}
	if depth < most {
		s.levels[depth] = append(s.levels[depth], task{node: n, depth: depth})
	}
}

// run walks until n edges are known or there are no more, and reports whether
// there are more. Its error is that of ctx when the time is over; what was
// found stays.
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

// next takes one more edge. It reports false when there is none.
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

// take moves a pending edge into the walk and queues its far end. After an error
// the edge is still the next.
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
		if w.known[e.key] {
			continue // a call within the graph, found from its other end
		}
		w.known[e.key] = true
		w.edges = append(w.edges, e)
		return true, nil
	}
	return false, nil
}

// step looks at the next symbol of a side. It reports false when there is
// none; after an error the symbol is still the next.
func (w *walk) step(ctx context.Context, s *side) (bool, error) {
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
		s.pending = w.fold(found)
		return true, nil
	}
	return false, nil
}

// node finds or makes the node of a symbol.
func (w *walk) node(ref resolve.Ref, depth int) *tracedNode {
	row := symbols.RowOf(ref)
	if n, ok := w.nodes[string(symbols.RowID(row))]; ok {
		return n
	}
	n := nodeOf(row, w.services)
	n.ref, n.Depth = ref, depth
	return n
}

func nodeOf(row l2meta.Row, services *jit.Services) *tracedNode {
	return &tracedNode{kind: row.Symbol.Kind, class: row.Class, Node: contract.Node{SymbolID: string(symbols.RowID(row)), SymbolLabel: row.Symbol.QualifiedName, File: row.Path,
		Language: row.Language, Span: contract.Lines(row.Symbol.Span), Service: services.Of(path.Join(row.Path, inFolder(row))).Name}}
}
