package endpoint

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/endpoint/hosts"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/endpoint/values"
	"sextant/l2meta/proxies"
	"sextant/l2meta/resolve"
)

// StrategyProxy marks an edge through the rule of a proxy.
const StrategyProxy = "http_proxy"

// confidenceBehind is the highest confidence of a request to an unknown host through a proxy, and
// of a page's request through a proxy that is not known to serve the page.
const confidenceBehind = 0.7

const (
	maxHops    = 3 // largest number of proxies in a row that a request passes
	maxProxies = 8 // largest number of proxies that may match one request
)

// rule is a forwarding rule of a proxy: requests for /api/** go to http://orders/**.
type rule struct {
	file   *resolve.File
	at     code.Span
	match  []string
	target string // a URL with the placeholders of match
	entry  string
	method string   // separated by commas, "" for any
	roots  []string // roots of the services whose requests the rule forwards; nil for the edge of the network
}

type rulesKey struct{}

// rules returns the rules of all proxies outside of tests, sorted by path and position.
func (hj *httpJoiner) rules() []*rule {
	return resolve.Derive(hj.World, rulesKey{}, func() (out []*rule) {
		for _, f := range hj.Files(l2meta.RoleProxy) {
			if f.Class == code.ClassTest || f.Class == code.ClassVendor || f.Class == code.ClassFixture {
				continue
			}
			for _, fact := range lookup.Endpoints(f, l2meta.RoleProxy) {
				part := append(strings.Split(fact.Type, "\t"), "", "", "")
				if part[4] != "" && !hj.Uses(f, part[4]) {
					continue
				}
				r := &rule{file: f, at: fact.Span, match: hosts.Segments(part[0]), target: part[1], entry: part[2],
					method: part[3]}
				switch r.entry {
				case proxies.Edge:
				case proxies.Own, proxies.Dev:
					r.roots = []string{hj.Services().Root(f.Path)}
				default:
					if r.roots, _ = hj.RootsOf(r.entry); len(r.roots) == 0 {
						r.roots = []string{hj.Services().Root(f.Path)}
					}
				}
				out = append(out, r)
			}
		}
		return out
	})
}

// take applies a rule to a path. It returns the URL to which the rule forwards, and a score of the match: 2 for each
// segment that matches literally, and 1 more for a match of the whole path. ok is false if the rule does not match.
func (r *rule) take(path []string) (url string, score int, ok bool) {
	var filled []string
	tail := false
	for i, m := range r.match {
		switch {
		case m == "**":
			filled, tail = append(filled, "**", strings.Join(path[min(i, len(path)):], "/")), true
			path = path[:min(i, len(path))]
		case i >= len(path):
			return "", 0, false
		case strings.HasPrefix(m, "{"):
			filled = append(filled, m, path[i])
		case m == "*":
		case strings.EqualFold(m, path[i]):
			score += 2
		default:
			return "", 0, false
		}
	}
	if !tail {
		if len(path) != len(r.match) {
			return "", 0, false
		}
		score++
	}
	return strings.NewReplacer(filled...).Replace(r.target), score, true
}

// beside reports whether two rules are stated in the same place for the same requests.
func (r *rule) beside(o *rule) bool {
	return r.file == o.file && r.at.StartByte == o.at.StartByte && r.method == o.method && slices.Equal(r.match, o.match)
}

// mount returns the last literal segment before the rest of the path that a rule matches: tasks
// of /api/tasks/**. It returns "" if there is none.
func (r *rule) mount() string {
	n := len(r.match)
	if n < 2 || r.match[n-1] != "**" {
		return ""
	}
	if is, _ := hosts.Variable(r.match[n-2]); is {
		return ""
	}
	return r.match[n-2]
}

// hop is a rule that matches a request, and the resulting URL.
type hop struct {
	rule  *rule
	url   string
	score int
	sure  float64 // an upper bound of the confidence, 0 for none
	// fanned reports that the rule is one of several in one place, each of which takes the request.
	fanned bool
}

