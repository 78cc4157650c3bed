package rust

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
)

// idioms are how Rust programs serve and request over HTTP.
var idioms = &services.Idioms{
	Names:     []string{"route"},
	Requests:  requestOf,
	Routes:    readRoutes,
	Annotated: readAttributes,
}

// readAttributes reads #[get("/x")] of symbol s.
func readAttributes(r *services.Reader, s int) {
	symbol := &r.File.Symbols[s]
	for _, a := range symbol.Annotations {
		name, args := services.Annotation(strings.TrimSuffix(strings.TrimPrefix(a, "#["), "]"))
		if p, ok := services.FirstPath(args); ok && services.PlainVerb(name) != "" {
			r.Route(s, symbol.NameSpan, services.PlainVerb(name), "", p, "")
		}
	}
}

func requestOf(r *services.Reader, c *code.Call) (x services.Request, ok bool) {
	args := r.Arguments(c)
	m := services.PlainVerb(c.Callee)
	if m == "" || len(args) == 0 || c.Receiver == "" {
		return x, false
	}
	client := c.Receiver == "reqwest" || r.Speaks(c, []string{"client", "http_client"}, []string{"reqwest", "Client::"})
	return services.Request{Method: m, URL: args[0], Sure: c.Receiver == "reqwest" || strings.Contains(c.Receiver, "Client::new()")}, client
}

var (
	axumMethod  = regexp.MustCompile(`\b(get|post|put|delete|patch)\s*\(\s*([\w:]+)\s*\)`)
	actixMethod = regexp.MustCompile(`web::(get|post|put|delete|patch)\(\)\.to\(([\w:]+)\)`)
)

// readRoutes reads axum, and the resources of actix.
func readRoutes(r *services.Reader, c *code.Call) {
	args := r.Arguments(c)
	if c.Callee != "route" || len(args) < 2 {
		return
	}
	if p, ok := services.Quoted(args[0]); ok {
		for _, m := range axumMethod.FindAllStringSubmatch(strings.Join(args[1:], ","), -1) {
			r.Route(c.Caller, c.NameSpan, m[1], "", p, m[2])
		}
		if m := actixMethod.FindStringSubmatch(strings.Join(args[1:], ",")); m != nil {
			r.Route(c.Caller, c.NameSpan, m[1], "", p, m[2])
		}
	}
}
