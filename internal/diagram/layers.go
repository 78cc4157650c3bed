package diagram

import "slices"

// layout is a graph during layout. Its vertices are the nodes, followed by the joints at which long
// edges pass intermediate layers. Layer 0 is the leftmost; a lower layer is further left.
type layout struct {
	nodes  int
	arrows []arrow
	// route holds the vertices of each arrow from its lower to its higher layer; nil for an arrow
	// from a node to itself.
	route    [][]int
	turned   []bool // whether the arrow points from the higher layer to the lower
	layer    []int  // layer of each vertex
	layers   [][]int
	lone     []int   // nodes without arrows, which are in no layer; nil if no node has arrows
	up, down [][]int // neighbours of each vertex in the previous and in the next layer
	width    []float64
	height   []float64
	x, y     []float64 // centre of each vertex
}

// newLayout assigns the nodes to layers and adds the joints. The caller then sets the sizes of the
// boxes, and calls order and place.
func newLayout(nodes int, arrows []arrow) *layout {
	l := &layout{nodes: nodes, arrows: arrows, route: make([][]int, len(arrows)), turned: make([]bool, len(arrows))}
	l.breakCycles()
	l.assignLayers()
	l.cutLongEdges()
	l.setApart()
	return l
}

// setApart removes nodes without arrows from the layers, where they would lie between connected
// nodes.
func (l *layout) setApart() {
	met := make([]bool, len(l.layer))
	for _, a := range l.arrows {
		met[a.from], met[a.to] = true, true
	}
	if len(l.arrows) == 0 {
		return
	}
	for n := range l.nodes {
		if !met[n] {
			l.lone = append(l.lone, n)
		}
	}
	for k := range l.layers {
		l.layers[k] = slices.DeleteFunc(l.layers[k], func(v int) bool { return v < l.nodes && !met[v] })
	}
}

// breakCycles reverses every arrow that leads back to an ancestor in a depth-first walk. The walk
// starts at nodes without callers, so that likely entry points stay on the left.
func (l *layout) breakCycles() {
	out := make([][]int, l.nodes) // node → its outgoing arrows
	called := make([]bool, l.nodes)
	for i, a := range l.arrows {
		out[a.from] = append(out[a.from], i)
		called[a.to] = called[a.to] || a.from != a.to
	}
	const (
		fresh = iota
		open
		done
	)
	state := make([]int, l.nodes)
	type frame struct{ node, next int }
	visit := func(root int) {
		stack := []frame{{node: root}}
		state[root] = open
		for len(stack) > 0 {
			f := &stack[len(stack)-1]
			if f.next == len(out[f.node]) {
				state[f.node] = done
				stack = stack[:len(stack)-1]
				continue
			}
			i := out[f.node][f.next]
			f.next++
			switch to := l.arrows[i].to; state[to] {
			case open:
				l.turned[i] = true
			case fresh:
				state[to] = open
				stack = append(stack, frame{node: to})
			}
		}
	}
	for _, entry := range []bool{true, false} {
		for n := range l.nodes {
			if state[n] == fresh && called[n] != entry {
				visit(n)
			}
		}
	}
}

// ends returns the nodes of an arrow, the one in the lower layer first.
func (l *layout) ends(i int) (low, high int) {
	if l.turned[i] {
		return l.arrows[i].to, l.arrows[i].from
	}
	return l.arrows[i].from, l.arrows[i].to
}

// assignLayers sets the layer of each node to the length of the longest path to it. Then it moves
// nodes with more outgoing than incoming arrows as far right as their arrows allow, so that a
// caller is beside its callee rather than at the far left.
func (l *layout) assignLayers() {
	l.layer = make([]int, l.nodes)
	for changed, rounds := true, 0; changed && rounds <= l.nodes; rounds++ {
		changed = false
		for i, a := range l.arrows {
			if a.from == a.to {
				continue
			}
			if low, high := l.ends(i); l.layer[high] < l.layer[low]+1 {
				l.layer[high], changed = l.layer[low]+1, true
			}
		}
	}
	for changed, rounds := true, 0; changed && rounds < l.nodes; rounds++ {
		changed = false
		for n := range l.nodes {
			in, out, nearest := 0, 0, -1
			for i, a := range l.arrows {
				low, high := l.ends(i)
				switch {
				case a.from == a.to:
				case high == n:
					in++
				case low == n:
					if out++; nearest < 0 || l.layer[high] < nearest {
						nearest = l.layer[high]
					}
				}
			}
			if out > in && nearest-1 > l.layer[n] {
				l.layer[n], changed = nearest-1, true
			}
		}
	}
}

// cutLongEdges inserts a joint, a vertex without a box, in every layer that an arrow passes, and
// fills l.layers.
func (l *layout) cutLongEdges() {
	last := 0
	for _, y := range l.layer {
		last = max(last, y)
	}
	for i, a := range l.arrows {
		if a.from == a.to {
			continue
		}
		low, high := l.ends(i)
		route := []int{low}
		for y := l.layer[low] + 1; y < l.layer[high]; y++ {
			route = append(route, len(l.layer))
			l.layer = append(l.layer, y)
		}
		l.route[i] = append(route, high)
	}
	l.layers = make([][]int, last+1)
	for v, y := range l.layer {
		l.layers[y] = append(l.layers[y], v)
	}
	l.up, l.down = make([][]int, len(l.layer)), make([][]int, len(l.layer))
	for _, route := range l.route {
		for i := 1; i < len(route); i++ {
			l.down[route[i-1]] = append(l.down[route[i-1]], route[i])
			l.up[route[i]] = append(l.up[route[i]], route[i-1])
		}
	}
}

// joint reports whether a vertex is a joint, the point at which an arrow passes a layer, rather
// than a node.
func (l *layout) joint(v int) bool { return v >= l.nodes }
