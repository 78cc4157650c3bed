package rust

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// readAttributes records the routes in the attributes of symbol s. actix and Rocket use them, #[get("/x")], and so does
// utoipa, #[utoipa::path(get, path = "/x")].
func readAttributes(r *services.Reader, s int) {
	symbol := &r.File.Symbols[s]
	for _, a := range symbol.Annotations {
		name, args := folding.Annotation(strings.TrimSuffix(strings.TrimPrefix(a, "#["), "]"))
		if len(args) == 0 {
			continue
		}
		if name == "path" {
			readDescribed(r, s, args)
			continue
		}
		path, ok := folding.Quoted(args[0])
		if !ok || path != "" && path[0] != '/' {
			continue
		}
		methods := []string{services.PlainVerb(name)}
		if name == "route" { // #[route("/x", method = "GET", method = "HEAD")]
			methods = nil
			for _, a := range args[1:] {
				if key, value, named := strings.Cut(a, "="); named && strings.TrimSpace(key) == "method" {
					methods = append(methods, folding.MethodOf(strings.TrimSpace(value)))
				}
			}
		} else if methods[0] == "" || name != strings.ToLower(name) {
			continue
		}
		for _, m := range methods {
			r.Route(s, symbol.NameSpan, m, "", template(path), "")
		}
	}
}

// readDescribed records the routes of symbol s that the arguments of #[utoipa::path] describe:
// method(get, head), path = "/x".
func readDescribed(r *services.Reader, s int, args []string) {
	path, described := "", false
	var methods []string
	for _, a := range args {
		key, value, named := strings.Cut(a, "=")
		if named && strings.TrimSpace(key) == "path" {
			path, described = folding.Quoted(strings.TrimSpace(value))
		}
		for _, word := range strings.FieldsFunc(strings.TrimPrefix(a, "method"), func(c rune) bool {
			return strings.ContainsRune("(), ", c)
		}) {
			if m := services.PlainVerb(word); m != "" && !named {
				methods = append(methods, m)
			}
		}
	}
	if !described || strings.ContainsAny(path, " \t\n") {
		return
	}
	for _, m := range methods {
		r.Route(s, r.File.Symbols[s].NameSpan, m, "", "/"+strings.Trim(path, "/"), "")
	}
}

var angled = regexp.MustCompile(`<(\w+)(\.\.)?>`)

// template converts the path of a Rocket route: <id> to {id}, <path..> to {path...}. It removes
// the query.
func template(path string) string {
	path, _, _ = strings.Cut(path, "?")
	return angled.ReplaceAllStringFunc(path, func(v string) string {
		m := angled.FindStringSubmatch(v)
		if m[2] != "" {
			return "{" + m[1] + "...}"
		}
		return "{" + m[1] + "}"
	})
}

// readCall records the routes that calls of axum, actix, poem, Rocket and warp declare, and the
// path prefixes that they give to other routers.
func readCall(r *services.Reader, c *code.Call) {
	args := r.Arguments(c)
	if len(args) == 0 {
		return
	}
	switch c.Callee {
	case "route", "at":
		readRoute(r, c, args)
	case "to":
		if _, steps := folding.Chain(r.Receiver(c)); len(steps) > 0 && steps[len(steps)-1].Name == "resource" &&
			len(args) == 1 {
			keep(r, c, "", "", args[0])
		}
	case "nest", "nest_service", "mount":
		if path, ok := r.Path(args[0], c.NameSpan.StartByte); ok && len(args) > 1 {
			mount(r, c, path, args[1])
		}
	case "merge":
		mount(r, c, "", args[0])
	case "service", "configure":
		mount(r, c, "", args[0])
	case "routes":
		mountDescribed(r, c, args[0])
	case "and_then", "map", "then":
		readFilter(r, c, args[0])
	}
}

// readRoute records .route("/x", get(a).post(b)) of axum, .at("/x", get(a)) of poem, .route("/x",
// web::get().to(a)) of actix, and .route(web::get().to(a)) of actix resources.
func readRoute(r *services.Reader, c *code.Call, args []string) {
	path := ""
	if len(args) > 1 {
		p, ok := folding.Quoted(args[0])
		if !ok {
			if p, ok = r.Path(args[0], c.NameSpan.StartByte); !ok {
				return
			}
		}
		path = p
	}
	_, steps := folding.Chain(args[len(args)-1])
	method := ""
	for _, s := range steps {
		verb := services.PlainVerb(s.Name)
		switch {
		case s.Name == "to" && len(s.Args) == 1:
			keep(r, c, method, path, s.Args[0])
		case s.Name == "method" && len(s.Args) == 1:
			method = folding.MethodOf(s.Args[0])
		case verb != "" && len(s.Args) == 0:
			method = verb
		case verb != "" && len(args) > 1:
			keep(r, c, verb, path, s.Args[0])
		case (s.Name == "on" || s.Name == "any") && len(args) > 1 && len(s.Args) > 0:
			keep(r, c, folding.MethodOf(s.Args[0]), path, s.Args[len(s.Args)-1])
		}
	}
}

