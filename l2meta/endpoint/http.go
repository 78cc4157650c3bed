package endpoint

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/endpoint/hosts"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/endpoint/values"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services/folding"
)

// StrategyHTTP marks an edge to a known host, StrategyPath one that was found by the path alone.
const (
	StrategyHTTP = "http_host"
	StrategyPath = "http_path"
)

// httpJoiner joins requests with the routes that match them, through proxies if there are any.
type httpJoiner struct {
	*routeFinder
	sent  *requestFinder
	first *attempts // if it is not nil, requests without a route are noted there instead of read by shownPrefixes
}

// These constants are the confidences of edges found by path alone: if only the client's own
// service has the route, if only one other service has it, and if several have it.
const (
	confidenceOwn   = 0.7
	confidencePath  = 0.5
	confidencePaths = 0.3
	confidenceLong  = 0.6 // one other service, and two or more literal segments match
)

// These constants are the confidences of edges of requests whose URL is known in part.
const (
	confidenceSuffix = 0.7
	confidencePassed = 0.7 // the service is known by a name alone, or the base may contain the start of the path
)

// maxBase is the largest number of path segments that an unknown base address may contain.
const maxBase = 3

// via returns a route in the notation of edges: "GET /items/{}".
func (r *route) via() string {
	var b strings.Builder
	b.WriteString(strings.Replace(r.method, "*", "ANY", 1) + " ")
	for _, s := range r.path {
		if is, rest := hosts.Variable(s); rest {
			s = "{*}"
		} else if is && s != "*" {
			s = "{}"
		}
		b.WriteString("/" + s)
	}
	if len(r.path) == 0 {
		b.WriteByte('/')
	}
	return b.String()
}

// requests returns the edges of the requests of ref, including the requests of helpers that it
// calls.
func (hj *httpJoiner) requests(ref resolve.Ref) (out []Crossing) {
	if e := keptEnds(hj.Workspace); e != nil {
		return unpinned(hj.Workspace, e.Requests[declarationOf(ref)])
	}
	for _, x := range hj.sent.fetchesIn(ref.File) {
		if x.caller() == ref {
			out = append(out, hj.request(x)...)
		}
	}
	var wrapped, open []fetch
	// a call of a helper is always recorded with this role; without one, helpers need not be found
	if lookup.HasEnd(ref, l2meta.RolePass) {
		wrapped, open = hj.sent.wrappedIn(ref.File), hj.sent.openEnds(ref.File)
	}
	for _, x := range slices.Concat(wrapped, hj.inherited()[ref.File.ID]) {
		if x.caller() == ref {
			out = append(out, hj.request(x)...)
		}
	}
	for _, x := range open {
		if x.caller() == ref {
			out = append(out, ofOpenEnd(x))
		}
	}
	return distinct(out)
}

// ofOpenEnd returns the edge without a handler for a request whose URL is known only to callers
// of its function.
func ofOpenEnd(x fetch) Crossing {
	return Crossing{Kind: code.EdgeHTTP, File: x.file, Call: callAt(x), Caller: x.caller(),
		Via: strings.Replace(x.method, "*", "ANY", 1) + " " + values.Shown(x.text), Strategy: StrategyHTTP,
		Why: "no caller is seen to give the URL " + values.Shown(x.text)}
}

// distinct returns the edges of the requests of one function without duplicates, and without an
// edge that has no handler if another reading of the same call has one.
func distinct(out []Crossing) []Crossing {
	for i := len(out) - 1; i >= 0; i-- { // a helper may send two requests
		if slices.ContainsFunc(out[:i], func(o Crossing) bool {
			return o.Call.NameSpan == out[i].Call.NameSpan && o.Via == out[i].Via && o.Handler == out[i].Handler &&
				o.At == out[i].At
		}) {
			out = slices.Delete(out, i, i+1)
		}
	}
	return slices.DeleteFunc(out, func(c Crossing) bool {
		return !c.Handler.Valid() && slices.ContainsFunc(out, func(o Crossing) bool {
			return o.Handler.Valid() && o.Call.NameSpan == c.Call.NameSpan
		})
	})
}

