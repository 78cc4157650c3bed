// Package endpoints finds what Java, Kotlin and Scala serve and call across services: HTTP routes and
// clients, gRPC, messages, proxies. It reads annotations, declarations and the steps of calls, and
// resolves nothing.
package endpoints

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// Idioms describes how Java, Kotlin and Scala programs serve and request over HTTP, and exchange
// messages.
var Idioms = &services.Idioms{
	Names: []string{
		"uri", "url", "exchange", "retrieve", "execute", "newBuilder", "method", "request", "RequestEntity", "openConnection",
		"openStream", "invokeMethod", "InvokeMethodRequest", "prepare*", "Http*",
		"create", "target", "build", "createClient", "route", "andRoute", "handler", "all",
		"Request", "expect*", "Router", "path", "pathEnd*", "createRecord", "publishHttpEndpoint",
		"invokeService", "newRequestBuilder", "createContext", "setProperty", "InetSocketAddress",
		"register", "anyOf", "any",
	},
	Requests:  requestOf,
	Routes:    readCall,
	Annotated: readAnnotations,
	Whole:     readTypes,
	Fold:      foldBuilder,
	Messages:  messages,
	Listeners: listeners,
}

func requestOf(r *services.Reader, c *code.Call) (x services.Request, ok bool) {
	args := r.Arguments(c)
	if c.Callee == "openConnection" || c.Callee == "openStream" {
		return services.Request{Method: connectionMethod(r, c), URL: r.Receiver(c), Sure: true}, true
	}
	_, steps := folding.Chain(r.Receiver(c))
	if has(steps, "request") && !has(steps, "requestBody") && jaxrsVerb(c, args) != "" {
		return targetRequest(r, c, jaxrsVerb(c, args))
	}
	if len(args) == 0 {
		return x, false
	}
	if r.File.Language == "scala" {
		if x, ok := scalaRequest(r, c, args); ok {
			return x, true
		}
	}
	switch last := folding.LastWord(c.Receiver); {
	case c.Callee == "RequestEntity" && c.Kind == code.CallNew:
		return constructed(args)
	case strings.HasPrefix(c.Callee, "Http") && c.Kind == code.CallNew && len(args) == 1: // Apache's new HttpGet(url)
		m := strings.ToUpper(c.Callee[4:])
		return services.Request{Method: m, URL: args[0], Sure: true}, folding.MethodOf(m) == m && m != ""
	case last == "RequestEntity":
		if c.Callee == "method" && len(args) > 1 {
			return services.Request{Method: folding.MethodOf(args[0]), URL: args[1], Sure: true}, true
		}
		return services.Request{Method: services.PlainVerb(c.Callee), URL: args[0], Sure: true},
			services.PlainVerb(c.Callee) != ""
	case (c.Callee == "exchange" || c.Callee == "execute") && len(args) > 1 && folding.MethodOf(args[1]) != "":
		return services.Request{Method: folding.MethodOf(args[1]), URL: args[0], Base: clientBase(r, c), Sure: true},
			true
	case c.Callee == "exchange" && len(args) > 2 && r.Speaks(c, []string{"restTemplate"}, []string{"RestTemplate"}):
		return services.Request{URL: args[0], Base: clientBase(r, c), Sure: true}, true // exchange(url, method, …)
	case strings.HasSuffix(c.Callee, "ForObject") || strings.HasSuffix(c.Callee, "ForEntity") ||
		strings.HasSuffix(c.Callee, "ForLocation"):
		return services.Request{Method: services.Verb(c.Callee), URL: args[0], Base: clientBase(r, c), Sure: true},
			true
	case c.Callee == "uri" || c.Callee == "url":
		return builderRequest(r, c, steps, args[0])
	case c.Callee == "newBuilder" && (last == "HttpRequest" || strings.HasSuffix(c.Receiver, ".HttpRequest")):
		return services.Request{Method: methodAhead(r, c, "GET"), URL: args[0], Sure: true}, true
	// Dapr: client.invokeMethod("stock", "items/7", body, HttpExtension.GET)
	case (c.Callee == "invokeMethod" || c.Callee == "invokeService") && len(args) > 3 && strings.Contains(strings.Join(args, ","), "HttpExtension."):
		return daprRequest(r, c, args), true
	case c.Callee == "newRequestBuilder" && len(args) == 1 && invoked(r, c) != "":
		return services.Request{Method: methodAhead(r, c, "GET"), URL: args[0], Base: invoked(r, c), Sure: true}, true
	case c.Callee == "InvokeMethodRequest" && len(args) == 2:
		return services.Request{Method: methodBehind(r, c), URL: args[1],
			Base: "http://" + r.Fold(args[0], c.NameSpan.StartByte), Sure: true}, true
	case (c.Callee == "put" || c.Callee == "delete") && !pathSecond(args) &&
		r.Speaks(c, []string{"restTemplate", "RestTemplate"}, []string{"RestTemplate"}):
		return services.Request{Method: services.Verb(c.Callee), URL: args[0], Base: clientBase(r, c), Sure: true},
			true
	}
	return fluent(r, c, args)
}

