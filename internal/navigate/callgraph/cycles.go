package callgraph

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
)

// cycleNotes returns a note for each cycle that edges form: symbols that call each other, or
// files or folders that import each other. A symbol that calls itself is a cycle. It omits cycles
// among edges[:since] alone, because earlier pages have noted them.
func cycleNotes(edges []tracedEdge, since int) (out []contract.Note) {
	out = append(out, recursions(edges[since:])...)
	next, nodes := map[string][]string{}, map[string]*tracedNode{}
	for _, e := range edges {
		next[e.Src] = append(next[e.Src], e.Dst)
		for _, n := range []*tracedNode{e.from, e.to} {
			nodes[n.SymbolID] = n
		}
	}
	group := components(edges, next)
	members, fresh, dispatched := map[int][]*tracedNode{}, map[int]bool{}, map[int]bool{}
	for id, g := range group {
		members[g] = append(members[g], nodes[id])
	}
	for i, e := range edges {
		if g := group[e.Src]; g == group[e.Dst] && e.Src != e.Dst {
			fresh[g] = fresh[g] || i >= since
			dispatched[g] = dispatched[g] || e.Kind == code.EdgeDynamic
		}
	}
	for g, list := range members {
		if len(list) > 1 && fresh[g] {
			out = append(out, cycleNote(list, dispatched[g]))
		}
	}
	return out
}

// recursions returns a note for each call of a symbol by itself.
func recursions(edges []tracedEdge) (out []contract.Note) {
	for _, e := range edges {
		if e.Src == e.Dst && e.Kind == code.EdgeCall {
			out = append(out, contract.Note{Type: contract.NoteCycle, SymbolID: e.Src, Target: e.to.SymbolLabel,
				File: e.Site.File, Line: e.Site.StartLine, Detail: "calls itself"})
		}
	}
	return out
}

// maxCycleNamed is the largest number of symbols that the note on a cycle lists.
const maxCycleNamed = 8

// cycleNote returns the note on the cycle of the symbols in list. dispatched reports whether some
// of its edges are possible dispatch.
func cycleNote(list []*tracedNode, dispatched bool) contract.Note {
	slices.SortFunc(list, func(a, b *tracedNode) int {
		return cmp.Or(cmp.Compare(a.Depth, b.Depth), cmp.Compare(a.File, b.File),
			cmp.Compare(a.Span.StartLine, b.Span.StartLine), cmp.Compare(a.SymbolID, b.SymbolID))
	})
	var labels []string
	what := "symbols call"
	switch {
	case !slices.ContainsFunc(list, func(n *tracedNode) bool { return n.folder == nil }):
		what = "folders import"
	case !slices.ContainsFunc(list, func(n *tracedNode) bool { return n.kind != code.KindFile }):
		what = "files import"
	}
	for _, n := range list[:min(len(list), maxCycleNamed)] {
		label := n.SymbolLabel
		if n.kind == code.KindFile {
			label = n.File // labels of files, such as index.ts, may be equal
		}
		labels = append(labels, label)
	}
	detail := fmt.Sprintf("%d %s each other in a circle: %s", len(list), what, strings.Join(labels, ", "))
	if more := len(list) - maxCycleNamed; more > 0 {
		detail += fmt.Sprintf(" and %d more", more)
	}
	if dispatched {
		detail += "; some of it by possible dispatch"
	}
	return contract.Note{Type: contract.NoteCycle, SymbolID: list[0].SymbolID, Target: list[0].SymbolLabel,
		File: list[0].File, Line: list[0].Span.StartLine, Detail: detail}
}

// components returns a map from symbol id to the number of its strongly connected component
// (Tarjan 1972). next maps an id to those that its edges lead to. The algorithm is not recursive
// here, because a chain of calls may be as long as the graph.
func components(edges []tracedEdge, next map[string][]string) map[string]int {
	type frame struct {
		id   string
		edge int
	}
	index, low, group := map[string]int{}, map[string]int{}, map[string]int{}
	var stack []string
	onStack := map[string]bool{}
	visit := func(root string) {
		frames := []frame{{id: root}}
		for len(frames) > 0 {
			f := &frames[len(frames)-1]
			if f.edge == 0 {
				index[f.id], low[f.id] = len(index)+1, len(index)+1
				stack, onStack[f.id] = append(stack, f.id), true
			}
			if f.edge < len(next[f.id]) {
				to := next[f.id][f.edge]
				f.edge++
				if index[to] == 0 {
					frames = append(frames, frame{id: to})
				} else if onStack[to] {
					low[f.id] = min(low[f.id], index[to])
				}
				continue
			}
			if low[f.id] == index[f.id] {
				for {
					top := stack[len(stack)-1]
					stack, onStack[top] = stack[:len(stack)-1], false
					group[top] = index[f.id]
					if top == f.id {
						break
					}
				}
			}
			done := f.id
			if frames = frames[:len(frames)-1]; len(frames) > 0 {
				parent := frames[len(frames)-1].id
				low[parent] = min(low[parent], low[done])
			}
		}
	}
	for _, e := range edges {
		if index[e.Src] == 0 {
			visit(e.Src)
		}
	}
	return group
}
