package python

import (
	"cmp"
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// readRoutes records routes that are added by calls: Django's urls, aiohttp, Tornado, Starlette,
// and mounts of routers and blueprints.
func readRoutes(r *services.Reader, c *code.Call) {
	if c.Callee == "APIRouter" || c.Callee == "Blueprint" {
		readRouter(r, c)
		return
	}
	args := r.Arguments(c)
	if len(args) < 1 {
		return
	}
	switch first := text(args[0]); {
	case c.Callee == "Application" && (importsFrom(r, "tornado") || importsFrom(r, "tornado.web")):
		readTornado(r, c, args[0])
	case c.Callee == "path" || c.Callee == "re_path" || c.Callee == "url":
		readURLs(r, c, args)
	case c.Callee == "register" && len(args) > 1 && strings.Contains(strings.ToLower(c.Receiver), "router") &&
		isText(args[0]):
		router := folding.LastWord(c.Receiver)
		r.Route(c.Caller, c.NameSpan, "", nestedPrefix(r, router, c.NameSpan.StartByte, 0), "/"+first,
			"viewset "+args[1], router)
	case c.Callee == "add_resource": // Flask-RESTful
		for _, a := range args[1:] {
			if p := text(a); p != "" {
				r.Route(c.Caller, c.NameSpan, "", routerPrefix(r, folding.LastWord(c.Receiver), c.NameSpan.StartByte),
					p, "class "+args[0], folding.LastWord(c.Receiver))
			}
		}
	case c.Callee == "add_url_rule" && isText(args[0]):
		handler := folding.Keyword(args, "view_func")
		if handler == "" && len(args) > 2 {
			handler = args[2]
		}
		keep(r, c, args, first, handler)
	case c.Callee == "add_route":
		readAdded(r, c, args)
	case strings.HasPrefix(c.Callee, "add_") && folding.MethodOf(strings.TrimPrefix(c.Callee, "add_")) != "" &&
		len(args) > 1:
		r.Route(c.Caller, c.NameSpan, folding.MethodOf(strings.TrimPrefix(c.Callee, "add_")), "", first, args[1],
			folding.LastWord(c.Receiver))
	case c.Receiver == "web" && services.PlainVerb(c.Callee) != "" && len(args) > 1 && isText(args[0]):
		r.Route(c.Caller, c.NameSpan, services.PlainVerb(c.Callee), "", first, args[1])
	case services.PlainVerb(c.Callee) != "" && isText(args[0]) && calledOn(r, c) != "": // app.post("/x")(show)
		router := folding.LastWord(c.Receiver)
		r.Route(c.Caller, c.NameSpan, services.PlainVerb(c.Callee), routerPrefix(r, router, c.NameSpan.StartByte),
			first, calledOn(r, c), router)
	case c.Callee == "Route" && isText(args[0]) && len(args) > 1:
		handler := args[1]
		if given := folding.Keyword(args, "endpoint"); given != "" {
			handler = given
		}
		keep(r, c, args, first, handler)
	case c.Callee == "include_router" || c.Callee == "register_blueprint" || c.Callee == "blueprint" ||
		c.Callee == "Mount" || c.Callee == "mount":
		readMount(r, c, args)
	}
}

// nested matches the construction of a router of drf-nested-routers, up to its arguments.
var nested = regexp.MustCompile(`^(?:\w+\.)*Nested(?:Simple|Default)Router\(`)

// maxNested is the largest number of routers that are nested in one another.
const maxNested = 4

// nestedPrefix returns the path below which a router of drf-nested-routers has its routes, relative to the place of
// its parent: /orders/{order_pk} after lines = NestedSimpleRouter(router, r"orders", lookup="order"). It returns ""
// for any other router. depth is the number of routers that are nested in it.
func nestedPrefix(r *services.Reader, router string, at, depth int) string {
	value, where := r.Lookup(router, at)
	made := nested.FindString(value)
	if made == "" || depth == maxNested {
		return ""
	}
	args := folding.ListItems(value[len(made):])
	given := func(i int, name string) string {
		if value := folding.Keyword(args, name); value != "" {
			return value
		}
		if i < len(args) && !strings.Contains(args[i], "=") {
			return args[i]
		}
		return ""
	}
	parent, prefix := given(0, "parent_router"), text(given(1, "parent_prefix"))
	lookup := cmp.Or(text(folding.Keyword(args, "lookup")), "nested")
	below := "/{" + lookup + "_pk}"
	if prefix != "" {
		below = "/" + prefix + below
	}
	return nestedPrefix(r, folding.LastWord(parent), where, depth+1) + below
}

// calledOn returns the handler in a call such as app.post("/x")(show): the function show, which is passed to the
// result of the call c. It returns "" for any other call.
func calledOn(r *services.Reader, c *code.Call) string {
	router := strings.ToLower(folding.LastWord(c.Receiver))
	behind := r.Text[min(c.Span.EndByte, len(r.Text)):]
	if router != "app" && !strings.HasSuffix(router, "router") || !strings.HasPrefix(behind, "(") {
		return ""
	}
	items := folding.ListItems(behind[1:min(len(behind), maxHandler)])
	if len(items) != 1 || strings.ContainsAny(items[0], "\"'([{ ") {
		return ""
	}
	return items[0]
}

// maxHandler bounds, in bytes, the name of a handler with its brackets.
const maxHandler = 200

func isText(arg string) bool {
	return text(arg) != "" || strings.HasSuffix(arg, `""`) || strings.HasSuffix(arg, "''")
}

// keep records a route with a template: one for each HTTP method in the argument methods,
// methods=["GET", "POST"], or one for all methods if there is no such argument.
func keep(r *services.Reader, c *code.Call, args []string, template, handler string) {
	handler = asHandler(viewOf(r, handler, c.NameSpan.StartByte))
	prefix := routerPrefix(r, folding.LastWord(c.Receiver), c.NameSpan.StartByte)
	for _, outer := range r.Enclosing(c.NameSpan.StartByte, "Mount") {
		if given := r.Arguments(outer); len(given) > 0 {
			prefix += strings.TrimSuffix(text(given[0]), "/")
		}
	}
	methods := folding.ListItems(strings.Trim(folding.Keyword(args, "methods"), "[](){}"))
	if strings.HasPrefix(handler, "class ") || len(methods) == 0 {
		methods = []string{""}
	}
	for _, m := range methods {
		r.Route(c.Caller, c.NameSpan, folding.MethodOf(m), prefix, template, handler, folding.LastWord(c.Receiver))
	}
}

// asHandler returns the name of a route's handler. A capital letter shows that the handler is a
// class, whose methods are named after HTTP methods. Then the result has the prefix "class ".
func asHandler(expr string) string {
	if view, _, ok := strings.Cut(expr, ".as_view("); ok {
		return "class " + view
	}
	last := expr[strings.LastIndexByte(expr, '.')+1:]
	if last != "" && last[0] >= 'A' && last[0] <= 'Z' && !strings.ContainsAny(expr, "(") {
		return "class " + expr
	}
	return expr
}

// viewOf returns the view that a variable holds: Orders.as_view("orders") for orders. It returns
// any other expr as it is.
func viewOf(r *services.Reader, expr string, at int) string {
	if !variable.MatchString(expr) {
		return expr
	}
	if value, _ := r.Lookup(expr, at); strings.Contains(value, ".as_view(") {
		return value
	}
	return expr
}

var variable = regexp.MustCompile(`^\w+$`)

// readAdded records add_route("GET", "/x", show) of aiohttp and add_route(show, "/x") of Sanic and
// Starlette.
func readAdded(r *services.Reader, c *code.Call, args []string) {
	switch {
	case len(args) > 2 && (folding.MethodOf(text(args[0])) != "" || text(args[0]) == "*") && isText(args[1]):
		r.Route(c.Caller, c.NameSpan, folding.MethodOf(text(args[0])), "", text(args[1]), args[2],
			folding.LastWord(c.Receiver))
	case len(args) > 1 && !isText(args[0]) && isText(args[1]):
		keep(r, c, args, text(args[1]), args[0])
	case len(args) > 1 && isText(args[0]) && importsFrom(r, "starlette"):
		keep(r, c, args, text(args[0]), args[1])
	}
}

// readTornado records Application([(r"/x", Handler), url(r"/y", Other)]).
func readTornado(r *services.Reader, c *code.Call, list string) {
	if !strings.HasPrefix(list, "[") {
		list, _ = r.Lookup(strings.TrimPrefix(list, "handlers="), c.NameSpan.StartByte)
	}
	if !strings.HasPrefix(list, "[") {
		return
	}
	for _, item := range folding.ListItems(list[1:]) {
		_, inner, ok := strings.Cut(item, "(")
		parts := folding.ListItems(inner)
		if ok && len(parts) > 1 && isText(parts[0]) {
			r.Route(c.Caller, c.NameSpan, "", "", template(text(parts[0])), "class "+parts[1])
		}
	}
}

// readRouter records that the router which a call makes has no effect unless something mounts it:
// router = APIRouter(prefix="/x"), bp: Blueprint = flask.Blueprint("x", __name__).
func readRouter(r *services.Reader, c *code.Call) {
	line := r.Text[strings.LastIndexByte(r.Text[:c.NameSpan.StartByte], '\n')+1 : c.NameSpan.StartByte]
	if m := assignedTo.FindStringSubmatch(line); m != nil {
		r.Mount(c.Caller, c.NameSpan, "", services.NeedsMount+m[1])
	}
}

// assignedTo matches the start of a line up to the class of the object that it assigns to a name.
var assignedTo = regexp.MustCompile(`^\s*(\w+)\s*(?::[^=]*)?=\s*(?:\w+\.)*$`)

// readMount records app.include_router(router, prefix="/x") and similar calls.
func readMount(r *services.Reader, c *code.Call, args []string) {
	on := folding.LastWord(c.Receiver)
	router, prefix := args[0], folding.Keyword(args, "prefix")+folding.Keyword(args, "url_prefix")
	if c.Callee == "Mount" || c.Callee == "mount" {
		if prefix, router = args[0], folding.Keyword(args, "app"); router == "" && len(args) > 1 &&
			!strings.Contains(args[1], "=") {
			router = args[1]
		}
		on = ""
	}
	if router == "" || strings.ContainsAny(router, "([") {
		if c.Callee != "Mount" && c.Callee != "mount" { // include_router(make_router())
			r.Mount(c.Caller, c.NameSpan, "", services.SomeRouter)
		}
		return
	}
	p := ""
	if prefix != "" {
		p = strings.TrimSuffix(r.Fold(prefix, c.NameSpan.StartByte), "/")
	}
	r.MountOn(c, routerPrefix(r, on, c.NameSpan.StartByte)+p, router, on)
}

// routerPrefix returns the path prefix that a router gets at its construction: /x for
// APIRouter(prefix="/x"), Blueprint("x", __name__, url_prefix="/x") and Api(app, prefix="/x"). It
// returns "" if there is none.
func routerPrefix(r *services.Reader, name string, at int) string {
	if name == "" {
		return ""
	}
	value, where := r.Lookup(name, at)
	open := strings.IndexByte(value, '(')
	if open <= 0 {
		return ""
	}
	made := folding.ListItems(value[open+1:])
	if prefix := folding.Keyword(made, "prefix") + folding.Keyword(made, "url_prefix"); prefix != "" {
		return strings.TrimSuffix(r.Fold(prefix, where), "/")
	}
	return ""
}

// readDecorators records the routes of Flask, FastAPI and similar libraries: @app.get("/x"),
// @bp.route("/x", methods=["POST"]).
func readDecorators(r *services.Reader, s int) {
	symbol := &r.File.Symbols[s]
	for _, a := range symbol.Annotations {
		name, args := folding.Annotation(a)
		before, _, _ := strings.Cut(a, "(")
		if len(args) == 0 || !strings.Contains(before, ".") {
			continue
		}
		if name == "method" && importsFrom(r, "dapr") { // Dapr invokes a method by name over gRPC
			r.Route(s, symbol.NameSpan, "", "", text(cmp.Or(folding.Keyword(args, "name"), args[0])), "")
			continue
		}
		p, ok := folding.FirstPath(args)
		if given := folding.Keyword(args, "path"); given != "" && !ok {
			p, ok = text(given), true
		}
		if p, ok = pathOf(r, args, p, ok, symbol.Span.StartByte); !ok {
			continue
		}
		router := folding.LastWord(strings.TrimSuffix(strings.TrimLeft(before, "@"), "."+name))
		for _, m := range methodsOf(name, args) {
			r.Route(s, symbol.NameSpan, m, routerPrefix(r, router, symbol.Span.StartByte), p, "", router)
		}
	}
}

// pathOf returns the path in the arguments of a decorator. If ok is set, that is the literal p;
// otherwise it evaluates the first argument. It returns false if the result is no path.
func pathOf(r *services.Reader, args []string, p string, ok bool, at int) (string, bool) {
	if ok || isText(args[0]) {
		return p, true
	}
	folded := r.Fold(args[0], at)
	return folded, strings.HasPrefix(folded, "/") || strings.HasPrefix(folded, "{") && strings.Contains(folded, "}/")
}

// methodsOf returns the HTTP methods for which a decorator adds a route; nil if it adds no route.
func methodsOf(name string, args []string) (methods []string) {
	if m := services.PlainVerb(name); m != "" {
		return []string{m}
	}
	if name == "websocket" { // a WebSocket connection begins as a GET request
		return []string{"GET"}
	}
	if name != "route" && name != "api_route" {
		return nil
	}
	for _, m := range folding.ListItems(strings.Trim(folding.Keyword(args, "methods"), "[](){}")) {
		methods = append(methods, folding.MethodOf(m))
	}
	if len(methods) == 0 {
		return []string{"GET"}
	}
	return methods
}