// pathSecond reports whether the arguments of a call are a plain name and then a literal with a slash. Spring's client
// takes the URL first, so the call is one of a class of the program: restTemplate.put(env, "apps/{id}", app).
func pathSecond(args []string) bool {
	if len(args) < 2 || !folding.Identifier.MatchString(args[0]) {
		return false
	}
	text, literal := folding.Quoted(args[1])
	return literal && strings.Contains(text, "/")
}

// fluent reads a call that is named after an HTTP method, such as those of Ktor's client, Unirest, and Apache's
// Request. It returns false for other calls.
func fluent(r *services.Reader, c *code.Call, args []string) (x services.Request, ok bool) {
	m := services.PlainVerb(c.Callee)
	switch last := folding.LastWord(c.Receiver); {
	case m != "" && (last == "Unirest" || last == "Request" || last == "ClassicRequestBuilder" ||
		last == "SimpleRequestBuilder" || last == "HttpUtil" || last == "HttpRequest"):
		return services.Request{Method: m, URL: args[0], Base: injectedBase(r, last), Sure: true}, true
	// Vert.x: client.getAbs("http://stock/items"), client.get(80, "stock", "/items")
	case strings.HasSuffix(c.Callee, "Abs") && services.PlainVerb(strings.TrimSuffix(c.Callee, "Abs")) != "":
		return services.Request{Method: services.Verb(c.Callee), URL: args[0]}, true
	case m != "" && len(args) == 3 && r.Speaks(c, nil, []string{"WebClient"}):
		return services.Request{Method: m, URL: args[2], Base: "http://" + r.Fold(args[1], c.NameSpan.StartByte),
			Sure: true}, true
	case m != "" && strings.HasSuffix(strings.ToLower(last), "client") && discovered(r) != "":
		return services.Request{Method: m, URL: args[0], Base: "http://" + discovered(r), Sure: true}, true
	case strings.HasPrefix(c.Callee, "prepare") && services.PlainVerb(strings.TrimPrefix(c.Callee, "prepare")) != "" &&
		imports(r, "org.asynchttpclient"):
		return services.Request{Method: services.PlainVerb(strings.TrimPrefix(c.Callee, "prepare")), URL: args[0],
			Sure: true}, true
	// Micronaut's client, which is given only a path
	case (c.Callee == "retrieve" || c.Callee == "exchange") && strings.HasPrefix(args[0], `"`) &&
		imports(r, "io.micronaut.http.client"):
		return services.Request{Method: "GET", URL: args[0], Base: injectedBase(r, "HttpRequest"), Sure: true}, true
	case c.Callee == "request" || c.Callee == "prepareRequest":
		m = blockMethod(r, c)
	case m == "":
		m = services.PlainVerb(strings.TrimPrefix(c.Callee, "prepare"))
	}
	if r.File.Language == "kotlin" && m != "" && r.Speaks(c, []string{"httpClient"}, []string{"HttpClient"}) {
		return services.Request{Method: m, URL: args[0], Base: clientBase(r, c), Sure: true}, true
	}
	return x, false
}

var methodSet = regexp.MustCompile(`method\s*=\s*HttpMethod\.(\w+)`)

// blockMethod returns the HTTP method that is set in the block of a Ktor request,
// client.request(url) { method = HttpMethod.Put }; GET if the block sets none.
func blockMethod(r *services.Reader, c *code.Call) string {
	if m := methodSet.FindStringSubmatch(r.After(c)); m != nil {
		return folding.MethodOf(m[1])
	}
	return "GET"
}

