package endpoint

import (
	"slices"
	"strings"

	"sextant/l2meta/endpoint/hosts"
	"sextant/l2meta/resolve"
)

// routeTable is a list of routes, which are found by the literal segments of their paths, in any letter case.
type routeTable struct {
	all     []*route
	first   map[string][]int // indices in all, by the first segment
	segment map[string][]int // by each segment
	open    []int            // routes whose first segment is no literal, and those without a path
}

func newRouteTable(all []*route) *routeTable {
	t := &routeTable{all: all, first: map[string][]int{}, segment: map[string][]int{}}
	for i, r := range all {
		if len(r.path) > 0 && hosts.IsLiteral(r.path[0]) {
			first := strings.ToLower(r.path[0])
			t.first[first] = append(t.first[first], i)
		} else {
			t.open = append(t.open, i)
		}
		for _, s := range r.path {
			s = strings.ToLower(s)
			t.segment[s] = append(t.segment[s], i)
			if start, open := strings.CutSuffix(s, "*"); open { // orders* of Express has the segment orders in common
				t.segment[start] = append(t.segment[start], i)
			}
		}
	}
	return t
}

// near returns the routes whose whole path may match a path and, if suffix is set, those that may end in it with a
// literal segment in common. They are in the order of the table. A table that was not completed, because the query
// has ended, is nil and has none.
func (t *routeTable) near(path []string, suffix bool) []*route {
	if t == nil {
		return nil
	}
	at := slices.Clone(t.open)
	add := func(by map[string][]int, segment string) {
		segment = strings.ToLower(segment)
		at = append(at, by[segment]...)
		if bare, ok := withoutFormat(segment); ok {
			at = append(at, by[bare]...)
		}
	}
	if len(path) > 0 {
		add(t.first, path[0])
	}
	if suffix {
		for _, s := range path {
			add(t.segment, s)
		}
	}
	slices.Sort(at)
	at = slices.Compact(at)
	out := make([]*route, len(at))
	for i, n := range at {
		out[i] = t.all[n]
	}
	return out
}

// having returns the routes with a segment, or with the segment without the extension of a format.
func (t *routeTable) having(segment string) (out []*route) {
	if t == nil {
		return nil
	}
	segment = strings.ToLower(segment)
	at := t.segment[segment]
	if bare, ok := withoutFormat(segment); ok {
		at = slices.Concat(at, t.segment[bare])
	}
	for _, n := range at {
		out = append(out, t.all[n])
	}
	return out
}

type routeTableKey struct{}

// routed returns the table of routes.
func (rf *routeFinder) routed() *routeTable {
	return resolve.Derive(rf.World, routeTableKey{}, func() *routeTable { return newRouteTable(rf.routes()) })
}

type entryTableKey struct{}

// guessed returns the table of entries.
func (rf *routeFinder) guessed() *routeTable {
	return resolve.Derive(rf.World, entryTableKey{}, func() *routeTable { return newRouteTable(rf.entries()) })
}

// answers returns the routes in all that match the method and path of a request, in the services
// where.roots or, if these are nil, in all services. If no route matches and the base of the URL
// is unknown, it returns the routes that end in the path. sure is an upper bound of the
// confidence.
func (hj *httpJoiner) answers(x fetch, where hosts.Host, all *routeTable) (out []*route, sure float64) {
	var ends []*route
	within := func(r *route) bool { return where.Roots == nil || r.of(hj.Workspace, where.Roots) }
	suffix := where.Based || x.ofClient()
	for _, r := range all.near(x.url.Path, suffix) { // there may be thousands, so the cheap conditions are tested first
		if r.method != "*" && x.method != "*" && r.method != x.method || len(x.url.Path) > 0 && r.takesAll() {
			continue
		}
		if _, ok := hj.meets(r, x.url.Path, 0); ok {
			if within(r) {
				out = append(out, r)
			}
			continue
		}
		if suffix && hj.endsIn(r, &x) && within(r) && !hj.ofOwn(&x, r) {
			ends = append(ends, r)
		}
	}
	switch {
	case len(ends) == 0 || len(out) > 0 && (where.Roots != nil || x.shaped):
		return out, 1
	case len(out) > 0:
		return out, confidenceSeveral
	}
	return ends, confidenceSuffix
}

// endsIn reports whether the path of a route ends in that of a request, with a text in common, below a base that may
// have maxBase steps. If x is certainly a request, it may leave out an optional step at the end of the route.
func (hj *httpJoiner) endsIn(r *route, x *fetch) bool {
	over := len(r.path) - len(x.url.Path)
	ends := func(over int) bool {
		if over <= 0 || over > maxBase {
			return false
		}
		same, ok := hj.meets(r, x.url.Path, over)
		return ok && same > 0 && !fillsFirst(x.url.Path, r.path[over:])
	}
	sure := !x.loose && !x.twin && !x.shaped
	return ends(over) || sure && over > 1 && strings.HasSuffix(r.path[len(r.path)-1], "?}") && ends(over-1)
}

// ofOwn reports whether the service that sends a request serves the route itself, and no page
// sends the request: a service seldom requests its own routes.
func (hj *httpJoiner) ofOwn(x *fetch, r *route) bool {
	return !hj.browser(x.file) && r.of(hj.Workspace, []string{hj.Services().Root(x.file.Path)})
}

// closest returns the routes in list that have the most literal segments in common with the path of x, and the number
// of these segments.
func (hj *httpJoiner) closest(list []*route, x fetch) (out []*route, best int) {
	best = -1
	for _, r := range list {
		same, _ := hj.meets(r, x.url.Path, max(0, len(r.path)-len(x.url.Path)))
		if whole, ok := hj.meets(r, x.url.Path, 0); ok {
			same = whole
		}
		switch {
		case same > best:
			out, best = []*route{r}, same
		case same == best:
			out = append(out, r)
		}
	}
	return out, best
}
