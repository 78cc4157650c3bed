package symbols

import (
	"context"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/internal/navigate/engine"
	"sextant/jit"
	"sextant/l2meta/resolve"
)

// mostSimilar is the largest number of routes that are suggested in place of a route without a
// handler.
const mostSimilar = 5

// similarRoutes returns the routes below p that are similar to a route without a handler, in
// their order in the workspace: those with another method, and those of which one path ends in
// the other, such as "POST /v1/orders" for "POST /orders".
func (s *Service) similarRoutes(ctx context.Context, p *engine.Place, route string) (out []string, err error) {
	err = p.Root.ViewServices(ctx, func(v *jit.View, generation int64, services *jit.Services) error {
		r := resolve.New(ctx, v, s.Derived(p.Root), generation)
		list, err := engine.Joiner(r, services).Answers()
		for _, a := range list {
			if len(out) < mostSimilar && code.Within(a.File.Path, p.Rel) && similar(route, a.Via) &&
				!slices.Contains(out, a.Via) {
				out = append(out, a.Via)
			}
		}
		return err
	})
	return out, err
}

// similar reports whether two routes have the same path, or the same method and paths of which one ends in the other.
// The last segments must have a text in common.
func similar(asked, route string) bool {
	askedMethod, askedPath, _ := strings.Cut(asked, " ")
	method, path, _ := strings.Cut(route, " ")
	a, b := pathSegments(askedPath), pathSegments(path)
	if len(a) != len(b) && askedMethod != method && askedMethod != "ANY" && method != "ANY" {
		return false
	}
	n := min(len(a), len(b))
	a, b = a[len(a)-n:], b[len(b)-n:]
	texts := 0
	for i := range a {
		switch {
		case strings.HasPrefix(a[i], "{") || strings.HasPrefix(b[i], "{"):
		case a[i] == b[i]:
			texts++
		default:
			return false
		}
	}
	return texts > 0
}

// pathSegments returns the parts of a path between slashes, without empty ones.
func pathSegments(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
}
