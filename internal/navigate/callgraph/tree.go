package callgraph

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/internal/diagram"
	"sextant/internal/navigate/contract"
)

// view adds the drawing that the request wants, a tree or a Mermaid diagram, to the answer.
func (p *graphPart) view(a *contract.GraphAnswer, req *contract.GraphRequest) {
	switch req.View {
	case contract.ViewTree:
		a.Drawn = p.tree()
		a.Tree = a.Drawn.Text()
	case contract.ViewMermaid:
		a.Mermaid = diagram.Mermaid(p.graph())
	}
}

// tree draws this page as one tree for callers and one for callees, with a branch for each symbol: its
// place, the evidence for its edge, and why no more follows below it.
//
// A symbol that is reached in several ways unfolds once, where it was first reached. Its other branches
// refer to that one.
func (p *graphPart) tree() *diagram.Tree {
	out := &diagram.Tree{}
	for _, s := range p.walk.sides {
		t := p.treeOf(s)
		out.Sides = append(out.Sides, t.whole())
	}
	switch p.stop {
	case contract.CauseLimit:
		out.Note = fmt.Sprintf("stopped at the limit of %s; the cursor goes on",
			contract.Plural(p.walk.req.Limit, "edge"))
	case contract.CauseDeadline:
		out.Note = "stopped at the deadline; the cursor goes on"
		if p.walk.late {
			out.Note = "stopped at the deadline; a longer one shows more"
		}
	case contract.CauseMaxTokens:
		out.Note = fmt.Sprintf("stopped after %s, by maxTokens; the cursor goes on",
			contract.Plural(p.to-p.from, "edge"))
	}
	return out
}

// tree is one side of a page, callers or callees, arranged for drawing.
type tree struct {
	part     *graphPart
	side     *side
	branches map[*tracedNode][]branch
	first    map[*tracedNode]*tracedNode // the parent below which a symbol unfolds
	before   map[*tracedNode]bool        // symbols shown on an earlier page
	partial  map[*tracedNode]bool        // symbols of which some edges are on a later page
	drawn    map[*tracedNode]bool
}

// branch is one neighbour in a tree with the edges that lead to it.
type branch struct {
	node  *tracedNode
	edges []*tracedEdge
}

// treeOf collects the edges of one side, callers or callees. An edge that was found from the other side
// is included if this side has searched the edges of its upper symbol.
func (p *graphPart) treeOf(s *side) *tree {
	t := &tree{part: p, side: s, branches: map[*tracedNode][]branch{}, first: map[*tracedNode]*tracedNode{},
		before: map[*tracedNode]bool{}, partial: map[*tracedNode]bool{}, drawn: map[*tracedNode]bool{}}
	w := p.walk
	along := p.alongIn(s)
	for i := range w.edges {
		e := &w.edges[i]
		above, below := w.nodes[e.Src], w.nodes[e.Dst]
		if s.up {
			above, below = below, above
		}
		if state := s.state[above.SymbolID]; e.up != s.up && (state == nil || !state.done) {
			continue
		}
		above = along(above)
		switch {
		case i >= p.to:
			t.partial[above] = true
			continue
		case i < p.from:
			t.before[below] = true
		default:
			t.add(above, below, e)
		}
		if _, reached := t.first[below]; !reached {
			t.first[below] = above
		}
	}
	for _, e := range append(slices.Clone(s.pending), p.aheadOn(s)...) {
		t.partial[e.from] = true
	}
	for _, r := range w.roots {
		delete(t.first, r)
	}
	return t
}

// alongIn returns a function that maps a symbol to the symbol below which the tree draws its edges. That
// is the symbol itself, except for functions that are in the graph along with another (see queueAlong):
// the edges of an inner function are drawn below the outer one among callees, and the reverse among
// callers.
func (p *graphPart) alongIn(s *side) func(*tracedNode) *tracedNode {
	w := p.walk
	of := map[*tracedNode]*tracedNode{}
	for i := range w.edges {
		e := &w.edges[i]
		if s.up {
			for n := w.nodes[e.Src]; n.around != nil && of[n.around] == nil; n = n.around {
				of[n.around] = n
			}
		} else if n := w.nodes[e.Src]; n.around != nil {
			of[n] = n.around
		}
	}
	for i := range w.edges {
		if e := &w.edges[i]; s.up {
			delete(of, w.nodes[e.Src]) // the function has a branch of its own
		}
	}
	for _, r := range w.roots {
		delete(of, r)
	}
	return func(n *tracedNode) *tracedNode {
		for range contract.MaxDepth {
			if of[n] == nil {
				break
			}
			n = of[n]
		}
		return n
	}
}

