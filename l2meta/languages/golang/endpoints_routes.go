package golang

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// readRoute records routes of net/http, chi, gin, echo, gorilla, fiber, httprouter and beego.
func readRoute(r *services.Reader, c *code.Call) {
	args := r.Arguments(c)
	if c.Receiver == "" && c.Callee != "HandleFunc" || len(args) == 0 {
		return
	}
	if readBeego(r, c, args) {
		return
	}
	at, methods := 0, []string{""}
	switch c.Callee {
	case "Handler", "HandlerFunc":
		if len(args) == 1 {
			readChained(r, c, args[0])
			return
		}
		at, methods = 1, []string{folding.MethodOf(args[0])}
	case "HandleFunc", "Handle":
		// gin and httprouter take the method as an argument: Handle("GET", "/x", h)
		if m := folding.MethodOf(args[0]); m != "" && len(args) > 2 {
			at, methods = 1, []string{m}
		} else {
			methods = methodsBehind(r, c)
		}
	case "Method", "MethodFunc", "Add", "Match":
		at, methods = 1, []string{folding.MethodOf(args[0])}
		if c.Callee != "Method" && c.Callee != "MethodFunc" && methods[0] == "" {
			return
		}
	case "Any", "All":
	case "AddServiceInvocationHandler": // Dapr takes the name of a method, with or without a slash
		if len(args) == 2 {
			name := strings.TrimPrefix(r.Fold(args[0], c.NameSpan.StartByte), "/")
			r.Route(c.Caller, c.NameSpan, "", "", "/"+name, args[1])
		}
		return
	case "Mount", "Route":
		readMount(r, c, args)
		return
	default:
		m := services.PlainVerb(c.Callee)
		if m == "" || readsInto(r, c, args) {
			return
		}
		methods = []string{m}
	}
	if len(args) < at+2 {
		return
	}
	template := r.Fold(args[at], c.NameSpan.StartByte)
	if verb, rest, ok := strings.Cut(template, " "); ok && folding.MethodOf(verb) != "" { // "GET /x" of Go 1.22
		methods, template = []string{folding.MethodOf(verb)}, strings.TrimSpace(rest)
		if i := strings.IndexByte(template, '/'); i > 0 { // the pattern begins with a host: example.com/x
			template = template[i:]
		}
	}
	if strings.HasPrefix(c.Callee, "Handle") && len(args) == 2 {
		template = subtree(r, template)
	}
	keepRoute(r, c, methods, template, args[at], handlerOf(r, args[at+1:]))
}

// readsInto reports whether a call such as c.get(uri, &out) reads an answer into its last argument: a client of the
// program's own has such methods, whose names are not exported. Those of libraries that route are.
func readsInto(r *services.Reader, c *code.Call, args []string) bool {
	if c.Callee[0] < 'a' || c.Callee[0] > 'z' {
		return false
	}
	last := args[len(args)-1]
	if value, _ := r.Lookup(last, c.NameSpan.StartByte); value != "" {
		last = value
	}
	return readInto.MatchString(last)
}

// readInto matches an argument that holds an answer, or the value of a variable that does: &out, new(Item), &Item{},
// nil. A handler may be a &handler{}, so braces alone tell nothing.
var readInto = regexp.MustCompile(`^(?:&\w+(?:\.\w+)*|new\([\w.\[\]*]+\)|nil|map\[.*|\[\].*)$`)

// routers lists parts of the module paths of routing libraries in which a pattern such as
// "/orders/" matches only that path. In net/http it also matches all paths below it.
var routers = []string{"gorilla/mux", "go-chi/", "gin-gonic/", "labstack/echo", "fiber", "httprouter", "iris", "beego"}

// subtree returns a template of net/http that ends in a slash as a pattern for all paths below
// it: /orders/{rest...} for /orders/. For the root it returns /{rest...}, which answers the
// requests that no other route answers.
func subtree(r *services.Reader, template string) string {
	path, below := strings.CutSuffix(template, "/")
	if !below || !r.Mentions("net/http") {
		return template
	}
	for i := range r.File.Imports {
		for _, router := range routers {
			if strings.Contains(r.File.Imports[i].Module, router) {
				return template
			}
		}
	}
	if path != "" && r.Mentions(path+`"`) { // the path without the slash has a route of its own
		return path + "/{id}/{rest...}"
	}
	return path + "/{rest...}"
}

