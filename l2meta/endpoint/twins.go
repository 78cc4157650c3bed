package endpoint

import (
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/endpoint/hosts"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/endpoint/values"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// No list of clients is complete, and neither is one of the shapes of their calls. But a path
// that occurs in two services is evidence by itself: a call with the path of another service's
// route as an argument is probably a request, whatever function it calls: dispatch("/orders/" +
// id), new Command(ORDERS + "/items"). Such a call is a twin of the route.

// StrategyTwin is the strategy of an edge from a call that counts as a request only because an
// argument is the path of a route.
const StrategyTwin = "http_twin"

type stepsServedKey struct{}

// stepsServed returns, in lower case, the last segments of the workspace's routes that are literal text. It is empty
// if the workspace has fewer than two services.
func (qf *requestFinder) stepsServed() map[string]bool {
	return resolve.Derive(qf.World, stepsServedKey{}, func() map[string]bool {
		steps := map[string]bool{}
		if len(qf.Services().All) < 2 {
			return steps
		}
		for _, r := range qf.served.routes() {
			if step := l2meta.LastStep(r.via()); len(step) > 1 && !ofEveryService[step] {
				steps[step] = true
			}
		}
		return steps
	})
}

// ofEveryService lists segments of paths that many services have, so they do not show to which one a
// request goes.
var ofEveryService = map[string]bool{"health": true, "healthz": true, "healthcheck": true, "ready": true,
	"readyz": true, "readiness": true, "live": true, "livez": true, "liveness": true, "metrics": true, "ping": true,
	"status": true, "version": true, "info": true, "alive": true, "health-check": true, "heartbeat": true,
	"topology": true}

type twinFilesKey struct{}

// twinFiles returns the ids of the files with calls that have the path of a route as an argument.
func (qf *requestFinder) twinFiles() map[int64]bool {
	return resolve.Derive(qf.World, twinFilesKey{}, func() map[int64]bool {
		ids := map[int64]bool{}
		for step := range qf.stepsServed() {
			for _, id := range qf.World.Passing(step) {
				if f := qf.World.ByID(id); !ids[id] && f != nil && len(qf.twinsIn(f)) > 0 {
					ids[id] = true
				}
			}
		}
		return ids
	})
}

type twinsKey struct{ file int64 }

// twinsIn returns, as requests, the calls of a file with an argument that is a path with the last
// segment of some route, if no other rule recognizes them as requests.
func (qf *requestFinder) twinsIn(f *resolve.File) []fetch {
	if f.Class != code.ClassSource {
		return nil
	}
	return resolve.Derive(qf.World, twinsKey{f.ID}, func() (out []fetch) {
		for _, fact := range lookup.Endpoints(f, l2meta.RolePass) {
			x, ok := qf.twinAt(f, fact)
			if ok && !isEnd(f, fact) && !repeats(&x, askedByShape(f)) && !repeats(&x, fetches(f)) &&
				(x.method != "*" || !repeats(&x, out)) {
				out = append(out, x)
			}
		}
		return out
	})
}

// repeats reports whether a request in list is at the same call as x, or is made in the same
// function and has the path of x or one below it: send and create in send(create("/orders")) would
// be the same request.
func repeats(x *fetch, list []fetch) bool {
	return slices.ContainsFunc(list, func(o fetch) bool {
		return !o.loose && (o.at == x.at || len(o.url.Path) >= len(x.url.Path) && o.caller() == x.caller() &&
			slices.EqualFunc(o.url.Path[:len(x.url.Path)], x.url.Path,
				func(a, b string) bool { return shape(a) == shape(b) }))
	})
}

const (
	maxTwinAt    = 4 // number of leading arguments of a call that may be its path
	leastOfPath  = 2 // least number of literal segments of a path without a host
	enoughOfPath = 3 // number of literal segments at which a path alone shows the route, whatever function is called
)

// twinAt returns the request of the call at fact if an argument of the call is a path with the
// last segment of some route; ok is false for any other call.
func (qf *requestFinder) twinAt(f *resolve.File, fact *code.Fact) (x fetch, ok bool) {
	name, rest, _ := strings.Cut(fact.Type, "\t")
	args := strings.Split(rest, "\t")
	steps := qf.stepsServed()
	if !slices.ContainsFunc(l2meta.PassedSteps(fact), func(step string) bool { return steps[step] }) {
		return x, false
	}
	i := slices.IndexFunc(f.Calls(), func(c code.Call) bool { return c.NameSpan.StartByte == fact.Span.StartByte })
	if i < 0 || f.Calls()[i].Kind == code.CallDecorator || !mayRequest(name, f.Calls()[i].Receiver) ||
		makesClient.MatchString(name) ||
		len(qf.World.Telling(l2meta.RoleText, name)) > 0 { // the function composes an address
		return x, false
	}
	c := &f.Calls()[i]
	for _, arg := range args[:min(len(args), maxTwinAt)] {
		url := folding.CleanURL(urlIn(arg))
		relative := belowBase.MatchString(url)
		if relative {
			url = "/" + url
		}
		if !steps[l2meta.LastStep(url)] || !leadsToRoute(url) || isPattern.MatchString(url) {
			continue
		}
		x = fetch{file: f, owner: fact.Owner, at: fact.Span, method: methodPassed(args), text: url,
			url: hosts.TargetOf(values.Unnumbered(url)), twin: true, relative: relative}
		if x.method == "*" {
			x.method = verbIn(name)
		}
		if before := services.PlainVerb(objectOf(c.Receiver)); x.method == "*" && before != "" {
			x.method = before // for example, client.post().uri(path)
		}
		x.alone = len(args) == 1 && c.Kind == code.CallPlain && !makesAddress.MatchString(c.Receiver+"."+name)
		return x, x.url.Absolute || hosts.Literals(x.url.Path) >= leastOfPath
	}
	return x, false
}

// mayRequest reports whether a call of this name, on this receiver, may request a path among its
// arguments.
func mayRequest(name, receiver string) bool {
	object := objectOf(receiver)
	return !noRequest.MatchString(name) && !setsBase.MatchString(name) && !ofTest.MatchString(receiver) &&
		!noRequest.MatchString(object) && !keeping.MatchString(object)
}

// objectOf returns the last name of a receiver: orders for this.orders, client for this.client().
func objectOf(receiver string) string { return folding.LastWord(strings.TrimSuffix(receiver, "()")) }

var (
	// noRequest matches the names of calls and receivers that do not request paths among their
	// arguments: those of settings, pages, mails, rules and the routes of the own service.
	noRequest = regexp.MustCompile(`(?i:^env$|getenv|config|setting|redirect|nav|location|link|href|menu|breadcrumb|` +
		`mail|sms|queue|history|match|permit|authori[sz]e|exclude|ignore|csrf|secur|static|template|render|logg|log$|` +
		`assert|mock|stub|swagger|doc|register|mutate|string|append|handle|mount|route|^when$|^next$|^goto$|` +
		`^(?:set|add|with)?_?(?:tag|attribute|label|baggage)|^from_?result$|^completed_?future$|^of_?nullable$)|^on[A-Z_]`)
	// makesClient matches the names of functions that create clients, with the base of requests
	// as an argument: NewOrdersClient.
	makesClient = regexp.MustCompile(`^(?:[nN]ew|[mM]ake|[cC]reate|[bB]uild)\w*(?:Client|_client)$`)
	// ofTest matches the receivers of requests in tests within a source file:
	// test::TestRequest::post().
	ofTest = regexp.MustCompile(`(?:^|\W)(?i:tests?|mock)(?:\W|[A-Z])`)
	// isPattern matches paths that are patterns: /orders/**, /orders/:id.
	isPattern = regexp.MustCompile(`\*|/:\w`)
	// belowBase matches a path without a leading slash, which is relative to the base address of a client:
	// orders/{id}.
	belowBase = regexp.MustCompile(`^[a-zA-Z][\w.-]*/[\w{]`)
	// makesAddress matches calls that compose the address of a request, which another call sends.
	makesAddress = regexp.MustCompile(`(?i)ur[il]|target|builder`)
	nameWords    = regexp.MustCompile(`[A-Z]?[a-z]+|[A-Z]+`)
)

// verbIn returns the HTTP method that a word of a name denotes, POST for HttpPost or GET for doGet; "*" if there is
// none.
func verbIn(name string) string {
	for _, word := range nameWords.FindAllString(name, -1) {
		if m := services.PlainVerb(word); m != "" {
			return m
		}
	}
	return "*"
}

// twins returns those of list, the edges of the twin x, that are probable, with a lower confidence.
// If the host is unknown, there are none for a path without enough literal text or with handlers in
// several services.
func (hj *httpJoiner) twins(x *fetch, list []Crossing) []Crossing {
	if hj.isOwn(x) {
		return nil
	}
	byPath := slices.ContainsFunc(list, func(c Crossing) bool { return c.Strategy == StrategyPath })
	root := func(c Crossing) string { return hj.Services().Root(c.Handler.File.Path) }
	list = slices.DeleteFunc(list, func(c Crossing) bool {
		return root(c) == hj.Services().Root(x.file.Path) || byPath && x.relative
	})
	if byPath && slices.ContainsFunc(list, func(c Crossing) bool { return root(c) != root(list[0]) }) {
		return nil
	}
	bound := confidencePassed
	// a request with neither a method nor a body is a GET
	if get := ofGet(list); len(list) > 1 && x.alone && len(get) == 1 {
		list, bound = get, confidenceLong
		list[0].Confidence = bound
	}
	switch {
	case len(list) > 1 || byPath && !slices.ContainsFunc(list, func(c Crossing) bool { return isTelling(x, &c) }):
		bound = confidenceSeveral
	case byPath:
		bound = confidenceLong
	}
	for i := range list {
		c := &list[i]
		c.Confidence, c.Strategy = min(c.Confidence, bound), StrategyTwin
		c.Provenance = "only its path shows a request; " + c.Provenance
	}
	return list
}

// isTwin reports whether the call of x, to which a URL is passed, counts as a request by its path and has a handler.
func (hj *httpJoiner) isTwin(x *fetch) bool {
	return slices.ContainsFunc(hj.sent.twinsIn(x.file), func(o fetch) bool {
		return o.at == x.at && len(hj.request(o)) > 0
	})
}

// ofGet returns the crossings to routes with the method GET.
func ofGet(list []Crossing) (out []Crossing) {
	for _, c := range list {
		if strings.HasPrefix(c.Via, "GET ") {
			out = append(out, c)
		}
	}
	return out
}

// isTelling reports whether the path of a call has enough literal segments to be evidence of the
// route by itself.
func isTelling(x *fetch, c *Crossing) bool {
	_, path, _ := strings.Cut(c.Via, " ")
	n := min(hosts.Literals(x.url.Path), hosts.Literals(hosts.Segments(path)))
	return n >= enoughOfPath || n >= leastOfPath && x.method != "*"
}

// isOwn reports whether a call has the path of a route of its own service as an argument. Calls
// in the handler of that route do not count, because the handler may forward the request.
func (hj *httpJoiner) isOwn(x *fetch) bool {
	own := []string{hj.Services().Root(x.file.Path)}
	return !x.url.Absolute && slices.ContainsFunc(hj.routed().near(x.url.Path, false), func(r *route) bool {
		if x.method != "*" && r.method != "*" && r.method != x.method {
			return false
		}
		_, ok := hj.meets(r, x.url.Path, 0)
		return ok && r.of(hj.Workspace, own) && !hj.handles(x.caller(), r)
	})
}
