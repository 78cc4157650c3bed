package endpoint

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/endpoint/hosts"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/resolve"
)

// No list of web frameworks is complete, and neither is one of the ways in which each registers
// its routes. But a path beside a function is evidence. If a request of another service leads to
// the service, and no known route answers it, the function beside its path probably does.

// StrategyEntry is the strategy of an edge to a handler that counts as one only because a request leads to its path.
const StrategyEntry = "http_entry"

// These constants are the confidences of edges to entries: confidenceEntry if the entry has the
// whole path, confidenceMounted if something in the service may mount it below the start of the
// path.
const (
	confidenceEntry   = 0.8
	confidenceMounted = 0.6
)

type entriesKey struct{}

// entries returns the places outside of tests that may register a route, as routes. There
// are none if the workspace has fewer than two services, or more than maxGuessFiles files with entries.
func (rf *routeFinder) entries() []*route {
	return resolve.Derive(rf.World, entriesKey{}, func() (out []*route) {
		if len(rf.World.Reaching(l2meta.RoleEntry)) > maxGuessFiles || len(rf.Services().All) < 2 {
			return nil
		}
		var routers []string
		mounted := 0
		mounts := rf.mounts()
		for _, f := range rf.Files(l2meta.RoleEntry) {
			if !mayServe(f) {
				continue
			}
			for _, fact := range lookup.Endpoints(f, l2meta.RoleEntry) {
				part := append(strings.Split(fact.Type, "\t"), "", "", "")
				r := route{file: f, owner: fact.Owner, at: fact.Span, method: part[0], path: hosts.Segments(part[1]),
					handler: part[2]}
				if own := rf.entered(r); len(own) > 0 {
					for range own {
						routers = append(routers, part[3])
					}
					out = append(out, own...)
				} else if len(r.path) > 0 {
					mounted++
					mounts.add(rf.Workspace, mount{file: f, owner: fact.Owner, on: part[3], rests: []string{f.Path},
						prefix: rf.configured(f, fact.Owner, part[1]), router: strings.TrimPrefix(part[2], "?")})
				}
			}
		}
		var all []*route
		for i, r := range out {
			all = append(all, rf.standing(mounts, []*route{r}, routers[i])...)
		}
		if mounted > 0 {
			all = append(all, rf.moved(mounts)...)
		}
		return slices.DeleteFunc(all, func(r *route) bool { return hosts.Literals(r.path) == 0 })
	})
}

// moved returns known routes at other paths than the known ones: the paths that result from mounts,
// some of which are guessed.
func (rf *routeFinder) moved(mounts *mounts) (out []*route) {
	known := map[string]bool{}
	for _, r := range rf.routes() {
		known[r.file.Path+r.via()] = true
	}
	for _, u := range rf.unmounted() {
		if u.fixed {
			continue
		}
		for _, r := range rf.standing(mounts, u.list, u.router) {
			if !known[r.file.Path+r.via()] {
				out = append(out, r)
			}
		}
	}
	return out
}

// mayServe reports whether the entries of a file may be routes.
func mayServe(f *resolve.File) bool {
	return f.Class != code.ClassTest && f.Class != code.ClassGenerated && f.Class != code.ClassVendor &&
		f.Class != code.ClassFixture
}

// entered returns the routes of an entry: one for a function, and one for each method of a class that is named after
// an HTTP method. It returns none if the entry has neither.
func (rf *routeFinder) entered(r route) (out []*route) {
	switch {
	case r.handler == "=>":
		return []*route{&r}
	case strings.HasPrefix(r.handler, "?"):
		return nil
	case r.handler == "":
		if class := r.file.Type(r.owner); class >= 0 {
			r.path = withNames("/"+strings.Join(r.path, "/"), r.file.Ref(r.owner), r.file.Ref(class))
		}
		return []*route{&r}
	}
	if ref := rf.answering(r.file, r.handler, 0); ref.Valid() {
		return []*route{&r}
	}
	class := rf.TypeNamed(r.file, lookup.LastName(strings.TrimSuffix(r.handler, "::class")))
	if !class.Valid() {
		return nil
	}
	for _, m := range rf.Members(class) {
		words := nameWords.FindAllString(m.Symbol().Name, -1)
		if method := verbIn(m.Symbol().Name); method != "*" && len(words) <= maxVerbWords &&
			(r.method == "*" || r.method == method) {
			at := r
			at.method, at.answer = method, m
			out = append(out, &at)
		}
	}
	return out
}

// maxVerbWords is the largest number of words in the name of a method that is named after an HTTP
// method: on_get, doGet, getAsync.
const maxVerbWords = 2

// ofAnyService lists the stems of names that may hold the address of any service, though one is called so: backend_url.
var ofAnyService = map[string]bool{"backend": true, "server": true, "api": true, "service": true, "gateway": true,
	"base": true, "host": true}

