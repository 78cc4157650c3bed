package elixir

import (
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// readRoutes records the routes of Phoenix and of Plug.Router.
func readRoutes(r *services.Reader, c *code.Call) {
	args := arguments(r.After(c))
	if c.Receiver != "" || len(args) == 0 || !isText(args[0]) {
		return
	}
	path, _ := folding.Quoted(args[0])
	method := services.PlainVerb(c.Callee)
	switch prefix, within := scopeOf(r, c); {
	case c.Callee == "resources" && len(args) > 1:
		keepResources(r, c, folding.JoinURL(prefix, path), joined(within, args[1]), args)
	case c.Callee == "forward":
		if to := option(args, "to"); to != "" {
			r.MountOn(c, folding.JoinURL(prefix, path), to, "")
		} else if len(args) > 1 {
			r.MountOn(c, folding.JoinURL(prefix, path), args[1], "")
		}
	case (method != "" || c.Callee == "match") && len(args) > 2 && strings.HasPrefix(args[2], ":"):
		r.Route(c.Caller, c.NameSpan, method, prefix, path, joined(within, args[1])+"."+args[2][1:])
	case r.Mentions("Plug.Router") && (method != "" || c.Callee == "match" && path != ""):
		if via := option(args, "via"); via != "" {
			method = folding.MethodOf(strings.Trim(via, "[]:"))
		}
		r.Route(c.Caller, c.NameSpan, method, "", path, "=>", nameAround(r, c))
	}
}

// scopeOf returns the path prefix and the module that the scopes and resources around a call give
// its route: "/api" and Shop in scope "/api", Shop do … end.
func scopeOf(r *services.Reader, c *code.Call) (prefix, module string) {
	for _, outer := range r.Enclosing(c.NameSpan.StartByte, "scope", "resources") {
		args := arguments(r.After(outer))
		given := positional(args)
		path, name := option(args, "path"), option(args, "alias")
		if len(given) > 0 && isText(given[0]) {
			path, given = given[0], given[1:]
		}
		text, _ := folding.Quoted(path)
		prefix = folding.JoinURL(prefix, text)
		if outer.Callee == "resources" {
			last := text[strings.LastIndexByte(text, '/')+1:]
			prefix += "/:" + strings.TrimSuffix(last, "s") + "_id"
			continue
		}
		if len(given) > 0 {
			name = given[0]
		}
		module = joined(module, name)
	}
	return prefix, module
}

// joined returns the full name of a module within another one: Shop.Orders for Shop and Orders.
func joined(module, name string) string { return strings.Trim(module+"."+name, ".") }

// resourceActions lists the actions of a Phoenix resource. An action with member set has the path
// of a single object, /users/:id.
var resourceActions = []struct {
	method, action, last string
	member               bool
}{
	{"GET", "index", "", false}, {"GET", "new", "/new", false}, {"POST", "create", "", false},
	{"GET", "show", "", true}, {"GET", "edit", "/edit", true}, {"PATCH", "update", "", true},
	{"PUT", "update", "", true}, {"DELETE", "delete", "", true},
}

var atoms = regexp.MustCompile(`\w+`)

// keepResources records the routes of resources "/users", UserController, except: [:new].
func keepResources(r *services.Reader, c *code.Call, path, controller string, args []string) {
	only, except := option(args, "only"), atoms.FindAllString(option(args, "except"), -1)
	param := "id"
	if given, ok := folding.Quoted(option(args, "param")); ok {
		param = given
	}
	for _, a := range resourceActions {
		if only != "" && !slices.Contains(atoms.FindAllString(only, -1), a.action) || slices.Contains(except, a.action) {
			continue
		}
		whole := path
		if a.member {
			whole += "/:" + param
		}
		r.Route(c.Caller, c.NameSpan, a.method, "", whole+a.last, controller+"."+a.action)
	}
}

// nameAround returns the name of the innermost module around a call, "" if there is none.
func nameAround(r *services.Reader, c *code.Call) (name string) {
	for i := range r.File.Symbols {
		if s := &r.File.Symbols[i]; s.Kind == code.KindModule && s.Span.Contains(c.Span) {
			name = s.Name
		}
	}
	return name
}

// rpcServer matches the statement that makes a module a gRPC server: use GRPC.Server, service:
// Shop.Cart.Service.
var rpcServer = regexp.MustCompile(`\buse\s+GRPC\.Server\s*,\s*service:\s*([\w.]+)`)

// readServers records that the module of a gRPC server is a subtype of its service.
func readServers(r *services.Reader) {
	if !r.Mentions("GRPC.Server") {
		return
	}
	for _, m := range r.Matches(rpcServer, 0, len(r.Text)) {
		module := -1
		for i := range r.File.Symbols {
			s := &r.File.Symbols[i]
			if s.Kind == code.KindModule && s.Span.StartByte < m[0] && m[1] <= s.Span.EndByte {
				module = i
			}
		}
		if module >= 0 {
			r.Add(code.Fact{Kind: code.FactBase, Owner: module, Type: r.Text[m[2]:m[3]], Span: r.SpanAt(m[0])})
		}
	}
}
