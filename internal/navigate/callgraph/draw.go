package callgraph

import (
	"slices"

	"sextant/internal/code"
	"sextant/internal/diagram"
)

// graph returns the edges of this page, the symbols that they join, and the root, for drawing.
func (p *graphPart) graph() *diagram.Graph {
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
	g := &diagram.Graph{Root: p.walk.roots[0].SymbolID}
	for _, n := range nodes {
		g.Nodes = append(g.Nodes, diagram.Node{ID: n.SymbolID, Label: n.SymbolLabel, Place: n.place(),
			External: n.External})
	}
	for _, e := range p.edges() {
		drawn := diagram.Edge{From: e.Src, To: e.Dst, Possible: e.Kind == code.EdgeDynamic}
		if crosses(e.Kind) || e.Kind == code.EdgeImport {
			drawn.Label = string(e.Kind)
		}
		g.Edges = append(g.Edges, drawn)
	}
	return g
}