// forwarded returns the edges of a request through the proxies that match it; ok is false if none does. at is the
// host of the request.
func (hj *httpJoiner) forwarded(x *fetch, at hosts.Host) (out []Crossing, ok bool) {
	if x.hops == maxHops || at.Elsewhere || len(hj.rules()) == 0 {
		return nil, false
	}
	if x.url.Absolute && at.Roots == nil {
		return hj.unnamed(x, at)
	}
	for _, dev := range []bool{false, true} { // production proxies are preferred to development servers
		var notes []Crossing
		for _, h := range hj.hops(x, at, dev) {
			for _, c := range hj.behind(x, at, h) {
				if c.Handler.Valid() {
					out = append(out, c)
				} else {
					notes = append(notes, c)
				}
			}
		}
		if len(out) > 0 {
			return out, true
		}
		if len(notes) > 0 && dev || len(notes) > 0 && len(hj.hops(x, at, true)) == 0 {
			return notes[:1], true
		}
	}
	return nil, false
}

// closely is the lowest score of a rule that matches a segment of the path literally.
const closely = 2

// unnamed returns the edges of a request to an unknown host, through the proxies whose rules match a segment of the
// path literally. A base address without a known value is probably that of a gateway. If routes match the unchanged
// path, the proxy has to lead to the handler of one of them.
func (hj *httpJoiner) unnamed(x *fetch, at hosts.Host) (out []Crossing, ok bool) {
	direct, _ := hj.answers(*x, at, hj.routed())
	direct, _ = hj.closest(direct, *x)
	for _, h := range hj.hops(x, at, false) {
		for _, c := range hj.behind(x, at, h) {
			agrees := len(direct) == 0 || slices.ContainsFunc(direct, func(r *route) bool {
				handler, _ := hj.handler(r)
				return handler == c.Handler
			})
			if c.Handler.Valid() && agrees {
				out = append(out, c)
			}
		}
	}
	return out, len(out) > 0
}

// speaksOfGateway reports whether a variable in the address of a request is named after a gateway. If so, even a rule
// that matches all paths applies to the request.
func (hj *httpJoiner) speaksOfGateway(x *fetch) bool {
	name := lookup.Folded(x.url.Hole + strings.Join(x.keys, ""))
	return strings.Contains(name, "gateway") || strings.Contains(name, "apigw")
}

// hops returns the rules that match a request, for each proxy the closest match. If the closest
// rule is one of several that a configuration states in one place, it returns all of these,
// because the request goes to each of their targets: the backends of an endpoint of KrakenD.
func (hj *httpJoiner) hops(x *fetch, at hosts.Host, dev bool) (out []hop) {
	best := map[string][]hop{}
	alike := sync.OnceValue(func() []likeness { return hj.alike(x) })
	for _, r := range hj.rules() {
		if (r.entry == proxies.Dev) != dev ||
			r.method != "" && x.method != "*" && !slices.Contains(strings.Split(r.method, ","), x.method) {
			continue
		}
		sure, takes := hj.takes(r, x, at)
		if !takes {
			continue
		}
		url, score, ok := r.take(x.url.Path)
		if ok && x.url.Absolute && at.Roots == nil && score < closely && !hj.speaksOfGateway(x) {
			continue
		}
		if !ok || hj.answersItself(alike(), r.roots, score) || !hj.leads(r, url) {
			continue
		}
		if sure > 0 && !x.url.Absolute && hj.answersItself(alike(), []string{hj.Services().Root(x.file.Path)}, score) {
			continue // the service that renders the page has the route itself
		}
		entry := r.entry + strings.Join(r.roots, " ")
		switch old := best[entry]; {
		case len(old) == 0 || old[0].score < score:
			best[entry] = []hop{{rule: r, url: url, score: score, sure: sure}}
		case old[0].score == score && old[0].rule.beside(r):
			old[0].fanned = true
			best[entry] = append(old, hop{rule: r, url: url, score: score, sure: sure, fanned: true})
		}
	}
	for _, list := range best {
		out = append(out, list...)
	}
	slices.SortFunc(out, func(a, b hop) int {
		return cmp.Or(strings.Compare(a.rule.file.Path, b.rule.file.Path), a.rule.at.StartByte-b.rule.at.StartByte,
			strings.Compare(a.url, b.url))
	})
	if slices.ContainsFunc(out, func(h hop) bool { return h.sure == 0 }) {
		out = slices.DeleteFunc(out, func(h hop) bool { return h.sure > 0 })
	}
	return out[:min(len(out), maxProxies)]
}