// keepRoute records a route for each of the methods. It skips a template that is no path. written
// is the template as the source writes it.
func keepRoute(r *services.Reader, c *code.Call, methods []string, template, written, handler string) {
	template = strings.TrimSuffix(template, "{$}")
	if !strings.HasPrefix(template, "/") && !(strings.HasPrefix(template, "{") && strings.Contains(template, "}/")) &&
		template != "" {
		return
	}
	if i := strings.Index(template, "}/"); strings.HasPrefix(template, "{") && i > 0 &&
		!strings.HasPrefix(written, `"`) {
		template = template[i+1:] // {base} in {base}/orders is a base path from configuration
	}
	if prefix, inner, ok := stripped(r, c, handler); ok {
		mount(r, c, routerPrefix(r, r.Receiver(c), c.NameSpan.StartByte, 0)+prefix, inner)
		return
	}
	prefix := routerPrefix(r, r.Receiver(c), c.NameSpan.StartByte, 0)
	for _, m := range methods {
		r.Route(c.Caller, c.NameSpan, m, prefix, template, served(r, c, handler))
	}
}

// handlerOf returns the handler among the arguments after the path of a route. In echo it is the first argument,
// before the middleware; in other libraries it is the last.
func handlerOf(r *services.Reader, args []string) string {
	for i := range r.File.Imports {
		if strings.Contains(r.File.Imports[i].Module, "labstack/echo") {
			return args[0]
		}
	}
	return args[len(args)-1]
}

var madeHere = regexp.MustCompile(`^&?([\w.]+)\{`)

// served returns the name of the method that handles the requests of a route: ready.ServeHTTP if
// handler is &ready{}, or a variable with that value. Otherwise it returns handler.
func served(r *services.Reader, c *code.Call, handler string) string {
	value := handler
	if v, _ := r.Lookup(handler, c.NameSpan.StartByte); v != "" {
		value = v
	}
	if m := madeHere.FindStringSubmatch(value); m != nil {
		return m[1] + ".ServeHTTP"
	}
	return wrappedIn(r, around(r, handler, c.NameSpan.StartByte), c.NameSpan.StartByte, 0)
}

// around returns a call whose only argument is a variable with the call that the variable holds in its place, if that
// one wraps a further call: toHandler(metric.count(show(db))) for toHandler(counted) after counted :=
// metric.count(show(db)). It returns any other expression as it is.
func around(r *services.Reader, handler string, at int) string {
	open := strings.IndexByte(handler, '(')
	if open <= 0 || !strings.HasSuffix(handler, ")") || folding.IsFunction(handler) {
		return handler
	}
	args := folding.ListItems(handler[open+1 : len(handler)-1])
	if len(args) != 1 || !nameOnly.MatchString(args[0]) {
		return handler
	}
	value := wrappedIn(r, args[0], at, 1)
	if len(value) >= maxWrapped || strings.Count(value, "(") < 2 {
		return handler
	}
	return handler[:open+1] + value + ")"
}

// wrappedIn returns the call that wraps a handler, which is the value of a variable:
// otelhttp.NewHandler(http.HandlerFunc(show)) for the variable wrapped after handler :=
// http.HandlerFunc(show); wrapped := otelhttp.NewHandler(handler). It returns any other
// expression as it is.
func wrappedIn(r *services.Reader, expr string, at, depth int) string {
	if !nameOnly.MatchString(expr) || depth == maxWrappers {
		return expr
	}
	value, where := r.Lookup(expr, at)
	open := strings.IndexByte(value, '(')
	if open <= 0 || !strings.HasSuffix(value, ")") || folding.IsFunction(value) {
		return expr
	}
	args := folding.ListItems(value[open+1 : len(value)-1])
	for i := range args {
		if inner := wrappedIn(r, args[i], where, depth+1); len(inner) < maxWrapped {
			args[i] = inner
		}
	}
	if len(args) == 0 || !strings.Contains(args[0], ".") && !r.HasFunction(args[:1]) && depth == 0 {
		return expr // a value that is no function, such as NewHandler(db)
	}
	return value[:open+1] + strings.Join(args, ", ") + ")"
}

