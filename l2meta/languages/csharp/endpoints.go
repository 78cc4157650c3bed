package csharp

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/services"
)

// idioms are how C# programs serve and request over HTTP.
var idioms = &services.Idioms{
	Names:     []string{"HttpRequestMessage", "AddHttpClient", "Map*"},
	Requests:  requestOf,
	Routes:    readRoutes,
	Annotated: readAttributes,
	Whole:     readProxies,
	Registers: func(callee string) bool { return callee == "MapGrpcService" },
}

func requestOf(r *services.Reader, c *code.Call) (x services.Request, ok bool) {
	args := r.Arguments(c)
	if len(args) == 0 {
		return x, false
	}
	if c.Kind == code.CallNew && c.Callee == "HttpRequestMessage" && len(args) > 1 {
		return services.Request{Method: services.MethodOf(args[0]), URL: args[1], Sure: true}, true
	}
	m := services.Verb(c.Callee)
	if m == "" || !strings.HasSuffix(c.Callee, "Async") {
		return x, false
	}
	switch rest := strings.TrimSuffix(c.Callee[len(m):], "Async"); rest {
	case "", "String", "Stream", "ByteArray", "FromJson", "AsJson", "FromJsonAsAsyncEnumerable":
		client := r.Speaks(c, nil, []string{"HttpClient", "CreateClient("}) || strings.HasSuffix(strings.ToLower(services.LastWord(c.Receiver)), "httpclient")
		return services.Request{Method: m, URL: args[0], Sure: true}, client
	}
	return x, false
}

// readRoutes reads the endpoints of minimal APIs, and the base addresses that
// typed clients are given.
func readRoutes(r *services.Reader, c *code.Call) {
	args := r.Arguments(c)
	if c.Callee == "AddHttpClient" {
		generic, rest, _ := strings.Cut(strings.TrimPrefix(r.After(c), "<"), ">")
		if _, address, ok := strings.Cut(rest, "BaseAddress ="); ok && generic != "" {
			name := generic[strings.LastIndexAny(generic, ", ")+1:]
			address = strings.TrimSpace(address)
			address = "new URL" + strings.TrimPrefix(strings.TrimPrefix(address, "new Uri"), "new")
			if parts := services.ListItems(address); len(parts) > 0 {
				r.Keep(l2meta.RoleBase, c.Caller, c.NameSpan, "", strings.TrimRight(r.Fold(parts[0], c.NameSpan.StartByte), "/"), name)
			}
		}
		return
	}
	method := services.MethodOf(strings.TrimPrefix(c.Callee, "Map"))
	if !strings.HasPrefix(c.Callee, "Map") || method == "" && c.Callee != "Map" || len(args) < 2 {
		return
	}
	if p, ok := services.Quoted(args[0]); ok {
		r.Route(c.Caller, c.NameSpan, method, groupPrefix(r, c.Receiver, c.NameSpan.StartByte, 0), p, args[1])
	}
}

func groupPrefix(r *services.Reader, receiver string, at, step int) string {
	value, where := r.Lookup(services.LastWord(receiver), at)
	before, rest, ok := strings.Cut(value, ".MapGroup(")
	if !ok || step > services.MaxFolds {
		return ""
	}
	parts := services.ListItems(rest)
	if len(parts) == 0 {
		return ""
	}
	p, _ := services.Quoted(parts[0])
	return services.JoinURL(groupPrefix(r, before, where, step+1), p)
}

func readAttributes(r *services.Reader, s int) {
	symbol := &r.File.Symbols[s]
	prefix := ""
	if symbol.Parent >= 0 {
		outer := &r.File.Symbols[symbol.Parent]
		for _, a := range outer.Annotations {
			if name, args := services.Annotation(a); name == "Route" {
				prefix, _ = services.FirstPath(args)
				prefix = strings.ReplaceAll(prefix, "[controller]", strings.ToLower(strings.TrimSuffix(outer.Name, "Controller")))
			}
		}
	}
	for _, a := range symbol.Annotations {
		name, args := services.Annotation(a)
		method := services.MethodOf(strings.TrimPrefix(name, "Http"))
		if !strings.HasPrefix(name, "Http") || method == "" {
			continue
		}
		p, _ := services.FirstPath(args)
		if strings.HasPrefix(p, "/") || strings.HasPrefix(p, "~/") {
			r.Route(s, symbol.NameSpan, method, "", strings.TrimPrefix(p, "~"), "")
		} else if prefix != "" || p != "" {
			r.Route(s, symbol.NameSpan, method, "", strings.TrimSuffix(services.JoinURL("/"+strings.Trim(prefix, "/"), strings.ReplaceAll(p, "[action]", symbol.Name)), "/"), "")
		}
	}
}
