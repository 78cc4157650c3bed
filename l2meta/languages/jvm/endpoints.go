package jvm

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/services"
)

// idioms are how Java, Kotlin and Scala programs serve and request over HTTP.
var idioms = &services.Idioms{
	Names:     []string{"uri", "url", "exchange", "newBuilder", "target"},
	Requests:  requestOf,
	Annotated: readAnnotations,
}

func requestOf(r *services.Reader, c *code.Call) (x services.Request, ok bool) {
	args := r.Arguments(c)
	if len(args) == 0 {
		return x, false
	}
	switch {
	case c.Callee == "exchange" && len(args) > 1 && services.MethodOf(args[1]) != "":
		return services.Request{Method: services.MethodOf(args[1]), URL: args[0], Sure: true}, true
	case strings.HasSuffix(c.Callee, "ForObject") || strings.HasSuffix(c.Callee, "ForEntity") || strings.HasSuffix(c.Callee, "ForLocation"):
		return services.Request{Method: services.Verb(c.Callee), URL: args[0], Sure: true}, true
	case (c.Callee == "put" || c.Callee == "delete") && r.Speaks(c, []string{"restTemplate"}, []string{"RestTemplate"}):
		return services.Request{Method: services.Verb(c.Callee), URL: args[0]}, true
	case c.Callee == "uri" || c.Callee == "url":
		method := ""
		for _, m := range services.Methods {
			if strings.HasSuffix(strings.TrimRight(c.Receiver, " "), "."+strings.ToLower(m)+"()") || strings.Contains(c.Receiver, "HttpMethod."+m+")") {
				method = m
			}
		}
		// A builder may say its method later.
		behind := r.Text[min(c.Span.EndByte, len(r.Text)):min(len(r.Text), c.Span.EndByte+200)]
		for _, m := range services.Methods {
			if method == "" && (strings.Contains(behind, "."+m+"(") || strings.Contains(behind, "."+strings.ToLower(m)+"(")) {
				method = m
			}
		}
		return services.Request{Method: method, URL: args[0], Sure: method != ""}, method != "" || strings.Contains(c.Receiver, "newBuilder") || strings.Contains(c.Receiver, "Request.Builder")
	case c.Callee == "newBuilder" && c.Receiver == "HttpRequest":
		return services.Request{Method: "", URL: args[0], Sure: true}, true
	case c.Callee == "target" && r.Speaks(c, nil, []string{"ClientBuilder", "Client "}):
		return services.Request{Method: "", URL: args[0], Sure: true}, true
	case r.File.Language == "kotlin" && services.PlainVerb(c.Callee) != "" && r.Speaks(c, nil, []string{"HttpClient("}):
		return services.Request{Method: services.PlainVerb(c.Callee), URL: args[0], Sure: true}, true
	}
	return x, false
}

// readAnnotations reads Spring, JAX-RS, and the clients that are declared like
// either: Feign, Retrofit.
func readAnnotations(r *services.Reader, s int) {
	symbol := &r.File.Symbols[s]
	prefixes, base, client := []string{""}, "", false
	if symbol.Parent >= 0 {
		for _, a := range r.File.Symbols[symbol.Parent].Annotations {
			switch name, args := services.Annotation(a); name {
			case "RequestMapping", "Path", "HttpExchange":
				if p := services.Paths(args); len(p) > 0 {
					prefixes = p
				}
				client = client || name == "HttpExchange"
			case "FeignClient":
				client, base = true, feignBase(args)
			}
		}
	}
	method, own, mapped := "", []string{""}, false
	for _, a := range symbol.Annotations {
		name, args := services.Annotation(a)
		switch {
		case strings.HasSuffix(name, "Mapping") && (name == "RequestMapping" || services.PlainVerb(strings.TrimSuffix(name, "Mapping")) != ""), strings.HasSuffix(name, "Exchange") && services.PlainVerb(strings.TrimSuffix(name, "Exchange")) != "":
			mapped = true
			method = services.MethodOf(strings.TrimSuffix(strings.TrimSuffix(name, "Mapping"), "Exchange"))
			if m := services.Keyword(args, "method"); m != "" {
				method = services.MethodOf(strings.Trim(m, "{}[]"))
			}
			if p := services.Paths(args); len(p) > 0 {
				own = p
			}
		case name == "Path":
			mapped = true
			if p := services.Paths(args); len(p) > 0 {
				own = p
			}
		case services.MethodOf(name) == name && name != "": // JAX-RS @GET, Retrofit @GET("x")
			mapped, method = true, name
			if p, ok := services.FirstPath(args); ok {
				client, own = true, []string{p}
			}
		}
	}
	if !mapped {
		return
	}
	for _, prefix := range prefixes {
		for _, p := range own {
			whole := services.JoinURL("/"+strings.Trim(prefix, "/"), p)
			if strings.TrimSpace(p) == "" {
				whole = "/" + strings.Trim(prefix, "/")
			}
			if client {
				r.Keep(l2meta.RoleFetch, s, symbol.NameSpan, method, base+services.JoinURL("", whole), "")
			} else {
				r.Route(s, symbol.NameSpan, method, "", services.JoinURL("", whole), "")
			}
		}
	}
}

// feignBase is the address of a Feign client: its URL, else the name of a service.
func feignBase(args []string) (base string) {
	if u, ok := services.Quoted(services.Keyword(args, "url")); ok && u != "" {
		base = services.Placeholders(u)
	} else if n, ok := services.Quoted(services.Keyword(args, "name") + services.Keyword(args, "value") + services.Keyword(args, "serviceId")); ok {
		base = "http://" + n
	} else if n, ok := services.FirstPath(args); ok {
		base = "http://" + n
	}
	if p, ok := services.Quoted(services.Keyword(args, "path")); ok {
		base = services.JoinURL(base, p)
	}
	return strings.TrimRight(base, "/")
}
