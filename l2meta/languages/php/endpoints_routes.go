package php

import (
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// routeGroup holds the prefix, controller and namespace that route groups set.
type routeGroup struct{ prefix, controller, namespace string }

// readRoutes records routes of Laravel, Lumen, Slim and FastRoute.
func readRoutes(r *services.Reader, c *code.Call) {
	if c.Kind != code.CallPlain || !routes(r, c) {
		return
	}
	args := r.Arguments(c)
	root, steps := folding.Chain(r.Receiver(c))
	g := groups(r, c)
	g.add(r, c, steps)
	behind := r.Behind(c)
	for _, s := range behind {
		if s.Name == "prefix" && len(s.Args) > 0 && services.PlainVerb(c.Callee) != "" {
			g.prefix = folding.JoinURL(g.prefix, plain(s.Args[0]))
		}
	}
	switch method := services.PlainVerb(c.Callee); {
	case len(args) == 0:
	case c.Callee == "group" || c.Callee == "withRouting":
		readFiles(r, c, g, args)
	case c.Callee == "setBasePath":
		if isText(args[0]) {
			r.Mount(c.Caller, c.NameSpan, plain(args[0]), ".")
		}
	case strings.Contains(strings.ToLower(c.Callee), "resource") ||
		strings.HasSuffix(strings.ToLower(c.Callee), "singleton") && !strings.HasSuffix(r.Receiver(c), "app"):
		// $this->app->singleton('cache', Store::class) binds a class in Laravel's container
		readResources(r, c, g, args, behind)
	case len(args) < 2:
	case c.Callee == "match" || c.Callee == "map" || c.Callee == "addRoute":
		methods := items(args[0])
		if isText(args[0]) {
			methods = strings.Split(plain(args[0]), "|")
		}
		for _, m := range methods {
			if len(args) > 2 && folding.MethodOf(m) != "" {
				g.keep(r, c, folding.MethodOf(m), args[1], args[2])
			}
		}
	case c.Callee == "any":
		g.keep(r, c, "", args[0], args[1])
	case c.Callee == "view" && root == "Route":
		g.keep(r, c, "GET", args[0], "fn(")
	case method != "":
		g.keep(r, c, method, args[0], args[1])
	}
}

// routes reports whether the receiver of a call is a router: Laravel's facade Route, or a variable that is named like
// a router.
func routes(r *services.Reader, c *code.Call) bool {
	receiver := r.Receiver(c)
	if c.Callee == "withRouting" {
		return strings.Contains(receiver, "Application::configure")
	}
	root, _ := folding.Chain(receiver)
	root = strings.TrimPrefix(root, `\`)
	name := strings.ToLower(strings.TrimPrefix(root[strings.LastIndexAny(root, `\>`)+1:], "$"))
	switch name {
	case "route", "router", "app", "group", "r", "proxy":
		return strings.HasPrefix(root, "$") || name == "route" && root[len(root)-len("Route")] == 'R'
	}
	return false
}

// groups returns the prefix, controller and namespace that the route groups around a call set, applied from the
// outside in.
func groups(r *services.Reader, c *code.Call) (g routeGroup) {
	for _, outer := range r.Enclosing(c.NameSpan.StartByte, "group", "addGroup", "mount") {
		_, steps := folding.Chain(r.Receiver(outer))
		g.add(r, outer, steps)
		args := r.Arguments(outer)
		switch {
		case len(args) < 2:
		case isText(args[0]):
			g.prefix = folding.JoinURL(g.prefix, plain(args[0]))
		default:
			if p := entry(args[0], "prefix"); p != "" {
				g.prefix = folding.JoinURL(g.prefix, r.Fold(p, outer.NameSpan.StartByte))
			}
			if n := entry(args[0], "namespace"); isText(n) {
				g.namespace = strings.Trim(g.namespace+`\`+plain(n), `\`)
			}
			if n := entry(args[0], "controller"); n != "" {
				g.controller = dotted(n)
			}
		}
	}
	return g
}

// add adds to g the path prefix, controller and namespace that the calls before a route or a group
// set: prefix('v1')->controller(C::class).
func (g *routeGroup) add(r *services.Reader, c *code.Call, steps []folding.Step) {
	for _, s := range steps {
		switch {
		case len(s.Args) == 0:
		case s.Name == "prefix":
			g.prefix = folding.JoinURL(g.prefix, r.Fold(s.Args[0], c.NameSpan.StartByte))
		case s.Name == "controller":
			g.controller = dotted(s.Args[0])
		case s.Name == "namespace" && isText(s.Args[0]):
			g.namespace = strings.Trim(g.namespace+`\`+plain(s.Args[0]), `\`)
		}
	}
}

// keep records a route for each template into which the optional parts of template expand:
// /orders and /orders/{id} for /orders[/{id}].
func (g *routeGroup) keep(r *services.Reader, c *code.Call, method, template, handler string) {
	p := r.Fold(template, c.NameSpan.StartByte)
	if !isText(template) && !strings.Contains(p, "/") {
		return
	}
	for _, t := range templates(p) {
		r.Route(c.Caller, c.NameSpan, method, strings.TrimSuffix(g.prefix, "/"), t, g.handler(handler), routerOf(r))
	}
}

var constrained = regexp.MustCompile(`\{(\w+):(?:[^{}]|\{[^{}]*\})*\}`)

// templates expands a template with optional parts: /orders[/{id:\d+}] of FastRoute into /orders
// and /orders/{id}.
func templates(p string) []string {
	p = constrained.ReplaceAllString(p, "{$1}")
	before, part, ok := strings.Cut(p, "[")
	if !ok {
		return []string{p}
	}
	return []string{before, before + strings.NewReplacer("[", "", "]", "").Replace(part)}
}

// laravelAPI is the file whose routes Laravel mounts at /api, unless its provider sets another
// path.
const laravelAPI = "routes/api.php"

// routerOf returns the name under which a route file is mounted as a whole: "api.php" for Laravel's API routes, ""
// for any other file.
func routerOf(r *services.Reader) string {
	if r.File.Path == laravelAPI || strings.HasSuffix(r.File.Path, "/"+laravelAPI) {
		return "api.php"
	}
	return ""
}

// handler returns the handler of a route in the form of Reader.Route: "action App.OrderController.show" for a method.
func (g *routeGroup) handler(arg string) string {
	list := items(arg)
	switch {
	case len(list) == 2 && isText(list[1]) && !strings.Contains(list[0], "=>"): // [OrderController::class, 'show']
		return "action " + g.class(dotted(list[0])) + "." + plain(list[1])
	case list != nil:
		if used := entry(arg, "uses"); used != "" {
			return g.handler(used)
		}
		return "=>"
	case folding.IsFunction(arg) || arg == "":
		return "=>"
	}
	class, method := arg, ""
	// Slim names a method by a text: Create::class . ':show'
	if before, after, ok := strings.Cut(arg, "."); ok && strings.Contains(before, "::class") {
		class, method = strings.TrimSpace(before), strings.Trim(plain(strings.TrimSpace(after)), ":")
	}
	if isText(arg) {
		class = plain(arg)
		if i := strings.IndexAny(class, "@:"); i >= 0 {
			class, method = class[:i], strings.TrimLeft(class[i:], "@:")
		} else if g.controller != "" {
			class, method = g.controller, class
		} else if class != "" && !strings.ContainsAny(class, `\.`) && code.Decapitalized(class) == class {
			return class // a function
		}
	} else if !strings.Contains(arg, "::class") {
		return "=>"
	}
	if method == "" {
		method = "__invoke"
	}
	return "action " + g.class(dotted(class)) + "." + method
}

// class returns the full name of a class, in the namespace that the enclosing route groups set.
func (g *routeGroup) class(name string) string {
	if g.namespace == "" || strings.Contains(name, ".") {
		return name
	}
	return strings.ReplaceAll(g.namespace, `\`, ".") + "." + name
}

// dotted returns the class that an expression names, with dots: App.OrderController for
// \App\OrderController::class.
func dotted(expr string) string {
	name := strings.TrimSuffix(plain(strings.TrimSpace(expr)), "::class")
	return strings.ReplaceAll(strings.Trim(strings.ReplaceAll(name, `\\`, `\`), `\`), `\`, ".")
}

// resourceActions lists the actions of a Laravel resource. An action with member set has the path
// of a single object. An action with form set shows a form; an API resource lacks it.
var resourceActions = []struct {
	method, action, last string
	member, form         bool
}{
	{"GET", "index", "", false, false}, {"GET", "create", "/create", false, true}, {"POST", "store", "", false, false},
	{"GET", "show", "", true, false}, {"GET", "edit", "/edit", true, true},
	{"PUT", "update", "", true, false}, {"PATCH", "update", "", true, false}, {"DELETE", "destroy", "", true, false},
}

// readResources records the routes of Route::resource('photos.comments', C::class) and similar
// calls, restricted by only and except.
func readResources(r *services.Reader, c *code.Call, g routeGroup, args []string, behind []folding.Step) {
	if list := items(args[0]); list != nil { // Route::apiResources(['photos' => C::class])
		for _, item := range list {
			if name, class, ok := strings.Cut(item, "=>"); ok {
				g.keepResource(r, c, plain(strings.TrimSpace(name)), strings.TrimSpace(class), nil, nil, false)
			}
		}
		return
	}
	if len(args) < 2 || !isText(args[0]) {
		return
	}
	var only, except []string
	shallow := false
	if len(args) > 2 {
		only, except = names(entry(args[2], "only")), names(entry(args[2], "except"))
	}
	for _, s := range behind {
		switch {
		case s.Name == "shallow":
			shallow = true
		case len(s.Args) == 0:
		case s.Name == "only":
			only = names(strings.Join(s.Args, ","))
		case s.Name == "except":
			except = names(strings.Join(s.Args, ","))
		}
	}
	g.keepResource(r, c, plain(args[0]), args[1], only, except, shallow)
}

// names returns the strings in an array literal.
func names(array string) (out []string) {
	for _, item := range folding.ListItems(strings.Trim(array, "[]")) {
		if isText(item) {
			out = append(out, plain(item))
		}
	}
	return out
}

func (g *routeGroup) keepResource(r *services.Reader, c *code.Call, name, class string,
	only, except []string, shallow bool) {
	path, member := "", ""
	parts := strings.Split(name, ".")
	for i, part := range parts {
		path += "/" + strings.Trim(part, "/")
		if i < len(parts)-1 {
			path += "/{" + part + "}"
		}
	}
	single := strings.HasSuffix(strings.ToLower(c.Callee), "singleton")
	if member = path + "/{id}"; single {
		member = path
	} else if shallow {
		member = "/" + parts[len(parts)-1] + "/{id}"
	}
	for _, a := range resourceActions {
		switch {
		case len(only) > 0 && !slices.Contains(only, a.action), slices.Contains(except, a.action),
			a.form && strings.HasPrefix(c.Callee, "api"), single && a.action == "index":
			continue
		}
		p := path
		if a.member {
			p = member
		}
		r.Route(c.Caller, c.NameSpan, a.method, strings.TrimSuffix(g.prefix, "/"), p+a.last,
			"offered "+g.class(dotted(class))+"."+a.action, routerOf(r))
	}
}

// readFiles records mounts of route files: Route::prefix('v1')->group(base_path('routes/v1.php'))
// and withRouting(api: …, apiPrefix: 'v1').
func readFiles(r *services.Reader, c *code.Call, g routeGroup, args []string) {
	prefix, file := g.prefix, args[len(args)-1]
	if c.Callee == "withRouting" {
		prefix, file = "", ""
		for _, a := range args {
			if given, ok := strings.CutPrefix(a, "apiPrefix:"); ok {
				prefix, file = plain(strings.TrimSpace(given)), "'"+laravelAPI+"'"
			}
		}
	}
	from, to := strings.IndexAny(file, `'"`), strings.LastIndexAny(file, `'"`)
	if folding.IsFunction(file) || from < 0 || to <= from || !strings.HasSuffix(file[from+1:to], ".php") {
		return
	}
	r.MountOn(c, prefix, "'"+strings.TrimLeft(file[from+1:to], "./")+"'", "")
}
