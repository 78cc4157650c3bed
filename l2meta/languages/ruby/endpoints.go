package ruby

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
)

// idioms are how Ruby programs serve and request over HTTP.
var idioms = &services.Idioms{
	Names:    []string{"resources"},
	Requests: requestOf,
	Routes:   readRoutes,
}

func requestOf(r *services.Reader, c *code.Call) (x services.Request, ok bool) {
	args := r.Arguments(c)
	m := services.PlainVerb(c.Callee)
	if m == "" || len(args) == 0 {
		return x, false
	}
	client := r.Speaks(c, []string{"HTTParty", "Faraday", "RestClient", "HTTP", "Net::HTTP", "Excon", "Typhoeus"}, []string{"Faraday.new", "HTTP.persistent"})
	return services.Request{Method: m, URL: args[0], Sure: true}, client
}

// readRoutes reads Sinatra, and of Rails the routes that are written out and
// those of resources.
func readRoutes(r *services.Reader, c *code.Call) {
	if c.Receiver != "" || c.Callee != "resources" && services.PlainVerb(c.Callee) == "" {
		return
	}
	args := r.Arguments(c)
	if len(args) == 0 {
		return
	}
	prefix := ""
	for _, outer := range r.Enclosing(c.NameSpan.StartByte, "namespace", "scope") {
		if given := r.Arguments(outer); len(given) > 0 {
			prefix += "/" + strings.Trim(given[0], ":\"'/ do")
		}
	}
	if c.Callee == "resources" {
		readResources(r, c, prefix, strings.TrimPrefix(strings.TrimSuffix(args[0], " do"), ":"))
		return
	}
	template, _, _ := strings.Cut(strings.TrimSuffix(args[0], " do"), "=>")
	if p, ok := services.Quoted(strings.TrimSpace(template)); ok {
		to := strings.Trim(hashValue(args, "to"), `"'`)
		r.Route(c.Caller, c.NameSpan, services.PlainVerb(c.Callee), prefix, "/"+strings.TrimPrefix(p, "/"), actionOf(to))
	}
}

func readResources(r *services.Reader, c *code.Call, prefix, name string) {
	for _, a := range []struct{ method, path, action string }{
		{"GET", "", "index"}, {"POST", "", "create"}, {"GET", "/:id", "show"}, {"PUT", "/:id", "update"}, {"PATCH", "/:id", "update"}, {"DELETE", "/:id", "destroy"},
	} {
		r.Route(c.Caller, c.NameSpan, a.method, prefix, "/"+name+a.path, actionOf(name+"#"+a.action))
	}
}

// actionOf is the method that "orders#show" names.
func actionOf(to string) string {
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

func hashValue(args []string, name string) string {
	for _, a := range args {
		if rest, ok := strings.CutPrefix(a, name+":"); ok {
			return strings.TrimSpace(strings.TrimSuffix(rest, " do"))
		}
	}
	return ""
}
