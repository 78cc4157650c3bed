package endpoint

import (
	"slices"
	"testing"

	"sextant/l2meta/endpoint/hosts"
)

// TestRoutesNearAPath compares the routes that a table finds near a path with those that match it when all are tried,
// for paths and templates of all kinds of segments.
func TestRoutesNearAPath(t *testing.T) {
	segments := []string{"orders", "Orders", "orders*", "{id}", ":id", "id?", "{id?}", "{rest...}", "**", "items:batch",
		"v1"}
	var all []*route
	all = append(all, &route{})
	for _, a := range segments {
		all = append(all, &route{path: []string{a}})
		for _, b := range segments {
			all = append(all, &route{path: []string{a, b}}, &route{path: []string{"api", a, b}})
		}
	}
	paths := [][]string{nil}
	for _, a := range append(segments, "ordersX", "api", "") {
		for _, b := range segments {
			paths = append(paths, []string{a}, []string{a, b}, []string{"api", a, b})
		}
	}
	table, matched := newRouteTable(all), 0
	for _, path := range paths {
		for _, suffix := range []bool{false, true} {
			var want []*route
			near := table.near(path, suffix)
			for _, r := range all {
				_, whole := hosts.Meets(path, r.path, true)
				same, end := hosts.Meets(path, r.path[max(0, len(r.path)-len(path)):], true)
				if whole || suffix && end && same > 0 {
					want = append(want, r)
				}
			}
			matched += len(want)
			found := slices.DeleteFunc(near, func(r *route) bool { return !slices.Contains(want, r) })
			if !slices.Equal(found, want) {
				t.Errorf("near %q (suffix %v): %d routes, want %d", path, suffix, len(found), len(want))
			}
		}
	}
	if matched < 1000 {
		t.Errorf("%d matches are compared", matched)
	}
}
