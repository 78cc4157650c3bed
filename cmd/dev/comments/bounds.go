package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// parseBounds parses lines that contain the path of a package and its bound.
// Lines that start with # are comments.
func parseBounds(text string) (map[string]float64, error) {
	bounds := map[string]float64{}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		path, number, _ := strings.Cut(line, " ")
		bound, err := strconv.ParseUint(number, 10, 16)
		if err != nil {
			return nil, fmt.Errorf("%s: expected a package and a whole number, got %q", boundsFile, line)
		}
		bounds[path] = float64(bound)
	}
	return bounds, nil
}

const boundsHead = `# The unclear phrases that the comments of a package may have per 1,000 lines.
# Bounds only fall: go run ./cmd/dev/comments --lower. A package without a line may have none.
`

// formatBounds formats bounds as parseBounds reads them, sorted by path. It omits bounds of 0.
func formatBounds(bounds map[string]float64) string {
	var b strings.Builder
	b.WriteString(boundsHead)
	for _, path := range slices.Sorted(maps.Keys(bounds)) {
		if bounds[path] > 0 {
			fmt.Fprintf(&b, "%s %.0f\n", path, bounds[path])
		}
	}
	return b.String()
}

// lowered returns new bounds for the measured packages: for each the smaller of
// its old bound and its rate, rounded up.
func lowered(bounds map[string]float64, packages []measured) map[string]float64 {
	out := map[string]float64{}
	for _, p := range packages {
		out[p.path] = min(bounds[p.path], math.Ceil(p.rate()))
	}
	return out
}
