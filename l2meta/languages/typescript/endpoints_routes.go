package typescript

import (
	"cmp"
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/languages/typescript/rules"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
	"sextant/l2meta/syntax"
)

// readRoutes records the routes of Express, Fastify, Koa and Hono.
func readRoutes(r *services.Reader, c *code.Call) {
	keepInstance(r, c)
	method := verbOf(c.Callee)
	switch {
	case c.Callee == "Router" || c.Callee == "KoaRouter":
		readRouter(r, c)
		return
	case c.Receiver == "" || c.Kind != code.CallPlain:
		return
	case c.Callee == "listen" && strings.HasSuffix(c.Receiver, "invoker"):
		readInvoked(r, c)
		return
	case c.Callee == "setGlobalPrefix":
		if args := r.Arguments(c); len(args) > 0 {
			if p, ok := folding.Quoted(args[0]); ok {
				r.Mount(c.Caller, c.NameSpan, p, ".")
			}
		}
		return
	case method == "" && c.Callee != "all" && c.Callee != "use" && c.Callee != "route" && c.Callee != "register":
		return
	}
	if c.Receiver == "this" && readOwn(r, c, method) {
		return
	}
	receiver := r.ChainStart(c)
	root, steps := folding.Chain(receiver)
	name := folding.LastWord(root)
	if !isRouter(r, name) && !madeHere(receiver) ||
		syntax.IsAwaited(r.Text, c.Span.StartByte) {
		return
	}
	args := r.Arguments(c)
	if len(args) == 0 {
		return
	}
	switch {
	case c.Callee == "use" || c.Callee == "register" || c.Callee == "route":
		readMount(r, c, name, args)
	default:
		readRoute(r, c, name, method, steps, args)
	}
}

// madeHere reports whether a receiver starts with the construction of a router: express().get(…),
// new Hono().get(…).
func madeHere(receiver string) bool { return rules.RouterMaker.MatchString(receiver) }

// readRoute records router.get('/x', h), router.route('/x').get(h), and chains of them.
func readRoute(r *services.Reader, c *code.Call, name, method string, steps []folding.Step, args []string) {
	paths := pathsOf(r, c, args[0])
	if len(args) < 2 || len(paths) == 0 {
		if len(paths) > 0 { // app.get('setting') reads a setting
			return
		}
		for i := len(steps) - 1; i >= 0 && len(paths) == 0; i-- {
			if steps[i].Name == "route" && len(steps[i].Args) > 0 {
				paths = pathsOf(r, c, steps[i].Args[0])
			}
		}
	}
	handler := args[len(args)-1]
	// an object as the last argument: fastify.get('/x', {handler})
	if object := objectOf(r, c, handler); object != "" {
		if handler = folding.Property(object, "handler"); handler == "" {
			return
		}
	}
	for _, p := range paths {
		r.Route(c.Caller, c.NameSpan, method, pluginPrefix(r, c)+routerPrefix(r, c, name), p, handlerOf(handler), name)
	}
}

// pathsOf returns the route templates in an argument, which is one string or a list of strings.
func pathsOf(r *services.Reader, c *code.Call, arg string) (out []string) {
	list := []string{arg}
	if inner, ok := strings.CutPrefix(arg, "["); ok {
		list = folding.ListItems(inner)
	}
	for _, a := range list {
		p, ok := r.Path(a, c.NameSpan.StartByte)
		if quoted, is := folding.Quoted(a); !ok && is && (quoted == "" || quoted == "*") {
			p, ok = "/"+quoted, true
		}
		if ok {
			out = append(out, cmp.Or(basePart.ReplaceAllString(p, ""), "/"))
		}
	}
	return out
}

// basePart matches a base path that a program is given, at the start of a template: {#0.basePath:config.basePath} of
// `${config.basePath}/items`. It is empty in most deployments, and clients know it as part of the host.
var basePart = regexp.MustCompile(`^\{(?:#[^{}]*(?i:base|prefix)|(?:[a-z]\w*)?[bB]ase)\w*\}`)

var (
	// ownMethod matches a method of the object itself, perhaps bound to it: this.show, this.show.bind(this).
	ownMethod = regexp.MustCompile(`^this\.\w+(?:\.bind\(this\))?$`)
	// unknownStart matches a path that begins with a variable of unknown value: {prefix}/{id} of `${prefix}/:id`.
	unknownStart = regexp.MustCompile(`^\{[a-z]\w*\}`)
	// mountedObject matches an object's router: new ItemController(db).router.
	mountedObject = regexp.MustCompile(`^new \w+\([^()]*\)\.\w*[rR]outer\w*(?:\(\))?$`)
)

