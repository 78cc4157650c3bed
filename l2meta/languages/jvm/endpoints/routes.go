package endpoints

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// readCall records the routes that a call adds, and the base address with which it creates a declared client.
func readCall(r *services.Reader, c *code.Call) {
	args := r.Arguments(c)
	if r.File.Language == "scala" && imports(r, scalaServers...) {
		readScala(r, c, args)
		return
	}
	switch verb := services.PlainVerb(c.Callee); {
	case readHelidon(r, c, verb, args):
	case c.Callee == "create" || c.Callee == "target" || c.Callee == "createClient" || c.Callee == "build":
		readBase(r, c, args)
	case c.Callee == "createRecord" || c.Callee == "publishHttpEndpoint":
		readRecord(r, c)
	case c.Callee == "route" || c.Callee == "andRoute":
		readPredicate(r, c, args)
	case c.Callee == "handler":
		readChained(r, c, args)
	case c.Callee == "createContext" && imports(r, jdkServer):
		readContext(r, c, args)
	case c.Callee == "InetSocketAddress" && len(args) > 0 && imports(r, jdkServer):
		r.Listening(c, args[len(args)-1])
	case c.Callee == "setProperty" && len(args) == 2 && serverPort.MatchString(args[0]):
		r.Listening(c, args[1])
	case verb == c.Callee && len(args) > 1 && isFunctional(r): // GET("/x", handler::show)
		keepRoute(r, c, verb, args[0], args[len(args)-1], nested(r, c, "path", "nest", "andNest"))
	case verb != "" && imports(r, "io.javalin", "spark."):
		readPlain(r, c, verb, args)
	case verb != "" && imports(r, "io.ktor.server", "io.ktor.routing") && c.Receiver == "":
		readKtor(r, c, verb, args)
	}
}

// imports reports whether the file imports from a package with one of the prefixes.
func imports(r *services.Reader, packages ...string) bool {
	for i := range r.File.Imports {
		for _, p := range packages {
			if strings.HasPrefix(r.File.Imports[i].Module, p) {
				return true
			}
		}
	}
	return false
}

func isFunctional(r *services.Reader) bool {
	return strings.Contains(r.Text, "RouterFunction") ||
		imports(r, "org.springframework.web.reactive.function.server", "org.springframework.web.servlet.function",
			"org.springframework.web.function")
}

// keepRoute records a route, if its template is a path.
func keepRoute(r *services.Reader, c *code.Call, method, path, handler, prefix string) {
	p := r.Fold(path, c.NameSpan.StartByte)
	if strings.HasPrefix(path, "\"") || strings.HasPrefix(p, "/") {
		p = template(p)
		if strings.Trim(p, "/") == "" && prefix != "" {
			p, prefix = prefix, ""
		}
		r.Route(c.Caller, c.NameSpan, method, prefix, p, handler)
	}
}

// nested returns the path prefix that the calls around c add to its routes: /api for get("/x")
// inside route("/api") { … }. It considers only the outer calls of functions with one of the
// names.
func nested(r *services.Reader, c *code.Call, names ...string) (prefix string) {
	for _, outer := range r.Enclosing(c.NameSpan.StartByte, names...) {
		args := r.Arguments(outer)
		// "/api".nest { … } has the path as its receiver
		if block := strings.HasPrefix(strings.TrimSpace(r.After(outer)), "{"); block {
			args = []string{r.Receiver(outer)}
		}
		if len(args) == 0 {
			continue
		}
		path := args[0]
		if _, steps := folding.Chain(path); len(steps) > 0 && steps[0].Name == "path" && len(steps[0].Args) > 0 {
			path = steps[0].Args[0]
		}
		if p, ok := folding.Quoted(path); ok {
			prefix = folding.JoinURL(prefix, template(p))
		} else if p, ok := r.Path(path, outer.NameSpan.StartByte); ok {
			prefix = folding.JoinURL(prefix, p)
		}
	}
	return prefix
}

// readPredicate records route(GET("/items"), handler::list).
func readPredicate(r *services.Reader, c *code.Call, args []string) {
	if len(args) != 2 {
		return
	}
	_, steps := folding.Chain(args[0])
	if len(steps) == 0 || len(steps[0].Args) == 0 {
		return
	}
	if m := folding.MethodOf(steps[0].Name); m == steps[0].Name && m != "" {
		keepRoute(r, c, m, steps[0].Args[0], args[1], nested(r, c, "nest", "andNest"))
	}
}

// readChained records Vert.x's router.get("/items/:id").handler(this::show). If there are several handlers, the last
// one counts.
func readChained(r *services.Reader, c *code.Call, args []string) {
	_, steps := folding.Chain(r.Receiver(c))
	for _, later := range r.Behind(c) {
		if later.Name == "handler" {
			return
		}
	}
	for _, s := range steps {
		if len(args) != 1 || len(s.Args) == 0 {
			continue
		}
		if m := services.PlainVerb(s.Name); m != "" {
			keepRoute(r, c, m, s.Args[0], args[0], "")
			return
		}
		if m := folding.MethodOf(s.Args[0]); s.Name == "route" && m != "" && len(s.Args) == 2 {
			keepRoute(r, c, m, s.Args[1], args[0], "")
			return
		}
	}
}

