package typescript

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
)

// idioms are how programs in JavaScript and TypeScript serve and request over HTTP.
var idioms = &services.Idioms{
	Names:     []string{"fetch", "$fetch", "ofetch", "axios", "got", "request", "route", "use", "register", "all"},
	Requests:  requestOf,
	Routes:    readRoutes,
	Annotated: readDecorators,
	Registers: func(callee string) bool { return callee == "addService" },
}

var (
	httpClients = []string{"axios", "got", "ky", "superagent", "needle", "$http", "httpService", "ofetch", "wretch", "httpClient"}
	httpMakers  = []string{"axios.create", "got.extend", "ky.create", "ky.extend", "HttpClient", "HttpService", "AxiosInstance", "supertest("}
)

func requestOf(r *services.Reader, c *code.Call) (x services.Request, ok bool) {
	args := r.Arguments(c)
	if len(args) == 0 {
		return x, false
	}
	object := ""
	for _, a := range args {
		if strings.HasPrefix(a, "{") {
			object = a
		}
	}
	method := services.MethodOf(services.Property(object, "method"))
	switch {
	case c.Receiver == "" && (c.Callee == "fetch" || c.Callee == "$fetch" || c.Callee == "axios" || c.Callee == "got" || c.Callee == "ofetch"), (c.Receiver == "window" || c.Receiver == "globalThis") && c.Callee == "fetch":
		if strings.HasPrefix(args[0], "{") {
			return services.Request{Method: orGet(method), URL: services.Property(args[0], "url"), Sure: true}, true
		}
		return services.Request{Method: orGet(method), URL: args[0], Sure: true}, true
	case c.Receiver == "" && c.Callee == "request" && r.Imports("request"):
		return services.Request{Method: orGet(method), URL: args[0], Sure: true}, true
	case services.PlainVerb(c.Callee) != "" && r.Speaks(c, httpClients, httpMakers) && !r.HasFunction(args):
		return services.Request{Method: services.PlainVerb(c.Callee), URL: args[0], Sure: true}, true
	case c.Callee == "request" && r.Speaks(c, httpClients, httpMakers):
		return services.Request{Method: orGet(method), URL: services.Property(args[0], "url"), Sure: true}, true
	}
	return x, false
}

func orGet(method string) string {
	if method == "" {
		return "GET"
	}
	return method
}

// readRoutes reads Express, Fastify, Koa and Hono.
func readRoutes(r *services.Reader, c *code.Call) {
	args := r.Arguments(c)
	name := services.LastWord(c.Receiver)
	method := services.PlainVerb(c.Callee)
	if i := strings.Index(c.Receiver, ".route("); i >= 0 && method != "" && len(args) > 0 { // router.route('/x').get(h)
		if given := services.ListItems(c.Receiver[i+len(".route("):]); len(given) > 0 {
			if p, ok := r.Path(given[0], c.NameSpan.StartByte); ok {
				r.Route(c.Caller, c.NameSpan, method, routerPrefix(r, c, services.LastWord(c.Receiver[:i])), p, args[len(args)-1], services.LastWord(c.Receiver[:i]))
			}
		}
		return
	}
	if len(args) == 0 || !isRouter(r, name) {
		return
	}
	switch {
	case c.Callee == "route" && strings.HasPrefix(args[0], "{"): // fastify.route({method, url, handler})
		if url, ok := services.Quoted(services.Property(args[0], "url")); ok {
			r.Route(c.Caller, c.NameSpan, services.MethodOf(services.Property(args[0], "method")), "", url, services.Property(args[0], "handler"))
		}
	case (c.Callee == "use" || c.Callee == "route" || c.Callee == "register") && len(args) > 1:
		prefix, ok := r.Path(args[0], c.NameSpan.StartByte)
		router := args[len(args)-1]
		if c.Callee == "register" { // fastify.register(isRouter, {prefix: '/x'})
			p, found := services.Quoted(services.Property(args[len(args)-1], "prefix"))
			prefix, ok, router = p, found, args[0]
		}
		if ok && !services.IsFunction(router) {
			r.MountOn(c, services.JoinURL(routerPrefix(r, c, name), prefix), router, name)
		}
	case (method != "" || c.Callee == "all") && len(args) > 1 && !strings.HasPrefix(args[len(args)-1], "{"):
		if p, ok := r.Path(args[0], c.NameSpan.StartByte); ok {
			r.Route(c.Caller, c.NameSpan, method, routerPrefix(r, c, name), p, args[len(args)-1], name)
		}
	}
}

// isRouter reports whether a name is one of a router.
func isRouter(r *services.Reader, name string) bool {
	return isRouterName(name) || isMadeRouter([]byte(r.Text), name)
}

// routerPrefix is the prefix that a router was made with: new Router({prefix:
// '/x'}), new Hono().basePath('/x').
func routerPrefix(r *services.Reader, c *code.Call, name string) string {
	value, where := r.Lookup(name, c.NameSpan.StartByte)
	for _, key := range []string{"prefix:", "basePath("} {
		if _, rest, ok := strings.Cut(value, key); ok {
			if parts := services.ListItems(rest); len(parts) > 0 {
				return strings.TrimSuffix(r.Fold(parts[0], where), "/")
			}
		}
	}
	return ""
}

func readDecorators(r *services.Reader, s int) {
	symbol := &r.File.Symbols[s]
	prefix, controls := "", false
	if symbol.Parent >= 0 {
		for _, a := range r.File.Symbols[symbol.Parent].Annotations {
			if name, args := services.Annotation(a); name == "Controller" {
				prefix, _ = services.FirstPath(args)
				controls = true
			}
		}
	}
	for _, a := range symbol.Annotations {
		name, args := services.Annotation(a)
		if controls && services.PlainVerb(name) != "" {
			p, _ := services.FirstPath(args)
			r.Route(s, symbol.NameSpan, services.PlainVerb(name), "", strings.TrimSuffix(services.JoinURL("/"+strings.Trim(prefix, "/"), p), "/"), "")
		}
	}
}