// request returns an edge to each possible handler of a request. Of the URLs that the request may have (readings),
// only those that lead to a service count.
func (hj *httpJoiner) request(x fetch) (out []Crossing) {
	if x.operation != nil {
		return hj.operated(&x)
	}
	instance := strings.HasPrefix(x.text, "{?") || strings.HasPrefix(x.text, "{!")
	given := x.open() || firstGiven.MatchString(x.text)
	if given && hj.sent.isWrapped(&x) || (x.loose || instance) && hj.sent.isHelped(&x) {
		return nil // the callers of the function, or the callee, determine the service
	}
	if (x.shaped || x.twin) && hj.isKnown(&x) {
		return nil
	}
	var notes []Crossing
	chosen := true
	for _, r := range hj.sent.readings(&x) {
		text, ok := values.OfInstance(r.Text)
		if !ok || strings.HasPrefix(x.text, "{call:") && values.IsUnknownCall(text) {
			continue
		}
		r.Text = folding.CleanURL(wholeURL(text))
		y := x
		y.text, y.url = r.Text, hosts.TargetOf(values.Unnumbered(r.Text))
		y.how, y.rests, y.keys = append(slices.Clip(x.how), r.How...), append(slices.Clip(x.rests), r.Rests...),
			append(slices.Clip(x.keys), r.Keys...)
		answered := hj.read(y)
		chosen = chosen && (r.Chosen && alternatives(answered) <= 1 || len(answered) == 0)
		for _, c := range answered {
			switch i := slices.IndexFunc(out,
				func(o Crossing) bool { return o.Handler == c.Handler && o.At == c.At }); {
			case !c.Handler.Valid():
				notes = append(notes, c)
			case i < 0:
				out = append(out, c)
			case out[i].Confidence < c.Confidence:
				out[i] = c
			}
		}
	}
	for i := range out {
		if x.shaped {
			out[i].Confidence = min(out[i].Confidence, confidencePassed)
		}
	}
	if !chosen {
		out = split(out)
	}
	switch {
	case x.twin:
		return hj.twins(&x, out)
	case x.declared:
		if len(out) == 0 {
			out = notes[:min(len(notes), 1)]
		}
		return asDeclared(out)
	case x.loose && (len(out) > 1 && hj.isBesideRequest(&x) || hj.isTwin(&x)):
		return nil
	case x.loose:
		return certain(out)
	case len(out) == 0 && len(notes) > 0 && (!strings.Contains(x.text, "{#") || !hj.sent.isWrapped(&x)):
		if x.file.Class == code.ClassVendor && x.url.Host == "" {
			return nil // a library such as jquery.js requests URLs that its callers pass
		}
		return notes[:1]
	}
	return out
}

// wholeURL returns the URL that a request passes to a client with a base address of its own, without that base:
// http://orders/items for {client:api}/http://orders/items. It returns any other text unchanged.
func wholeURL(text string) string {
	if i := strings.LastIndex(text, "/http"); i > 0 && wholeStart.MatchString(text[i:]) {
		return text[i+1:]
	}
	return text
}

var wholeStart = regexp.MustCompile(`^/https?://`)

// isKnown reports whether there is better evidence than its shape or path that the call of x
// sends a request: it calls a helper that does, or the extractor has recorded it as a request.
func (hj *httpJoiner) isKnown(x *fetch) bool {
	return hj.sent.isHelped(x) || slices.ContainsFunc(hj.sent.fetchesIn(x.file), func(o fetch) bool {
		return o.at == x.at && !o.shaped && !o.twin && !(x.twin && o.loose) && len(hj.request(o)) > 0
	})
}

// setsBase matches the names of calls that set the base address of a client: setBaseUrl.
var setsBase = regexp.MustCompile(`(?i)base|host|origin`)

// isBesideRequest reports whether the call of x sets the base address of a client, or whether the
// function around the call also sends a request, probably to the same URL.
func (hj *httpJoiner) isBesideRequest(x *fetch) bool {
	return setsBase.MatchString(callAt(*x).Callee) ||
		slices.ContainsFunc(hj.sent.fetchesIn(x.file), func(o fetch) bool {
			return !o.loose && !o.twin && o.caller() == x.caller()
		})
}

// certain returns the edges of a URL that is passed to a function which may not request it, with
// a lower confidence. It returns nil unless all lead to a known host. Several edges are
// candidates, because the HTTP method is not known.
func certain(list []Crossing) []Crossing {
	for i := range list {
		if list[i].Strategy != StrategyHTTP || len(list) == 1 && list[i].Confidence < confidenceOne {
			return nil
		}
		list[i].Confidence = min(list[i].Confidence, confidencePassed)
	}
	return list
}

