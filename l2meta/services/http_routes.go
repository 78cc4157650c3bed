package services

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
)

// goRoutes reads net/http, chi, gin, echo, gorilla and fiber.
func goRoutes(r *httpReader, c *code.Call) {
	args := r.arguments(c)
	if len(args) < 2 || c.Receiver == "" && c.Callee != "HandleFunc" {
		return
	}
	at, method := 0, ""
	switch c.Callee {
	case "HandleFunc", "Handle":
	case "Method", "MethodFunc":
		at, method = 1, methodOf(args[0])
	case "Any", "All":
	default:
		if method = plainVerb(c.Callee); method == "" {
			return
		}
	}
	if len(args) < at+2 {
		return
	}
	template := r.fold.fold(args[at], c.NameSpan.StartByte)
	if verb, rest, ok := strings.Cut(template, " "); ok && methodOf(verb) != "" { // "GET /x" of Go 1.22
		method, template = methodOf(verb), strings.TrimSpace(rest)
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
	prefix := r.goPrefix(c, c.Receiver, 0)
	methods := []string{method}
	if behind := r.fold.text[c.Span.EndByte:min(len(r.fold.text), c.Span.EndByte+120)]; method == "" && strings.HasPrefix(behind, ".Methods(") {
		methods = methods[:0]
		for _, m := range ListItems(behind[len(".Methods("):]) {
			methods = append(methods, methodOf(m))
		}
	}
	for _, m := range methods {
		r.route(c.Caller, c.NameSpan, m, prefix, template, args[len(args)-1])
	}
}

// goPrefix is what the router of a route is mounted below.
func (r *httpReader) goPrefix(c *code.Call, receiver string, step int) (prefix string) {
	for _, outer := range r.enclosing(c.NameSpan.StartByte, "Route", "Group") {
		if args := r.arguments(outer); len(args) > 1 && strings.HasPrefix(args[len(args)-1], "func") {
			if p, ok := r.path(args[0], outer.NameSpan.StartByte); ok {
				prefix = joinURL(prefix, p)
			}
		}
	}
	if prefix != "" || step > maxFolds {
		return prefix
	}
	value, where := r.fold.lookup(lastWord(receiver), c.NameSpan.StartByte)
	for _, maker := range []string{".Group(", ".PathPrefix(", ".Party("} {
		if before, rest, ok := strings.Cut(value, maker); ok {
			if args := ListItems(rest); len(args) > 0 {
				if p, ok := r.path(args[0], where); ok {
					outer := *c
					outer.NameSpan.StartByte = where
					return strings.TrimSuffix(joinURL(r.goPrefix(&outer, before, step+1), p), "/")
				}
			}
		}
	}
	return ""
}

var scriptRouterWords = []string{"app", "router", "server", "fastify", "api", "route", "express", "hono", "instance"}

// scriptRoutes reads Express, Fastify, Koa and Hono.
func scriptRoutes(r *httpReader, c *code.Call) {
	args := r.arguments(c)
	name := lastWord(c.Receiver)
	method := plainVerb(c.Callee)
	if i := strings.Index(c.Receiver, ".route("); i >= 0 && method != "" && len(args) > 0 { // router.route('/x').get(h)
		if given := ListItems(c.Receiver[i+len(".route("):]); len(given) > 0 {
			if p, ok := r.path(given[0], c.NameSpan.StartByte); ok {
				r.route(c.Caller, c.NameSpan, method, r.scriptPrefix(c, lastWord(c.Receiver[:i])), p, args[len(args)-1], lastWord(c.Receiver[:i]))
			}
		}
		return
	}
	if len(args) == 0 || !r.routes(name, c) {
		return
	}
	switch {
	case c.Callee == "route" && strings.HasPrefix(args[0], "{"): // fastify.route({method, url, handler})
		if url, ok := quoted(property(args[0], "url")); ok {
			r.route(c.Caller, c.NameSpan, methodOf(property(args[0], "method")), "", url, property(args[0], "handler"))
		}
	case (c.Callee == "use" || c.Callee == "route" || c.Callee == "register") && len(args) > 1:
		prefix, ok := r.path(args[0], c.NameSpan.StartByte)
		router := args[len(args)-1]
		if c.Callee == "register" { // fastify.register(routes, {prefix: '/x'})
			p, found := quoted(property(args[len(args)-1], "prefix"))
			prefix, ok, router = p, found, args[0]
		}
		if ok && !isFunction(router) {
			r.keep(l2meta.RoleMount, c.Caller, c.NameSpan, "", joinURL(r.scriptPrefix(c, name), prefix), router)
		}
	case (method != "" || c.Callee == "all") && len(args) > 1 && !strings.HasPrefix(args[len(args)-1], "{"):
		if p, ok := r.path(args[0], c.NameSpan.StartByte); ok {
			r.route(c.Caller, c.NameSpan, method, r.scriptPrefix(c, name), p, args[len(args)-1], name)
		}
	}
}

// routes reports whether a name is one of a router.
func (r *httpReader) routes(name string, c *code.Call) bool {
	lower := strings.ToLower(name)
	for _, w := range scriptRouterWords {
		if strings.Contains(lower, w) {
			return true
		}
	}
	value, _ := r.fold.lookup(name, c.NameSpan.StartByte)
	return strings.Contains(value, "express()") || strings.Contains(value, "Router(") || strings.Contains(value, "new Hono") || strings.Contains(value, "fastify(")
}

// scriptPrefix is the prefix that a router was made with: new Router({prefix:
// '/x'}), new Hono().basePath('/x').
func (r *httpReader) scriptPrefix(c *code.Call, name string) string {
	value, where := r.fold.lookup(name, c.NameSpan.StartByte)
	for _, key := range []string{"prefix:", "basePath("} {
		if _, rest, ok := strings.Cut(value, key); ok {
			if parts := ListItems(rest); len(parts) > 0 {
				return strings.TrimSuffix(r.fold.fold(parts[0], where), "/")
			}
		}
	}
	return ""
}

// pythonRoutes reads what is no decorator: Django's urls, aiohttp, mounts of
// routers and blueprints.
func pythonRoutes(r *httpReader, c *code.Call) {
	args := r.arguments(c)
	if len(args) < 1 {
		return
	}
	text, isText := quoted(args[0])
	switch {
	case (c.Callee == "path" || c.Callee == "re_path") && c.Receiver == "" && isText && len(args) > 1:
		if strings.HasPrefix(args[1], "include(") {
			r.keep(l2meta.RoleMount, c.Caller, c.NameSpan, "", "/"+strings.Trim(text, "/"), strings.Trim(strings.TrimSuffix(strings.TrimPrefix(args[1], "include("), ")"), `"'`))
			return
		}
		r.route(c.Caller, c.NameSpan, "", "", strings.Trim(text, "^$"), strings.TrimSuffix(args[1], ".as_view()"))
	case strings.HasPrefix(c.Callee, "add_") && methodOf(strings.TrimPrefix(c.Callee, "add_")) != "" && isText && len(args) > 1:
		r.route(c.Caller, c.NameSpan, methodOf(strings.TrimPrefix(c.Callee, "add_")), "", text, args[1])
	case c.Callee == "add_url_rule" && isText:
		r.route(c.Caller, c.NameSpan, "", "", text, keyword(args, "view_func"))
	case c.Callee == "include_router" || c.Callee == "register_blueprint":
		prefix := keyword(args, "prefix") + keyword(args, "url_prefix")
		if p, ok := quoted(prefix); ok {
			r.keep(l2meta.RoleMount, c.Caller, c.NameSpan, "", p, args[0])
		}
	}
}

// keyword is the value of a keyword argument, "" without one.
func keyword(args []string, name string) string {
	for _, a := range args {
		if key, value, ok := strings.Cut(a, "="); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// csharpRoutes reads the endpoints of minimal APIs, and the base addresses that
// typed clients are given.
func csharpRoutes(r *httpReader, c *code.Call) {
	args := r.arguments(c)
	if c.Callee == "AddHttpClient" {
		generic, rest, _ := strings.Cut(strings.TrimPrefix(r.after(c), "<"), ">")
		if _, address, ok := strings.Cut(rest, "BaseAddress ="); ok && generic != "" {
			name := generic[strings.LastIndexAny(generic, ", ")+1:]
			address = strings.TrimSpace(address)
			address = "new URL" + strings.TrimPrefix(strings.TrimPrefix(address, "new Uri"), "new")
			if parts := ListItems(address); len(parts) > 0 {
				r.keep(l2meta.RoleBase, c.Caller, c.NameSpan, "", strings.TrimRight(r.fold.fold(parts[0], c.NameSpan.StartByte), "/"), name)
			}
		}
		return
	}
	method := methodOf(strings.TrimPrefix(c.Callee, "Map"))
	if !strings.HasPrefix(c.Callee, "Map") || method == "" && c.Callee != "Map" || len(args) < 2 {
		return
	}
	if p, ok := quoted(args[0]); ok {
		r.route(c.Caller, c.NameSpan, method, r.csharpGroup(c.Receiver, c.NameSpan.StartByte, 0), p, args[1])
	}
}

func (r *httpReader) csharpGroup(receiver string, at, step int) string {
	value, where := r.fold.lookup(lastWord(receiver), at)
	before, rest, ok := strings.Cut(value, ".MapGroup(")
	if !ok || step > maxFolds {
		return ""
	}
	parts := ListItems(rest)
	if len(parts) == 0 {
		return ""
	}
	p, _ := quoted(parts[0])
	return joinURL(r.csharpGroup(before, where, step+1), p)
}

// rubyRoutes reads Sinatra, and of Rails the routes that are written out and
// those of resources.
func rubyRoutes(r *httpReader, c *code.Call) {
	if c.Receiver != "" || c.Callee != "resources" && plainVerb(c.Callee) == "" {
		return
	}
	args := r.arguments(c)
	if len(args) == 0 {
		return
	}
	prefix := ""
	for _, outer := range r.enclosing(c.NameSpan.StartByte, "namespace", "scope") {
		if given := r.arguments(outer); len(given) > 0 {
			prefix += "/" + strings.Trim(given[0], ":\"'/ do")
		}
	}
	if c.Callee == "resources" {
		r.rubyResources(c, prefix, strings.TrimPrefix(strings.TrimSuffix(args[0], " do"), ":"))
		return
	}
	template, _, _ := strings.Cut(strings.TrimSuffix(args[0], " do"), "=>")
	if p, ok := quoted(strings.TrimSpace(template)); ok {
		to := strings.Trim(keywordRuby(args, "to"), `"'`)
		r.route(c.Caller, c.NameSpan, plainVerb(c.Callee), prefix, "/"+strings.TrimPrefix(p, "/"), rubyAction(to))
	}
}

func (r *httpReader) rubyResources(c *code.Call, prefix, name string) {
	for _, a := range []struct{ method, path, action string }{
		{"GET", "", "index"}, {"POST", "", "create"}, {"GET", "/:id", "show"}, {"PUT", "/:id", "update"}, {"PATCH", "/:id", "update"}, {"DELETE", "/:id", "destroy"},
	} {
		r.route(c.Caller, c.NameSpan, a.method, prefix, "/"+name+a.path, rubyAction(name+"#"+a.action))
	}
}

// rubyAction is the method that "orders#show" names.
func rubyAction(to string) string {
	controller, action, ok := strings.Cut(to, "#")
	if !ok {
		return ""
	}
	var b strings.Builder
	for _, part := range strings.Split(code.Base(controller), "_") {
		if part != "" {
			b.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
	}
	return b.String() + "Controller." + action
}

func keywordRuby(args []string, name string) string {
	for _, a := range args {
		if rest, ok := strings.CutPrefix(a, name+":"); ok {
			return strings.TrimSpace(strings.TrimSuffix(rest, " do"))
		}
	}
	return ""
}

// phpRoutes reads Laravel and Slim.
func phpRoutes(r *httpReader, c *code.Call) {
	args := r.arguments(c)
	name := strings.ToLower(lastWord(c.Receiver))
	if plainVerb(c.Callee) == "" || len(args) < 2 || name != "route" && name != "$app" && name != "app" && name != "$group" && name != "$router" && name != "router" {
		return
	}
	if p, ok := quoted(args[0]); ok {
		prefix := ""
		for _, outer := range r.enclosing(c.NameSpan.StartByte, "group") {
			if given := r.arguments(outer); len(given) > 1 {
				if p, ok := quoted(given[0]); ok {
					prefix = joinURL(prefix, p)
				}
			}
		}
		r.route(c.Caller, c.NameSpan, plainVerb(c.Callee), prefix, p, args[1])
	}
}

var (
	axumMethod  = regexp.MustCompile(`\b(get|post|put|delete|patch)\s*\(\s*([\w:]+)\s*\)`)
	actixMethod = regexp.MustCompile(`web::(get|post|put|delete|patch)\(\)\.to\(([\w:]+)\)`)
)

// rustRoutes reads axum, and the resources of actix.
func rustRoutes(r *httpReader, c *code.Call) {
	args := r.arguments(c)
	if c.Callee != "route" || len(args) < 2 {
		return
	}
	if p, ok := quoted(args[0]); ok {
		for _, m := range axumMethod.FindAllStringSubmatch(strings.Join(args[1:], ","), -1) {
			r.route(c.Caller, c.NameSpan, m[1], "", p, m[2])
		}
		if m := actixMethod.FindStringSubmatch(strings.Join(args[1:], ",")); m != nil {
			r.route(c.Caller, c.NameSpan, m[1], "", p, m[2])
		}
	}
}
