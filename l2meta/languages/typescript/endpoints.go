package typescript

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// idioms describes how programs in JavaScript and TypeScript serve and request over HTTP, and
// exchange messages.
var idioms = &services.Idioms{
	Names:     []string{"*"},
	Requests:  requestOf,
	Routes:    readRoutes,
	Annotated: readDecorators,
	Whole:     readWhole,
	Fold:      keyOfFetcher,
	Registers: func(callee string) bool { return callee == "addService" || callee == "service" },
	Messages:  messages,
	Listeners: listeners,
	Handles:   handles,
	Listens:   []services.Listens{{Callee: "listen"}},
}

var (
	// clientModules lists the libraries whose exports make HTTP requests.
	clientModules = []string{"axios", "got", "ky", "ky-universal", "superagent", "needle", "ofetch", "wretch",
		"undici", "k6/http", "node-fetch", "cross-fetch", "isomorphic-fetch",
		"isomorphic-unfetch", "unfetch", "request",
		"request-promise", "request-promise-native", "bent", "phin", "@nuxt/http"}
	nodeModules = []string{"http", "https", "node:http", "node:https", "http2", "follow-redirects"}
	// fetchers lists functions that request the URL that is passed to them.
	fetchers = []string{"fetch", "$fetch", "ofetch", "axios", "got", "ky", "useFetch", "useLazyFetch", "$http",
		"useSWR", "useSWRImmutable"}
	httpClients = []string{"axios", "got", "ky", "superagent", "needle", "$http", "$axios", "axiosRef", "httpService",
		"ofetch", "wretch", "httpClient", "HttpClient"}
	httpMakers = []string{"axios.create", "Axios.create", "got.extend", "ky.create", "ky.extend", "HttpClient",
		"HttpService", "AxiosInstance", "supertest(", "axios.default.create", "$fetch.create", "ofetch.create",
		"setupCache(", "applyCaseMiddleware(axios"}
)

// clientNames holds the imported names of a file that may be HTTP clients, by their origin.
type clientNames struct {
	library map[string]bool // imported from a library of clients
	node    map[string]bool // the modules http and https
	own     map[string]bool // imported from another file of the workspace
}

func namesOf(r *services.Reader) *clientNames {
	if n, ok := r.State.(*clientNames); ok {
		return n
	}
	n := &clientNames{map[string]bool{}, map[string]bool{}, map[string]bool{}}
	for i := range r.File.Imports {
		m := &r.File.Imports[i]
		name := m.Alias
		if name == "" {
			name = m.Name
		}
		switch {
		case slices.Contains(clientModules, m.Module):
			n.library[name] = true
		case slices.Contains(nodeModules, m.Module):
			n.node[name] = true
		case isOwnModule(m.Module):
			n.own[name] = true
		}
	}
	r.State = n
	return n
}

// isOwnModule reports whether a module may be a file of the workspace.
func isOwnModule(module string) bool {
	return strings.HasPrefix(module, ".") || strings.HasPrefix(module, "@/") || strings.HasPrefix(module, "~") ||
		strings.HasPrefix(module, "#") ||
		strings.HasPrefix(module, "src/") || strings.HasPrefix(module, "@") && strings.Count(module, "/") > 0
}

func requestOf(r *services.Reader, c *code.Call) (x services.Request, ok bool) {
	n := namesOf(r)
	switch verb := verbOf(c.Callee); {
	case c.Kind == code.CallNew:
		if args := r.Arguments(c); (c.Callee == "EventSource" || c.Callee == "WebSocket") && len(args) > 0 {
			return services.Request{Method: "GET", URL: args[0], Sure: true}, true
		}
		return x, false
	case c.Receiver == "" && (c.Callee == "__request" || c.Callee == "request") && firstIs(r, c, "OpenAPI"):
		return byGenerated(r, c)
	case (c.Callee == "query" || c.Callee == "mutation") && (c.Receiver == "builder" || c.Receiver == "build"):
		return byEndpoint(r, c)
	case c.Receiver == "" && (c.Callee == "baseQuery" || c.Callee == "fetchWithBQ"):
		return byBaseQuery(r, c)
	case c.Receiver == "" || c.Receiver == "window" || c.Receiver == "globalThis" || c.Receiver == "self",
		c.Receiver == "this" && c.Callee == "fetch" && !r.Declares("fetch"): // fetch is a method of a base class
		return called(r, c, n)
	case c.Receiver == "$" || c.Receiver == "jQuery":
		return byJQuery(r, c)
	case c.Receiver == "abp" && c.Callee == "ajax":
		return byABP(r, c)
	case n.node[c.Receiver] && (c.Callee == "get" || c.Callee == "request"):
		return byNode(r, c)
	case c.Callee == "open":
		return byXHR(r, c)
	case c.Callee == "sendBeacon" && strings.HasSuffix(c.Receiver, "navigator"):
		return firstOf(r.Arguments(c), "POST")
	case c.Callee == "invoke" && strings.HasSuffix(c.Receiver, "invoker"):
		return byDapr(r, c)
	case verb != "" || c.Callee == "request":
		if x, ok = byOptions(r, c, verb); ok && verb != "" {
			return x, true
		}
		return byClient(r, c, n, verb)
	}
	return x, false
}