const (
	maxWrappers = 3 // bound on the variables that are followed, each of which holds a handler that the next one wraps
	// bound on the length in bytes of a variable's value that replaces its name; longer values,
	// such as middleware, keep the name
	maxWrapped = 60
)

var nameOnly = regexp.MustCompile(`^[a-zA-Z_]\w*$`)

// stripped returns the prefix and the handler of http.StripPrefix("/api", handler); ok is false
// for any other handler.
func stripped(r *services.Reader, c *code.Call, handler string) (prefix, inner string, ok bool) {
	_, rest, ok := strings.Cut(handler, "StripPrefix(")
	args := folding.ListItems(rest)
	if !ok || len(args) != 2 {
		return "", "", false
	}
	prefix, ok = r.Path(args[0], c.NameSpan.StartByte)
	return strings.TrimSuffix(prefix, "/"), args[1], ok
}

// readChained records the route of a chain of gorilla, r.Methods("GET").Path("/x").Handler(h).
// Methods and Path may be in any order.
func readChained(r *services.Reader, c *code.Call, handler string) {
	_, steps := folding.Chain(r.Receiver(c))
	path, written, methods := "", "", []string{""}
	for _, s := range steps {
		switch {
		case s.Name == "Methods":
			methods = methodsOf(s.Args)
		case (s.Name == "Path" || s.Name == "PathPrefix") && len(s.Args) == 1:
			path, written = r.Fold(s.Args[0], c.NameSpan.StartByte), s.Args[0]
			if s.Name == "PathPrefix" {
				path = folding.JoinURL(path, "{rest...}")
			}
		}
	}
	if path == "" {
		return
	}
	if prefix, inner, ok := stripped(r, c, handler); ok {
		root, _ := folding.Chain(r.Receiver(c))
		mount(r, c, routerPrefix(r, root, c.NameSpan.StartByte, 0)+prefix, inner)
		return
	}
	// The path of this route is removed from the chain. Otherwise routerPrefix would add it to
	// the prefix once more.
	root := strings.TrimSpace(r.Receiver(c))
	for _, cut := range []string{".Path(", ".PathPrefix(", ".Methods("} {
		if i := strings.LastIndex(root, cut); i >= 0 &&
			(cut != ".PathPrefix(" || !strings.Contains(root[i:], "Subrouter()")) {
			root = strings.TrimSpace(root[:i])
		}
	}
	prefix := routerPrefix(r, root, c.NameSpan.StartByte, 0)
	for _, m := range methods {
		if strings.HasPrefix(path, "/") || strings.HasPrefix(written, `"`) {
			r.Route(c.Caller, c.NameSpan, m, prefix, path, served(r, c, handler))
		}
	}
}

// methodsBehind returns the HTTP methods to which the calls that follow c restrict its route: GET
// and PUT for r.HandleFunc("/x", h).Methods("GET", "PUT"). It returns one empty name if they do
// not restrict it.
func methodsBehind(r *services.Reader, c *code.Call) []string {
	for _, s := range r.Behind(c) {
		if s.Name == "Methods" {
			return methodsOf(s.Args)
		}
	}
	return []string{""}
}

func methodsOf(args []string) (out []string) {
	for _, a := range args {
		out = append(out, folding.MethodOf(a))
	}
	return out
}

// readMount records handlers that serve everything below a path: r.Mount("/items", items.Routes()),
// r.Route("/items", items.Routes).
func readMount(r *services.Reader, c *code.Call, args []string) {
	if len(args) != 2 || strings.HasPrefix(args[1], "func") {
		return
	}
	path, ok := r.Path(args[0], c.NameSpan.StartByte)
	if !ok {
		return
	}
	prefix := folding.JoinURL(routerPrefix(r, r.Receiver(c), c.NameSpan.StartByte, 0), path)
	if c.Callee == "Route" {
		r.Mount(c.Caller, c.NameSpan, prefix, "("+args[1]+")")
		return
	}
	mount(r, c, prefix, args[1])
}

