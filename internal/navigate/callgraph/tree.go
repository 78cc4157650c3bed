package callgraph

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
)

// view renders the part as the text that the request asks for.
func (p *graphPart) view(a *contract.GraphAnswer, req *contract.GraphRequest) {
	switch req.View {
	case "tree":
		a.Tree = p.treeText()
	case "mermaid":
		a.Mermaid = p.mermaidText()
	}
}

// treeText renders the part as one tree a side, one line a symbol, each with
// its place, its evidence, and why nothing more stands below it.
//
// A symbol that is reached by several ways unfolds once, where the walk first
// came to it; elsewhere its line says where to look.
func (p *graphPart) treeText() string {
	var b strings.Builder
	for _, s := range p.walk.sides {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		t := p.treeOf(s)
		t.out = &b
		t.write()
	}
	switch p.stop {
	case "limit":
		fmt.Fprintf(&b, "stopped at the limit of %s; the cursor goes on\n", contract.Plural(p.walk.req.Limit, "edge"))
	case "deadline":
		b.WriteString("stopped at the deadline; the cursor goes on\n")
	case "maxTokens":
		fmt.Fprintf(&b, "stopped after %s, by maxTokens; the cursor goes on\n", contract.Plural(p.to-p.from, "edge"))
	}
	return strings.TrimRight(b.String(), "\n")
}

// tree is one side of a part, put in order for drawing.
type tree struct {
	part     *graphPart
	side     *side
	branches map[*tracedNode][]branch
	first    map[*tracedNode]*tracedNode // below which a symbol unfolds
	before   map[*tracedNode]bool        // shown in an earlier part
	partial  map[*tracedNode]bool        // some of its edges are in a later part
	drawn    map[*tracedNode]bool
	out      *strings.Builder
}

// branch is one neighbour in a tree with the edges that lead to it.
type branch struct {
	node  *tracedNode
	edges []*tracedEdge
}

// treeOf sorts the edges of the part into one side. An edge between two
// symbols of both sides was found on one of them, and belongs to both.
func (p *graphPart) treeOf(s *side) *tree {
	t := &tree{part: p, side: s, branches: map[*tracedNode][]branch{}, first: map[*tracedNode]*tracedNode{},
		before: map[*tracedNode]bool{}, partial: map[*tracedNode]bool{}, drawn: map[*tracedNode]bool{}}
	w := p.walk
	for i := range w.edges {
		e := &w.edges[i]
		above, below := w.nodes[e.Src], w.nodes[e.Dst]
		if s.up {
			above, below = below, above
		}
		if state := s.state[above.SymbolID]; e.up != s.up && (state == nil || !state.done) {
			continue
		}
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

// aheadOn is the edge that stopped the walk, when it is of the side.
func (p *graphPart) aheadOn(s *side) []tracedEdge {
	if e := p.walk.ahead; e != nil && e.up == s.up {
		return []tracedEdge{*e}
	}
	return nil
}

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

// write draws the roots, then whatever goes on from earlier parts.
func (t *tree) write() {
	root := t.part.walk.roots[0]
	verb, where := "callees of", "declarations"
	if t.side.up {
		verb, where = "callers of", "call sites"
	}
	if root.folder != nil {
		fmt.Fprintf(t.out, "%s %s (lines are import statements)", map[bool]string{true: "importers of", false: "imports of"}[t.side.up], root.SymbolLabel)
	} else {
		fmt.Fprintf(t.out, "%s %s  %s (lines are %s)", verb, root.SymbolLabel, root.place(), where)
	}
	if members := t.part.walk.roots[1:]; len(members) > 0 {
		fmt.Fprintf(t.out, " and of its %s\n", contract.Plural(len(members), "member"))
		t.forest(t.part.walk.roots)
	} else {
		fmt.Fprintln(t.out, t.why(root))
		t.drawn[root] = true
		t.below(root, "", []*tracedNode{root})
	}
	var on []*tracedNode
	for n := range maps.Keys(t.branches) {
		if t.before[n] && !t.drawn[n] && !t.isRoot(n) {
			on = append(on, n)
		}
	}
	slices.SortFunc(on, compareNodes)
	if len(on) > 0 {
		fmt.Fprintln(t.out, "going on from symbols of earlier pages:")
		t.forest(on)
	}
}

func (t *tree) isRoot(n *tracedNode) bool { return slices.Contains(t.part.walk.roots, n) }

func compareNodes(a, b *tracedNode) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Span.StartLine, b.Span.StartLine), cmp.Compare(a.SymbolID, b.SymbolID))
}