// firstIs reports whether the first argument of a call is a name.
func firstIs(r *services.Reader, c *code.Call, name string) bool {
	args := r.Arguments(c)
	return len(args) > 0 && args[0] == name
}

// verbOf returns the HTTP method after which a client's method is named; "" if there is none.
func verbOf(callee string) string {
	callee = strings.TrimPrefix(callee, "$")
	if callee == "del" {
		return "DELETE"
	}
	return services.PlainVerb(callee)
}

func firstOf(args []string, method string) (services.Request, bool) {
	if len(args) == 0 {
		return services.Request{}, false
	}
	return services.Request{Method: method, URL: args[0], Sure: true}, true
}

// called returns the request that a call of a function makes: fetch(url, options), axios({url,
// method}), and api('/orders'), where api is an instance of a client. It returns false for other
// calls.
func called(r *services.Reader, c *code.Call, n *clientNames) (x services.Request, ok bool) {
	library := n.library[c.Callee] || slices.Contains(fetchers, c.Callee)
	made := !library && c.Receiver == "" &&
		r.Speaks(&code.Call{Receiver: c.Callee, NameSpan: c.NameSpan}, nil, httpMakers)
	if !library && !made && !n.own[c.Callee] {
		return x, false
	}
	args := r.Arguments(c)
	if len(args) == 0 || strings.HasPrefix(c.Callee, "useSWR") && !fetchesKey(args) {
		return x, false
	}
	x, ok = asked(r, c, args)
	switch {
	case !ok:
		return x, false
	case made:
		x.Base = r.BaseOf(c.Callee, c.NameSpan.StartByte)
	case strings.HasPrefix(c.Callee, "useSWR"):
		x = ofKey(r, x, args)
	case c.Callee == "axios" && !n.own["axios"] && x.Base == "":
		x = byDefault(x, "axios")
	case !library:
		if !isPathText(x.URL) {
			return x, false
		}
		x.Base = "{?" + c.Callee + "." + services.InstanceBase + "}"
	case n.own[c.Callee] && x.Base == "" && isPathText(x.URL): // import { axios } from "@/service"
		x.Base = baseHole(c.Callee)
	}
	return x, true
}

// fetchesKey reports whether useSWR requests its key as a URL. It does so, unless the fetcher is
// an inline function that ignores the key.
func fetchesKey(args []string) bool {
	if len(args) > 1 && strings.HasPrefix(args[1], "{") { // options, among them perhaps a fetcher
		return folding.Property(args[1], "fetcher") == ""
	}
	return len(args) == 1 || !folding.IsFunction(args[1]) || strings.Contains(args[1], "fetch(url") ||
		strings.Contains(args[1], "...args")
}

// ofKey returns the request of useSWR(key), by the fetcher that SWRConfig gives to all calls. A key may be a list whose
// first item is the URL, and may be null until it may be requested.
func ofKey(r *services.Reader, x services.Request, args []string) services.Request {
	x.URL = keyIn(args[0])
	if strings.HasPrefix(x.URL, "[") {
		if items := folding.ListItems(x.URL[1:]); len(items) > 0 {
			x.URL = items[0]
		}
	}
	if len(args) == 1 || strings.HasPrefix(args[1], "{") {
		return byDefault(x, "swr")
	}
	return x
}

// asked returns the request that the arguments of a call describe: a URL and options, options
// alone, or a method and a URL. It returns false for other arguments.
func asked(r *services.Reader, c *code.Call, args []string) (x services.Request, ok bool) {
	given := args[0]
	// a request object: fetch(new Request(url, options))
	if inner, is := strings.CutPrefix(given, "new Request("); is {
		args = folding.ListItems(inner)
		if len(args) == 0 {
			return x, false
		}
		given = args[0]
	}
	if m := folding.MethodOf(given); m != "" && len(args) > 1 && strings.ContainsAny(given, "\"'`") {
		return services.Request{Method: m, URL: args[1], Sure: true}, true
	}
	method, open := "", false
	for _, a := range args {
		// a URL whose value a caller passes: fetch(url, options)
		open = open || a != given && strings.HasPrefix(r.Fold(a, c.NameSpan.StartByte), "{#")
		if o := objectOf(r, c, a); o != "" {
			open = open || strings.Contains(o, "...")
			if base := folding.Property(o, "baseURL"); base != "" {
				x.Base = r.Fold(base, c.NameSpan.StartByte)
			}
			for _, key := range []string{"method", "type"} {
				if value := folding.Property(o, key); value != "" && method == "" {
					if method = folding.MethodOf(folding.Unquoted(value)); method == "" ||
						strings.Contains(value, "?") {
						method, x.Choice = "*", value // the method is set elsewhere
					}
				}
			}
		}
	}
	switch {
	case method == "*":
		method = ""
	case method == "" && open:
		method = services.GetUnlessGiven
	default:
		method = orGet(method)
	}
	if o := objectOf(r, c, given); o != "" {
		if given = urlIn(r, c, o); given == "" {
			return x, false
		}
	}
	x.Method, x.URL, x.Sure = method, given, true
	return x, true
}