// aheadOn returns, in a list, the edge at which the search stopped, if that is on side s. Otherwise it
// returns nil.
func (p *graphPart) aheadOn(s *side) []tracedEdge {
	if e := p.walk.ahead; e != nil && e.up == s.up {
		return []tracedEdge{*e}
	}
	return nil
}

// add adds an edge to the branch of below under above, which it creates for the first edge of a
// kind.
func (t *tree) add(above, below *tracedNode, e *tracedEdge) {
	list := t.branches[above]
	for i := range list {
		if list[i].node == below && list[i].edges[0].Kind == e.Kind {
			list[i].edges = append(list[i].edges, e)
			return
		}
	}
	t.branches[above] = append(list, branch{below, []*tracedEdge{e}})
}

// whole draws one side: the root and its members, then the symbols whose first edges were on an
// earlier page.
func (t *tree) whole() (out diagram.Side) {
	root := t.part.walk.roots[0]
	verb, where := "callees of", "declarations"
	if t.side.up {
		verb, where = "callers of", "call sites"
	}
	out.Title, out.Root = verb+" ", diagram.Branch{Name: root.SymbolLabel, Place: root.place()}
	if root.folder != nil {
		out.Title = map[bool]string{true: "importers of ", false: "imports of "}[t.side.up]
		out.Root.Place, where = "", "import statements"
	}
	if root.folder != nil && isService(t.part.walk.services, root.folder.dir) {
		out.Title, where = verb+" ", "calls from or to other services, and import statements"
	}
	out.Legend = " (lines are " + where + ")"
	if members := t.part.walk.roots[1:]; len(members) > 0 {
		what := "member"
		if root.kind.Callable() {
			what = "nested function"
		}
		if t.side.state[members[0].SymbolID] != nil {
			out.Legend += fmt.Sprintf(" and of its %s", contract.Plural(len(members), what))
		}
		out.Forests = append(out.Forests, t.forest(t.part.walk.roots))
	} else {
		out.Root.Ends = t.why(root)
		t.drawn[root] = true
		out.Root.Below = t.below(root, []*tracedNode{root})
	}
	var on []*tracedNode
	for n := range maps.Keys(t.branches) {
		if t.before[n] && !t.drawn[n] && !t.isRoot(n) {
			on = append(on, n)
		}
	}
	slices.SortFunc(on, compareNodes)
	if len(on) > 0 {
		f := t.forest(on)
		f.Title = "going on from symbols of earlier pages:"
		out.Forests = append(out.Forests, f)
	}
	return out
}

func (t *tree) isRoot(n *tracedNode) bool { return slices.Contains(t.part.walk.roots, n) }

func compareNodes(a, b *tracedNode) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Span.StartLine, b.Span.StartLine),
		cmp.Compare(a.SymbolID, b.SymbolID))
}

// forest draws several trees, one for each symbol in tops. Notes count the symbols without edges, and
// separately those whose edges were not searched.
func (t *tree) forest(tops []*tracedNode) (out diagram.Forest) {
	bare, unseen := 0, 0
	for _, n := range tops {
		if t.side.state[n.SymbolID] == nil && slices.Contains(t.part.walk.roots[1:], n) {
			continue // the symbol is queued on the other side only
		}
		if len(t.branches[n]) == 0 && !t.partial[n] {
			if state := t.side.state[n.SymbolID]; state != nil && state.done {
				bare++
			} else {
				unseen++
			}
			continue
		}
		top := diagram.Branch{Name: n.SymbolLabel, Place: n.place(), Ends: t.why(n)}
		t.drawn[n] = true
		top.Below = t.below(n, []*tracedNode{n})
		out.Tops = append(out.Tops, top)
	}
	if t.part.from > 0 {
		return out
	}
	more := " more" // than the symbols drawn
	if len(out.Tops) == 0 {
		more = ""
	}
	// Alone, the root without edges is the title, and needs no note.
	if what := map[bool]string{true: "callers", false: "callees"}[t.side.up]; bare > 1 || bare == 1 && more != "" {
		out.Notes = append(out.Notes, fmt.Sprintf("(%d%s without %s)", bare, more, what))
	}
	if unseen > 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("(%d more not looked at: %s)", unseen, t.part.stop))
	}
	return out
}

