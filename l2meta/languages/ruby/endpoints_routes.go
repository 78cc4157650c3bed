package ruby

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// readRoutes records routes of Rails, Sinatra and similar libraries, Grape, Roda, WEBrick, and Rack
// mounts.
func readRoutes(r *services.Reader, c *code.Call) {
	switch {
	case isRails(r):
		if c.Receiver == "" {
			readRails(r, c)
		}
	case c.Callee == "mount_proc" || c.Callee == "mount" && c.Receiver != "":
		readWEBrick(r, c)
	case strings.Contains(r.Text, "Grape::API"):
		readGrape(r, c)
	case strings.Contains(r.Text, "Roda"):
		readRoda(r, c)
	case c.Callee == "run" && c.Receiver == "":
		readRack(r, c)
	case c.Receiver == "" && services.PlainVerb(c.Callee) != "" && answers(r, c):
		readSinatra(r, c)
	}
}

// isRails reports whether a file contains Rails routes.
func isRails(r *services.Reader) bool {
	return strings.Contains(r.Text, "routes.draw") || strings.HasPrefix(r.File.Path, "config/routes/") ||
		strings.Contains(r.File.Path, "/config/routes/")
}

// answers reports whether a call has a block that the rules declared as the handler of a route.
func answers(r *services.Reader, c *code.Call) bool {
	for i := range r.File.Symbols {
		if s := &r.File.Symbols[i]; s.Kind == code.KindRoute && s.Span.StartByte == c.Span.StartByte {
			return true
		}
	}
	return false
}

// readSinatra records the route of get '/orders/:id' do …, below the namespaces around it.
func readSinatra(r *services.Reader, c *code.Call) {
	args := arguments(r.After(c))
	if len(args) == 0 || !strings.HasPrefix(text(args[0]), "/") {
		return
	}
	prefix := ""
	for _, outer := range r.Enclosing(c.NameSpan.StartByte, "namespace") {
		if given := arguments(r.After(outer)); len(given) > 0 {
			prefix += "/" + strings.Trim(text(given[0]), "/")
		}
	}
	for _, p := range optional(text(args[0])) {
		r.Route(c.Caller, c.NameSpan, services.PlainVerb(c.Callee), prefix, p, "=>", className(r, c))
	}
}

// className returns the name of the class around a call; "" if there is none.
func className(r *services.Reader, c *code.Call) string {
	name := ""
	for i := range r.File.Symbols {
		if s := &r.File.Symbols[i]; s.Kind == code.KindClass && s.Span.Contains(c.Span) {
			name = s.Name
		}
	}
	return name
}

// readRack records map '/x' do run Orders end, and run Rack::URLMap.new('/x' => Orders), in config.ru.
func readRack(r *services.Reader, c *code.Call) {
	args := arguments(r.After(c))
	if len(args) > 0 && strings.HasPrefix(args[0], "Rack::URLMap.new(") {
		for _, item := range folding.ListItems(strings.TrimPrefix(args[0], "Rack::URLMap.new(")) {
			if at, router, ok := strings.Cut(item, "=>"); ok {
				r.MountOn(c, text(strings.TrimSpace(at)), constantOf(strings.TrimSpace(router)), "")
			}
		}
		return
	}
	prefix := ""
	for _, outer := range r.Enclosing(c.NameSpan.StartByte, "map") {
		if given := arguments(r.After(outer)); len(given) > 0 {
			prefix += "/" + strings.Trim(text(given[0]), "/")
		}
	}
	if prefix = strings.TrimSuffix(prefix, "/"); len(args) > 0 && prefix != "" {
		r.MountOn(c, prefix, constantOf(args[0]), "")
	}
}

// constantOf returns the last name of the constant at the start of an expression: Orders for Shop::Orders.new.
func constantOf(expr string) string {
	expr, _, _ = strings.Cut(expr, ".")
	return expr[strings.LastIndexByte(expr, ':')+1:]
}

// readWEBrick records server.mount_proc '/x' do |req, res| and server.mount '/x', Servlet. Both
// handle all paths below /x.
func readWEBrick(r *services.Reader, c *code.Call) {
	args := arguments(r.After(c))
	if len(args) == 0 || !strings.HasPrefix(text(args[0]), "/") || !strings.Contains(r.Text, "WEBrick") {
		return
	}
	handler := "=>"
	if c.Callee == "mount" && len(args) > 1 {
		handler = constantOf(args[1])
	}
	p := strings.TrimSuffix(text(args[0]), "/")
	r.Route(c.Caller, c.NameSpan, "", "", p, handler)
	r.Route(c.Caller, c.NameSpan, "", "", p+"/{rest...}", handler)
}

