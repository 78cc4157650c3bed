package python

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
)

// idioms are how Python programs serve and request over HTTP.
var idioms = &services.Idioms{
	Names:     []string{"request", "path", "re_path", "include_router", "register_blueprint", "add_*"},
	Requests:  requestOf,
	Routes:    readRoutes,
	Annotated: readDecorators,
	Registers: func(callee string) bool {
		return strings.HasPrefix(callee, "add_") && strings.HasSuffix(callee, "Servicer_to_server")
	},
}

func requestOf(r *services.Reader, c *code.Call) (x services.Request, ok bool) {
	args := r.Arguments(c)
	method, at := services.PlainVerb(c.Callee), 0
	if c.Callee == "request" && len(args) > 1 {
		method, at = services.MethodOf(args[0]), 1
	}
	if method == "" || len(args) <= at {
		return x, false
	}
	url := args[at]
	for _, a := range args {
		if rest, named := strings.CutPrefix(strings.ReplaceAll(a, " ", ""), "url="); named {
			url = rest
		}
	}
	client := r.Speaks(c, []string{"requests", "httpx"}, []string{"requests.Session", "requests.session", "httpx.", "aiohttp.", "ClientSession", "AsyncClient("})
	if c.Receiver == "" {
		client = services.ImportsName(r.File, c.Callee, "requests") || services.ImportsName(r.File, c.Callee, "httpx")
	}
	return services.Request{Method: method, URL: url, Sure: c.Receiver == "requests"}, client
}

// readRoutes reads what is no decorator: Django's urls, aiohttp, mounts of
// routers and blueprints.
func readRoutes(r *services.Reader, c *code.Call) {
	args := r.Arguments(c)
	if len(args) < 1 {
		return
	}
	text, isText := services.Quoted(args[0])
	switch {
	case (c.Callee == "path" || c.Callee == "re_path") && c.Receiver == "" && isText && len(args) > 1:
		if strings.HasPrefix(args[1], "include(") {
			r.MountOn(c, strings.Trim(text, "/"), strings.TrimSuffix(strings.TrimPrefix(args[1], "include("), ")"), "")
			return
		}
		r.Route(c.Caller, c.NameSpan, "", "", strings.Trim(text, "^$"), strings.TrimSuffix(args[1], ".as_view()"))
	case strings.HasPrefix(c.Callee, "add_") && services.MethodOf(strings.TrimPrefix(c.Callee, "add_")) != "" && isText && len(args) > 1:
		r.Route(c.Caller, c.NameSpan, services.MethodOf(strings.TrimPrefix(c.Callee, "add_")), "", text, args[1])
	case c.Callee == "add_url_rule" && isText:
		r.Route(c.Caller, c.NameSpan, "", "", text, services.Keyword(args, "view_func"))
	case c.Callee == "include_router" || c.Callee == "register_blueprint":
		prefix := services.Keyword(args, "prefix") + services.Keyword(args, "url_prefix")
		if p, ok := services.Quoted(prefix); ok {
			r.MountOn(c, p, args[0], services.LastWord(c.Receiver))
		}
	}
}

// readDecorators reads Flask, FastAPI and what is like them: @app.get("/x"),
// @bp.route("/x", methods=["POST"]).
func readDecorators(r *services.Reader, s int) {
	symbol := &r.File.Symbols[s]
	for _, a := range symbol.Annotations {
		name, args := services.Annotation(a)
		p, ok := services.FirstPath(args)
		if !ok || !strings.Contains(strings.SplitN(a, "(", 2)[0], ".") {
			continue
		}
		var methods []string
		switch {
		case services.PlainVerb(name) != "":
			methods = []string{services.PlainVerb(name)}
		case name == "route" || name == "api_route":
			for _, m := range services.ListItems(strings.Trim(services.Keyword(args, "methods"), "[](){}")) {
				methods = append(methods, services.MethodOf(m))
			}
			if len(methods) == 0 && name == "route" {
				methods = []string{"GET"}
			}
		default:
			continue
		}
		router := services.LastWord(strings.TrimSuffix(strings.TrimLeft(strings.SplitN(a, "(", 2)[0], "@"), "."+name))
		value, _ := r.Lookup(router, symbol.Span.StartByte)
		prefix := ""
		if i := strings.IndexByte(value, '('); i > 0 {
			made := services.ListItems(value[i+1:])
			prefix, _ = services.Quoted(services.Keyword(made, "prefix") + services.Keyword(made, "url_prefix"))
		}
		for _, m := range methods {
			r.Route(s, symbol.NameSpan, m, prefix, p, "", router)
		}
	}
}
