package diagram

import (
	"cmp"
	"slices"
)

// Graph is a graph to draw. Node ids are unique; an edge to or from a missing node is not drawn.
type Graph struct {
	Title string // one line
	Note  string // one line below the legend that says what is not shown, "" for none
	Root  string // id of the node at which the walk of the graph began
	Nodes []Node
	Edges []Edge

	// ProvenName and PossibleName are the legend's names for proven and possible arrows; "" means
	// the names for a call graph.
	ProvenName, PossibleName string
}

// Node is a box.
type Node struct {
	ID       string
	Label    string
	Place    string // where it is declared, "" for none
	Group    string // boxes of one group have one colour and one line in the legend
	External bool   // outside of the workspace
}

// Evidence is the evidence for an arrow. It determines the arrow's stroke.
type Evidence uint8

// These constants are the kinds of evidence, from the weakest.
const (
	Lexical Evidence = iota
	Syntactic
	Proven
)

// Edge is an arrow. Several edges of one kind between two nodes are drawn as one arrow with their
// number.
type Edge struct {
	From, To string // ids
	Evidence Evidence
	Possible bool   // possible dispatch, not a call
	Label    string // beside the arrow, such as the route of a call to another service; "" for none
}

// arrow is an arrow of the drawing, merged from count edges.
type arrow struct {
	from, to int // indexes of nodes
	evidence Evidence
	possible bool
	label    string
	count    int
}

// arrows merges edges between the same nodes that have one label and are all calls or all possible
// dispatch. A merged arrow has the weakest evidence of its edges. The order of the result depends
// on the graph alone.
func (g *Graph) arrows() (out []arrow) {
	index := make(map[string]int, len(g.Nodes))
	for i := range g.Nodes {
		index[g.Nodes[i].ID] = i
	}
	at := map[arrow]int{}
	for _, e := range g.Edges {
		from, ok := index[e.From]
		to, ok2 := index[e.To]
		if !ok || !ok2 {
			continue
		}
		key := arrow{from: from, to: to, possible: e.Possible, label: e.Label}
		i, seen := at[key]
		if !seen {
			i = len(out)
			at[key] = i
			out = append(out, arrow{from: from, to: to, evidence: e.Evidence, possible: e.Possible, label: e.Label})
		}
		out[i].count++
		out[i].evidence = min(out[i].evidence, e.Evidence)
	}
	slices.SortFunc(out, func(a, b arrow) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to), boolCompare(a.possible, b.possible),
			cmp.Compare(a.label, b.label))
	})
	return out
}

func boolCompare(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// groups returns the names of the groups, the largest group first. Each of the first len(fills) has
// a colour of its own; the others share plainFill.
func (g *Graph) groups() []string {
	count := map[string]int{}
	for i := range g.Nodes {
		if !g.Nodes[i].External {
			count[g.Nodes[i].Group]++
		}
	}
	delete(count, "")
	names := make([]string, 0, len(count))
	for name := range count {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b)) })
	return names
}

// fills lists the colours of groups, pale enough for black text.
var fills = []string{"#dbeafe", "#dcfce7", "#fef3c7", "#fce7f3", "#ede9fe", "#ccfbf1", "#ffedd5",
	"#e0f2fe", "#ecfccb", "#fee2e2"}

const (
	plainFill    = "#f1f5f9"
	externalFill = "#ffffff"
)

// fillOf returns a function that returns the fill colour of a node.
func (g *Graph) fillOf() func(n *Node) string {
	colour := map[string]string{}
	for i, name := range g.groups() {
		if i < len(fills) {
			colour[name] = fills[i]
		}
	}
	return func(n *Node) string {
		if n.External {
			return externalFill
		}
		if c, ok := colour[n.Group]; ok {
			return c
		}
		return plainFill
	}
}

// stroke returns the colour of an arrow and its name in the legend.
func (e Evidence) stroke() (colour, name string) {
	switch e {
	case Proven:
		return "#15803d", "proven by a language server"
	case Syntactic:
		return "#1d4ed8", "syntactic: imports, scopes, types"
	}
	return "#b45309", "lexical: by name"
}
