package diagram

import (
	"fmt"
	"strings"

	"sextant/internal/typeset"
)

// Mermaid returns the graph as a Mermaid flowchart without a final line break. It has one arrow for
// each pair of nodes and label, dotted for possible dispatch.
func Mermaid(g *Graph) string {
	short := map[string]string{}
	var b strings.Builder
	b.WriteString("flowchart LR\n")
	for i, n := range g.Nodes {
		short[n.ID] = fmt.Sprintf("n%d", i)
		if n.External {
			fmt.Fprintf(&b, "  n%d([\"%s\"])\n", i, mermaidEscape(n.Label))
			continue
		}
		fmt.Fprintf(&b, "  n%d[\"%s<br/>%s\"]\n", i, mermaidEscape(n.Label), mermaidEscape(n.Place))
	}
	drawn := map[string]bool{}
	for _, e := range g.Edges {
		arrow := "-->"
		if e.Possible {
			arrow = "-.->"
		} else if e.Label != "" {
			arrow = "-->|" + e.Label + "|"
		}
		line := fmt.Sprintf("  %s %s %s\n", short[e.From], arrow, short[e.To])
		if !drawn[line] {
			drawn[line] = true
			b.WriteString(line)
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

func mermaidEscape(s string) string {
	return strings.NewReplacer(`"`, "#quot;", "<", "#lt;", ">", "#gt;", "\n", " ").Replace(typeset.Visible(s))
}
