package endpoint

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/endpoint/hosts"
	"sextant/l2meta/endpoint/values"
	"sextant/l2meta/resolve"
)

// A setting without a value may hold the address of a server outside of the workspace. The requests below it then
// show so: no route of the workspace answers most of them, as PAY_API_URL/accounts, PAY_API_URL/invoices and
// PAY_API_URL/codes/{} of a client whose workspace has a route for the last of these alone.

// base is an unknown address that the requests of a service begin with: a setting, or a name in one of its files.
type base struct{ place, hole string }

// votes holds the different paths of the requests below a base: answered by a route of another service, and open
// where no route matches.
type votes struct{ answered, open []string }

// mostOpen is the least number of requests without a route for each one with a route, below an address that is not of
// the workspace.
const mostOpen = 2

type askedBasesKey struct{}

// isForeign reports whether a request begins with an unknown address below which most requests have no route.
func (hj *httpJoiner) isForeign(x *fetch) bool {
	if x.url.Hole == "" || !x.url.Absolute {
		return false
	}
	v := resolve.Derive(hj.World, askedBasesKey{}, func() map[base]*votes {
		bases := map[base]*votes{}
		for _, x := range hj.sent.fetches() {
			if hj.World.Err() != nil {
				return nil
			}
			if x.file.Class == code.ClassTest || x.loose || x.twin {
				continue
			}
			for _, r := range hj.sent.readings(&x) {
				x.url = hosts.TargetOf(values.Unnumbered(r.Text))
				if x.url.Hole != "" && x.url.Absolute && hosts.Literals(x.url.Path) > 0 {
					hj.voteOn(bases, x)
				}
			}
		}
		return bases
	})[hj.baseOf(x)]
	return v != nil && 0 < len(v.answered) && mostOpen*len(v.answered) <= len(v.open)
}

func (hj *httpJoiner) baseOf(x *fetch) base {
	if first, _, ok := strings.Cut(x.url.Hole, "."); !strings.HasPrefix(x.url.Hole, "env:") &&
		(!ok || first == "this" || first == "self") {
		return base{x.file.Path, x.url.Hole}
	}
	return base{hj.Services().Root(x.file.Path), x.url.Hole}
}

// voteOn records whether a route of another service answers a request below its base. A request that some proxy may
// take says nothing.
func (hj *httpJoiner) voteOn(bases map[base]*votes, x fetch) {
	if slices.ContainsFunc(hj.rules(), func(r *rule) bool {
		_, score, ok := r.take(x.url.Path)
		return ok && score >= closely
	}) {
		return
	}
	v := bases[hj.baseOf(&x)]
	if v == nil {
		v = &votes{}
		bases[hj.baseOf(&x)] = v
	}
	list, _ := hj.answers(x, hosts.Host{Based: true}, hj.routed())
	paths := &v.open
	if len(list) > 0 {
		paths = &v.answered
	}
	if p := x.method + " " + strings.Join(x.url.Path, "/"); !slices.Contains(*paths, p) {
		*paths = append(*paths, p)
	}
}