// readOwn records the routes that a controller adds by methods of its base class, which holds the router:
// this.route({ method: "get", path: "/x", handler: this.show }), this.get("/x", this.show) and
// this.use("/items", new ItemController().router). It returns false for any other call.
func readOwn(r *services.Reader, c *code.Call, method string) bool {
	args := r.Arguments(c)
	switch {
	case len(args) == 0:
		return false
	case c.Callee == "route" && strings.HasPrefix(args[0], "{"):
		path, _ := r.Path(folding.Property(args[0], "path"), c.NameSpan.StartByte)
		if unknownStart.MatchString(path) || !ownMethod.MatchString(folding.Property(args[0], "handler")) {
			return false
		}
		readRouteObject(r, c, "this", args[0])
	case c.Callee == "use" && len(args) == 2 && mountedObject.MatchString(args[1]):
		readMount(r, c, "this", args)
	case method != "" && len(args) > 1 && ownMethod.MatchString(args[1]):
		for _, p := range pathsOf(r, c, args[0]) {
			r.Route(c.Caller, c.NameSpan, method, "", p, handlerOf(args[1]), "this")
		}
	default:
		return false
	}
	return true
}

// readMount records app.use('/x', router), fastify.register(plugin, {prefix}), hono.route('/x',
// app) and fastify.route({method, url, handler}).
func readMount(r *services.Reader, c *code.Call, name string, args []string) {
	if strings.HasPrefix(args[0], "{") {
		if c.Callee == "route" {
			readRouteObject(r, c, name, args[0])
		}
		return
	}
	// Koa's allowedMethods() serves no routes
	for len(args) > 1 && strings.Contains(args[len(args)-1], ".allowedMethods(") {
		args = args[:len(args)-1]
	}
	prefix, routers := "", args
	if c.Callee == "register" {
		routers = args[:1]
		if len(args) > 1 {
			prefix = folding.Property(objectOf(r, c, args[1]), "prefix")
		}
		if prefix != "" {
			prefix = r.Fold(prefix, c.NameSpan.StartByte)
		}
	} else if len(args) > 1 {
		paths := pathsOf(r, c, args[0])
		if len(paths) == 0 && services.MayAddress(folding.LastWord(args[0]), "") {
			// the path is a setting: app.use(config.api.prefix, items)
			paths = []string{r.Fold(args[0], c.NameSpan.StartByte)}
		}
		if len(paths) == 0 { // app.use(auth, items), app.use(module.path, module.router)
			r.Mount(c.Caller, c.NameSpan, "", services.SomeRouter)
			return
		}
		prefix, routers = paths[0], args[1:]
	}
	below := folding.JoinURL(pluginPrefix(r, c)+routerPrefix(r, c, name), prefix)
	for _, router := range routers {
		mountRouter(r, c, name, below, router)
	}
}

// mountRouter records that the routers in an argument are below a path of the router called name.
func mountRouter(r *services.Reader, c *code.Call, name, below, router string) {
	if list, ok := strings.CutPrefix(router, "["); ok { // app.use('/x', [items, orders])
		for _, item := range folding.ListItems(list) {
			if !strings.HasPrefix(item, "[") {
				mountRouter(r, c, name, below, item)
			}
		}
		return
	}
	if m := koaRouter.FindStringSubmatch(router); m != nil && isRouterOfKoa(r, c, m[1]) {
		router = m[1]
	}
	if strings.HasPrefix(router, "...") {
		r.Mount(c.Caller, c.NameSpan, "", services.SomeRouter)
	} else if class := classOfRouter(r, c, router); class != "" {
		r.MountOn(c, below, class, name)
	} else if isMiddleware(r, c, router) {
		return
	} else if mountable(r, router) {
		r.MountOn(c, below, router, name)
	} else if made := madeBy(router); made != "" {
		r.MountOn(c, below, "("+made+")", name)
	}
}

var (
	// routerOfObject matches a member of an object that the expression constructs, or that a
	// variable holds: new Items().router, items.getRoutes().
	routerOfObject = regexp.MustCompile(`^(?:\(?new (\w+)\([^()]*\)\)?|(?:this\.)?(\w+))\.(\w+)(?:\(\))?$`)
	newObject      = regexp.MustCompile(`^new (\w+)\([^()]*\);?$`)
	// koaRouter matches the middleware that Koa's router returns for its routes: items.routes().
	koaRouter = regexp.MustCompile(`^(?:this\.)?(\w+)\.(?:routes|middleware)\(\)$`)
)

// classOfRouter returns the class whose object holds the router of a mount: ItemRoutes of new ItemRoutes(db).router, of
// new ItemRoutes().getRoutes(), and of items.getRoutes() after const items = new ItemRoutes(). It returns "" if there is
// none.
func classOfRouter(r *services.Reader, c *code.Call, arg string) string {
	m := routerOfObject.FindStringSubmatch(arg)
	if m == nil || !strings.Contains(strings.ToLower(m[3]), "rout") {
		return ""
	}
	if m[1] != "" {
		return m[1]
	}
	value, _ := r.Lookup(m[2], c.NameSpan.StartByte)
	if madeHere(value) { // a library's router: new Router()
		return ""
	}
	if made := newObject.FindStringSubmatch(value); made != nil {
		return made[1]
	}
	return ""
}

