package endpoint

import (
	"strings"

	"sextant/l2meta/endpoint/hosts"
)

// A setting may hold the public address at which the workspace itself is deployed, https://dev.shop.org. Its gateway
// leads /orders-service/v1/items to the service that the path begins with.

// ofOwnDomain returns the route that answers a request to the public host of a setting: the only one with the path,
// which has enough literal segments and begins with the name of the route's service. It returns nil if there is none.
func (hj *httpJoiner) ofOwnDomain(x *fetch, where hosts.Host) *route {
	if !where.Elsewhere || !where.Public || len(x.keys) == 0 || hosts.Literals(x.url.Path) < enoughOfPath {
		return nil
	}
	list, _ := hj.answers(*x, hosts.Host{}, hj.routed())
	list, _ = hj.closest(served(list), *x)
	if len(list) != 1 || !hj.beginsWithService(list[0]) ||
		list[0].of(hj.Workspace, []string{hj.Services().Root(x.file.Path)}) {
		return nil
	}
	return list[0]
}

// beginsWithService reports whether the path of a route begins with the name of the service that serves it:
// /orders/{id} of the service orders.
func (hj *httpJoiner) beginsWithService(r *route) bool {
	if len(r.path) == 0 {
		return false
	}
	roots, _ := hj.RootsOf(r.path[0])
	return len(roots) == 1 && r.of(hj.Workspace, roots)
}

// ofAnyPort reports whether a request goes to an unknown port of the machine itself, which may be the caller's own.
func ofAnyPort(t hosts.Target) bool { return t.Host == "localhost" && strings.HasPrefix(t.Port, "{") }