func has(steps []folding.Step, name string) bool {
	for _, s := range steps {
		if s.Name == name {
			return true
		}
	}
	return false
}

// constructed reads new RequestEntity<>(body, HttpMethod.POST, url). It returns false for other
// arguments.
func constructed(args []string) (x services.Request, ok bool) {
	for i, a := range args {
		if m := folding.MethodOf(a); m != "" && i+1 < len(args) {
			return services.Request{Method: m, URL: args[i+1], Sure: true}, true
		}
	}
	return x, false
}

// jaxrsVerb returns the HTTP method of the last call in a JAX-RS chain: get(Item.class), method("PATCH").
func jaxrsVerb(c *code.Call, args []string) string {
	if c.Callee == "method" && len(args) > 0 {
		return folding.MethodOf(args[0])
	}
	return services.PlainVerb(c.Callee)
}

// targetRequest reads target.path("x").request().get(Item.class). It returns false for other calls.
func targetRequest(r *services.Reader, c *code.Call, method string) (x services.Request, ok bool) {
	receiver := r.Receiver(c)
	at := strings.LastIndex(receiver, ".request(")
	if at < 0 {
		return x, false
	}
	return services.Request{Method: method, URL: receiver[:at], Sure: true}, true
}

// builderRequest reads a call that sets the URL of a request builder. The HTTP method is set by an
// earlier call, client.get().uri(u), or by a later one, newBuilder().uri(u).POST(body). It returns
// false for other calls.
func builderRequest(r *services.Reader, c *code.Call, steps []folding.Step,
	url string) (x services.Request, ok bool) {
	method, request := "", strings.Contains(c.Receiver, "Request.Builder") ||
		strings.Contains(c.Receiver, "HttpRequest")
	for _, s := range steps {
		// the JDK's POST(publisher) takes no URL
		if m := services.PlainVerb(s.Name); m != "" && (len(s.Args) == 0 || s.Name == m) {
			method = m
		} else if s.Name == "method" && len(s.Args) > 0 {
			method = folding.MethodOf(s.Args[0])
		}
	}
	if c.Receiver == "" { // url("…") in the block of client.get
		around := r.Enclosing(c.NameSpan.StartByte, "get", "post", "put", "delete", "patch", "head")
		if r.File.Language != "kotlin" || len(around) == 0 ||
			!r.Speaks(around[0], []string{"httpClient"}, []string{"HttpClient"}) {
			return x, false
		}
		method = services.PlainVerb(around[len(around)-1].Callee)
	}
	if method == "" {
		otherwise := ""
		if request && has(r.Behind(c), "build") {
			otherwise = "GET"
		}
		method = methodAhead(r, c, otherwise)
	}
	return services.Request{Method: method, URL: url, Base: clientBase(r, c), Sure: method != ""},
		method != "" || request
}

// methodAhead returns the HTTP method that the calls after c in its chain set: POST for
// newBuilder().uri(u).POST(body), where c is uri(u). Without such a call it returns the text otherwise.
func methodAhead(r *services.Reader, c *code.Call, otherwise string) string {
	for _, s := range r.Behind(c) {
		if m := services.PlainVerb(s.Name); m != "" {
			return m
		}
		if s.Name == "method" && len(s.Args) > 0 {
			return folding.MethodOf(s.Args[0])
		}
	}
	return otherwise
}

var setMethod = regexp.MustCompile(`(?:setRequestMethod\(|requestMethod\s*=)\s*"(\w+)"`)

// connectionMethod returns the HTTP method of url.openConnection(), call c, which a later statement of
// the same function sets: connection.setRequestMethod("PUT"). Without one, the method is GET.
func connectionMethod(r *services.Reader, c *code.Call) string {
	end := min(len(r.Text), c.Span.EndByte+600)
	if c.Caller >= 0 {
		end = min(len(r.Text), max(c.Span.EndByte, r.File.Symbols[c.Caller].Span.EndByte))
	}
	if m := setMethod.FindStringSubmatch(r.Text[c.Span.EndByte:end]); m != nil {
		return folding.MethodOf(m[1])
	}
	return "GET"
}

