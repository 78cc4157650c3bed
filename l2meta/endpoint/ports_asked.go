package endpoint

import (
	"slices"

	"sextant/internal/code"
	"sextant/l2meta/endpoint/hosts"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/endpoint/values"
	"sextant/l2meta/resolve"
)

// A service may get its port on the developer's machine outside of the workspace, as by rails s -p
// 3001. The requests to localhost:3001 then show which service it is: the only service whose routes
// match any of them, if at least two different routes do.

// asked is the service whose routes match the requests to a port of localhost.
type asked struct {
	root   string
	routes []*route // the different routes that match
	files  []string // files of the requests
	other  bool     // whether routes of another service match, too
}

type askedPortsKey struct{}

// askedAtPort returns the service that answers the requests to a port of the developer's machine, and the files of
// these requests; ok is false if it is not known.
func (hj *httpJoiner) askedAtPort(port string) (root string, files []string, ok bool) {
	a := resolve.Derive(hj.World, askedPortsKey{}, func() map[string]*asked {
		ports := map[string]*asked{}
		for _, x := range hj.sent.fetches() {
			if x.file.Class == code.ClassTest {
				continue
			}
			for _, r := range hj.Readings(x.file, x.owner, values.ByDefault(x.text)) {
				x.url = hosts.TargetOf(values.Unnumbered(r.Text))
				if x.url.Host == "localhost" && lookup.Digits(x.url.Port) > 0 {
					hj.vote(ports, x)
				}
			}
		}
		return ports
	})[port]
	if a == nil || a.other || len(a.routes) < 2 {
		return "", nil, false
	}
	return a.root, a.files, true
}

// vote records the service whose routes match a request as the service at the port of the
// request. If the routes of several services match, it records nothing.
func (hj *httpJoiner) vote(ports map[string]*asked, x fetch) {
	list, _ := hj.answers(x, hosts.Host{}, hj.routed())
	list, _ = hj.closest(list, x)
	if len(list) == 0 {
		return
	}
	roots := list[0].roots
	if len(roots) == 0 {
		roots = []string{hj.Services().Root(list[0].file.Path)}
	}
	if len(roots) != 1 || slices.ContainsFunc(list, func(r *route) bool { return !r.of(hj.Workspace, roots) }) {
		return
	}
	a := ports[x.url.Port]
	if a == nil {
		a = &asked{root: roots[0]}
		ports[x.url.Port] = a
	}
	a.other = a.other || a.root != roots[0]
	if !slices.ContainsFunc(a.routes, func(r *route) bool { return r.at == list[0].at && r.method == list[0].method }) {
		a.routes = append(a.routes, list[0])
	}
	if !slices.Contains(a.files, x.file.Path) && len(a.files) < values.MaxReadings {
		a.files = append(a.files, x.file.Path)
	}
}