// forest draws several symbols side by side; those without anything below are
// counted, and those that the walk did not come to apart.
func (t *tree) forest(tops []*tracedNode) {
	bare, unseen := 0, 0
	for _, n := range tops {
		if len(t.branches[n]) == 0 && !t.partial[n] {
			if state := t.side.state[n.SymbolID]; state != nil && state.done {
				bare++
			} else {
				unseen++
			}
			continue
		}
		fmt.Fprintf(t.out, "%s  %s%s\n", n.SymbolLabel, n.place(), t.why(n))
		t.drawn[n] = true
		t.below(n, "", []*tracedNode{n})
	}
	if t.part.from > 0 {
		return
	}
	if what := map[bool]string{true: "callers", false: "callees"}[t.side.up]; bare > 0 {
		fmt.Fprintf(t.out, "(%d more without %s)\n", bare, what)
	}
	if unseen > 0 {
		fmt.Fprintf(t.out, "(%d more not looked at: %s)\n", unseen, t.part.stop)
	}
}

// below draws what stands below a symbol; path are the symbols above.
func (t *tree) below(n *tracedNode, indent string, path []*tracedNode) {
	list := t.branches[n]
	for i, br := range list {
		elbow, deeper := "├─ ", "│  "
		if i == len(list)-1 {
			elbow, deeper = "└─ ", "   "
		}
		t.line(br, indent+elbow)
		switch {
		case slices.Contains(path, br.node):
			t.out.WriteString("  ↺ cycle\n")
		case t.drawn[br.node]:
			t.out.WriteString(t.elsewhere(br.node, "above"))
		case t.before[br.node]:
			t.out.WriteString(t.elsewhere(br.node, "on an earlier page"))
		case t.first[br.node] != n:
			t.out.WriteString(t.elsewhere(br.node, "below"))
		default:
			t.drawn[br.node] = true
			fmt.Fprintln(t.out, t.why(br.node))
			t.below(br.node, indent+deeper, append(path[:len(path):len(path)], br.node))
		}
	}
}

// line draws a symbol up to the reason of its stop: among callers where the
// call stands, among callees where the symbol is declared.
func (t *tree) line(br branch, lead string) {
	e, n := br.edges[0], br.node
	file, line := n.File, n.Span.StartLine
	if t.side.up || n.External || n.folder != nil {
		file, line = e.Site.File, e.Site.StartLine
	}
	fmt.Fprintf(t.out, "%s%s  %s:%d  [%s %s]", lead, n.SymbolLabel, file, line, e.Evidence, code.ShownConfidence(e.Confidence))
	if len(br.edges) > 1 {
		fmt.Fprintf(t.out, " ×%d", len(br.edges))
	}
	switch {
	case crosses(e.Kind):
		from, to := t.part.walk.nodes[e.Src].Service, t.part.walk.nodes[e.Dst].Service
		fmt.Fprintf(t.out, " %s %s, %s → %s", e.Kind, e.Via, cmp.Or(from, "?"), cmp.Or(to, "?"))
		return
	case e.Kind == code.EdgeImport:
		t.out.WriteString(" imports")
	case e.Via != "":
		fmt.Fprintf(t.out, " via %s", e.Via)
	case e.Kind == code.EdgeDynamic:
		t.out.WriteString(" as a value")
	}
	if root := t.part.walk.roots[0]; n.Service != "" && n.Service != root.Service {
		fmt.Fprintf(t.out, " in %s", n.Service)
	}
}

// elsewhere says where a symbol unfolds, if it does at all.
func (t *tree) elsewhere(n *tracedNode, where string) string {
	if len(t.branches[n]) == 0 && where != "on an earlier page" {
		return t.why(n) + "\n"
	}
	return "  ↪ shown " + where + "\n"
}

// why says for what reasons more may stand below a symbol than is drawn.
func (t *tree) why(n *tracedNode) string {
	if n.External {
		return "  … external"
	}
	state := t.side.state[n.SymbolID]
	var reasons []string
	add := func(format string, args ...any) { reasons = append(reasons, fmt.Sprintf(format, args...)) }
	switch {
	case state == nil:
	case state.tooDeep:
		add("depth %d", t.part.walk.req.Depth)
	case !state.done || t.partial[n]:
		if t.part.stop != "" {
			add("%s", t.part.stop)
		}
	}
	if state != nil && state.done {
		if k := len(state.external); k > 0 && t.part.walk.req.Detail != "full" {
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
	if len(reasons) == 0 {
		return ""
	}
	return "  … " + strings.Join(reasons, ", ")
}

// maxModulesNamed keeps a line short.
const maxModulesNamed = 3

// inModules names the modules of external calls, in brackets.
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
