package rules

import (
	"bytes"
	"regexp"
	"strings"

	"sextant/l2meta/syntax"
)

// An anonymous function that handles a route is a symbol of its own: "GET /orders/{id}" for
// app.get('/orders/:id', auth, async (req, res) => …).

// inlineRoute describes the symbol to declare for an anonymous handler.
type inlineRoute struct {
	name string
	path syntax.Node // the node of the path
	from syntax.Node // the node at which the span starts
}

// route remembers the anonymous handler in a call that adds a route to a router. The handler is
// the last argument, or a property of an object that is passed.
func route(w *syntax.Walk, n, fn, args syntax.Node) {
	if !w.Is(fn, "member_expression") {
		return
	}
	method, object := w.Str(w.Field(fn, "property")), w.Field(fn, "object")
	if method == "route" {
		routeObject(w, args, object)
		return
	}
	if !syntax.IsRouteMethod(method) {
		return
	}
	first, last, count := syntax.None, syntax.None, 0
	for a := range w.Named(args) {
		if w.IsComment(a) {
			continue
		}
		if count++; first < 0 {
			first = a
		}
		last = a
	}
	path := first
	from := n
	if w.Is(object, "call_expression") { // in a chain: router.route('/x').get(h), router.get('/x', h).post('/y', h)
		from = w.Field(fn, "property")
		if of := w.Field(object, "function"); count > 0 && !isPath(w, first) {
			path = routePath(w, of, object)
		}
	} else if count < 2 {
		return
	}
	if last = handlerWithin(w, last); !isFunction(w, last) || !isPath(w, path) || !isRouterNode(w, object) ||
		syntax.IsAwaited(w.Text, w.Start(n)) {
		return
	}
	noteRoute(w, last, inlineRoute{syntax.RouteName(method, text(w, path)), path, from})
}

// handlerWithin returns the node of an argument, or of the function inside a wrapper: asyncHandler(async (req, res)
// => …).
func handlerWithin(w *syntax.Walk, n syntax.Node) syntax.Node {
	n = unwrap(w, n)
	for depth := 0; depth < 3 && w.Is(n, "call_expression"); depth++ {
		last := syntax.None
		for a := range w.Named(w.Field(n, "arguments")) {
			if !w.IsComment(a) {
				last = a
			}
		}
		if last < 0 {
			break
		}
		n = unwrap(w, last)
	}
	return n
}

// routePath returns the node of the path in the last router.route('/x') of a chain. It returns
// syntax.None if there is none.
func routePath(w *syntax.Walk, fn, call syntax.Node) syntax.Node {
	for w.Is(fn, "member_expression") {
		if w.Says(w.Field(fn, "property"), "route") {
			return w.FirstNamed(w.Field(call, "arguments"))
		}
		call = w.Field(fn, "object")
		if !w.Is(call, "call_expression") {
			break
		}
		fn = w.Field(call, "function")
	}
	return syntax.None
}

// routeObject remembers the handler in route({method: 'GET', url: '/x', handler: …}).
func routeObject(w *syntax.Walk, args, router syntax.Node) {
	object := w.FirstNamed(args)
	if !w.Is(object, "object") || !isRouterNode(w, router) {
		return
	}
	method, path, handler := "", syntax.None, syntax.None
	for c := range w.Named(object) {
		key, value := w.Str(w.Field(c, keyField(w, c))), unwrap(w, w.Field(c, "value"))
		switch key {
		case "method":
			method = text(w, value)
		case "url", "path":
			path = value
		case "handler":
			if handler = value; w.Is(c, "method_definition") {
				handler = c
			}
		}
	}
	if isPath(w, path) && (isFunction(w, handler) || w.Is(handler, "method_definition")) {
		if !syntax.IsRouteMethod(strings.ToLower(method)) {
			method = ""
		}
		noteRoute(w, handler, inlineRoute{name: syntax.RouteName(method, text(w, path)), path: path})
	}
}

// routeFunction declares function n as the handler of r.
func routeFunction(w *syntax.Walk, n syntax.Node, r inlineRoute) {
	s := callable(w, syntax.Decl{Node: n, Name: r.path, From: r.from}, n)
	head := syntax.OneLine(w.Text[w.Out.Symbols[s].Span.StartByte:w.Start(n)])
	// the path is outside of the call that gets the handler: router.route('/x').get(h)
	if w.Start(r.path) < w.Out.Symbols[s].Span.StartByte {
		head = w.Str(r.from) + "(" + w.Line(r.path)
	}
	w.Out.Symbols[s].Signature = syntax.Clip(strings.TrimRight(head, ", (")+")", syntax.MaxLine)
}

func noteRoute(w *syntax.Walk, fn syntax.Node, r inlineRoute) {
	t := ts(w)
	if t.routes == nil {
		t.routes = map[syntax.Node]inlineRoute{}
	}
	t.routes[fn] = r
}

// isPath reports whether an argument is a string with a path.
func isPath(w *syntax.Walk, n syntax.Node) bool {
	switch s := strings.Trim(w.Line(n), "\"'`"); {
	case w.Is(n, "string"):
		return s == "" || s[0] == '/' || s == "*"
	case w.Is(n, "template_string"):
		return strings.HasPrefix(s, "/") || strings.HasPrefix(s, "${")
	}
	return false
}

// isRouterNode reports whether the expression before a method call is a router, judged by the name or the
// construction at its start.
func isRouterNode(w *syntax.Walk, object syntax.Node) bool {
	for w.Is(object, "call_expression") {
		fn := w.Field(object, "function")
		if !w.Is(fn, "member_expression") { // a call of a function: express().get(…)
			return RouterMaker.MatchString(w.Line(object))
		}
		object = w.Field(fn, "object")
	}
	if w.Is(object, "new_expression") { // a construction: new Hono().get(…)
		return RouterMaker.MatchString(w.Line(object))
	}
	name := w.Str(object)
	if w.Is(object, "member_expression") {
		name = w.Str(w.Field(object, "property"))
	}
	return IsRouterName(name) || IsMadeRouter(w.Text, name)
}

var (
	routerWords = []string{"app", "router", "server", "fastify", "api", "route", "express", "hono", "instance"}
	clientWords = []string{"client", "request", "axios", "agent", "http", "fetch"}
	RouterMaker = regexp.MustCompile(
		`^(?:new )?(?:await )?(?:[\w.]+\.)?(?:express|Router|Hono|OpenAPIHono|fastify|Fastify|KoaRouter|Koa|restify\.createServer|Elysia|polka|H3|createApp)\(`)
)

// IsRouterName reports whether a name is typical of a router.
func IsRouterName(name string) bool {
	lower := strings.ToLower(name)
	for _, word := range clientWords {
		if strings.Contains(lower, word) && !strings.Contains(lower, "server") {
			return false
		}
	}
	for _, word := range routerWords {
		if strings.Contains(lower, word) {
			return true
		}
	}
	return false
}

// IsMadeRouter reports whether the text assigns a router to a name: const orders = new Hono().
func IsMadeRouter(text []byte, name string) bool {
	if name == "" {
		return false
	}
	for rest := text; ; {
		i := bytes.Index(rest, []byte(name))
		if i < 0 {
			return false
		}
		rest = rest[i+len(name):]
		value, given := bytes.CutPrefix(bytes.TrimLeft(rest[:min(len(rest), 200)], " \t"), []byte("="))
		if given && RouterMaker.Match(bytes.TrimLeft(value, " \t\n")) {
			return true
		}
	}
}