// mount records that the routes of a handler are below a prefix. The handler is a call that returns a router, or a
// variable that holds the result of one.
func mount(r *services.Reader, c *code.Call, prefix, handler string) {
	from, to := c.NameSpan.EndByte, c.Span.EndByte
	if _, steps := folding.Chain(handler); len(steps) == 0 {
		value, where := r.Lookup(folding.LastWord(handler), c.NameSpan.StartByte)
		if value == "" {
			return
		}
		from, to = where, where+len(handler)+len(value)+16
	}
	for i := range r.File.Calls {
		inner := &r.File.Calls[i]
		if inner.NameSpan.StartByte > from && inner.NameSpan.StartByte < to && inner.Callee != "StripPrefix" {
			r.Mount(inner.Caller, inner.NameSpan, prefix, "()")
		}
	}
}

// readHandedOn records the prefixes of route groups that are passed to functions:
// items.Register(api.Group("/items")).
func readHandedOn(r *services.Reader) {
	groups := false
	for i := range r.File.Calls {
		groups = groups || isGroup(r.File.Calls[i].Callee)
	}
	for i := 0; i < len(r.File.Calls) && groups; i++ {
		c := &r.File.Calls[i]
		if c.Kind != code.CallPlain || isGroup(c.Callee) || services.PlainVerb(c.Callee) != "" {
			continue
		}
		for _, a := range r.Arguments(c) {
			_, steps := folding.Chain(a)
			if strings.ContainsAny(a, "\"{") && len(steps) == 0 || strings.HasPrefix(a, "func") ||
				len(steps) > 0 && !isGroup(steps[len(steps)-1].Name) {
				continue
			}
			if prefix := routerPrefix(r, a, c.NameSpan.StartByte, 0); prefix != "" {
				r.Mount(c.Caller, c.NameSpan, prefix, "()")
			}
		}
	}
}

// isGroup reports whether a function of this name returns a router below a path.
func isGroup(name string) bool {
	switch name {
	case "Group", "PathPrefix", "Party", "Subrouter", "Route", "Mount":
		return true
	}
	return false
}

// routerPrefix returns the path prefix below which a router adds its routes, as far as this file
// shows it: from the groups in the expression of the router, r.Group("/items"), and from the
// function literals around byte at, r.Route("/api", func(r chi.Router) {…}). step counts the
// variables that have been followed.
func routerPrefix(r *services.Reader, router string, at, step int) (prefix string) {
	if step > folding.MaxFolds {
		return ""
	}
	root, steps := folding.Chain(router)
	for _, s := range steps {
		if s.Name != "Subrouter" && isGroup(s.Name) && len(s.Args) > 0 {
			if p, ok := r.Path(s.Args[0], at); ok {
				prefix = strings.TrimSuffix(folding.JoinURL(prefix, p), "/")
			}
		}
	}
	name := folding.LastWord(root)
	if name == "" {
		return prefix
	}
	value, where := r.Lookup(name, at)
	if where >= at {
		value = ""
	}
	around := r.Enclosing(at, "Route", "Group")
	for i := len(around) - 1; i >= 0; i-- {
		outer := around[i]
		if outer.NameSpan.StartByte < where && value != "" {
			break
		}
		args := r.Arguments(outer)
		if len(args) == 0 || !takes(args[len(args)-1], name) {
			continue
		}
		above := routerPrefix(r, r.Receiver(outer), outer.NameSpan.StartByte, step+1)
		if p, ok := r.Path(args[0], outer.NameSpan.StartByte); ok && len(args) > 1 {
			above = folding.JoinURL(above, p)
		}
		return strings.TrimSuffix(above, "/") + prefix
	}
	if _, made := folding.Chain(value); value == "" || len(made) == 0 && value == router {
		return prefix
	}
	return routerPrefix(r, value, where, step+1) + prefix
}

// takes reports whether a function literal has a parameter called name.
func takes(function, name string) bool {
	_, parameters, ok := strings.Cut(function, "func(")
	if !ok || !strings.HasPrefix(function, "func(") {
		return false
	}
	for _, p := range folding.ListItems(parameters) {
		if own, _, _ := strings.Cut(p, " "); own == name {
			return true
		}
	}
	return false
}