// merges matches a call that merges objects: $.extend(true, {url: "/x"}, options).
var merges = regexp.MustCompile(`^(?:(?:\$|jQuery|angular|_|lodash)\.(?:extend|merge|assign)|Object\.assign)\(`)

// objectOf returns an argument that is an object literal, the object literal that its variable holds, or the first one
// with members that it merges; "" for any other argument.
func objectOf(r *services.Reader, c *code.Call, arg string) string {
	if strings.HasPrefix(arg, "{") {
		return arg
	}
	if merges.MatchString(arg) {
		for _, item := range folding.ListItems(arg[strings.IndexByte(arg, '(')+1:]) {
			if strings.HasPrefix(item, "{") && strings.Trim(item, "{} ") != "" {
				return item
			}
		}
	}
	if !isPlainName(arg) {
		return ""
	}
	if value, _ := r.Lookup(arg, c.NameSpan.StartByte); strings.HasPrefix(value, "{") {
		return value
	}
	return ""
}

func isPlainName(text string) bool {
	return text != "" && strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$") == ""
}

// urlOf returns the expression of the URL in an options object: options.url for {...options, timeout}. It returns ""
// if there is none.
func urlOf(object string) string {
	for _, key := range []string{"url", "uri"} {
		if value := folding.Property(object, key); value != "" {
			return value
		}
	}
	if !strings.Contains(object, "...") || !strings.HasPrefix(object, "{") {
		return ""
	}
	for _, item := range slices.Backward(folding.ListItems(object[1:])) {
		if m := spread.FindStringSubmatch(item); m != nil {
			return m[1] + ".url"
		}
	}
	return ""
}

// spread matches an object that another contains: ...options.
var spread = regexp.MustCompile(`^\.\.\.(\w+)$`)

// isPathText reports whether an expression is a string that starts with a path.
func isPathText(expr string) bool {
	return len(expr) > 2 && strings.IndexByte("\"'`", expr[0]) >= 0 &&
		(expr[1] == '/' || expr[1] == '?' ||
			strings.Contains(expr, "/") && expr[1] != '.' && !strings.Contains(expr, "://") &&
				!strings.Contains(expr, " "))
}

// isWord reports whether an expression begins with a string that may be the first step of a path:
// "policies?page=" + page.
func isWord(expr string) bool {
	if len(expr) < 4 || strings.IndexByte("\"'`", expr[0]) < 0 {
		return false
	}
	text, _, closed := strings.Cut(expr[1:], expr[:1])
	return closed && text != "" && text[0] >= 'a' && text[0] <= 'z' && !strings.ContainsAny(text, " :.")
}

// firstName returns the name that a receiver begins with: axios for a chain over several lines.
func firstName(receiver string) string {
	name, _, _ := strings.Cut(receiver, ".")
	return strings.TrimSpace(name)
}

// byClient returns the request that a method of a client makes: axios.get(url),
// this.http.get<T>(url), api.request({url, method}), http.request('GET', url). If another file
// constructs the client, the URL begins with a placeholder for its base address:
// "{!api.instanceBase}/x" for a name that suggests a client, and "{?store.instanceBase}/x" for
// other names. The latter is dropped later if no file constructs a client called store. It returns
// false for other calls.
func byClient(r *services.Reader, c *code.Call, n *clientNames, verb string) (x services.Request, ok bool) {
	name := folding.LastWord(c.Receiver)
	root := firstName(c.Receiver)
	client := n.library[root] || r.Speaks(c, httpClients, httpMakers) || isHooked(c.Receiver)
	base := baseWithClient(r, c, n)
	based := base != "" && !client
	if based { // this.http, where a base class in another file declares http
		root = base
	}
	made := false
	if !client && !n.own[root] {
		if root, made = ofFactory(r, c, n, root); !made {
			return x, false
		}
	}
	args := r.Arguments(c)
	if len(args) == 0 || !n.library[root] && r.HasFunction(args[1:]) {
		return x, false
	}
	if x, ok = asked(r, c, args); !ok {
		return x, false
	}
	if verb != "" {
		x.Method = verb
	}
	switch {
	case client && n.own[root] && isPathText(x.URL): // import axios from "./axios"
		x.Base = cmp.Or(x.Base, baseHole(root))
	case client:
		if x.Base == "" {
			x.Base = r.BaseOf(name, c.NameSpan.StartByte)
		}
		if c.Receiver == "axios" && !n.own["axios"] && x.Base == "" {
			x = byDefault(x, "axios")
		}
	case saysClient(root) && pathConstant.MatchString(x.URL) && !(based && pathMember.MatchString(x.URL)):
		// The path is a constant or the result of a function: api.get(urls.ORDERS),
		// api.get(cartUrl()).
	case made && strings.HasPrefix(r.Fold(x.URL, c.NameSpan.StartByte), "{#"):
		x.Base = baseHole(root) // the function is a helper: get(path) { return client().get(path) }
	case !isPathText(x.URL) && !(saysClient(root) && (isWord(x.URL) || holdsPath(r, c, x.URL))) &&
		!(based && pathMember.MatchString(x.URL)):
		return x, false
	default: // api comes from another file: api.get('/orders')
		x.Base = baseHole(root)
	}
	return x, true
}

