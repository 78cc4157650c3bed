package navigate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// maxTreeLines bounds a rendered tree; a graph of 500 edges that share callees
// would unfold without end.
const maxTreeLines = 800

// treeText renders both directions of a trace as text, one line a node, each
// with its place, its evidence, and the reason of a stop.
func (t *tracer) treeText(root string) string {
	var b strings.Builder
	n := t.nodes[root]
	if t.req.Direction != "callees" {
		fmt.Fprintf(&b, "callers of %s  %s:%d\n", n.SymbolLabel, n.File, n.Span.StartLine)
		t.branches(&b, root, true)
	}
	if t.req.Direction != "callers" {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "callees of %s  %s:%d\n", n.SymbolLabel, n.File, n.Span.StartLine)
		t.branches(&b, root, false)
	}
	return strings.TrimRight(b.String(), "\n")
}

// branch is one neighbour in a tree with the sites that lead to it.
type branch struct {
	id    string
	edges []*Edge
}

func (t *tracer) branches(b *strings.Builder, root string, up bool) {
	lines := 0
	var walk func(id, indent string, path []string, depth int)
	walk = func(id, indent string, path []string, depth int) {
		children := t.branchesOf(id, up)
		stop := t.stopReason(id, children, up)
		for i, c := range children {
			if lines++; lines > maxTreeLines {
				return
			}
			elbow, below := "├─ ", "│  "
			if i == len(children)-1 && stop == "" {
				elbow, below = "└─ ", "   "
			}
			n, e := t.nodes[c.id], c.edges[0]
			fmt.Fprintf(b, "%s%s%s  %s:%d  [%s %.2f]", indent, elbow, n.SymbolLabel, e.Site.File, e.Site.StartLine, e.Evidence, e.Confidence)
			if len(c.edges) > 1 {
				fmt.Fprintf(b, " ×%d", len(c.edges))
			}
			if slices.Contains(path, c.id) {
				b.WriteString("  ↺ cycle\n")
				continue
			}
			b.WriteByte('\n')
			walk(c.id, indent+below, append(slices.Clone(path), c.id), depth+1)
		}
		if stop != "" {
			lines++
			fmt.Fprintf(b, "%s└─ %s\n", indent, stop)
		}
	}
	walk(root, "", []string{root}, 0)
	if lines > maxTreeLines {
		fmt.Fprintf(b, "… the tree is cut at %d lines\n", maxTreeLines)
	}
}

// branchesOf groups the edges of a node by the node at their other end.
func (t *tracer) branchesOf(id string, up bool) (out []branch) {
	at := map[string]int{}
	for _, key := range t.order {
		from, to := key.src, key.dst
		if up {
			from, to = to, from
		}
		if from != id {
			continue
		}
		i, ok := at[to]
		if !ok {
			i = len(out)
			at[to] = i
			out = append(out, branch{id: to})
		}
		out[i].edges = append(out[i].edges, t.edges[key])
	}
	slices.SortStableFunc(out, func(a, b branch) int {
		return cmp.Or(cmp.Compare(a.edges[0].Site.File, b.edges[0].Site.File), cmp.Compare(a.edges[0].Site.StartLine, b.edges[0].Site.StartLine))
	})
	return out
}

// stopReason says why nothing more stands below a node.
func (t *tracer) stopReason(id string, children []branch, up bool) string {
	switch t.cut[id+direction(up)] {
	case "limit":
		return fmt.Sprintf("… more: the limit of %d edges is reached", t.req.Limit)
	case "depth":
		if len(children) == 0 {
			return fmt.Sprintf("… not followed: depth %d is reached", t.req.Depth)
		}
	}
	switch open := t.open[id+direction(up)]; {
	case open == 1 && up:
		return "… 1 call site of that name is not resolved"
	case open > 0 && up:
		return fmt.Sprintf("… %d call sites of that name are not resolved", open)
	case open == 1:
		return "… 1 call is not resolved"
	case open > 0:
		return fmt.Sprintf("… %d calls are not resolved", open)
	}
	return ""
}

// mermaidText renders the graph as a Mermaid flowchart.
func (t *tracer) mermaidText() string {
	ids := make([]string, 0, len(t.nodes))
	for id := range t.nodes {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b string) int {
		x, y := t.nodes[a], t.nodes[b]
		return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Span.StartLine, y.Span.StartLine), cmp.Compare(a, b))
	})
	short := map[string]string{}
	var b strings.Builder
	b.WriteString("flowchart LR\n")
	for i, id := range ids {
		short[id] = fmt.Sprintf("n%d", i)
		n := t.nodes[id]
		fmt.Fprintf(&b, "  %s[\"%s<br/>%s:%d\"]\n", short[id], mermaidEscape(n.SymbolLabel), mermaidEscape(n.File), n.Span.StartLine)
	}
	drawn := map[string]bool{}
	for _, key := range t.order {
		line := fmt.Sprintf("  %s --> %s\n", short[key.src], short[key.dst])
		if !drawn[line] {
			drawn[line] = true
			b.WriteString(line)
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

func mermaidEscape(s string) string {
	return strings.NewReplacer(`"`, "#quot;", "<", "#lt;", ">", "#gt;", "\n", " ").Replace(s)
}