// split lowers the confidence of several possible handlers of one request, of which at most one is
// right.
func split(list []Crossing) []Crossing {
	if alternatives(list) > 1 {
		for i := range list {
			list[i].Confidence = min(list[i].Confidence, confidenceSeveral)
		}
	}
	return list
}

// alternatives counts the edges of one request. Edges that lead to services which all receive the
// request (Crossing.together) count as one.
func alternatives(list []Crossing) (count int) {
	for i, c := range list {
		if c.together == "" || !slices.ContainsFunc(list[:i], func(o Crossing) bool { return o.together == c.together }) {
			count++
		}
	}
	return count
}

// read returns the edges of a request whose URL is complete, apart from parts that are not known
// anywhere. If no route matches the request, it returns nil, or one edge without a handler and
// with the reason.
func (hj *httpJoiner) read(x fetch) (out []Crossing) {
	base := Crossing{Kind: code.EdgeHTTP, File: x.file, Call: callAt(x), Caller: x.caller(), Strategy: StrategyHTTP,
		Via: strings.Replace(x.method, "*", "ANY", 1) + " /" + strings.Join(x.url.Path, "/")}
	where := hj.Where(x.file, x.owner, &x.url, x.keys)
	if out, ok := hj.forwarded(&x, where); ok {
		return out
	}
	for _, ref := range x.through {
		where.Rests = append(slices.Clip(where.Rests), ref.File.Path)
	}
	where.Rests = append(slices.Clip(where.Rests), x.rests...)
	if where.Roots == nil && x.url.Host == "localhost" { // infer the service from all requests to this port
		if root, files, ok := hj.askedAtPort(x.url.Port); ok {
			where = hosts.Host{Roots: []string{root}, Rests: append(slices.Clip(where.Rests), files...), Local: true,
				Sure: hosts.ConfidenceNamed, How: "localhost:" + x.url.Port + " is asked for routes that one service has"}
		}
	}
	y, at, list, sureness := hj.found(x, where, hj.routed())
	guessed := false
	if own := hj.ofOwnDomain(&x, where); own != nil {
		where.Elsewhere = false
		at, list, sureness = where, []*route{own}, confidenceLong
	}
	if len(list) == 0 {
		if z, behind, entries, sure := hj.guess(x, where); len(entries) > 0 {
			y, at, list, sureness, guessed = z, behind, entries, sure, true
		} else if list = hj.whatever(x, where); len(list) > 0 {
			sureness = confidenceLong
		}
	}
	shown := false
	if len(list) == 0 && !where.Elsewhere {
		if hj.first != nil {
			hj.first.note(hj.senderOf(&x, where), &x)
		} else if z, behind, moved, sure := hj.byPrefix(x, where); len(moved) > 0 {
			y, at, list, sureness, shown = z, behind, moved, sure, true
		}
	}
	x, where = y, at
	list, _ = hj.closest(hj.unmocked(served(list)), x)
	list = hj.byHandler(list)
	switch {
	case where.Elsewhere || len(list) == 0 && (where.Roots != nil || x.url.Absolute || hosts.Literals(x.url.Path) > 1):
		base.Why = where.How + "; no route of the workspace answers " + base.Via
		base.Outside = where.Public
		if where.Elsewhere {
			base.Why = where.How
		}
		return []Crossing{base}
	case where.Roots == nil && hosts.Literals(x.url.Path) == 0 && x.url.Absolute && x.file.Class != code.ClassVendor:
		base.Why = where.How
		return []Crossing{base}
	case len(list) == 0 || where.Roots == nil && hosts.Literals(x.url.Path) == 0:
		return nil
	}
	sure := min(confidence(len(list)), cmp.Or(where.Sure, 1))
	if where.Roots == nil {
		base.Strategy = StrategyPath
		if list, sure = hj.nearest(list, x); sure > confidencePath && (ofMocks(list) || hj.isForeign(&x)) {
			sure = confidencePath
		}
	}
	sure = min(sure, sureness)
	switch {
	case guessed:
		base.Strategy = StrategyEntry
	case shown:
		base.Strategy = StrategyPrefix
	}
	if x.passesOn() {
		sure = min(sure, confidencePath)
	}
	sure, doubt := ofDetached(list, sure)
	for _, r := range list {
		c := base
		c.Handler, c.At = hj.handler(r)
		c.Via, c.Confidence, c.Rests = r.via(), sure, append(slices.Clip(where.Rests), append(r.rests, r.file.Path)...)
		c.Provenance = fmt.Sprintf("%s; route at %s:%d%s", strings.Join(append(slices.Clip(x.how), where.How), "; "),
			r.file.Path, r.at.StartLine, doubt)
		out = append(out, c)
	}
	return out
}