// baseHole returns the placeholder for the base address of a client that another file constructs under a name. If the
// name suggests a client, the placeholder says that its calls are certainly requests.
func baseHole(name string) string {
	mark := "?"
	if saysClient(name) {
		mark = "!"
	}
	return "{" + mark + name + "." + services.InstanceBase + "}"
}

// baseWithClient returns the name of the base class that declares the client http in
// this.http.get(url), if another file declares that class. It returns "" otherwise.
func baseWithClient(r *services.Reader, c *code.Call, n *clientNames) string {
	field, own := strings.CutPrefix(c.Receiver, "this.")
	if !own || !saysClient(field) || r.Declares(field) || c.Caller < 0 {
		return ""
	}
	if value, _ := r.Lookup(field, c.NameSpan.StartByte); value != "" {
		return ""
	}
	for class := c.Caller; class >= 0; class = r.File.Symbols[class].Parent {
		for i := range r.File.Facts {
			if f := &r.File.Facts[i]; f.Kind == code.FactBase && f.Owner == class && n.own[f.Type] {
				return f.Type
			}
		}
	}
	return ""
}

// ofFactory reports whether the receiver of a call is the result of a function of the workspace, which may construct a
// client: makeApi().get(path), or api.get(path) after const api = makeApi(). It returns the name by which the address
// of that client is found. That is the function's name, unless it is called with arguments, which the address may
// contain.
func ofFactory(r *services.Reader, c *code.Call, n *clientNames, name string) (root string, ok bool) {
	value := name
	if !strings.HasSuffix(c.Receiver, "()") {
		value, _ = r.Lookup(name, c.NameSpan.StartByte)
	}
	value = strings.TrimPrefix(value, "await ")
	maker, rest, called := strings.Cut(value, "(")
	if !called || !isPlainName(maker) || !n.own[maker] && !r.Declares(maker) {
		return name, false
	}
	if rest == ")" {
		return maker, true
	}
	return name, true
}

// pathConstant matches a member of an object whose name says that it contains paths, urls.ORDERS,
// and a call of a function with such a name, cartUrl().
var pathConstant = regexp.MustCompile(
	`^\w*(?:[uU]rls?|URLS?|[eE]nd_?[pP]oints?|END_?POINTS?|[rR]outes?|ROUTES?|[pP]aths?|PATHS?)` +
		`(?:(?:\.\w+)+|\w*\([^()]*\))$`)

// pathMember matches a member of a constant object of paths: END_POINTS.orders.
var pathMember = regexp.MustCompile(`^[A-Z][A-Z_]*\.\w+$`)

// saysClient reports whether a name is typical of an HTTP client. "client" alone may be the name of a client of a
// database or cache.
func saysClient(name string) bool {
	lower := strings.ToLower(name)
	if lower == "client" || otherClients.MatchString(lower) {
		return false
	}
	return strings.Contains(lower, "api") || strings.Contains(lower, "http") || strings.Contains(lower, "axios") ||
		strings.HasSuffix(lower, "client") || lower == "request" || lower == "fetcher"
}

// otherClients matches the lower-case names of clients that do not speak HTTP.
var otherClients = regexp.MustCompile(`redis|cache|mongo|prisma|sql|mqtt|nats|kafka|queue|socket`)

// isHooked reports whether a receiver is an HTTP client that a framework provides: useNuxtApp().$axios.
func isHooked(receiver string) bool {
	return strings.HasPrefix(receiver, "useAxios(") || strings.HasPrefix(receiver, "useNuxtApp().$axios") ||
		strings.HasSuffix(receiver, ".$axios") || receiver == "Vue.http"
}

func orGet(method string) string {
	if method == "" {
		return "GET"
	}
	return method
}
