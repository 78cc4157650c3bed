package endpoint

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/endpoint/hosts"
	"sextant/l2meta/resolve"
)

// No list of the places is complete in which a program sets the base address of its requests, or a
// server the prefix of its routes. But the paths of many requests show both: if a page requests /rooms,
// /rooms/{id}/files and /users, which no route answers, and one service has these routes below /api/v1,
// then that is the base.

// StrategyPrefix is the strategy of an edge that rests on prefixes which other requests of the service show.
const StrategyPrefix = "http_prefix"

// pair says that what a service requests below the literal path sent, the service at root answers below served.
type pair struct{ sent, served, root string }

// prefixes is a pair with the requests that show it.
type prefixes struct {
	pair
	paths, of int      // number of requested paths that have a route so, of those without any
	files     []string // files of some of these requests
}

// sender identifies requests that probably have the same base address: the service that sends them, and the
// service or the unknown host that they go to.
type sender struct{ root, to string }

// These constants limit what counts as a shown prefix.
const (
	leastShown    = 4 // least number of paths that show a pair of prefixes, one with a single literal segment half
	leastShare    = 4 // they are at least the fourth part of the sender's paths without a route
	mostOfRival   = 2 // no other pair explains half of them
	maxPairs      = 4 // number of pairs that a sender has
	maxShownFiles = 3
)

// unmatched holds the different requests of each sender that no route matches.
type unmatched map[sender]map[string]*fetch

func (u unmatched) add(from sender, x *fetch) {
	if u[from] == nil {
		u[from] = map[string]*fetch{}
	}
	key := x.method + " " + shape(strings.Join(x.url.Path, "/"))
	if o := u[from][key]; o == nil || x.file.Path < o.file.Path {
		y := *x
		u[from][key] = &y
	}
}

// attempt is a request of the workspace with its edges as far as no prefix is known that only other requests show.
type attempt struct {
	caller   resolve.Ref
	isHelper bool       // whether the call is one of a helper
	edges    []Crossing // result of request
	open     []sender   // senders whose prefixes may change the edges
	again    *fetch     // the request; nil if open is empty
}

// attempts holds all requests of the workspace.
type attempts struct {
	list   []attempt
	missed unmatched
	open   []sender // of what has no route in the request that is being answered
}

// note records a request that no route matches.
func (a *attempts) note(from sender, x *fetch) {
	a.open = append(a.open, from)
	if x.file.Class == code.ClassSource && !x.twin && !x.loose && !x.declared && x.operation == nil {
		a.missed.add(from, x)
	}
}

type attemptsKey struct{}

// attempts answers every request of the workspace without the prefixes that requests show.
func (hj *httpJoiner) attempts() *attempts {
	return resolve.Derive(hj.World, attemptsKey{}, func() *attempts {
		all := &attempts{missed: unmatched{}}
		learner := *hj
		learner.first = all
		add := func(list []fetch, isHelper bool) {
			for _, x := range list {
				if hj.World.Err() != nil {
					return // there may be a hundred thousand requests
				}
				all.open = nil
				edges := learner.request(x)
				a := attempt{caller: x.caller(), isHelper: isHelper, edges: edges, open: all.open}
				if len(a.open) > 0 {
					a.again = &x
				}
				all.list = append(all.list, a)
			}
		}
		add(hj.sent.direct(), false)
		add(hj.sent.wrapped(), true)
		inherited := hj.inherited()
		for _, id := range slices.Sorted(maps.Keys(inherited)) {
			add(inherited[id], false)
		}
		return all
	})
}

func (hj *httpJoiner) senderOf(x *fetch, where hosts.Host) sender {
	to := x.url.Hole
	if where.Roots != nil {
		to = strings.Join(where.Roots, " ")
	}
	return sender{hj.Services().Root(x.file.Path), to}
}

type shownPrefixesKey struct{}

// shownPrefixes returns the prefixes that the requests of the workspace show, the most frequent first.
func (hj *httpJoiner) shownPrefixes() map[sender][]prefixes {
	return resolve.Derive(hj.World, shownPrefixesKey{}, func() map[sender][]prefixes {
		all := hj.attempts()
		if all == nil {
			return nil // the query has ended
		}
		shown := map[sender][]prefixes{}
		for from, list := range all.missed {
			if found := hj.prefixesIn(list); len(found) > 0 {
				shown[from] = found
			}
		}
		return shown
	})
}

