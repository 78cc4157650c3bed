package golang

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
)

// idioms are how Go programs serve and request over HTTP.
var idioms = &services.Idioms{
	Names:    []string{"HandleFunc", "Handle", "Method", "MethodFunc", "Any", "All", "NewRequest", "NewRequestWithContext"},
	Requests: requestOf,
	Routes:   readRoutes,
	Registers: func(callee string) bool {
		return strings.HasPrefix(callee, "Register") && strings.HasSuffix(callee, "Server")
	},
}

func requestOf(r *services.Reader, c *code.Call) (x services.Request, ok bool) {
	args := r.Arguments(c)
	switch {
	case c.Callee == "NewRequest" && len(args) >= 2:
		return services.Request{Method: services.MethodOf(args[0]), URL: args[1], Sure: true}, true
	case c.Callee == "NewRequestWithContext" && len(args) >= 3:
		return services.Request{Method: services.MethodOf(args[1]), URL: args[2], Sure: true}, true
	case len(args) == 0:
		return x, false
	case c.Callee == "Get" || c.Callee == "Post" || c.Callee == "Head" || c.Callee == "PostForm" || c.Callee == "Put" || c.Callee == "Delete" || c.Callee == "Patch":
		if c.Receiver == "http" || r.Speaks(c, []string{"otelhttp", "resty", "httpClient"}, []string{"http.Client", "resty.New", "req.C("}) || strings.HasSuffix(c.Receiver, ".R()") {
			return services.Request{Method: services.Verb(c.Callee), URL: args[0], Sure: c.Receiver == "http"}, true
		}
	}
	return x, false
}

// readRoutes reads net/http, chi, gin, echo, gorilla and fiber.
func readRoutes(r *services.Reader, c *code.Call) {
	args := r.Arguments(c)
	if len(args) < 2 || c.Receiver == "" && c.Callee != "HandleFunc" {
		return
	}
	at, method := 0, ""
	switch c.Callee {
	case "HandleFunc", "Handle":
	case "Method", "MethodFunc":
		at, method = 1, services.MethodOf(args[0])
	case "Any", "All":
	default:
		if method = services.PlainVerb(c.Callee); method == "" {
			return
		}
	}
	if len(args) < at+2 {
		return
	}
	template := r.Fold(args[at], c.NameSpan.StartByte)
	if verb, rest, ok := strings.Cut(template, " "); ok && services.MethodOf(verb) != "" { // "GET /x" of Go 1.22
		method, template = services.MethodOf(verb), strings.TrimSpace(rest)
		if i := strings.IndexByte(template, '/'); i > 0 { // with a host
			template = template[i:]
		}
	}
	template = strings.TrimSuffix(template, "{$}")
	if !strings.HasPrefix(template, "/") && !(strings.HasPrefix(template, "{") && strings.Contains(template, "}/")) && template != "" {
		return
	}
	if i := strings.Index(template, "}/"); strings.HasPrefix(template, "{") && i > 0 && !strings.HasPrefix(args[at], `"`) {
		template = template[i+1:] // a base that configuration sets
	}
	prefix := routerPrefix(r, c, c.Receiver, 0)
	methods := []string{method}
	if behind := r.Text[c.Span.EndByte:min(len(r.Text), c.Span.EndByte+120)]; method == "" && strings.HasPrefix(behind, ".Methods(") {
		methods = methods[:0]
		for _, m := range services.ListItems(behind[len(".Methods("):]) {
			methods = append(methods, services.MethodOf(m))
		}
	}
	for _, m := range methods {
		r.Route(c.Caller, c.NameSpan, m, prefix, template, args[len(args)-1])
	}
}

// routerPrefix is what the router of a route is mounted below.
func routerPrefix(r *services.Reader, c *code.Call, receiver string, step int) (prefix string) {
	for _, outer := range r.Enclosing(c.NameSpan.StartByte, "Route", "Group") {
		if args := r.Arguments(outer); len(args) > 1 && strings.HasPrefix(args[len(args)-1], "func") {
			if p, ok := r.Path(args[0], outer.NameSpan.StartByte); ok {
				prefix = services.JoinURL(prefix, p)
			}
		}
	}
	if prefix != "" || step > services.MaxFolds {
		return prefix
	}
	value, where := r.Lookup(services.LastWord(receiver), c.NameSpan.StartByte)
	for _, maker := range []string{".Group(", ".PathPrefix(", ".Party("} {
		if before, rest, ok := strings.Cut(value, maker); ok {
			if args := services.ListItems(rest); len(args) > 0 {
				if p, ok := r.Path(args[0], where); ok {
					outer := *c
					outer.NameSpan.StartByte = where
					return strings.TrimSuffix(services.JoinURL(routerPrefix(r, &outer, before, step+1), p), "/")
				}
			}
		}
	}
	return ""
}