// found returns the routes in all that match the request x at the host where. If none does, it
// searches at the hosts of the larger places around where. It also returns the request in the
// form in which the answering service receives it, the host of the routes, and an upper bound of
// the confidence.
func (hj *httpJoiner) found(x fetch, where hosts.Host, all *routeTable) (fetch, hosts.Host, []*route, float64) {
	list, sureness := hj.answers(x, where, all)
	for wider := hj.Around(where.Roots); len(list) == 0 && wider != nil; wider = hj.Around(wider) {
		where.Roots = wider
		list, sureness = hj.answers(x, where, all)
	}
	if len(list) == 0 && where.Local {
		where.Roots = nil
		list, sureness = hj.answers(x, where, all)
		list = slices.DeleteFunc(list, (*route).takesRest) // such a route would match any request
		if n := len(x.url.Path); n == 0 || everyPage.MatchString(x.url.Path[n-1]) {
			sureness = min(sureness, confidencePath) // the service that has the port lacks the route
		}
	}
	if len(list) == 0 && where.Named != "" { // several services may have that name
		if other := where; len(hj.Alike(where.Named)) > 1 {
			other.Roots = hj.Alike(where.Named)
			if list, sureness = hj.answers(x, other, all); len(list) > 0 {
				where = other
			}
		}
	}
	if len(list) == 0 && ofAnyService[where.Named] {
		other := hosts.Host{How: where.How + ", which has no such route", Rests: where.Rests, Based: where.Based}
		if list, sureness = hj.answers(x, other, all); len(list) > 0 {
			where = other
		}
	}
	if len(list) == 0 && where.Roots == nil && (!where.Elsewhere || gatewayHost.MatchString(x.url.Host)) {
		if y, named, found := hj.ofNamed(x, all); len(found) > 0 {
			return y, named, found, 1
		}
	}
	return x, where, list, sureness
}

// guess returns the entries that match a request which no known route matches, with the other
// results of found. A request to an unknown host leads to none unless its path is long or its
// client is named after the service.
func (hj *httpJoiner) guess(x fetch, where hosts.Host) (fetch, hosts.Host, []*route, float64) {
	own := hj.Services().Root(x.file.Path)
	if where.Elsewhere || len(hj.World.Reaching(l2meta.RoleEntry)) == 0 && where.Roots == nil ||
		slices.Contains(where.Roots, own) {
		return x, where, nil, 0
	}
	y, at, list, sure := hj.found(x, where, hj.guessed())
	if at.Roots == nil && hosts.Literals(x.url.Path) < enoughOfPath {
		if list = hj.namedRoutes(list, y); len(list) > 1 {
			list = nil
		}
	}
	if len(list) > 0 {
		return y, at, list, min(sure, confidenceEntry)
	}
	if len(where.Roots) != 1 {
		return x, where, nil, 0
	}
	return hj.below(x, where)
}

// below returns the routes and entries that match a request without the first segments of its
// path. These segments may be the prefix of a mount, a gateway or a setting for which there is no
// rule. Its results are those of found.
func (hj *httpJoiner) below(x fetch, where hosts.Host) (fetch, hosts.Host, []*route, float64) {
	for k := 1; k <= maxBase && k < len(x.url.Path); k++ {
		if hosts.Literals(x.url.Path[:k]) < k {
			break
		}
		if !hj.isCommon(x.url.Path[:k], where.Roots[0]) && !hj.says(where.Roots[0], x.url.Path[k-1]) {
			continue
		}
		y := x
		y.url.Path = x.url.Path[k:]
		for _, all := range []*routeTable{hj.routed(), hj.guessed()} {
			list, _ := hj.answers(y, where, all)
			list, same := hj.closest(list, y)
			if same < 1 {
				continue
			}
			where.How += fmt.Sprintf("; without /%s, which no rule mounts", strings.Join(x.url.Path[:k], "/"))
			return y, where, list, confidenceMounted
		}
	}
	return x, where, nil, 0
}

// isCommon reports whether a path prefix consists only of general words, such as api or v1, and
// of names of the service at root.
func (hj *httpJoiner) isCommon(prefix []string, root string) bool {
	return !slices.ContainsFunc(prefix, func(s string) bool {
		named, _ := hj.RootsOf(s)
		return !beforeName.MatchString(s) && !slices.Contains(named, root)
	})
}

// says reports whether the service at root has a call with an argument that is a path with the
// given last segment. Such a path may be the prefix of its routes.
func (hj *httpJoiner) says(root, segment string) bool {
	return slices.ContainsFunc(hj.World.Passing(strings.ToLower(segment)), func(id int64) bool {
		f := hj.World.ByID(id)
		return f != nil && mayServe(f) && hj.Services().Root(f.Path) == root
	})
}

// isEntry reports whether ref is the handler of an entry, a call or annotation that may register a
// route.
func (rf *routeFinder) isEntry(ref resolve.Ref) bool {
	return len(rf.World.Reaching(l2meta.RoleEntry)) > 0 &&
		slices.ContainsFunc(rf.entries(), func(r *route) bool { return rf.handles(ref, r) })
}

// takesAll reports whether a route matches every path: /{rest...}.
func (r *route) takesAll() bool { return len(r.path) == 1 && r.takesRest() }

// takesRest reports whether the last parameter of a route matches the rest of a path:
// /api/{path...}.
func (r *route) takesRest() bool {
	if len(r.path) == 0 {
		return false
	}
	_, rest := hosts.Variable(r.path[len(r.path)-1])
	return rest
}

// whatever returns the routes of the service at a known host that match every path, for requests
// that no other route matches.
func (hj *httpJoiner) whatever(x fetch, where hosts.Host) (out []*route) {
	if where.Roots == nil || where.Named != "" || where.Local {
		return nil
	}
	for _, r := range hj.routes() {
		if r.takesAll() && r.of(hj.Workspace, where.Roots) && (r.method == "*" || x.method == "*" || r.method == x.method) {
			out = append(out, r)
		}
	}
	return out
}

// everyPage matches the last step of paths by which users come and go, which each of several servers may have.
var everyPage = regexp.MustCompile(`(?i)^(?:log(?:in|out)|sign(?:in|up|out)|register)$`)