// prefixesIn returns the pairs of prefixes that explain most of the requests of a sender which no route matches. Each
// further pair explains requests that those before it do not.
func (hj *httpJoiner) prefixesIn(list map[string]*fetch) (out []prefixes) {
	by := map[pair][]string{}
	for _, key := range slices.Sorted(maps.Keys(list)) {
		for p := range hj.pairsOf(list[key]) {
			by[p] = append(by[p], key)
		}
	}
	all := weight(slices.Collect(maps.Keys(list)), list, "")
	for len(out) < maxPairs {
		best, most := pair{}, 0
		for _, p := range slices.SortedFunc(maps.Keys(by), comparePairs) {
			if n := weight(by[p], list, p.sent); n > most {
				best, most = p, n
			}
		}
		explained := by[best]
		if most < 2*leastShown || most*leastShare < all || hasRival(by, best, list) {
			return out
		}
		shown := prefixes{pair: best, paths: len(explained), of: len(list)}
		for _, key := range explained[:min(len(explained), maxShownFiles)] {
			shown.files = append(shown.files, list[key].file.Path)
		}
		out = append(out, shown)
		for p, keys := range by {
			by[p] = slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return slices.Contains(explained, key) })
		}
	}
	return out
}

func comparePairs(a, b pair) int {
	return cmp.Or(len(a.sent)-len(b.sent), strings.Compare(a.sent, b.sent), strings.Compare(a.served, b.served),
		strings.Compare(a.root, b.root))
}

// hasRival reports whether another pair explains most of the requests that a pair explains, such as a second version
// of the routes.
func hasRival(by map[pair][]string, best pair, list map[string]*fetch) bool {
	explained := by[best]
	for p, keys := range by {
		common := slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return !slices.Contains(explained, key) })
		if p != best && mostOfRival*weight(common, list, p.sent) >= weight(explained, list, best.sent) {
			return true
		}
	}
	return false
}

// weight returns the evidence of requests below a prefix: two for each, and one for a path of a single literal segment
// behind the prefix, which many services may have.
func weight(keys []string, list map[string]*fetch, sent string) (n int) {
	for _, key := range keys {
		n += min(2, hosts.Literals(list[key].url.Path)-len(hosts.Segments(sent)))
	}
	return n
}

// pairsOf returns the pairs of prefixes with which some route matches a request.
func (hj *httpJoiner) pairsOf(x *fetch) map[pair]bool {
	pairs := map[pair]bool{}
	last := len(x.url.Path) - 1
	for last >= 0 && !hosts.IsLiteral(x.url.Path[last]) {
		last--
	}
	if last < 0 {
		return nil
	}
	for _, r := range hj.routed().having(x.url.Path[last]) {
		if r.method != "*" && x.method != "*" && r.method != x.method || hj.ofOwn(x, r) || r.takesRest() {
			continue
		}
		for i := 0; i <= maxBase && i < len(x.url.Path); i++ {
			over := len(r.path) - len(x.url.Path) + i
			if over < 0 || over > maxBase || hosts.Literals(x.url.Path[:i]) < i || !literal(r.path[:over]) {
				continue
			}
			if same, ok := hj.meets(r, x.url.Path[i:], over); !ok || same == 0 || same < hosts.Literals(x.url.Path[i:]) {
				continue // a parameter that takes a literal text shows little
			}
			for _, root := range hj.rootsOf(r) {
				pairs[pair{sent: strings.Join(x.url.Path[:i], "/"), served: strings.Join(r.path[:over], "/"),
					root: root}] = true
			}
			break
		}
	}
	return pairs
}

func literal(path []string) bool {
	return !slices.ContainsFunc(path, func(s string) bool { return !hosts.IsLiteral(s) })
}

// rootsOf returns the roots of the services that serve a route.
func (hj *httpJoiner) rootsOf(r *route) []string {
	if len(r.roots) > 0 {
		return r.roots
	}
	return []string{hj.Services().Root(r.file.Path)}
}

// byPrefix returns the routes that match a request with a prefix that other requests of its sender show. Its results are
// those of found.
func (hj *httpJoiner) byPrefix(x fetch, where hosts.Host) (fetch, hosts.Host, []*route, float64) {
	if len(x.url.Path) == 0 {
		return x, where, nil, 0
	}
	for _, p := range hj.shownPrefixes()[hj.senderOf(&x, where)] {
		sent := hosts.Segments(p.sent)
		if len(x.url.Path) <= len(sent) || !slices.Equal(x.url.Path[:len(sent)], sent) {
			continue
		}
		y, at := x, where
		y.url.Path = append(hosts.Segments(p.served), x.url.Path[len(sent):]...)
		at.Roots, at.Sure = []string{p.root}, confidenceSuffix
		list, _ := hj.answers(y, at, hj.routed())
		list, same := hj.closest(list, y)
		if len(list) == 0 || same <= len(hosts.Segments(p.served)) || same < hosts.Literals(y.url.Path) ||
			hj.ofOwn(&x, list[0]) {
			continue
		}
		at.How += p.how()
		at.Rests = append(slices.Clip(where.Rests), p.files...)
		return y, at, list, confidenceSuffix
	}
	return x, where, nil, 0
}

// how returns the evidence of the prefixes, as a continuation of that of a host.
func (p *prefixes) how() string {
	if p.sent == p.served {
		return fmt.Sprintf("; %d of %d such paths without a route there are routes of %s", p.paths, p.of, p.root)
	}
	return fmt.Sprintf("; below /%s it is /%s of %s for %d of %d such paths without a route", p.sent, p.served, p.root,
		p.paths, p.of)
}