// below draws the branches below a symbol. path holds the symbol and those above it, to
// detect cycles.
func (t *tree) below(n *tracedNode, path []*tracedNode) (out []diagram.Branch) {
	for _, br := range t.branches[n] {
		b := t.branch(br)
		switch {
		case slices.Contains(path, br.node):
			b.Turn = "↺ cycle"
		case t.drawn[br.node]:
			t.elsewhere(&b, br.node, "above")
		case t.before[br.node]:
			t.elsewhere(&b, br.node, "on an earlier page")
		case t.first[br.node] != n:
			t.elsewhere(&b, br.node, "below")
		default:
			t.drawn[br.node] = true
			b.Ends = t.why(br.node)
			b.Below = t.below(br.node, append(path[:len(path):len(path)], br.node))
		}
		out = append(out, b)
	}
	return out
}

// branch draws a symbol with the edge to it. The place shown is the call site for a caller, and the
// declaration for a callee.
func (t *tree) branch(br branch) diagram.Branch {
	e, n := br.edges[0], br.node
	file, line := n.File, n.Span.StartLine
	if t.side.up || n.External || n.folder != nil {
		file, line = e.Site.File, e.Site.StartLine
	}
	edge := fmt.Sprintf("[%s %s]", e.Evidence, code.ShownConfidence(e.Confidence))
	if len(br.edges) > 1 {
		edge += fmt.Sprintf(" ×%d", len(br.edges))
	}
	return diagram.Branch{Name: n.SymbolLabel, Place: fmt.Sprintf("%s:%d", file, line), Edge: edge + t.means(e, n)}
}

// means returns a description of the kind of an edge; "" for a plain call within the service.
func (t *tree) means(e *tracedEdge, n *tracedNode) (out string) {
	switch {
	case crosses(e.Kind):
		from, to := t.part.walk.nodes[e.Src].Service, t.part.walk.nodes[e.Dst].Service
		return fmt.Sprintf(" %s %s, %s → %s", e.Kind, e.Via, cmp.Or(from, "?"), cmp.Or(to, "?"))
	case e.Kind == code.EdgeImport:
		out = " imports"
	case e.Via != "":
		out = " via " + e.Via
	case e.Kind == code.EdgeDynamic:
		out = " as a value"
	}
	if root := t.part.walk.roots[0]; n.Service != "" && n.Service != root.Service {
		out += " in " + n.Service
	}
	return out
}

// elsewhere adds to b a reference to the branch that shows what is below symbol n, such as "shown
// above", unless nothing is below it.
func (t *tree) elsewhere(b *diagram.Branch, n *tracedNode, where string) {
	if len(t.branches[n]) == 0 && where != "on an earlier page" {
		b.Ends = t.why(n)
		return
	}
	b.Turn = "↪ shown " + where
}

// why returns the reasons for which a symbol may have more edges than are drawn below it.
func (t *tree) why(n *tracedNode) (reasons []diagram.Reason) {
	kind := diagram.OfSymbol
	add := func(format string, args ...any) {
		reasons = append(reasons, diagram.Reason{Kind: kind, Text: fmt.Sprintf(format, args...)})
	}
	if n.External {
		add("external")
		return reasons
	}
	state := t.side.state[n.SymbolID]
	switch {
	case state == nil:
	case state.tooDeep:
		kind = diagram.TooDeep
		add("depth %d", t.part.walk.req.Depth)
	case !state.done || t.partial[n]:
		if t.part.stop != "" {
			kind = diagram.StoppedAt
			add("%s", t.part.stop)
		}
	}
	kind = diagram.OfSymbol
	if state != nil && state.done {
		if k := len(state.external); k > 0 && t.part.walk.req.Detail != contract.DetailFull {
			add("%d external%s", k, inModules(state.external))
		}
		if state.value > 0 {
			add("%d through values", state.value)
		}
		if state.open > 0 && t.side.up {
			add("%d of that name unresolved", state.open)
		} else if state.open > 0 {
			add("%d unresolved", state.open)
		}
		if state.unanswered > 0 {
			add("%d to services without an answer here", state.unanswered)
		}
		if state.hidden > 0 {
			add("%d below minConfidence", state.hidden)
		}
	}
	return reasons
}

// maxModulesNamed is the largest number of modules that one line lists.
const maxModulesNamed = 3

// inModules returns the modules of external calls in parentheses, or "" if none is known.
func inModules(modules []string) string {
	names := slices.Compact(slices.Sorted(slices.Values(modules)))
	names = slices.DeleteFunc(names, func(s string) bool { return s == "" })
	if len(names) == 0 {
		return ""
	}
	if len(names) > maxModulesNamed {
		names = append(names[:maxModulesNamed:maxModulesNamed], "…")
	}
	return " (" + strings.Join(names, ", ") + ")"
}