// ofClient reports whether a request passes a path to an unknown client, which may put a base
// address before it.
func (x *fetch) ofClient() bool { return (x.twin || x.shaped) && !x.url.Absolute }

// nearest returns the routes in list that may answer a request to an unknown host, and the
// confidence in each. For a request that a web page sends with a path alone, it prefers the
// page's own service; for any other request, other services.
func (hj *httpJoiner) nearest(list []*route, x fetch) ([]*route, float64) {
	var own []*route
	page := !x.url.Absolute && !x.twin && hj.browser(x.file)
	for _, r := range list {
		if r.of(hj.Workspace, []string{hj.Services().Root(x.file.Path)}) {
			own = append(own, r)
		}
	}
	switch {
	case len(own) == 1 && page:
		return own, confidenceOwn
	case ofAnyPort(x.url):
	case !page && len(own) < len(list): // a service seldom requests its own routes
		list = slices.DeleteFunc(list, func(r *route) bool { return slices.Contains(own, r) })
	case len(own) > 0:
		list = own
	}
	if named := hj.namedRoutes(list, x); len(named) == 1 {
		return named, hosts.ConfidenceNamed
	}
	switch {
	case len(list) == 1 && hj.beginsWithService(list[0]):
		return list, hosts.ConfidenceNamed
	case len(list) > 1:
		return list, confidencePaths
	case len(x.url.Path) == 1 && ofEveryService[x.url.Path[0]]:
		return list, confidencePath
	case hosts.Literals(list[0].path) == 0:
		return list, confidencePath // /{service}/{owner}/{repo} matches any three segments
	case list[0].takesRest() && hosts.Literals(list[0].path) < 2:
		return list, confidencePath // /api/{path...} matches one segment alone of any path below /api
	case hosts.Literals(x.url.Path) > 1,
		hosts.Literals(list[0].path) > 0 && x.method != "*" && x.url.Host == "" && !x.ofClient() && !x.loose:
		// certainly a request, not to a port of its own service, and only one route matches
		return list, confidenceLong
	}
	return list, confidencePath
}

// namedRoutes returns the routes in list that belong to the service after which the client of a request is named:
// OrderClient, orders_client.py, {ordersUrl}/items, or a helper or setting with such a name.
func (hj *httpJoiner) namedRoutes(list []*route, x fetch) (out []*route) {
	names := []string{lookup.StemOf(x.file.Path), lookup.LastName(strings.TrimSuffix(x.url.Hole, "()"))}
	for _, ref := range append([]resolve.Ref{x.file.Ref(x.owner)}, x.through...) {
		names = append(names, lookup.StemOf(ref.File.Path))
		for t := ref.File.Type(ref.Index); t >= 0; t = ref.File.Symbols[t].Parent {
			names = append(names, ref.File.Symbols[t].Name) // OrderService of OrderService::Api
		}
	}
	names = append(names, x.keys...)
	var roots []string
	for _, name := range names {
		if found, _ := hj.RootsOf(clientOfService(name)); len(found) == 1 {
			roots = append(roots, found[0])
		}
	}
	for _, r := range list {
		if !r.of(hj.Workspace, []string{hj.Services().Root(x.file.Path)}) && r.of(hj.Workspace, roots) {
			out = append(out, r)
		}
	}
	return out
}

// clientOfService returns the name of a client without words for a client: Order of
// OrderServiceProxy, catalog of catalogApiClient, USERS of USERS_URL.
func clientOfService(name string) string {
	name = hosts.Stem(name)
	for {
		short := clientWords.ReplaceAllString(name, "")
		if short == name || short == "" {
			return name
		}
		name = short
	}
}

var clientWords = regexp.MustCompile(
	`(?i)[-_.]?(?:client|proxy|gateway|adapter|provider|repository|connector|facade|http|rest|impl|service|svc|api)$`)