// daprRequest reads client.invokeMethod("stock", "items/7", body, HttpExtension.GET, …).
func daprRequest(r *services.Reader, c *code.Call, args []string) services.Request {
	x := services.Request{URL: args[1], Base: "http://" + r.Fold(args[0], c.NameSpan.StartByte), Sure: true}
	for _, a := range args {
		if strings.Contains(a, "HttpExtension.") {
			x.Method = folding.MethodOf(a)
		}
	}
	return x
}

// invoked returns the address of the application that a client invokes through Dapr: http://stock for a call of the
// result of dapr.invokeHttpClient("stock"). It returns "" for any other receiver.
func invoked(r *services.Reader, c *code.Call) string {
	made, at := r.Lookup(folding.LastWord(r.Receiver(c)), c.NameSpan.StartByte)
	if made == "" {
		made, at = r.Receiver(c), c.NameSpan.StartByte
	}
	_, rest, ok := strings.Cut(made, "invokeHttpClient(")
	app := folding.ListItems(rest)
	if !ok || len(app) == 0 {
		return ""
	}
	return "http://" + r.Fold(app[0], at)
}

var httpExtension = regexp.MustCompile(`\bHttpExtension\.([A-Z]+)`)

// methodBehind returns the HTTP method that is set after call c, new InvokeMethodRequest("stock",
// "items/7"), in the same statement: GET for .setHttpExtension(HttpExtension.GET). It returns ""
// if none is set.
func methodBehind(r *services.Reader, c *code.Call) string {
	statement, _, _ := strings.Cut(r.Text[c.Span.EndByte:min(len(r.Text), c.Span.EndByte+maxStatement)], ";")
	if m := httpExtension.FindStringSubmatch(statement); m != nil {
		return m[1]
	}
	return ""
}

// maxStatement bounds the length in bytes of the text after a call in which methodBehind searches
// for the HTTP method.
const maxStatement = 300

// setsBase reports whether a step in a chain sets the base address of a client.
func setsBase(s folding.Step) bool {
	switch s.Name {
	case "baseUrl", "rootUri", "baseUri":
		return len(s.Args) == 1
	case "create":
		return len(s.Args) == 1 && strings.ContainsAny(s.Args[0], "\"/:") ||
			len(s.Args) == 1 && strings.HasSuffix(strings.ToLower(s.Args[0]), "url")
	}
	return false
}

var (
	defaultRequest = regexp.MustCompile(
		`defaultRequest\s*\{\s*(?:url\(|url\.takeFrom\(|host\s*=\s*)\s*("[^"]*"|[\w.]+)`)
	clientOf = regexp.MustCompile(`@Client\(\s*(?:value\s*=\s*|id\s*=\s*)?"([^"]+)"`)
)

// clientBase returns the base address with which the client of call c was constructed: http://stock if
// client = WebClient.create("http://stock"). It returns "" if the file does not show it.
func clientBase(r *services.Reader, c *code.Call) string {
	root, steps := folding.Chain(r.Receiver(c))
	at := c.NameSpan.StartByte
	for range 2 {
		for _, s := range steps {
			if setsBase(s) {
				return r.FoldFor(s.Args[0], at, c.NameSpan.StartByte)
			}
		}
		value, where := r.Lookup(folding.LastWord(root), at)
		if m := defaultRequest.FindStringSubmatch(value); m != nil {
			base := r.FoldFor(m[1], where, c.NameSpan.StartByte)
			if !strings.Contains(base, "://") && !strings.HasPrefix(base, "{") {
				base = "http://" + base
			}
			return base
		}
		if root, steps = folding.Chain(value); value == "" {
			return ""
		}
		at = where
	}
	return ""
}

// injectedBase returns the base address http://stock for a request that HttpRequest.GET("/x")
// constructs, if the file injects a client by @Client("stock") and no other. It returns "" for
// any other receiver.
func injectedBase(r *services.Reader, receiver string) string {
	all := clientOf.FindAllStringSubmatch(r.Text, 2)
	if receiver != "HttpRequest" || len(all) != 1 {
		return ""
	}
	if strings.Contains(all[0][1], "/") || strings.Contains(all[0][1], "$") {
		return folding.Placeholders(all[0][1])
	}
	return "http://" + all[0][1]
}
