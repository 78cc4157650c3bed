package diagram

import (
	"cmp"
	"slices"
)

// sweeps is the number of times that order goes through the layers, alternately forth and back.
// More sweeps rarely reduce the crossings further.
const sweeps = 16

// order moves the vertices of each layer to the mean position of their neighbours, layer by layer,
// forth and back, and keeps the order with the fewest crossings.
func (l *layout) order() {
	position := make([]int, len(l.layer))
	number := func() {
		for _, layer := range l.layers {
			for i, v := range layer {
				position[v] = i
			}
		}
	}
	number()
	best, bestLayers := l.crossings(position), clone(l.layers)
	for i := range sweeps {
		if i%2 == 0 {
			for k := 1; k < len(l.layers); k++ {
				sortByMean(l.layers[k], l.up, position)
			}
		} else {
			for k := len(l.layers) - 2; k >= 0; k-- {
				sortByMean(l.layers[k], l.down, position)
			}
		}
		if c := l.crossings(position); c < best {
			best, bestLayers = c, clone(l.layers)
		}
	}
	l.layers = bestLayers
}

func clone(layers [][]int) [][]int {
	out := make([][]int, len(layers))
	for i := range layers {
		out[i] = slices.Clone(layers[i])
	}
	return out
}

// sortByMean sorts a layer by the mean position of each vertex's neighbours; a vertex without
// neighbours keeps its position.
func sortByMean(layer []int, neighbours [][]int, position []int) {
	mean := make(map[int]float64, len(layer))
	for i, v := range layer {
		mean[v] = float64(i)
		if list := neighbours[v]; len(list) > 0 {
			sum := 0
			for _, n := range list {
				sum += position[n]
			}
			mean[v] = float64(sum) / float64(len(list))
		}
	}
	slices.SortStableFunc(layer, func(a, b int) int { return cmp.Compare(mean[a], mean[b]) })
	for i, v := range layer {
		position[v] = i
	}
}

// crossings counts the pairs of arrows that cross between adjacent layers. Two arrows cross if
// their ends in the second layer are in the opposite order to their starts. Such inversions are
// counted in a tree of sums (Barth, Mutzel and Jünger 2004).
func (l *layout) crossings(position []int) (count int) {
	for k := 1; k < len(l.layers); k++ {
		var ends []int
		for _, v := range l.layers[k-1] {
			to := slices.Clone(l.down[v])
			for i := range to {
				to[i] = position[to[i]]
			}
			slices.Sort(to)
			ends = append(ends, to...)
		}
		sums := make([]int, len(l.layers[k])+1)
		for i, e := range ends {
			before := 0
			for at := e + 1; at > 0; at -= at & -at {
				before += sums[at]
			}
			count += i - before
			for at := e + 1; at < len(sums); at += at & -at {
				sums[at]++
			}
		}
	}
	return count
}
