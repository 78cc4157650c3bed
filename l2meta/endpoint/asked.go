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

// No list of client libraries is complete, and a client may be a parameter: getProps(context,
// client) calls client.get("/api/orders"). A call counts as a request by its shape if an argument
// is a path and its HTTP method is known. The method follows from the name of the call, on a
// receiver with the name of a client, or from an argument: request("POST", url), useRequest({url,
// method}).

// askers lists the names of functions of unknown libraries whose calls may be requests, judged by
// the name and the arguments.
var askers = strings.Fields(`get Get GET post Post POST put Put PUT patch Patch PATCH delete Delete DELETE
	GetAsync PostAsync PutAsync PatchAsync DeleteAsync get_json post_json getJson postJson GetJSON PostJSON
	request Request requestAsync RequestAsync doRequest DoRequest do_request sendRequest SendRequest send_request
	makeRequest MakeRequest make_request httpRequest HttpRequest apiRequest api_request useRequest useApi useFetch
	fetchWithTimeout fetchWithAuth authFetch authorizedFetch fetchJson fetchJSON fetchApi fetchAPI apiFetch apiCall
	callApi callAPI call_api CallAPI call Call execute Execute exchange invoke Invoke ajax send Send SendAsync api http`)

var (
	// asking matches the names of objects that send requests.
	asking = regexp.MustCompile(`(?i)(?:client|api|axios|http|requests?|rest|fetcher|gateway|provider|agent|backend)$`)
	// keeping matches the names of clients of data stores, whose keys may look like paths.
	keeping = regexp.MustCompile(`(?i)redis|cache|s3|etcd|consul|zoo|mongo|elastic|storage|blob|bucket|minio|` +
		`kv|db$`)
	// serving matches names that both clients and routers have: api.get("/x", f) may register a route.
	serving = regexp.MustCompile(`(?i)(?:api|rest|gateway|backend)$`)
)

type askingKey struct{}

// askingFiles returns the ids of the files in which askedByShape finds requests, such as client.get("/orders").
func (qf *requestFinder) askingFiles() map[int64]bool {
	return resolve.Derive(qf.World, askingKey{}, func() map[int64]bool {
		ids := map[int64]bool{}
		for _, name := range askers {
			for _, id := range qf.World.Telling(l2meta.RolePass, name) {
				if f := qf.World.ByID(id); !ids[id] && f != nil && len(askedByShape(f)) > 0 {
					ids[id] = true
				}
			}
		}
		return ids
	})
}

type askedKey struct{}

// askedByShape returns the requests of f that are recognized only by the name and the arguments of
// the call, such as client.get("/orders") of an unknown library.
func askedByShape(f *resolve.File) []fetch {
	return resolve.Memo(f, askedKey{}, func() (out []fetch) {
		if f.Class != code.ClassSource {
			return nil
		}
		passed := lookup.Endpoints(f, l2meta.RolePass)
		for _, name := range askers {
			for _, fact := range passed {
				if !strings.HasPrefix(fact.Type, name+"\t") || isEnd(f, fact) {
					continue
				}
				if x, ok := askedAt(f, fact, name); ok {
					out = append(out, x)
				}
			}
		}
		return out
	})
}

// isEnd reports whether the extractor has recorded more than the arguments of the call at fact:
// for example, that the call adds a route, or sends a request through a known library.
func isEnd(f *resolve.File, fact *code.Fact) bool {
	return slices.ContainsFunc(f.AllFacts(), func(o code.Fact) bool {
		if o.Kind != code.FactEndpoint || o.Span.StartByte != fact.Span.StartByte {
			return false
		}
		switch o.Name {
		case l2meta.RoleFetch:
			return !strings.HasPrefix(o.Type, "?") && !strings.Contains(o.Type, "\t{?")
		case l2meta.RolePass, l2meta.RoleText, l2meta.RolePublish, l2meta.RoleMayPublish, l2meta.RoleMayConsume:
			return false
		}
		return true
	})
}

// askedAt returns the request of the call at fact, judged by the call's name and arguments. ok is
// false if the call does not look like a request.
func askedAt(f *resolve.File, fact *code.Fact, name string) (x fetch, ok bool) {
	i := slices.IndexFunc(f.Calls(), func(c code.Call) bool { return c.NameSpan.StartByte == fact.Span.StartByte })
	if i < 0 || f.Calls()[i].Kind != code.CallPlain {
		return x, false
	}
	args := strings.Split(fact.Type, "\t")[1:]
	method := methodPassed(args)
	if method == "*" {
		if method = services.Verb(name); method == "" || !isClientNamed(f, &f.Calls()[i]) {
			return x, false
		}
	}
	for _, arg := range args[:min(len(args), maxAskedAt)] {
		url := folding.CleanURL(urlIn(arg))
		if !leadsToRoute(url) {
			continue
		}
		return fetch{file: f, owner: fact.Owner, at: fact.Span, method: method, text: url,
			url: hosts.TargetOf(values.Unnumbered(url)), shaped: true}, true
	}
	return x, false
}

// maxAskedAt is the number of leading arguments of a call that are examined for its URL.
const maxAskedAt = 3

// isClientNamed reports whether the receiver of a call has the name of a client, unless that is
// the client of a store, or also a usual name of a router in a file that serves routes.
func isClientNamed(f *resolve.File, c *code.Call) bool {
	name := folding.LastWord(strings.TrimSuffix(c.Receiver, "()"))
	if !asking.MatchString(name) || keeping.MatchString(name) {
		return false
	}
	return !serving.MatchString(name) ||
		len(lookup.Endpoints(f, l2meta.RoleRoute))+len(lookup.Endpoints(f, l2meta.RoleMount)) == 0
}

// urlIn returns the part of an argument that may be a URL: the value of url=/x, the member of an object that has such
// a name, or else the whole argument. It returns "" for an object without such a member.
func urlIn(arg string) string {
	if !anObject.MatchString(arg) {
		if key, value, ok := strings.Cut(arg, "="); ok && values.IsNamed(arg) && addressMember.MatchString(key) {
			return value
		}
		return arg
	}
	for _, item := range strings.Split(arg[1:], "\x1f") {
		if key, value, ok := strings.Cut(item, "="); ok && addressMember.MatchString(key) {
			return value
		}
	}
	return ""
}

// anObject matches an argument that is an object with members, "{url=/orders/{id}", rather than an unknown text,
// "{id}".
var anObject = regexp.MustCompile(`^\{[\w$-]+=`)

// addressMember matches the names of arguments and members that hold a URL.
var addressMember = regexp.MustCompile(`(?i)^(?:url|uri|path|endpoint|href|pathname|resource)$`)

// leadsToRoute reports whether a URL has a path that a route may have, rather than the path of a file such as
// /app.js.
func leadsToRoute(url string) bool {
	switch {
	case strings.HasPrefix(url, "/"), strings.HasPrefix(url, "http://"), strings.HasPrefix(url, "https://"):
	case strings.HasPrefix(url, "{"):
		if _, behind, _ := strings.Cut(url, "}"); !strings.HasPrefix(behind, "/") {
			return false
		}
	default:
		return false
	}
	path := hosts.TargetOf(values.Unnumbered(url)).Path
	return hosts.Literals(path) > 0 && !fileName.MatchString(path[len(path)-1])
}

// fileName matches the last segment of a path that leads to a file: app.js.
var fileName = regexp.MustCompile(
	`(?i)\.(?:json|ya?ml|html?|js|css|png|jpe?g|gif|svg|ico|txt|xml|proto|md|csv|pem|sql)$`)