// keep records a route of the router on which a call is made.
func keep(r *services.Reader, c *code.Call, method, path, handler string) {
	prefix, router := standsBelow(r, c)
	whole := folding.JoinURL(prefix, template(path))
	if whole = strings.TrimRight(whole, "/"); whole == "" {
		whole = "/"
	}
	r.Route(c.Caller, c.NameSpan, method, "", whole, handler, router)
}

// standsBelow returns the path prefix and the name of the router on which call c is made. In let
// app = Router::new().nest("/api", Router::new().route("/x", get(x))) they are "/api" and app for
// the call of route. It does not include prefixes that other statements add.
func standsBelow(r *services.Reader, c *code.Call) (prefix, router string) {
	add := func(p string) { prefix = strings.TrimRight(prefix, "/") + "/" + strings.Trim(p, "/") }
	outer := c
	for _, around := range r.Enclosing(c.NameSpan.StartByte, "nest", "service", "configure") {
		if outer == c {
			outer = around
		}
		if p := scopeOf(r, around); p != "" {
			add(p)
		}
		if args := r.Arguments(around); around.Callee == "nest" && len(args) > 1 {
			if p, ok := r.Path(args[0], around.NameSpan.StartByte); ok {
				add(p)
			}
		}
	}
	if p := scopeOf(r, c); p != "" {
		add(p)
	}
	return prefix, routerOf(r, outer)
}

// scopeOf returns the path of web::scope("/x") or web::resource("/x") in the chain that contains a
// call, "" if there is none.
func scopeOf(r *services.Reader, c *code.Call) (path string) {
	root, steps := folding.Chain(r.ChainStart(c))
	if len(steps) == 0 || steps[0].Name != "scope" && steps[0].Name != "resource" {
		value, where := r.Lookup(folding.LastWord(root), c.NameSpan.StartByte)
		if _, steps = folding.Chain(value); where >= c.NameSpan.StartByte || len(steps) == 0 {
			return ""
		}
	}
	for _, s := range steps {
		if (s.Name == "scope" || s.Name == "resource") && len(s.Args) == 1 {
			if p, ok := folding.Quoted(s.Args[0]); ok {
				path += "/" + strings.Trim(p, "/")
			}
		}
	}
	return path
}

var bound = regexp.MustCompile(`(?:let\s+(?:mut\s+)?)?(\w+)\s*(?::\s*[\w:<>]+\s*)?=\s*$`)

// routerOf returns the name of the router that is the receiver of a call. That is the variable at
// the start of the call's chain, or the variable to which the chain is assigned. It returns "" if
// there is none.
func routerOf(r *services.Reader, c *code.Call) string {
	root, _ := folding.Chain(r.ChainStart(c))
	if root != "" && !strings.ContainsAny(root, ":.") && root == strings.ToLower(root) {
		return root
	}
	if m := bound.FindStringSubmatch(strings.TrimRight(r.Text[max(0, c.Span.StartByte-80):c.Span.StartByte],
		" \t\r\n")); m != nil {
		return m[1]
	}
	return ""
}

// mount records that the routes of a router, given as source text, are below a path prefix. The text is a
// variable that holds a router, a call of a function that returns one, or the name of a function.
func mount(r *services.Reader, c *code.Call, path, given string) {
	prefix, on := standsBelow(r, c)
	prefix = strings.TrimRight(prefix, "/") + "/" + strings.Trim(path, "/")
	if strings.HasPrefix(given, "routes!") || strings.HasPrefix(given, "|") || given == "" {
		return
	}
	root, steps := folding.Chain(given)
	switch {
	case len(steps) > 0 && (strings.HasSuffix(root, "Router") || strings.HasSuffix(root, "Route") ||
		strings.HasSuffix(root, "web")):
		return // the router is constructed in the argument itself
	case len(steps) > 0:
		keepCalled(r, c, prefix, on)
	case c.Callee == "service" || c.Callee == "configure":
		keepMount(r, c.Caller, c.NameSpan, prefix, "("+given+")", on)
	default:
		r.MountOn(c, prefix, given, on)
	}
}