// readPlain records routes of Javalin and Spark: app.get("/x", App::show), and get(App::list)
// inside path("items", …).
func readPlain(r *services.Reader, c *code.Call, verb string, args []string) {
	prefix := nested(r, c, "path")
	switch {
	case len(args) == 1 && prefix != "" && !strings.HasPrefix(args[0], "\""):
		keepRoute(r, c, verb, `""`, args[0], prefix)
	case len(args) > 1 && strings.HasPrefix(args[0], "\""):
		keepRoute(r, c, verb, args[0], args[1], prefix)
	}
}

// readKtor records get("/x") { … } inside route("/api") { … }.
func readKtor(r *services.Reader, c *code.Call, verb string, args []string) {
	handler := "=>"
	path := `""`
	if len(args) > 0 && !strings.HasPrefix(args[0], "{") {
		path = args[0]
	}
	if len(args) > 1 && !strings.HasPrefix(args[len(args)-1], "{") {
		handler = args[len(args)-1]
	}
	keepRoute(r, c, verb, path, handler, nested(r, c, "route"))
}

// readTypes records the endpoints that types declare, such as servlets and annotated clients, and the
// rules of gateways. In a Ktor file it also records calls inside route("/api") { … } of functions that
// may add routes below that path.
func readTypes(r *services.Reader) {
	readGateway(r)
	readProperties(r)
	readEnums(r)
	readBeans(r)
	readScans(r)
	if r.File.Language == "scala" {
		readCases(r)
	}
	for i := range r.File.Symbols {
		readSurface(r, i)
		for _, a := range r.File.Symbols[i].Annotations {
			switch name, args := folding.Annotation(a); name {
			case "ApplicationPath":
				if p := paths(r, args, r.File.Symbols[i].NameSpan.StartByte); len(p) > 0 {
					r.Mount(i, r.File.Symbols[i].NameSpan, p[0], ".")
				}
			case "WebServlet":
				readServlet(r, i, args)
			case "RepositoryRestResource":
				readRepository(r, i, args)
			}
		}
	}
	if !imports(r, "io.ktor.server", "io.ktor.routing") {
		return
	}
	for i := range r.File.Calls {
		c := &r.File.Calls[i]
		if c.Kind != code.CallPlain || c.Receiver != "" ||
			c.Args != 0 && !strings.HasPrefix(strings.TrimSpace(r.After(c)), "(") ||
			services.PlainVerb(c.Callee) != "" || c.Callee == "route" {
			continue
		}
		if prefix := nested(r, c, "route"); prefix != "" &&
			len(r.Enclosing(c.NameSpan.StartByte, "get", "post", "put", "delete", "patch", "head", "options")) == 0 {
			r.Mount(c.Caller, c.NameSpan, prefix, "()")
		}
	}
}

// readServlet records the routes of a servlet, whose methods doGet, doPost and so on handle one
// HTTP method each.
func readServlet(r *services.Reader, class int, args []string) {
	for _, p := range paths(r, args, r.File.Symbols[class].NameSpan.StartByte) {
		for i := range r.File.Symbols {
			s := &r.File.Symbols[i]
			if m := folding.MethodOf(strings.TrimPrefix(s.Name, "do")); s.Parent == class && m != "" &&
				strings.HasPrefix(s.Name, "do") {
				r.Route(i, s.NameSpan, m, "", strings.Replace(p, "/*", "/{*}", 1), "")
			}
		}
	}
}

// readRepository records the routes that Spring Data REST serves for a repository.
func readRepository(r *services.Reader, s int, args []string) {
	symbol := &r.File.Symbols[s]
	path, ok := folding.Quoted(folding.Keyword(args, "path"))
	if !ok || folding.Keyword(args, "exported") == "false" {
		return
	}
	for _, m := range []string{"GET", "POST"} {
		r.Route(s, symbol.NameSpan, m, "", "/"+strings.Trim(path, "/"), "")
	}
	for _, m := range []string{"GET", "PUT", "PATCH", "DELETE"} {
		r.Route(s, symbol.NameSpan, m, "", folding.JoinURL("/"+strings.Trim(path, "/"), "{id}"), "")
	}
}

var classLiteral = regexp.MustCompile(`^(?:\w+\.)*(\w+)(?:\.class|::class(?:\.java)?)$`)

// readBase records the base address with which a call creates a declared client: retrofit.create(StockApi.class),
// Feign.builder().target(Stock.class, "http://stock").
func readBase(r *services.Reader, c *code.Call, args []string) {
	class := ""
	for _, a := range args {
		if m := classLiteral.FindStringSubmatch(a); m != nil {
			class = m[1]
		}
	}
	if after, ok := strings.CutPrefix(r.After(c), "<"); ok {
		if generic, _, ok := strings.Cut(after, ">"); ok {
			class = generic
		}
	}
	if class == "" {
		return
	}
	base := clientBase(r, c)
	if c.Callee == "target" && len(args) == 2 {
		base = r.Fold(args[1], c.NameSpan.StartByte)
	}
	if base == "" {
		base = onlyBase(r)
	}
	if base != "" {
		r.Keep(l2meta.RoleBase, c.Caller, c.NameSpan, "", strings.TrimRight(base, "/"), class)
	}
}

// onlyBase returns the base address that a file sets; "" if it sets none or several.
func onlyBase(r *services.Reader) (base string) {
	for i := range r.File.Calls {
		set := &r.File.Calls[i]
		if set.Callee != "baseUrl" && set.Callee != "baseUri" {
			continue
		}
		if args := r.Arguments(set); len(args) == 1 {
			found := r.Fold(args[0], set.NameSpan.StartByte)
			if base != "" && base != found {
				return ""
			}
			base = found
		}
	}
	return base
}
