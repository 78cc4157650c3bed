package diagram

import "math"

// These constants are distances in the drawing, in pixels.
const (
	boxHeight = 36.0
	boxGap    = 10.0  // between boxes of a layer
	jointGap  = 7.0   // beside a joint
	layerGap  = 70.0  // between layers, widened if many links pass
	margin    = 24.0  // around the drawing
	widest    = 320.0 // largest width of a box
)

// placements is the number of times that place adjusts the layers to their neighbours.
const placements = 24

// place sets the centre of every vertex. Layers go from left to right. Within a layer each vertex
// is as near to the mean height of its neighbours as the order of the layer allows.
func (l *layout) place() {
	l.x, l.y = make([]float64, len(l.layer)), make([]float64, len(l.layer))
	left := margin
	for k, layer := range l.layers {
		width := 0.0
		for _, v := range layer {
			width = max(width, l.width[v])
		}
		for _, v := range layer {
			l.x[v] = left + width/2
		}
		left += width + layerGap
		if k+1 < len(l.layers) {
			// A bundle of steep links needs room so that the links stay distinguishable.
			left += min(4*float64(len(l.layers[k+1])), 120)
		}
		at := 0.0
		for i, v := range layer {
			if i > 0 {
				at += l.apart(layer[i-1], v)
			}
			l.y[v] = at
		}
	}
	for i := range placements {
		if i%2 == 0 {
			for k := 1; k < len(l.layers); k++ {
				l.settle(l.layers[k], l.up)
			}
		} else {
			for k := len(l.layers) - 2; k >= 0; k-- {
				l.settle(l.layers[k], l.down)
			}
		}
	}
	l.toMargin()
	l.placeLone()
}

// placeLone places the nodes without arrows in rows below the others, no wider than these.
func (l *layout) placeLone() {
	right, bottom := widest, 0.0
	for _, layer := range l.layers {
		for _, v := range layer {
			right, bottom = max(right, l.x[v]+l.width[v]/2), max(bottom, l.y[v]+l.height[v]/2)
		}
	}
	x, y := margin, bottom+layerGap/2+boxHeight/2
	for _, v := range l.lone {
		if x > margin && x+l.width[v] > right {
			x, y = margin, y+boxHeight+boxGap
		}
		l.x[v], l.y[v] = x+l.width[v]/2, y
		x += l.width[v] + boxGap
	}
}

// toMargin moves the drawing so that it starts at the top and left margins.
func (l *layout) toMargin() {
	top := math.Inf(1)
	for _, layer := range l.layers {
		for _, v := range layer {
			top = min(top, l.y[v]-l.height[v]/2)
		}
	}
	for v := range l.y {
		l.y[v] += margin - top
	}
}

// apart returns the least distance between the centres of two adjacent vertices of a layer.
func (l *layout) apart(a, b int) float64 {
	gap := boxGap
	if l.joint(a) || l.joint(b) {
		gap = jointGap
	}
	return (l.height[a]+l.height[b])/2 + gap
}

// settle moves the vertices of a layer towards the positions of their neighbours, with the least
// sum of squared distances that their order and sizes allow: isotonic regression, by pooling
// adjacent violators (Ayer et al. 1955).
func (l *layout) settle(layer []int, neighbours [][]int) {
	type pool struct {
		sum, weight float64
		size        int
	}
	var pools []pool
	offset := 0.0 // position of the vertex if all vertices were packed without extra space
	for i, v := range layer {
		if i > 0 {
			offset += l.apart(layer[i-1], v)
		}
		want, weight := l.y[v], 0.05
		if list := neighbours[v]; len(list) > 0 {
			want, weight = 0, 1
			for _, n := range list {
				want += l.y[n] / float64(len(list))
				if l.joint(v) && l.joint(n) {
					weight = 8 // keeps an arrow straight where it only passes
				}
			}
		}
		pools = append(pools, pool{(want - offset) * weight, weight, 1})
		for n := len(pools); n > 1 && pools[n-2].sum*pools[n-1].weight > pools[n-1].sum*pools[n-2].weight; n = len(
			pools) {
			last := pools[n-1]
			pools = pools[:n-1]
			pools[n-2].sum += last.sum
			pools[n-2].weight += last.weight
			pools[n-2].size += last.size
		}
	}
	i, offset := 0, 0.0
	for _, p := range pools {
		for range p.size {
			if i > 0 {
				offset += l.apart(layer[i-1], layer[i])
			}
			l.y[layer[i]] = p.sum/p.weight + offset
			i++
		}
	}
}
