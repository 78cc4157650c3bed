package callgraph

import (
	"fmt"
	"slices"
	"strings"

	"sextant/internal/code"
)

// mermaidText renders the part as a Mermaid flowchart: one arrow a pair of
// symbols, a dotted one for possible dispatch, with its kind on one that leaves
// a service.
func (p *graphPart) mermaidText() string {
	var nodes []*tracedNode
	seen := map[*tracedNode]bool{}
	add := func(n *tracedNode) {
		if !seen[n] {
			seen[n] = true
			nodes = append(nodes, n)
		}
	}
	add(p.walk.roots[0])
	for _, e := range p.edges() {
		add(e.from)
		add(e.to)
	}
	slices.SortFunc(nodes, compareNodes)
	short := map[string]string{}
	var b strings.Builder
	b.WriteString("flowchart LR\n")
	for i, n := range nodes {
		short[n.SymbolID] = fmt.Sprintf("n%d", i)
		if n.External {
			fmt.Fprintf(&b, "  n%d([\"%s\"])\n", i, mermaidEscape(n.SymbolLabel))
			continue
		}
		fmt.Fprintf(&b, "  n%d[\"%s<br/>%s\"]\n", i, mermaidEscape(n.SymbolLabel), mermaidEscape(n.place()))
	}
	drawn := map[string]bool{}
	for _, e := range p.edges() {
		arrow := "-->"
		if e.Kind == code.EdgeDynamic {
			arrow = "-.->"
		} else if crosses(e.Kind) || e.Kind == code.EdgeImport {
			arrow = "-->|" + string(e.Kind) + "|"
		}
		line := fmt.Sprintf("  %s %s %s\n", short[e.Src], arrow, short[e.Dst])
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