// isRouterOfKoa reports whether a variable holds a router that its library constructs, as after
// const items = new Router(). It also returns true if the value comes from another file.
func isRouterOfKoa(r *services.Reader, c *code.Call, name string) bool {
	value, _ := r.Lookup(name, c.NameSpan.StartByte)
	return value == "" || strings.HasPrefix(value, "require(") || madeHere(value)
}

// madeBy returns the function that creates a router for a mount: ordersRouter for
// ordersRouter(controller). It returns "" for a function that creates anything else, such as
// cors(), because there are no routes to mount.
func madeBy(arg string) string {
	if m := callOfFunction.FindStringSubmatch(arg); m != nil && strings.HasSuffix(arg, ")") {
		return m[1]
	}
	return ""
}

var callOfFunction = regexp.MustCompile(`^(?:await )?((?:\w+\.)?\w+)\(`)

// mountable reports whether an argument may be a router: a name, the export of a module, or the routes of a router.
func mountable(r *services.Reader, arg string) bool {
	if folding.IsFunction(arg) {
		return false
	}
	root, steps := folding.Chain(arg)
	switch {
	case strings.HasPrefix(arg, "require("):
		return true
	case len(steps) == 0:
		return strings.Trim(root, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$.") == ""
	}
	last := steps[len(steps)-1].Name
	return root != "" && (last == "routes" || last == "middleware" || last == "getRouter" || last == "router")
}

func readRouteObject(r *services.Reader, c *code.Call, name, object string) {
	url := folding.Property(object, "url")
	if url == "" {
		url = folding.Property(object, "path")
	}
	handler := folding.Property(object, "handler")
	if handler == "" && strings.Contains(object, "handler(") {
		handler = "=>"
	}
	for _, p := range pathsOf(r, c, url) {
		methods := folding.ListItems(strings.Trim(folding.Property(object, "method"), "[]"))
		if len(methods) == 0 {
			methods = []string{""}
		}
		for _, m := range methods {
			r.Route(c.Caller, c.NameSpan, folding.MethodOf(m), pluginPrefix(r, c), p, handlerOf(handler), name)
		}
	}
}

// handlerOf returns the expression of the handler in an argument: show for the wrapper asyncHandler(show),
// orders.show for orders.show.bind(orders).
func handlerOf(arg string) string {
	if folding.IsFunction(arg) {
		return arg
	}
	root, steps := folding.Chain(arg)
	if len(steps) == 0 {
		// a list of handlers, of which the last one counts: [auth, show]
		if list, ok := strings.CutPrefix(arg, "["); ok {
			if items := folding.ListItems(list); len(items) > 0 {
				return handlerOf(items[len(items)-1])
			}
		}
		return arg
	}
	last := steps[len(steps)-1]
	if last.Name == "bind" && root != "" {
		return root
	}
	lower := strings.ToLower(root + last.Name)
	for _, word := range []string{"async", "wrap", "handle", "catch", "try", "with", "auth", "protect", "safe"} {
		if strings.Contains(lower, word) && len(last.Args) > 0 {
			return handlerOf(last.Args[len(last.Args)-1])
		}
	}
	return arg
}

// isRouter reports whether a name refers to a router.
func isRouter(r *services.Reader, name string) bool {
	return rules.IsRouterName(name) || rules.IsMadeRouter([]byte(r.Text), name)
}

// pluginPrefix returns the path prefix of the inline plugins around a call: /v1 for
// fastify.register(async (api) => { api.get(…) }, {prefix: '/v1'}).
func pluginPrefix(r *services.Reader, c *code.Call) (prefix string) {
	for _, outer := range r.Enclosing(c.NameSpan.StartByte, "register") {
		args := r.Arguments(outer)
		if len(args) < 2 || !folding.IsFunction(args[0]) {
			continue
		}
		if p := folding.Property(objectOf(r, outer, args[1]), "prefix"); p != "" {
			prefix += strings.TrimSuffix(r.Fold(p, outer.NameSpan.StartByte), "/")
		}
	}
	return prefix
}

// routerPrefix returns the path prefix of a router: from its construction, new Router({prefix: '/x'}) or new
// Hono().basePath('/x'), or from a later call, router.prefix('/x'). It returns "" if there is none.
func routerPrefix(r *services.Reader, c *code.Call, name string) string {
	value, where := r.Lookup(name, c.NameSpan.StartByte)
	for _, key := range []string{"prefix:", "basePath("} {
		if _, rest, ok := strings.Cut(value, key); ok && (key == "basePath(" || strings.Contains(value, "Router(")) {
			if parts := folding.ListItems(rest); len(parts) > 0 {
				return strings.TrimSuffix(r.Fold(parts[0], where), "/")
			}
		}
	}
	if _, rest, ok := strings.Cut(r.Text, name+".prefix("); ok && name != "" {
		if parts := folding.ListItems(rest[:min(len(rest), 200)]); len(parts) > 0 {
			return strings.TrimSuffix(r.Fold(parts[0], c.NameSpan.StartByte), "/")
		}
	}
	return ""
}