var (
	grapePrefix  = regexp.MustCompile(`(?m)^\s*prefix[\s(]+(?::(\w+)|["']([^"']+)["'])`)
	grapeVersion = regexp.MustCompile(`(?m)^\s*version[\s(]+([^\n]+)`)
)

// readGrape records the endpoints and mounts of a Grape class, below the class's prefix and
// version.
func readGrape(r *services.Reader, c *code.Call) {
	args := arguments(r.After(c))
	if c.Receiver != "" || c.Callee != "mount" && services.PlainVerb(c.Callee) == "" && c.Callee != "route" {
		return
	}
	prefix := grapeBase(r, c)
	for _, outer := range r.Enclosing(c.NameSpan.StartByte, "namespace", "resource", "resources", "group", "segment",
		"route_param", "version") {
		given := arguments(r.After(outer))
		if len(given) == 0 {
			continue
		}
		name := strings.Trim(text(given[0]), "/")
		if outer.Callee == "route_param" {
			name = ":" + name
		}
		prefix = folding.JoinURL(prefix, name)
	}
	if c.Callee == "mount" {
		if len(args) > 0 {
			router, at, _ := strings.Cut(args[0], "=>")
			r.MountOn(c, folding.JoinURL(prefix, strings.Trim(text(strings.TrimSpace(at)), "/")),
				constantOf(strings.TrimSpace(router)), className(r, c))
		}
		return
	}
	p := ""
	if given := positional(args); len(given) > 0 {
		p = text(given[0])
	}
	r.Route(c.Caller, c.NameSpan, services.PlainVerb(c.Callee), prefix,
		strings.TrimSuffix(p, "/")+l2meta.AnyFormat, "=>", className(r, c))
}

// grapeBase returns the prefix and the version of the class around a call, joined to a path.
func grapeBase(r *services.Reader, c *code.Call) (base string) {
	body := r.Text
	for i := range r.File.Symbols {
		if s := &r.File.Symbols[i]; s.Kind == code.KindClass && s.Span.Contains(c.Span) {
			body = r.Text[s.Span.StartByte:s.Span.EndByte]
		}
	}
	if m := grapePrefix.FindStringSubmatch(body); m != nil {
		base = "/" + strings.Trim(m[1]+m[2], "/")
	}
	if m := grapeVersion.FindStringSubmatch(body); m != nil && !strings.Contains(m[0], " do") {
		args := arguments(" " + m[1])
		using := text(option(args, "using"))
		if len(args) > 0 && (using == "" || using == "path") {
			base += "/" + text(args[0])
		}
	}
	return base
}

// readRoda records the routes r.get 'x' and r.post do, below the branches r.on 'x' and r.is
// around them.
func readRoda(r *services.Reader, c *code.Call) {
	method := services.PlainVerb(c.Callee)
	if c.Receiver == "" || strings.ContainsAny(c.Receiver, ".:(") || method == "" && c.Callee != "root" {
		return
	}
	prefix, within := "", false
	for _, outer := range r.Enclosing(c.NameSpan.StartByte, "on", "is", "route", "hash_branch") {
		if outer.Callee == "route" || outer.Callee == "hash_branch" {
			within = true
		}
		if outer.Receiver == c.Receiver || outer.Callee == "hash_branch" {
			prefix += matched(arguments(r.After(outer)))
		}
	}
	if within {
		if method == "" {
			method = "GET"
		}
		r.Route(c.Caller, c.NameSpan, method, "", prefix+matched(arguments(r.After(c))), "=>")
	}
}

// matched returns the path that the arguments of a Roda branch match: "/orders/{integer}" for 'orders', Integer.
func matched(args []string) (path string) {
	for _, a := range positional(args) {
		switch s := text(a); {
		case a == "String" || a == "Integer" || strings.HasPrefix(a, ":"):
			path += "/{" + strings.ToLower(strings.Trim(a, ":")) + "}"
		case s != "":
			path += "/" + strings.Trim(s, "/")
		}
	}
	return path
}

var group = regexp.MustCompile(`\(([^()]*)\)`)

// optional expands a template with optional parts: "(/:locale)/orders(.:format)" to "/orders" and
// "/:locale/orders". It drops the format, which every route has.
func optional(template string) []string {
	template = strings.ReplaceAll(template, l2meta.AnyFormat, "")
	m := group.FindStringSubmatchIndex(template)
	if m == nil {
		return []string{template}
	}
	without := template[:m[0]] + template[m[1]:]
	with := template[:m[0]] + template[m[2]:m[3]] + template[m[1]:]
	if group.MatchString(without) {
		return []string{group.ReplaceAllString(with, ""), group.ReplaceAllString(without, "")}
	}
	return []string{without, with}
}