// takes reports whether a request reaches the proxy of a rule: by its host or, for a page's
// relative path, because the proxy serves the page. If the host is unknown, or the proxy is not
// known to serve the page, sure is the highest confidence; otherwise it is 0.
func (hj *httpJoiner) takes(r *rule, x *fetch, at hosts.Host) (sure float64, ok bool) {
	if x.url.Absolute && at.Roots == nil {
		return confidenceBehind, r.entry != proxies.Dev // the method hops requires more evidence
	}
	if x.url.Absolute || at.Roots != nil {
		return 0, overlap(r.roots, at.Roots)
	}
	if !hj.browser(x.file) {
		return 0, false
	}
	page := hj.Services().Root(x.file.Path)
	if slices.Contains(r.roots, page) || slices.Contains(hj.fronts(r), page) {
		return 0, true
	}
	return confidenceBehind, r.entry != proxies.Dev && !hj.fronted(page)
}

func overlap(a, b []string) bool {
	return slices.ContainsFunc(a, func(s string) bool { return slices.Contains(b, s) })
}

// browser reports whether a file is code that web pages run.
func (hj *httpJoiner) browser(f *resolve.File) bool {
	return hj.World.Language(f.Language).InPages
}

type frontsKey struct{ entry string }

// fronts returns the services that the proxy of a rule forwards to.
func (hj *httpJoiner) fronts(r *rule) []string {
	entry := r.entry + strings.Join(r.roots, " ")
	return resolve.Derive(hj.World, frontsKey{entry}, func() (out []string) {
		for _, o := range hj.rules() {
			if o.entry+strings.Join(o.roots, " ") != entry {
				continue
			}
			for _, way := range hj.Readings(o.file, -1, o.target) {
				roots, _ := hj.RootsOf(hosts.FirstLabel(hosts.TargetOf(way.Text).Host))
				out = append(out, roots...)
			}
		}
		return out
	})
}

type frontedKey struct{ page string }

// fronted reports whether a proxy is in front of a service or is part of it.
func (hj *httpJoiner) fronted(page string) bool {
	return resolve.Derive(hj.World, frontedKey{page}, func() bool {
		return slices.ContainsFunc(hj.rules(), func(r *rule) bool {
			return r.entry != proxies.Dev && (slices.Contains(r.roots, page) || slices.Contains(hj.fronts(r), page))
		})
	})
}

// likeness is a route that matches a request, with the number of literal segments that they have in common.
type likeness struct {
	*route
	same int
}

// alike returns the routes of all services that match the method and path of a request.
func (hj *httpJoiner) alike(x *fetch) (out []likeness) {
	for _, r := range hj.routed().near(x.url.Path, false) {
		if r.method != "*" && x.method != "*" && r.method != x.method {
			continue
		}
		if same, ok := hosts.Meets(x.url.Path, r.path, false); ok {
			out = append(out, likeness{r, same})
		}
	}
	return out
}

// answersItself reports whether a service at roots has one of the routes that match a request (see alike), and the
// route does so at least as closely as a proxy rule with that score.
func (hj *httpJoiner) answersItself(alike []likeness, roots []string, score int) bool {
	return slices.ContainsFunc(alike, func(l likeness) bool { return 2*l.same >= score && l.of(hj.Workspace, roots) })
}