// mountDescribed records that handlers with attributes belong to a router: .routes(routes!(list, users::add)) of
// utoipa_axum.
func mountDescribed(r *services.Reader, c *code.Call, given string) {
	list, ok := strings.CutPrefix(given, "routes!(")
	if !ok {
		return
	}
	prefix, on := standsBelow(r, c)
	for _, handler := range folding.ListItems(list) {
		keepMount(r, c.Caller, c.NameSpan, prefix, "("+handler+")", on)
	}
}

// keepCalled records a path prefix for the routes that are added by the functions called in the arguments of c.
func keepCalled(r *services.Reader, c *code.Call, prefix, on string) {
	for i := range r.File.Calls {
		inner := &r.File.Calls[i]
		if inner.NameSpan.StartByte > c.NameSpan.EndByte && inner.Span.EndByte <= c.Span.EndByte &&
			inner.Kind == code.CallPlain {
			keepMount(r, inner.Caller, inner.NameSpan, prefix, "()", on)
			return
		}
	}
}

func keepMount(r *services.Reader, owner int, at code.Span, prefix, router, on string) {
	if !strings.ContainsAny(prefix+router, " \n\t\"'`<>|\\^") {
		r.Keep(l2meta.RoleMount, owner, at, "", prefix, router+"\t"+on)
	}
}

var (
	rocketRoutes = regexp.MustCompile(`\broutes!\s*\[([^\]]*)\]`)
	matchArm     = regexp.MustCompile(
		`\(\s*&?(?:\w+::)*Method::([A-Z]+)\s*,\s*"(/[^"]*)"\s*\)\s*=>\s*\{?\s*([\w:]+\(|)`)
)

// readWhole records the routes in Rocket's routes!, and the routes in a match on a request's method and path.
func readWhole(r *services.Reader) {
	for _, m := range rocketRoutes.FindAllStringSubmatchIndex(r.Text, -1) {
		prefix := "/"
		for _, c := range r.Enclosing(m[0], "mount") {
			if args := r.Arguments(c); len(args) > 1 {
				if p, ok := r.Path(args[0], c.NameSpan.StartByte); ok {
					prefix = p
				}
			}
		}
		owner := r.Around(m[0])
		for _, name := range folding.ListItems(r.Text[m[2]:m[3]]) {
			if prefix != "/" || owner >= 0 {
				r.Mount(owner, r.SpanAt(m[0]), prefix, "("+name+")")
			}
		}
	}
	if !strings.Contains(r.Text, "Method::") {
		return
	}
	for _, m := range matchArm.FindAllStringSubmatchIndex(r.Text, -1) {
		handler := strings.TrimSuffix(r.Text[m[6]:m[7]], "(")
		if handler == "" {
			handler = "=>"
		}
		r.Route(r.Around(m[0]), r.SpanAt(m[0]), r.Text[m[2]:m[3]], "", r.Text[m[4]:m[5]], handler)
	}
}

var filterPart = regexp.MustCompile(
	`\bpath!\(([^()]*)\)|\bpath\(\s*"([^"]+)"\s*\)|\bpath::(param|tail)\b|\bwarp::(get|post|put|delete|patch|head)\(\)`)

// readFilter records the route of a chain of warp's filters, whose last call c names the handler:
// warp::path!("items" / u32).and(warp::get()).and_then(show).
func readFilter(r *services.Reader, c *code.Call, handler string) {
	filter := r.Receiver(c)
	if !strings.Contains(filter, "path") || !strings.Contains(r.Text, "warp") {
		return
	}
	if root, _ := folding.Chain(filter); !strings.Contains(root, ":") {
		if value, where := r.Lookup(root, c.NameSpan.StartByte); where < c.NameSpan.StartByte &&
			strings.Contains(value, "path") {
			filter = value + filter
		}
	}
	method, path := "", ""
	for _, m := range filterPart.FindAllStringSubmatch(filter, -1) {
		switch {
		case m[4] != "":
			method = m[4]
		case m[3] == "tail":
			path += "/{tail...}"
		case m[3] != "":
			path += "/{param}"
		case m[2] != "":
			path += "/" + strings.Trim(m[2], "/")
		default:
			for _, part := range strings.Split(m[1], "/") {
				if text, ok := folding.Quoted(strings.TrimSpace(part)); ok {
					path += "/" + text
				} else if part = strings.TrimSpace(part); part == ".." {
					path += "/{rest...}"
				} else if part != "" {
					path += "/{" + strings.ToLower(part) + "}"
				}
			}
		}
	}
	if path != "" {
		r.Route(c.Caller, c.NameSpan, method, "", path, handler)
	}
}
