package php

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
)

// idioms are how PHP programs serve and request over HTTP.
var idioms = &services.Idioms{
	Names:     []string{"request", "curl_init"},
	Requests:  requestOf,
	Routes:    readRoutes,
	Annotated: readAttributes,
	Messages:  messages,
}

// readAttributes reads #[Route("/x")] of symbol s.
func readAttributes(r *services.Reader, s int) {
	symbol := &r.File.Symbols[s]
	for _, a := range symbol.Annotations {
		name, args := services.Annotation(strings.TrimSuffix(strings.TrimPrefix(a, "#["), "]"))
		if p, ok := services.FirstPath(args); ok && name == "Route" {
			r.Route(s, symbol.NameSpan, "", classPrefix(r, symbol), p, "")
		}
	}
}

func requestOf(r *services.Reader, c *code.Call) (x services.Request, ok bool) {
	args := r.Arguments(c)
	if c.Callee == "curl_init" && c.Receiver == "" && len(args) > 0 {
		return services.Request{Method: "", URL: args[0], Sure: true}, true
	}
	client := r.Speaks(c, []string{"Http", "$client", "$http", "client", "httpClient"}, []string{"Client(", "HttpClient"})
	switch {
	case !client || len(args) == 0 || r.HasFunction(args):
		return x, false
	case c.Callee == "request" && len(args) > 1:
		return services.Request{Method: services.MethodOf(args[0]), URL: args[1], Sure: true}, true
	case services.PlainVerb(c.Callee) != "":
		return services.Request{Method: services.PlainVerb(c.Callee), URL: args[0], Sure: c.Receiver == "Http"}, true
	}
	return x, false
}

// readRoutes reads Laravel and Slim.
func readRoutes(r *services.Reader, c *code.Call) {
	args := r.Arguments(c)
	name := strings.ToLower(services.LastWord(c.Receiver))
	if services.PlainVerb(c.Callee) == "" || len(args) < 2 || name != "route" && name != "$app" && name != "app" && name != "$group" && name != "$router" && name != "router" {
		return
	}
	if p, ok := services.Quoted(args[0]); ok {
		prefix := ""
		for _, outer := range r.Enclosing(c.NameSpan.StartByte, "group") {
			if given := r.Arguments(outer); len(given) > 1 {
				if p, ok := services.Quoted(given[0]); ok {
					prefix = services.JoinURL(prefix, p)
				}
			}
		}
		r.Route(c.Caller, c.NameSpan, services.PlainVerb(c.Callee), prefix, p, args[1])
	}
}

func classPrefix(r *services.Reader, s *code.Symbol) string {
	if s.Parent < 0 {
		return ""
	}
	for _, a := range r.File.Symbols[s.Parent].Annotations {
		if name, args := services.Annotation(strings.TrimSuffix(strings.TrimPrefix(a, "#["), "]")); name == "Route" {
			p, _ := services.FirstPath(args)
			return p
		}
	}
	return ""
}