// leads reports whether a rule's target is a service. It returns false only for a target with a
// part of the path as its host, such as "http://{service}", if that is no service.
func (hj *httpJoiner) leads(r *rule, url string) bool {
	if !strings.Contains(r.target, "://{") || strings.Contains(url, "://{") {
		return true
	}
	name := hosts.TargetOf(url).Host
	_, known := hj.Services().Called(name)
	return known || len(hj.Names()[lookup.Folded(name)]) > 0
}

// behind returns the edges of the request that a proxy sends on by the rule of h.
func (hj *httpJoiner) behind(x *fetch, at hosts.Host, h hop) (out []Crossing) {
	for _, way := range hj.Readings(h.rule.file, -1, h.url) {
		y := *x
		y.hops++
		y.text, y.url = way.Text, hosts.TargetOf(values.Unnumbered(way.Text))
		y.how = append(slices.Clip(x.how),
			fmt.Sprintf("%s; %s:%d sends it to %s", at.How, h.rule.file.Path, h.rule.at.StartLine, values.Shown(h.url)))
		y.how = append(y.how, way.How...)
		if mount := h.rule.mount(); mount != "" {
			y.keys = append(slices.Clip(y.keys), mount) // the segment may name the service behind localhost
		}
		y.rests = append(append(append(slices.Clip(x.rests), at.Rests...), h.rule.file.Path), way.Rests...)
		for _, c := range hj.read(y) {
			if h.sure > 0 {
				c.Confidence = min(c.Confidence, h.sure)
			}
			if at.Sure > 0 {
				c.Confidence = min(c.Confidence, at.Sure)
			}
			if at.Based { // the matched path may be the end of a longer path
				c.Confidence = min(c.Confidence, confidenceSuffix)
			}
			if c.Handler.Valid() {
				c.Strategy = StrategyProxy
			} else {
				c.Why = strings.Join(y.how, "; ") + "; " + c.Why
			}
			if h.fanned {
				c.together = fmt.Sprintf("%s:%d", h.rule.file.Path, h.rule.at.StartByte)
			}
			out = append(out, c)
		}
	}
	return out
}

var (
	// beforeName matches the segments that may precede the name of a service in a path.
	beforeName = regexp.MustCompile(`^(?:api|gateway|services?|svc|v\d+)$`)
	// gatewayHost matches host names that suggest a gateway or proxy.
	gatewayHost = regexp.MustCompile(
		`(?i)gateway|proxy|ingress|kong|nginx|traefik|envoy|haproxy|apisix|krakend|tyk|^(?:api|edge|lb)$`)
)

// ofNamed interprets x as a request through a gateway whose rules are not in the workspace and
// which finds the service by a segment of the path: /customer/api/users is /api/users of the
// service customer. It returns the request as that service receives it, the service, and its
// matching routes, which must share a literal segment with the path. list is empty if there is no
// such service or route.
func (hj *httpJoiner) ofNamed(x fetch, all *routeTable) (behind fetch, at hosts.Host, list []*route) {
	for i, s := range x.url.Path {
		if hole, _ := hosts.Variable(s); hole || i > 1 || len(x.url.Path) < i+2 {
			break
		}
		roots, rests := hj.RootsOf(s)
		if len(roots) == 0 {
			roots, rests = hj.NamedBySetting(s)
		}
		if len(roots) == 1 && roots[0] != hj.Services().Root(x.file.Path) {
			x.url.Path = x.url.Path[i+1:]
			at = hosts.Host{Roots: roots, Rests: rests, Sure: confidencePassed,
				How: "/" + s + " names the service, as behind a gateway"}
			list, _ = hj.answers(x, at, all)
			if list, same := hj.closest(list, x); same > 0 {
				return x, at, list
			}
			break
		}
		if !beforeName.MatchString(s) {
			break
		}
	}
	return x, at, nil
}
